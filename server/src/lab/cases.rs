//! The cases, and what each of them has to show.

use clap::ValueEnum;

/// Calls of the model until the run is stopped.
pub const STEP_LIMIT: u32 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "UPPER")]
pub enum CaseName {
    /// A refund that always fails, and a model that never gives up
    B,
    /// No key; killed, and resumed
    C1,
    /// The tool call's id as the key; killed, and resumed
    C2,
    /// The tool call's id as the key; killed, and begun again from nothing
    C3,
    /// The business key; killed, and begun again from nothing
    C4,
}

/// By what the payment provider knows a refund again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum KeyStrategy {
    /// By nothing: each attempt is a new one
    None,
    /// By the id of the tool call that asks for it
    CallId,
    /// By the thing done: the order and its generation
    Business,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The provider refuses every refund.
    Refusals,
    /// The server is killed when the provider has paid, before it has heard so.
    Crash(Restart),
}

/// How the work goes on after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// On the same database: the run is taken up where it was.
    Resume,
    /// The database is gone: the guest says the same again.
    FromNothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub name: CaseName,
    pub key: KeyStrategy,
    pub fault: Fault,
    /// How many refunds the provider must have in the end.
    pub refunds: usize,
}

pub const CASES: [Case; 5] = [
    Case { name: CaseName::B, key: KeyStrategy::Business, fault: Fault::Refusals, refunds: 0 },
    Case { name: CaseName::C1, key: KeyStrategy::None, fault: Fault::Crash(Restart::Resume), refunds: 2 },
    Case { name: CaseName::C2, key: KeyStrategy::CallId, fault: Fault::Crash(Restart::Resume), refunds: 1 },
    Case {
        name: CaseName::C3,
        key: KeyStrategy::CallId,
        fault: Fault::Crash(Restart::FromNothing),
        refunds: 2,
    },
    Case {
        name: CaseName::C4,
        key: KeyStrategy::Business,
        fault: Fault::Crash(Restart::FromNothing),
        refunds: 1,
    },
];

impl CaseName {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::B => "B",
            Self::C1 => "C1",
            Self::C2 => "C2",
            Self::C3 => "C3",
            Self::C4 => "C4",
        }
    }
}

impl KeyStrategy {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::CallId => "call-id",
            Self::Business => "business",
        }
    }
}

impl Fault {
    /// How the work goes on, as programs read it.
    pub fn restart(self) -> &'static str {
        match self {
            Self::Refusals => "none",
            Self::Crash(Restart::Resume) => "resume",
            Self::Crash(Restart::FromNothing) => "from-nothing",
        }
    }
}

/// What happened in a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub case: Case,
    /// The one that was used: the case's own, if nobody exchanged it.
    pub key: KeyStrategy,
    /// The provider's rows.
    pub refunds: Vec<Refund>,
    /// What each call of the model was sent, in tokens as the model counts them.
    pub tokens_per_step: Vec<u64>,
    /// The process that was killed.
    pub killed: Option<u32>,
}

/// A refund as the provider has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    pub key: String,
    /// Whole đồng.
    pub amount: u64,
}

impl Seen {
    pub fn tokens(&self) -> u64 {
        self.tokens_per_step.iter().sum()
    }

    /// What is otherwise than it has to be: a sentence each.
    pub fn differences(&self) -> Vec<String> {
        let (name, wanted) = (self.case.name.as_str(), self.case.refunds);
        let mut differences = Vec::new();
        if self.refunds.len() != wanted {
            differences
                .push(format!("{name} must end with {wanted} refunds, not with {}", self.refunds.len()));
        }
        match self.case.fault {
            Fault::Refusals => {
                let steps = self.tokens_per_step.len();
                if steps != STEP_LIMIT as usize {
                    differences
                        .push(format!("{name} must end after {STEP_LIMIT} calls of the model, not {steps}"));
                }
                if !self.tokens_per_step.is_sorted_by(|one, next| one < next) {
                    differences.push(format!("{name} must send more with each call of the model"));
                }
            }
            Fault::Crash(_) => {}
        }
        differences
    }
}
