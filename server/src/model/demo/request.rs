//! The body of POST /v1/messages, as far as the demo model reads it.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::error::ApiError;

/// Every field that the API takes; another one is refused.
const FIELDS: [&str; 21] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "thinking",
    "output_config",
    "cache_control",
    "metadata",
    "stop_sequences",
    "service_tier",
    "speed",
    "inference_geo",
    "container",
    "diagnostics",
    "context_management",
    "mcp_servers",
    "thread",
    "compaction",
];
/// Taken by the API's first version only.
const SAMPLING: [&str; 3] = ["temperature", "top_p", "top_k"];
pub const FIRST_VERSION: &str = "2023-06-01";
pub const VERSIONS: [&str; 2] = [FIRST_VERSION, "2026-10-21"];

#[derive(Debug, Deserialize)]
pub struct Request {
    pub model: String,
    pub max_tokens: u64,
    pub messages: Vec<Message>,
    #[serde(default, deserialize_with = "blocks")]
    pub system: Vec<Block>,
    #[serde(default)]
    pub tools: Vec<ToolSpec>,
    #[serde(default)]
    pub tool_choice: ToolChoice,
    #[serde(default)]
    pub stream: bool,
}

#[derive(Debug, Deserialize)]
pub struct Message {
    pub role: Role,
    #[serde(deserialize_with = "blocks")]
    pub content: Vec<Block>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Text {
        text: String,
    },
    ToolUse {
        id: String,
        name: String,
        input: Map<String, Value>,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(default, deserialize_with = "blocks")]
        content: Vec<Block>,
        #[serde(default)]
        is_error: bool,
    },
    Thinking {},
    RedactedThinking {},
    Image {},
    Document {},
}

#[derive(Debug, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub input_schema: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ToolChoice {
    #[default]
    Auto,
    Any,
    Tool {},
    None,
}

impl Request {
    /// Reads a body; refuses what the API refuses before it looks at the history.
    pub fn parse(body: &[u8], version: &str) -> Result<Self, ApiError> {
        let value: Value = serde_json::from_slice(body)
            .map_err(|error| ApiError::invalid(format!("The request body is not valid JSON: {error}")))?;
        if let Some(fields) = value.as_object() {
            let taken = |field: &&String| {
                FIELDS.contains(&field.as_str())
                    || version == FIRST_VERSION && SAMPLING.contains(&field.as_str())
            };
            if let Some(extra) = fields.keys().find(|field| !taken(field)) {
                return Err(ApiError::invalid(format!("{extra}: Extra inputs are not permitted")));
            }
        }
        let request: Self = serde_path_to_error::deserialize(value)
            .map_err(|error| ApiError::invalid(format!("{}: {}", error.path(), error.inner())))?;
        if request.max_tokens == 0 {
            return Err(ApiError::invalid("max_tokens: Input should be greater than or equal to 1"));
        }
        match request.tool_choice {
            ToolChoice::Auto | ToolChoice::None => Ok(request),
            ToolChoice::Any | ToolChoice::Tool {} => {
                Err(ApiError::invalid("tool_choice: this model does not support forced tool use"))
            }
        }
    }
}

/// A string stands for one text block.
fn blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Block>, D::Error> {
    struct Blocks;

    impl<'de> Visitor<'de> for Blocks {
        type Value = Vec<Block>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string or a list of content blocks")
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![Block::Text { text: text.to_owned() }])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }

    deserializer.deserialize_any(Blocks)
}
