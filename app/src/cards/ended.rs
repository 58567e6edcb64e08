//! What the cards share where a call was not carried out, or may have been.

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::event::{CancelReason, ToolErrorKind};
use shared::ids::ToolCallId;

use super::context::use_cards;
use crate::i18n::{Lang, by_lang, t, texts, words};

/// What follows for the guest from a call that was not carried out.
pub type Consequence = Option<fn(Lang) -> &'static str>;

fn consequence_line(consequence: Consequence) -> AnyView {
    consequence.map(|text| view! { <p class="card__consequence">{t(text)}</p> }).into_any()
}

/// An `output-error`: the reason in the guest's language.
pub fn failure(
    kind: ToolErrorKind,
    code: &ErrorCode,
    params: Option<&Map<String, Value>>,
    error_text: &str,
    consequence: Consequence,
) -> AnyView {
    failure_with(kind, code, params, error_text, consequence, ().into_any())
}

/// The same with something to press that would do instead.
pub fn failure_with(
    kind: ToolErrorKind,
    code: &ErrorCode,
    params: Option<&Map<String, Value>>,
    error_text: &str,
    consequence: Consequence,
    remedy: AnyView,
) -> AnyView {
    let is_the_assistants = *code == ErrorCode::InvalidInput;
    let (code, params, error_text) = (code.clone(), params.cloned(), error_text.to_owned());
    let reason = by_lang(move |lang| words::error(lang, &code, params.as_ref(), &error_text));
    let advice = t(match kind {
        ToolErrorKind::Input if is_the_assistants => texts::failure_assistant,
        ToolErrorKind::Input => texts::failure_input,
        ToolErrorKind::Tool => texts::failure_tool,
        ToolErrorKind::Unavailable => texts::failure_unavailable,
    });
    view! {
        {consequence_line(consequence)}
        <p><bdi>{reason}</bdi></p>
        {remedy}
        <p class="card__advice">{advice}</p>
    }
    .into_any()
}

/// An `output-denied`.
pub fn denied(consequence: Consequence) -> AnyView {
    view! {
        {consequence_line(consequence)}
        <p class="card__advice">{t(texts::denied_advice)}</p>
    }
    .into_any()
}

/// An `output-cancelled`; a repeated one is one line that points to the call whose outcome stands.
pub fn cancelled(reason: CancelReason, of: Option<&ToolCallId>, consequence: Consequence) -> AnyView {
    let reason_words = by_lang(move |lang| words::cancel_reason(lang, reason));
    match reason {
        CancelReason::Repeated => {
            let cx = use_cards();
            let where_it_is = of.map(|id| {
                if cx.is_on_page.run(id.clone()) {
                    view! { <a href=format!("#{}", super::anchor(id))>{t(texts::see_first_card)}</a> }
                        .into_any()
                } else {
                    // One request counts in all conversations of a guest.
                    view! { <span>{t(texts::first_is_elsewhere)}</span> }.into_any()
                }
            });
            view! { <p class="card__line">{reason_words} " " {where_it_is}</p> }.into_any()
        }
        CancelReason::Stopped
        | CancelReason::Superseded
        | CancelReason::Expired
        | CancelReason::Interrupted
        | CancelReason::Limit => view! {
            {consequence_line(consequence)}
            <p>{reason_words}</p>
        }
        .into_any(),
    }
}
