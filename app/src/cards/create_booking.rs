//! A booking from the first argument to the receipt.

use chrono::{DateTime, FixedOffset, Timelike};
use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::event::CancelReason;
use shared::tool_call::{DecidedApproval, ToolCall, ToolState};
use shared::tools::{Booking, CreateBooking, CreateBookingInput, CreateBookingPreview};

use super::booking_form::booking_form;
use super::ended;
use super::frame::{Face, fact, fact_or_gap, provenance};
use super::icons::Icon;
use super::person::help_with_call;
use super::receipt::{Standing, changes, difference_list, differences, receipt, receipt_face};
use crate::i18n::{Lang, by_lang, format, t, texts, visible, words};

/// The head.
pub fn face(call: &ToolCall<CreateBooking>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => texts::booking_draft(lang),
        ToolState::ApprovalRequested { .. } => texts::booking_confirm(lang),
        ToolState::ApprovalResponded { approval, .. } if approval.approved => texts::booking_running(lang),
        ToolState::ApprovalResponded { .. } => texts::declining(lang),
        ToolState::OutputAvailable { output, approval, revision, .. } => {
            return receipt_face(output, standing(output, approval.as_ref(), *revision), lang)
                .changed_since(lang, *revision);
        }
        ToolState::OutputError { .. } => texts::booking_not_done(lang),
        ToolState::OutputDenied { .. } => texts::booking_denied(lang),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Booking, texts::booking(lang));
        }
        ToolState::OutputCancelled { .. } => texts::booking_cancelled(lang),
        ToolState::OutputUnknown { .. } => texts::booking_unknown(lang),
    };
    Face::plain(lang, Icon::Booking, call.state.name(), title)
}

/// What is told beside the head: that the time is full, and which ones are not.
pub fn aside(call: &ToolCall<CreateBooking>, lang: Lang) -> Option<String> {
    let ToolState::ApprovalRequested { input, approval, .. } = &call.state else { return None };
    let CreateBookingPreview { starts_at, other_times, .. } = &approval.preview;
    (!other_times.is_empty()).then(|| words::full_now_but(lang, *starts_at, input.party_size, other_times))
}

fn standing(
    output: &Booking,
    approval: Option<&DecidedApproval<CreateBookingPreview>>,
    revision: Option<u64>,
) -> Option<Standing> {
    Standing::of(output, approval.map(|approval| approval.preview.status), revision)
}

/// What is below the head.
pub fn body(call: &ToolCall<CreateBooking>, partial: &Map<String, Value>) -> AnyView {
    let nothing: ended::Consequence = Some(texts::nothing_booked);
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
                children=|(tool_call_id, input, approval)| booking_form(tool_call_id, input, approval)
            />
        }
        .into_any(),
        ToolState::ApprovalResponded { input, proposed_input: _, approval } => {
            let at = Some(&approval.preview);
            view! {
                {decided_line(approval.approved)}
                {summary(Draft::of_input(input, at))}
            }
            .into_any()
        }
        ToolState::OutputAvailable { input, proposed_input, approval, output, revision } => {
            let (offset, restaurant) = (*output.starts_at.offset(), &output.restaurant_name);
            let edited =
                proposed_input.as_ref().map(|proposed| differences(proposed, input, offset, restaurant));
            // In whole seconds, as the restaurant keeps it.
            let booked = input.starts_at.with_nanosecond(0).unwrap_or(input.starts_at);
            let booked = (booked.with_timezone(&offset), input.party_size);
            let since = changes(booked, (output.starts_at, output.party_size));
            let changed = view! { {edited} {difference_list(texts::changed_later, since)} };
            receipt(output, standing(output, approval.as_ref(), *revision), changed.into_any())
        }
        ToolState::OutputError { input, proposed_input: _, kind, code, params, error_text } => view! {
            {ended::failure(*kind, code, params.as_ref(), error_text, nothing)}
            {input.as_ref().map(|input| summary(Draft::of_input(input, None)))}
        }
        .into_any(),
        ToolState::OutputDenied { input, proposed_input: _, approval } => view! {
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
        ToolState::OutputUnknown { input, proposed_input: _, approval } => {
            let at = approval.as_ref().map(|approval| &approval.preview);
            view! {
                <p class="card__consequence">{t(texts::booking_unknown_body)}</p>
                {summary(Draft::of_input(input, at))}
                {help_with_call(&call.tool_call_id)}
            }
            .into_any()
        }
    }
}

