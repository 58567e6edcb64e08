//! An order: what was ordered, what it cost, how it stands, and what of it was refunded.

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{
    GetOrder, GetOrderInput, GetOrderOutput, OrderItem, OrderRefund, OrderRefundStatus, OrderStatus,
};

use super::context::use_cards;
use super::create_booking::when;
use super::ended;
use super::frame::{Face, Tone, badge, fact, provenance};
use super::icons::Icon;
use super::plain_ask::{READ, plain_ask};
use super::refund_record::{amount, listed_tone, listed_word, refund_number};
use crate::i18n::{Lang, by_lang, t, texts, use_lang, visible, words};

/// The head.
pub fn face(call: &ToolCall<GetOrder>, partial: &Map<String, Value>, lang: Lang) -> Face {
    let input = call.state.input();
    let title = match &call.state {
        ToolState::InputStreaming { .. } => asked_for(partial.get("orderId").and_then(Value::as_str), lang),
        ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputUnknown { .. } => asked_for(input.map(|input| input.order_id.as_str()), lang),
        ToolState::OutputAvailable { output, revision, .. } => {
            return Face::plain(
                lang,
                Icon::Order,
                call.state.name(),
                words::order(lang, &visible(&output.order_id)),
            )
            .changed_since(lang, *revision);
        }
        ToolState::OutputError { .. } => texts::order_failed(lang).to_owned(),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Order, texts::order(lang));
        }
        ToolState::OutputCancelled { .. } => texts::order_cancelled(lang).to_owned(),
    };
    Face::plain(lang, Icon::Order, call.state.name(), title)
}

/// The order as it was asked for: by its number, or as the newest.
fn asked_for(order_id: Option<&str>, lang: Lang) -> String {
    match order_id.map(str::trim).filter(|id| !id.is_empty()) {
        None => texts::order(lang).to_owned(),
        Some(id) if id.eq_ignore_ascii_case(GetOrderInput::LATEST) => texts::order_latest(lang).to_owned(),
        Some(id) => words::order(lang, &visible(id)),
    }
}

/// What is told beside the head: the guest's own orders, where the one that was asked for is none of them.
pub fn aside(call: &ToolCall<GetOrder>, lang: Lang) -> Option<String> {
    match &call.state {
        ToolState::OutputError { code: ErrorCode::UnknownOrder, params, .. } => {
            Some(words::error(lang, &ErrorCode::UnknownOrder, params.as_ref(), ""))
        }
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputAvailable { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => None,
    }
}

/// What is below the head.
pub fn body(call: &ToolCall<GetOrder>) -> AnyView {
    match &call.state {
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalResponded { .. } => skeleton(),
        ToolState::ApprovalRequested { input, approval, .. } => {
            let order_id = input.order_id.clone();
            let asked = by_lang(move |lang| asked_for(Some(&order_id), lang));
            let facts = view! { <dl class="facts">{fact(texts::order, view! { <bdi>{asked}</bdi> })}</dl> };
            plain_ask(&call.tool_call_id, approval, READ, facts.into_any())
        }
        ToolState::OutputAvailable { output, .. } => order(output),
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            let orders = orders_of(code, params.as_ref());
            if orders.is_empty() {
                return ended::failure(*kind, code, params.as_ref(), error_text, None);
            }
            let own = orders_to_ask_for(orders, words::show_order, words::wants_order);
            ended::failure_with(*kind, code, None, error_text, None, own)
        }
        ToolState::OutputDenied { .. } => ended::denied(None),
        ToolState::OutputCancelled { reason, of, .. } => ended::cancelled(*reason, of.as_ref(), None),
        ToolState::OutputUnknown { .. } => {
            view! { <p class="card__advice">{t(texts::unknown_read)}</p> }.into_any()
        }
    }
}

fn skeleton() -> AnyView {
    view! {
        <div class="busy" aria-busy="true">
            <p class="card__progress">{t(texts::order_loading)}</p>
            <div class="skeleton order__skeleton"></div>
        </div>
    }
    .into_any()
}

fn order(order: &GetOrderOutput) -> AnyView {
    let GetOrderOutput { status, total, refunded, left, .. } = *order;
    let held = held(order);
    let items: Vec<AnyView> = order.items.iter().map(item).collect();
    let lang = use_lang();
    view! {
        <div class="order" data-status=order_word(status)>
            <dl class="facts">
                {fact(
                    texts::restaurant,
                    view! { <bdi class="receipt__name">{visible(&order.restaurant_name)}</bdi> },
                )}
                {fact(texts::order_placed, when(order.placed_at))}
                {fact(texts::status, move || badge(order_tone(status), words::order_status(lang.get(), status)))}
                {fact(texts::paid_with, view! { <bdi>{visible(&order.payee)}</bdi> })}
            </dl>
            <section>
                <h4 class="order__subtitle">{t(texts::order_items)}</h4>
                <ul class="order__items">{items}</ul>
            </section>
            <dl class="facts order__sums">
                {fact(texts::order_total, amount(total))}
                {(refunded > 0).then(|| fact(texts::refunded_so_far, amount(refunded)))}
                {(held > 0).then(|| fact(texts::refund_being_checked, amount(held)))}
                {fact(texts::refund_left, amount(left))}
            </dl>
            {refunds(&order.refunds)}
            {can_be_refunded(order).then(|| ask_for_refund(texts::refund_ask, &order.order_id))}
        </div>
        {provenance(texts::order_provenance)}
    }
    .into_any()
}

