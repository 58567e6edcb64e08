//! What a model call gives: events on the way, a turn at the end, or a reason why there is none.

use serde_json::Value;
use shared::ids::ToolCallId;
use shared::run::Usage;

/// Shown as it comes, never acted on.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    TextDelta(String),
    ReasoningDelta(String),
    /// A tool call begins; the adapter gives it our id.
    ToolInputStart {
        tool_call_id: ToolCallId,
        name: String,
    },
    ToolInputDelta {
        tool_call_id: ToolCallId,
        delta: String,
    },
    /// The call failed before its first byte and is made again; `attempt` counts from 1.
    Retrying {
        attempt: u32,
    },
}

impl ModelEvent {
    /// Takes in the one that comes next, where it goes on with this one's text.
    ///
    /// # Errors
    /// It does not, and comes back.
    pub fn join(&mut self, next: Self) -> Result<(), Self> {
        match (self, next) {
            (Self::TextDelta(text), Self::TextDelta(more))
            | (Self::ReasoningDelta(text), Self::ReasoningDelta(more)) => text.push_str(&more),
            (
                Self::ToolInputDelta { tool_call_id: open, delta },
                Self::ToolInputDelta { tool_call_id, delta: more },
            ) if *open == tool_call_id => delta.push_str(&more),
            (
                Self::TextDelta(_)
                | Self::ReasoningDelta(_)
                | Self::ToolInputStart { .. }
                | Self::ToolInputDelta { .. }
                | Self::Retrying { .. },
                next,
            ) => return Err(next),
        }
        Ok(())
    }
}

/// A complete turn.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTurn {
    /// In the model's order; calls as [`super::AssistantBlock::ToolCall`].
    pub blocks: Vec<super::AssistantBlock>,
    pub stop: StopReason,
    pub usage: Usage,
}

/// One tool call as proposed.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedCall {
    pub tool_call_id: ToolCallId,
    pub provider_id: String,
    pub name: String,
    pub arguments: String,
}

/// Why the model stopped, by what the loop does then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It has answered.
    EndTurn,
    /// The only reason upon which calls run.
    ToolUse,
    /// Cut at the output limit: none of its calls runs.
    MaxTokens,
    /// It declined: none of its calls runs, its text is not to be trusted.
    Refusal,
    /// The provider paused a long turn: it goes on when the content is sent back.
    Pause,
    /// The context window is full: none of its calls runs.
    ContextFull,
    /// What should have been a call came as text, or not at all: none of its calls runs, its text is no answer.
    Malformed,
    /// Missing, or not in the protocol's table: none of its calls runs.
    Unknown,
}

/// Why there is no turn. `Display` is for the log: it may hold the provider's words.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The stream ended, broke or fell silent after its first byte, without the protocol's proof of
    /// completeness.
    #[error("the stream was cut: {0}")]
    Interrupted(String),
    /// The provider could not be reached or was too busy, also after retries.
    #[error("the provider is unavailable: {0}")]
    Unavailable(String),
    /// The provider refused the request: wrong key, wrong model, a request that it takes for invalid.
    #[error("the provider refused the request: {0}")]
    Rejected(String),
    /// The provider said that the conversation does not fit its context window.
    #[error("the context window is full: {0}")]
    ContextFull(String),
}

impl ModelTurn {
    pub fn calls(&self) -> impl Iterator<Item = ProposedCall> + '_ {
        self.blocks.iter().filter_map(|block| match block {
            super::AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments } => {
                Some(ProposedCall {
                    tool_call_id: tool_call_id.clone(),
                    provider_id: provider_id.clone(),
                    name: name.clone(),
                    arguments: arguments.clone(),
                })
            }
            super::AssistantBlock::Text { .. } | super::AssistantBlock::Opaque { .. } => None,
        })
    }
}

/// Arguments as a JSON object to be sent back: blank ones are `{}`; broken ones are told as such,
/// since the protocols take objects only.
pub fn arguments_as_object(arguments: &str) -> Value {
    if arguments.trim().is_empty() {
        return Value::Object(Default::default());
    }
    match serde_json::from_str(arguments) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        _ => serde_json::json!({ "invalid_json": arguments }),
    }
}
