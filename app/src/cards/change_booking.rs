//! A change of a booking: what it was, what it will be, and the receipt that follows.

use chrono::{DateTime, FixedOffset};
use leptos::prelude::*;
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{ChangeBooking, ChangeBookingPreview, Placement};

use super::create_booking::receipt_face;
use super::ended;
use super::frame::{Face, provenance};
use super::icons::Icon;
use super::plain_ask::{Question, plain_ask};
use super::receipt::{Difference, difference_list, receipt, summary};
use crate::i18n::{Lang, format, t, texts};

/// The head.
pub fn face(call: &ToolCall<ChangeBooking>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => texts::change_draft(lang),
        ToolState::ApprovalRequested { .. } => texts::change_question(lang),
        ToolState::ApprovalResponded { approval, .. } if approval.approved => texts::change_running(lang),
        ToolState::ApprovalResponded { .. } => texts::booking_declining(lang),
        ToolState::OutputAvailable { output, revision, .. } => {
            return receipt_face(output, lang).changed_since(lang, *revision);
        }
        ToolState::OutputError { .. } => texts::change_failed(lang),
        ToolState::OutputDenied { .. } => texts::change_denied(lang),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Booking, texts::change_draft(lang));
        }
        ToolState::OutputCancelled { .. } => texts::change_failed(lang),
        ToolState::OutputUnknown { .. } => texts::change_unknown(lang),
    };
    Face::plain(lang, Icon::Booking, call.state.name(), title)
}

/// What is below the head.
pub fn body(call: &ToolCall<ChangeBooking>) -> AnyView {
    let kept: ended::Consequence = Some(texts::booking_stays_as_it_is);
    match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => draft(),
        ToolState::ApprovalRequested { approval, .. } => {
            let question = Question {
                promise: match approval.preview.status {
                    Placement::Confirmed => texts::change_promise,
                    Placement::Waitlisted => texts::change_promise_waits,
                },
                yes: texts::change_confirm,
                no: texts::change_decline,
            };
            plain_ask(&call.tool_call_id, approval, question, before_and_after(&approval.preview))
        }
        ToolState::ApprovalResponded { approval, .. } => {
            let progress = if approval.approved { texts::change_running } else { texts::booking_declining };
            view! {
                <p class="card__progress">{t(progress)}</p>
                {before_and_after(&approval.preview)}
            }
            .into_any()
        }
        ToolState::OutputAvailable { approval, output, .. } => {
            let before = approval.as_ref().map(|approval| &approval.preview.booking);
            let changes = before.map(|before| {
                changes(before.starts_at, output.starts_at, before.party_size, output.party_size)
            });
            receipt(output, difference_list(texts::change_made, changes.unwrap_or_default()))
        }
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            ended::failure(*kind, code, params.as_ref(), error_text, kept)
        }
        ToolState::OutputDenied { approval, .. } => view! {
            {ended::denied(kept)}
            {before_and_after(&approval.preview)}
        }
        .into_any(),
        ToolState::OutputCancelled { reason, of, .. } => {
            let consequence = match reason {
                // What is said about it is said at the first card.
                CancelReason::Repeated => None,
                CancelReason::Stopped
                | CancelReason::Superseded
                | CancelReason::Expired
                | CancelReason::Interrupted
                | CancelReason::Limit => kept,
            };
            ended::cancelled(*reason, of.as_ref(), consequence)
        }
        ToolState::OutputUnknown { approval, .. } => view! {
            <p class="card__consequence">{t(texts::change_unknown_body)}</p>
            {approval.as_ref().map(|approval| before_and_after(&approval.preview))}
        }
        .into_any(),
    }
}

fn draft() -> AnyView {
    view! {
        <div class="busy" aria-busy="true">
            <div class="skeleton bookings__skeleton"></div>
        </div>
        <p class="card__advice">{t(texts::change_draft_note)}</p>
        {provenance(texts::booking_ask_provenance)}
    }
    .into_any()
}

/// The booking as it is, and what of it would be different.
fn before_and_after(preview: &ChangeBookingPreview) -> AnyView {
    let ChangeBookingPreview { booking, starts_at, party_size, status: _, seats_free: _ } = preview;
    let changes = changes(booking.starts_at, *starts_at, booking.party_size, *party_size);
    view! {
        {summary(booking)}
        {difference_list(texts::change_to_be_made, changes)}
        {provenance(texts::booking_ask_provenance)}
    }
    .into_any()
}

fn changes(
    from: DateTime<FixedOffset>,
    to: DateTime<FixedOffset>,
    from_party: u8,
    to_party: u8,
) -> Vec<Difference> {
    let mut changes = Vec::new();
    if from != to {
        changes.push(Difference {
            name: texts::when,
            before: Box::new(move |lang| format::moment(lang, from)),
            after: Box::new(move |lang| format::moment(lang, to)),
            before_is: texts::before,
            after_is: texts::after,
        });
    }
    if from_party != to_party {
        changes.push(Difference {
            name: texts::party,
            before: Box::new(move |lang| format::people(lang, from_party)),
            after: Box::new(move |lang| format::people(lang, to_party)),
            before_is: texts::before,
            after_is: texts::after,
        });
    }
    changes
}
