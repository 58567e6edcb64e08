//! How to reach a person: which contact concerns a message, and what of it can be pressed.

use crate::ids::{MessageId, ToolCallId};
use crate::message::{MessagePart, UiMessage};
use crate::tool_call::{ToolCall, ToolState};
use crate::tools::{Booking, CreateBooking, CreateBookingPreview, Tool, ToolPart};

/// A restaurant's contact, as its record says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    /// The restaurant's name.
    pub name: String,
    /// One line: telephone numbers, e-mail addresses, words.
    pub contact: String,
}

/// The contact of the restaurant that a message is about: of the newest of its calls that names one. None
/// where it is about no restaurant, or about one whose contact the conversation does not know.
pub fn of_message(messages: &[UiMessage], id: &MessageId) -> Option<Contact> {
    let message = messages.iter().rev().find(|message| message.id == *id)?;
    tools(message).rev().find_map(|part| of_part(messages, part))
}

/// The contact of the restaurant that a call is about.
pub fn of_call(messages: &[UiMessage], id: &ToolCallId) -> Option<Contact> {
    let part = messages.iter().rev().flat_map(tools).find(|part| part.tool_call_id() == id)?;
    of_part(messages, part)
}

fn tools(message: &UiMessage) -> impl DoubleEndedIterator<Item = &ToolPart> {
    message.parts.iter().filter_map(|part| match part {
        MessagePart::Tool(part) => Some(part),
        MessagePart::Text(_) | MessagePart::Reasoning(_) => None,
    })
}

fn of_part(messages: &[UiMessage], part: &ToolPart) -> Option<Contact> {
    match part {
        ToolPart::CreateBooking(call) => of_booking(messages, call),
        ToolPart::ChangeBooking(call) => preview(&call.state)
            .and_then(|preview| of_record(&preview.booking))
            .or_else(|| call.state.input().and_then(|input| of_booking_id(messages, &input.booking_id))),
        ToolPart::CancelBooking(call) => preview(&call.state)
            .and_then(|preview| of_record(&preview.booking))
            .or_else(|| call.state.input().and_then(|input| of_booking_id(messages, &input.booking_id))),
        // A search and a list show many restaurants and are about none of them.
        ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::Untyped { .. } => None,
        // An order names its restaurant, not how to reach it.
        ToolPart::GetOrder(_) | ToolPart::RefundOrder(_) => None,
    }
}

fn of_booking(messages: &[UiMessage], call: &ToolCall<CreateBooking>) -> Option<Contact> {
    let (input, proposed, preview) = match &call.state {
        ToolState::InputStreaming { .. } => return None,
        ToolState::InputAvailable { input } => (Some(input), None, None),
        ToolState::ApprovalRequested { input, proposed_input, approval } => {
            (Some(input), proposed_input.as_ref(), Some(&approval.preview))
        }
        ToolState::ApprovalResponded { input, proposed_input, approval }
        | ToolState::OutputDenied { input, proposed_input, approval } => {
            (Some(input), proposed_input.as_ref(), Some(&approval.preview))
        }
        ToolState::OutputAvailable { input, proposed_input, approval, .. }
        | ToolState::OutputUnknown { input, proposed_input, approval } => {
            (Some(input), proposed_input.as_ref(), approval.as_ref().map(|approval| &approval.preview))
        }
        ToolState::OutputError { input, .. } | ToolState::OutputCancelled { input, .. } => {
            (input.as_ref(), None, None)
        }
    };
    let restaurant_id = &input?.restaurant_id;
    // An edit may have made another restaurant of it than the one that was looked up.
    let is_same = proposed.is_none_or(|proposed| proposed.restaurant_id == *restaurant_id);
    let preview = preview.filter(|_| is_same);
    preview.and_then(of_preview).or_else(|| of_restaurant(messages, restaurant_id))
}

/// What was looked up for the question, where there was one.
fn preview<T: Tool>(state: &ToolState<T>) -> Option<&T::Preview> {
    match state {
        ToolState::ApprovalRequested { approval, .. } => Some(&approval.preview),
        ToolState::ApprovalResponded { approval, .. } | ToolState::OutputDenied { approval, .. } => {
            Some(&approval.preview)
        }
        ToolState::OutputAvailable { approval, .. } | ToolState::OutputUnknown { approval, .. } => {
            approval.as_ref().map(|approval| &approval.preview)
        }
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputCancelled { .. } => None,
    }
}

fn of_record(booking: &Booking) -> Option<Contact> {
    let contact = booking.contact.as_deref().and_then(said)?;
    Some(Contact { name: booking.restaurant_name.clone(), contact })
}

/// As the newest output that shows the booking says it.
fn of_booking_id(messages: &[UiMessage], booking_id: &str) -> Option<Contact> {
    let shown = |part: &ToolPart| -> Option<Contact> {
        let booking = match part {
            ToolPart::CreateBooking(call) => output(&call.state),
            ToolPart::ChangeBooking(call) => output(&call.state),
            ToolPart::CancelBooking(call) => output(&call.state),
            ToolPart::ListBookings(call) => {
                let listed = output(&call.state)?;
                listed.bookings.iter().find(|booking| booking.booking_id == booking_id)
            }
            ToolPart::GetWeather(_)
            | ToolPart::FindTables(_)
            | ToolPart::GetOrder(_)
            | ToolPart::RefundOrder(_)
            | ToolPart::Untyped { .. } => None,
        };
        booking.filter(|booking| booking.booking_id == booking_id).and_then(of_record)
    };
    messages.iter().rev().flat_map(|message| tools(message).rev()).find_map(shown)
}

