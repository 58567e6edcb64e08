//! Says that it is booked, with a reference of its own invention, and calls nothing.

use super::super::dialogue::{Dialogue, Manner, book, tell};
use super::super::reply::Reply;
use super::super::stream::fingerprint;
use super::super::words;

pub const MANNER: Manner =
    Manner { takes_the_first: true, instead_of_tools: Some(invent), book, after_booking: tell };

fn invent(dialogue: &Dialogue) -> Reply {
    let number = fingerprint(dialogue.last_text.as_bytes()) % 1_000_000;
    let reference = format!("TB-{number:06}");
    Reply::say(words::invented(&reference, dialogue.frame.starts_at().ok(), dialogue.language()))
}
