use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use shared::api::{Decided, Decision, DecisionRequest};
use shared::ids::ToolCallId;

use super::AppState;
use super::body::JsonBody;
use super::problem::ApiError;
use super::session::Guest;
use crate::agent::DecideError;

pub async fn decide(
    State(state): State<AppState>,
    guest: Guest,
    Path((id, tool_call)): Path<(String, String)>,
    JsonBody(request): JsonBody<DecisionRequest>,
) -> Result<Json<Decided>, ApiError> {
    let id = guest.owned(&state, id).await?;
    match state.agent.decide(&guest.0, &id, &ToolCallId(tool_call), request).await {
        Ok(decision) => Ok(Json(Decided { decision })),
        Err(DecideError::NotFound) => Err(ApiError::not_found()),
        Err(DecideError::Standing(decision)) => Err(standing(decision)),
        Err(DecideError::AskedAgain) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "asked-again",
            "Something has changed, so it was asked again. Please look at the new question.",
        )),
        Err(DecideError::InvalidEdit(errors)) => {
            Err(ApiError::invalid("invalid-input", "Some details cannot be taken as they are.", errors))
        }
        Err(DecideError::ToolUnavailable) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "tool-unavailable",
            "This is switched off at the moment. Nothing was done.",
        )),
        Err(DecideError::Frozen) => Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "frozen",
            "Everything that books, changes or refunds is paused. Nothing was done, and the question still waits.",
        )),
        Err(DecideError::Store(error)) => Err(error.into()),
    }
}

fn standing(decision: Decision) -> ApiError {
    let (r#type, title) = match decision {
        Decision::Approved => ("already-decided", "This was confirmed already."),
        Decision::Declined => ("already-decided", "This was declined already."),
        Decision::Expired => ("approval-expired", "The time to decide is over. Nothing was done."),
        Decision::Superseded => ("approval-superseded", "A new message has taken this question's place."),
        Decision::Stopped => ("approval-stopped", "This was stopped. Nothing was done."),
    };
    ApiError::new(StatusCode::CONFLICT, r#type, title).with_decision(decision)
}
