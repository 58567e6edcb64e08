//! A refund as the record has it: asked for, a receipt once the money is back, or failed for good.

use chrono::{DateTime, Utc};
use leptos::prelude::*;
use shared::ids::ToolCallId;
use shared::tools::{OrderRefundStatus, Refund, RefundFailure, RefundReceiver, RefundStatus};

use super::context::use_cards;
use super::create_booking::when;
use super::frame::{Face, Tone, fact, provenance};
use super::get_order::ask_for_refund;
use super::icons::Icon;
use super::person::help_with_call;
use super::receipt::Text;
use crate::i18n::{Lang, by_lang, format, t, texts, visible, words};

/// Money in whole đồng.
pub fn amount(amount: u64) -> AnyView {
    view! { <bdi class="money">{by_lang(move |lang| format::dong(lang, amount))}</bdi> }.into_any()
}

/// The head of a refund that was asked for.
pub fn refund_face(refund: &Refund, lang: Lang) -> Face {
    let title = match refund.status {
        RefundStatus::Submitted => texts::refund_submitted(lang),
        RefundStatus::Succeeded => texts::refund_succeeded(lang),
        RefundStatus::Failed => texts::refund_failed(lang),
    };
    Face {
        icon: Icon::Refund,
        tone: refund_tone(refund.status),
        title: title.to_owned(),
        badge: words::refund_status(lang, refund.status),
        marks: Vec::new(),
    }
}

pub fn refund_tone(status: RefundStatus) -> Tone {
    match status {
        RefundStatus::Submitted => Tone::Waiting,
        RefundStatus::Succeeded => Tone::Done,
        RefundStatus::Failed => Tone::Failed,
    }
}

pub fn listed_tone(status: OrderRefundStatus) -> Tone {
    status.told().map_or(Tone::Unknown, refund_tone)
}

/// The status in an order's list as it is on the wire.
pub fn listed_word(status: OrderRefundStatus) -> &'static str {
    status.told().map_or("unknown", refund_word)
}

/// The status as it is on the wire.
pub fn refund_word(status: RefundStatus) -> &'static str {
    match status {
        RefundStatus::Submitted => "submitted",
        RefundStatus::Succeeded => "succeeded",
        RefundStatus::Failed => "failed",
    }
}

/// The record below the head. `differences`: what the guest had changed before it was asked for.
pub fn refund_record(tool_call_id: &ToolCallId, refund: &Refund, differences: AnyView) -> AnyView {
    let record = match refund.status {
        RefundStatus::Submitted => submitted(refund, differences),
        RefundStatus::Succeeded => receipt(refund, differences),
        RefundStatus::Failed => failed(tool_call_id, refund, differences),
    };
    let source: Text = match refund.receiver {
        RefundReceiver::Ledger => texts::refund_from_ledger,
        RefundReceiver::Stripe => texts::refund_from_stripe,
    };
    view! { {record} {provenance(source)} }.into_any()
}

/// No paper and no large green number: the money is not back.
fn submitted(refund: &Refund, differences: AnyView) -> AnyView {
    view! {
        <div class="refund" data-status=refund_word(refund.status)>
            {sum(texts::refund_asked_for, refund.amount)}
            <p class="refund__standing">{t(texts::refund_submitted_body)}</p>
            {facts(refund)}
            {differences}
        </div>
    }
    .into_any()
}

fn receipt(refund: &Refund, differences: AnyView) -> AnyView {
    let payee = visible(&refund.payee);
    view! {
        <div class="receipt" data-status=refund_word(refund.status)>
            <div class="receipt__reference">
                <span class="receipt__label">{t(texts::refund_given_back)}</span>
                <strong class="receipt__code receipt__code--money">{amount(refund.amount)}</strong>
                <span class="receipt__help">
                    <bdi>{by_lang(move |lang| words::back_to(lang, &payee))}</bdi>
                </span>
            </div>
            {facts(refund)}
            {differences}
        </div>
    }
    .into_any()
}

fn failed(tool_call_id: &ToolCallId, refund: &Refund, differences: AnyView) -> AnyView {
    let why = refund.failure_reason.unwrap_or(RefundFailure::Other);
    view! {
        <div class="refund" data-status=refund_word(refund.status)>
            <p class="card__consequence">{t(texts::refund_failed_body)}</p>
            <p>{by_lang(move |lang| words::refund_failure(lang, why))}</p>
            {sum(texts::refund_not_given_back, refund.amount)}
            {facts(refund)}
            {differences}
            <p class="card__advice">{t(texts::refund_failed_advice)}</p>
            {ask_for_refund(texts::refund_ask_again, &refund.order_id)}
        </div>
        {help_with_call(tool_call_id)}
    }
    .into_any()
}

fn sum(name: Text, sum: u64) -> AnyView {
    view! {
        <p class="refund__sum">
            <span class="receipt__label">{t(name)}</span>
            <strong class="refund__amount">{amount(sum)}</strong>
        </p>
    }
    .into_any()
}

/// What a refund is called. `id`: in place of a reference, which outputs of earlier versions do not have.
pub fn refund_number(reference: Option<&str>, id: &str) -> AnyView {
    view! { <code class="code">{visible(reference.unwrap_or(id))}</code> }.into_any()
}

fn facts(refund: &Refund) -> AnyView {
    let offset = use_cards().offset;
    let at = |moment: DateTime<Utc>| when(moment.with_timezone(&offset));
    let settled_is: Text = match refund.status {
        RefundStatus::Submitted | RefundStatus::Succeeded => texts::refund_settled_at,
        RefundStatus::Failed => texts::refund_failed_at,
    };
    let number = refund_number(refund.reference.as_deref(), &refund.refund_id);
    view! {
        <dl class="facts receipt__facts">
            {fact(texts::refund_number, number)}
            {fact(texts::order, view! { <bdi>{visible(&refund.order_id)}</bdi> })}
            {fact(texts::restaurant, view! { <bdi class="receipt__name">{visible(&refund.restaurant_name)}</bdi> })}
            {fact(texts::payee, view! { <bdi>{visible(&refund.payee)}</bdi> })}
            {fact(texts::refund_created_at, at(refund.created_at))}
            {refund.settled_at.map(|settled_at| fact(settled_is, at(settled_at)))}
        </dl>
    }
    .into_any()
}
