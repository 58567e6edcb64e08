//! What a provider has answered, read from its stream: only what the rules ask for.

use serde_json::{Value, json};

use super::names::list;
use super::{Protocol, anthropic, chat, responses};

/// A complete answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What has to go back as it came, in order.
    pub kept: Vec<Value>,
}

impl Answer {
    /// None where the stream does not prove that it is all there.
    pub fn read(protocol: Protocol, stream: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(stream).replace("\r\n", "\n").replace('\r', "\n");
        let data = text.split("\n\n").map(|event| {
            let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
            lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
        });
        let data: Vec<String> = data.filter(|data| !data.is_empty()).collect();
        let events: Vec<Value> = data.iter().filter_map(|data| serde_json::from_str(data).ok()).collect();
        let kept = match protocol {
            Protocol::Anthropic => anthropic::kept(&blocks(&events)?),
            Protocol::Chat => chat::kept(&[message(&events, data.iter().any(|data| data == "[DONE]"))?]),
            Protocol::Responses => responses::kept(&output(&events)?),
        };
        Some(Self { kept })
    }
}

/// The Messages API: the blocks, put together from their pieces.
fn blocks(events: &[Value]) -> Option<Vec<Value>> {
    if !events.iter().any(|event| event["type"] == "message_stop") {
        return None;
    }
    let mut blocks: Vec<(u64, Value)> = Vec::new();
    for event in events {
        let index = event["index"].as_u64();
        if let (Some(index), Some(block)) = (index, event.get("content_block")) {
            blocks.push((index, block.clone()));
        }
        let Some((_, block)) = blocks.iter_mut().find(|(of, _)| Some(*of) == index) else { continue };
        let delta = &event["delta"];
        match delta["type"].as_str() {
            Some("thinking_delta") => append(&mut block["thinking"], &delta["thinking"]),
            Some("signature_delta") => block["signature"] = delta["signature"].clone(),
            // Texts and inputs are not asked for.
            Some(_) | None => {}
        }
    }
    Some(blocks.into_iter().map(|(_, block)| block).collect())
}

/// Chat Completions: the message, with the calls of which only their number counts.
fn message(events: &[Value], is_done: bool) -> Option<Value> {
    let choices: Vec<&Value> = events.iter().flat_map(|event| list(event, "choices")).collect();
    if !is_done && choices.iter().all(|choice| choice["finish_reason"].is_null()) {
        return None;
    }
    let mut message = json!({ "tool_calls": [] });
    for choice in choices {
        let delta = &choice["delta"];
        if let (Some(calls), Some(more)) =
            (message["tool_calls"].as_array_mut(), delta["tool_calls"].as_array())
        {
            calls.extend(more.iter().cloned());
        }
        if delta["reasoning_content"].is_string() {
            append(&mut message["reasoning_content"], &delta["reasoning_content"]);
        }
    }
    Some(message)
}

/// The Responses API: the items of the output, each as it was when it was done.
fn output(events: &[Value]) -> Option<Vec<Value>> {
    let ends = ["response.completed", "response.incomplete"];
    if !events.iter().any(|event| ends.iter().any(|end| event["type"] == *end)) {
        return None;
    }
    let done = events.iter().filter(|event| event["type"] == "response.output_item.done");
    Some(done.map(|event| event["item"].clone()).collect())
}

fn append(to: &mut Value, more: &Value) {
    let whole = [to.as_str(), more.as_str()].into_iter().flatten().collect::<String>();
    *to = Value::String(whole);
}
