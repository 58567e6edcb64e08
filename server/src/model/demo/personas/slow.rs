//! Falls silent in the middle of the arguments for a booking or a refund, for longer than anybody waits: the stream
//! stays open and nothing comes any more.

use shared::tools::{CreateBookingInput, RefundOrderInput};

use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund};
use super::super::reply::{Ending, Reply};
use super::super::words::either;

pub const MANNER: Manner =
    Manner { takes_the_first: true, book: fall_silent, refund: fall_silent_at_refund, ..HONEST };

fn fall_silent(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let text = either(dialogue.language(), "Để tôi đặt, bạn chờ chút…", "Let me book it, one moment…");
    Reply { text: Some(text), ending: Ending::Stalled, ..book(dialogue, input) }
}

fn fall_silent_at_refund(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    let text = either(
        dialogue.language(),
        "Để tôi yêu cầu hoàn tiền, bạn chờ chút…",
        "Let me ask for the refund, one moment…",
    );
    Reply { text: Some(text), ending: Ending::Stalled, ..refund(dialogue, input) }
}
