//! A model that speaks Anthropic's protocol as fast as it can: as many tool calls, one a step, as the message
//! asks for, then a text.

use std::convert::Infallible;

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::process::Part;

pub const PART: &str = "play-model";
pub const ARGUMENT_DELTAS: usize = 11;
pub const TEXT_DELTAS: usize = 200;

const CITIES: [&str; 4] = ["Đà Lạt", "Hà Nội", "TP. HCM", "Đà Nẵng"];
const ASKED: &str = "calls: ";

/// A message that makes the model call its tool so often, each time with other arguments than before.
pub fn asking_for(calls: usize) -> String {
    format!("Thời tiết thế nào? ({ASKED}{calls})")
}

/// A process of its own.
pub struct ScriptedModel(Part);

impl ScriptedModel {
    pub fn start() -> Self {
        Self(Part::start(&[PART]))
    }

    /// The settings that make a server use it.
    pub fn settings(&self) -> [(&str, &str); 4] {
        [
            ("TRUTHTABLE_MODEL", "anthropic"),
            ("TRUTHTABLE_MODEL_URL", &self.0.url),
            ("TRUTHTABLE_MODEL_NAME", "scripted"),
            ("ANTHROPIC_API_KEY", "x"),
        ]
    }
}

pub async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().route("/v1/messages", post(answer));
    axum::serve(listener, router).await.expect("a server");
}

async fn answer(body: String) -> Response {
    let request: Value = serde_json::from_str(&body).expect("JSON");
    let messages = request["messages"].as_array().expect("messages");
    let mut done = 0;
    let mut wanted = 0;
    for message in messages.iter().rev() {
        let text = message["content"].to_string();
        if let Some((_, rest)) = text.split_once(ASKED) {
            let digits = rest.chars().take_while(char::is_ascii_digit).collect::<String>();
            wanted = digits.parse().expect("a number of calls");
            break;
        }
        done += usize::from(text.contains("tool_result"));
    }
    let events = if done < wanted { call(done) } else { text() };
    let chunks = events.into_iter().map(|event| {
        let kind = event["type"].as_str().expect("a type");
        Ok::<_, Infallible>(format!("event: {kind}\ndata: {event}\n\n"))
    });
    let chunks: Vec<_> = chunks.collect();
    let body = Body::from_stream(futures::stream::iter(chunks));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}

fn call(number: usize) -> Vec<Value> {
    let block =
        json!({ "type": "tool_use", "id": format!("toolu_{number}"), "name": "getWeather", "input": {} });
    let delta = |piece| json!({ "type": "input_json_delta", "partial_json": piece });
    turn(&block, argument_deltas(number).into_iter().map(delta), "tool_use")
}

fn text() -> Vec<Value> {
    let delta = |word| json!({ "type": "text_delta", "text": word });
    turn(&json!({ "type": "text", "text": "" }), text_deltas().into_iter().map(delta), "end_turn")
}

fn turn(block: &Value, deltas: impl Iterator<Item = Value>, stop_reason: &str) -> Vec<Value> {
    let message = json!({
        "id": "msg", "type": "message", "role": "assistant", "model": "scripted", "content": [],
        "stop_reason": null, "usage": { "input_tokens": 100, "output_tokens": 1 },
    });
    let mut events = vec![
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
    ];
    events.extend(deltas.map(|delta| json!({ "type": "content_block_delta", "index": 0, "delta": delta })));
    events.extend([
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({
            "type": "message_delta", "delta": { "stop_reason": stop_reason }, "usage": { "output_tokens": 20 },
        }),
        json!({ "type": "message_stop" }),
    ]);
    events
}

/// The arguments in pieces of about the same length.
fn argument_deltas(number: usize) -> Vec<String> {
    let arguments = json!({ "city": CITIES[number % CITIES.len()], "days": 1 + number % 7 }).to_string();
    let characters: Vec<char> = arguments.chars().collect();
    let cut = |piece: usize| piece * characters.len() / ARGUMENT_DELTAS;
    (0..ARGUMENT_DELTAS).map(|piece| characters[cut(piece)..cut(piece + 1)].iter().collect()).collect()
}

fn text_deltas() -> Vec<String> {
    let words = "Hôm nay ở Đà Lạt trời se lạnh, chiều có mưa, nên mang theo áo ấm và ô. ";
    words.split_inclusive(' ').cycle().take(TEXT_DELTAS).map(str::to_owned).collect()
}

/// The deltas of a run with one call: those of the arguments, those of the text.
pub fn deltas() -> (Vec<String>, Vec<String>) {
    (argument_deltas(0), text_deltas())
}
