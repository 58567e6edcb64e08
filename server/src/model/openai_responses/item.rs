//! One item of a response: gathered from its pieces, and held against the wholes that the provider gives of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared::ids::ToolCallId;

use super::Responses;
use super::broken::Broken;
use crate::ids::Ids;
use crate::model::AssistantBlock;
use crate::model::provider::Protocol;

pub struct Item {
    pub content: Content,
    /// The provider's, where it has one; never sent back, since nothing is stored under it.
    id: Option<String>,
    kind: String,
    /// As `output_item.done` has it.
    done: Option<Value>,
}

pub enum Content {
    Message {
        /// By their place in the message.
        texts: BTreeMap<u64, String>,
    },
    Call {
        tool_call_id: ToolCallId,
        call_id: String,
        name: String,
        arguments: String,
        /// The whole of them was told: no piece may follow.
        is_told: bool,
    },
    /// Reasoning, and every kind that this adapter does not know: kept as it came.
    Opaque,
}

impl Item {
    /// # Errors
    /// An item without a type.
    pub fn start(item: &Value, ids: &dyn Ids) -> Result<Self, Broken> {
        let kind = item["type"].as_str().ok_or(Broken::NoType)?.to_owned();
        let field = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        let content = match kind.as_str() {
            "message" => Content::Message { texts: BTreeMap::new() },
            "function_call" => Content::Call {
                tool_call_id: ToolCallId(ids.next()),
                call_id: field("call_id"),
                name: field("name"),
                arguments: field("arguments"),
                is_told: false,
            },
            _ => Content::Opaque,
        };
        Ok(Self { content, id: item["id"].as_str().map(str::to_owned), kind, done: None })
    }

    pub fn is_open(&self) -> bool {
        self.done.is_none()
    }

    /// Whether an event that names an item means this one.
    pub fn is_named(&self, id: Option<&str>) -> bool {
        match (&self.id, id) {
            (Some(own), Some(id)) => own == id,
            (None, _) | (_, None) => true,
        }
    }

    /// Closes it. What no piece has told yet comes back: the arguments, or texts by their place.
    ///
    /// # Errors
    /// The whole is not what the pieces said.
    pub fn finish(&mut self, mut whole: Value, index: u64) -> Result<Untold, Broken> {
        if !self.is_open() {
            return Err(Broken::FinishedTwice(index));
        }
        let untold = match &mut self.content {
            Content::Call { arguments, is_told, .. } if !*is_told && arguments.is_empty() => {
                *arguments = whole["arguments"].as_str().unwrap_or_default().to_owned();
                Untold::Arguments(arguments.clone())
            }
            Content::Message { texts } => {
                let new = texts_of(&whole).filter(|(place, _)| !texts.contains_key(place));
                let new: Vec<_> = new.map(|(place, text)| (place, text.to_owned())).collect();
                texts.extend(new.iter().cloned());
                Untold::Texts(new)
            }
            Content::Call { .. } | Content::Opaque => Untold::Nothing,
        };
        self.agree(&whole, index)?;
        if let Some(fields) = whole.as_object_mut() {
            // Only in answers: a request that has it is refused (`toResponseInputItems` of OpenAI's SDK).
            fields.remove("created_by");
        }
        self.done = Some(whole);
        Ok(untold)
    }

    /// # Errors
    /// This is another item, or one that says something else.
    pub fn agree(&self, whole: &Value, index: u64) -> Result<(), Broken> {
        let field = |name: &str| whole[name].as_str().unwrap_or_default();
        let is_same = match &self.content {
            Content::Call { call_id, name, arguments, .. } => {
                field("call_id") == call_id
                    && field("name") == name
                    && whole["arguments"].as_str() == Some(arguments)
            }
            Content::Message { texts } => {
                let told = texts.iter().filter(|(_, text)| !text.is_empty());
                texts_of(whole).eq(told.map(|(place, text)| (*place, text.as_str())))
            }
            Content::Opaque => true,
        };
        if is_same && field("type") == self.kind && self.is_named(whole["id"].as_str()) {
            Ok(())
        } else {
            Err(Broken::Disagrees(index))
        }
    }

    /// Whether it says that it was cut short: a message or a call that is not complete in a complete response.
    pub fn is_cut(&self, whole: &Value) -> bool {
        match self.content {
            Content::Message { .. } | Content::Call { .. } => {
                whole["status"].as_str().is_some_and(|status| status != "completed")
            }
            Content::Opaque => false,
        }
    }

    /// As `output_item.done` had it.
    pub fn whole(&self) -> Option<&Value> {
        self.done.as_ref()
    }

    pub fn is_call(&self) -> bool {
        match self.content {
            Content::Call { .. } => true,
            Content::Message { .. } | Content::Opaque => false,
        }
    }

    pub fn is_any_of(&self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind.as_str())
    }

    /// What it is in the history. `tidy`: what becomes of a call's arguments.
    pub fn into_blocks(self, tidy: impl Fn(&str, String) -> String) -> Vec<AssistantBlock> {
        let opaque = |block| AssistantBlock::Opaque { protocol: Responses::NAME.to_owned(), block };
        match self.content {
            Content::Message { texts } => {
                let text: String = texts.into_values().collect();
                if text.is_empty() {
                    return Vec::new();
                }
                // Whether it was a comment on the way or the answer: newer models want it back.
                let phase = self.done.as_ref().and_then(|whole| whole["phase"].as_str());
                let phase = phase.map(|phase| opaque(json!({ "type": "message", "phase": phase })));
                phase.into_iter().chain([AssistantBlock::Text { text }]).collect()
            }
            Content::Call { tool_call_id, call_id, name, arguments, is_told: _ } => {
                let arguments = tidy(&name, arguments);
                vec![AssistantBlock::ToolCall { tool_call_id, provider_id: call_id, name, arguments }]
            }
            Content::Opaque => self.done.map(opaque).into_iter().collect(),
        }
    }
}

/// Whether the model declined in this message.
pub fn is_refusal(message: &Value) -> bool {
    message["content"].as_array().is_some_and(|parts| parts.iter().any(|part| part["type"] == "refusal"))
}

/// What an item's whole tells for the first time.
pub enum Untold {
    Nothing,
    Arguments(String),
    Texts(Vec<(u64, String)>),
}

/// The texts of a message that are not empty, by their place.
fn texts_of(message: &Value) -> impl Iterator<Item = (u64, &str)> {
    let parts = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    (0..).zip(parts).filter_map(|(place, part)| {
        let text = if part["type"] == "output_text" { part["text"].as_str()? } else { return None };
        (!text.is_empty()).then_some((place, text))
    })
}
