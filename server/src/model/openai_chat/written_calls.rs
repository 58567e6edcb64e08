//! Calls that a model wrote as text, because its server has no parser for them, or the wrong one. A text is
//! never run; shown as an answer it would be a claim that something is being done.

use serde_json::Value;

/// How calls begin in the templates of well-known models: Hermes and Qwen, Llama, Mistral, DeepSeek, Kimi, MiniMax.
const MARKS: [&str; 7] = [
    "<tool_call>",
    "<function=",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "<｜tool▁calls▁begin｜>",
    "<|tool_calls_section_begin|>",
    "<minimax:tool_call>",
];

/// Where a call begins in a text, if one does.
pub fn find(text: &str) -> Option<usize> {
    MARKS.iter().filter_map(|mark| text.find(mark)).min()
}

/// How many bytes at the end of a text may be the beginning of a call.
pub fn undecided(text: &str) -> usize {
    longest_beginning(text, &MARKS)
}

/// The longest end of the text with which one of the marks begins, in bytes.
pub fn longest_beginning(text: &str, marks: &[&str]) -> usize {
    let longest = marks.iter().map(|mark| mark.len()).max().unwrap_or_default();
    let starts = text.char_indices().rev().map(|(at, _)| at).take_while(|at| text.len() - at < longest);
    starts
        .filter(|at| marks.iter().any(|mark| mark.starts_with(&text[*at..])))
        .last()
        .map_or(0, |at| text.len() - at)
}

/// Whether an answer that begins so may turn out to be nothing but calls in JSON.
pub fn may_be_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '`'])
}

/// Whether an answer is nothing but calls of tools that there are, in JSON, also within a fence of Markdown.
pub fn is_json_call(text: &str, is_offered: impl Fn(&str) -> bool) -> bool {
    let text = text.trim();
    let text = match text.strip_prefix("```").and_then(|text| text.strip_suffix("```")) {
        Some(fenced) => fenced.strip_prefix("json").unwrap_or(fenced),
        None => text,
    };
    let names_tool = |call: &Value| {
        let name = ["/name", "/function/name", "/function", "/tool", "/tool_name"];
        let name = name.iter().find_map(|pointer| call.pointer(pointer)?.as_str());
        call.is_object() && name.is_some_and(&is_offered)
    };
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(calls)) => calls.iter().any(names_tool),
        Ok(call) => names_tool(&call),
        Err(_) => false,
    }
}
