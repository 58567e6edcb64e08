//! The entries of a conversation's log, as stored and as sent.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error_code::ErrorCode;
use crate::ids::{ApprovalId, ClientMessageId, MessageId, RunId, ToolCallId};
use crate::run::{RunStatus, Usage};

/// One event. Tool events patch the part with their `toolCallId`, in whatever message it is.
///
/// Arguments, previews and outputs are plain JSON here; the reducer parses them into the tool's
/// types and refuses what does not fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AgentEvent {
    UserMessage {
        message_id: MessageId,
        client_message_id: ClientMessageId,
        text: String,
    },
    /// Opens the assistant message that this run fills, or tells that a parked run resumes.
    RunStarted {
        run_id: RunId,
        message_id: MessageId,
    },
    /// The end, or the parking.
    RunFinished {
        run_id: RunId,
        status: RunStatus,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    StepStarted {
        step: u32,
    },
    /// The model call is made again: parts since `step-started` are withdrawn.
    StepReset {
        step: u32,
    },
    TextDelta {
        text: String,
    },
    ReasoningDelta {
        text: String,
    },
    ModelRetrying {
        step: u32,
        attempt: u32,
    },
    ToolInputStart {
        tool_call_id: ToolCallId,
        tool_name: String,
    },
    ToolInputDelta {
        tool_call_id: ToolCallId,
        input_text_delta: String,
    },
    ToolInputAvailable {
        tool_call_id: ToolCallId,
        input: Value,
    },
    ToolApprovalRequested {
        tool_call_id: ToolCallId,
        approval_id: ApprovalId,
        expires_at: DateTime<Utc>,
        preview: Value,
    },
    ToolApprovalResponded {
        tool_call_id: ToolCallId,
        approved: bool,
        /// What shall run, where the person edited it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input: Option<Value>,
    },
    ToolOutputAvailable {
        tool_call_id: ToolCallId,
        output: Value,
    },
    /// The world moved on after the output.
    ToolOutputUpdated {
        tool_call_id: ToolCallId,
        output: Value,
        revision: u64,
    },
    ToolOutputError {
        tool_call_id: ToolCallId,
        kind: ToolErrorKind,
        code: ErrorCode,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        params: Option<Map<String, Value>>,
        /// The fallback, where the reader does not know `code`.
        error_text: String,
    },
    ToolOutputDenied {
        tool_call_id: ToolCallId,
    },
    ToolOutputCancelled {
        tool_call_id: ToolCallId,
        reason: CancelReason,
        /// With `repeated`: the call whose outcome stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<ToolCallId>,
    },
    ToolOutputUnknown {
        tool_call_id: ToolCallId,
    },
}

/// The three kinds of tool failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolErrorKind {
    /// Refused before running.
    Input,
    /// Failed or timed out while running.
    Tool,
    /// No such tool, or switched off.
    Unavailable,
}

/// Why a call ended without being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CancelReason {
    Stopped,
    Superseded,
    Expired,
    Interrupted,
    Limit,
    Repeated,
}
