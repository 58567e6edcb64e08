use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::request_rules::{Scope, Watch};

/// One answer of the model.
#[derive(Clone, Debug)]
pub struct Turn {
    text: String,
    calls: Vec<(String, String)>,
    stop_reason: String,
    ending: Ending,
    /// How often it breaks, where it does.
    breaks: u32,
    /// The model's pause before each of its events.
    pace: Duration,
    thinking: String,
    /// Tokens that the provider's cache gave, and took.
    cached: Option<(u64, u64)>,
    /// Nothing comes before this.
    held_until: Option<Arc<Notify>>,
    /// An error instead of an answer.
    refused_with: Option<StatusCode>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    Proper,
    /// The connection closes before the end.
    Cut,
    /// It stays open and nothing comes any more.
    Silent,
}

impl Turn {
    pub fn text(text: &str) -> Self {
        Self {
            text: text.into(),
            calls: Vec::new(),
            stop_reason: "end_turn".into(),
            ending: Ending::Proper,
            breaks: 0,
            pace: Duration::ZERO,
            thinking: String::new(),
            cached: None,
            held_until: None,
            refused_with: None,
        }
    }

    /// Calls a tool; further ones with [`Turn::and_call`].
    pub fn call(name: &str, arguments: Value) -> Self {
        Self { stop_reason: "tool_use".into(), ..Self::text("") }.and_call(name, arguments)
    }

    pub fn and_call(self, name: &str, arguments: Value) -> Self {
        self.and_call_text(name, &arguments.to_string())
    }

    /// With the arguments' text as it is, which may be broken.
    pub fn and_call_text(mut self, name: &str, arguments: &str) -> Self {
        self.calls.push((name.into(), arguments.into()));
        self
    }

    pub fn saying(self, text: &str) -> Self {
        Self { text: text.into(), ..self }
    }

    pub fn stopping_with(self, stop_reason: &str) -> Self {
        Self { stop_reason: stop_reason.into(), ..self }
    }

    /// The connection breaks, and once more when the server asks again: then it gives up.
    pub fn cut(self) -> Self {
        Self { breaks: 2, ..self.cut_once() }
    }

    /// The connection breaks; whatever comes next is the answer to the same request.
    pub fn cut_once(self) -> Self {
        Self { ending: Ending::Cut, breaks: 1, ..self }
    }

    pub fn then_silent(self) -> Self {
        Self { ending: Ending::Silent, ..self }
    }

    /// The model thinks this long before each word.
    pub fn paced(self, pace: Duration) -> Self {
        Self { pace, ..self }
    }

    /// With a block of thinking, signed, before everything else.
    pub fn thinking(self, thinking: &str) -> Self {
        Self { thinking: thinking.into(), ..self }
    }

    /// The provider says that so many tokens were read from its cache, and so many written to it.
    pub fn cached(self, read: u64, written: u64) -> Self {
        Self { cached: Some((read, written)), ..self }
    }

    /// The model does not answer before somebody notifies.
    pub fn held_until(self, notify: &Arc<Notify>) -> Self {
        Self { held_until: Some(notify.clone()), ..self }
    }

    /// The provider answers with an error of this status.
    pub fn refused_with(status: u16) -> Self {
        Self { refused_with: Some(StatusCode::from_u16(status).unwrap()), ..Self::text("") }
    }

    fn events(&self, number: usize) -> Vec<Value> {
        let mut usage = json!({ "input_tokens": 100, "output_tokens": 1 });
        if let Some((read, written)) = self.cached {
            usage["cache_read_input_tokens"] = read.into();
            usage["cache_creation_input_tokens"] = written.into();
        }
        let mut events = vec![json!({ "type": "message_start", "message": {
            "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "scripted",
            "content": [], "stop_reason": null, "usage": usage
        }})];
        let mut index = 0;
        if !self.thinking.is_empty() {
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "thinking", "thinking": "", "signature": "" } }));
            for word in self.thinking.split_inclusive(' ') {
                events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "thinking_delta", "thinking": word } }));
            }
            events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "signature_delta", "signature": format!("signature-{number}") } }));
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        }
        if !self.text.is_empty() {
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "text", "text": "" } }));
            for word in self.text.split_inclusive(' ') {
                events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "text_delta", "text": word } }));
            }
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        }
        for (place, (name, arguments)) in self.calls.iter().enumerate() {
            let id = format!("toolu_{number}_{place}");
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": { "type": "tool_use", "id": id, "name": name, "input": {} } }));
            let characters: Vec<char> = arguments.chars().collect();
            for piece in characters.chunks(5) {
                let piece: String = piece.iter().collect();
                events.push(json!({ "type": "content_block_delta", "index": index, "delta": { "type": "input_json_delta", "partial_json": piece } }));
            }
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        }
        if self.ending == Ending::Proper {
            events.push(json!({ "type": "message_delta", "delta": { "stop_reason": self.stop_reason }, "usage": { "output_tokens": 20 } }));
            events.push(json!({ "type": "message_stop" }));
        } else if !self.calls.is_empty() {
            // In the middle of the last arguments.
            events.truncate(events.len() - 2);
        }
        events
    }
}

