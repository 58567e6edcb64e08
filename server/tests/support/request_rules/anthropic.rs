//! Anthropic's Messages API under version 2026-10-21.

use std::collections::HashSet;

use serde_json::Value;

use super::names::{has_any, is_blank, is_name, list};
use super::{Found, Place, Sent, Violation, rules};

rules! {
    /// What the Messages API refuses.
    AnthropicRule {
        NoJson: "the body is a JSON object with a list of messages",
        Version: "the header anthropic-version is 2026-10-21",
        Sampling: "temperature, top_p and top_k are not sent",
        ForcedTool: "no tool is forced: newer models refuse it",
        TokenLimit: "max_tokens is a number above 0",
        FirstIsUser: "the first message is the user's",
        Alternating: "user and assistant take turns",
        EmptyMessage: "a message has content",
        MisplacedBlock: "a block is of a kind that its role may send",
        BlankText: "no text is empty or white space alone",
        EndsInThinking: "no message of the assistant ends in thinking",
        EndsInSpace: "where the assistant has the last word, it does not end in white space",
        UnsignedThinking: "thinking has its signature",
        ToolName: "a tool's name is 1 to 128 characters of a-z, A-Z, 0-9, _ and -",
        CallId: "a call's id is 1 to 128 characters of a-z, A-Z, 0-9, _ and -",
        CallIdTwice: "a call's id is its own",
        Input: "a call's input is an object",
        Unanswered: "every call has its result in the very next message",
        Orphan: "every result has its call in the message before",
        AnsweredTwice: "a call has one result",
        ResultsFirst: "results stand first in their message",
        PrefixChanged: "what the model has answered to stays as it was, byte by byte",
        ThinkingChanged: "thinking goes back as it came: all of it, unmodified, in order",
    }
}

use AnthropicRule as Rule;

pub fn check(sent: &Sent) -> Vec<Violation<Rule>> {
    let mut found = Found::new();
    let body = sent.body();
    found.note(sent.header("anthropic-version") != "2026-10-21", Rule::Version, Place::Whole);
    if sent.history().is_none() {
        found.note(true, Rule::NoJson, Place::Whole);
        return found.0;
    }
    check_options(&body, &mut found);
    for (index, tool) in list(&body, "tools").iter().enumerate() {
        found.note(!is_name(&tool["name"], 128), Rule::ToolName, Place::Tool(index));
    }
    for block in list(&body, "system") {
        found.note(is_blank(&block["text"]), Rule::BlankText, Place::Whole);
    }
    check_messages(list(&body, "messages"), &mut found);
    found.0
}

fn check_options(body: &Value, found: &mut Found<Rule>) {
    found.note(has_any(body, &["temperature", "top_p", "top_k"]), Rule::Sampling, Place::Whole);
    let forced = matches!(body["tool_choice"]["type"].as_str(), Some("any" | "tool"));
    found.note(forced, Rule::ForcedTool, Place::Whole);
    found.note(body["max_tokens"].as_u64().is_none_or(|limit| limit == 0), Rule::TokenLimit, Place::Whole);
}

fn check_messages(messages: &[Value], found: &mut Found<Rule>) {
    let first = messages.first().map(|message| &message["role"]);
    found.note(first.is_none_or(|role| role != "user"), Rule::FirstIsUser, Place::Item(0));
    let mut ids = HashSet::new();
    let mut open: Vec<&str> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let place = Place::Item(index);
        let role = message["role"].as_str().unwrap_or_default();
        let repeats = index > 0 && messages[index - 1]["role"] == message["role"];
        found.note(repeats, Rule::Alternating, place);
        let blocks = list(message, "content");
        let is_text = message["content"].is_string();
        found.note(is_text && is_blank(&message["content"]), Rule::BlankText, place);
        found.note(!is_text && blocks.is_empty(), Rule::EmptyMessage, place);
        for block in blocks {
            check_block(block, role, place, &mut ids, found);
        }
        check_results(blocks, &open, place, found);
        open.clear();
        if role == "assistant" {
            open.extend(kinds(blocks, "tool_use").filter_map(|call| call["id"].as_str()));
            let is_last = index + 1 == messages.len();
            found.note(is_last && !open.is_empty(), Rule::Unanswered, place);
            check_end(message, is_last, place, found);
        }
    }
}

