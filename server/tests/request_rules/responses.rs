//! The Responses API.

use serde_json::{Value, json};

use super::conversation::{Conversation, Request, at, list, stream, without};
use crate::support::request_rules::{Protocol, ResponsesRule as Rule, Rule as AnyRule};

fn request(input: Value) -> Request {
    let parameters = json!({
        "type": "object",
        "properties": { "place": {
            "type": ["object", "null"],
            "properties": { "city": { "type": "string" } },
            "required": ["city"],
            "additionalProperties": false,
        } },
        "required": ["place"],
        "additionalProperties": false,
    });
    let body = json!({
        "model": "gpt-test",
        "max_output_tokens": 1024,
        "store": false,
        "stream": true,
        "include": ["reasoning.encrypted_content"],
        "instructions": "Answer from results only.",
        "tools": [{ "type": "function", "name": "getWeather", "strict": true, "parameters": parameters }],
        "input": input,
    });
    Request::new(Protocol::Responses, body)
}

fn asked(text: &str) -> Value {
    let part = |text: &str| json!({ "type": "input_text", "text": text });
    json!({ "type": "message", "role": "user", "content": [part("Monday, 7 pm"), part(text)] })
}

fn call(id: &str) -> Value {
    json!({ "type": "function_call", "call_id": id, "name": "getWeather", "arguments": "{\"place\":null}" })
}

fn result(id: &str) -> Value {
    json!({ "type": "function_call_output", "call_id": id, "output": "It rains." })
}

fn reasoning(number: u32) -> Value {
    let (id, content) = (format!("rs_{number}"), format!("encrypted {number}"));
    json!({ "type": "reasoning", "id": id, "summary": [], "encrypted_content": content })
}

/// The items as they are when they are begun and when they are done.
fn answer(items: &[Value]) -> String {
    let mut events = vec![json!({ "type": "response.created", "response": {} })];
    for (index, item) in items.iter().enumerate() {
        let begun = json!({ "type": item["type"] });
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": begun }));
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    events.push(json!({ "type": "response.completed", "response": { "output": items } }));
    stream(&events)
}

/// Asked, two calls, their results, an answer, asked again.
fn good() -> Conversation {
    let first = asked("The weather?");
    let called = [reasoning(1), call("call_A"), reasoning(2), call("call_B")];
    let results = [result("call_A"), result("call_B")];
    let part = json!({ "type": "output_text", "text": "It rains." });
    let told = [reasoning(3), json!({ "type": "message", "role": "assistant", "content": [part] })];
    let asked_first = [first];
    let so_far = [&asked_first[..], &called, &results].concat();
    let whole = [&so_far[..], &told, &[asked("Tomorrow?")]].concat();
    Conversation {
        answered: vec![
            (request(json!(asked_first)), answer(&called)),
            (request(json!(so_far)), answer(&told)),
        ],
        last: request(json!(whole)),
    }
}

/// Plants a fault for the rule.
fn plant(rule: Rule, last: &mut Request) {
    let body = &mut last.body;
    match rule {
        Rule::NoJson => without(body, "", "input"),
        Rule::Stored => without(body, "", "store"),
        Rule::PreviousResponse => body["previous_response_id"] = json!("resp_1"),
        Rule::EncryptedReasoning => body["include"] = json!([]),
        Rule::Streamed => without(body, "", "stream"),
        Rule::TokenLimit => without(body, "", "max_output_tokens"),
        Rule::Sampling => body["temperature"] = json!(0),
        Rule::ForcedTool => body["tool_choice"] = json!({ "type": "function", "name": "getWeather" }),
        Rule::EmptyText => *at(body, "/input/9/content/1/text") = json!(" "),
        Rule::ToolName => *at(body, "/input/2/name") = json!("get.weather"),
        Rule::CallId => {
            *at(body, "/input/2/call_id") = json!("");
            *at(body, "/input/5/call_id") = json!("");
        }
        Rule::CallIdTwice => drop(list(body, "/input").splice(9..9, [call("call_A"), result("call_A")])),
        Rule::Arguments => *at(body, "/input/2/arguments") = json!("[]"),
        Rule::Unanswered => drop(list(body, "/input").remove(6)),
        Rule::Orphan => list(body, "/input").push(result("call_C")),
        Rule::AnsweredTwice => list(body, "/input").insert(7, result("call_A")),
        Rule::ReasoningDetached => list(body, "/input").insert(9, reasoning(4)),
        Rule::StrictRequired => *at(body, "/tools/0/parameters/required") = json!([]),
        Rule::StrictClosed => {
            *at(body, "/tools/0/parameters/properties/place/additionalProperties") = json!(true);
        }
        Rule::StrictKeyword => {
            at(body, "/tools/0/parameters/properties/place/properties/city")["default"] = json!("Huế");
        }
        Rule::PrefixChanged => body["instructions"] = json!("Answer from results alone."),
        Rule::ReasoningChanged => *at(body, "/input/1/encrypted_content") = json!("encrypted 1!"),
    }
}

#[test]
fn a_good_conversation_passes() {
    good().assert_good();
}

#[test]
fn each_rule_finds_the_fault_that_is_planted_for_it() {
    // Reasoning is bound to the name of what it led to.
    let beside = [Rule::PrefixChanged, Rule::ReasoningChanged].map(AnyRule::Responses);
    for rule in Rule::ALL {
        let mut conversation = good();
        plant(*rule, &mut conversation.last);
        conversation.assert_found(AnyRule::Responses(*rule), &beside);
    }
}

const CHANGED: AnyRule = AnyRule::Responses(Rule::ReasoningChanged);
const PREFIX: AnyRule = AnyRule::Responses(Rule::PrefixChanged);

#[test]
fn reasoning_that_is_dropped_or_before_another_item_is_found() {
    let mut dropped = good();
    list(&mut dropped.last.body, "/input").remove(3);
    dropped.assert_found(CHANGED, &[PREFIX]);
    let mut swapped = good();
    list(&mut swapped.last.body, "/input").swap(1, 3);
    swapped.assert_found(CHANGED, &[PREFIX]);
    let mut before_an_answer = good();
    let item = list(&mut before_an_answer.last.body, "/input").remove(1);
    list(&mut before_an_answer.last.body, "/input").insert(7, item);
    before_an_answer.assert_found(CHANGED, &[PREFIX, AnyRule::Responses(Rule::ReasoningDetached)]);
}

#[test]
fn an_answer_that_the_provider_did_not_complete_is_none_that_may_be_sent_back() {
    let mut conversation = good();
    let (_, answer) = &mut conversation.answered[0];
    *answer = answer.replace("response.completed", "response.failed");
    assert_eq!(conversation.broken(), [PREFIX]);
}
