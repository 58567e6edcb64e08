//! Whole dialogues over HTTP: the tests play the guest and the server.

mod dialogues;
mod errands;
mod misbehaviour;
mod orders;
mod personas;
mod phrasings;
mod refunds;
mod wire;

use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures::StreamExt;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use super::router;

/// A Monday.
pub const SERVER_LINE: &str = "[server: 2026-11-30 18:20 +07:00, Monday, Asia/Ho_Chi_Minh]";
const TOOLS: [&str; 8] = [
    "getWeather",
    "findTables",
    "createBooking",
    "listBookings",
    "cancelBooking",
    "changeBooking",
    "getOrder",
    "refundOrder",
];
pub const LINE_TIME: &str = "T19:00:00+07:00";

/// One reply, read from its stream.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    pub text: String,
    pub calls: Vec<MadeCall>,
    pub stop_reason: Option<String>,
    /// It ended with `message_stop`.
    pub complete: bool,
    pub events: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct MadeCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

impl MadeCall {
    pub fn input(&self) -> Value {
        serde_json::from_str(&self.arguments).unwrap_or(Value::Null)
    }
}

impl Turn {
    /// `name arguments`, one a call, in order.
    pub fn called(&self) -> Vec<(String, Value)> {
        self.calls.iter().map(|call| (call.name.clone(), call.input())).collect()
    }

    /// The one call that was made.
    pub fn only(&self, name: &str) -> Value {
        assert_eq!(self.calls.len(), 1, "{self:?}");
        assert_eq!(self.calls[0].name, name, "{self:?}");
        assert_eq!(self.stop_reason.as_deref(), Some("tool_use"));
        self.calls[0].input()
    }

    pub fn says(&self, part: &str) -> &Self {
        assert!(self.text.contains(part), "{part:?} is not in {self:?}");
        self
    }

    /// It ends with text and calls nothing.
    pub fn ends(&self) -> &Self {
        assert!(self.calls.is_empty() && !self.text.is_empty(), "{self:?}");
        assert_eq!(self.stop_reason.as_deref(), Some("end_turn"));
        self
    }
}

pub struct Talk {
    pub persona: &'static str,
    pub messages: Vec<Value>,
    last: Turn,
}

impl Talk {
    pub fn with(persona: &'static str) -> Self {
        Self { persona, messages: Vec::new(), last: Turn::default() }
    }

    pub fn body(&self) -> Value {
        let tool =
            |name: &str| json!({ "name": name, "description": name, "input_schema": { "type": "object" } });
        json!({
            "model": format!("demo/{}", self.persona),
            "max_tokens": 4096,
            "stream": true,
            "system": "You help guests.",
            "tools": TOOLS.map(tool),
            "messages": self.messages,
        })
    }

    async fn send(&mut self) -> &Turn {
        let (status, body) = post(&self.body()).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        self.last = read_stream(&body);
        &self.last
    }

    pub fn keep_reply(&mut self) {
        if !self.last.complete {
            return;
        }
        let mut content: Vec<Value> = Vec::new();
        if !self.last.text.is_empty() {
            content.push(json!({ "type": "text", "text": self.last.text }));
        }
        for call in &self.last.calls {
            let input = serde_json::from_str::<Map<String, Value>>(&call.arguments)
                .map(Value::Object)
                .unwrap_or_else(|_| json!({ "invalid_json": call.arguments }));
            content.push(json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input }));
        }
        if !content.is_empty() {
            self.messages.push(json!({ "role": "assistant", "content": content }));
        }
        self.last.complete = false;
    }

    /// The guest writes.
    pub async fn say(&mut self, text: &str) -> &Turn {
        self.say_at(SERVER_LINE, text).await
    }

    pub async fn say_at(&mut self, line: &str, text: &str) -> &Turn {
        self.keep_reply();
        let content = json!([{ "type": "text", "text": line }, { "type": "text", "text": text }]);
        self.messages.push(json!({ "role": "user", "content": content }));
        self.send().await
    }

    /// The server answers every call of the last turn, in order.
    pub async fn results(&mut self, results: &[Answer]) -> &Turn {
        self.push_results(results);
        self.send().await
    }

    /// As [`Talk::results`], but the guest writes too before the model is asked again.
    pub async fn results_and(&mut self, results: &[Answer], text: &str) -> &Turn {
        self.push_results(results);
        self.say(text).await
    }

    fn push_results(&mut self, results: &[Answer]) {
        assert_eq!(results.len(), self.last.calls.len(), "{:?}", self.last);
        let content: Vec<Value> = self
            .last
            .calls
            .iter()
            .zip(results)
            .map(|(call, answer)| {
                let mut blocks = vec![json!({ "type": "text", "text": answer.content })];
                blocks.extend(answer.note.map(|note| json!({ "type": "text", "text": note })));
                json!({ "type": "tool_result", "tool_use_id": call.id, "content": blocks, "is_error": answer.is_error })
            })
            .collect();
        self.keep_reply();
        self.messages.push(json!({ "role": "user", "content": content }));
    }
}

