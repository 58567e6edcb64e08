//! What the model hears of a call that gave no output. One or two sentences, nothing internal, and
//! whether to try again.

use serde_json::Value;
use shared::error_code::ErrorCode;
use shared::event::{CancelReason, ToolErrorKind};
use shared::tools::{Tool, ToolName};

use super::calls::CallError;
use crate::store::{EndedAs, ModelResult};
use crate::text::one_line;
use crate::tools::arguments::InvalidArguments;
use crate::tools::contract::Refused;

pub fn output(output: &Value, edits: Option<String>) -> ModelResult {
    ModelResult { content: harmless(output).to_string(), note: edits, is_error: false }
}

/// The longest reason that a model is given, in characters: it may list places and times.
const MAX_SENTENCE_CHARS: usize = 2000;

/// The longest string of an output that a model is given, in characters.
const MAX_CHARS: usize = 500;

/// An output as a model may read it: names and notes are strangers' words, so they are one line each, of a
/// bounded length, without characters that control or turn what is around them.
fn harmless(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(one_line(text, MAX_CHARS)),
        Value::Array(items) => Value::Array(items.iter().map(harmless).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), harmless(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

pub fn unknown_tool(name: &str) -> CallError {
    let shown: String = name.chars().take(60).collect();
    let known: Vec<&str> = ToolName::ALL.iter().map(|name| name.as_str()).collect();
    CallError {
        kind: ToolErrorKind::Unavailable,
        code: ErrorCode::UnknownTool,
        params: None,
        error_text: "There is no such tool.".into(),
        for_model: format!(
            "Unknown tool \"{shown}\". Nothing was done. Available tools: {}.",
            known.join(", ")
        ),
    }
}

pub fn switched_off(name: &str) -> CallError {
    CallError {
        kind: ToolErrorKind::Unavailable,
        code: ErrorCode::SwitchedOff,
        params: None,
        error_text: "This is switched off at the moment.".into(),
        for_model: format!("{name} is switched off. Nothing was done. Tell the user; do not try again."),
    }
}

pub fn frozen(name: &str) -> CallError {
    CallError {
        kind: ToolErrorKind::Unavailable,
        code: ErrorCode::Frozen,
        params: None,
        error_text: "Bookings, changes, cancellations and refunds are paused at the moment.".into(),
        for_model: format!(
            "{name} is switched off for now: the house has paused all bookings, changes, cancellations and refunds. Nothing was \
             done. Tell the user; do not try again."
        ),
    }
}

pub fn invalid_arguments(name: &str, invalid: &InvalidArguments) -> CallError {
    let reasons: Vec<&str> = invalid.errors.iter().map(|error| error.message.as_str()).collect();
    CallError {
        kind: ToolErrorKind::Input,
        code: ErrorCode::InvalidInput,
        params: None,
        error_text: format!("The details were not usable: {}", reasons.join("; ")),
        for_model: invalid.for_model(name),
    }
}

pub fn refused(refused: Refused) -> CallError {
    CallError {
        kind: ToolErrorKind::Input,
        code: refused.code,
        params: (!refused.params.is_empty()).then_some(refused.params),
        for_model: format!(
            "Not done: {} Tell the user, or call the tool again with other arguments; not with the same ones.",
            one_line(&refused.message, MAX_SENTENCE_CHARS)
        ),
        error_text: refused.message,
    }
}

pub fn conflicts_with_earlier() -> CallError {
    CallError {
        kind: ToolErrorKind::Input,
        code: ErrorCode::ConflictsWithEarlier,
        params: None,
        error_text: "The same thing is already booked or asked for, with other details.".into(),
        for_model:
            "Not done: the same thing is already booked or waiting for the user's decision, with other \
                    details. Do not repeat it; tell the user."
                .into(),
    }
}

/// Another request's live effect is in the way.
pub fn conflicts(refused: Refused) -> CallError {
    CallError {
        kind: ToolErrorKind::Input,
        code: refused.code,
        params: (!refused.params.is_empty()).then_some(refused.params),
        for_model: format!(
            "Not done: {} Do not repeat it; tell the user.",
            one_line(&refused.message, MAX_SENTENCE_CHARS)
        ),
        error_text: refused.message,
    }
}

/// Whoever should have done it did not, for certain.
pub fn not_done(refused: Refused) -> CallError {
    CallError {
        kind: ToolErrorKind::Tool,
        code: refused.code,
        params: (!refused.params.is_empty()).then_some(refused.params),
        for_model: format!(
            "Not done: {} Tell the user and do not try again now.",
            one_line(&refused.message, MAX_SENTENCE_CHARS)
        ),
        error_text: refused.message,
    }
}

/// For the person, where it turned out late that nothing was done.
pub const NEVER_ARRIVED: &str = "It never arrived; nothing was done.";

const UNKNOWN: &str = "It is not known yet whether this was done; it is being looked into. Do not try again. Tell the \
                       user that it is not known yet, and that they will see here what came of it.";

pub fn unknown() -> ModelResult {
    ModelResult { content: UNKNOWN.into(), note: None, is_error: true }
}

pub fn failed<T: Tool>() -> CallError {
    CallError {
        kind: ToolErrorKind::Tool,
        code: ErrorCode::ToolFailed,
        params: None,
        error_text: "This does not work at the moment. Nothing was done.".into(),
        for_model: format!(
            "{} is temporarily unavailable. Nothing was done. Tell the user and do not try again now.",
            T::NAME
        ),
    }
}

pub fn timed_out<T: Tool>() -> CallError {
    CallError {
        kind: ToolErrorKind::Tool,
        code: ErrorCode::Timeout,
        params: None,
        error_text: "This took too long. Nothing was done.".into(),
        for_model: format!(
            "{} took too long to answer. Nothing was done. Tell the user and do not try again now.",
            T::NAME
        ),
    }
}

pub fn denied() -> ModelResult {
    ModelResult {
        content: "The user declined. Nothing was done. Ask what to change; do not propose the same again."
            .into(),
        note: None,
        is_error: false,
    }
}

pub fn cancelled(reason: CancelReason) -> ModelResult {
    let why = match reason {
        CancelReason::Stopped => "the user stopped it",
        CancelReason::Superseded => "the user wrote a new message instead of deciding",
        CancelReason::Expired => "the user did not decide in time and the question expired",
        CancelReason::Interrupted => "the turn was cut off",
        CancelReason::Limit => "a limit was reached",
        CancelReason::Repeated => "it was a repetition",
    };
    ModelResult { content: format!("Cancelled: {why}. Nothing was done."), note: None, is_error: true }
}

/// For a second call with the business key and the request of a first one, whose outcome stands.
pub fn repeated(first: Option<&ModelResult>, ended_as: Option<EndedAs>) -> ModelResult {
    let note = "This is the same request as an earlier call. Nothing was done a second time; this is the first \
                call's outcome.";
    match (first, ended_as) {
        (Some(first), Some(EndedAs::Output | EndedAs::Denied)) => {
            ModelResult { content: first.content.clone(), note: Some(note.into()), is_error: first.is_error }
        }
        (_, Some(EndedAs::Unknown)) => ModelResult {
            content: format!("An earlier call asks for the same. {UNKNOWN} Nothing was done by this call."),
            note: None,
            is_error: false,
        },
        (
            _,
            None
            | Some(EndedAs::Output | EndedAs::Denied | EndedAs::Error | EndedAs::Cancelled | EndedAs::Repeated),
        ) => ModelResult {
            content:
                "The same request is already waiting for the user's decision; see the result of the earlier \
                          call. Nothing was done by this call."
                    .into(),
            note: None,
            is_error: false,
        },
    }
}

/// What the person changed before agreeing, for the model.
pub fn edits(proposed: &Value, executed: &Value) -> Option<String> {
    let (Value::Object(proposed), Value::Object(executed)) = (proposed, executed) else { return None };
    let mut changes = Vec::new();
    let names = proposed.keys().chain(executed.keys().filter(|name| !proposed.contains_key(*name)));
    for name in names {
        let (before, after) = (proposed.get(name), executed.get(name));
        if before != after {
            let show = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            changes.push(format!("{name} from {} to {}", show(before), show(after)));
        }
    }
    (!changes.is_empty())
        .then(|| format!("The user edited the arguments before confirming: {}.", changes.join(", ")))
}
