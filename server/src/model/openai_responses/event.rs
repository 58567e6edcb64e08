//! The events of a streamed response, as far as this adapter acts on them.

use serde::Deserialize;
use serde_json::Value;

/// What every event has.
#[derive(Deserialize)]
pub struct Head {
    pub r#type: String,
    /// Rises; compatible servers leave it out.
    #[serde(default)]
    pub sequence_number: Option<u64>,
}

/// `response.created`, `.queued`, `.in_progress`, `.completed`, `.incomplete`, `.failed`.
#[derive(Deserialize)]
pub struct Lifecycle {
    pub response: Response,
}

#[derive(Deserialize)]
pub struct Response {
    #[serde(default)]
    pub id: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub output: Option<Vec<Value>>,
    #[serde(default)]
    pub incomplete_details: Option<IncompleteDetails>,
    #[serde(default)]
    pub error: Value,
    #[serde(default)]
    pub usage: Value,
}

#[derive(Deserialize)]
pub struct IncompleteDetails {
    #[serde(default)]
    pub reason: Option<String>,
}

/// `response.output_item.added` and `.done`.
#[derive(Deserialize)]
pub struct OutputItem {
    pub output_index: u64,
    pub item: Value,
}

/// What belongs to an item: a piece of it, or the whole that the pieces must have added up to.
#[derive(Deserialize)]
pub struct Piece {
    pub output_index: u64,
    #[serde(default)]
    pub item_id: Option<String>,
    /// Which part of the item: of a message's content, or of the reasoning's summary or text.
    #[serde(default, alias = "summary_index")]
    pub content_index: u64,
    #[serde(alias = "text", alias = "arguments", alias = "refusal")]
    pub delta: String,
}