/// What the server says to one call.
#[derive(Clone, Debug)]
pub struct Answer {
    pub content: String,
    pub note: Option<&'static str>,
    pub is_error: bool,
}

pub fn output(value: Value) -> Answer {
    Answer { content: value.to_string(), note: None, is_error: false }
}

pub fn error(sentence: &str) -> Answer {
    Answer { content: sentence.to_owned(), note: None, is_error: true }
}

pub fn weather(city: &str, chances: &[u8]) -> Answer {
    let day = |(index, chance): (usize, &u8)| json!({ "date": format!("2026-12-{:02}", index + 1), "minC": 15, "maxC": 22, "summary": "cloudy", "chanceOfRain": chance });
    let days: Vec<Value> = chances.iter().enumerate().map(day).collect();
    output(json!({ "city": city, "source": "sample", "days": days }))
}

/// Three restaurants with free times around seven on that day.
pub fn tables(date: &str) -> Answer {
    let at = |times: &[&str]| times.iter().map(|time| format!("{date}T{time}:00+07:00")).collect::<Vec<_>>();
    let option = |id: &str, name: &str, times: &[&str]| json!({ "restaurantId": id, "name": name, "address": "1 Hồ Tùng Mậu", "cuisine": "Vietnamese", "freeTimes": at(times) });
    output(json!({
        "city": "Đà Lạt",
        "startsAt": format!("{date}{LINE_TIME}"),
        "partySize": 4,
        "restaurants": [
            option("r-dau", "Bếp Nhà Đậu", &["18:30", "19:00", "19:30"]),
            option("r-mai", "Quán Sương Mai", &["18:30", "19:30", "20:00"]),
            option("r-mill", "The Old Mill", &["18:00", "20:00"]),
        ],
    }))
}

pub fn no_tables() -> Answer {
    output(
        json!({ "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4, "restaurants": [] }),
    )
}

pub fn booking(status: &str) -> Answer {
    output(json!({
        "bookingId": "b-1", "reference": "K7Q2", "status": status, "restaurantId": "r-dau",
        "restaurantName": "Bếp Nhà Đậu", "address": "1 Hồ Tùng Mậu", "city": "Đà Lạt",
        "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4
    }))
}

pub async fn post(body: &Value) -> (StatusCode, String) {
    let request = Request::post("/v1/messages")
        .header("x-api-key", "demo")
        .header("anthropic-version", "2026-10-21")
        .header("content-type", "application/json")
        .body(Body::from(body.to_string()))
        .expect("a request");
    send(request).await
}

pub async fn send(request: Request<Body>) -> (StatusCode, String) {
    let response = router(0.0).oneshot(request).await.expect("infallible");
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

/// What of a stream has come after some time, whether it goes on or not.
pub async fn so_far(body: &Value, time: Duration) -> String {
    let request = Request::post("/v1/messages")
        .header("x-api-key", "demo")
        .header("anthropic-version", "2026-10-21")
        .body(Body::from(body.to_string()))
        .expect("a request");
    let response = router(0.0).oneshot(request).await.expect("infallible");
    let mut stream = response.into_body().into_data_stream();
    let mut sent: Vec<u8> = Vec::new();
    let reading = async {
        while let Some(chunk) = stream.next().await {
            sent.extend(chunk.expect("bytes"));
        }
    };
    let _ = tokio::time::timeout(time, reading).await;
    String::from_utf8(sent).expect("UTF-8")
}

pub fn read_stream(body: &str) -> Turn {
    let mut turn = Turn::default();
    for event in body.split("\n\n").filter(|event| !event.trim().is_empty()) {
        let field =
            |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
        let data: Value = serde_json::from_str(field("data:")).expect("JSON");
        assert_eq!(data["type"], field("event:"), "{event}");
        turn.events.push(field("event:").to_owned());
        match field("event:") {
            "content_block_start" if data["content_block"]["type"] == "tool_use" => {
                turn.calls.push(MadeCall {
                    id: data["content_block"]["id"].as_str().expect("an id").to_owned(),
                    name: data["content_block"]["name"].as_str().expect("a name").to_owned(),
                    arguments: String::new(),
                })
            }
            "content_block_delta" => match data["delta"]["type"].as_str() {
                Some("text_delta") => turn.text.push_str(data["delta"]["text"].as_str().expect("text")),
                Some("input_json_delta") => {
                    let piece = data["delta"]["partial_json"].as_str().expect("a piece");
                    turn.calls.last_mut().expect("a call").arguments.push_str(piece);
                }
                other => panic!("unexpected delta {other:?}"),
            },
            "message_delta" => {
                turn.stop_reason = data["delta"]["stop_reason"].as_str().map(str::to_owned);
                assert!(data["usage"]["output_tokens"].as_u64().is_some_and(|tokens| tokens > 0));
            }
            "message_stop" => turn.complete = true,
            _ => {}
        }
    }
    turn
}
