//! What the personas' tests ask the record and the book.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shared::message::Role;
use shared::outcome::TurnOutcome;
use shared::reduce::Conversation;

use crate::support::{Guest, Server, json_of, tool_parts};

pub const WISH: &str = "Đặt bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai";
pub const ENGLISH_WISH: &str = "Book a table in Da Lat for 4 people tomorrow at 7 pm";

/// How the last turn stands, as its last line tells it.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pub open: usize,
    pub waiting: usize,
    pub done: usize,
    pub not_done: usize,
    pub unknown: usize,
    pub repeats: usize,
    pub nothing_happened: bool,
}

pub fn outcome(view: &Value) -> Outcome {
    let conversation: Conversation = serde_json::from_value(view.clone()).unwrap();
    let last = conversation.messages.iter().rfind(|message| message.role == Role::Assistant).unwrap();
    let turn = TurnOutcome::of(last);
    Outcome {
        open: turn.open.len(),
        waiting: turn.waiting.len(),
        done: turn.done.len(),
        not_done: turn.not_done.len(),
        unknown: turn.unknown.len(),
        repeats: turn.repeats.len(),
        nothing_happened: turn.nothing_happened(),
    }
}

pub const NOTHING: Outcome =
    Outcome { open: 0, waiting: 0, done: 0, not_done: 0, unknown: 0, repeats: 0, nothing_happened: true };
pub const WAITING: Outcome = Outcome { waiting: 1, ..NOTHING };
pub const BOOKED: Outcome = Outcome { done: 1, nothing_happened: false, ..NOTHING };
pub const NOT_DONE: Outcome = Outcome { not_done: 1, ..NOTHING };

pub fn status(view: &Value) -> &str {
    view["run"]["status"].as_str().unwrap()
}

/// The booking calls' states, in order.
pub fn booking_states(view: &Value) -> Vec<&str> {
    let bookings = tool_parts(view).filter(|part| part["type"] == "tool-createBooking");
    bookings.map(|part| part["state"].as_str().unwrap()).collect()
}

/// All tools and their states, in order.
pub fn record(view: &Value) -> Vec<(&str, &str)> {
    tool_parts(view).map(|part| (part["type"].as_str().unwrap(), part["state"].as_str().unwrap())).collect()
}

/// The text of the last step.
pub fn last_words(view: &Value) -> String {
    let message = view["messages"].as_array().unwrap().last().unwrap().clone();
    let start = view["run"]["stepStart"].as_u64().unwrap() as usize;
    let parts = message["parts"].as_array().unwrap()[start..].iter();
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

pub fn claims_success(text: &str) -> bool {
    text.contains("Đặt xong rồi")
}

/// Every receipt has its booking, every booking its receipt; the guest's own, in all conversations.
pub async fn assert_true_to_the_book(server: &Server, guest: &Guest) {
    let list = guest.get("/api/conversations").await.expect(200).body;
    let mut receipts = BTreeSet::new();
    for one in list["conversations"].as_array().unwrap() {
        let view = guest.view(one["conversationId"].as_str().unwrap()).await;
        for part in tool_parts(&view) {
            if part["type"] == "tool-createBooking" && part["state"] == "output-available" {
                let output = &part["output"];
                receipts.insert((
                    part["toolCallId"].as_str().unwrap().to_owned(),
                    output["reference"].as_str().unwrap().to_owned(),
                    output["status"].as_str().unwrap().to_owned(),
                    output["partySize"].as_i64().unwrap(),
                ));
            }
        }
    }
    let book = server.database().await.bookings().await;
    let booked: BTreeSet<_> = book
        .iter()
        .map(|booking| {
            (
                booking.tool_call_id.clone(),
                booking.reference.clone(),
                booking.status.clone(),
                booking.party_size,
            )
        })
        .collect();
    assert_eq!(receipts, booked);
}

pub async fn decide(guest: &Guest, conversation: &str, approved: bool) -> Value {
    let (call, approval) = guest.waiting_call(conversation, 0).await;
    guest
        .decide(conversation, &call, json!({ "approved": approved, "approvalId": approval }))
        .await
        .expect(200);
    guest.settled(conversation).await
}

/// A new guest of a persona, who has wished for a table.
pub async fn wished(server: &Server, persona: &str, wish: &str) -> (Guest, String) {
    let (guest, conversation) = Guest::with_conversation(server, persona).await;
    guest.say(&conversation, wish).await;
    (guest, conversation)
}

/// What the calls of a tool were called with, as the model wrote it, in order.
pub async fn arguments(server: &Server, tool: &str) -> Vec<String> {
    let sql =
        format!("SELECT arguments FROM tool_calls WHERE name = '{tool}' ORDER BY created_at, step, position");
    server.database().await.texts_owned(sql).await
}

/// What the model heard of the calls of a tool, in order.
pub async fn heard(server: &Server, tool: &str) -> Vec<String> {
    let sql = format!(
        "SELECT result_content FROM tool_calls WHERE name = '{tool}' ORDER BY created_at, step, position"
    );
    server.database().await.texts_owned(sql).await
}

/// Nobody was asked and nothing was booked.
pub async fn assert_untouched(server: &Server) {
    let database = server.database().await;
    assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 0);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, 0);
    assert_eq!(database.bookings().await, []);
}

/// All events so far, as JSON.
pub async fn events(guest: &Guest, conversation: &str) -> Vec<Value> {
    let last = guest.view(conversation).await["lastEventId"].as_u64().unwrap();
    let seen = std::cell::Cell::new(0);
    let all = guest.events_until(conversation, 0, |_| {
        seen.set(seen.get() + 1);
        seen.get() == last
    });
    all.await.iter().map(|(_, event)| json_of(event)).collect()
}

/// The run has ended like this for everybody: who reads along sees what a reload shows, nothing moves any
/// more, the book agrees. And a further message is answered: the demo model refuses a history that the real API
/// would refuse. Gives what was shown before that message.
pub async fn assert_ended(server: &Server, guest: &Guest, conversation: &str, ended_as: &str) -> Value {
    let view = guest.view(conversation).await;
    assert_eq!(status(&view), ended_as, "{view:#}");
    assert_eq!(serde_json::to_value(guest.folded(conversation).await).unwrap(), view);
    let events = events(guest, conversation).await;
    let last = events.last().unwrap();
    assert_eq!(last["type"], "run-finished");
    assert_eq!((&last["runId"], &last["status"]), (&view["run"]["runId"], &json!(ended_as)));
    for part in tool_parts(&view) {
        let moving = ["input-streaming", "input-available", "approval-requested", "approval-responded"];
        assert!(!moving.contains(&part["state"].as_str().unwrap()), "a part still moves: {part:#}");
    }
    assert_true_to_the_book(server, guest).await;

    let after = guest.say(conversation, "Xin chào").await;
    assert_eq!(status(&after), "done", "{after:#}");
    assert!(last_words(&after).starts_with("Xin chào!"), "{after:#}");
    view
}
