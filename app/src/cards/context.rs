//! What a card may ask of the page around it.

use std::sync::Arc;

use chrono::{DateTime, FixedOffset, Utc};
use leptos::prelude::*;
use serde_json::Value;
use shared::api::{Decision, FieldError, HandoverOfRun};
use shared::contact::Contact;
use shared::ids::{ApprovalId, RunId, ToolCallId};

use crate::trouble::Trouble;

/// Given by the page; a card sends nothing by itself.
#[derive(Clone, Copy)]
pub struct CardContext {
    /// Whether presses reach anybody: not before the page is hydrated.
    pub ready: Signal<bool>,
    /// Whether a new message must wait, so that nothing can be chosen.
    pub busy: Signal<bool>,
    /// The server's time, as far as the page knows.
    pub now: Signal<DateTime<Utc>>,
    /// The offset by which times without a place are shown.
    pub offset: FixedOffset,
    /// Whether a call is in the conversation that the page shows.
    pub is_on_page: Callback<ToolCallId, bool>,
    /// The reference of a booking by its id, where the conversation that the page shows has it.
    pub reference_of: Callback<String, Option<String>>,
    /// Whether the conversation that the page shows has a refund of an order, by its number, that was or still
    /// may be made. Whoever reads it hears when that changes.
    pub holds_refund_of: Callback<String, bool>,
    /// Sends a message of the guest.
    pub choose: Callback<String>,
    /// Sends a decision.
    pub decide: Callback<Decide>,
    /// Whether nothing can be booked, changed or cancelled at the moment.
    pub paused: Signal<bool>,
    /// How to reach a person of the house, in one line.
    pub house_contact: Signal<Option<String>>,
    /// None: the page cannot call a person.
    pub person: Option<PersonContext>,
}

/// The way to a person of the house.
#[derive(Clone, Copy)]
pub struct PersonContext {
    /// The contact of the restaurant that a call is about.
    pub contact_of_call: Callback<ToolCallId, Option<Contact>>,
    /// There may be nobody behind the list.
    pub demo_model: bool,
    /// What was sent last.
    pub sent: Signal<Option<HandoverOfRun>>,
    /// Sends the conversation to the house's staff.
    pub hand_over: Callback<HandOver>,
}

/// A conversation to be sent to the house's staff, and who hears what became of it.
#[derive(Clone)]
pub struct HandOver {
    /// None: the latest.
    pub run_id: Option<RunId>,
    pub reply_to: Option<String>,
    pub note: Option<String>,
    /// Owned by itself: the answer may come when the form is gone.
    pub answer: Arc<dyn Fn(HandOverAnswer) + Send + Sync>,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub enum HandOverAnswer {
    Sent,
    /// Something of what the guest wrote was refused.
    Invalid(Vec<FieldError>),
    Failed(Trouble),
}

/// A decision to be sent, and who hears what became of it.
#[derive(Clone)]
pub struct Decide {
    pub tool_call_id: ToolCallId,
    pub approval_id: ApprovalId,
    pub approved: bool,
    /// The whole input, where the guest changed something.
    pub edited_input: Option<Value>,
    /// Owned by itself: the answer may come when the form is gone.
    pub answer: Arc<dyn Fn(DecideAnswer) + Send + Sync>,
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq)]
pub enum DecideAnswer {
    /// It counts, or the same one counted before.
    Taken,
    /// Another one stands.
    Standing(Decision),
    /// The question is not the standing one any more.
    Changed,
    /// The edit was refused; the question still waits.
    Invalid(Vec<FieldError>),
    Failed(Trouble),
}

/// The context that the page has given, or one in which nothing can be pressed.
pub fn use_cards() -> CardContext {
    use_context::<CardContext>().unwrap_or_else(CardContext::inert)
}

impl CardContext {
    /// For pages that only show.
    pub fn inert() -> Self {
        Self {
            ready: Signal::stored(false),
            busy: Signal::stored(true),
            now: Signal::stored(DateTime::UNIX_EPOCH),
            offset: FixedOffset::east_opt(0).unwrap_or_else(|| chrono::Offset::fix(&Utc)),
            is_on_page: Callback::new(|_| false),
            reference_of: Callback::new(|_| None),
            holds_refund_of: Callback::new(|_| false),
            choose: Callback::new(|_| ()),
            decide: Callback::new(|_| ()),
            paused: Signal::stored(false),
            house_contact: Signal::stored(None),
            person: None,
        }
    }
}
