//! Provider-neutral history: append-only, stored as it was said.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::ids::ToolCallId;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum ModelMessage {
    User {
        /// The server's line: local date, time and zone, and what happened since. Sent as a text
        /// block of its own before the user's words, so that nobody can write one.
        server_line: String,
        text: String,
    },
    Assistant {
        blocks: Vec<AssistantBlock>,
    },
    /// Exactly one result for each call of the assistant message before it, in order.
    ToolResults {
        results: Vec<ToolResult>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum AssistantBlock {
    Text {
        text: String,
    },
    ToolCall {
        tool_call_id: ToolCallId,
        /// As the provider named it; may be empty or not unique.
        provider_id: String,
        name: String,
        /// The arguments' text, verbatim; may be broken JSON.
        arguments: String,
    },
    /// What only its provider understands (thinking with its signature, …): sent back unchanged, to
    /// the protocol that it came from, and never shown.
    Opaque {
        /// The adapter's name, for example `anthropic`.
        protocol: String,
        block: Value,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    pub tool_call_id: ToolCallId,
    /// The tool's output as JSON, or one sentence.
    pub content: String,
    /// What the server adds: that the person edited the arguments, that this is an earlier result.
    /// Sent as a text block of its own after the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    pub is_error: bool,
}
