//! A guest sends a conversation to a person of the house.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde_json::Map;
use shared::api::{FieldError, HandoverOfRun, HandoverRequest, HandoverSent};
use shared::contact::is_reachable;
use shared::error_code::ErrorCode;
use shared::ids::{ConversationId, RunId};

use super::AppState;
use super::body::JsonBody;
use super::problem::ApiError;
use super::rate::{HANDOVER_WINDOW, HANDOVERS, too_many};
use super::session::Guest;
use crate::handovers::{self, NewHandover};
use crate::text::turns_text;

/// Characters.
const MAX_REPLY_TO: usize = 200;
const MAX_NOTE: usize = 1000;

pub async fn send(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
    JsonBody(request): JsonBody<HandoverRequest>,
) -> Result<Json<HandoverSent>, ApiError> {
    let id = guest.owned(&state, id).await?;
    let said = Said::check(&request)?;
    let mut tx = state.store.begin().await?;
    let run = handovers::run_of(tx.connection(), &id, request.run_id.as_ref()).await?;
    let Some(run) = run else {
        return Err(match request.run_id {
            Some(_) => ApiError::not_found(),
            None => ApiError::new(
                StatusCode::CONFLICT,
                "nothing-to-hand-over",
                "There is nothing in this conversation yet.",
            ),
        });
    };
    state.rates.handover(guest.0.as_str(), &said.fingerprint(&run))?;
    let now = state.clock.now();
    let sent = handovers::sent_since(tx.connection(), &guest.0, now - HANDOVER_WINDOW).await?;
    if !sent.contains(&run) && sent.len() >= HANDOVERS {
        return Err(too_many(HANDOVER_WINDOW));
    }
    let new = NewHandover {
        id: &state.ids.next(),
        conversation: &id,
        run: &run,
        reply_to: said.reply_to,
        note: said.note,
    };
    let handover = handovers::send(tx.connection(), &new, now).await?;
    tx.commit().await?;
    tracing::info!(
        handover.reference = %handover.reference,
        conversation.id = %id,
        run.id = %run,
        "a conversation was sent to a person"
    );
    Ok(Json(HandoverSent { reference: handover.reference, sent_at: handover.sent_at }))
}

/// The handover of a conversation, as the page shows it: of its latest run, else the newest one.
pub async fn of_conversation(
    state: &AppState,
    conversation: &ConversationId,
    latest_run: Option<&RunId>,
) -> Result<Option<HandoverOfRun>, ApiError> {
    let mut connection = state.store.reader().acquire().await?;
    let of_run = match latest_run {
        Some(run) => handovers::of_run(&mut connection, run).await?,
        None => None,
    };
    let handover = match of_run {
        Some(handover) => Some(handover),
        None => handovers::newest_of(&mut connection, conversation).await?,
    };
    Ok(handover.map(|handover| HandoverOfRun {
        reference: handover.reference,
        sent_at: handover.sent_at,
        run_id: handover.run,
    }))
}

/// What the guest says with it; blank is the same as nothing.
struct Said<'a> {
    reply_to: Option<&'a str>,
    note: Option<&'a str>,
}

impl<'a> Said<'a> {
    fn check(request: &'a HandoverRequest) -> Result<Self, ApiError> {
        let said = |text: Option<&'a String>| text.map(|text| text.trim()).filter(|text| !text.is_empty());
        let (reply_to, note) = (said(request.reply_to.as_ref()), said(request.note.as_ref()));
        let mut errors = Vec::new();
        if let Some(text) = reply_to {
            errors.extend(too_long("/replyTo", text, MAX_REPLY_TO));
            if text.chars().any(|c| c.is_control() || turns_text(c)) {
                errors.push(bad_characters("/replyTo"));
            } else if !is_reachable(text) {
                let message = "expected a telephone number or an e-mail address".to_owned();
                errors.push(refused("/replyTo", ErrorCode::BadFormat, None, message));
            }
        }
        if let Some(text) = note {
            errors.extend(too_long("/note", text, MAX_NOTE));
            if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
                errors.push(bad_characters("/note"));
            }
        }
        if errors.is_empty() {
            Ok(Self { reply_to, note })
        } else {
            Err(ApiError::invalid("invalid-handover", "Some details cannot be taken as they are.", errors))
        }
    }

    /// The same request has the same one: sent again it is no new one.
    fn fingerprint(&self, run: &RunId) -> String {
        format!("{run} {:?} {:?}", self.reply_to, self.note)
    }
}

fn too_long(path: &str, text: &str, max: usize) -> Option<FieldError> {
    (text.chars().count() > max)
        .then(|| refused(path, ErrorCode::TooLong, Some(max), format!("at most {max} characters")))
}

fn bad_characters(path: &str) -> FieldError {
    refused(path, ErrorCode::BadCharacters, None, "control characters cannot be sent".to_owned())
}

fn refused(path: &str, code: ErrorCode, max: Option<usize>, message: String) -> FieldError {
    let params = max.map(|max| Map::from_iter([("max".to_owned(), max.into())]));
    FieldError { path: path.to_owned(), code, params, message }
}
