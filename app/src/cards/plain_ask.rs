//! The question about a call that has nothing to edit: yes or no.

use leptos::prelude::*;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;

use super::context::use_cards;
use super::decider::{Decider, deadline};
use super::frame::provenance;
use crate::i18n::{Lang, t, texts};

/// The words of a question.
#[derive(Clone, Copy)]
pub struct Question {
    /// What a yes does.
    pub promise: fn(Lang) -> &'static str,
    pub yes: fn(Lang) -> &'static str,
    pub no: fn(Lang) -> &'static str,
    pub kind: Kind,
}

/// What a yes means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something is looked up.
    Look,
    /// Something is given up that may not be had again.
    GiveUp,
}

impl Kind {
    /// The class of the button that says yes.
    fn button(self) -> &'static str {
        match self {
            Self::Look => "button button--primary",
            Self::GiveUp => "button button--danger",
        }
    }

    /// Effects may be paused; looking things up goes on.
    fn has_effect(self) -> bool {
        match self {
            Self::Look => false,
            Self::GiveUp => true,
        }
    }

    fn promise(self) -> &'static str {
        match self {
            Self::Look => "ask__promise",
            Self::GiveUp => "ask__promise ask__promise--danger",
        }
    }
}

/// The question about reading something, where the operators want it asked.
pub const READ: Question =
    Question { promise: texts::asks_first, yes: texts::allow, no: texts::do_not_allow, kind: Kind::Look };

/// The facts, and the two buttons below them.
pub fn plain_ask<P>(
    tool_call_id: &ToolCallId,
    approval: &Approval<P>,
    question: Question,
    facts: AnyView,
) -> AnyView {
    let Question { promise, yes, no, kind } = question;
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id.clone());
    let expires_at = approval.expires_at;
    let cx = use_cards();
    let paused = move || kind.has_effect() && cx.paused.get();
    let agree = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !untrack(paused) {
            decider.press(true, None);
        }
    };
    view! {
        <form class="ask" on:submit=agree>
            <p class=kind.promise()>{t(promise)}</p>
            {facts}
            {move || paused().then(|| view! { <p class="ask__paused">{t(texts::confirm_paused)}</p> })}
            <div class="ask__buttons">
                <button
                    class=kind.button()
                    type="submit"
                    disabled=move || decider.locked() || paused()
                >
                    {t(yes)}
                </button>
                <button
                    class="button"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(false, None)
                >
                    {t(no)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
            {provenance(texts::booking_ask_provenance)}
        </form>
    }
    .into_any()
}
