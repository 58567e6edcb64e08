//! OpenAI's Responses API, used without anything stored at the provider.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::chat::SAMPLING;
use super::names::{has_any, is_blank, is_name, is_object_text, is_text_of, list};
use super::sent::is_the_models_item;
use super::strict_schema::{self, Fault};
use super::{Found, Place, Sent, Violation, rules};

rules! {
    /// What the Responses API refuses, and what would leave a conversation with the provider.
    ResponsesRule {
        NoJson: "the body is a JSON object with a list of input items",
        Stored: "store is false: it is true where it is left out",
        PreviousResponse: "nothing refers to a response or a conversation that is stored",
        EncryptedReasoning: "include asks for reasoning.encrypted_content",
        Streamed: "the answer is asked for as a stream",
        TokenLimit: "max_output_tokens is a number above 0",
        Sampling: "no sampling options are sent",
        ForcedTool: "no tool is forced",
        EmptyText: "no text is empty or white space alone",
        ToolName: "a function's name is 1 to 64 characters of a-z, A-Z, 0-9, _ and -",
        CallId: "a call's call_id is 1 to 64 characters",
        CallIdTwice: "a call's call_id is its own",
        Arguments: "arguments are text that is a JSON object",
        Unanswered: "every call has its output before the next item of the user's or the model's next turn",
        Orphan: "an output stands behind its call",
        AnsweredTwice: "a call has one output",
        ReasoningDetached: "reasoning stands directly before what it led to",
        StrictRequired: "a strict schema requires every property",
        StrictClosed: "a strict schema's objects take no additional properties",
        StrictKeyword: "a strict schema keeps to the keywords of the strict subset",
        PrefixChanged: "what the model has answered to stays as it was, byte by byte",
        ReasoningChanged: "reasoning goes back as it came: unmodified, in order, before the item that it came with",
    }
}

use ResponsesRule as Rule;

pub fn check(sent: &Sent) -> Vec<Violation<Rule>> {
    let mut found = Found::new();
    let body = sent.body();
    if sent.history().is_none() {
        found.note(true, Rule::NoJson, Place::Whole);
        return found.0;
    }
    check_options(&body, &mut found);
    for (index, tool) in list(&body, "tools").iter().enumerate() {
        let place = Place::Tool(index);
        found.note(!is_name(&tool["name"], 64), Rule::ToolName, place);
        if tool["strict"] == true {
            for fault in strict_schema::faults(&tool["parameters"]) {
                found.note(true, strict(fault), place);
            }
        }
    }
    let items = list(&body, "input");
    check_pairs(items, &mut found);
    let mut ids = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let place = Place::Item(index);
        check_item(item, place, &mut found);
        if item["type"] == "function_call" {
            let is_new = item["call_id"].as_str().is_none_or(|id| ids.insert(id));
            found.note(!is_new, Rule::CallIdTwice, place);
        }
        let led_to_nothing = !items.get(index + 1).is_some_and(is_the_models_item);
        found.note(item["type"] == "reasoning" && led_to_nothing, Rule::ReasoningDetached, place);
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
    let whole = Place::Whole;
    found.note(body["store"] != false, Rule::Stored, whole);
    found.note(has_any(body, &["previous_response_id", "conversation"]), Rule::PreviousResponse, whole);
    let encrypted = list(body, "include").iter().any(|name| name == "reasoning.encrypted_content");
    found.note(!encrypted, Rule::EncryptedReasoning, whole);
    found.note(body["stream"] != true, Rule::Streamed, whole);
    let limited = body["max_output_tokens"].as_u64().is_some_and(|limit| limit > 0);
    found.note(!limited, Rule::TokenLimit, whole);
    found.note(has_any(body, &SAMPLING), Rule::Sampling, whole);
    let choice = &body["tool_choice"];
    found.note(!choice.is_null() && choice != "auto" && choice != "none", Rule::ForcedTool, whole);
    let instructions = &body["instructions"];
    found.note(instructions.is_string() && is_blank(instructions), Rule::EmptyText, whole);
}

fn check_item(item: &Value, place: Place, found: &mut Found<Rule>) {
    match item["type"].as_str() {
        Some("function_call") => {
            found.note(!is_name(&item["name"], 64), Rule::ToolName, place);
            found.note(!is_text_of(&item["call_id"], 64), Rule::CallId, place);
            found.note(!is_object_text(&item["arguments"]), Rule::Arguments, place);
        }
        Some("function_call_output") => {
            found.note(is_empty(&item["output"]), Rule::EmptyText, place);
        }
        // A message may leave its type out.
        Some("message") | None => found.note(is_empty(&item["content"]), Rule::EmptyText, place),
        // What only the provider understands.
        Some(_) => {}
    }
}

fn is_empty(content: &Value) -> bool {
    match content.as_array() {
        Some(parts) => {
            let is_text = |part: &Value| matches!(part["type"].as_str(), Some("input_text" | "output_text"));
            parts.is_empty() || parts.iter().any(|part| is_text(part) && is_blank(&part["text"]))
        }
        None => is_blank(content),
    }
}

fn check_pairs(items: &[Value], found: &mut Found<Rule>) {
    let mut open: Vec<&Value> = Vec::new();
    let mut answered: Vec<&Value> = Vec::new();
    let mut is_answering = false;
    for (index, item) in items.iter().enumerate() {
        let place = Place::Item(index);
        if item["type"] == "function_call_output" {
            is_answering = true;
            let id = &item["call_id"];
            if let Some(at) = open.iter().position(|call| *call == id) {
                answered.push(open.remove(at));
            } else {
                let again = answered.contains(&id);
                found.note(again, Rule::AnsweredTwice, place);
                found.note(!again, Rule::Orphan, place);
            }
            continue;
        }
        // The calls of one turn stand side by side, before the first of their outputs.
        if is_answering || !is_the_models_item(item) {
            found.note(!open.is_empty(), Rule::Unanswered, place);
            open.clear();
            answered.clear();
        }
        is_answering = false;
        if item["type"] == "function_call" {
            open.push(&item["call_id"]);
        }
    }
    found.note(!open.is_empty(), Rule::Unanswered, Place::Item(items.len()));
}

/// What has to go back as it came: each reasoning with the kind of the item that it led to. One that led to
/// nothing cannot go back.
pub fn kept(items: &[Value]) -> Vec<Value> {
    let pairs = items.iter().zip(items.iter().skip(1));
    let reasoned = pairs.filter(|(item, _)| item["type"] == "reasoning");
    reasoned.map(|(item, next)| json!([item, next["type"], next["name"]])).collect()
}
