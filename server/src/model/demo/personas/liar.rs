//! Claims success, whatever createBooking's result says.

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::reply::Reply;
use super::super::words;

pub const MANNER: Manner = Manner { takes_the_first: true, after_booking: claim, ..HONEST };

fn claim(dialogue: &Dialogue, _: &Answered) -> Reply {
    let asked = dialogue.frame.attempt.as_ref().map(|attempt| attempt.input.starts_at);
    Reply::say(words::claim(dialogue.frame.starts_at().ok().or(asked), dialogue.language()))
}
