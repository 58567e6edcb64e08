//! OpenAI's Chat Completions, and what compatible servers refuse.

use std::collections::HashSet;

use serde_json::Value;

use super::names::{has_any, is_blank, is_mistral_id, is_name, is_object_text, is_text_of, list};
use super::strict_schema::{self, Fault};
use super::{Found, Place, Sent, Violation, rules};

rules! {
    /// What Chat Completions refuse.
    ChatRule {
        NoJson: "the body is a JSON object with a list of messages",
        Streamed: "the answer is asked for as a stream",
        UsageAsked: "stream_options ask for the usage",
        TokenLimit: "there is one limit of tokens, max_completion_tokens or max_tokens, above 0",
        Sampling: "no sampling options are sent",
        ForcedTool: "no tool is forced",
        Role: "a message's role is system, developer, user, assistant or tool",
        EmptyContent: "no content is empty or white space alone",
        ToolOnlyContent: "a message with calls and no words has null as its content",
        ToolName: "a function's name is 1 to 64 characters of a-z, A-Z, 0-9, _ and -",
        CallId: "a call's id has the shape that its server takes",
        CallIdTwice: "a call's id is its own",
        Arguments: "arguments are text that is a JSON object",
        Unanswered: "every call has its tool message before anybody else speaks",
        Orphan: "a tool message stands behind the message with its call",
        AnsweredTwice: "a call has one tool message",
        StrictRequired: "a strict schema requires every property",
        StrictClosed: "a strict schema's objects take no additional properties",
        StrictKeyword: "a strict schema keeps to the keywords of the strict subset",
        PrefixChanged: "what the model has answered to stays as it was, byte by byte",
        ReasoningDropped: "reasoning_content goes back with the calls that it came with",
    }
}

use ChatRule as Rule;

/// Everything by which a model may be told how to draw.
pub const SAMPLING: [&str; 10] = [
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "presence_penalty",
    "frequency_penalty",
    "repetition_penalty",
    "seed",
    "logit_bias",
    "n",
];

pub fn check(sent: &Sent) -> Vec<Violation<Rule>> {
    let mut found = Found::new();
    let body = sent.body();
    if sent.history().is_none() {
        found.note(true, Rule::NoJson, Place::Whole);
        return found.0;
    }
    check_options(&body, &mut found);
    for (index, tool) in list(&body, "tools").iter().enumerate() {
        let (function, place) = (&tool["function"], Place::Tool(index));
        found.note(!is_name(&function["name"], 64), Rule::ToolName, place);
        if function["strict"] == true {
            for fault in strict_schema::faults(&function["parameters"]) {
                found.note(true, strict(fault), place);
            }
        }
    }
    let messages = list(&body, "messages");
    check_pairs(messages, &mut found);
    check_ids(sent, &body, messages, &mut found);
    for (index, message) in messages.iter().enumerate() {
        check_message(message, Place::Item(index), &mut found);
    }
    found.0
}

fn strict(fault: Fault) -> Rule {
    match fault {
        Fault::NotRequired => Rule::StrictRequired,
        Fault::Open => Rule::StrictClosed,
        Fault::Keyword => Rule::StrictKeyword,
    }
}

fn check_options(body: &Value, found: &mut Found<Rule>) {
    found.note(body["stream"] != true, Rule::Streamed, Place::Whole);
    found.note(body["stream_options"]["include_usage"] != true, Rule::UsageAsked, Place::Whole);
    let limits = ["max_completion_tokens", "max_tokens"].map(|name| body.get(name));
    let limits: Vec<&Value> = limits.into_iter().flatten().collect();
    let limited = matches!(limits.as_slice(), [limit] if limit.as_u64().is_some_and(|limit| limit > 0));
    found.note(!limited, Rule::TokenLimit, Place::Whole);
    found.note(has_any(body, &SAMPLING), Rule::Sampling, Place::Whole);
    let choice = &body["tool_choice"];
    let free = choice.is_null() || choice == "auto" || choice == "none";
    found.note(!free, Rule::ForcedTool, Place::Whole);
}

fn check_message(message: &Value, place: Place, found: &mut Found<Rule>) {
    let content = &message["content"];
    let calls = list(message, "tool_calls");
    match message["role"].as_str().unwrap_or_default() {
        "assistant" if !calls.is_empty() => {
            let blank_text = content.is_string() && is_blank(content);
            let blank_parts = content.is_array() && is_empty(content);
            found.note(blank_text || blank_parts, Rule::ToolOnlyContent, place);
        }
        "system" | "developer" | "user" | "assistant" | "tool" => {
            found.note(is_empty(content), Rule::EmptyContent, place);
        }
        _ => found.note(true, Rule::Role, place),
    }
    for call in calls {
        let function = &call["function"];
        found.note(!is_name(&function["name"], 64), Rule::ToolName, place);
        found.note(!is_object_text(&function["arguments"]), Rule::Arguments, place);
    }
}

fn is_empty(content: &Value) -> bool {
    match content.as_array() {
        Some(parts) => {
            parts.is_empty() || parts.iter().any(|part| part["type"] == "text" && is_blank(&part["text"]))
        }
        None => is_blank(content),
    }
}

fn check_pairs(messages: &[Value], found: &mut Found<Rule>) {
    let mut open: Vec<&Value> = Vec::new();
    let mut answered: Vec<&Value> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let place = Place::Item(index);
        if message["role"] == "tool" {
            let id = &message["tool_call_id"];
            if let Some(at) = open.iter().position(|call| *call == id) {
                answered.push(open.remove(at));
            } else {
                let again = answered.contains(&id);
                found.note(again, Rule::AnsweredTwice, place);
                found.note(!again, Rule::Orphan, place);
            }
            continue;
        }
        found.note(!open.is_empty(), Rule::Unanswered, place);
        answered.clear();
        open = list(message, "tool_calls").iter().map(|call| &call["id"]).collect();
    }
    found.note(!open.is_empty(), Rule::Unanswered, Place::Item(messages.len()));
}

fn check_ids(sent: &Sent, body: &Value, messages: &[Value], found: &mut Found<Rule>) {
    let host = sent.header("host");
    let is_mistrals = [host, body["model"].as_str().unwrap_or_default()]
        .iter()
        .any(|name| name.to_ascii_lowercase().contains("mistral"));
    let fits = |id: &Value| match (is_mistrals, host) {
        (true, _) => is_mistral_id(id),
        (false, "api.openai.com") => is_text_of(id, 40),
        (false, _) => is_text_of(id, usize::MAX),
    };
    let mut ids = HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        for call in list(message, "tool_calls") {
            found.note(!fits(&call["id"]), Rule::CallId, Place::Item(index));
            let is_new = call["id"].as_str().is_none_or(|id| ids.insert(id));
            found.note(!is_new, Rule::CallIdTwice, Place::Item(index));
        }
    }
}

/// What has to go back as it came: of messages of the assistant that belong together. DeepSeek refuses a turn
/// with calls that has lost its reasoning, an empty one too.
pub fn kept(messages: &[Value]) -> Vec<Value> {
    let with_calls = messages.iter().filter(|message| !list(message, "tool_calls").is_empty());
    with_calls.filter_map(|message| message.get("reasoning_content")).cloned().collect()
}