fn decided_line(approved: bool) -> AnyView {
    let words = if approved { texts::booking_running } else { texts::declining };
    view! { <p class="card__progress">{t(words)}</p> }.into_any()
}

/// What is known of a booking that is not made.
#[derive(Default)]
struct Draft {
    restaurant: Option<String>,
    address: Option<String>,
    starts_at: Option<DateTime<FixedOffset>>,
    party_size: Option<u8>,
    note: Option<String>,
}

impl Draft {
    /// From unfinished arguments: only what reads as a finished value.
    fn of_partial(partial: &Map<String, Value>) -> Self {
        let text = |name: &str| partial.get(name).and_then(Value::as_str);
        let party_size = partial.get("partySize").and_then(Value::as_u64);
        Self {
            starts_at: text("startsAt").and_then(|text| DateTime::parse_from_rfc3339(text).ok()),
            party_size: party_size.and_then(|size| u8::try_from(size).ok()),
            note: text("note").map(visible),
            ..Self::default()
        }
    }

    fn of_input(input: &CreateBookingInput, preview: Option<&CreateBookingPreview>) -> Self {
        let starts_at = match preview {
            Some(preview) => input.starts_at.with_timezone(preview.starts_at.offset()),
            None => input.starts_at,
        };
        Self {
            restaurant: preview.map(|preview| visible(&preview.restaurant_name)),
            address: preview.map(|preview| visible(&format!("{}, {}", preview.address, preview.city))),
            starts_at: Some(starts_at),
            party_size: Some(input.party_size),
            note: input.note.as_deref().map(visible),
        }
    }
}

/// Arguments on their way: every row has its place from the start.
fn draft(draft: Draft) -> AnyView {
    let Draft { restaurant, address: _, starts_at, party_size, note } = draft;
    view! {
        <dl class="facts" aria-busy="true">
            {fact_or_gap(texts::restaurant, restaurant)}
            {when_or_gap(starts_at)}
            {party_or_gap(party_size)}
            {note.map(|note| fact_or_gap(texts::note, Some(note)))}
        </dl>
        <p class="card__advice">{t(texts::booking_draft_note)}</p>
    }
    .into_any()
}

/// What was asked for, where nothing of it is still coming.
fn summary(draft: Draft) -> AnyView {
    let Draft { restaurant, address, starts_at, party_size, note } = draft;
    view! {
        <dl class="facts facts--quiet">
            {restaurant.map(|name| fact_or_gap(texts::restaurant, Some(name)))}
            {address.map(|address| fact_or_gap(texts::address, Some(address)))}
            {when_or_gap(starts_at)}
            {party_or_gap(party_size)}
            {note.map(|note| fact_or_gap(texts::note, Some(note)))}
        </dl>
        {provenance(texts::request_provenance)}
    }
    .into_any()
}

fn when_or_gap(starts_at: Option<DateTime<FixedOffset>>) -> AnyView {
    match starts_at {
        Some(starts_at) => fact(texts::when, when(starts_at)),
        None => fact_or_gap(texts::when, None),
    }
}

fn party_or_gap(party_size: Option<u8>) -> AnyView {
    match party_size {
        Some(party_size) => fact(texts::party, by_lang(move |lang| format::people(lang, party_size))),
        None => fact_or_gap(texts::party, None),
    }
}

/// A moment by the restaurant's clock.
pub fn when(starts_at: DateTime<FixedOffset>) -> AnyView {
    view! { <time datetime=starts_at.to_rfc3339()>{by_lang(move |lang| format::moment(lang, starts_at))}</time> }
        .into_any()
}
