//! Errors as `application/problem+json`: a sentence for the reader; the rest is in the log.

use std::any::Any;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use shared::api::{Decision, FieldError, Problem};

use super::AppState;
use super::request_id::RequestId;
use crate::db;

/// An error before it knows its request's id; [`finish`] writes its body.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    /// A bare word.
    r#type: &'static str,
    title: String,
    errors: Vec<FieldError>,
    decision: Option<Decision>,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    pub fn new(status: StatusCode, r#type: &'static str, title: impl Into<String>) -> Self {
        let title = title.into();
        Self { status, r#type, title, errors: Vec::new(), decision: None, retry_after_seconds: None }
    }

    /// Also for what belongs to somebody else.
    pub fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "There is no such thing here.")
    }

    pub fn method_not_allowed() -> Self {
        let title = "This address does not take that method.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", title)
    }

    pub fn run_active() -> Self {
        let title = "The assistant is still at work on the last message.";
        Self::new(StatusCode::CONFLICT, "run-active", title)
    }

    pub fn too_many_runs() -> Self {
        let title = "Too many conversations are at work at once. Wait for one to finish.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-runs", title).retry_after(5)
    }

    /// `wait`: until the house's next day.
    pub fn daily_budget(wait: Duration) -> Self {
        let title = "What one guest may ask the assistant in a day is used up. Send it again tomorrow.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "daily-budget", title)
            .retry_after(wait.as_secs().saturating_add(1))
    }

    pub fn invalid(r#type: &'static str, title: &str, errors: Vec<FieldError>) -> Self {
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, r#type, title) }
    }

    pub fn with_decision(self, decision: Decision) -> Self {
        Self { decision: Some(decision), ..self }
    }

    pub fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after_seconds: Some(seconds), ..self }
    }

    /// Logs everything and tells nothing of it.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        tracing::error!("request failed: {error}");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something went wrong here. Please try again.",
        )
    }

    fn problem(self, request_id: String) -> Response {
        let problem = Problem {
            r#type: self.r#type.to_owned(),
            title: self.title,
            status: self.status.as_u16(),
            request_id,
            errors: self.errors,
            decision: self.decision,
        };
        let mut response = (self.status, Json(problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after_seconds {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<db::Error> for ApiError {
    fn from(error: db::Error) -> Self {
        if error.is_passing() {
            tracing::error!("the database is away: {error}");
            let title = "The server cannot reach its records at the moment. Try again in a moment.";
            return Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", title).retry_after(2);
        }
        Self::internal(error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Gives every error its body. One that a layer made on its own gets a general one.
pub async fn finish(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let request_id = request.extensions().get::<RequestId>().map(|id| id.0.clone());
    let request_id = request_id.unwrap_or_else(|| state.ids.next());
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        let headers = std::mem::take(response.headers_mut());
        let mut problem = error.problem(request_id);
        for (name, value) in headers.iter().filter(|(name, _)| !body_header(name)) {
            problem.headers_mut().append(name.clone(), value.clone());
        }
        return problem;
    }
    let status = response.status();
    let is_page =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if (status.is_client_error() || status.is_server_error()) && (is_api || !is_page) && !said(&response) {
        return general(status).problem(request_id);
    }
    response
}

/// Whether the handler has said all there is: `/readyz` answers in a word.
fn said(response: &Response) -> bool {
    response.extensions().get::<Said>().is_some()
}

/// Marks an answer whose body is meant as it is, also with an error's status.
#[derive(Clone, Copy, Debug)]
pub struct Said;

fn general(status: StatusCode) -> ApiError {
    match status {
        StatusCode::NOT_FOUND => ApiError::not_found(),
        StatusCode::METHOD_NOT_ALLOWED => ApiError::method_not_allowed(),
        _ => ApiError::new(status, "refused", status.canonical_reason().unwrap_or("Error")),
    }
}

fn body_header(name: &axum::http::HeaderName) -> bool {
    matches!(name.as_str(), "content-length" | "content-type" | "content-encoding" | "transfer-encoding")
}

pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let what = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let what = what.or_else(|| panic.downcast_ref::<String>().cloned());
    ApiError::internal(format!("a handler panicked: {}", what.unwrap_or_default())).into_response()
}
