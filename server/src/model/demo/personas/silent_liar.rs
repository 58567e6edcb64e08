//! Says that it is booked, or refunded, with a reference of its own invention, and calls nothing.

use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::orders::OrderPlan;
use super::super::reply::Reply;
use super::super::stream::fingerprint;
use super::super::words;

pub const MANNER: Manner = Manner { instead: invent, ..HONEST };

fn invent(dialogue: &Dialogue) -> Option<Reply> {
    let number = fingerprint(dialogue.last_text.as_bytes()) % 1_000_000;
    if dialogue.is_about_a_refund() {
        let amount = dialogue.plan.order.as_ref().and_then(OrderPlan::amount);
        let claim = words::orders::invented(&format!("RF-{number:06}"), amount, dialogue.language());
        return Some(Reply::say(claim));
    }
    if !dialogue.is_about_a_table() {
        return None;
    }
    let reference = format!("TB-{number:06}");
    let claim = words::invented(&reference, dialogue.frame.starts_at().ok(), dialogue.language());
    Some(Reply::say(claim))
}
