//! Streams as the provider sends them.

use serde_json::{Value, json};
use server::model::{AssistantBlock, ModelTurn, StopReason};
use shared::ids::ToolCallId;
use shared::run::Usage;

/// Thinking, text and two calls, the second without arguments; characters of two to four bytes.
pub const FULL: &str = include_str!("../transcripts/anthropic/thinking-text-and-two-calls.sse");

/// What [`FULL`] says.
pub fn full_turn() -> ModelTurn {
    ModelTurn {
        blocks: vec![
            opaque(json!({ "type": "thinking", "thinking": "Thời tiết?", "signature": "c2ln" })),
            AssistantBlock::Text { text: "Để tôi xem 🌧.".to_owned() },
            tool_call("id-1", "toolu_A", "getWeather", r#"{"city":"Đà Lạt"}"#),
            tool_call("id-2", "toolu_B", "now", ""),
        ],
        stop: StopReason::ToolUse,
        usage: Usage {
            input_tokens: 9,
            output_tokens: 33,
            cache_read_tokens: Some(5),
            cache_write_tokens: Some(2),
        },
    }
}

pub fn opaque(block: Value) -> AssistantBlock {
    AssistantBlock::Opaque { protocol: "anthropic".to_owned(), block }
}

pub fn tool_call(id: &str, provider_id: &str, name: &str, arguments: &str) -> AssistantBlock {
    AssistantBlock::ToolCall {
        tool_call_id: ToolCallId::from(id),
        provider_id: provider_id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    }
}

/// Events as a stream, each with its `event:` line.
pub fn sse(events: &[Value]) -> String {
    events
        .iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()))
        .collect()
}

pub fn message_start() -> Value {
    json!({ "type": "message_start", "message": { "id": "msg_1", "usage": { "input_tokens": 3 } } })
}

pub fn block_start(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

pub fn block_delta(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

pub fn block_stop(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

pub fn message_delta(stop_reason: Value) -> Value {
    json!({ "type": "message_delta", "delta": { "stop_reason": stop_reason }, "usage": { "output_tokens": 7 } })
}

pub fn message_stop() -> Value {
    json!({ "type": "message_stop" })
}

/// A block as it is streamed: start, deltas, stop.
pub fn block(index: u64, start: Value, deltas: &[Value]) -> Vec<Value> {
    let mut events = vec![block_start(index, start)];
    events.extend(deltas.iter().map(|delta| block_delta(index, delta.clone())));
    events.push(block_stop(index));
    events
}

pub fn text(index: u64, text: &str) -> Vec<Value> {
    block(index, json!({ "type": "text", "text": "" }), &[json!({ "type": "text_delta", "text": text })])
}

pub fn tool_use(index: u64, id: &str, arguments: &str) -> Vec<Value> {
    block(
        index,
        json!({ "type": "tool_use", "id": id, "name": "getWeather", "input": {} }),
        &[json!({ "type": "input_json_delta", "partial_json": arguments })],
    )
}

/// A whole answer around these blocks' events.
pub fn answer(blocks: &[Vec<Value>], stop_reason: &str) -> String {
    let mut events = vec![message_start()];
    events.extend(blocks.concat());
    events.push(message_delta(stop_reason.into()));
    events.push(message_stop());
    sse(&events)
}

/// An answer that is only there to end the call well.
pub fn good_answer() -> String {
    answer(&[text(0, "Chào bạn.")], "end_turn")
}
