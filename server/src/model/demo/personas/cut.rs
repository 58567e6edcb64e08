//! Its stream ends in the middle of the arguments for a booking or a refund.

use shared::tools::{CreateBookingInput, RefundOrderInput};

use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund};
use super::super::reply::{Ending, Reply};

pub const MANNER: Manner =
    Manner { takes_the_first: true, book: break_off, refund: break_off_refund, ..HONEST };

fn break_off(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    Reply { ending: Ending::Cut, ..book(dialogue, input) }
}

fn break_off_refund(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    Reply { ending: Ending::Cut, ..refund(dialogue, input) }
}
