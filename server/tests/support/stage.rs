use serde_json::{Value, json};
use shared::event::AgentEvent;
use shared::reduce::Conversation;

use super::{
    Answer, Guest, ScriptedModel, Server, Turn, assert_only_grows, assert_valid_request, local_time, markup,
    tool_parts,
};

/// A server whose model says what the test tells it to, and a guest with one conversation.
pub struct Stage {
    pub model: ScriptedModel,
    pub server: Server,
    pub guest: Guest,
    pub conversation: String,
}

/// States that no part may be in when its run has ended.
const MOVING: [&str; 4] = ["input-streaming", "input-available", "approval-requested", "approval-responded"];

/// Words that nobody outside the house shall read.
const INTERNAL: [&str; 12] = [
    "sqlx",
    "sqlite",
    "SELECT ",
    "INSERT ",
    "no such table",
    "database",
    ".rs:",
    "panicked",
    "unwrap",
    "serde",
    "ToolFailure",
    "Error(",
];

impl Stage {
    pub async fn with(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::with_settings(&[], turns).await
    }

    pub async fn with_settings(settings: &[(&str, &str)], turns: impl IntoIterator<Item = Turn>) -> Self {
        let model = ScriptedModel::start(turns).await;
        let server = Server::start(&[&model.settings(), settings].concat());
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        Self { model, server, guest, conversation }
    }

    /// Sends a message and waits until its run has parked or ended.
    pub async fn say(&self, text: &str) -> Value {
        self.guest.say(&self.conversation, text).await
    }

    pub async fn view(&self) -> Value {
        self.guest.view(&self.conversation).await
    }

    pub async fn settled(&self) -> Value {
        self.guest.settled(&self.conversation).await
    }

