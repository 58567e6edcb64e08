//! The life of one tool call: its states, and which may follow which.
//!
//! ```text
//! input-streaming -> input-available -> (approval-requested -> approval-responded ->) output-available
//!        |                 |                    |                     |              output-error
//!        +-----------------+--------------------+---------------------+------------> output-denied
//!                                                                                     output-cancelled
//!                                                                                     output-unknown
//! ```

use chrono::{DateTime, Utc};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::error_code::ErrorCode;
use crate::event::{AgentEvent, CancelReason, ToolErrorKind};
use crate::ids::{ApprovalId, ToolCallId};
use crate::partial;
use crate::reduce::Refusal;
use crate::tools::Tool;
use crate::wire::Members;

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", bound = "")]
pub struct ToolCall<T: Tool> {
    pub tool_call_id: ToolCallId,
    #[serde(flatten)]
    pub state: ToolState<T>,
}

/// What is known about a call, by how far it has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case", rename_all_fields = "camelCase", bound = "")]
pub enum ToolState<T: Tool> {
    /// The arguments are still coming: to be shown, never acted on.
    InputStreaming {
        #[serde(flatten)]
        input: StreamingInput,
    },
    /// Validated arguments.
    InputAvailable { input: T::Input },
    /// Waits for a person.
    ApprovalRequested {
        input: T::Input,
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        approval: Approval<T::Preview>,
    },
    /// Decided; not run yet.
    ApprovalResponded {
        input: T::Input,
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        approval: DecidedApproval<T::Preview>,
    },
    OutputAvailable {
        /// What ran.
        input: T::Input,
        /// What the model had proposed, where a person edited it.
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        #[serde(skip_serializing_if = "Option::is_none")]
        approval: Option<DecidedApproval<T::Preview>>,
        output: T::Output,
        /// Rises with every later change of the output; absent: never changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        revision: Option<u64>,
    },
    OutputError {
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<T::Input>,
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        kind: ToolErrorKind,
        code: ErrorCode,
        #[serde(skip_serializing_if = "Option::is_none")]
        params: Option<Map<String, Value>>,
        error_text: String,
    },
    /// The person declined.
    OutputDenied {
        input: T::Input,
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        approval: DecidedApproval<T::Preview>,
    },
    OutputCancelled {
        #[serde(skip_serializing_if = "Option::is_none")]
        input: Option<T::Input>,
        reason: CancelReason,
        #[serde(skip_serializing_if = "Option::is_none")]
        of: Option<ToolCallId>,
    },
    /// May have been done; being looked into.
    OutputUnknown {
        input: T::Input,
        #[serde(skip_serializing_if = "Option::is_none")]
        proposed_input: Option<T::Input>,
        #[serde(skip_serializing_if = "Option::is_none")]
        approval: Option<DecidedApproval<T::Preview>>,
    },
}

impl<'de, T: Tool> Deserialize<'de> for ToolCall<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let members = Members::read(deserializer)?;
        let tool_call_id = members.must("toolCallId").map_err(D::Error::custom)?;
        let state = read(&members).map_err(D::Error::custom)?;
        Ok(Self { tool_call_id, state })
    }
}

fn read<T: Tool>(call: &Members) -> Result<ToolState<T>, serde_json::Error> {
    let name = call.tag("state")?;
    let name = StateName::parse(name)
        .ok_or_else(|| serde_json::Error::custom(format_args!("unknown state `{name}`")))?;
    Ok(match name {
        StateName::InputStreaming => {
            ToolState::InputStreaming { input: StreamingInput { input_text: call.must("inputText")? } }
        }
        StateName::InputAvailable => ToolState::InputAvailable { input: call.must("input")? },
        StateName::ApprovalRequested => ToolState::ApprovalRequested {
            input: call.must("input")?,
            proposed_input: call.may("proposedInput")?,
            approval: call.must("approval")?,
        },
        StateName::ApprovalResponded => ToolState::ApprovalResponded {
            input: call.must("input")?,
            proposed_input: call.may("proposedInput")?,
            approval: call.must("approval")?,
        },
        StateName::OutputAvailable => ToolState::OutputAvailable {
            input: call.must("input")?,
            proposed_input: call.may("proposedInput")?,
            approval: call.may("approval")?,
            output: call.must("output")?,
            revision: call.may("revision")?,
        },
        StateName::OutputError => ToolState::OutputError {
            input: call.may("input")?,
            proposed_input: call.may("proposedInput")?,
            kind: call.must("kind")?,
            code: call.must("code")?,
            params: call.may("params")?,
            error_text: call.must("errorText")?,
        },
        StateName::OutputDenied => ToolState::OutputDenied {
            input: call.must("input")?,
            proposed_input: call.may("proposedInput")?,
            approval: call.must("approval")?,
        },
        StateName::OutputCancelled => ToolState::OutputCancelled {
            input: call.may("input")?,
            reason: call.must("reason")?,
            of: call.may("of")?,
        },
        StateName::OutputUnknown => ToolState::OutputUnknown {
            input: call.must("input")?,
            proposed_input: call.may("proposedInput")?,
            approval: call.may("approval")?,
        },
    })
}

