//! The same turn in each of the protocols.

use serde_json::{Value, json};

/// What a model says in one answer.
#[derive(Clone, Default)]
pub struct Said {
    pub reasoning: &'static str,
    pub text: &'static str,
    /// Names and arguments; each in two pieces.
    pub calls: Vec<(&'static str, String)>,
    pub end: End,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub enum End {
    #[default]
    Proper,
    /// The connection ends in the middle of the last arguments.
    Cut,
    /// The output limit.
    Limit,
    /// The provider's filter.
    Filtered,
}

impl Said {
    fn pieces(&self) -> Vec<(usize, &'static str, [&str; 2])> {
        let calls = self.calls.iter().enumerate();
        calls
            .map(|(at, (name, arguments))| {
                let half = arguments.len() / 2;
                let half = (0..=half).rev().find(|at| arguments.is_char_boundary(*at)).unwrap_or_default();
                let (first, second) = arguments.split_at(half);
                (at, *name, [first, second])
            })
            .collect()
    }
}

fn sse(events: &[Value]) -> String {
    events.iter().map(|event| format!("data: {event}\n\n")).collect()
}

pub fn in_messages(said: &Said, number: usize) -> String {
    let mut events = vec![json!({ "type": "message_start", "message": { "usage": { "input_tokens": 10 } } })];
    let mut block = |start: Value, deltas: Vec<Value>, is_cut: bool| {
        let index = events.iter().filter(|event| event["type"] == "content_block_start").count();
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": start }));
        events.extend(
            deltas
                .into_iter()
                .map(|delta| json!({ "type": "content_block_delta", "index": index, "delta": delta })),
        );
        if !is_cut {
            events.push(json!({ "type": "content_block_stop", "index": index }));
        }
    };
    if !said.reasoning.is_empty() {
        let deltas = vec![
            json!({ "type": "thinking_delta", "thinking": said.reasoning }),
            json!({ "type": "signature_delta", "signature": "c2ln" }),
        ];
        block(json!({ "type": "thinking", "thinking": "", "signature": "" }), deltas, false);
    }
    if !said.text.is_empty() {
        let delta = json!({ "type": "text_delta", "text": said.text });
        block(json!({ "type": "text", "text": "" }), vec![delta], false);
    }
    for (at, name, pieces) in said.pieces() {
        let is_cut = said.end == End::Cut && at + 1 == said.calls.len();
        let id = format!("call_{number}_{at}");
        let pieces = pieces.iter().take(if is_cut { 1 } else { 2 });
        let deltas =
            pieces.map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })).collect();
        block(json!({ "type": "tool_use", "id": id, "name": name, "input": {} }), deltas, is_cut);
    }
    let stop = match said.end {
        End::Proper if said.calls.is_empty() => "end_turn",
        End::Proper => "tool_use",
        End::Limit => "max_tokens",
        End::Filtered => "refusal",
        End::Cut => return sse(&events),
    };
    let delta = json!({ "stop_reason": stop });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": { "output_tokens": 5 } }));
    events.push(json!({ "type": "message_stop" }));
    sse(&events)
}

pub fn in_chat_completions(said: &Said, number: usize) -> String {
    let chunk = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    let mut events = Vec::new();
    if !said.reasoning.is_empty() {
        events.push(chunk(json!({ "reasoning_content": said.reasoning })));
    }
    if !said.text.is_empty() {
        events.push(chunk(json!({ "content": said.text })));
    }
    for (at, name, [first, second]) in said.pieces() {
        let head = json!({ "index": at, "id": format!("call_{number}_{at}"), "type": "function",
            "function": { "name": name, "arguments": first } });
        events.push(chunk(json!({ "tool_calls": [head] })));
        if said.end != End::Cut || at + 1 < said.calls.len() {
            let rest = json!({ "index": at, "function": { "arguments": second } });
            events.push(chunk(json!({ "tool_calls": [rest] })));
        }
    }
    let finish = match said.end {
        End::Proper if said.calls.is_empty() => "stop",
        End::Proper => "tool_calls",
        End::Limit => "length",
        End::Filtered => "content_filter",
        End::Cut => return sse(&events),
    };
    events.push(json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] }));
    events.push(json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 5 } }));
    format!("{}data: [DONE]\n\n", sse(&events))
}

pub fn in_responses(said: &Said, number: usize) -> String {
    let response = |status: &str| json!({ "id": format!("resp_{number}"), "status": status, "output": [] });
    let mut events = vec![json!({ "type": "response.created", "response": response("in_progress") })];
    let mut output = Vec::new();
    let mut item = |start: Value, pieces: Vec<Value>, end: Option<Value>| {
        let index = output.len();
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": start }));
        for mut piece in pieces {
            piece["output_index"] = index.into();
            piece["item_id"] = start["id"].clone();
            events.push(piece);
        }
        if let Some(end) = end {
            events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": end }));
            output.push(end);
        }
    };
    if !said.reasoning.is_empty() {
        let start = json!({ "id": format!("rs_{number}"), "type": "reasoning", "summary": [] });
        let mut end = start.clone();
        end["summary"] = json!([{ "type": "summary_text", "text": said.reasoning }]);
        end["encrypted_content"] = format!("enc-{number}").into();
        let piece = json!({ "type": "response.reasoning_summary_text.delta", "summary_index": 0,
            "delta": said.reasoning });
        item(start, vec![piece], Some(end));
    }
    if !said.text.is_empty() {
        let start =
            json!({ "id": format!("msg_{number}"), "type": "message", "role": "assistant", "content": [] });
        let mut end = start.clone();
        end["content"] = json!([{ "type": "output_text", "text": said.text, "annotations": [] }]);
        let piece = json!({ "type": "response.output_text.delta", "content_index": 0, "delta": said.text });
        item(start, vec![piece], Some(end));
    }
    for (at, name, pieces) in said.pieces() {
        let is_cut = said.end == End::Cut && at + 1 == said.calls.len();
        let start = json!({ "id": format!("fc_{number}_{at}"), "type": "function_call", "name": name,
            "call_id": format!("call_{number}_{at}"), "arguments": "" });
        let mut end = start.clone();
        end["arguments"] = pieces.concat().into();
        let pieces = pieces.iter().take(if is_cut { 1 } else { 2 });
        let pieces =
            pieces.map(|piece| json!({ "type": "response.function_call_arguments.delta", "delta": piece }));
        item(start, pieces.collect(), (!is_cut).then_some(end));
    }
    let (status, reason) = match said.end {
        End::Proper => ("completed", Value::Null),
        End::Limit => ("incomplete", json!({ "reason": "max_output_tokens" })),
        End::Filtered => ("incomplete", json!({ "reason": "content_filter" })),
        End::Cut => return numbered(events),
    };
    let mut last = response(status);
    last["output"] = output.into();
    last["incomplete_details"] = reason;
    last["usage"] = json!({ "input_tokens": 10, "output_tokens": 5 });
    events.push(json!({ "type": format!("response.{status}"), "response": last }));
    numbered(events)
}

fn numbered(mut events: Vec<Value>) -> String {
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = number.into();
    }
    sse(&events)
}
