//! Text of guests, of the model and of tools is text.

use serde_json::json;

use crate::support::{Guest, ScriptedModel, Server, Turn, local_time};

const HOSTILE: &str = "</textarea><script>alert('x')</script><img src=x onerror=alert(1)>\u{202e}txt.exe &amp; \"'` <!-- {{7*7}}";

/// The page has none of it as markup.
fn assert_no_markup(page: &str) {
    for markup in ["<script>alert", "</textarea><script", "<img", "<!-- {{"] {
        assert!(!page.contains(markup), "{markup} in {page}");
    }
}

/// Nor is it left out: it is shown, as text, and without the character that would turn it around.
fn assert_harmless(page: &str) {
    assert_no_markup(page);
    assert!(page.contains("&lt;script&gt;alert"), "the text is not on the page: {page}");
    assert!(!page.split("<script").next().unwrap().contains('\u{202e}'), "{page}");
}

#[tokio::test]
async fn a_hostile_message_and_a_hostile_answer_are_shown_as_text() {
    let model = ScriptedModel::start([Turn::text(HOSTILE)]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, HOSTILE).await;
    // Kept as it was said: escaping is the screen's work.
    assert_eq!(view["messages"][0]["parts"][0]["text"], HOSTILE);
    assert_eq!(view["messages"][1]["parts"][0]["text"], HOSTILE);
    for lang in ["vi", "en"] {
        let page = guest.get(&format!("/c/{conversation}?lang={lang}")).await.expect(200).text;
        assert_harmless(&page);
        // Both the guest's and the model's.
        assert!(page.matches("&lt;script&gt;alert").count() >= 2, "{page}");
    }
    // The title of the list too, on every other page.
    assert_harmless(&guest.get("/").await.expect(200).text);
}

#[tokio::test]
async fn hostile_arguments_are_shown_as_text_in_the_form_and_on_the_receipt() {
    let booking = json!({
        "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0), "note": HOSTILE
    });
    let model = ScriptedModel::start([Turn::call("createBooking", booking)]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    assert!(page.contains("data-state=\"approval-requested\""), "{page}");
    assert_no_markup(&page);

    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    assert!(page.contains("data-receipt"), "{page}");
    assert_harmless(&page);
}

#[tokio::test]
async fn unfinished_and_broken_arguments_and_invented_tools_are_shown_as_text() {
    let arguments = json!({ "city": HOSTILE }).to_string();
    let broken = format!("{{\"city\": {}", json!(HOSTILE));
    let model = ScriptedModel::start([Turn::call("getWeather", json!({ "city": HOSTILE }))
        .and_call_text("getWeather", &broken)
        .and_call_text("findTables", &arguments)
        .and_call("rm-rf", json!({ "path": HOSTILE }))])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Xin chào").await;
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    assert_no_markup(&page);
    assert_eq!(page.matches("data-tool-call=").count(), 4, "{page}");
}

#[tokio::test]
async fn a_hostile_query_is_not_written_into_the_page() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    for path in [
        "/?persona=%3Cscript%3Ealert(1)%3C/script%3E",
        "/?lang=%22%3E%3Cscript%3Ealert(1)",
        "/%3Cscript%3Ealert(1)",
    ] {
        let page = guest.get(path).await.text;
        assert!(!page.contains("<script>alert"), "{page}");
    }
}
