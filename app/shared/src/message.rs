//! What the screen shows: messages made of parts.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::ids::MessageId;
use crate::tools::ToolPart;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UiMessage {
    pub id: MessageId,
    pub role: Role,
    pub parts: Vec<MessagePart>,
    /// Words from this part on are withdrawn: the model declined the turn that they belong to, when they were on
    /// the screen already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub withdrawn_from: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    User,
    Assistant,
}

/// On the wire tagged by `type`: `text`, `reasoning` or `tool-<name>`.
#[derive(Clone, Debug, PartialEq)]
#[allow(
    clippy::large_enum_variant,
    reason = "a message has a handful of parts, and every card matches on them"
)]
pub enum MessagePart {
    Text(String),
    Reasoning(String),
    Tool(ToolPart),
}

#[derive(Serialize)]
struct TextOnWire<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl Serialize for MessagePart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => TextOnWire { r#type: "text", text }.serialize(serializer),
            Self::Reasoning(text) => TextOnWire { r#type: "reasoning", text }.serialize(serializer),
            Self::Tool(part) => part.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MessagePart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;

        let value = Value::deserialize(deserializer)?;
        let text = || {
            let text = value.get("text").and_then(Value::as_str);
            text.map(str::to_owned).ok_or_else(|| D::Error::missing_field("text"))
        };
        match value.get("type").and_then(Value::as_str) {
            Some("text") => text().map(Self::Text),
            Some("reasoning") => text().map(Self::Reasoning),
            _ => ToolPart::deserialize(&value).map(Self::Tool).map_err(D::Error::custom),
        }
    }
}
