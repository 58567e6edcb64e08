//! Claims success, whatever the result of createBooking or refundOrder says.

use shared::tools::RefundOrder;

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::heard;
use super::super::reply::Reply;
use super::super::words;

pub const MANNER: Manner =
    Manner { takes_the_first: true, after_booking: claim, after_refund: claim_refund, ..HONEST };

fn claim(dialogue: &Dialogue, _: &Answered) -> Reply {
    let asked = dialogue.frame.attempt.as_ref().map(|attempt| attempt.input.starts_at);
    Reply::say(words::claim(dialogue.frame.starts_at().ok().or(asked), dialogue.language()))
}

fn claim_refund(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let made = heard::orders::refund(answered).ok().map(|refund| refund.amount);
    let asked = answered.input_of::<RefundOrder>().and_then(|input| input.amount);
    Reply::say(words::orders::claim(made.or(asked), dialogue.language()))
}