fn output<T: Tool>(state: &ToolState<T>) -> Option<&T::Output> {
    match state {
        ToolState::OutputAvailable { output, .. } => Some(output),
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => None,
    }
}

fn of_preview(preview: &CreateBookingPreview) -> Option<Contact> {
    let contact = preview.contact.as_deref().and_then(said)?;
    Some(Contact { name: preview.restaurant_name.clone(), contact })
}

/// As the newest search that found the restaurant says it.
fn of_restaurant(messages: &[UiMessage], restaurant_id: &str) -> Option<Contact> {
    messages.iter().rev().flat_map(|message| tools(message).rev()).find_map(|part| match part {
        ToolPart::FindTables(ToolCall { state: ToolState::OutputAvailable { output, .. }, .. }) => {
            let option = output.restaurants.iter().find(|option| option.restaurant_id == restaurant_id)?;
            let contact = option.contact.as_deref().and_then(said)?;
            Some(Contact { name: option.name.clone(), contact })
        }
        ToolPart::FindTables(_)
        | ToolPart::GetWeather(_)
        | ToolPart::ListBookings(_)
        | ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::GetOrder(_)
        | ToolPart::RefundOrder(_)
        | ToolPart::Untyped { .. } => None,
    })
}

/// The text, where it says anything.
fn said(contact: &str) -> Option<String> {
    let contact = contact.trim();
    (!contact.is_empty()).then(|| contact.to_owned())
}

/// A piece of a contact's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A telephone number: as written, and as dialled.
    Phone {
        text: String,
        number: String,
    },
    Email(String),
    /// Everything else, the signs between the pieces as well.
    Text(String),
}

/// What stands between the pieces of a contact's line.
const BETWEEN: [char; 5] = ['·', ',', ';', '|', '•'];

/// A contact's line in pieces, in order; put together again they are the line. Only what clearly is a
/// telephone number or an e-mail address is one.
pub fn pieces(line: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in line.split_inclusive(BETWEEN) {
        let (word, sign) = match part.strip_suffix(BETWEEN) {
            Some(word) => (word, part.get(word.len()..).unwrap_or_default()),
            None => (part, ""),
        };
        let core = word.trim();
        let piece = match (phone(core), is_email(core)) {
            (Some(number), _) => Piece::Phone { text: core.to_owned(), number },
            (None, true) => Piece::Email(core.to_owned()),
            (None, false) => {
                push_text(&mut pieces, part);
                continue;
            }
        };
        let start = word.len() - word.trim_start().len();
        let (before, after) = (word.get(..start), word.get(start + core.len()..));
        push_text(&mut pieces, before.unwrap_or_default());
        pieces.push(piece);
        push_text(&mut pieces, after.unwrap_or_default());
        push_text(&mut pieces, sign);
    }
    pieces
}

/// Fewer digits are no telephone number that reaches anybody from outside.
const FEWEST_DIGITS: usize = 6;

/// Whether somebody can be reached by what a line says. A person reads it, so anything that holds a number
/// long enough to be called, or something like an e-mail address, will do.
pub fn is_reachable(line: &str) -> bool {
    let digits = line.chars().filter(|c| c.is_numeric()).count();
    let is_address = |word: &str| {
        word.split_once('@').is_some_and(|(name, host)| {
            let joined = |text: &str| text.chars().any(char::is_alphanumeric);
            joined(name) && host.split_once('.').is_some_and(|(one, other)| joined(one) && joined(other))
        })
    };
    digits >= FEWEST_DIGITS || line.split_whitespace().any(is_address)
}

fn push_text(pieces: &mut Vec<Piece>, text: &str) {
    if text.is_empty() {
        return;
    }
    match pieces.last_mut() {
        Some(Piece::Text(before)) => before.push_str(text),
        Some(Piece::Phone { .. } | Piece::Email(_)) | None => pieces.push(Piece::Text(text.to_owned())),
    }
}

/// The number as it is dialled: from 6 to 15 digits (E.164 has no more), a plus sign at most in front.
fn phone(text: &str) -> Option<String> {
    let local = text.strip_prefix('+').unwrap_or(text);
    let fits = |c: char| c.is_ascii_digit() || matches!(c, ' ' | '\u{a0}' | '-' | '.' | '(' | ')');
    let digits: String = local.chars().filter(char::is_ascii_digit).collect();
    let is_one = local.chars().all(fits) && (6..=15).contains(&digits.len());
    is_one.then(|| if local.len() < text.len() { format!("+{digits}") } else { digits })
}

/// Plain addresses only: nothing in them means anything in a link.
fn is_email(text: &str) -> bool {
    let Some((name, domain)) = text.split_once('@') else { return false };
    let is_word = |word: &str, also: &[char]| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(&c))
    };
    let labels: Vec<&str> = domain.split('.').collect();
    text.len() <= 254
        && is_word(name, &['.', '_', '-', '+'])
        && labels.len() >= 2
        && labels.iter().all(|label| is_word(label, &['-']))
}
