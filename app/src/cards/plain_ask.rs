//! The question about a call that has nothing to edit: allow it or not. Read tools ask like this where the
//! operators want them to.

use leptos::prelude::*;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;

use super::decider::{Decider, deadline};
use crate::i18n::{t, texts};

/// The facts, and the two buttons below them.
pub fn plain_ask<P>(tool_call_id: &ToolCallId, approval: &Approval<P>, facts: AnyView) -> AnyView {
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id.clone());
    let expires_at = approval.expires_at;
    view! {
        <div class="ask">
            <p class="ask__promise">{t(texts::asks_first)}</p>
            {facts}
            <div class="ask__buttons">
                <button
                    class="button button--primary"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(true, None)
                >
                    {t(texts::allow)}
                </button>
                <button
                    class="button"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(false, None)
                >
                    {t(texts::do_not_allow)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
        </div>
    }
    .into_any()
}
