//! A server of ours, a guest, and llmock as the provider.

use serde_json::{Value, json};
use shared::event::AgentEvent;

use super::mock::{Mock, Served};
use super::protocol::Protocol;
use crate::support::{Booking, Guest, Relay, Server, json_of, tool_parts};

pub struct Scene {
    pub protocol: Protocol,
    pub mock: Mock,
    pub server: Server,
    pub guest: Guest,
    pub conversation: String,
    _relay: Relay,
}

impl Scene {
    /// `story` tells its model's name from all others'.
    pub async fn new(protocol: Protocol, story: &str) -> Self {
        Self::with_settings(protocol, story, &[]).await
    }

    pub async fn with_settings(protocol: Protocol, story: &str, settings: &[(&str, &str)]) -> Self {
        let model = format!("{story}-{}", protocol.name());
        let mock = Mock::of_model(&model);
        let relay = Relay::before(mock.url());
        let base_url = format!("{}{}", relay.serving.url, protocol.base());
        let provider = [
            ("TRUTHTABLE_MODEL", protocol.name()),
            ("TRUTHTABLE_MODEL_URL", &base_url),
            ("TRUTHTABLE_MODEL_NAME", &model),
            (protocol.key(), "sk-test-key"),
        ];
        let server = Server::start(&[&provider, settings].concat());
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        Self { protocol, mock, server, guest, conversation, _relay: relay }
    }

    /// Sends a message and waits until its run has parked or ended.
    pub async fn say(&self, text: &str) -> Value {
        self.guest.say(&self.conversation, text).await
    }

    /// Lets the last message be answered anew.
    pub async fn retry(&self) -> Value {
        let path = format!("/api/conversations/{}/retry", self.conversation);
        self.guest.post(&path, json!({})).await.expect(202);
        self.guest.settled(&self.conversation).await
    }

    /// Another guest comes: one alone may not ask so often.
    pub async fn welcome_another(&mut self) {
        (self.guest, self.conversation) = Guest::with_conversation(&self.server, "").await;
    }

    /// The events of the conversation so far, as JSON.
    pub async fn events(&self) -> Vec<Value> {
        let last = self.guest.view(&self.conversation).await["lastEventId"].as_u64().unwrap();
        let seen = std::cell::Cell::new(0);
        let events = self.guest.events_until(&self.conversation, 0, |_: &AgentEvent| {
            seen.set(seen.get() + 1);
            seen.get() == last
        });
        events.await.iter().map(|(_, event)| json_of(event)).collect()
    }

    /// How often the model was asked, what it answered to each, and that llmock has nothing against it.
    pub async fn assert_served(&self, wanted: &[u64]) -> Vec<Served> {
        let served = self.mock.served().await;
        let statuses: Vec<u64> = served.iter().map(|request| request.status).collect();
        assert_eq!(statuses, wanted, "{:?}: {served:?}", self.protocol);
        served
    }

    pub async fn assert_no_findings(&self) {
        assert_eq!(self.mock.findings().await, Vec::<String>::new(), "{:?}", self.protocol);
    }

    /// The run has ended like this: in the view and as its last event; no part moves, and none is done.
    pub async fn assert_nothing_ran(&self, view: &Value, status: &str) {
        assert_eq!(view["run"]["status"], status, "{:?}: {view:#}", self.protocol);
        let events = self.events().await;
        let last = events.last().unwrap();
        assert_eq!((&last["type"], &last["status"]), (&json!("run-finished"), &json!(status)));
        for part in tool_parts(view) {
            assert_eq!(part["state"], "output-cancelled", "{part:#}");
        }
        self.assert_nothing_has_run().await;
    }

    /// Nothing in this conversation has got further than its arguments' first letters.
    pub async fn assert_nothing_has_run(&self) {
        let ran = ["tool-input-available", "tool-approval-requested", "tool-output-available"];
        let events = self.events().await;
        let has_run = events.iter().find(|event| ran.iter().any(|kind| event["type"] == *kind));
        assert_eq!(has_run, None, "{:?}", self.protocol);
        assert_eq!(self.server.database().await.bookings().await, Vec::<Booking>::new());
    }
}

/// The run has ended with this answer.
pub fn assert_answered(view: &Value, answer: &str) {
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let parts = view["messages"].as_array().unwrap().last().unwrap()["parts"].as_array().unwrap();
    assert_eq!(parts.last().unwrap()["text"], answer, "{view:#}");
}

pub fn reply(text: &str) -> Value {
    json!({ "type": "reply", "text": text })
}

/// The model says something, and calls these tools.
pub fn calls(calls: &[(&str, Value)]) -> Value {
    let calls: Vec<Value> =
        calls.iter().map(|(name, arguments)| json!({ "name": name, "arguments": arguments })).collect();
    json!({ "type": "reply", "text": "Let me see.", "tool_calls": calls })
}

pub fn stream_fault(kind: &str, after_chunks: u32) -> Value {
    json!({ "type": "stream_fault", "kind": kind, "after_chunks": after_chunks })
}
