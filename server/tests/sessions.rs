//! Who the guest is, and that nobody else's things exist for them.

mod support;

use reqwest::Method;
use reqwest::header::{COOKIE, SET_COOKIE};
use serde_json::json;
use support::{Guest, ScriptedModel, Server, Turn, local_time};

/// The `Set-Cookie` header of a new session.
async fn new_session(server: &Server) -> String {
    let answer = Guest::new(server).post("/api/conversations", json!({})).await.expect(200);
    let mut cookies = answer.headers.get_all(SET_COOKIE).iter();
    let cookie = cookies.next().unwrap().to_str().unwrap().to_owned();
    assert_eq!(cookies.next(), None);
    cookie
}

fn attributes(cookie: &str) -> Vec<String> {
    cookie.split(';').skip(1).map(|attribute| attribute.trim().to_ascii_lowercase()).collect()
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_for_scripts_and_other_sites() {
    let server = Server::start(&[]);
    let cookie = new_session(&server).await;
    assert!(cookie.starts_with("truthtable_session="), "{cookie}");
    let attributes = attributes(&cookie);
    for wanted in ["httponly", "samesite=lax", "path=/"] {
        assert!(attributes.iter().any(|attribute| attribute == wanted), "{wanted}: {cookie}");
    }
    assert!(!attributes.iter().any(|attribute| attribute == "secure"), "{cookie}");
    assert!(!attributes.iter().any(|attribute| attribute.starts_with("domain")), "{cookie}");
}

#[tokio::test]
async fn behind_tls_the_cookie_is_secure_and_bound_to_the_host() {
    let server = Server::start(&[("TRUTHTABLE_PUBLIC_URL", "https://x.example")]);
    let cookie = new_session(&server).await;
    assert!(cookie.starts_with("__Host-truthtable_session="), "{cookie}");
    let attributes = attributes(&cookie);
    for wanted in ["secure", "httponly", "samesite=lax", "path=/"] {
        assert!(attributes.iter().any(|attribute| attribute == wanted), "{wanted}: {cookie}");
    }
    assert!(!attributes.iter().any(|attribute| attribute.starts_with("domain")), "{cookie}");
}

#[tokio::test]
async fn a_guest_who_has_a_session_gets_no_other_cookie() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let answer = guest.post("/api/conversations", json!({})).await.expect(200);
    assert_eq!(answer.headers.get(SET_COOKIE), None);
    let answer = guest.get(&format!("/api/conversations/{conversation}")).await.expect(200);
    assert_eq!(answer.headers.get(SET_COOKIE), None);
}

#[tokio::test]
async fn the_token_is_long_random_and_stored_only_as_its_hash() {
    let server = Server::start(&[]);
    let (one, _) = Guest::with_conversation(&server, "").await;
    let (other, _) = Guest::with_conversation(&server, "").await;
    let token = |guest: &Guest| guest.cookie().split_once('=').unwrap().1.to_owned();
    let (one, other) = (token(&one), token(&other));
    assert_ne!(one, other);
    // 256 bits of it.
    assert!(one.len() == 64 && one.bytes().all(|byte| byte.is_ascii_hexdigit()), "{one}");

    let database = server.database().await;
    let hashes = database.texts("SELECT token_hash FROM sessions").await;
    assert_eq!(hashes.len(), 2);
    for hash in &hashes {
        assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
        assert!(*hash != one && *hash != other);
    }
    let stored = database.everything().await;
    let holds = |text: &str| stored.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(hashes.iter().all(|hash| holds(hash)), "what is stored is not what was looked at");
    assert!(!holds(&one) && !holds(&other));
}

#[tokio::test]
async fn a_forged_or_stolen_hash_opens_no_session() {
    let server = Server::start(&[]);
    let (_, conversation) = Guest::with_conversation(&server, "").await;
    let hash = server.database().await.texts("SELECT token_hash FROM sessions").await.remove(0);
    let path = format!("/api/conversations/{conversation}");
    let stranger = Guest::new(&server);
    for token in [hash.as_str(), "", "' OR '1'='1", &"0".repeat(64)] {
        let cookie = format!("truthtable_session={token}");
        let answer = stranger.raw(Method::GET, &path, None, &[(COOKIE.as_str(), &cookie)]).await;
        answer.expect_problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_session_lives_on_after_a_restart() {
    let mut server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let before = guest.say(&conversation, "Thời tiết Huế").await;
    server.restart();
    assert_eq!(guest.view(&conversation).await, before);
}

#[tokio::test]
async fn another_guests_conversation_does_not_exist_on_any_route() {
    let booking = json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) });
    let model = ScriptedModel::start([Turn::call("createBooking", booking)]).await;
    let server = Server::start(&model.settings());
    let (owner, conversation) = Guest::with_conversation(&server, "").await;
    let before = owner.say(&conversation, "Book it, and keep it a secret").await;
    let (call, approval) = owner.waiting_call(&conversation, 0).await;

    let (other, own) = Guest::with_conversation(&server, "").await;
    let nobody = Guest::new(&server);
    let show = format!("/api/conversations/{conversation}");
    let decision = json!({ "approved": true, "approvalId": approval });
    for stranger in [&other, &nobody] {
        for path in [show.clone(), format!("{show}/events"), format!("{show}/events?after=1")] {
            stranger.get(&path).await.expect_problem(404, "not-found");
        }
        for (path, body) in [
            (format!("{show}/messages"), json!({ "clientMessageId": "a", "text": "Let me in" })),
            (format!("{show}/approvals/{call}"), decision.clone()),
            (format!("{show}/stop"), json!({})),
            (format!("{show}/retry"), json!({})),
        ] {
            stranger.post(&path, body).await.expect_problem(404, "not-found");
        }
        let page = stranger.get(&format!("/c/{conversation}")).await.expect(404);
        assert!(!page.text.contains("secret") && !page.text.contains("Mây Núi"), "{}", page.text);
        let list = stranger.get("/api/conversations").await.expect(200);
        assert!(!list.text.contains(&conversation), "{}", list.text);
    }
    // Nor through the stranger's own conversation.
    other.decide(&own, &call, decision.clone()).await.expect_problem(404, "not-found");

    assert_eq!(owner.view(&conversation).await, before);
    owner.decide(&conversation, &call, decision).await.expect(200);
}

#[tokio::test]
async fn a_missing_and_a_foreign_conversation_look_the_same() {
    let server = Server::start(&[]);
    let (_, conversation) = Guest::with_conversation(&server, "").await;
    let (other, _) = Guest::with_conversation(&server, "").await;
    let foreign = other.get(&format!("/api/conversations/{conversation}")).await;
    let missing = other.get("/api/conversations/01890000-0000-7000-8000-000000000000").await;
    let without_id = |answer: support::Answer| {
        let mut body = answer.expect_problem(404, "not-found");
        body.as_object_mut().unwrap().remove("requestId");
        body
    };
    assert_eq!(without_id(foreign), without_id(missing));
}
