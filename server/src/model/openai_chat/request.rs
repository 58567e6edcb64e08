//! The body of `POST /chat/completions`.
//!
//! The same history gives the same bytes, and a longer one the same bytes first: the provider's cache is bound
//! to everything before. The messages come last for that.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::dialect::Server;
use super::messages::{Message, messages};
use crate::model::provider::{ProviderSettings, strict, tool_name};
use crate::model::{ModelMessage, ModelRequest, ToolSpec};

/// Characters of a tool's name.
pub const LONGEST_NAME: usize = 64;

#[derive(Serialize)]
pub struct Body<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    messages: Vec<Message<'a>>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: String,
    description: &'a str,
    parameters: Cow<'a, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

/// The body of one call.
pub fn body<'a>(server: Server, settings: &'a ProviderSettings, request: &'a ModelRequest) -> Body<'a> {
    let is_new = server.takes_max_completion_tokens();
    Body {
        model: &request.model,
        stream: true,
        stream_options: server.takes_stream_options().then_some(StreamOptions { include_usage: true }),
        max_completion_tokens: is_new.then_some(settings.max_tokens),
        max_tokens: (!is_new).then_some(settings.max_tokens),
        reasoning_effort: settings.effort.as_deref(),
        prompt_cache_key: server.takes_cache_key().then(|| cache_key(request)),
        tools: request.tools.iter().map(|spec| tool(spec, server)).collect(),
        messages: messages(server, request),
    }
}

fn tool(spec: &ToolSpec, server: Server) -> Tool<'_> {
    let strict = if server.takes_strict_schemas() { strict::parameters(&spec.parameters) } else { None };
    let function = Function {
        name: tool_name(&spec.name, LONGEST_NAME),
        description: &spec.description,
        strict: strict.is_some().then_some(true),
        parameters: strict.map_or(Cow::Borrowed(&spec.parameters), Cow::Owned),
    };
    Tool { r#type: "function", function }
}

/// The same for all calls of a conversation, which the provider then sends to where its beginning is cached; it
/// tells nothing of what was said.
fn cache_key(request: &ModelRequest) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &str| {
        hash.update(text);
        hash.update([0]);
    };
    add(&request.model);
    add(&request.system);
    if let Some(ModelMessage::User { server_line, text }) = request.messages.first() {
        add(server_line);
        add(text);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
