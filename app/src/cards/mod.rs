//! Cards: how each state of each tool looks. One file a tool.
//!
//! A card is drawn from its part and from nothing else; the model's prose never reaches it.

mod booking_form;
mod cancel_booking;
mod change_booking;
mod change_form;
pub mod context;
pub mod copy;
mod create_booking;
mod decider;
mod ended;
mod fields;
mod find_tables;
pub mod frame;
mod get_order;
mod get_weather;
pub mod icons;
mod list_bookings;
pub mod person;
mod plain_ask;
mod receipt;
mod refund_form;
mod refund_order;
mod refund_record;
mod times;
mod untyped;

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::ids::ToolCallId;
use shared::partial::PartialView;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{Booking, Refund, RefundStatus, Tool, ToolPart};

use crate::i18n::{Lang, use_lang, visible, words};
use frame::{Face, badge};

/// The id of a card's element, for links to it.
pub fn anchor(tool_call_id: &ToolCallId) -> String {
    format!("call-{tool_call_id}")
}

/// The head of a part's card.
pub fn face(part: &ToolPart, partial: &Map<String, Value>, lang: Lang) -> Face {
    match part {
        ToolPart::GetWeather(call) => get_weather::face(call, partial, lang),
        ToolPart::FindTables(call) => find_tables::face(call, partial, lang),
        ToolPart::ListBookings(call) => list_bookings::face(call, lang),
        ToolPart::GetOrder(call) => get_order::face(call, partial, lang),
        ToolPart::CreateBooking(call) => create_booking::face(call, lang),
        ToolPart::ChangeBooking(call) => change_booking::face(call, lang),
        ToolPart::CancelBooking(call) => cancel_booking::face(call, lang),
        ToolPart::RefundOrder(call) => refund_order::face(call, lang),
        ToolPart::Untyped { tool_name, call } => untyped::face(tool_name, call, lang),
    }
}

/// How a card stands, in words, for those who do not see it.
pub fn announcement(part: &ToolPart, lang: Lang) -> String {
    let face = face(part, &Map::new(), lang).announcement();
    let aside = match part {
        ToolPart::CreateBooking(call) => create_booking::aside(call, lang),
        ToolPart::ChangeBooking(call) => change_booking::aside(call, lang),
        ToolPart::GetOrder(call) => get_order::aside(call, lang),
        ToolPart::RefundOrder(call) => refund_order::aside(call, lang),
        ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::Untyped { .. } => None,
    };
    match aside {
        Some(aside) => format!("{face} {aside}"),
        None => face,
    }
}

/// The same for a card of which something has changed after its call was done.
pub fn update_announcement(part: &ToolPart, lang: Lang) -> String {
    match record_of(part) {
        Some(Record::Booking(booking)) => words::booking_news(lang, booking),
        Some(Record::Refund(refund)) => words::refund_news(lang, refund),
        None => announcement(part, lang),
    }
}

fn body(part: &ToolPart, partial: &Map<String, Value>) -> AnyView {
    match part {
        ToolPart::GetWeather(call) => get_weather::body(call, partial),
        ToolPart::FindTables(call) => find_tables::body(call, partial),
        ToolPart::ListBookings(call) => list_bookings::body(call),
        ToolPart::GetOrder(call) => get_order::body(call),
        ToolPart::CreateBooking(call) => create_booking::body(call, partial),
        ToolPart::ChangeBooking(call) => change_booking::body(call),
        ToolPart::CancelBooking(call) => cancel_booking::body(call),
        ToolPart::RefundOrder(call) => refund_order::body(call, partial),
        ToolPart::Untyped { tool_name: _, call } => untyped::body(call, partial),
    }
}

/// What an effect has left behind.
enum Record<'a> {
    Booking(&'a Booking),
    Refund(&'a Refund),
}

/// The record of a finished effect; none for everything else.
fn record_of(part: &ToolPart) -> Option<Record<'_>> {
    match part {
        ToolPart::CreateBooking(ToolCall { state: ToolState::OutputAvailable { output, .. }, .. })
        | ToolPart::ChangeBooking(ToolCall { state: ToolState::OutputAvailable { output, .. }, .. })
        | ToolPart::CancelBooking(ToolCall { state: ToolState::OutputAvailable { output, .. }, .. }) => {
            Some(Record::Booking(output))
        }
        ToolPart::RefundOrder(ToolCall { state: ToolState::OutputAvailable { output, .. }, .. }) => {
            Some(Record::Refund(output))
        }
        ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::RefundOrder(_)
        | ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::Untyped { .. } => None,
    }
}

