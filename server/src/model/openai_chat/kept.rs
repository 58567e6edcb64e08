//! What a provider wants back with its message, as opaque blocks of the history.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ChatCompletions;
use crate::model::AssistantBlock;
use crate::model::provider::Protocol;

/// Members of a message that go back as they came. Reasoning goes back only with the calls that it led to.
pub const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];

/// OpenRouter's signed reasoning and Gemini's signatures: they go back always.
pub const SIGNED: [&str; 2] = ["reasoning_details", "extra_content"];

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Members of the message: stands before its text.
    Members(Map<String, Value>),
    /// A part of its content that is no text: stands before its text.
    Part(Value),
    /// Reasoning at the head of its text, marks and white space included: stands before the text.
    Think(String),
    /// `extra_content` of a call: stands behind the call.
    OfCall(Value),
}

impl Kept {
    pub fn into_block(self) -> Option<AssistantBlock> {
        let block = serde_json::to_value(self).ok()?;
        Some(AssistantBlock::Opaque { protocol: ChatCompletions::NAME.to_owned(), block })
    }

    /// None: another protocol's, or one of a version to come.
    pub fn of_block(protocol: &str, block: &Value) -> Option<Self> {
        (protocol == ChatCompletions::NAME).then(|| Self::deserialize(block).ok()).flatten()
    }
}
