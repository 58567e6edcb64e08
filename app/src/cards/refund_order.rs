//! A refund from the first argument to the money's return, or to an honest end without it.

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::event::{CancelReason, ToolErrorKind};
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{RefundOrder, RefundOrderInput, RefundOrderPreview};

use super::ended;
use super::frame::{Face, fact, fact_or_gap, provenance};
use super::get_order::{orders_of, orders_to_ask_for};
use super::icons::Icon;
use super::person::help_with_call;
use super::receipt::{Difference, Wording, difference_list};
use super::refund_form::refund_form;
use super::refund_record::{amount, refund_face, refund_record};
use crate::i18n::{Lang, format, t, texts, visible, words};

/// The head.
pub fn face(call: &ToolCall<RefundOrder>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => texts::refund_draft(lang),
        ToolState::ApprovalRequested { .. } => texts::refund_question(lang),
        ToolState::ApprovalResponded { approval, .. } if approval.approved => texts::refund_running(lang),
        ToolState::ApprovalResponded { .. } => texts::declining(lang),
        ToolState::OutputAvailable { output, revision, .. } => {
            return refund_face(output, lang).changed_since(lang, *revision);
        }
        ToolState::OutputError { .. } => texts::refund_not_done(lang),
        ToolState::OutputDenied { .. } => texts::refund_denied(lang),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Refund, texts::refund_draft(lang));
        }
        ToolState::OutputCancelled { .. } => texts::refund_cancelled(lang),
        ToolState::OutputUnknown { .. } => texts::refund_unknown(lang),
    };
    Face::plain(lang, Icon::Refund, call.state.name(), title)
}