/// How a receipt stands; none for everything that is no receipt. A refund has one when the money is back.
fn receipt_of(part: &ToolPart) -> Option<&'static str> {
    match record_of(part)? {
        Record::Booking(booking) => Some(receipt::status_word(booking.status)),
        Record::Refund(refund) => match refund.status {
            RefundStatus::Succeeded => Some(refund_record::refund_word(refund.status)),
            RefundStatus::Submitted | RefundStatus::Failed => None,
        },
    }
}

/// How often the record of an effect has changed since it was given.
fn revision_of(part: &ToolPart) -> Option<u64> {
    match part {
        ToolPart::CreateBooking(ToolCall { state: ToolState::OutputAvailable { revision, .. }, .. })
        | ToolPart::ChangeBooking(ToolCall { state: ToolState::OutputAvailable { revision, .. }, .. })
        | ToolPart::CancelBooking(ToolCall { state: ToolState::OutputAvailable { revision, .. }, .. }) => {
            *revision
        }
        ToolPart::RefundOrder(ToolCall { state: ToolState::OutputAvailable { revision, .. }, .. }) => {
            *revision
        }
        ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::RefundOrder(_)
        | ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::Untyped { .. } => None,
    }
}

/// The arguments' text, while it is still coming.
fn streaming_text(part: &ToolPart) -> Option<&str> {
    fn of_call<T: Tool>(call: &ToolCall<T>) -> Option<&str> {
        match &call.state {
            ToolState::InputStreaming { input } => Some(&input.input_text),
            ToolState::InputAvailable { .. }
            | ToolState::ApprovalRequested { .. }
            | ToolState::ApprovalResponded { .. }
            | ToolState::OutputAvailable { .. }
            | ToolState::OutputError { .. }
            | ToolState::OutputDenied { .. }
            | ToolState::OutputCancelled { .. }
            | ToolState::OutputUnknown { .. } => None,
        }
    }
    match part {
        ToolPart::GetWeather(call) => of_call(call),
        ToolPart::FindTables(call) => of_call(call),
        ToolPart::ListBookings(call) => of_call(call),
        ToolPart::GetOrder(call) => of_call(call),
        ToolPart::CreateBooking(call) => of_call(call),
        ToolPart::ChangeBooking(call) => of_call(call),
        ToolPart::CancelBooking(call) => of_call(call),
        ToolPart::RefundOrder(call) => of_call(call),
        ToolPart::Untyped { call, .. } => of_call(call),
    }
}

/// One card, following its part.
#[component]
pub fn ToolCard(part: ArcRwSignal<ToolPart>) -> impl IntoView {
    let lang = use_lang();
    let id = part.with_untracked(|part| part.tool_call_id().clone());
    let anchor = anchor(&id);
    let title_id = format!("{anchor}-title");
    let labelled_by = title_id.clone();

    // Kept over the card's life, so that looking at growing arguments stays linear in their length.
    let partial = {
        let part = part.clone();
        let view = StoredValue::new(PartialView::default());
        Memo::new(move |_| {
            part.with(|part| match streaming_text(part) {
                Some(text) => view
                    .try_update_value(|view| {
                        view.update(text);
                        view.fields().clone()
                    })
                    .unwrap_or_default(),
                None => Map::new(),
            })
        })
    };

    let face = {
        let part = part.clone();
        Memo::new(move |_| part.with(|part| partial.with(|partial| face(part, partial, lang.get()))))
    };
    let state = {
        let part = part.clone();
        move || part.with(|part| part.state().as_str())
    };
    let receipt = {
        let part = part.clone();
        move || part.with(receipt_of)
    };
    let revision = {
        let part = part.clone();
        move || part.with(revision_of).map(|revision| revision.to_string())
    };
    let tool_name = part.with_untracked(|part| visible(part.tool_name()));

    // The language is read further inside: a switch must not empty a form that somebody is filling in.
    let body = move || partial.with(|partial| part.with(|part| body(part, partial)));

    view! {
        <article
            class="card"
            id=anchor
            tabindex="-1"
            aria-labelledby=labelled_by
            data-tool=tool_name
            data-tool-call=id.to_string()
            data-state=state
            data-tone=move || face.with(|face| face.tone.as_str())
            data-receipt=receipt
            data-revision=revision
        >
            <header class="card__head">
                <span class="card__icon">{move || face.with(|face| face.icon).view()}</span>
                <h3 class="card__title" id=title_id>
                    <bdi>{move || face.with(|face| face.title.clone())}</bdi>
                </h3>
                {move || {
                    let marks = face.with(|face| face.marks.clone()).into_iter();
                    marks.map(|mark| view! { <span class="badge" data-tone="mark">{mark}</span> }).collect::<Vec<_>>()
                }}
                {move || face.with(|face| badge(face.tone, face.badge))}
            </header>
            <div class="card__body">{body}</div>
        </article>
    }
}
