//! The entries of a conversation's log, as stored and as sent.

use chrono::{DateTime, Utc};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::error_code::ErrorCode;
use crate::ids::{ApprovalId, ClientMessageId, MessageId, RunId, ToolCallId};
use crate::run::{RunStatus, Usage};
use crate::wire::Members;

/// One event. Tool events patch the part with their `toolCallId`, in whatever message it is.
///
/// Arguments, previews and outputs are plain JSON here; the reducer parses them into the tool's
/// types and refuses what does not fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
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
        #[serde(skip_serializing_if = "Option::is_none")]
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
        #[serde(skip_serializing_if = "Option::is_none")]
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
        #[serde(skip_serializing_if = "Option::is_none")]
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
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<ToolCallId>,
    },
    ToolOutputUnknown {
        tool_call_id: ToolCallId,
    },
}

impl AgentEvent {
    /// Whether it only goes on with a text: many come, and each means little.
    pub fn is_delta(&self) -> bool {
        match self {
            Self::TextDelta { .. } | Self::ReasoningDelta { .. } | Self::ToolInputDelta { .. } => true,
            Self::UserMessage { .. }
            | Self::RunStarted { .. }
            | Self::RunFinished { .. }
            | Self::StepStarted { .. }
            | Self::StepReset { .. }
            | Self::ModelRetrying { .. }
            | Self::ToolInputStart { .. }
            | Self::ToolInputAvailable { .. }
            | Self::ToolApprovalRequested { .. }
            | Self::ToolApprovalResponded { .. }
            | Self::ToolOutputAvailable { .. }
            | Self::ToolOutputUpdated { .. }
            | Self::ToolOutputError { .. }
            | Self::ToolOutputDenied { .. }
            | Self::ToolOutputCancelled { .. }
            | Self::ToolOutputUnknown { .. } => false,
        }
    }
}

impl<'de> Deserialize<'de> for AgentEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Members::read(deserializer)?;
        read(&members).map_err(D::Error::custom)
    }
}

fn read(event: &Members) -> Result<AgentEvent, serde_json::Error> {
    Ok(match event.tag("type")? {
        "user-message" => AgentEvent::UserMessage {
            message_id: event.must("messageId")?,
            client_message_id: event.must("clientMessageId")?,
            text: event.must("text")?,
        },
        "run-started" => {
            AgentEvent::RunStarted { run_id: event.must("runId")?, message_id: event.must("messageId")? }
        }
        "run-finished" => AgentEvent::RunFinished {
            run_id: event.must("runId")?,
            status: event.must("status")?,
            usage: event.may("usage")?,
        },
        "step-started" => AgentEvent::StepStarted { step: event.must("step")? },
        "step-reset" => AgentEvent::StepReset { step: event.must("step")? },
        "text-delta" => AgentEvent::TextDelta { text: event.must("text")? },
        "reasoning-delta" => AgentEvent::ReasoningDelta { text: event.must("text")? },
        "model-retrying" => {
            AgentEvent::ModelRetrying { step: event.must("step")?, attempt: event.must("attempt")? }
        }
        "tool-input-start" => AgentEvent::ToolInputStart {
            tool_call_id: event.must("toolCallId")?,
            tool_name: event.must("toolName")?,
        },
        "tool-input-delta" => AgentEvent::ToolInputDelta {
            tool_call_id: event.must("toolCallId")?,
            input_text_delta: event.must("inputTextDelta")?,
        },
        "tool-input-available" => AgentEvent::ToolInputAvailable {
            tool_call_id: event.must("toolCallId")?,
            input: event.must("input")?,
        },
        "tool-approval-requested" => AgentEvent::ToolApprovalRequested {
            tool_call_id: event.must("toolCallId")?,
            approval_id: event.must("approvalId")?,
            expires_at: event.must("expiresAt")?,
            preview: event.must("preview")?,
        },
        "tool-approval-responded" => AgentEvent::ToolApprovalResponded {
            tool_call_id: event.must("toolCallId")?,
            approved: event.must("approved")?,
            input: event.may("input")?,
        },
        "tool-output-available" => AgentEvent::ToolOutputAvailable {
            tool_call_id: event.must("toolCallId")?,
            output: event.must("output")?,
        },
        "tool-output-updated" => AgentEvent::ToolOutputUpdated {
            tool_call_id: event.must("toolCallId")?,
            output: event.must("output")?,
            revision: event.must("revision")?,
        },
        "tool-output-error" => AgentEvent::ToolOutputError {
            tool_call_id: event.must("toolCallId")?,
            kind: event.must("kind")?,
            code: event.must("code")?,
            params: event.may("params")?,
            error_text: event.must("errorText")?,
        },
        "tool-output-denied" => AgentEvent::ToolOutputDenied { tool_call_id: event.must("toolCallId")? },
        "tool-output-cancelled" => AgentEvent::ToolOutputCancelled {
            tool_call_id: event.must("toolCallId")?,
            reason: event.must("reason")?,
            of: event.may("of")?,
        },
        "tool-output-unknown" => AgentEvent::ToolOutputUnknown { tool_call_id: event.must("toolCallId")? },
        other => return Err(serde_json::Error::custom(format_args!("unknown event `{other}`"))),
    })
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
