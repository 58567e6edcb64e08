//! What a page shows, in the reference's words.

use std::collections::HashMap;

use serde_json::Value;

use super::operations::UNIT;
use super::reference::CallKey;
use crate::support::tool_parts;

/// The calls of all conversations by their ids.
pub type Keys = HashMap<String, CallKey>;

pub fn add_keys(keys: &mut Keys, conversation: usize, view: &Value) {
    for (n, part) in tool_parts(view).enumerate() {
        keys.insert(text(&part["toolCallId"]).to_owned(), CallKey(conversation, n));
    }
}

/// The run's status and the tool parts, one line each.
pub fn screen(view: &Value, keys: &Keys) -> Vec<String> {
    let run = view["run"]["status"].as_str().unwrap_or("no run");
    let line = |part: &Value| {
        let tool = text(&part["type"]).trim_start_matches("tool-");
        let state = text(&part["state"]);
        let more = match state {
            "output-available" => {
                let output = &part["output"];
                let many = match output["amount"].as_u64() {
                    Some(amount) => (amount / UNIT).to_string(),
                    None => output["partySize"].to_string(),
                };
                format!(" {} for {many}", text(&output["status"]))
            }
            "output-cancelled" => {
                let of = part["of"].as_str().map(|of| match keys.get(of) {
                    Some(key) => format!(" {key:?}"),
                    None => format!(" {of}"),
                });
                format!(" {}{}", text(&part["reason"]), of.unwrap_or_default())
            }
            "output-error" => format!(" {}", text(&part["code"])),
            _ => String::new(),
        };
        format!("{tool} {state}{more}")
    };
    std::iter::once(run.to_owned()).chain(tool_parts(view).map(line)).collect()
}

pub fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
