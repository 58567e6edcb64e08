//! What the personas' tests ask the record and the book.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use shared::message::Role;
use shared::outcome::TurnOutcome;
use shared::reduce::Conversation;

use crate::support::{Guest, Server, json_of, tool_parts};

pub const WISH: &str = "Đặt bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai";

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
