//! A change of a booking: what it was, what it will be, and the receipt that follows.

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::error_code::ErrorCode;
use shared::event::{CancelReason, ToolErrorKind};
use shared::tool_call::{DecidedApproval, ToolCall, ToolState};
use shared::tools::{Booking, BookingStatus, ChangeBooking, ChangeBookingInput, ChangeBookingPreview};

use super::change_form::{change_form, wanted};
use super::context::use_cards;
use super::ended;
use super::frame::{Face, provenance};
use super::icons::Icon;
use super::person::help_with_call;
use super::receipt::{Standing, changes, difference_list, edits, receipt, receipt_face, summary};
use super::times::{times_of, times_to_ask_for};
use crate::i18n::{Lang, t, texts, words};

/// The head.
pub fn face(call: &ToolCall<ChangeBooking>, lang: Lang) -> Face {
    let title = match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => texts::change_draft(lang),
        ToolState::ApprovalRequested { .. } => texts::change_question(lang),
        ToolState::ApprovalResponded { approval, .. } if approval.approved => texts::change_running(lang),
        ToolState::ApprovalResponded { .. } => texts::declining(lang),
        ToolState::OutputAvailable { output, approval, revision, .. } => {
            return changed_face(output, standing(output, approval.as_ref(), *revision), lang)
                .changed_since(lang, *revision);
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
    let nothing: ended::Consequence = Some(texts::nothing_changed);
    match &call.state {
        ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => draft(),
        ToolState::ApprovalRequested { input, approval, .. } => view! {
            // A new question gets a new form: what was typed into the earlier one does not carry over.
            <For
                each={
                    let question = (call.tool_call_id.clone(), input.clone(), approval.clone());
                    move || [question.clone()]
                }
                key=|(_, _, approval)| approval.approval_id.to_string()
                children=|(tool_call_id, input, approval)| change_form(tool_call_id, input, approval)
            />
        }
        .into_any(),
        ToolState::ApprovalResponded { input, approval, .. } => {
            let progress = if approval.approved { texts::change_running } else { texts::declining };
            view! {
                <p class="card__progress">{t(progress)}</p>
                {before_and_after(&approval.preview, input)}
            }
            .into_any()
        }
        ToolState::OutputAvailable { input, proposed_input, approval, output, revision } => {
            let changed = approval
                .as_ref()
                .map(|approval| what_changed(&approval.preview, proposed_input.as_ref(), input, output));
            receipt(output, standing(output, approval.as_ref(), *revision), changed.into_any())
        }
        ToolState::OutputError { input, kind, code, params, error_text, .. } => {
            failure(input.as_ref(), *kind, code, params.as_ref(), error_text)
        }
        ToolState::OutputDenied { input, approval, .. } => view! {
            {ended::denied(nothing)}
            {before_and_after(&approval.preview, input)}
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
        ToolState::OutputUnknown { input, approval, .. } => view! {
            <p class="card__consequence">{t(texts::change_unknown_body)}</p>
            {approval.as_ref().map(|approval| before_and_after(&approval.preview, input))}
            {help_with_call(&call.tool_call_id)}
        }
        .into_any(),
    }
}

/// What is told beside the head: why it was refused where another time would do.
pub fn aside(call: &ToolCall<ChangeBooking>, lang: Lang) -> Option<String> {
    let ToolState::OutputError { code: code @ ErrorCode::Full, params, error_text, .. } = &call.state else {
        return None;
    };
    Some(words::error(lang, code, params.as_ref(), error_text))
}

fn standing(
    output: &Booking,
    approval: Option<&DecidedApproval<ChangeBookingPreview>>,
    revision: Option<u64>,
) -> Option<Standing> {
    Standing::of(output, approval.map(|approval| approval.preview.status), revision)
}

/// The head of a receipt for what the booking is after the change.
fn changed_face(booking: &Booking, standing: Option<Standing>, lang: Lang) -> Face {
    let face = receipt_face(booking, standing, lang);
    let title = match (booking.status, standing) {
        (BookingStatus::Confirmed, None) => texts::change_done(lang),
        (BookingStatus::Waitlisted, _) => texts::change_done_waits(lang),
        (BookingStatus::Confirmed | BookingStatus::Cancelled, _) => return face,
    };
    Face { title: title.to_owned(), ..face }
}

fn draft() -> AnyView {
    view! {
        <div class="busy" aria-busy="true">
            <div class="skeleton bookings__skeleton"></div>
        </div>
        <p class="card__advice">{t(texts::change_draft_note)}</p>
    }
    .into_any()
}

/// The booking as it was, and what of it was to be different.
fn before_and_after(preview: &ChangeBookingPreview, input: &ChangeBookingInput) -> AnyView {
    let booking = &preview.booking;
    let changes = changes((booking.starts_at, booking.party_size), wanted(booking, input));
    view! {
        {summary(booking)}
        {difference_list(texts::change_wanted, changes)}
        {provenance(texts::request_provenance)}
    }
    .into_any()
}

/// What has changed: by the call, by the guest before it, and after it.
fn what_changed(
    preview: &ChangeBookingPreview,
    proposed: Option<&ChangeBookingInput>,
    ran: &ChangeBookingInput,
    output: &Booking,
) -> AnyView {
    let booking = &preview.booking;
    let ran = wanted(booking, ran);
    let edited = proposed.map(|proposed| edits(wanted(booking, proposed), ran)).unwrap_or_default();
    view! {
        {difference_list(texts::change_made, changes((booking.starts_at, booking.party_size), ran))}
        {difference_list(texts::differs_from_proposed, edited)}
        {difference_list(texts::changed_later, changes(ran, (output.starts_at, output.party_size)))}
    }
    .into_any()
}

/// The reason of an `output-error`; where other times have room, the guest may ask for one of them.
fn failure(
    input: Option<&ChangeBookingInput>,
    kind: ToolErrorKind,
    code: &ErrorCode,
    params: Option<&Map<String, Value>>,
    error_text: &str,
) -> AnyView {
    let times = if *code == ErrorCode::Full { times_of(params) } else { Vec::new() };
    let nothing: ended::Consequence = Some(texts::nothing_changed);
    let (Some(input), false) = (input.cloned(), times.is_empty()) else {
        return ended::failure(kind, code, params, error_text, nothing);
    };
    let cx = use_cards();
    let day = input.starts_at.map(|starts_at| starts_at.date_naive());
    let message = move |lang, starts_at| {
        let reference = cx.reference_of.run(input.booking_id.clone());
        words::wants_move(lang, reference.as_deref(), starts_at, input.party_size)
    };
    let times = view! {
        <div class="offer" role="group" aria-label=t(texts::change_other_times)>
            <p class="offer__heading" aria-hidden="true">{t(texts::change_other_times)}</p>
            {times_to_ask_for(times, day, words::move_to, message)}
        </div>
    };
    // The times are said by the buttons.
    ended::failure_with(kind, code, None, error_text, nothing, times.into_any())
}