/// What is told beside the head: what is asked about, and the guest's own orders where the one that was
/// named is none of them.
pub fn aside(call: &ToolCall<RefundOrder>, lang: Lang) -> Option<String> {
    match &call.state {
        ToolState::ApprovalRequested { approval, .. } => Some(words::refund_asked(lang, &approval.preview)),
        ToolState::OutputError { code: ErrorCode::UnknownOrder, params, .. } => {
            Some(words::error(lang, &ErrorCode::UnknownOrder, params.as_ref(), ""))
        }
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputAvailable { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => None,
    }
}

/// What is below the head.
pub fn body(call: &ToolCall<RefundOrder>, partial: &Map<String, Value>) -> AnyView {
    let nothing: ended::Consequence = Some(texts::nothing_refunded);
    match &call.state {
        ToolState::InputStreaming { .. } => draft(Draft::of_partial(partial)),
        ToolState::InputAvailable { input } => draft(Draft::of_input(input, None)),
        ToolState::ApprovalRequested { input, proposed_input: _, approval } => view! {
            // A new question gets a new form: what was typed into the earlier one does not carry over.
            <For
                each={
                    let question = (call.tool_call_id.clone(), input.clone(), approval.clone());
                    move || [question.clone()]
                }
                key=|(_, _, approval)| approval.approval_id.to_string()
                children=|(tool_call_id, input, approval)| refund_form(tool_call_id, input, approval)
            />
        }
        .into_any(),
        ToolState::ApprovalResponded { input, approval, .. } => {
            let progress = if approval.approved { texts::refund_running } else { texts::declining };
            view! {
                <p class="card__progress">{t(progress)}</p>
                {summary(Draft::of_input(input, Some(&approval.preview)))}
            }
            .into_any()
        }
        ToolState::OutputAvailable { input, proposed_input, output, .. } => {
            let edited = proposed_input.as_ref().map(|proposed| edits(proposed, input, output.amount));
            let edited = difference_list(texts::differs_from_proposed, edited.unwrap_or_default());
            refund_record(&call.tool_call_id, output, edited)
        }
        ToolState::OutputError { input, kind, code, params, error_text, .. } => view! {
            {failure(*kind, code, params.as_ref(), error_text)}
            {input.as_ref().map(|input| summary(Draft::of_input(input, None)))}
        }
        .into_any(),
        ToolState::OutputDenied { input, approval, .. } => view! {
            {ended::denied(nothing)}
            {summary(Draft::of_input(input, Some(&approval.preview)))}
        }
        .into_any(),
        ToolState::OutputCancelled { input, reason, of } => match reason {
            // What is said about it is said at the first card.
            CancelReason::Repeated => ended::cancelled(*reason, of.as_ref(), None),
            CancelReason::Stopped
            | CancelReason::Superseded
            | CancelReason::Expired
            | CancelReason::Interrupted
            | CancelReason::Limit => view! {
                {ended::cancelled(*reason, of.as_ref(), nothing)}
                {input.as_ref().map(|input| summary(Draft::of_input(input, None)))}
            }
            .into_any(),
        },
        ToolState::OutputUnknown { input, approval, .. } => view! {
            <p class="card__consequence">{t(texts::refund_unknown_body)}</p>
            {summary(Draft::of_input(input, approval.as_ref().map(|approval| &approval.preview)))}
            {help_with_call(&call.tool_call_id)}
        }
        .into_any(),
    }
}

/// The reason of an `output-error`; where the order is not the guest's, they may ask for one that is.
fn failure(
    kind: ToolErrorKind,
    code: &ErrorCode,
    params: Option<&Map<String, Value>>,
    error_text: &str,
) -> AnyView {
    let nothing: ended::Consequence = Some(texts::nothing_refunded);
    let orders = orders_of(code, params);
    if orders.is_empty() {
        return ended::failure(kind, code, params, error_text, nothing);
    }
    let own = orders_to_ask_for(orders, words::refund_order, words::wants_refund);
    ended::failure_with(kind, code, None, error_text, nothing, own)
}

/// What is known of a refund that was not asked for yet, or of which no record came.
#[derive(Default)]
struct Draft {
    order: Option<String>,
    restaurant: Option<String>,
    payee: Option<String>,
    amount: Option<Asked>,
    reason: Option<String>,
}

/// How much is wanted.
enum Asked {
    Amount(u64),
    AllThatIsLeft,
}

impl Draft {
    /// From unfinished arguments: only what reads as a finished value.
    fn of_partial(partial: &Map<String, Value>) -> Self {
        let text = |name: &str| partial.get(name).and_then(Value::as_str);
        Self {
            order: text("orderId").map(visible),
            amount: partial.get("amount").and_then(Value::as_u64).map(Asked::Amount),
            reason: text("reason").map(visible),
            ..Self::default()
        }
    }

    fn of_input(input: &RefundOrderInput, preview: Option<&RefundOrderPreview>) -> Self {
        let wanted = match (input.amount, preview) {
            (Some(amount), _) => Asked::Amount(amount),
            (None, Some(preview)) => Asked::Amount(preview.left),
            (None, None) => Asked::AllThatIsLeft,
        };
        Self {
            order: Some(visible(preview.map_or(&input.order_id, |preview| &preview.order_id))),
            restaurant: preview.map(|preview| visible(&preview.restaurant_name)),
            payee: preview.map(|preview| visible(&preview.payee)),
            amount: Some(wanted),
            reason: Some(visible(&input.reason)),
        }
    }
}

/// Arguments on their way: every row has its place from the start.
fn draft(draft: Draft) -> AnyView {
    let Draft { order, restaurant: _, payee: _, amount, reason } = draft;
    view! {
        <dl class="facts" aria-busy="true">
            {fact_or_gap(texts::order, order)}
            {amount_row(amount)}
            {fact_or_gap(texts::refund_reason, reason)}
        </dl>
        <p class="card__advice">{t(texts::refund_draft_note)}</p>
    }
    .into_any()
}

/// What was asked for, where nothing of it is still coming.
fn summary(draft: Draft) -> AnyView {
    let Draft { order, restaurant, payee, amount, reason } = draft;
    let row = |name, value: Option<String>| value.map(|value| fact_or_gap(name, Some(value)));
    view! {
        <dl class="facts facts--quiet">
            {row(texts::order, order)}
            {row(texts::restaurant, restaurant)}
            {row(texts::payee, payee)}
            {amount_row(amount)}
            {row(texts::refund_reason, reason)}
        </dl>
        {provenance(texts::request_provenance)}
    }
    .into_any()
}

fn amount_row(asked: Option<Asked>) -> AnyView {
    match asked {
        Some(Asked::Amount(wanted)) => fact(texts::refund_amount, amount(wanted)),
        Some(Asked::AllThatIsLeft) => fact(texts::refund_amount, t(texts::all_that_is_left)),
        None => fact_or_gap(texts::refund_amount, None),
    }
}

/// How what ran differs from what the model had proposed.
fn edits(proposed: &RefundOrderInput, ran: &RefundOrderInput, ran_amount: u64) -> Vec<Difference> {
    let mut found = Vec::new();
    if proposed.amount != ran.amount {
        let before: Wording = match proposed.amount {
            Some(amount) => Box::new(move |lang| format::dong(lang, amount)),
            None => Box::new(|lang| texts::all_that_is_left(lang).to_owned()),
        };
        let after: Wording = Box::new(move |lang| format::dong(lang, ran_amount));
        found.push(difference(texts::refund_amount, before, after));
    }
    if proposed.reason != ran.reason {
        let text = |reason: &str| -> Wording {
            let reason = visible(reason);
            Box::new(move |_| reason.clone())
        };
        found.push(difference(texts::refund_reason, text(&proposed.reason), text(&ran.reason)));
    }
    found
}

fn difference(name: fn(Lang) -> &'static str, before: Wording, after: Wording) -> Difference {
    Difference { name, before, after, before_is: texts::proposed, after_is: texts::asked_for }
}
