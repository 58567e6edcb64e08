//! A provider that speaks Chat Completions.

use serde_json::{Value, json};
use server::model::openai_chat::ChatCompletions;
use server::model::provider::Protocol;
use server::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult};
use shared::ids::ToolCallId;

pub use crate::support::provider::*;

pub type Provider = crate::support::provider::Provider<ChatCompletions>;

/// Deltas as a stream, with the end that they have.
pub fn stream(deltas: &[Value], finish: &str) -> String {
    let mut body: String = deltas
        .iter()
        .map(|delta| format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta }] })))
        .collect();
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] });
    body.push_str(&format!("data: {end}\n\ndata: [DONE]\n\n"));
    body
}

pub fn good_answer() -> String {
    stream(&[json!({ "content": "Chào bạn." })], "stop")
}

pub fn a_call(id: &str) -> Value {
    let function = json!({ "name": "getWeather", "arguments": "{\"city\":\"Huế\"}" });
    json!({ "tool_calls": [{ "index": 0, "id": id, "type": "function", "function": function }] })
}

/// What would be sent to the server at this address.
pub fn body_at(base_url: &str, request: &ModelRequest) -> Value {
    let settings = settings(base_url);
    let body = ChatCompletions::new(&settings).body(&settings, request).expect("a body");
    serde_json::from_slice(&body).expect("JSON")
}

pub fn assistant(blocks: Vec<AssistantBlock>) -> ModelMessage {
    ModelMessage::Assistant { blocks }
}

pub fn said(text: &str) -> AssistantBlock {
    AssistantBlock::Text { text: text.to_owned() }
}

pub fn tool_call(id: &str, provider_id: &str, name: &str, arguments: &str) -> AssistantBlock {
    AssistantBlock::ToolCall {
        tool_call_id: ToolCallId::from(id),
        provider_id: provider_id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

pub fn result(id: &str, content: &str) -> ToolResult {
    ToolResult {
        tool_call_id: ToolCallId::from(id),
        content: content.to_owned(),
        note: None,
        is_error: false,
    }
}

pub fn results(results: Vec<ToolResult>) -> ModelMessage {
    ModelMessage::ToolResults { results }
}
