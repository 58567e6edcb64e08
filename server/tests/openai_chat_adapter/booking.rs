//! The whole product with a model behind Chat Completions.

use serde_json::{Value, json};

use super::provider::{self, Reply, stream};
use crate::support::{Guest, Server, assistant_text, booking, evening, tool_parts};

struct Table {
    provider: provider::Provider,
    server: Server,
    guest: Guest,
    conversation: String,
}

impl Table {
    async fn with(replies: Vec<Reply>) -> Self {
        let provider = provider::Provider::replying(replies).await;
        let server = Server::start(&[
            ("TRUTHTABLE_MODEL", "openai-chat"),
            ("TRUTHTABLE_MODEL_URL", &provider.base_url),
            ("TRUTHTABLE_MODEL_NAME", "some-model"),
        ]);
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        Self { provider, server, guest, conversation }
    }

    async fn say(&self, text: &str) -> Value {
        self.guest.say(&self.conversation, text).await
    }
}

fn call(id: &str, name: &str, arguments: &Value) -> Reply {
    let text = arguments.to_string();
    let (head, tail) = text.split_at(text.len() / 2);
    let deltas = [
        json!({ "role": "assistant", "content": null, "reasoning_content": "Một bàn." }),
        json!({ "tool_calls": [{ "index": 0, "id": id, "function": { "name": name, "arguments": "" } }] }),
        json!({ "tool_calls": [{ "index": 0, "function": { "arguments": head } }] }),
        json!({ "tool_calls": [{ "index": 0, "function": { "arguments": tail } }] }),
    ];
    Reply::stream(stream(&deltas, "tool_calls"))
}

fn answer(text: &str) -> Reply {
    Reply::stream(stream(&[json!({ "content": text })], "stop"))
}

#[tokio::test]
async fn a_table_is_booked_and_the_provider_gets_back_what_it_sent_and_the_result() {
    let wanted = booking("dl-may-nui", 2, &evening(3));
    let replies = vec![
        call("call_weather", "getWeather", &json!({ "city": "Huế" })),
        call("call_book", "createBooking", &wanted),
        answer("Xong."),
    ];
    let table = Table::with(replies).await;
    let parked = table.say("Đặt bàn giúp tôi").await;
    assert_eq!(parked["run"]["status"], "awaiting-approval", "{parked:#}");
    assert_eq!(table.server.database().await.bookings().await, []);

    let (tool_call, approval) = table.guest.waiting_call(&table.conversation, 0).await;
    let decision = json!({ "approved": true, "approvalId": approval });
    table.guest.decide(&table.conversation, &tool_call, decision).await.expect(200);
    let view = table.guest.settled(&table.conversation).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    assert_eq!(assistant_text(&view), "Xong.");
    let part = tool_parts(&view).last().expect("a part");
    assert_eq!(
        (&part["state"], &part["output"]["status"]),
        (&json!("output-available"), &json!("confirmed"))
    );
    assert_eq!(table.server.database().await.bookings().await.len(), 1);

    let asked = table.provider.asked();
    assert_eq!(asked.len(), 3);
    assert!(!asked[0].headers.contains_key("authorization"));
    let messages = asked[2].body["messages"].as_array().expect("messages");
    let roles: Vec<&Value> = messages.iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "tool"]);
    assert_eq!(messages[4]["reasoning_content"], "Một bàn.");
    assert_eq!(messages[4]["content"], Value::Null);
    assert_eq!(messages[4]["tool_calls"][0]["id"], "call_book");
    assert_eq!(messages[5]["tool_call_id"], "call_book");
    assert!(messages[5]["content"].as_str().expect("a text").contains("confirmed"));
    // What was sent before was sent again, byte by byte.
    for pair in asked.windows(2) {
        assert!(pair[1].raw.starts_with(pair[0].raw.trim_end_matches(['}', ']', '"'])));
    }
}

#[tokio::test]
async fn a_booking_that_the_model_only_wrote_down_is_shown_as_a_failure_and_nothing_is_booked() {
    let written = json!({ "name": "createBooking", "arguments": booking("dl-may-nui", 2, &evening(3)) });
    for text in [written.to_string(), format!("<tool_call>{written}</tool_call>")] {
        let table = Table::with(vec![answer(&text), answer("Tôi đây.")]).await;
        let view = table.say("Đặt bàn giúp tôi").await;
        assert_eq!(view["run"]["status"], "failed", "{view:#}");
        assert_eq!(tool_parts(&view).count(), 0);
        assert!(!view.to_string().contains("createBooking"), "{view:#}");
        let database = table.server.database().await;
        assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 0);
        assert_eq!(database.bookings().await, []);
        // The conversation goes on, and the text is no part of it.
        assert_eq!(table.say("Bạn còn đó không?").await["run"]["status"], "done");
        assert!(!table.provider.asked()[1].raw.contains("\\\"createBooking\\\""));
    }
}

#[tokio::test]
async fn a_call_that_is_cut_ends_the_run_as_interrupted_and_nothing_is_asked() {
    let whole = call("call_book", "createBooking", &booking("dl-may-nui", 2, &evening(3)));
    let mut body = whole.chunks.concat();
    let end = body.len() - "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\",\"index\":0}]}\n\ndata: [DONE]\n\n".len();
    body.truncate(end);
    // It is asked for once more, and breaks again.
    let table = Table::with(vec![Reply::stream(body.clone()), Reply::stream(body), answer("Tôi đây.")]).await;
    let view = table.say("Đặt bàn giúp tôi").await;
    assert_eq!(view["run"]["status"], "interrupted", "{view:#}");
    let part = tool_parts(&view).next().expect("a part");
    assert_eq!((&part["state"], &part["reason"]), (&json!("output-cancelled"), &json!("interrupted")));
    assert_eq!(table.server.database().await.number("SELECT COUNT(*) FROM approvals").await, 0);
}
