//! Asks for the very same booking or refund once more after the guest has declined it, and gives up then.

use shared::tools::{CreateBooking, RefundOrder, Tool};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund, tell, tell_refund};
use super::super::heard::orders::OrderTrouble;
use super::super::heard::{self, Trouble};
use super::super::reply::Reply;
use super::super::words::either;

pub const MANNER: Manner =
    Manner { takes_the_first: true, after_booking: nag, after_refund: nag_for_refund, ..HONEST };

fn nag(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let declined = heard::read::<CreateBooking>(answered).err() == Some(Trouble::Declined);
    let for_the_first_time = dialogue.calls_of(CreateBooking::NAME).count() == 1;
    match answered.input_of::<CreateBooking>() {
        Some(input) if declined && for_the_first_time => once_more(dialogue, book(dialogue, &input)),
        Some(_) | None => tell(dialogue, answered),
    }
}

fn nag_for_refund(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let trouble = heard::orders::refund(answered).err();
    let declined = trouble == Some(OrderTrouble::Other(Trouble::Declined));
    let for_the_first_time = dialogue.calls_of(RefundOrder::NAME).count() == 1;
    match answered.input_of::<RefundOrder>() {
        Some(input) if declined && for_the_first_time => once_more(dialogue, refund(dialogue, &input)),
        Some(_) | None => tell_refund(dialogue, answered),
    }
}

fn once_more(dialogue: &Dialogue, call: Reply) -> Reply {
    let mut reply = Reply::say(either(
        dialogue.language(),
        "Bạn chắc chứ? Tôi đề nghị lại lần nữa.",
        "Are you sure? I propose it once more.",
    ));
    reply.add(call);
    reply
}
