//! Conversations: made, listed, shown.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Server, Turn, local_time};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// Where a `null` stands; writers leave out what is absent.
fn nulls(value: &Value, path: &str) -> Vec<String> {
    match value {
        Value::Null => vec![path.to_owned()],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(at, item)| nulls(item, &format!("{path}/{at}"))).collect()
        }
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, item)| nulls(item, &format!("{path}/{name}"))).collect()
        }
        Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

#[tokio::test]
async fn a_new_conversation_is_answered_with_201_and_its_id_alone() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let answer = guest.post("/api/conversations", json!({})).await.expect(200);
    assert_eq!(keys(&answer.body), ["conversationId"]);
    assert!(answer.headers["content-type"].to_str().unwrap().starts_with("application/json"));
    // No body is the same as one without fields.
    guest.raw(Method::POST, "/api/conversations", None, &[]).await.expect(200);
}

#[tokio::test]
async fn a_conversation_before_its_first_message_has_no_run_and_event_0() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    assert_eq!(guest.view(&conversation).await, json!({ "messages": [], "lastEventId": 0 }));
}

#[tokio::test]
async fn a_conversation_shows_its_folded_parts_its_run_and_the_last_event() {
    let model = ScriptedModel::start([
        Turn::call("getWeather", json!({ "city": "Đà Lạt" })).saying("Let me look."),
        Turn::text("It is cool."),
    ])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let run_id = guest.send(&conversation, "Weather in Đà Lạt?").await;
    let view = guest.settled(&conversation).await;

    assert_eq!(keys(&view), ["lastEventId", "messages", "run"]);
    let [user, assistant] = view["messages"].as_array().unwrap().as_slice() else { panic!("{view:#}") };
    assert_eq!(keys(user), ["id", "parts", "role"]);
    assert_eq!(user["role"], "user");
    assert_eq!(user["parts"], json!([{ "type": "text", "text": "Weather in Đà Lạt?" }]));
    assert_eq!(assistant["role"], "assistant");
    let [said, tool, answered] = assistant["parts"].as_array().unwrap().as_slice() else {
        panic!("{view:#}")
    };
    assert_eq!(*said, json!({ "type": "text", "text": "Let me look." }));
    assert_eq!(*answered, json!({ "type": "text", "text": "It is cool." }));
    assert_eq!(keys(tool), ["input", "output", "state", "toolCallId", "type"]);
    assert_eq!(tool["type"], "tool-getWeather");
    assert_eq!(tool["state"], "output-available");
    assert_eq!(tool["input"], json!({ "city": "Đà Lạt", "days": 1 }));
    assert_eq!(tool["output"]["source"], "sample");

    let expected = json!({
        "runId": run_id, "status": "done", "step": 2, "messageId": assistant["id"], "stepStart": 2,
        "textOpen": false,
    });
    assert_eq!(view["run"], expected);
    let database = server.database().await;
    assert_eq!(view["lastEventId"], database.number("SELECT MAX(seq) FROM events").await);
}

