//! What nobody can do for less: an axum server that sends the same bytes and does nothing else.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use futures::StreamExt;
use serde_json::json;
use tempfile::NamedTempFile;
use tokio::net::TcpListener;

use super::process::{Cpu, Part};

pub const PART: &str = "play-bare";

/// A process of its own.
pub struct Bare {
    part: Part,
    _events: NamedTempFile,
}

impl Bare {
    /// `events`: what it sends, an event a chunk.
    pub fn start(events: &str) -> Self {
        let file = NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), events).expect("to write it");
        let path = file.path().to_str().expect("a path in UTF-8");
        Self { part: Part::start(&[PART, path]), _events: file }
    }

    pub fn url(&self) -> &str {
        &self.part.url
    }

    pub fn cpu(&self) -> Cpu {
        self.part.cpu()
    }
}

pub async fn serve(file: &str) {
    let text = std::fs::read_to_string(file).expect("the events");
    let events: Arc<Vec<String>> = Arc::new(text.split_inclusive("\n\n").map(str::to_owned).collect());
    let router = Router::new().fallback(move |method: Method, uri: Uri, _: Bytes| {
        let events = events.clone();
        async move { answer(&method, uri.path(), &events) }
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}", listener.local_addr().expect("an address"));
    // As the real one: small answers must not wait for more of them.
    let listener = listener.tap_io(|connection| connection.set_nodelay(true).expect("no delay"));
    axum::serve(listener, router).await.expect("a server");
}

fn answer(method: &Method, path: &str, events: &[String]) -> Response {
    if path == "/api/conversations" {
        return ([(SET_COOKIE, "session=s; Path=/")], Json(json!({ "conversationId": "c" }))).into_response();
    }
    if path.ends_with("/messages") {
        return (StatusCode::ACCEPTED, Json(json!({ "runId": "r" }))).into_response();
    }
    let chunks: Vec<_> = events.iter().cloned().map(Ok::<_, Infallible>).collect();
    let chunks = futures::stream::iter(chunks);
    let body = match *method {
        // As the real one: it stays open.
        Method::GET => Body::from_stream(chunks.chain(futures::stream::pending())),
        _ => Body::from_stream(chunks),
    };
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}
