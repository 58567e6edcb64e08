//! What a turn did, from the record: the line at its end is made of this and of nothing else.

use crate::event::CancelReason;
use crate::ids::ToolCallId;
use crate::message::{MessagePart, UiMessage};
use crate::tool_call::{ToolCall, ToolState};
use crate::tools::{Tool, ToolEffect, ToolPart};

/// How one call stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// Not decided, or not finished.
    Open,
    Waiting,
    Done,
    NotDone,
    Unknown,
    /// Nothing by this call; the outcome of another one stands.
    Repeats(Option<ToolCallId>),
}

pub fn of_call<T: Tool>(call: &ToolCall<T>) -> CallOutcome {
    match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => CallOutcome::Open,
        ToolState::ApprovalRequested { .. } => CallOutcome::Waiting,
        ToolState::ApprovalResponded { approval, .. } if approval.approved => CallOutcome::Open,
        ToolState::ApprovalResponded { .. } => CallOutcome::NotDone,
        ToolState::OutputAvailable { .. } => CallOutcome::Done,
        ToolState::OutputError { .. } | ToolState::OutputDenied { .. } => CallOutcome::NotDone,
        ToolState::OutputCancelled { reason: CancelReason::Repeated, of, .. } => {
            CallOutcome::Repeats(of.clone())
        }
        ToolState::OutputCancelled { .. } => CallOutcome::NotDone,
        ToolState::OutputUnknown { .. } => CallOutcome::Unknown,
    }
}

/// The calls of one assistant message that have an effect in the world, by how they stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnOutcome<'a> {
    pub open: Vec<&'a ToolPart>,
    pub waiting: Vec<&'a ToolPart>,
    pub done: Vec<&'a ToolPart>,
    pub not_done: Vec<&'a ToolPart>,
    pub unknown: Vec<&'a ToolPart>,
    /// Calls that point to an earlier one, whose outcome stands.
    pub repeats: Vec<&'a ToolPart>,
}

impl<'a> TurnOutcome<'a> {
    pub fn of(message: &'a UiMessage) -> Self {
        let mut turn = Self::default();
        for part in &message.parts {
            let MessagePart::Tool(part) = part else { continue };
            match part.effect() {
                ToolEffect::Read => {}
                ToolEffect::Write => match part.outcome() {
                    CallOutcome::Open => turn.open.push(part),
                    CallOutcome::Waiting => turn.waiting.push(part),
                    CallOutcome::Done => turn.done.push(part),
                    CallOutcome::NotDone => turn.not_done.push(part),
                    CallOutcome::Unknown => turn.unknown.push(part),
                    CallOutcome::Repeats(_) => turn.repeats.push(part),
                },
            }
        }
        turn
    }

    /// Whether the line "nothing was booked, changed or paid" is true.
    pub fn nothing_happened(&self) -> bool {
        self.open.is_empty() && self.done.is_empty() && self.unknown.is_empty()
    }
}