/// A provider on a loopback port that answers with the turns it was given, in order, and keeps the
/// requests that it got. With no turn left it answers with the word "Done.", or see
/// [`ScriptedModel::otherwise`].
pub struct ScriptedModel {
    pub url: String,
    script: Arc<Script>,
    /// Fails the test that made it send what a provider would refuse.
    watch: Watch,
}

#[derive(Default)]
struct Script {
    turns: Mutex<VecDeque<Turn>>,
    requests: Mutex<Vec<Value>>,
    /// What it answers when no turn is left.
    otherwise: Mutex<Option<Otherwise>>,
}

type Otherwise = Box<dyn Fn(&Value) -> Turn + Send>;

impl ScriptedModel {
    pub async fn start(turns: impl IntoIterator<Item = Turn>) -> Self {
        let script = Arc::new(Script::default());
        script.turns.lock().unwrap().extend(turns);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/messages", post(answer)).with_state(script.clone());
        let watch = Watch::new(Scope::Conversations);
        let router = watch.over(router);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, script, watch }
    }

    /// One that answers each request by what is in it, however often it comes.
    pub async fn answering(answer: impl Fn(&Value) -> Turn + Send + 'static) -> Self {
        let model = Self::start([]).await;
        model.otherwise(answer);
        model
    }

    /// Adds turns to come.
    pub fn then(&self, turns: impl IntoIterator<Item = Turn>) {
        self.script.turns.lock().unwrap().extend(turns);
    }

    /// With no turn left it answers by what it was asked: the same again, if it is asked again.
    pub fn otherwise(&self, answer: impl Fn(&Value) -> Turn + Send + 'static) {
        *self.script.otherwise.lock().unwrap() = Some(Box::new(answer));
    }

    /// Drops the turns to come.
    pub fn forget(&self) {
        self.script.turns.lock().unwrap().clear();
    }

    /// The bodies of the requests so far.
    pub fn requests(&self) -> Vec<Value> {
        self.script.requests.lock().unwrap().clone()
    }

    /// The settings that make a server use it.
    pub fn settings(&self) -> Vec<(&str, &str)> {
        vec![
            ("TRUTHTABLE_MODEL", "anthropic"),
            ("TRUTHTABLE_MODEL_URL", &self.url),
            ("TRUTHTABLE_MODEL_NAME", "scripted"),
            ("ANTHROPIC_API_KEY", "sk-test-key"),
        ]
    }
}

async fn answer(State(script): State<Arc<Script>>, body: String) -> Response {
    let request: Value = serde_json::from_str(&body).unwrap();
    let next = {
        let mut turns = script.turns.lock().unwrap();
        let next = turns.pop_front();
        if let Some(turn) = next.as_ref().filter(|turn| turn.breaks > 1) {
            turns.push_front(Turn { breaks: turn.breaks - 1, ..turn.clone() });
        }
        next
    };
    let turn = next.unwrap_or_else(|| match &*script.otherwise.lock().unwrap() {
        Some(otherwise) => otherwise(&request),
        None => Turn::text("Done."),
    });
    let number = {
        let mut requests = script.requests.lock().unwrap();
        requests.push(request);
        requests.len()
    };
    if let Some(notify) = &turn.held_until {
        notify.notified().await;
    }
    if let Some(status) = turn.refused_with {
        let body =
            json!({ "type": "error", "error": { "type": "api_error", "message": "scripted trouble" } });
        return (status, [("retry-after-ms", "5")], axum::Json(body)).into_response();
    }
    let chunks: Vec<_> = turn
        .events(number)
        .into_iter()
        .map(|event| {
            let kind = event["type"].as_str().unwrap_or_default();
            Ok::<_, std::io::Error>(format!("event: {kind}\ndata: {event}\n\n"))
        })
        .collect();
    let pace = turn.pace;
    let sent = futures::stream::iter(chunks).then(move |chunk| async move {
        if !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        chunk
    });
    let body = match turn.ending {
        Ending::Proper => Body::from_stream(sent),
        Ending::Cut => Body::from_stream(sent.chain(futures::stream::once(async {
            // What was sent must have left before the connection breaks.
            tokio::time::sleep(Duration::from_millis(50)).await;
            Err(std::io::Error::other("cut"))
        }))),
        Ending::Silent => Body::from_stream(sent.chain(futures::stream::pending())),
    };
    (StatusCode::OK, [("content-type", "text/event-stream")], body).into_response()
}
