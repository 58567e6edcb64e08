//! Calls createBooking or refundOrder and comes to its output limit in that very turn. The call looks whole.

use shared::tools::{CreateBookingInput, RefundOrderInput};

use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund};
use super::super::reply::{Ending, Reply};
use super::super::words::either;

pub const MANNER: Manner =
    Manner { takes_the_first: true, book: run_out, refund: run_out_of_refund, ..HONEST };

fn run_out(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let text =
        either(dialogue.language(), "Tôi đặt ngay đây, và còn nữa:", "I book it right away, and besides:");
    Reply { text: Some(text), ending: Ending::AtLimit, ..book(dialogue, input) }
}

fn run_out_of_refund(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    let text = either(
        dialogue.language(),
        "Tôi yêu cầu hoàn tiền ngay đây, và còn nữa:",
        "I ask for the refund right away, and besides:",
    );
    Reply { text: Some(text), ending: Ending::AtLimit, ..refund(dialogue, input) }
}
