//! A cancellation: the question, and the proof that the booking is given back.

use leptos::prelude::*;
use shared::error_code::ErrorCode;
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{Booking, BookingStatus, CancelBooking};

use super::ended;
use super::frame::{Face, Tone};
use super::icons::Icon;
use super::person::help_with_call;
use super::plain_ask::{Kind, Question, plain_ask};
use super::receipt::{Standing, Text, receipt, summary};
use crate::i18n::{Lang, t, texts};

/// The question, about a table or about a place in line.
fn question(booking: &Booking) -> Question {
    let (promise, yes, no): (Text, Text, Text) = match booking.status {
        BookingStatus::Confirmed | BookingStatus::Cancelled => {
            (texts::cancel_promise, texts::cancel_confirm, texts::cancel_decline)
        }
        BookingStatus::Waitlisted => {
            (texts::cancel_promise_waits, texts::cancel_confirm_waits, texts::cancel_decline_waits)
        }
    };
    Question { promise, yes, no, kind: Kind::GiveUp }
}

/// The head.
pub fn face(call: &ToolCall<CancelBooking>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => texts::cancel_draft(lang),
        ToolState::ApprovalRequested { .. } => texts::cancel_question(lang),
        ToolState::ApprovalResponded { approval, .. } if approval.approved => texts::cancel_running(lang),
        ToolState::ApprovalResponded { .. } => texts::declining(lang),
        ToolState::OutputAvailable { revision, .. } => {
            let face = Face {
                icon: Icon::Booking,
                tone: Tone::Done,
                title: texts::cancel_done(lang).to_owned(),
                badge: texts::state_done(lang),
                marks: Vec::new(),
            };
            return face.changed_since(lang, *revision);
        }
        ToolState::OutputError { code: ErrorCode::BookingCancelled, .. } => texts::cancel_before(lang),
        ToolState::OutputError { .. } => texts::cancel_failed(lang),
        ToolState::OutputDenied { .. } => texts::cancel_denied(lang),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Booking, texts::cancel_draft(lang));
        }
        ToolState::OutputCancelled { .. } => texts::cancel_failed(lang),
        ToolState::OutputUnknown { .. } => texts::cancel_unknown(lang),
    };
    Face::plain(lang, Icon::Booking, call.state.name(), title)
}

/// What is below the head.
pub fn body(call: &ToolCall<CancelBooking>) -> AnyView {
    let nothing: ended::Consequence = Some(texts::nothing_cancelled);
    match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => draft(),
        ToolState::ApprovalRequested { approval, .. } => {
            let booking = &approval.preview.booking;
            plain_ask(&call.tool_call_id, approval, question(booking), summary(booking))
        }
        ToolState::ApprovalResponded { approval, .. } => {
            let progress = if approval.approved { texts::cancel_running } else { texts::declining };
            view! {
                <p class="card__progress">{t(progress)}</p>
                {summary(&approval.preview.booking)}
            }
            .into_any()
        }
        ToolState::OutputAvailable { output, revision, .. } => {
            receipt(output, Standing::of(output, None, *revision), ().into_any())
        }
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            // What the guest wanted is so.
            let consequence = nothing.filter(|_| *code != ErrorCode::BookingCancelled);
            ended::failure(*kind, code, params.as_ref(), error_text, consequence)
        }
        ToolState::OutputDenied { approval, .. } => view! {
            {ended::denied(nothing)}
            {summary(&approval.preview.booking)}
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
                | CancelReason::Limit => nothing,
            };
            ended::cancelled(*reason, of.as_ref(), consequence)
        }
        ToolState::OutputUnknown { approval, .. } => view! {
            <p class="card__consequence">{t(texts::cancel_unknown_body)}</p>
            {approval.as_ref().map(|approval| summary(&approval.preview.booking))}
            {help_with_call(&call.tool_call_id)}
        }
        .into_any(),
    }
}

fn draft() -> AnyView {
    view! {
        <div class="busy" aria-busy="true">
            <div class="skeleton bookings__skeleton"></div>
        </div>
        <p class="card__advice">{t(texts::cancel_draft_note)}</p>
    }
    .into_any()
}