fn kinds<'a>(blocks: &'a [Value], kind: &'static str) -> impl Iterator<Item = &'a Value> {
    blocks.iter().filter(move |block| block["type"] == kind)
}

fn check_block<'a>(
    block: &'a Value,
    role: &str,
    place: Place,
    ids: &mut HashSet<&'a str>,
    found: &mut Found<Rule>,
) {
    match (block["type"].as_str().unwrap_or_default(), role) {
        ("text", _) => found.note(is_blank(&block["text"]), Rule::BlankText, place),
        ("tool_use", "assistant") => {
            found.note(!is_name(&block["name"], 128), Rule::ToolName, place);
            found.note(!is_name(&block["id"], 128), Rule::CallId, place);
            found.note(!block["input"].is_object(), Rule::Input, place);
            let is_new = block["id"].as_str().is_none_or(|id| ids.insert(id));
            found.note(!is_new, Rule::CallIdTwice, place);
        }
        ("tool_result", "user") => {
            let content = &block["content"];
            found.note(content.is_string() && is_blank(content), Rule::BlankText, place);
            let blank = kinds(list(block, "content"), "text").any(|text| is_blank(&text["text"]));
            found.note(blank, Rule::BlankText, place);
        }
        ("thinking", "assistant") => {
            found.note(!block["signature"].is_string(), Rule::UnsignedThinking, place);
        }
        // A document is the user's alone since this version.
        ("tool_result" | "image" | "document", "assistant") => {
            found.note(true, Rule::MisplacedBlock, place);
        }
        ("image" | "document", "user") => {}
        // What the provider may have said that is not known here.
        (_, "assistant") => {}
        _ => found.note(true, Rule::MisplacedBlock, place),
    }
}

/// `open`: the calls of the message before.
fn check_results(blocks: &[Value], open: &[&str], place: Place, found: &mut Found<Rule>) {
    let results: Vec<&str> =
        kinds(blocks, "tool_result").filter_map(|result| result["tool_use_id"].as_str()).collect();
    for id in open {
        let count = results.iter().filter(|result| *result == id).count();
        found.note(count == 0, Rule::Unanswered, place);
        found.note(count > 1, Rule::AnsweredTwice, place);
    }
    let orphaned = results.iter().any(|result| !open.contains(result));
    found.note(orphaned, Rule::Orphan, place);
    let first_other = blocks.iter().position(|block| block["type"] != "tool_result");
    let last_result = blocks.iter().rposition(|block| block["type"] == "tool_result");
    let mixed = matches!((first_other, last_result), (Some(other), Some(result)) if other < result);
    found.note(mixed, Rule::ResultsFirst, place);
}

/// The end of a message of the assistant.
fn check_end(message: &Value, is_last: bool, place: Place, found: &mut Found<Rule>) {
    let end = list(message, "content").last().unwrap_or(&Value::Null);
    let thinks = matches!(end["type"].as_str(), Some("thinking" | "redacted_thinking"));
    found.note(thinks, Rule::EndsInThinking, place);
    let text = end["text"].as_str().or(message["content"].as_str()).unwrap_or_default();
    let in_space = is_last && text.ends_with(char::is_whitespace) && !text.trim().is_empty();
    found.note(in_space, Rule::EndsInSpace, place);
}

/// What has to go back as it came: of blocks of the assistant that belong together.
pub fn kept(blocks: &[Value]) -> Vec<Value> {
    let is_thinking =
        |block: &&Value| matches!(block["type"].as_str(), Some("thinking" | "redacted_thinking"));
    // Nothing may end in thinking: what comes last cannot go back.
    let end = blocks.iter().rposition(|block| !is_thinking(&block)).map_or(0, |last| last + 1);
    blocks[..end].iter().filter(is_thinking).cloned().collect()
}
