//! The guest's bookings, as they stood when they were looked up.

use leptos::prelude::*;
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{Booking, BookingStatus, ListBookings, ListBookingsOutput};

use super::context::use_cards;
use super::create_booking::when;
use super::ended;
use super::frame::{Face, Tone, badge};
use super::icons::Icon;
use super::plain_ask::{READ, plain_ask};
use super::receipt::status_word;
use crate::i18n::{Lang, by_lang, format, t, texts, use_lang, visible, words};

/// The head.
pub fn face(call: &ToolCall<ListBookings>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputUnknown { .. } => texts::bookings(lang).to_owned(),
        ToolState::OutputAvailable { output, .. } => words::bookings(lang, output.bookings.len()),
        ToolState::OutputError { .. } => texts::bookings_failed(lang).to_owned(),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Booking, texts::bookings(lang));
        }
        ToolState::OutputCancelled { .. } => texts::bookings_cancelled(lang).to_owned(),
    };
    Face::plain(lang, Icon::Booking, call.state.name(), title)
}

/// What is below the head.
pub fn body(call: &ToolCall<ListBookings>) -> AnyView {
    match &call.state {
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalResponded { .. } => skeleton(),
        ToolState::ApprovalRequested { approval, .. } => {
            plain_ask(&call.tool_call_id, approval, READ, ().into_any())
        }
        ToolState::OutputAvailable { output, .. } => list(output),
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            ended::failure(*kind, code, params.as_ref(), error_text, None)
        }
        ToolState::OutputDenied { .. } => ended::denied(None),
        ToolState::OutputCancelled { reason, of, .. } => ended::cancelled(*reason, of.as_ref(), None),
        ToolState::OutputUnknown { .. } => view! { <p>{t(texts::unknown_read)}</p> }.into_any(),
    }
}

fn skeleton() -> AnyView {
    let rows: Vec<_> = (0..2).map(|_| view! { <div class="skeleton bookings__skeleton"></div> }).collect();
    view! {
        <div class="busy" aria-busy="true">
            <p class="visually-hidden">{t(texts::bookings_loading)}</p>
            <div class="bookings">{rows}</div>
        </div>
    }
    .into_any()
}

fn list(output: &ListBookingsOutput) -> AnyView {
    let offset = use_cards().offset;
    let as_of = output.as_of.with_timezone(&offset);
    let left_out = output.left_out;
    let (to_come, past): (Vec<&Booking>, Vec<&Booking>) =
        output.bookings.iter().partition(|booking| booking.starts_at.to_utc() > output.as_of);
    let any_to_change = to_come.iter().any(|booking| is_changeable(booking));
    let bookings = if output.bookings.is_empty() {
        view! { <p class="bookings__none">{t(texts::bookings_none)}</p> }.into_any()
    } else {
        view! {
            {group(texts::bookings_to_come, &to_come, true)}
            {group(texts::bookings_past, &past, false)}
        }
        .into_any()
    };
    view! {
        {bookings}
        {any_to_change.then(|| view! { <p class="card__advice">{t(texts::bookings_pick)}</p> })}
        {(left_out > 0).then(|| view! { <p class="card__advice">{by_lang(move |lang| words::left_out(lang, left_out))}</p> })}
        <p class="card__provenance">{by_lang(move |lang| words::bookings_as_of(lang, as_of))}</p>
    }
    .into_any()
}

fn group(name: fn(Lang) -> &'static str, bookings: &[&Booking], to_come: bool) -> AnyView {
    if bookings.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = bookings.iter().map(|booking| row(booking, to_come)).collect();
    view! {
        <section class="bookings__group" class:bookings__group--past=!to_come>
            <h4 class="bookings__subtitle">{t(name)}</h4>
            <ul class="bookings">{rows}</ul>
        </section>
    }
    .into_any()
}

fn is_changeable(booking: &Booking) -> bool {
    match booking.status {
        BookingStatus::Confirmed | BookingStatus::Waitlisted => true,
        BookingStatus::Cancelled => false,
    }
}

fn row(booking: &Booking, to_come: bool) -> AnyView {
    let (status, party_size) = (booking.status, booking.party_size);
    let tone = match status {
        BookingStatus::Confirmed => Tone::Done,
        BookingStatus::Waitlisted => Tone::Waiting,
        BookingStatus::Cancelled => Tone::Cancelled,
    };
    let reference = view! { <bdi>{visible(&booking.reference)}</bdi> };
    let reference = match status {
        BookingStatus::Confirmed | BookingStatus::Waitlisted => reference.into_any(),
        BookingStatus::Cancelled => view! { <s>{reference}</s> }.into_any(),
    };
    let lang = use_lang();
    view! {
        <li class="bookings__row" data-status=status_word(status)>
            <div class="bookings__head">
                <strong class="bookings__name"><bdi>{visible(&booking.restaurant_name)}</bdi></strong>
                {move || badge(tone, words::booking_status(lang.get(), status))}
            </div>
            <p class="bookings__facts">
                {when(booking.starts_at)}
                "\u{a0}· "
                <span class="bookings__people">{by_lang(move |lang| format::people(lang, party_size))}</span>
            </p>
            <p class="bookings__reference">
                {t(texts::reference)} " " <strong class="bookings__code">{reference}</strong>
            </p>
            {(to_come && is_changeable(booking)).then(|| actions(booking))}
        </li>
    }
    .into_any()
}

/// What the guest may ask for next: a press sends it as a message of theirs.
fn actions(booking: &Booking) -> AnyView {
    let action = |label: fn(Lang) -> &'static str, message: fn(Lang, &str) -> String| {
        let (lang, cx) = (use_lang(), use_cards());
        let reference = booking.reference.clone();
        // Several bookings may be at one restaurant.
        let name = visible(&format!("{}, {reference}", booking.restaurant_name));
        view! {
            <button
                class="button"
                type="button"
                aria-label=by_lang(move |lang| format!("{}: {name}", label(lang)))
                disabled=move || !cx.ready.get() || cx.busy.get()
                on:click=move |_| cx.choose.run(message(lang.get_untracked(), &reference))
            >
                {t(label)}
            </button>
        }
    };
    view! {
        <div class="bookings__actions">
            {action(texts::change, words::wants_change)}
            {action(texts::cancel, words::wants_cancel)}
        </div>
    }
    .into_any()
}
