//! A run's statuses and its token usage.

use serde::{Deserialize, Serialize};

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunStatus {
    /// Waits for a worker.
    Queued,
    /// A worker has it.
    Running,
    /// Parked: every open call waits for a person.
    AwaitingApproval,
    Done,
    StepLimit,
    TooManyToolErrors,
    RepeatedCall,
    TokenBudget,
    TimeLimit,
    /// The provider's context window is full.
    ContextFull,
    /// The model's answer was cut at its output limit.
    Truncated,
    /// The model declined to answer.
    Refused,
    /// Stopped or superseded by the guest, or every question to them expired.
    Cancelled,
    /// The provider's stream ended early.
    Interrupted,
    Failed,
}

/// The three lives of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunPhase {
    /// Queued or running: a new message must wait.
    Live,
    /// Waits for a person: a new message supersedes it.
    Parked,
    Ended,
}

impl RunStatus {
    pub const ALL: [RunStatus; 15] = [
        Self::Queued,
        Self::Running,
        Self::AwaitingApproval,
        Self::Done,
        Self::StepLimit,
        Self::TooManyToolErrors,
        Self::RepeatedCall,
        Self::TokenBudget,
        Self::TimeLimit,
        Self::ContextFull,
        Self::Truncated,
        Self::Refused,
        Self::Cancelled,
        Self::Interrupted,
        Self::Failed,
    ];

    pub fn phase(self) -> RunPhase {
        match self {
            Self::Queued | Self::Running => RunPhase::Live,
            Self::AwaitingApproval => RunPhase::Parked,
            Self::Done
            | Self::StepLimit
            | Self::TooManyToolErrors
            | Self::RepeatedCall
            | Self::TokenBudget
            | Self::TimeLimit
            | Self::ContextFull
            | Self::Truncated
            | Self::Refused
            | Self::Cancelled
            | Self::Interrupted
            | Self::Failed => RunPhase::Ended,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::AwaitingApproval => "awaiting-approval",
            Self::Done => "done",
            Self::StepLimit => "step-limit",
            Self::TooManyToolErrors => "too-many-tool-errors",
            Self::RepeatedCall => "repeated-call",
            Self::TokenBudget => "token-budget",
            Self::TimeLimit => "time-limit",
            Self::ContextFull => "context-full",
            Self::Truncated => "truncated",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }
}

/// Tokens that a run has used, in sum over its model calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
}

impl Usage {
    /// Everything that counts against the token budget.
    pub fn total(self) -> u64 {
        self.input_tokens
            + self.output_tokens
            + self.cache_read_tokens.unwrap_or(0)
            + self.cache_write_tokens.unwrap_or(0)
    }
}

impl std::ops::Add for Usage {
    type Output = Usage;

    fn add(self, other: Usage) -> Usage {
        let both = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0) + b.unwrap_or(0)),
        };
        Usage {
            input_tokens: self.input_tokens + other.input_tokens,
            output_tokens: self.output_tokens + other.output_tokens,
            cache_read_tokens: both(self.cache_read_tokens, other.cache_read_tokens),
            cache_write_tokens: both(self.cache_write_tokens, other.cache_write_tokens),
        }
    }
}
