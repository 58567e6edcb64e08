//! The words for the end of a message.

/// Why it ended, as `finish_reason` says.
#[derive(Clone, Copy, PartialEq)]
pub enum Finish {
    Stop,
    ToolCalls,
    Length,
    ContentFilter,
    /// Mistral's word for a full context window.
    ModelLength,
    Unknown,
}

impl Finish {
    pub fn parse(reason: &str) -> Self {
        match reason {
            "stop" => Self::Stop,
            "tool_calls" | "function_call" => Self::ToolCalls,
            "length" => Self::Length,
            "content_filter" => Self::ContentFilter,
            "model_length" => Self::ModelLength,
            _ => Self::Unknown,
        }
    }

    /// Of servers that say both.
    pub fn join(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Stop, Self::ToolCalls) | (Self::ToolCalls, Self::Stop) => Some(Self::ToolCalls),
            (one, other) => (one == other).then_some(one),
        }
    }
}
