//! What a conversation knows beyond the one card that asks.

use shared::ids::ToolCallId;
use shared::message::MessagePart;
use shared::reduce::Conversation;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{Booking, RefundStatus, Tool, ToolPart, canonical_order_id};

/// Whether a call is in the conversation.
pub fn has_call(conversation: &Conversation, id: &ToolCallId) -> bool {
    parts(conversation).any(|part| part.tool_call_id() == id)
}

/// The reference of a booking, by its id: from the latest card that tells it.
pub fn reference_of(conversation: &Conversation, booking_id: &str) -> Option<String> {
    let told = parts(conversation).rev().find_map(|part| {
        let bookings = bookings(part);
        bookings.into_iter().find(|booking| booking.booking_id == booking_id)
    });
    told.map(|booking| booking.reference.clone())
}

/// Whether a call asks for a refund of an order, and it was, or still may be, made: another one would come to
/// nothing.
pub fn holds_refund_of(part: &ToolPart, order_id: &str) -> bool {
    let call = match part {
        ToolPart::RefundOrder(call) => call,
        ToolPart::CreateBooking(_)
        | ToolPart::ChangeBooking(_)
        | ToolPart::CancelBooking(_)
        | ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::ListBookings(_)
        | ToolPart::GetOrder(_)
        | ToolPart::Untyped { .. } => return false,
    };
    let holds = match &call.state {
        ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::OutputUnknown { .. } => true,
        ToolState::ApprovalResponded { approval, .. } => approval.approved,
        ToolState::OutputAvailable { output, .. } => match output.status {
            RefundStatus::Submitted | RefundStatus::Succeeded => true,
            RefundStatus::Failed => false,
        },
        ToolState::InputStreaming { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. } => false,
    };
    let asked = call.state.input().map(|input| canonical_order_id(&input.order_id));
    holds && asked.is_some_and(|asked| asked == canonical_order_id(order_id))
}

fn parts(conversation: &Conversation) -> impl DoubleEndedIterator<Item = &ToolPart> {
    let parts = conversation.messages.iter().flat_map(|message| &message.parts);
    parts.filter_map(|part| match part {
        MessagePart::Tool(part) => Some(part),
        MessagePart::Text(_) | MessagePart::Reasoning(_) => None,
    })
}

/// The bookings that a card tells of, whatever became of its call.
fn bookings(part: &ToolPart) -> Vec<&Booking> {
    match part {
        ToolPart::CreateBooking(call) => output(call).into_iter().collect(),
        ToolPart::ListBookings(call) => {
            output(call).map(|list| list.bookings.iter().collect()).unwrap_or_default()
        }
        ToolPart::ChangeBooking(call) => {
            output(call).or_else(|| preview(call).map(|preview| &preview.booking)).into_iter().collect()
        }
        ToolPart::CancelBooking(call) => {
            output(call).or_else(|| preview(call).map(|preview| &preview.booking)).into_iter().collect()
        }
        ToolPart::GetWeather(_)
        | ToolPart::FindTables(_)
        | ToolPart::GetOrder(_)
        | ToolPart::RefundOrder(_)
        | ToolPart::Untyped { .. } => Vec::new(),
    }
}

fn output<T: Tool>(call: &ToolCall<T>) -> Option<&T::Output> {
    match &call.state {
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

fn preview<T: Tool>(call: &ToolCall<T>) -> Option<&T::Preview> {
    match &call.state {
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
