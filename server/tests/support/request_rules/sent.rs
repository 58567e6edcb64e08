use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use axum::http::HeaderMap;
use serde_json::Value;
use serde_json::value::RawValue;

use super::Protocol;

/// A request as it came over the wire.
#[derive(Clone, Debug)]
pub struct Sent {
    pub protocol: Protocol,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

/// One piece of a history: a block of a message (Messages API), a message (Chat Completions), an item
/// (Responses API).
pub struct Piece {
    pub value: Value,
    /// The message or item that it is in.
    pub item: usize,
    pub is_the_models: bool,
}

/// A request's history, with what its beginnings are known by.
pub struct History {
    pub pieces: Vec<Piece>,
    /// For each n: a number for everything up to the n-th piece, system prompt and tools included, byte by byte.
    pub keys: Vec<u64>,
}

type Members<'a> = BTreeMap<String, &'a RawValue>;

impl Sent {
    /// The body; `null` where it is no JSON.
    pub fn body(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// None where the body is not what the protocol has there.
    pub fn history(&self) -> Option<History> {
        let members: Members<'_> = serde_json::from_slice(&self.bytes).ok()?;
        let (fixed, history) = match self.protocol {
            Protocol::Anthropic => (["model", "system", "tools"], "messages"),
            Protocol::Chat => (["model", "system", "tools"], "messages"),
            Protocol::Responses => (["model", "instructions", "tools"], "input"),
        };
        let items: Vec<&RawValue> = serde_json::from_str(members.get(history)?.get()).ok()?;
        let mut hasher = DefaultHasher::new();
        for name in fixed {
            members.get(name).map(|raw| raw.get()).hash(&mut hasher);
        }
        let mut found = History { pieces: Vec::new(), keys: vec![hasher.finish()] };
        for (item, raw) in items.into_iter().enumerate() {
            for (role, piece) in self.pieces(raw)? {
                let value: Value = serde_json::from_str(piece).ok()?;
                let is_the_models = is_the_models(self.protocol, &role, &value);
                (role, piece).hash(&mut hasher);
                found.keys.push(hasher.finish());
                found.pieces.push(Piece { value, item, is_the_models });
            }
        }
        Some(found)
    }

    /// The pieces of an item, with its role.
    fn pieces<'a>(&self, raw: &'a RawValue) -> Option<Vec<(String, &'a str)>> {
        let members: Members<'a> = serde_json::from_str(raw.get()).ok()?;
        let role: String = match members.get("role") {
            Some(role) => serde_json::from_str(role.get()).ok()?,
            None => String::new(),
        };
        match self.protocol {
            Protocol::Anthropic => {
                let content = members.get("content")?.get();
                let blocks = serde_json::from_str::<Vec<&RawValue>>(content);
                Some(match blocks {
                    Ok(blocks) => blocks.into_iter().map(|block| (role.clone(), block.get())).collect(),
                    // A text alone stands for one block.
                    Err(_) => vec![(role, content)],
                })
            }
            Protocol::Chat | Protocol::Responses => Some(vec![(role, raw.get())]),
        }
    }
}

fn is_the_models(protocol: Protocol, role: &str, value: &Value) -> bool {
    match protocol {
        Protocol::Anthropic | Protocol::Chat => role == "assistant",
        Protocol::Responses => is_the_models_item(value),
    }
}

/// Of the Responses API: also what only the provider understands.
pub fn is_the_models_item(item: &Value) -> bool {
    let told = matches!(item["role"].as_str(), Some("user" | "system" | "developer"));
    let answered = item["type"].as_str().is_some_and(|kind| kind.ends_with("_output"));
    !told && !answered
}
