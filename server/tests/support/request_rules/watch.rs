//! Stands in every provider of the tests, and fails the test whose requests break a rule.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde_json::Value;

use super::{Protocol, Record, Sent, Violation, check};

const LARGEST_BODY: usize = 32 << 20;

/// By which rules requests are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// By those for one request: its history is made up by the test.
    Request,
    /// Also by those that need what the provider was sent, and what it answered, before.
    Conversations,
}

/// What came to one provider. Dropped, it panics where a rule was broken: whoever owns it is a part of the test,
/// which fails so; a panic where the request is answered would be nobody's.
pub struct Watch {
    scope: Scope,
    seen: Seen,
}

/// In the order in which requests came.
type Seen = Arc<Mutex<Vec<Exchange>>>;

struct Exchange {
    sent: Sent,
    /// So much of the answer's stream as has left.
    answer: Vec<u8>,
}

impl Watch {
    pub fn new(scope: Scope) -> Self {
        Self { scope, seen: Seen::default() }
    }

    /// The same provider, watched.
    pub fn over(&self, provider: Router) -> Router {
        provider.layer(from_fn_with_state(self.seen.clone(), record))
    }

    /// The bodies of the requests so far.
    pub fn requests(&self) -> Vec<Value> {
        lock(&self.seen).iter().map(|exchange| exchange.sent.body()).collect()
    }

    /// What was broken so far, by the number of the request.
    pub fn violations(&self) -> Vec<(usize, Violation)> {
        let seen = lock(&self.seen);
        let mut record = Record::default();
        let mut found = Vec::new();
        for (number, exchange) in seen.iter().enumerate() {
            let mut broken = check(&exchange.sent);
            match self.scope {
                Scope::Request => {}
                Scope::Conversations => {
                    broken.extend(record.check(&exchange.sent));
                    record.add(&exchange.sent, &exchange.answer);
                }
            }
            found.extend(broken.into_iter().map(|violation| (number, violation)));
        }
        found
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let found = self.violations();
        let Some((first, _)) = found.first() else { return };
        let told: Vec<String> = found.iter().map(|(at, found)| format!("request {at}: {found}")).collect();
        let body = lock(&self.seen)[*first].sent.body();
        panic!("a provider would refuse what it was sent:\n{}\nrequest {first}: {body:#}", told.join("\n"));
    }
}

fn lock(seen: &Seen) -> std::sync::MutexGuard<'_, Vec<Exchange>> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn record(State(seen): State<Seen>, request: Request, next: Next) -> Response {
    let Some(protocol) = Protocol::at(request.uri().path()) else { return next.run(request).await };
    let (parts, body) = request.into_parts();
    // One that breaks on its way here is no request: its sender was killed.
    let Ok(bytes) = to_bytes(body, LARGEST_BODY).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let sent = Sent { protocol, headers: parts.headers.clone(), bytes: bytes.to_vec() };
    let number = {
        let mut seen = lock(&seen);
        seen.push(Exchange { sent, answer: Vec::new() });
        seen.len() - 1
    };
    let response = next.run(Request::from_parts(parts, Body::from(bytes))).await;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_stream = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !response.status().is_success() || !is_stream {
        return response;
    }
    response.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |piece| {
            if let (Ok(piece), Some(exchange)) = (piece, lock(&seen).get_mut(number)) {
                exchange.answer.extend_from_slice(piece);
            }
        }))
    })
}
