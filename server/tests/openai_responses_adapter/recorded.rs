//! Streams as the provider sends them.

use serde_json::{Value, json};
use server::model::AssistantBlock;
use shared::ids::ToolCallId;

/// Events as a stream, numbered.
pub fn sse(events: &[Value]) -> String {
    let mut body = String::new();
    for (number, event) in events.iter().enumerate() {
        let mut event = event.clone();
        event["sequence_number"] = number.into();
        body.push_str(&format!("data: {event}\n\n"));
    }
    body
}

pub fn created() -> Value {
    json!({ "type": "response.created", "response": { "id": "resp_1", "status": "in_progress", "output": [] } })
}

pub fn completed(output: &[Value]) -> Value {
    json!({ "type": "response.completed", "response": {
        "id": "resp_1", "status": "completed", "output": output,
        "usage": { "input_tokens": 9, "output_tokens": 4 },
    } })
}

/// Items told as wholes, between a start and an end.
pub fn answer(items: &[Value]) -> String {
    let done = (0..).zip(items).map(|(index, item)| {
        let index: u64 = index;
        json!({ "type": "response.output_item.done", "output_index": index, "item": item })
    });
    let events: Vec<Value> = [created()].into_iter().chain(done).chain([completed(items)]).collect();
    sse(&events)
}

pub fn message(text: &str) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": text, "annotations": [] }],
    })
}

pub fn call(call_id: &str, arguments: &str) -> Value {
    json!({
        "id": format!("fc_{call_id}"), "type": "function_call", "call_id": call_id, "name": "getWeather",
        "arguments": arguments, "status": "completed",
    })
}

pub fn reasoning(id: &str) -> Value {
    json!({
        "id": id, "type": "reasoning", "summary": [{ "type": "summary_text", "text": "…" }],
        "encrypted_content": "ZW5j", "new_field": [1, null],
    })
}

/// An answer that is only there to end the call well.
pub fn good_answer() -> String {
    answer(&[message("Chào bạn.")])
}

pub fn opaque(block: Value) -> AssistantBlock {
    AssistantBlock::Opaque { protocol: "openai-responses".to_owned(), block }
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
