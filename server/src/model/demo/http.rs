//! POST /v1/messages.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response, Sse};
use axum::routing::post;
use axum::{Json, Router};
use futures::StreamExt;

use super::conversation;
use super::dialogue::{self, Dialogue, Manner};
use super::error::ApiError;
use super::persona::Persona;
use super::reply::{Ending, Reply};
use super::request::{Request, ToolChoice, VERSIONS};
use super::rules;
use super::stream::{Outgoing, fingerprint, tokens};
use super::words;

/// As the real API.
const LARGEST_BODY: usize = 32 << 20;

/// The routes. `pace` 1.0 is a human pace; 0 is as fast as possible.
pub fn router(pace: f64) -> Router {
    let pace = if pace.is_finite() { pace.max(0.0) } else { 0.0 };
    Router::new()
        .route("/v1/messages", post(messages).fallback(|| async { ApiError::wrong_method() }))
        .fallback(|| async { ApiError::not_found("Not Found") })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .with_state(pace)
}

async fn messages(
    State(pace): State<f64>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Response, ApiError> {
    let named = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if named("x-api-key").is_empty() {
        return Err(ApiError::unauthenticated("x-api-key header is required"));
    }
    let version = named("anthropic-version");
    if version.is_empty() {
        return Err(ApiError::invalid("anthropic-version: header is required"));
    }
    if !VERSIONS.contains(&version) {
        return Err(ApiError::invalid(format!("anthropic-version: \"{version}\" is not a valid version")));
    }
    let body = body.map_err(|_| ApiError::too_large("Request exceeds the maximum size"))?;
    let request = Request::parse(&body, version)?;
    let outgoing = answer(&request, &body)?;
    let request_id = [("request-id", format!("req_demo_{}", outgoing.seed))];
    if !request.stream {
        return Ok(match outgoing.reply.ending {
            Ending::Proper | Ending::Refused | Ending::AtLimit => {
                (request_id, Json(outgoing.message())).into_response()
            }
            Ending::Cut => {
                let whole = outgoing.message().to_string();
                let half = whole.chars().take(whole.chars().count() / 2).collect::<String>();
                let kind = [(header::CONTENT_TYPE, "application/json"), (header::CONNECTION, "close")];
                (request_id, kind, half).into_response()
            }
            Ending::Stalled => std::future::pending().await,
        });
    }
    let events = futures::stream::iter(outgoing.events()).then(move |(pause, event)| async move {
        let pause = pause.mul_f64(pace);
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
        Ok::<_, Infallible>(event)
    });
    Ok(match outgoing.reply.ending {
        Ending::Proper | Ending::Refused | Ending::AtLimit => (request_id, Sse::new(events)).into_response(),
        Ending::Cut => {
            let mut response = (request_id, Sse::new(events)).into_response();
            response.headers_mut().insert(header::CONNECTION, header::HeaderValue::from_static("close"));
            response
        }
        // Until whoever asked has had enough.
        Ending::Stalled => (request_id, Sse::new(events.chain(futures::stream::pending()))).into_response(),
    })
}

/// The answer: it follows from the request alone.
fn answer(request: &Request, body: &[u8]) -> Result<Outgoing, ApiError> {
    let persona = request.model.strip_prefix("demo/").and_then(Persona::parse);
    let Some(persona) = persona else {
        return Err(ApiError::not_found(format!("model: {}", request.model)));
    };
    let history = rules::check(request)?;
    let dialogue = Dialogue::read(&conversation::read(&history));
    let manner = persona.manner();
    let reply = only_offered(dialogue::next(&dialogue, &manner), request, &dialogue, &manner);
    let mut outgoing = Outgoing {
        model: request.model.clone(),
        seed: format!("{:016x}", fingerprint(body)),
        input_tokens: tokens(String::from_utf8_lossy(body).chars().count()),
        reply,
        truncated: false,
    };
    outgoing.limit(request.max_tokens);
    Ok(outgoing)
}

/// A tool that the request does not list is called by those only who invent some.
fn only_offered(mut reply: Reply, request: &Request, dialogue: &Dialogue, manner: &Manner) -> Reply {
    let may_call = !matches!(request.tool_choice, ToolChoice::None);
    let offered = |name: &str| request.tools.iter().any(|tool| tool.name == name);
    let wanted = reply.calls.len();
    reply.calls.retain(|call| may_call && (manner.invents_tools || offered(&call.name)));
    if reply.calls.len() < wanted {
        reply.ending = Ending::Proper;
        reply.also(words::no_such_tool(dialogue.language()));
    }
    reply
}
