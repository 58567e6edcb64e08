//! What is sent to the server, and how it says that it cannot take it.

use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, Guest, Server};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// A guest, the address for messages, and the address of the conversation.
async fn guest(server: &Server) -> (Guest, String, String) {
    let (guest, conversation) = Guest::with_conversation(server, "").await;
    let show = format!("/api/conversations/{conversation}");
    (guest, format!("{show}/messages"), show)
}

async fn post(guest: &Guest, path: &str, body: impl Into<Vec<u8>>, headers: &[(&str, &str)]) -> Answer {
    guest.raw(Method::POST, path, Some(body.into()), headers).await
}

/// Nothing of what was refused is in the conversation.
async fn assert_empty(guest: &Guest, show: &str) {
    assert_eq!(guest.get(show).await.expect(200).body, json!({ "messages": [], "lastEventId": 0 }));
}

#[tokio::test]
async fn a_problem_has_a_bare_word_as_its_type_and_the_request_id_of_the_header() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let one = guest.get("/api/conversations/none").await.expect_problem(404, "not-found");
    let other = guest.get("/api/conversations/none").await.expect_problem(404, "not-found");
    let mut members: Vec<&String> = one.as_object().unwrap().keys().collect();
    members.sort();
    assert_eq!(members, ["requestId", "status", "title", "type"]);
    assert_ne!(one["requestId"], other["requestId"]);
    // An answer that is no problem has an id as well.
    assert!(!guest.get("/api/tools").await.expect(200).headers["x-request-id"].is_empty());
}

#[tokio::test]
async fn broken_json_is_400_on_every_route_that_takes_some() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    for path in
        ["/api/conversations", &messages, &format!("{show}/approvals/any"), &format!("{show}/handovers")]
    {
        for body in ["{", "{\"text\":", "nonsense", "{} {}", "{\"a\":1,}", "\u{feff}{}", "{\"a\": NaN}"] {
            post(&guest, path, body, JSON).await.expect_problem(400, "invalid-json");
        }
    }
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn malformed_text_is_400() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let mut invalid_utf8 = br#"{"clientMessageId":"a","text":"x"#.to_vec();
    invalid_utf8.extend([0xff, 0xfe, b'"', b'}']);
    let mut overlong = br#"{"clientMessageId":"a","text":"x"#.to_vec();
    overlong.extend([0xc0, 0x80, b'"', b'}']);
    for body in [
        br#"{"clientMessageId":"a","text":"lone \ud800 surrogate"}"#.to_vec(),
        br#"{"clientMessageId":"a","text":"lone \udc00 surrogate"}"#.to_vec(),
        invalid_utf8,
        overlong,
        b"{\"clientMessageId\":\"a\",\"text\":\"raw \x00 in a string\"}".to_vec(),
    ] {
        post(&guest, &messages, body, JSON).await.expect_problem(400, "invalid-json");
    }
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn another_content_type_is_415() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let body = json!({ "clientMessageId": "a", "text": "Xin chào" }).to_string();
    for headers in [
        &[][..],
        &[("content-type", "text/plain")],
        &[("content-type", "application/jsonp")],
        &[("content-type", "text/plain; was=application/json")],
    ] {
        post(&guest, &messages, body.clone(), headers).await.expect_problem(415, "unsupported-media-type");
    }
    assert_empty(&guest, &show).await;
    let with_charset = &[("content-type", "Application/JSON; charset=utf-8")];
    post(&guest, &messages, body, with_charset).await.expect(202);
}

#[tokio::test]
async fn wrong_field_types_are_422_with_a_pointer_to_the_field() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let decide = format!("{show}/approvals/any");
    for (path, body, pointer) in [
        (&messages, json!({ "clientMessageId": 5, "text": "x" }), "/clientMessageId"),
        (&messages, json!({ "clientMessageId": "a", "text": ["x"] }), "/text"),
        (&messages, json!({ "clientMessageId": "a", "text": null }), "/text"),
        (&"/api/conversations".to_owned(), json!({ "persona": 7 }), "/persona"),
        (&decide, json!({ "approved": "yes" }), "/approved"),
        (&decide, json!({ "approved": true, "approvalId": 1 }), "/approvalId"),
    ] {
        let problem = guest.post(path, body.clone()).await.expect_problem(422, "invalid-body");
        assert_eq!(problem["errors"][0]["path"], pointer, "{body}: {problem}");
        assert!(!problem["errors"][0]["code"].as_str().unwrap().is_empty());
        assert!(!problem["errors"][0]["message"].as_str().unwrap().is_empty());
    }
    for (path, body, field) in [
        (&messages, json!({ "clientMessageId": "a" }), "text"),
        (&messages, json!({ "text": "x" }), "clientMessageId"),
        (&messages, json!({}), "clientMessageId"),
        (&decide, json!({}), "approved"),
    ] {
        let problem = guest.post(path, body.clone()).await.expect_problem(422, "invalid-body");
        assert!(problem["errors"][0]["message"].as_str().unwrap().contains(field), "{body}: {problem}");
    }
    for body in [json!([]), json!("x"), json!(1), json!(null)] {
        let problem = guest.post(&messages, body.clone()).await.expect_problem(422, "invalid-body");
        assert_eq!(problem["errors"][0]["path"], "", "{body}: {problem}");
    }
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn a_body_that_is_no_object_is_422() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    for body in [r#"["id", "Hello"]"#, "\"Hello\"", "7", "null"] {
        post(&guest, &messages, body, JSON).await.expect_problem(422, "invalid-body");
    }
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn a_message_of_invisible_characters_is_empty() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let body = json!({ "clientMessageId": "1", "text": "\u{200b} \u{200d}\u{feff}\n" }).to_string();
    let problem = post(&guest, &messages, body, JSON).await.expect_problem(422, "invalid-message");
    assert_eq!(
        (&problem["errors"][0]["path"], &problem["errors"][0]["code"]),
        (&json!("/text"), &json!("empty"))
    );
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn unknown_fields_of_a_body_are_accepted() {
    let server = Server::start(&[]);
    let (guest, messages, _) = guest(&server).await;
    let body = json!({ "clientMessageId": "a", "text": "Xin chào", "later": { "x": 1 } });
    guest.post(&messages, body).await.expect(202);
}