fn item(item: &OrderItem) -> AnyView {
    let OrderItem { quantity, unit_price, .. } = *item;
    let sum = u64::from(quantity).saturating_mul(unit_price);
    view! {
        <li class="order__item">
            <span class="order__name"><bdi>{visible(&item.name)}</bdi></span>
            <span class="order__count">{by_lang(move |lang| words::times_price(lang, quantity, unit_price))}</span>
            <span class="order__sum">{amount(sum)}</span>
        </li>
    }
    .into_any()
}

fn refunds(refunds: &[OrderRefund]) -> AnyView {
    if refunds.is_empty() {
        return ().into_any();
    }
    let (offset, lang) = (use_cards().offset, use_lang());
    let rows: Vec<AnyView> = refunds
        .iter()
        .map(|refund| {
            let status = refund.status;
            view! {
                <li class="order__refund" data-status=listed_word(status)>
                    <span class="order__refunded">{amount(refund.amount)}</span>
                    {move || badge(listed_tone(status), words::listed_refund_status(lang.get(), status))}
                    <span class="order__when">
                        {when(refund.created_at.with_timezone(&offset))}
                        "\u{a0}· "
                        {refund_number(refund.reference.as_deref(), &refund.refund_id)}
                    </span>
                </li>
            }
            .into_any()
        })
        .collect();
    view! {
        <section>
            <h4 class="order__subtitle">{t(texts::order_refunds)}</h4>
            <ul class="order__refunds">{rows}</ul>
        </section>
    }
    .into_any()
}

/// What can neither be refunded nor is known to be: a refund of it has an outcome that nobody knows yet.
fn held(order: &GetOrderOutput) -> u64 {
    order.total.saturating_sub(order.refunded).saturating_sub(order.left)
}

/// An order has one live refund at most; one that failed for good is none.
fn can_be_refunded(order: &GetOrderOutput) -> bool {
    let is_live = |refund: &OrderRefund| match refund.status {
        OrderRefundStatus::Submitted | OrderRefundStatus::Succeeded | OrderRefundStatus::Unknown => true,
        OrderRefundStatus::Failed => false,
    };
    order.left > 0 && held(order) == 0 && !order.refunds.iter().any(is_live)
}

/// A button that says, as a message of the guest, that they want an order refunded. Where a later card of the
/// conversation does so already, a line that says that.
pub fn ask_for_refund(label: fn(Lang) -> &'static str, order_id: &str) -> AnyView {
    let cx = use_cards();
    let order_id = order_id.to_owned();
    let held = {
        let order_id = order_id.clone();
        Memo::new(move |_| cx.holds_refund_of.run(order_id.clone()))
    };
    let offer = move || match held.get() {
        true => view! { <p class="card__advice">{t(texts::refund_has_a_card)}</p> }.into_any(),
        false => refund_button(label, &order_id),
    };
    view! { {offer} }.into_any()
}

fn refund_button(label: fn(Lang) -> &'static str, order_id: &str) -> AnyView {
    let (lang, cx) = (use_lang(), use_cards());
    let order_id = order_id.to_owned();
    let name = visible(&order_id);
    view! {
        <div class="order__actions">
            <button
                class="button"
                type="button"
                aria-label=by_lang(move |lang| format!("{}: {name}", label(lang)))
                disabled=move || !cx.ready.get() || cx.busy.get()
                on:click=move |_| cx.choose.run(words::wants_refund(lang.get_untracked(), &order_id))
            >
                {t(label)}
            </button>
        </div>
    }
    .into_any()
}

/// So many are shown of what came from outside.
const MOST: usize = 5;

/// The guest's own orders, where a refusal names them.
pub fn orders_of(code: &ErrorCode, params: Option<&Map<String, Value>>) -> Vec<String> {
    if *code != ErrorCode::UnknownOrder {
        return Vec::new();
    }
    let orders = params.and_then(|params| params.get("orders")).and_then(Value::as_array);
    let orders = orders.into_iter().flatten().filter_map(Value::as_str);
    orders.filter(|order| !order.trim().is_empty()).take(MOST).map(str::to_owned).collect()
}

/// Orders as buttons: a press sends, as a message of the guest, what they want of that order.
pub fn orders_to_ask_for(
    orders: Vec<String>,
    label: fn(Lang, &str) -> String,
    message: fn(Lang, &str) -> String,
) -> AnyView {
    let (lang, cx) = (use_lang(), use_cards());
    let buttons: Vec<_> = orders
        .into_iter()
        .map(|order| {
            let shown = visible(&order);
            let name = shown.clone();
            view! {
                <li>
                    <button
                        class="button"
                        type="button"
                        aria-label=by_lang(move |lang| label(lang, &name))
                        disabled=move || !cx.ready.get() || cx.busy.get()
                        on:click=move |_| cx.choose.run(message(lang.get_untracked(), &order))
                    >
                        <bdi>{shown}</bdi>
                    </button>
                </li>
            }
        })
        .collect();
    view! {
        <div class="offer" role="group" aria-label=t(texts::own_orders)>
            <p class="offer__heading" aria-hidden="true">{t(texts::own_orders)}</p>
            <ul class="order__offer">{buttons}</ul>
        </div>
    }
    .into_any()
}

fn order_tone(status: OrderStatus) -> Tone {
    match status {
        OrderStatus::Preparing => Tone::Waiting,
        OrderStatus::Delivered => Tone::Done,
        OrderStatus::Cancelled => Tone::Cancelled,
    }
}

/// The status as it is on the wire.
fn order_word(status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Preparing => "preparing",
        OrderStatus::Delivered => "delivered",
        OrderStatus::Cancelled => "cancelled",
    }
}
