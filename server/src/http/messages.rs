use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Map;
use shared::api::{FieldError, NewMessage, RunAccepted};
use shared::error_code::ErrorCode;
use shared::reduce::RunView;

use super::AppState;
use super::body::JsonBody;
use super::problem::ApiError;
use super::rate::too_many;
use super::session::Guest;
use crate::agent::{RetryError, SendError};

/// Characters of one message.
pub const MAX_TEXT: usize = 4000;
const MAX_CLIENT_ID: usize = 100;

pub async fn send(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
    JsonBody(message): JsonBody<NewMessage>,
) -> Result<(StatusCode, Json<RunAccepted>), ApiError> {
    let id = guest.owned(&state, id).await?;
    check(&message)?;
    let sent = state.agent.send_message(&guest.0, &id, &message.client_message_id, &message.text).await;
    match sent {
        Ok(run_id) => Ok((StatusCode::ACCEPTED, Json(RunAccepted { run_id }))),
        Err(SendError::RunActive) => Err(ApiError::run_active()),
        Err(SendError::TooManyRuns) => Err(ApiError::too_many_runs()),
        Err(SendError::TooOften { wait }) => Err(too_many(wait)),
        Err(SendError::DailyBudget { wait }) => Err(ApiError::daily_budget(wait)),
        Err(SendError::Store(error)) => Err(error.into()),
    }
}

fn check(message: &NewMessage) -> Result<(), ApiError> {
    let mut errors = Vec::new();
    let mut refuse = |path: &str, code: ErrorCode, max: Option<usize>, message: String| {
        let params = max.map(|max| Map::from_iter([("max".to_owned(), max.into())]));
        errors.push(FieldError { path: path.to_owned(), code, params, message });
    };
    let id = message.client_message_id.as_str();
    if id.is_empty() || id.chars().count() > MAX_CLIENT_ID || id.chars().any(char::is_control) {
        let message = format!("expected 1 to {MAX_CLIENT_ID} visible characters");
        refuse("/clientMessageId", ErrorCode::BadFormat, None, message);
    }
    let text = &message.text;
    if text.chars().all(is_invisible) {
        refuse("/text", ErrorCode::Empty, None, "a message needs some text".to_owned());
    }
    if text.chars().count() > MAX_TEXT {
        let message = format!("at most {MAX_TEXT} characters");
        refuse("/text", ErrorCode::TooLong, Some(MAX_TEXT), message);
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        refuse("/text", ErrorCode::BadCharacters, None, "control characters cannot be sent".to_owned());
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(ApiError::invalid("invalid-message", "The message cannot be taken as it is.", errors))
    }
}

/// Blanks, and marks of no width.
fn is_invisible(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

#[derive(Serialize)]
pub struct Stopped {
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunView>,
}

pub async fn stop(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
) -> Result<Json<Stopped>, ApiError> {
    let id = guest.owned(&state, id).await?;
    state.agent.stop(&id).await?;
    Ok(Json(Stopped { run: state.store.view(&id).await?.run }))
}

pub async fn retry(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<RunAccepted>), ApiError> {
    let id = guest.owned(&state, id).await?;
    match state.agent.retry(&guest.0, &id).await {
        Ok(run_id) => Ok((StatusCode::ACCEPTED, Json(RunAccepted { run_id }))),
        Err(RetryError::RunActive) => Err(ApiError::run_active()),
        Err(RetryError::TooManyRuns) => Err(ApiError::too_many_runs()),
        Err(RetryError::TooOften { wait }) => Err(too_many(wait)),
        Err(RetryError::DailyBudget { wait }) => Err(ApiError::daily_budget(wait)),
        Err(RetryError::NothingToRetry) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "nothing-to-retry",
            "The last message has its answer already.",
        )),
        Err(RetryError::Store(error)) => Err(error.into()),
    }
}
