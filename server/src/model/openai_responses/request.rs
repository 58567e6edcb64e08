//! History to the body of `POST /v1/responses`.
//!
//! Nothing is stored at the provider, so every call brings the whole history, and nothing in it may point to what
//! is not there: messages and calls are sent without the provider's item ids, reasoning with all of its encrypted
//! content. The same history gives the same bytes, and a longer one the same bytes first: `input` comes last, and
//! what is decided about a message depends on those before it only.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Responses;
use crate::model::provider::{CallNames, Protocol, ProviderSettings, strict, tool_name};
use crate::model::turn::arguments_as_object;
use crate::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult, ToolSpec};

#[derive(Serialize)]
pub struct Body<'a> {
    model: &'a str,
    stream: bool,
    store: bool,
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Reasoning<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    include: Option<[&'static str; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    input: Vec<Item<'a>>,
}

#[derive(Serialize)]
struct Reasoning<'a> {
    effort: &'a str,
    summary: &'static str,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: Cow<'a, Value>,
    /// Always said: unsaid it is true.
    strict: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Own(OwnItem<'a>),
    /// An item of the provider's, as it came.
    Verbatim(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OwnItem<'a> {
    Message {
        role: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        phase: Option<&'a str>,
        content: Content<'a>,
    },
    FunctionCall {
        call_id: String,
        name: String,
        arguments: Cow<'a, str>,
    },
    FunctionCallOutput {
        call_id: String,
        output: String,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Parts(Vec<InputText<'a>>),
}

#[derive(Serialize)]
struct InputText<'a> {
    r#type: &'static str,
    text: &'a str,
}

/// The body of one call.
pub fn body<'a>(is_openai: bool, settings: &'a ProviderSettings, request: &'a ModelRequest) -> Body<'a> {
    Body {
        model: &request.model,
        stream: true,
        store: false,
        max_output_tokens: settings.max_tokens,
        // Models that do not reason refuse it: it is for the operator to know.
        reasoning: settings.effort.as_deref().map(|effort| Reasoning { effort, summary: "auto" }),
        include: may_reason(&request.model).then_some(["reasoning.encrypted_content"]),
        prompt_cache_key: is_openai.then(|| cache_key(request)),
        instructions: given(&request.system),
        tools: request.tools.iter().map(|spec| tool(spec, is_openai)).collect(),
        input: items(&request.messages),
    }
}

fn tool(spec: &ToolSpec, is_openai: bool) -> Tool<'_> {
    let strict = if is_openai { strict::parameters(&spec.parameters) } else { None };
    Tool {
        r#type: "function",
        name: &spec.name,
        description: &spec.description,
        strict: strict.is_some(),
        parameters: strict.map_or(Cow::Borrowed(&spec.parameters), Cow::Owned),
    }
}

/// OpenAI's models before its reasoning ones refuse to be asked for encrypted content; everybody else ignores
/// what there is none of.
fn may_reason(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let name = name.strip_prefix("ft:").unwrap_or(name);
    !["gpt-3", "gpt-4", "chatgpt-"].iter().any(|family| name.starts_with(family))
}

/// The same for every call of a conversation, since it begins the same way.
fn cache_key(request: &ModelRequest) -> String {
    let first = request.messages.first();
    let start = serde_json::json!([request.model, request.system, request.tools, first]);
    let digest = Sha256::digest(start.to_string());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn items(history: &[ModelMessage]) -> Vec<Item<'_>> {
    let mut names = CallNames::new(is_name);
    let mut items = Vec::new();
    for message in history {
        match message {
            ModelMessage::User { server_line, text } => items.extend(user(server_line, text)),
            ModelMessage::Assistant { blocks } => items.extend(assistant(blocks, &mut names)),
            ModelMessage::ToolResults { results } => {
                items.extend(results.iter().map(|result| {
                    Item::Own(OwnItem::FunctionCallOutput {
                        call_id: names.of(result.tool_call_id.as_str()),
                        output: output(result),
                    })
                }));
            }
        }
    }
    items
}

fn user<'a>(server_line: &'a str, words: &'a str) -> Option<Item<'a>> {
    let parts: Vec<_> = [given(server_line), given(words)]
        .into_iter()
        .flatten()
        .map(|text| InputText { r#type: "input_text", text })
        .collect();
    (!parts.is_empty()).then_some(Item::Own(OwnItem::Message {
        role: "user",
        phase: None,
        content: Content::Parts(parts),
    }))
}

fn assistant<'a>(blocks: &'a [AssistantBlock], names: &mut CallNames<'a>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut phase = None;
    for block in blocks {
        match block {
            AssistantBlock::Text { text } => {
                let phase = phase.take();
                items.extend(given(text).map(|text| {
                    Item::Own(OwnItem::Message { role: "assistant", phase, content: Content::Text(text) })
                }));
            }
            AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments } => {
                items.push(Item::Own(OwnItem::FunctionCall {
                    call_id: names.take(provider_id, tool_call_id.as_str()),
                    name: tool_name(name, LONGEST_NAME),
                    arguments: object(arguments),
                }));
            }
            AssistantBlock::Opaque { protocol, block } if protocol == Responses::NAME => {
                match block["type"].as_str() {
                    Some("message") => phase = block["phase"].as_str(),
                    Some("reasoning") if !is_whole(block) => {}
                    Some(kind) if AWAITED.contains(&kind) => {}
                    Some(_) | None => items.push(Item::Verbatim(block)),
                }
            }
            AssistantBlock::Opaque { .. } => {}
        }
    }
    // Reasoning that nothing follows is refused, now and in every later call.
    while items.last().is_some_and(is_reasoning) {
        items.pop();
    }
    items
}

fn is_reasoning(item: &Item<'_>) -> bool {
    match item {
        Item::Verbatim(item) => item["type"] == "reasoning",
        Item::Own(_) => false,
    }
}

/// Whether reasoning holds more than a reference to what the provider has not stored: encrypted, or in clear, as
/// open models give it.
fn is_whole(reasoning: &Value) -> bool {
    let encrypted = reasoning["encrypted_content"].as_str().unwrap_or_default();
    let clear = reasoning["content"].as_array().map_or(0, Vec::len);
    !encrypted.is_empty() || clear > 0
}

/// Calls that wait for an answer by the client, of tools that were never offered: sent back without one they are
/// refused.
pub const AWAITED: [&str; 5] =
    ["apply_patch_call", "computer_call", "custom_tool_call", "local_shell_call", "shell_call"];

/// A result in one string, which is all that there is room for.
/// Never empty, which not every server takes.
fn output(result: &ToolResult) -> String {
    let content = given(&result.content).unwrap_or("(no output)");
    let mut output = if result.is_error { format!("Error: {content}") } else { content.to_owned() };
    if let Some(note) = given(result.note.as_deref().unwrap_or_default()) {
        output.push_str("\n\nNote: ");
        output.push_str(note);
    }
    output
}

/// Servers read a call's arguments when it is sent back: broken ones are told as such.
fn object(arguments: &str) -> Cow<'_, str> {
    match serde_json::from_str(arguments) {
        Ok(Value::Object(_)) => Cow::Borrowed(arguments),
        Ok(_) | Err(_) => Cow::Owned(arguments_as_object(arguments).to_string()),
    }
}

fn given(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

/// Characters of a tool's name, and of a call's id.
const LONGEST_NAME: usize = 64;

/// What every server takes as a call's id.
fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}
