//! A model whose words are the time at which it says them.

use std::convert::Infallible;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use futures::StreamExt;
use reqwest::Response;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Words of an answer.
pub const WORDS: usize = 100;
/// The model's pause between two of them.
pub const EVERY: Duration = Duration::from_millis(50);

pub struct ClockedModel {
    url: String,
}

impl ClockedModel {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let router = Router::new().route("/v1/messages", post(answer));
        tokio::spawn(async move { axum::serve(listener, router).await.expect("a server") });
        Self { url }
    }

    pub fn settings(&self) -> [(&str, &str); 4] {
        [
            ("TRUTHTABLE_MODEL", "anthropic"),
            ("TRUTHTABLE_MODEL_URL", &self.url),
            ("TRUTHTABLE_MODEL_NAME", "clocked"),
            ("ANTHROPIC_API_KEY", "x"),
        ]
    }
}

fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a time after 1970")
}

async fn answer() -> ([(axum::http::HeaderName, &'static str); 1], Body) {
    let message = json!({
        "id": "msg", "type": "message", "role": "assistant", "model": "clocked", "content": [],
        "stop_reason": null, "usage": { "input_tokens": 100, "output_tokens": 1 },
    });
    let before = [
        json!({ "type": "message_start", "message": message }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
    ];
    let words = futures::stream::iter(0..WORDS).then(|_| async {
        tokio::time::sleep(EVERY).await;
        let word = format!("{} ", now().as_micros());
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": word } })
    });
    let after = [
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 20 } }),
        json!({ "type": "message_stop" }),
    ];
    let events = futures::stream::iter(before).chain(words).chain(futures::stream::iter(after));
    let chunks = events.map(|event: Value| {
        let kind = event["type"].as_str().expect("a type");
        Ok::<_, Infallible>(format!("event: {kind}\ndata: {event}\n\n"))
    });
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(chunks))
}

/// How old each word of an answer was when it came.
pub async fn since_sent(mut events: Response) -> Vec<Duration> {
    let mut ages = Vec::with_capacity(WORDS);
    let mut read = String::new();
    while let Some(chunk) = events.chunk().await.expect("a chunk") {
        let came = now();
        // All that is sent here is ASCII.
        read.push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
        while let Some((event, rest)) = read.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            let event: Value = data.map_or(Value::Null, |data| serde_json::from_str(data).expect("JSON"));
            read = rest.to_owned();
            match event["type"].as_str() {
                Some("text-delta") => {
                    let words = event["text"].as_str().expect("a text").split_whitespace();
                    ages.extend(
                        words.map(|sent| came - Duration::from_micros(sent.parse().expect("a time"))),
                    );
                }
                Some("run-finished") => {
                    assert_eq!(ages.len(), WORDS, "words were lost");
                    return ages;
                }
                Some(_) | None => {}
            }
        }
    }
    panic!("the events ended early");
}