/// A state's name, as at `data-state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StateName {
    InputStreaming,
    InputAvailable,
    ApprovalRequested,
    ApprovalResponded,
    OutputAvailable,
    OutputError,
    OutputDenied,
    OutputCancelled,
    OutputUnknown,
}

impl StateName {
    /// In the order of a part's life.
    pub const ALL: [Self; 9] = [
        Self::InputStreaming,
        Self::InputAvailable,
        Self::ApprovalRequested,
        Self::ApprovalResponded,
        Self::OutputAvailable,
        Self::OutputError,
        Self::OutputDenied,
        Self::OutputCancelled,
        Self::OutputUnknown,
    ];

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == text)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::InputStreaming => "input-streaming",
            Self::InputAvailable => "input-available",
            Self::ApprovalRequested => "approval-requested",
            Self::ApprovalResponded => "approval-responded",
            Self::OutputAvailable => "output-available",
            Self::OutputError => "output-error",
            Self::OutputDenied => "output-denied",
            Self::OutputCancelled => "output-cancelled",
            Self::OutputUnknown => "output-unknown",
        }
    }
}

/// The arguments' text so far. Its finished fields are worked out when somebody looks (here: when
/// it is written out), so that folding a delta costs no more than appending it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StreamingInput {
    pub input_text: String,
}

impl Serialize for StreamingInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct OnWire<'a> {
            input_text: &'a str,
            partial_input: Map<String, Value>,
        }
        let partial_input = partial::parse(&self.input_text);
        OnWire { input_text: &self.input_text, partial_input }.serialize(serializer)
    }
}

/// A question to a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval<P> {
    pub approval_id: ApprovalId,
    pub expires_at: DateTime<Utc>,
    pub preview: P,
}

/// A question with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DecidedApproval<P> {
    pub approval_id: ApprovalId,
    pub expires_at: DateTime<Utc>,
    pub preview: P,
    pub approved: bool,
}

impl<P> Approval<P> {
    fn decided(self, approved: bool) -> DecidedApproval<P> {
        let Self { approval_id, expires_at, preview } = self;
        DecidedApproval { approval_id, expires_at, preview, approved }
    }
}

impl<T: Tool> ToolState<T> {
    pub fn name(&self) -> StateName {
        match self {
            Self::InputStreaming { .. } => StateName::InputStreaming,
            Self::InputAvailable { .. } => StateName::InputAvailable,
            Self::ApprovalRequested { .. } => StateName::ApprovalRequested,
            Self::ApprovalResponded { .. } => StateName::ApprovalResponded,
            Self::OutputAvailable { .. } => StateName::OutputAvailable,
            Self::OutputError { .. } => StateName::OutputError,
            Self::OutputDenied { .. } => StateName::OutputDenied,
            Self::OutputCancelled { .. } => StateName::OutputCancelled,
            Self::OutputUnknown { .. } => StateName::OutputUnknown,
        }
    }

    /// The arguments that count now, where there are validated ones.
    pub fn input(&self) -> Option<&T::Input> {
        match self {
            Self::InputStreaming { .. } => None,
            Self::InputAvailable { input }
            | Self::ApprovalRequested { input, .. }
            | Self::ApprovalResponded { input, .. }
            | Self::OutputAvailable { input, .. }
            | Self::OutputDenied { input, .. }
            | Self::OutputUnknown { input, .. } => Some(input),
            Self::OutputError { input, .. } | Self::OutputCancelled { input, .. } => input.as_ref(),
        }
    }

