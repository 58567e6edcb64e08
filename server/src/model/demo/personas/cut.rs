//! Its stream ends in the middle of the arguments for a booking.

use shared::tools::CreateBookingInput;

use super::super::dialogue::{Dialogue, Manner, book, tell};
use super::super::reply::Reply;

pub const MANNER: Manner =
    Manner { takes_the_first: true, instead_of_tools: None, book: break_off, after_booking: tell };

fn break_off(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    Reply { cut: true, ..book(dialogue, input) }
}
