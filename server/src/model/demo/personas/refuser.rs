//! Calls createBooking and ends that very turn with a refusal.

use shared::tools::CreateBookingInput;

use super::super::dialogue::{Dialogue, HONEST, Manner, book};
use super::super::reply::{Ending, Reply};
use super::super::words::either;

pub const MANNER: Manner = Manner { takes_the_first: true, book: refuse, ..HONEST };

fn refuse(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let text = either(dialogue.language(), "Việc này tôi không giúp được.", "I cannot help with this.");
    Reply { text: Some(text), ending: Ending::Refused, ..book(dialogue, input) }
}
