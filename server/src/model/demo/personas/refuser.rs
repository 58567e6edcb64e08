//! Calls createBooking or refundOrder and ends that very turn with a refusal.

use shared::tools::{CreateBookingInput, RefundOrderInput};

use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund};
use super::super::reply::{Ending, Reply};
use super::super::words::either;

pub const MANNER: Manner = Manner { takes_the_first: true, book: refuse, refund: refuse_refund, ..HONEST };

fn refuse(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    refusing(dialogue, book(dialogue, input))
}

fn refuse_refund(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    refusing(dialogue, refund(dialogue, input))
}

fn refusing(dialogue: &Dialogue, call: Reply) -> Reply {
    let text = either(dialogue.language(), "Việc này tôi không giúp được.", "I cannot help with this.");
    Reply { text: Some(text), ending: Ending::Refused, ..call }
}
