//! What goes back to the provider, gathered from the deltas that it comes in.

use serde_json::{Map, Value};

use super::kept::{Kept, REASONING, SIGNED};

#[derive(Default)]
pub struct Gathered {
    members: Map<String, Value>,
    /// The part `thinking` of the content.
    thinking: Option<Map<String, Value>>,
}

impl Gathered {
    /// Texts grow, lists too, of everything else the last counts.
    pub fn add_members(&mut self, mut delta: Map<String, Value>) {
        for name in REASONING.into_iter().chain(SIGNED) {
            let Some(value) = delta.remove(name).filter(|value| !value.is_null()) else { continue };
            match (self.members.get_mut(name), value) {
                (Some(Value::String(all)), Value::String(more)) => all.push_str(&more),
                (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
                (_, value) => {
                    self.members.insert(name.to_owned(), value);
                }
            }
        }
    }

    pub fn add_thinking(&mut self, part: Map<String, Value>) {
        let all = self.thinking.get_or_insert_default();
        for (name, value) in part {
            match (all.get_mut(&name), value) {
                (Some(Value::Array(all)), Value::Array(more)) if name == "thinking" => join_texts(all, more),
                (Some(Value::String(all)), Value::String(more)) if name == "thinking" => all.push_str(&more),
                (_, value) => {
                    all.insert(name, value);
                }
            }
        }
    }

    /// In the order in which they stand before the text.
    pub fn take(&mut self) -> impl Iterator<Item = Kept> + use<> {
        let members = std::mem::take(&mut self.members);
        let members = (!members.is_empty()).then_some(Kept::Members(members));
        let thinking = self.thinking.take().map(|part| Kept::Part(Value::Object(part)));
        members.into_iter().chain(thinking)
    }
}

/// Of servers that have it under both names, for a while, one.
pub fn reasoning(delta: &Map<String, Value>) -> Option<String> {
    let texts = REASONING.iter().filter_map(|name| delta.get(*name)?.as_str());
    texts.filter(|text| !text.is_empty()).map(str::to_owned).next()
}

/// Neighbouring texts of thinking become one.
fn join_texts(all: &mut Vec<Value>, more: Vec<Value>) {
    let is_text = |part: &Value| {
        let fields = part.as_object();
        fields.is_some_and(|fields| fields.len() == 2 && fields.get("type") == Some(&"text".into()))
    };
    for part in more {
        let (before, text) = match (all.last_mut(), part.get("text")) {
            (Some(before), Some(Value::String(text))) if is_text(before) && is_text(&part) => (before, text),
            _ => {
                all.push(part);
                continue;
            }
        };
        if let Some(Value::String(all)) = before.get_mut("text") {
            all.push_str(text);
        }
    }
}