    pub async fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.guest.until(&self.conversation, wanted).await
    }

    pub async fn decide(&self, call: &str, body: Value) -> Answer {
        self.guest.decide(&self.conversation, call, body).await
    }

    /// Decides the first form that waits, and waits until the run has parked again or ended.
    pub async fn answer_form(&self, mut body: Value) -> Value {
        let (call, approval) = self.guest.waiting_call(&self.conversation, 0).await;
        body["approvalId"] = json!(approval);
        self.decide(&call, body).await.expect(200);
        self.settled().await
    }

    pub async fn stop(&self) -> Value {
        self.guest.post(&self.path("/stop"), json!({})).await.expect(200).body
    }

    pub async fn retry(&self) -> Answer {
        self.guest.post(&self.path("/retry"), json!({})).await
    }

    /// The conversation's page, as a browser of this language gets it, without its scripts.
    pub async fn page(&self, language: &str) -> String {
        let path = format!("/c/{}", self.conversation);
        let headers = [("accept-language", language), ("accept", "text/html")];
        markup(&self.guest.request(reqwest::Method::GET, &path, None, &headers).await.expect(200).text)
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/conversations/{}{rest}", self.conversation)
    }

    /// What the model was sent for this conversation, which is known by its first words.
    pub async fn requests(&self) -> Vec<Value> {
        let view = self.view().await;
        let words = view["messages"][0]["parts"][0]["text"].clone();
        let begins_so = |request: &Value| {
            request["messages"][0]["content"].as_array().unwrap().iter().any(|block| block["text"] == words)
        };
        self.model.requests().into_iter().filter(begins_so).collect()
    }

    /// Another conversation of the same guest.
    pub async fn converse(&mut self) {
        self.conversation = self.guest.converse(json!({})).await;
    }

    /// The one tool part that there is.
    pub async fn only_part(&self) -> Value {
        let view = self.view().await;
        let parts: Vec<&Value> = tool_parts(&view).collect();
        assert_eq!(parts.len(), 1, "{view:#}");
        parts[0].clone()
    }

    /// All events so far, with their ids.
    pub async fn events(&self) -> Vec<(u64, AgentEvent)> {
        let last = self.view().await["lastEventId"].as_u64().unwrap();
        if last == 0 {
            return Vec::new();
        }
        let seen = std::cell::Cell::new(0);
        let all = self.guest.events_until(&self.conversation, 0, |_| {
            seen.set(seen.get() + 1);
            seen.get() == last
        });
        let all = all.await;
        let ids: Vec<u64> = all.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, (1..=last).collect::<Vec<_>>(), "ids are not one after the other");
        all
    }

    /// The last `run-finished`.
    pub async fn run_finished(&self) -> Value {
        let events = self.events().await;
        let finished = events.iter().rev().map(|(_, event)| json_of(event));
        finished.into_iter().find(|event| event["type"] == "run-finished").expect("a run that has finished")
    }

    /// What is true of every settled conversation: the events fold to what is shown, from the start
    /// and from any cut; what the model was sent is valid and only grew; nothing internal is anywhere.
    pub async fn assert_sound(&self) -> Value {
        let view = self.view().await;
        let events = self.events().await;
        let folded = fold(Conversation::default(), &events);
        assert_eq!(serde_json::to_value(&folded).unwrap(), view, "the events tell something else");
        let cut = events.len() / 2;
        let half = fold(Conversation::default(), &events[..cut]);
        let half: Conversation = serde_json::from_value(serde_json::to_value(half).unwrap()).unwrap();
        assert_eq!(fold(half, &events[cut..]), folded, "folding on from event {cut} gives something else");

        let requests = self.requests().await;
        requests.iter().for_each(assert_valid_request);
        assert_only_grows(&requests);
        let told = requests.iter().map(|request| request["messages"].to_string());
        let shown = events.iter().map(|(_, event)| json_of(event).to_string());
        told.chain(shown).chain([view.to_string()]).for_each(|text| assert_nothing_internal(&text));
        view
    }

    /// The run has ended like this, everywhere; nothing moves any more; and a further message is
    /// answered, by a model that is sent a valid history.
    pub async fn assert_ended(&self, status: &str) -> Value {
        let view = self.assert_sound().await;
        assert_eq!(view["run"]["status"], status, "{view:#}");
        let finished = self.run_finished().await;
        assert_eq!((&finished["runId"], &finished["status"]), (&view["run"]["runId"], &json!(status)));
        for part in tool_parts(&view) {
            let state = part["state"].as_str().unwrap();
            assert!(!MOVING.contains(&state), "a part still moves: {part:#}");
        }

        let before = self.model.requests().len();
        self.model.then([Turn::text("Here I am again.")]);
        let after = self.say("Are you still there?").await;
        assert_eq!(after["run"]["status"], "done", "{after:#}");
        assert_eq!(self.model.requests().len(), before + 1);
        self.assert_sound().await;
        view
    }
}

fn fold(mut from: Conversation, events: &[(u64, AgentEvent)]) -> Conversation {
    for (id, event) in events {
        from.apply(*id, event).unwrap_or_else(|refusal| panic!("{event:?}: {refusal}"));
    }
    from
}

fn assert_nothing_internal(text: &str) {
    for word in INTERNAL {
        assert!(!text.contains(word), "{word:?} in {text}");
    }
}

pub fn json_of(event: &AgentEvent) -> Value {
    serde_json::to_value(event).unwrap()
}

/// The events of one call, deltas left out, as JSON.
pub fn of_call(events: &[(u64, AgentEvent)], call: &Value) -> Vec<Value> {
    let all = events.iter().map(|(_, event)| json_of(event));
    all.filter(|event| event["toolCallId"] == *call && event["type"] != "tool-input-delta").collect()
}

/// Seven in the evening, on the first day from so many days ahead that is no Monday: then every
/// restaurant takes guests.
pub fn evening(days_ahead: i64) -> String {
    let of = |days| local_time(days, 19, 0);
    let is_monday =
        chrono::DateTime::parse_from_rfc3339(&of(days_ahead)).unwrap().format("%u").to_string() == "1";
    of(days_ahead + i64::from(is_monday))
}

pub fn weather(city: &str) -> Value {
    json!({ "city": city })
}

pub fn booking(restaurant: &str, party_size: u32, starts_at: &str) -> Value {
    json!({ "restaurantId": restaurant, "partySize": party_size, "startsAt": starts_at })
}
