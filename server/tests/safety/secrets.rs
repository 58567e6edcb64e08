//! No secret in a log, an event or a page.

use serde_json::json;

use crate::support::{Guest, ScriptedModel, Server, Turn, markup};

const KEY: &str = "sk-ant-very-secret-0123456789";

#[tokio::test]
async fn neither_the_key_nor_a_session_is_in_logs_events_or_pages() {
    let model = ScriptedModel::start([
        Turn::call("getWeather", json!({ "city": "Huế" })),
        Turn::text("It rains."),
        Turn::text("I was ab").cut(),
    ])
    .await;
    let mut settings = model.settings();
    settings.retain(|(name, _)| *name != "ANTHROPIC_API_KEY");
    settings.extend([("ANTHROPIC_API_KEY", KEY), ("RUST_LOG", "debug")]);
    let server = Server::start_logged(&settings);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Weather in Huế?").await;
    let broken = guest.say(&conversation, "And now?").await;
    assert_eq!(broken["run"]["status"], "interrupted");
    guest.get("/api/conversations/none").await.expect(404);
    guest.post("/api/conversations", json!({ "persona": 1 })).await.expect(422);

    let token = guest.cookie().split_once('=').unwrap().1.to_owned();
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    let events = server.database().await.texts("SELECT body FROM events").await.join("\n");
    let messages = server.database().await.texts("SELECT body FROM model_messages").await.join("\n");
    let log = server.log();
    // The log has something to say at all, debug lines too.
    assert!(log.contains("DEBUG") && log.contains("request"), "{log}");
    for (place, text) in [("log", &log), ("page", &page), ("events", &events), ("history", &messages)] {
        assert!(!text.contains(KEY), "the key is in the {place}");
        assert!(!text.contains(&token), "the session's token is in the {place}");
    }
}

#[tokio::test]
async fn what_the_model_thinks_is_shown_apart_and_is_in_no_log() {
    const THOUGHT: &str = "Perhaps the guest means tomorrow.";
    let thinking = |turn: Turn| turn.thinking(THOUGHT).paced(std::time::Duration::from_millis(20));
    let model = ScriptedModel::start([
        thinking(Turn::call("getWeather", json!({ "city": "Huế" }))),
        thinking(Turn::text("It rains.")).cut_once(),
        thinking(Turn::text("It rains.")),
    ])
    .await;
    let server = Server::start_logged(&[&model.settings()[..], &[("RUST_LOG", "debug")]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Weather in Huế?").await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let log = server.log();
    assert!(log.contains("DEBUG") && log.contains("the stream was cut"), "{log}");
    assert!(!log.contains("Perhaps") && !log.contains("tomorrow."), "{log}");

    let parts = view["messages"][1]["parts"].as_array().unwrap();
    let shown: Vec<(&str, Option<&str>)> =
        parts.iter().map(|part| (part["type"].as_str().unwrap(), part["text"].as_str())).collect();
    assert_eq!(
        shown,
        [
            ("reasoning", Some(THOUGHT)),
            ("tool-getWeather", None),
            ("reasoning", Some(THOUGHT)),
            ("text", Some("It rains."))
        ]
    );
    // Closed until somebody opens it.
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    let markup = markup(&page);
    let reasoning: Vec<&str> = markup.split("<details").skip(1).collect();
    let thoughts =
        reasoning.iter().filter(|details| details.split("</details>").next().unwrap().contains(THOUGHT));
    assert_eq!(thoughts.count(), 2, "{markup}");
    assert_eq!(markup.matches(THOUGHT).count(), 2, "{markup}");
    assert!(reasoning.iter().all(|details| !details.split('>').next().unwrap().contains("open")), "{markup}");
}

#[tokio::test]
async fn what_a_provider_says_of_a_refused_key_reaches_no_guest() {
    let server = Server::start(&[
        ("TRUTHTABLE_MODEL", "anthropic"),
        ("TRUTHTABLE_MODEL_NAME", "nothing"),
        // Nobody listens there.
        ("TRUTHTABLE_MODEL_URL", "http://127.0.0.1:9"),
        ("ANTHROPIC_API_KEY", KEY),
    ]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Hello").await;
    assert_eq!(view["run"]["status"], "failed");
    let events = server.database().await.texts("SELECT body FROM events").await.join("\n");
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    for text in [view.to_string(), events, page] {
        assert!(!text.contains(KEY) && !text.contains("127.0.0.1:9"), "{text}");
    }
}
