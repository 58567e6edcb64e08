//! What is checked, and how a check can end.

use serde::Serialize;

/// One thing that a model has to be able to do here, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    Answers,
    Streams,
    CountsTokens,
    CallsATool,
    CallsTwoAtOnce,
    HearsResults,
    HearsAnError,
}

impl Check {
    pub const ALL: [Self; 7] = [
        Self::Answers,
        Self::Streams,
        Self::CountsTokens,
        Self::CallsATool,
        Self::CallsTwoAtOnce,
        Self::HearsResults,
        Self::HearsAnError,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Answers => "answers in words, and stops",
            Self::Streams => "streams its answer",
            Self::CountsTokens => "says what it used",
            Self::CallsATool => "calls a tool with right arguments",
            Self::CallsTwoAtOnce => "calls two at once",
            Self::HearsResults => "answers after results, and stops",
            Self::HearsAnError => "hears that a tool failed",
        }
    }
}

/// How a check ended. `note`: what was seen; `advice`: what to try.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Passed {
        note: String,
    },
    /// The product works with it, with a limit.
    Limited {
        note: String,
        advice: String,
    },
    Failed {
        note: String,
        advice: String,
    },
    /// Without what failed before it cannot be asked.
    NotAsked {
        note: String,
    },
}

impl Outcome {
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Passed { .. } => "passed",
            Self::Limited { .. } => "limited",
            Self::Failed { .. } => "failed",
            Self::NotAsked { .. } => "not-asked",
        }
    }

    pub fn note(&self) -> &str {
        match self {
            Self::Passed { note }
            | Self::Limited { note, .. }
            | Self::Failed { note, .. }
            | Self::NotAsked { note } => note,
        }
    }

    pub fn advice(&self) -> Option<&str> {
        match self {
            Self::Limited { advice, .. } | Self::Failed { advice, .. } => Some(advice),
            Self::Passed { .. } | Self::NotAsked { .. } => None,
        }
    }

    /// Whether the product works with a model of which this is true.
    pub fn is_good_enough(&self) -> bool {
        match self {
            Self::Passed { .. } | Self::Limited { .. } => true,
            Self::Failed { .. } | Self::NotAsked { .. } => false,
        }
    }
}
