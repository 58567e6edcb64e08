//! How a call ends, whatever the reason: one event, one result, in the caller's transaction.

use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::event::{AgentEvent, CancelReason, ToolErrorKind};
use shared::ids::ToolCallId;

use super::wording;
use crate::db::Error;
use crate::store::{EndedAs, ModelResult, RunRow, WriteTx};

/// Why a call gave no output: for the person and for the model.
#[derive(Debug)]
pub struct CallError {
    pub kind: ToolErrorKind,
    pub code: ErrorCode,
    pub params: Option<Map<String, Value>>,
    /// For the person, where the page does not know `code`.
    pub error_text: String,
    pub for_model: String,
}

impl CallError {
    /// It broke while it was looked up for the person: the tool itself has not run.
    pub fn before_running(self) -> Self {
        let kind = match self.kind {
            ToolErrorKind::Tool => ToolErrorKind::Unavailable,
            ToolErrorKind::Input => ToolErrorKind::Input,
            ToolErrorKind::Unavailable => ToolErrorKind::Unavailable,
        };
        Self { kind, ..self }
    }
}

pub async fn fail(
    tx: &mut WriteTx,
    run: &mut RunRow,
    call: &ToolCallId,
    error: CallError,
) -> Result<AgentEvent, Error> {
    run.tool_errors += 1;
    let result = ModelResult { content: error.for_model, note: None, is_error: true };
    tx.end_call(call, EndedAs::Error, &result).await?;
    Ok(AgentEvent::ToolOutputError {
        tool_call_id: call.clone(),
        kind: error.kind,
        code: error.code,
        params: error.params,
        error_text: error.error_text,
    })
}

pub async fn cancel(tx: &mut WriteTx, call: &ToolCallId, reason: CancelReason) -> Result<AgentEvent, Error> {
    tx.end_call(call, EndedAs::Cancelled, &wording::cancelled(reason)).await?;
    Ok(AgentEvent::ToolOutputCancelled { tool_call_id: call.clone(), reason, of: None })
}

/// Nobody knows yet what came of it.
pub async fn unknown(tx: &mut WriteTx, call: &ToolCallId) -> Result<AgentEvent, Error> {
    tx.end_call(call, EndedAs::Unknown, &wording::unknown()).await?;
    Ok(AgentEvent::ToolOutputUnknown { tool_call_id: call.clone() })
}

/// The call asks for what another one stands for.
pub async fn repeat(
    tx: &mut WriteTx,
    call: &ToolCallId,
    first: &ToolCallId,
    result: ModelResult,
) -> Result<AgentEvent, Error> {
    tx.end_call(call, EndedAs::Repeated, &result).await?;
    Ok(AgentEvent::ToolOutputCancelled {
        tool_call_id: call.clone(),
        reason: CancelReason::Repeated,
        of: Some(first.clone()),
    })
}
