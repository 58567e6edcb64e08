//! One question, one decision: the lock around the press.
//!
//! The lock is view state. It never says how the call stands: that comes by events.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use leptos::prelude::*;
use serde_json::Value;
use shared::api::{Decision, FieldError};
use shared::ids::{ApprovalId, ToolCallId};
use wasm_bindgen::JsCast;

use super::context::{CardContext, Decide, DecideAnswer, use_cards};
use crate::i18n::{self, Lang, format, texts, words};
use crate::trouble::Trouble;

/// Where the press stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Phase {
    #[default]
    Open,
    Sending,
    Taken,
    Standing(Decision),
    Changed,
    Invalid(Vec<FieldError>),
    Failed(Trouble),
}

impl Phase {
    fn locks(&self) -> bool {
        match self {
            Self::Open | Self::Invalid(_) | Self::Failed(_) => false,
            Self::Sending | Self::Taken | Self::Standing(_) | Self::Changed => true,
        }
    }
}

#[derive(Clone, Copy)]
pub struct Decider {
    cx: CardContext,
    phase: RwSignal<Phase>,
    question: StoredValue<(ToolCallId, ApprovalId)>,
}

impl Decider {
    pub fn new(tool_call_id: ToolCallId, approval_id: ApprovalId) -> Self {
        let question = StoredValue::new((tool_call_id, approval_id));
        Self { cx: use_cards(), phase: RwSignal::new(Phase::Open), question }
    }

    /// Sends the decision, once: a press while one is on its way does nothing.
    pub fn press(self, approved: bool, edited_input: Option<Value>) {
        if self.is_locked_now() {
            return;
        }
        let (tool_call_id, approval_id) = self.question.get_value();
        keep_place(&tool_call_id);
        self.phase.set(Phase::Sending);
        let phase = self.phase;
        let answer = Arc::new(move |answer| {
            // The card may have gone on by events, and this form with it.
            let _ = phase.try_set(match answer {
                DecideAnswer::Taken => Phase::Taken,
                DecideAnswer::Standing(decision) => Phase::Standing(decision),
                DecideAnswer::Changed => Phase::Changed,
                DecideAnswer::Invalid(errors) => Phase::Invalid(errors),
                DecideAnswer::Failed(trouble) => Phase::Failed(trouble),
            });
        });
        self.cx.decide.run(Decide { tool_call_id, approval_id, approved, edited_input, answer });
    }

    pub fn is_locked_now(self) -> bool {
        !self.cx.ready.get_untracked() || self.phase.with_untracked(Phase::locks)
    }

    /// Whether the form cannot be used now.
    pub fn locked(self) -> bool {
        !self.cx.ready.get() || self.phase.with(Phase::locks)
    }

    /// Whether an answer is awaited.
    pub fn sending(self) -> bool {
        self.phase.with(|phase| *phase == Phase::Sending)
    }

    /// Reasons at the fields, found before anything was sent.
    pub fn refuse(self, errors: Vec<FieldError>) {
        self.phase.set(Phase::Invalid(errors));
    }

    /// The guest has taken up what a refusal offered: its reasons are answered.
    pub fn reopen(self) {
        if self.phase.with_untracked(|phase| matches!(phase, Phase::Invalid(_))) {
            self.phase.set(Phase::Open);
        }
    }

    pub fn errors(self) -> Vec<FieldError> {
        self.phase.with(|phase| match phase {
            Phase::Invalid(errors) => errors.clone(),
            Phase::Open
            | Phase::Sending
            | Phase::Taken
            | Phase::Standing(_)
            | Phase::Changed
            | Phase::Failed(_) => Vec::new(),
        })
    }

    fn words(self, lang: Lang) -> Option<String> {
        self.phase.with(|phase| match phase {
            Phase::Open => None,
            Phase::Sending => Some(texts::sending_decision(lang).to_owned()),
            Phase::Taken => Some(texts::decision_taken(lang).to_owned()),
            Phase::Standing(decision) => Some(words::standing_decision(lang, *decision).to_owned()),
            Phase::Changed => Some(texts::question_changed(lang).to_owned()),
            Phase::Invalid(_) => Some(texts::form_has_errors(lang).to_owned()),
            // The form says it already.
            Phase::Failed(Trouble::Paused) if self.cx.paused.get() => None,
            Phase::Failed(trouble) => Some(trouble.words(lang)),
        })
    }

    /// The line below the buttons that says how the press stands; before it, `otherwise`.
    pub fn status(self, otherwise: impl Fn() -> AnyView + Send + 'static) -> AnyView {
        let lang = i18n::use_lang();
        let trouble = move || {
            self.phase.with(|phase| match phase {
                Phase::Open | Phase::Sending | Phase::Taken => false,
                Phase::Standing(_) | Phase::Changed | Phase::Invalid(_) | Phase::Failed(_) => true,
            })
        };
        view! {
            <div class="ask__status" class:ask__status--trouble=trouble>
                <p role="status">{move || self.words(lang.get()).unwrap_or_default()}</p>
                {move || self.phase.with(|phase| *phase == Phase::Open).then(&otherwise)}
            </div>
        }
        .into_any()
    }
}

/// The pressed button is locked and would drop the focus to nowhere: its card takes it.
fn keep_place(tool_call_id: &ToolCallId) {
    let card = document().get_element_by_id(&super::anchor(tool_call_id));
    if let Some(card) = card.and_then(|card| card.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = card.focus();
    }
}

/// Until when the question stands, with what is left of it.
pub fn deadline(expires_at: DateTime<Utc>) -> AnyView {
    let cx = use_cards();
    let lang = i18n::use_lang();
    let words = move || {
        let lang = lang.get();
        let left = expires_at - cx.now.get();
        if left <= TimeDelta::zero() {
            return texts::past_deadline(lang).to_owned();
        }
        let deadline = format::moment(lang, expires_at.with_timezone(&cx.offset));
        words::answer_by(lang, &deadline, &format::minutes(lang, left))
    };
    view! { <p class="ask__deadline"><time datetime=expires_at.to_rfc3339()>{words}</time></p> }.into_any()
}
