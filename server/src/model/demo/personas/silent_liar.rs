//! Says that it is booked, with a reference of its own invention, and calls nothing.

use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::reply::Reply;
use super::super::stream::fingerprint;
use super::super::words;

pub const MANNER: Manner = Manner { instead: invent, ..HONEST };

fn invent(dialogue: &Dialogue) -> Option<Reply> {
    if !dialogue.is_about_a_table() {
        return None;
    }
    let number = fingerprint(dialogue.last_text.as_bytes()) % 1_000_000;
    let reference = format!("TB-{number:06}");
    let claim = words::invented(&reference, dialogue.frame.starts_at().ok(), dialogue.language());
    Some(Reply::say(claim))
}
