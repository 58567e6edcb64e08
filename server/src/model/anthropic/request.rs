//! History to the body of `POST /v1/messages`.
//!
//! The same history gives the same bytes, and a longer one the same bytes first: the provider's cache
//! and its thinking blocks are bound to everything before them. What is decided about a message here
//! may therefore depend on the messages before it, never on those after it.

use serde::Serialize;
use serde_json::Value;

use super::Messages;
use crate::model::provider::{CallNames, Protocol, ProviderSettings, tool_name};
use crate::model::turn::arguments_as_object;
use crate::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult};

#[derive(Serialize)]
pub struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    stream: bool,
    /// At the top level: the provider marks the last block that it can cache by itself.
    cache_control: Kind,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct Kind {
    r#type: &'static str,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    effort: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
}

#[derive(Serialize)]
struct Message<'a> {
    role: Role,
    content: Vec<Block<'a>>,
}

#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    Own(OwnBlock<'a>),
    /// A block of the provider's, as it came.
    Verbatim(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OwnBlock<'a> {
    Text {
        text: &'a str,
    },
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        tool_use_id: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        content: Vec<Block<'a>>,
        is_error: bool,
    },
}

/// The body of one call.
pub fn body<'a>(settings: &'a ProviderSettings, request: &'a ModelRequest) -> Body<'a> {
    Body {
        model: &request.model,
        max_tokens: settings.max_tokens,
        stream: true,
        cache_control: Kind { r#type: "ephemeral" },
        output_config: settings.effort.as_deref().map(|effort| OutputConfig { effort }),
        system: text(&request.system).into_iter().collect(),
        tools: request
            .tools
            .iter()
            .map(|tool| Tool {
                name: &tool.name,
                description: &tool.description,
                input_schema: &tool.parameters,
            })
            .collect(),
        messages: messages(&request.messages),
    }
}

/// Strictly alternating, as every server takes it; empty ones left out, as no server takes them.
fn messages(history: &[ModelMessage]) -> Vec<Message<'_>> {
    let mut names = CallNames::new(is_name);
    let mut messages: Vec<Message<'_>> = Vec::new();
    for message in history {
        let (role, content) = match message {
            ModelMessage::User { server_line, text: words } => {
                (Role::User, [text(server_line), text(words)].into_iter().flatten().collect())
            }
            ModelMessage::Assistant { blocks } => (Role::Assistant, assistant(blocks, &mut names)),
            ModelMessage::ToolResults { results } => {
                (Role::User, results.iter().map(|result| tool_result(result, &names)).collect())
            }
        };
        append(&mut messages, role, content);
    }
    messages
}

fn append<'a>(messages: &mut Vec<Message<'a>>, role: Role, content: Vec<Block<'a>>) {
    if content.is_empty() {
        return;
    }
    match messages.last_mut() {
        Some(last) if last.role == role => {
            last.content.extend(content);
            // Results stand directly behind their calls, ahead of any other content. Stable.
            last.content.sort_by_key(|block| !matches!(block, Block::Own(OwnBlock::ToolResult { .. })));
        }
        _ => messages.push(Message { role, content }),
    }
}

fn assistant<'a>(blocks: &'a [AssistantBlock], names: &mut CallNames<'a>) -> Vec<Block<'a>> {
    let mut content: Vec<Block<'a>> = blocks
        .iter()
        .filter_map(|block| match block {
            AssistantBlock::Text { text: words } => text(words),
            AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments } => {
                Some(Block::Own(OwnBlock::ToolUse {
                    id: names.take(provider_id, tool_call_id.as_str()),
                    name: tool_name(name, LONGEST_NAME),
                    input: arguments_as_object(arguments),
                }))
            }
            AssistantBlock::Opaque { protocol, block } => {
                (protocol == Messages::NAME).then_some(Block::Verbatim(block))
            }
        })
        .collect();
    // A message that ends in thinking (cut at the output limit, or with nothing to say) is refused,
    // now and in every later call.
    while content.last().is_some_and(is_thinking) {
        content.pop();
    }
    content
}

fn is_thinking(block: &Block<'_>) -> bool {
    match block {
        Block::Verbatim(block) => {
            matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"))
        }
        Block::Own(_) => false,
    }
}

fn tool_result<'a>(result: &'a ToolResult, names: &CallNames<'_>) -> Block<'a> {
    let note = result.note.as_deref().unwrap_or_default();
    Block::Own(OwnBlock::ToolResult {
        tool_use_id: names.of(result.tool_call_id.as_str()),
        content: [text(&result.content), text(note)].into_iter().flatten().collect(),
        is_error: result.is_error,
    })
}

/// The provider refuses text blocks of white space only.
fn text(text: &str) -> Option<Block<'_>> {
    (!text.trim().is_empty()).then_some(Block::Own(OwnBlock::Text { text }))
}

/// Characters of a tool's name.
const LONGEST_NAME: usize = 128;

/// What the protocol takes as a call's id.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
