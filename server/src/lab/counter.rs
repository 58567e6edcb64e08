//! Stands between server and model, and counts what the model is sent.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::LabError;

const LARGEST_BODY: usize = 32 << 20;

/// Passes requests on to the model; ends when dropped.
pub struct Counter {
    pub url: String,
    counts: Arc<Mutex<Vec<u64>>>,
    serving: JoinHandle<()>,
}

#[derive(Clone)]
struct Way {
    model_url: String,
    client: reqwest::Client,
    counts: Arc<Mutex<Vec<u64>>>,
}

impl Counter {
    pub async fn start(model_url: &str) -> Result<Self, LabError> {
        let failed = |why: String| LabError::Start { what: "counter", why };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(|error| failed(error.to_string()))?;
        let address = listener.local_addr().map_err(|error| failed(error.to_string()))?;
        let client = reqwest::Client::builder().no_proxy().build();
        let client = client.map_err(|error| failed(error.to_string()))?;
        let counts = Arc::<Mutex<Vec<u64>>>::default();
        let way = Way { model_url: model_url.to_owned(), client, counts: counts.clone() };
        let router = Router::new().fallback(pass_on).with_state(way);
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!("the counter stopped: {error}");
            }
        });
        Ok(Self { url: format!("http://{address}"), counts, serving })
    }

    /// For each call of the model so far: the tokens that it was sent.
    pub fn counts(&self) -> Vec<u64> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn pass_on(State(way): State<Way>, request: Request) -> Response {
    match ask(&way, request).await {
        Ok(answer) => answer,
        Err(why) => (StatusCode::BAD_GATEWAY, why).into_response(),
    }
}

/// The answer as a whole: the model of the lab does not take its time.
async fn ask(way: &Way, request: Request) -> Result<Response, String> {
    let (mut parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, LARGEST_BODY).await.map_err(|error| error.to_string())?;
    for of_this_connection in [header::HOST, header::CONNECTION, header::CONTENT_LENGTH] {
        parts.headers.remove(of_this_connection);
    }
    let url = format!("{}{}", way.model_url, parts.uri);
    let asked = way.client.request(parts.method, url).headers(parts.headers).body(body).send().await;
    let answer = asked.map_err(|error| error.to_string())?;
    let (status, kind) = (answer.status(), answer.headers().get(header::CONTENT_TYPE).cloned());
    let body = answer.text().await.map_err(|error| error.to_string())?;
    if let Some(tokens) = tokens_sent(&body) {
        way.counts.lock().unwrap_or_else(PoisonError::into_inner).push(tokens);
    }
    let mut response = (status, Body::from(body)).into_response();
    if let Some(kind) = kind {
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
    }
    Ok(response)
}

/// What a stream of events says at its start of the tokens that the model was sent.
fn tokens_sent(stream: &str) -> Option<u64> {
    let events = stream.lines().filter_map(|line| line.strip_prefix("data:"));
    let start = events
        .filter_map(|data| serde_json::from_str::<Value>(data).ok())
        .find(|event| event["type"] == "message_start")?;
    let usage = &start["message"]["usage"];
    let kinds = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    Some(kinds.iter().filter_map(|kind| usage[kind].as_u64()).sum())
}
