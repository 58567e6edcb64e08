//! What another site's page may not make a guest's browser do.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Guest, ScriptedModel, Server, Turn, local_time};

const JSON: (&str, &str) = ("content-type", "application/json");

/// Every POST route with a body that would count.
fn posts(conversation: &str, call: &str) -> Vec<(String, Value)> {
    let show = format!("/api/conversations/{conversation}");
    vec![
        ("/api/conversations".to_owned(), json!({})),
        (format!("{show}/messages"), json!({ "clientMessageId": "forged", "text": "Book me a table" })),
        (format!("{show}/approvals/{call}"), json!({ "approved": true })),
        (format!("{show}/stop"), json!({})),
        (format!("{show}/retry"), json!({})),
    ]
}

async fn post(guest: &Guest, path: &str, body: &Value, headers: &[(&str, &str)]) -> Answer {
    let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
    guest.raw(Method::POST, path, Some(body.to_string().into_bytes()), &headers).await
}

async fn waiting(server: &Server) -> (Guest, String, String) {
    let (guest, conversation) = Guest::with_conversation(server, "").await;
    guest.say(&conversation, "Book it").await;
    let (call, _) = guest.waiting_call(&conversation, 0).await;
    (guest, conversation, call)
}

async fn model_that_books() -> ScriptedModel {
    let booking = json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) });
    ScriptedModel::start([Turn::call("createBooking", booking)]).await
}

#[tokio::test]
async fn requests_from_other_sites_are_403_on_every_route_that_changes_something() {
    let model = model_that_books().await;
    let server = Server::start(&model.settings());
    let (guest, conversation, call) = waiting(&server).await;
    let before = guest.view(&conversation).await;
    let listed = guest.get("/api/conversations").await.expect(200).body;
    let same_port_elsewhere = server.url.replace("127.0.0.1", "evil.example");
    let other_port = "http://127.0.0.1:1";
    for (path, body) in posts(&conversation, &call) {
        for headers in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")],
            &[("sec-fetch-site", "cross-site"), ("origin", &server.url)],
            &[("origin", "https://evil.example")],
            &[("origin", &same_port_elsewhere)],
            &[("origin", other_port)],
            &[("origin", "null")],
        ] {
            let answer = post(&guest, &path, &body, headers).await;
            assert_eq!(answer.status, 403, "{path} with {headers:?}: {}", answer.text);
            answer.expect_problem(403, "cross-site");
        }
    }
    assert_eq!(guest.view(&conversation).await, before);
    assert_eq!(guest.get("/api/conversations").await.expect(200).body, listed);
}

#[tokio::test]
async fn requests_of_the_page_itself_pass() {
    let model = model_that_books().await;
    let server = Server::start(&model.settings());
    let (guest, conversation, call) = waiting(&server).await;
    let own = [("sec-fetch-site", "same-origin"), ("origin", server.url.as_str())];
    let decide = format!("/api/conversations/{conversation}/approvals/{call}");
    post(&guest, &decide, &json!({ "approved": true }), &own).await.expect(200);
    guest.settled(&conversation).await;
    for headers in [&own[..], &own[..1], &own[1..], &[("sec-fetch-site", "none")], &[]] {
        post(&guest, "/api/conversations", &json!({}), headers).await.expect(200);
        let stop = format!("/api/conversations/{conversation}/stop");
        post(&guest, &stop, &json!({}), headers).await.expect(200);
    }
}

#[tokio::test]
async fn behind_a_proxy_the_public_urls_origin_passes_and_others_do_not() {
    let server = Server::start(&[("TRUTHTABLE_PUBLIC_URL", "https://x.example")]);
    let guest = Guest::new(&server);
    for host in ["127.0.0.1:3000", "internal.example", "x.example"] {
        let own = [("origin", "https://x.example"), ("host", host)];
        post(&guest, "/api/conversations", &json!({}), &own).await.expect(200);
        let own = [("origin", "https://x.example"), ("host", host), ("sec-fetch-site", "same-origin")];
        post(&guest, "/api/conversations", &json!({}), &own).await.expect(200);
        for origin in
            ["https://evil.example", "https://x.example.evil.example", "https://x.example:444", "null"]
        {
            let foreign = [("origin", origin), ("host", host)];
            let answer = post(&guest, "/api/conversations", &json!({}), &foreign).await;
            answer.expect_problem(403, "cross-site");
        }
    }
}

#[tokio::test]
async fn no_other_site_may_read_an_answer() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let path = format!("/api/conversations/{conversation}");
    let headers = [("origin", "https://evil.example")];
    let answer = guest.raw(Method::GET, &path, None, &headers).await.expect(200);
    assert_eq!(answer.headers.get("access-control-allow-origin"), None);
    let preflight = [
        ("origin", "https://evil.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type"),
    ];
    let answer = guest.raw(Method::OPTIONS, &format!("{path}/messages"), None, &preflight).await;
    assert!(!answer.status.is_success(), "{}", answer.status);
    assert_eq!(answer.headers.get("access-control-allow-origin"), None);
}
