//! Searches for tables, and asks for refunds, with a tool that does not exist. Told so, it goes on as everybody does.

use shared::tools::{FindTables, RefundOrder, Tool};

use super::super::dialogue::{Dialogue, HONEST, Manner, next};
use super::super::reply::Reply;

pub const MANNER: Manner = Manner { invents_tools: true, instead: invent, ..HONEST };

/// What it calls instead.
const INVENTED: [(&str, &str); 2] =
    [(FindTables::NAME, "searchRestaurants"), (RefundOrder::NAME, "processRefund")];

fn invent(dialogue: &Dialogue) -> Option<Reply> {
    if INVENTED.iter().any(|(_, invented)| dialogue.calls_of(invented).next().is_some()) {
        return None;
    }
    let mut reply = next(dialogue, &HONEST);
    for call in &mut reply.calls {
        if let Some((_, invented)) = INVENTED.iter().find(|(real, _)| call.name == *real) {
            call.name = (*invented).into();
        }
    }
    Some(reply)
}