    fn proposed_input(&self) -> Option<&T::Input> {
        match self {
            Self::InputStreaming { .. } | Self::InputAvailable { .. } | Self::OutputCancelled { .. } => None,
            Self::ApprovalRequested { proposed_input, .. }
            | Self::ApprovalResponded { proposed_input, .. }
            | Self::OutputAvailable { proposed_input, .. }
            | Self::OutputError { proposed_input, .. }
            | Self::OutputDenied { proposed_input, .. }
            | Self::OutputUnknown { proposed_input, .. } => proposed_input.as_ref(),
        }
    }
}

impl<T: Tool> ToolCall<T> {
    pub fn start(tool_call_id: ToolCallId) -> Self {
        let input = StreamingInput::default();
        Self { tool_call_id, state: ToolState::InputStreaming { input } }
    }

    /// Folds one tool event; where it may not follow, the last true state is kept.
    pub fn apply(&mut self, event: &AgentEvent) -> Result<(), Refusal> {
        // The one step that must not copy what is there already.
        if let AgentEvent::ToolInputDelta { input_text_delta, .. } = event {
            return match &mut self.state {
                ToolState::InputStreaming { input } => {
                    input.input_text.push_str(input_text_delta);
                    Ok(())
                }
                other => Err(Refusal::NotNow(other.name())),
            };
        }
        self.state = next(&self.state, event)?;
        Ok(())
    }
}

/// The state after an event: the table of what may follow what.
fn next<T: Tool>(state: &ToolState<T>, event: &AgentEvent) -> Result<ToolState<T>, Refusal> {
    use ToolState as S;

    let not_now = || Err(Refusal::NotNow(state.name()));
    match event {
        AgentEvent::ToolInputAvailable { input, .. } => {
            let S::InputStreaming { .. } = state else { return not_now() };
            Ok(S::InputAvailable { input: parse(input)? })
        }

        AgentEvent::ToolApprovalRequested { approval_id, expires_at, preview, .. } => {
            let (input, proposed_input) = match state {
                S::InputAvailable { input } => (input.clone(), None),
                // It asks again: what was agreed to no longer holds.
                S::ApprovalResponded { input, proposed_input, approval: before }
                    if before.approved && before.approval_id != *approval_id =>
                {
                    (input.clone(), proposed_input.clone())
                }
                S::InputStreaming { .. }
                | S::ApprovalRequested { .. }
                | S::ApprovalResponded { .. }
                | S::OutputAvailable { .. }
                | S::OutputError { .. }
                | S::OutputDenied { .. }
                | S::OutputCancelled { .. }
                | S::OutputUnknown { .. } => return not_now(),
            };
            let (approval_id, expires_at) = (approval_id.clone(), *expires_at);
            let approval = Approval { approval_id, expires_at, preview: parse(preview)? };
            Ok(S::ApprovalRequested { input, proposed_input, approval })
        }

        AgentEvent::ToolApprovalResponded { approved, input: edited, .. } => {
            let S::ApprovalRequested { input, proposed_input, approval } = state else { return not_now() };
            let approval = approval.clone().decided(*approved);
            let (input, proposed_input) = match edited {
                Some(edited) => {
                    let proposed = proposed_input.clone().unwrap_or_else(|| input.clone());
                    (parse(edited)?, Some(proposed))
                }
                None => (input.clone(), proposed_input.clone()),
            };
            Ok(S::ApprovalResponded { input, proposed_input, approval })
        }

        AgentEvent::ToolOutputAvailable { output, .. } => {
            let (input, proposed_input, approval) = may_have_run(state)?;
            let output = parse(output)?;
            Ok(S::OutputAvailable { input, proposed_input, approval, output, revision: None })
        }

        AgentEvent::ToolOutputUpdated { output, revision, .. } => {
            let S::OutputAvailable { input, proposed_input, approval, revision: before, .. } = state else {
                return not_now();
            };
            if *revision <= before.unwrap_or(0) {
                return not_now();
            }
            Ok(S::OutputAvailable {
                input: input.clone(),
                proposed_input: proposed_input.clone(),
                approval: approval.clone(),
                output: parse(output)?,
                revision: Some(*revision),
            })
        }

        AgentEvent::ToolOutputError { kind, code, params, error_text, .. } => {
            match kind {
                ToolErrorKind::Tool => drop(may_have_run(state)?),
                ToolErrorKind::Input | ToolErrorKind::Unavailable if !may_be_refused(state) => {
                    return not_now();
                }
                ToolErrorKind::Input | ToolErrorKind::Unavailable => {}
            }
            Ok(S::OutputError {
                input: state.input().cloned(),
                proposed_input: state.proposed_input().cloned(),
                kind: *kind,
                code: code.clone(),
                params: params.clone(),
                error_text: error_text.clone(),
            })
        }

        AgentEvent::ToolOutputDenied { .. } => {
            let S::ApprovalResponded { input, proposed_input, approval } = state else { return not_now() };
            if approval.approved {
                return not_now();
            }
            Ok(S::OutputDenied {
                input: input.clone(),
                proposed_input: proposed_input.clone(),
                approval: approval.clone(),
            })
        }

        AgentEvent::ToolOutputCancelled { reason, of, .. } => match state {
            S::InputStreaming { .. }
            | S::InputAvailable { .. }
            | S::ApprovalRequested { .. }
            | S::ApprovalResponded { .. } => {
                let input = state.input().cloned();
                Ok(S::OutputCancelled { input, reason: *reason, of: of.clone() })
            }
            S::OutputAvailable { .. }
            | S::OutputError { .. }
            | S::OutputDenied { .. }
            | S::OutputCancelled { .. }
            | S::OutputUnknown { .. } => not_now(),
        },

        AgentEvent::ToolOutputUnknown { .. } => {
            if let S::OutputUnknown { .. } = state {
                return not_now();
            }
            let (input, proposed_input, approval) = may_have_run(state)?;
            Ok(S::OutputUnknown { input, proposed_input, approval })
        }

        AgentEvent::UserMessage { .. }
        | AgentEvent::RunStarted { .. }
        | AgentEvent::RunFinished { .. }
        | AgentEvent::StepStarted { .. }
        | AgentEvent::StepReset { .. }
        | AgentEvent::TextDelta { .. }
        | AgentEvent::ReasoningDelta { .. }
        | AgentEvent::ModelRetrying { .. }
        | AgentEvent::ToolInputStart { .. }
        | AgentEvent::ToolInputDelta { .. } => not_now(),
    }
}

