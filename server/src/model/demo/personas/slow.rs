//! Falls silent in the middle of the arguments for a booking, for longer than anybody waits: the stream stays open
//! and nothing comes any more.

use shared::tools::CreateBookingInput;

use super::super::dialogue::{Dialogue, HONEST, Manner, book};
use super::super::reply::{Ending, Reply};
use super::super::words::either;

pub const MANNER: Manner = Manner { takes_the_first: true, book: fall_silent, ..HONEST };

fn fall_silent(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let text = either(dialogue.language(), "Để tôi đặt, bạn chờ chút…", "Let me book it, one moment…");
    Reply { text: Some(text), ending: Ending::Stalled, ..book(dialogue, input) }
}
