use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde_json::{Value, json};
use server::model::transcript::Exchange;
use tokio::net::TcpListener;

use crate::support::request_rules::{Scope, Watch};

pub const KEY: &str = "sk-ant-0123456789-secret";

/// A provider on a loopback port that answers every request as it is told to.
pub struct Provider {
    pub url: String,
    /// Fails the test whose request a provider would refuse.
    _watch: Watch,
}

type Answer = Box<dyn Fn(&Uri, &Value) -> Response + Send>;

impl Provider {
    pub async fn answering(answer: impl Fn(&Uri, &Value) -> Response + Send + 'static) -> Self {
        let answer: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Box::new(answer)));
        let app = Router::new().fallback(move |uri: Uri, _: HeaderMap, body: Bytes| {
            let request = serde_json::from_slice(&body).unwrap_or_default();
            let response = answer.lock().unwrap()(&uri, &request);
            async move { response }
        });
        let watch = Watch::new(Scope::Request);
        let app = watch.over(app);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        Self { url, _watch: watch }
    }

    /// Gives the answers of a transcript again, to the requests in their order, byte by byte.
    pub async fn replaying(exchanges: Vec<Exchange>) -> Self {
        let exchanges = Mutex::new(exchanges.into_iter());
        Self::answering(move |_, _| {
            let next = exchanges.lock().unwrap().next().and_then(|exchange| exchange.answer);
            let Some(answer) = next else { return StatusCode::GONE.into_response() };
            let pieces = answer.pieces.into_iter().map(|piece| Ok::<_, std::io::Error>(Bytes::from(piece)));
            let mut response = Response::new(Body::from_stream(futures::stream::iter(pieces)));
            *response.status_mut() = StatusCode::from_u16(answer.status).unwrap();
            for (name, value) in answer.headers {
                let name = axum::http::HeaderName::try_from(name).unwrap();
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        })
        .await
    }

    pub fn settings(&self) -> [(&str, &str); 4] {
        [
            ("TRUTHTABLE_MODEL", "anthropic"),
            ("TRUTHTABLE_MODEL_URL", &self.url),
            ("TRUTHTABLE_MODEL_NAME", "some-model"),
            ("ANTHROPIC_API_KEY", KEY),
        ]
    }
}

pub fn error(status: u16, kind: &str, message: &str) -> Response {
    let body = json!({ "type": "error", "error": { "type": kind, "message": message } });
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}

/// A streamed turn: pieces of text, calls as (name, arguments).
#[derive(Default)]
pub struct Turn {
    pub text: Vec<&'static str>,
    pub calls: Vec<(&'static str, Value)>,
    pub stop: &'static str,
    pub tells_no_usage: bool,
    pub ends_early: bool,
    /// Nothing comes before.
    pub after: Duration,
    /// The time between two pieces on the wire.
    pub pace: Duration,
}

impl Turn {
    pub fn words(text: &'static str) -> Self {
        // In two pieces, on a boundary of characters.
        let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        let (first, second) = text.split_at(half);
        Self { text: vec![first, second], stop: "end_turn", ..Self::default() }
    }

    pub fn calls(calls: Vec<(&'static str, Value)>) -> Self {
        Self { calls, stop: "tool_use", ..Self::default() }
    }

    pub fn response(&self) -> Response {
        let usage = |tokens: u64| {
            if self.tells_no_usage {
                json!({})
            } else {
                json!({ "input_tokens": 5000, "output_tokens": tokens })
            }
        };
        let mut events =
            vec![json!({ "type": "message_start", "message": { "id": "msg_1", "usage": usage(1) } })];
        let mut index = 0;
        let mut block = |start: Value, deltas: Vec<Value>| {
            events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
            events.extend(
                deltas
                    .into_iter()
                    .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
            );
            events.push(json!({ "type": "content_block_stop", "index": index }));
            index += 1;
        };
        if !self.text.is_empty() {
            let deltas = self.text.iter().map(|text| json!({ "type": "text_delta", "text": text }));
            block(json!({ "type": "text", "text": "" }), deltas.collect());
        }
        for (place, (name, input)) in self.calls.iter().enumerate() {
            let start =
                json!({ "type": "tool_use", "id": format!("toolu_{place}"), "name": name, "input": {} });
            block(start, vec![json!({ "type": "input_json_delta", "partial_json": input.to_string() })]);
        }
        if !self.ends_early {
            events.push(
                json!({ "type": "message_delta", "delta": { "stop_reason": self.stop }, "usage": usage(20) }),
            );
            events.push(json!({ "type": "message_stop" }));
        }
        let (after, pace) = (self.after, self.pace);
        let frames: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let frames = futures::stream::iter(frames).enumerate().then(move |(place, frame)| async move {
            tokio::time::sleep(if place == 0 { after } else { pace }).await;
            Ok::<_, std::io::Error>(frame)
        });
        let body = Body::from_stream(frames);
        ([("content-type", "text/event-stream")], body).into_response()
    }
}

/// What a model has to answer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Words,
    OneCall,
    TwoCalls,
    Results,
    Error,
}

pub fn asked(request: &Value) -> Asked {
    let last = &request["messages"].as_array().unwrap().last().unwrap()["content"];
    let texts = last.to_string();
    match () {
        () if texts.contains("tool_result") && texts.contains("temporarily unavailable") => Asked::Error,
        () if texts.contains("tool_result") => Asked::Results,
        () if texts.contains("Huế") => Asked::TwoCalls,
        () if texts.contains("Đà Lạt") => Asked::OneCall,
        () => Asked::Words,
    }
}

pub fn weather(city: &str) -> (&'static str, Value) {
    ("getWeather", json!({ "city": city, "days": 1 }))
}

/// A model that does everything right.
pub fn good(asked: Asked) -> Turn {
    match asked {
        Asked::Words => Turn::words("I find tables and tell the weather."),
        Asked::OneCall => Turn::calls(vec![weather("Da Lat")]),
        Asked::TwoCalls => Turn::calls(vec![weather("Huế"), weather("Hanoi")]),
        Asked::Results => Turn::words("Warm in both, up to 27 °C."),
        Asked::Error => Turn::words("I cannot look it up at the moment."),
    }
}