type Ran<T> = (<T as Tool>::Input, Option<<T as Tool>::Input>, Option<DecidedApproval<<T as Tool>::Preview>>);

/// Whether the call may have run by now, and with what: validated, and agreed to where it must be.
fn may_have_run<T: Tool>(state: &ToolState<T>) -> Result<Ran<T>, Refusal> {
    match state {
        ToolState::InputAvailable { input } if !T::NEEDS_APPROVAL => Ok((input.clone(), None, None)),
        ToolState::ApprovalResponded { input, proposed_input, approval } if approval.approved => {
            Ok((input.clone(), proposed_input.clone(), Some(approval.clone())))
        }
        ToolState::OutputUnknown { input, proposed_input, approval } => {
            Ok((input.clone(), proposed_input.clone(), approval.clone()))
        }
        ToolState::InputAvailable { .. } | ToolState::ApprovalRequested { .. } => Err(Refusal::NotApproved),
        ToolState::ApprovalResponded { .. } => Err(Refusal::NotApproved),
        ToolState::InputStreaming { .. }
        | ToolState::OutputAvailable { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. } => Err(Refusal::NotNow(state.name())),
    }
}

/// Whether the call may still end without having been done: nothing of it has run, or it was never
/// known to have.
fn may_be_refused<T: Tool>(state: &ToolState<T>) -> bool {
    match state {
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::OutputUnknown { .. } => true,
        ToolState::ApprovalResponded { approval, .. } => approval.approved,
        ToolState::OutputAvailable { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. } => false,
    }
}

fn parse<D: DeserializeOwned>(value: &Value) -> Result<D, Refusal> {
    D::deserialize(value).map_err(|error| Refusal::Malformed(error.to_string()))
}
