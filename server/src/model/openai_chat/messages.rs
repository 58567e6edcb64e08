//! History to messages. What is decided about a message here may depend on those before it, never on those
//! after it.

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::dialect::Server;
use super::kept::{Kept, REASONING};
use super::request::LONGEST_NAME;
use crate::model::provider::{CallNames, tool_name};
use crate::model::turn::arguments_as_object;
use crate::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult};

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: UserContent<'a>,
    },
    Assistant {
        content: Option<AssistantContent>,
        /// What the provider wants back.
        #[serde(flatten)]
        members: Map<String, Value>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    Tool {
        tool_call_id: String,
        content: String,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum UserContent<'a> {
    /// Blank lines between them.
    Text(String),
    Parts(Vec<TextPart<'a>>),
}

#[derive(Serialize)]
pub struct TextPart<'a> {
    r#type: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
pub enum AssistantContent {
    Text(String),
    Parts(Vec<Value>),
}

#[derive(Serialize)]
pub struct ToolCall {
    id: String,
    r#type: &'static str,
    function: Function,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Value>,
}

#[derive(Serialize)]
struct Function {
    name: String,
    arguments: String,
}

/// What stands in for an answer that was never given, where a server wants one.
const NO_ANSWER: &str = "(no answer)";

pub fn messages<'a>(server: Server, request: &'a ModelRequest) -> Vec<Message<'a>> {
    let of_mistral = server.has_rules_of_mistral(&request.model);
    let mut names =
        if of_mistral { CallNames::shaped(is_id_of_mistral, nine_characters) } else { CallNames::new(is_id) };
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(Message::System { content: &request.system });
    }
    for message in &request.messages {
        match message {
            ModelMessage::User { server_line, text } => {
                if of_mistral && matches!(messages.last(), Some(Message::Tool { .. })) {
                    let content = Some(AssistantContent::Text(NO_ANSWER.to_owned()));
                    messages.push(Message::Assistant {
                        content,
                        members: Map::new(),
                        tool_calls: Vec::new(),
                    });
                }
                // The server's line always comes first: a line in a guest's words does not.
                let texts = [server_line.as_str(), text].into_iter().filter(|text| !text.trim().is_empty());
                append_user(&mut messages, texts.collect(), server.takes_text_parts());
            }
            ModelMessage::Assistant { blocks } => messages.extend(assistant(blocks, &mut names)),
            ModelMessage::ToolResults { results } => {
                let results = results.iter().map(|result| tool_result(result, &names));
                // Directly behind their calls.
                let calls = messages.iter().rposition(|message| matches!(message, Message::Assistant { .. }));
                let at = calls.map_or(messages.len(), |calls| calls + 1);
                messages.splice(at..at, results);
            }
        }
    }
    messages
}

/// Neighbours become one message: the templates of several models take them alternating only.
fn append_user<'a>(messages: &mut Vec<Message<'a>>, texts: Vec<&'a str>, in_parts: bool) {
    if texts.is_empty() {
        return;
    }
    match messages.last_mut() {
        Some(Message::User { content: UserContent::Text(all) }) => {
            for text in texts {
                all.push_str("\n\n");
                all.push_str(text);
            }
        }
        Some(Message::User { content: UserContent::Parts(parts) }) => {
            parts.extend(texts.into_iter().map(part))
        }
        Some(Message::System { .. } | Message::Assistant { .. } | Message::Tool { .. }) | None => {
            let content = match in_parts {
                true => UserContent::Parts(texts.into_iter().map(part).collect()),
                false => UserContent::Text(texts.join("\n\n")),
            };
            messages.push(Message::User { content });
        }
    }
}

fn part(text: &str) -> TextPart<'_> {
    TextPart { r#type: "text", text }
}

/// None: nothing of it can be said here.
fn assistant<'a>(blocks: &'a [AssistantBlock], names: &mut CallNames<'a>) -> Option<Message<'a>> {
    let mut members = Map::new();
    let mut parts = Vec::new();
    let mut think = String::new();
    let mut text = String::new();
    let mut tool_calls: Vec<ToolCall> = Vec::new();
    for block in blocks {
        match block {
            AssistantBlock::Text { text: more } => {
                if !text.is_empty() {
                    text.push_str("\n\n");
                }
                text.push_str(more);
            }
            AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments } => {
                let function = Function {
                    name: tool_name(name, LONGEST_NAME),
                    arguments: arguments_as_object(arguments).to_string(),
                };
                let id = names.take(provider_id, tool_call_id.as_str());
                tool_calls.push(ToolCall { id, r#type: "function", function, extra_content: None });
            }
            AssistantBlock::Opaque { protocol, block } => match Kept::of_block(protocol, block) {
                Some(Kept::Members(more)) => members.extend(more),
                Some(Kept::Part(part)) => parts.push(part),
                Some(Kept::Think(more)) => think.push_str(&more),
                Some(Kept::OfCall(extra)) => {
                    if let Some(call) = tool_calls.last_mut() {
                        call.extra_content = Some(extra);
                    }
                }
                None => {}
            },
        }
    }
    if tool_calls.is_empty() {
        // An answer does not need the thinking that led to it.
        REASONING.iter().for_each(|name| drop(members.remove(*name)));
        think.clear();
        parts.clear();
    }
    if text.trim().is_empty() {
        text.clear();
    }
    let text = think + &text;
    if text.is_empty() && parts.is_empty() && tool_calls.is_empty() {
        return None;
    }
    let content = if !parts.is_empty() {
        if !text.is_empty() {
            parts.push(serde_json::json!({ "type": "text", "text": text }));
        }
        Some(AssistantContent::Parts(parts))
    } else {
        (!text.is_empty()).then_some(AssistantContent::Text(text))
    };
    Some(Message::Assistant { content, members, tool_calls })
}

/// The protocol has no place for an error or a note but the content.
fn tool_result<'a>(result: &ToolResult, names: &CallNames<'_>) -> Message<'a> {
    let mut content =
        if result.is_error { format!("Error: {}", result.content) } else { result.content.clone() };
    if let Some(note) = result.note.as_deref().filter(|note| !note.trim().is_empty()) {
        content.push_str("\n\nNote: ");
        content.push_str(note);
    }
    Message::Tool { tool_call_id: names.of(result.tool_call_id.as_str()), content }
}

/// OpenAI takes 40 characters; what stands in them is nobody's business.
fn is_id(text: &str) -> bool {
    (1..=40).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_id_of_mistral(text: &str) -> bool {
    text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// One of our ids as one of Mistral's.
fn nine_characters(call: &str, number: u32) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let hash = Sha256::digest(format!("{call} {number}"));
    hash.iter().take(9).map(|byte| char::from(DIGITS[usize::from(*byte) % DIGITS.len()])).collect()
}
