//! Asked for one table, it books two restaurants in one turn, the first of them twice. Asked for a refund, it
//! asks for it twice in one turn, and between for another amount of the same order.

use shared::tools::{CreateBookingInput, RefundOrderInput};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund, tell, tell_refund};
use super::super::frame::Aim;
use super::super::heard::orders::OrderTrouble;
use super::super::heard::{self, Trouble};
use super::super::reply::Reply;
use super::super::words::either;

pub const MANNER: Manner = Manner {
    takes_the_first: true,
    book: both,
    after_booking: tell_apart,
    refund: both_amounts,
    after_refund: tell_what_counts,
    ..HONEST
};

fn both(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let mut reply = Reply::say(either(
        dialogue.language(),
        "Tôi giữ luôn hai nơi cho chắc.",
        "I hold two places, to be on the safe side.",
    ));
    reply.add(book(dialogue, input));
    if let Some(other) = another(dialogue, &input.restaurant_id) {
        reply.add(book(dialogue, &other));
    }
    reply.add(book(dialogue, input));
    reply
}

/// In đồng, where nobody has said how much.
const A_LITTLE: u64 = 10_000;

fn both_amounts(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    let mut reply = Reply::say(either(
        dialogue.language(),
        "Tôi yêu cầu luôn mấy lần cho chắc.",
        "I ask for it several times, to be on the safe side.",
    ));
    let other = match input.amount {
        Some(amount) => amount.div_ceil(2) + u64::from(amount == 1),
        None => A_LITTLE,
    };
    reply.add(refund(dialogue, input));
    reply.add(refund(dialogue, &RefundOrderInput { amount: Some(other), ..input.clone() }));
    reply.add(refund(dialogue, input));
    reply
}

/// The other amount was refused for the sake of the first one: where that was not done either, it alone is told.
fn tell_what_counts(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let came_between = heard::orders::refund(answered) == Err(OrderTrouble::AnotherRefund(None));
    let not_done = |other: &Answered| match heard::orders::refund(other) {
        Ok(_) | Err(OrderTrouble::AnotherRefund(_) | OrderTrouble::Other(Trouble::Uncertain)) => false,
        Err(
            OrderTrouble::UnknownOrder(_)
            | OrderTrouble::NothingLeft
            | OrderTrouble::MoreThanLeft(_)
            | OrderTrouble::Rejected
            | OrderTrouble::Unreached
            | OrderTrouble::Failed(_)
            | OrderTrouble::Other(_),
        ) => true,
    };
    match came_between && dialogue.refunded_now().any(not_done) {
        true => Reply::default(),
        false => tell_refund(dialogue, answered),
    }
}

fn another(dialogue: &Dialogue, than: &str) -> Option<CreateBookingInput> {
    let frame = &dialogue.frame;
    let ids = frame.shown().iter().map(|option| &option.restaurant_id);
    let id = ids.into_iter().find(|id| *id != than && !frame.refused.contains(id))?;
    frame.booking(id, Aim::Closest).ok().map(|(input, _)| input)
}

/// With several outcomes at once, each needs its restaurant's name.
fn tell_apart(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let reply = tell(dialogue, answered);
    let id = answered.input.get("restaurantId").and_then(|id| id.as_str());
    let name = dialogue.frame.known().into_iter().find(|option| Some(option.restaurant_id.as_str()) == id);
    match (name, reply.text) {
        (Some(option), Some(text)) => Reply::say(format!("{}: {text}", option.name)),
        (None, Some(text)) => Reply::say(text),
        (_, None) => Reply::default(),
    }
}
