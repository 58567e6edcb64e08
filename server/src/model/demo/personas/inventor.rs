//! Searches for tables with a tool that does not exist. Told so, it goes on as everybody does.

use shared::tools::{FindTables, Tool};

use super::super::dialogue::{Dialogue, HONEST, Manner, next};
use super::super::reply::Reply;

pub const MANNER: Manner = Manner { invents_tools: true, instead: invent, ..HONEST };

const INVENTED: &str = "searchRestaurants";

fn invent(dialogue: &Dialogue) -> Option<Reply> {
    if dialogue.calls_of(INVENTED).next().is_some() {
        return None;
    }
    let mut reply = next(dialogue, &HONEST);
    for call in reply.calls.iter_mut().filter(|call| call.name == FindTables::NAME) {
        call.name = INVENTED.into();
    }
    Some(reply)
}
