//! Asked for one table, it books two restaurants in one turn, the first of them twice.

use shared::tools::CreateBookingInput;

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, tell};
use super::super::frame::Aim;
use super::super::reply::Reply;
use super::super::words::either;

pub const MANNER: Manner = Manner { takes_the_first: true, book: both, after_booking: tell_apart, ..HONEST };

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
