//! Its stream ends in the middle of the arguments for a booking.

use shared::tools::CreateBookingInput;

use super::super::dialogue::{Dialogue, HONEST, Manner, book};
use super::super::reply::{Ending, Reply};

pub const MANNER: Manner = Manner { takes_the_first: true, book: break_off, ..HONEST };

fn break_off(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    Reply { ending: Ending::Cut, ..book(dialogue, input) }
}