#[tokio::test]
async fn a_body_over_64_kib_is_413() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let body = |bytes: usize| {
        let frame = json!({ "clientMessageId": "a", "text": "", "padding": "" }).to_string().len();
        json!({ "clientMessageId": "a", "text": "", "padding": "x".repeat(bytes - frame) }).to_string()
    };
    // At the limit it is read: and found to have no text.
    post(&guest, &messages, body(64 * 1024), JSON).await.expect_problem(422, "invalid-message");
    post(&guest, &messages, body(64 * 1024 + 1), JSON).await.expect_problem(413, "body-too-large");
    post(&guest, "/api/conversations", body(70_000), JSON).await.expect_problem(413, "body-too-large");
    let decide = format!("{show}/approvals/any");
    post(&guest, &decide, body(70_000), JSON).await.expect_problem(413, "body-too-large");
}

#[tokio::test]
async fn messages_that_cannot_be_kept_are_422_with_the_reason() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    for (text, code) in [
        (String::new(), "empty"),
        (" \n\t ".to_owned(), "empty"),
        ("\u{3000}".to_owned(), "empty"),
        ("ắ".repeat(4001), "too-long"),
        ("NUL \u{0} here".to_owned(), "bad-characters"),
        ("escape \u{1b}[31m".to_owned(), "bad-characters"),
        ("bell \u{7}".to_owned(), "bad-characters"),
        ("delete \u{7f}".to_owned(), "bad-characters"),
        ("C1 \u{85}".to_owned(), "bad-characters"),
    ] {
        let answer = guest.post(&messages, json!({ "clientMessageId": "a", "text": text })).await;
        let problem = answer.expect_problem(422, "invalid-message");
        let errors = problem["errors"].as_array().unwrap();
        let found = errors.iter().any(|error| error["path"] == "/text" && error["code"] == code);
        assert!(found, "{text:?}: {problem}");
    }
    for id in [String::new(), "x".repeat(101), "a\u{0}b".to_owned()] {
        let answer = guest.post(&messages, json!({ "clientMessageId": id, "text": "Xin chào" })).await;
        let problem = answer.expect_problem(422, "invalid-message");
        assert_eq!(problem["errors"][0]["path"], "/clientMessageId", "{problem}");
    }
    assert_empty(&guest, &show).await;
}

#[tokio::test]
async fn a_message_of_4000_characters_with_line_breaks_and_emoji_is_kept_as_it_is() {
    let server = Server::start(&[]);
    let (guest, messages, show) = guest(&server).await;
    let mut text = "Xin chào 👩‍👩‍👧‍👦\r\n\tdòng hai ".to_owned();
    let missing = 4000 - text.chars().count();
    text.push_str(&"ệ".repeat(missing));
    guest.post(&messages, json!({ "clientMessageId": "a", "text": text })).await.expect(202);
    let conversation = show.strip_prefix("/api/conversations/").unwrap();
    let view = guest.settled(conversation).await;
    assert_eq!(view["messages"][0]["parts"][0]["text"], text);
}

#[tokio::test]
async fn an_event_id_that_is_no_number_is_400() {
    let server = Server::start(&[]);
    let (guest, _, show) = guest(&server).await;
    for query in ["?after=abc", "?after=-1", "?after=1.5", "?after=99999999999999999999999", "?after=%00"] {
        guest.get(&format!("{show}/events{query}")).await.expect_problem(400, "invalid-event-id");
    }
    let headers = [("last-event-id", "abc")];
    let answer = guest.raw(Method::GET, &format!("{show}/events?after=1"), None, &headers).await;
    answer.expect_problem(400, "invalid-event-id");
}