#[tokio::test]
async fn while_the_model_writes_the_run_is_in_step_1_and_the_text_is_open() {
    let model = ScriptedModel::start([Turn::text("One moment please").then_silent()]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let run_id = guest.send(&conversation, "Hello").await;
    let view = guest.until(&conversation, |view| view["run"]["textOpen"] == true).await;
    let assistant = &view["messages"][1];
    let expected = json!({
        "runId": run_id, "status": "running", "step": 1, "messageId": assistant["id"], "stepStart": 0,
        "textOpen": true,
    });
    assert_eq!(view["run"], expected);
    assert_eq!(assistant["parts"][0]["type"], "text");
}

#[tokio::test]
async fn a_waiting_form_is_shown_with_its_question_and_preview() {
    let model = ScriptedModel::start([Turn::call("createBooking", booking("dl-may-nui", 4))]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let part = &view["messages"][1]["parts"][0];
    assert_eq!(keys(part), ["approval", "input", "state", "toolCallId", "type"]);
    assert_eq!(keys(&part["approval"]), ["approvalId", "expiresAt", "preview"]);
    let preview = &part["approval"]["preview"];
    assert_eq!(preview["restaurantName"], "Mây Núi");
    assert_eq!(preview["startsAt"], local_time(3, 19, 0));
    assert_eq!(preview["status"], "confirmed");
    assert_eq!(preview["seatsFree"], 40);
    // UTC, where it is not a restaurant's time.
    assert!(part["approval"]["expiresAt"].as_str().unwrap().ends_with('Z'), "{part}");
}

fn booking(restaurant: &str, party_size: u32) -> Value {
    json!({ "restaurantId": restaurant, "partySize": party_size, "startsAt": local_time(3, 19, 0) })
}

#[tokio::test]
async fn nothing_that_is_answered_or_streamed_is_null() {
    let model = ScriptedModel::start([
        Turn::call("getWeather", json!({ "city": "Huế" })).and_call_text("createBooking", "{\"broken"),
        Turn::call("createBooking", booking("dl-may-nui", 2)),
        Turn::text("Done."),
    ])
    .await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let waiting = guest.say(&conversation, "Weather, and a table").await;
    assert_eq!(nulls(&waiting, ""), Vec::<String>::new());
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    let decided =
        guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await;
    assert_eq!(nulls(&decided.expect(200).body, ""), Vec::<String>::new());
    let ended = guest.settled(&conversation).await;
    assert_eq!(ended["run"]["status"], "done");
    assert_eq!(nulls(&ended, ""), Vec::<String>::new());
    for path in ["/api/conversations", "/api/tools"] {
        assert_eq!(nulls(&guest.get(path).await.expect(200).body, path), Vec::<String>::new());
    }
    let events = server.database().await.texts("SELECT body FROM events ORDER BY seq").await;
    assert!(events.len() > 10);
    for event in events {
        let parsed: Value = serde_json::from_str(&event).unwrap();
        assert_eq!(nulls(&parsed, ""), Vec::<String>::new(), "{event}");
    }
}

#[tokio::test]
async fn own_conversations_are_listed_the_one_that_moved_last_first() {
    let server = Server::start(&[]);
    let mut guest = Guest::new(&server);
    let first = guest.converse(json!({})).await;
    guest.say(&first, "Thời tiết Đà Lạt hôm nay").await;
    let second = guest.converse(json!({})).await;
    guest.say(&second, "Thời tiết Huế hôm nay").await;
    let order = async |guest: &Guest| -> Vec<String> {
        let list = guest.get("/api/conversations").await.expect(200).body;
        let ids = list["conversations"].as_array().unwrap().iter();
        ids.map(|one| one["conversationId"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(order(&guest).await, [second.clone(), first.clone()]);
    guest.say(&first, "Còn Đà Nẵng?").await;
    assert_eq!(order(&guest).await, [first, second]);
}

#[tokio::test]
async fn the_list_gives_a_title_the_time_and_how_many_forms_wait() {
    let two_forms = Turn::call("createBooking", booking("dl-may-nui", 2))
        .and_call("createBooking", booking("dl-bep-suong", 2));
    let model = ScriptedModel::start([two_forms, Turn::text("Done.")]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let entry = async || {
        let list = guest.get("/api/conversations").await.expect(200).body;
        assert_eq!(keys(&list), ["conversations"]);
        list["conversations"].as_array().unwrap().last().unwrap().clone()
    };
    guest.say(&conversation, "Two tables\n for   tomorrow").await;
    let waiting = entry().await;
    assert_eq!(keys(&waiting), ["conversationId", "title", "updatedAt", "waiting"]);
    assert_eq!(waiting["title"], "Two tables for tomorrow");
    assert_eq!(waiting["waiting"], 2);
    let updated_at = waiting["updatedAt"].as_str().unwrap();
    assert!(
        updated_at.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(updated_at).is_ok(),
        "{updated_at}"
    );

    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest
        .decide(&conversation, &call, json!({ "approved": false, "approvalId": approval }))
        .await
        .expect(200);
    assert_eq!(entry().await["waiting"], 1);
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    assert_eq!(entry().await["waiting"], 0);
}

#[tokio::test]
async fn a_long_first_message_gives_its_beginning_as_the_title() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let text = "ốm ".repeat(500);
    guest.say(&conversation, &text).await;
    let list = guest.get("/api/conversations").await.expect(200).body;
    let title = list["conversations"][0]["title"].as_str().unwrap();
    assert!(title.chars().count() <= 61, "{title}");
    assert!(text.starts_with(title.trim_end_matches('…').trim_end()), "{title}");
}

#[tokio::test]
async fn without_a_session_the_list_is_empty_and_no_conversation_is_found() {
    let server = Server::start(&[]);
    let (_, conversation) = Guest::with_conversation(&server, "").await;
    let stranger = Guest::new(&server);
    assert_eq!(stranger.get("/api/conversations").await.expect(200).body, json!({ "conversations": [] }));
    stranger.get(&format!("/api/conversations/{conversation}")).await.expect_problem(404, "not-found");
}

#[tokio::test]
async fn a_persona_is_taken_from_the_demo_model_only() {
    let server = Server::start(&[]);
    let mut guest = Guest::new(&server);
    for persona in ["helpful", "liar", "silent-liar", "sloppy", "cut"] {
        guest.converse(json!({ "persona": persona })).await;
    }
    let named =
        server.database().await.texts("SELECT model_name FROM conversations ORDER BY created_at, id").await;
    assert_eq!(named, ["demo/helpful", "demo/liar", "demo/silent-liar", "demo/sloppy", "demo/cut"]);
    let problem = guest
        .post("/api/conversations", json!({ "persona": "saint" }))
        .await
        .expect_problem(422, "invalid-persona");
    assert_eq!(problem["errors"][0]["path"], "/persona");
    assert!(problem["errors"][0]["message"].as_str().unwrap().contains("silent-liar"), "{problem}");

    let model = ScriptedModel::start([]).await;
    let with_provider = Server::start(&model.settings());
    let guest = Guest::new(&with_provider);
    let problem = guest
        .post("/api/conversations", json!({ "persona": "liar" }))
        .await
        .expect_problem(422, "invalid-persona");
    assert_eq!(problem["errors"][0]["path"], "/persona");
}
