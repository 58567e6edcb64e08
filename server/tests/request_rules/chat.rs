//! Chat Completions.

use serde_json::{Value, json};

use super::conversation::{Conversation, Request, at, list, stream, without};
use crate::support::request_rules::{ChatRule as Rule, Protocol, Rule as AnyRule};

fn request(messages: Value) -> Request {
    let parameters = json!({
        "type": "object",
        "properties": { "city": { "type": "string" }, "days": { "type": ["integer", "null"], "minimum": 1 } },
        "required": ["city", "days"],
        "additionalProperties": false,
    });
    let function = json!({ "name": "getWeather", "strict": true, "parameters": parameters });
    let body = json!({
        "model": "gpt-test",
        "max_completion_tokens": 1024,
        "stream": true,
        "stream_options": { "include_usage": true },
        "tools": [{ "type": "function", "function": function }],
        "messages": messages,
    });
    Request::new(Protocol::Chat, body).header("host", "api.openai.com")
}

fn call(id: &str) -> Value {
    let function = json!({ "name": "getWeather", "arguments": "{\"city\":\"Huế\"}" });
    json!({ "id": id, "type": "function", "function": function })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "It rains." })
}

fn chunk(delta: Value, finish_reason: Option<&str>) -> Value {
    json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }] })
}

/// Asked, two calls, their results, an answer, asked again.
fn good() -> Conversation {
    good_with(&["call_A", "call_B"])
}

fn good_with(ids: &[&str; 2]) -> Conversation {
    let system = json!({ "role": "system", "content": "Answer from results only." });
    let part = |text: &str| json!({ "type": "text", "text": text });
    let asked = json!({ "role": "user", "content": [part("Monday, 7 pm"), part("The weather?")] });
    let calls = ids.map(call);
    let called = json!({
        "role": "assistant", "content": null, "reasoning_content": "Which city?", "tool_calls": calls,
    });
    let results = ids.map(result);
    let told = json!({ "role": "assistant", "content": "It rains." });
    let again = json!({ "role": "user", "content": "Tomorrow?" });
    let calling = stream(&[
        chunk(json!({ "role": "assistant", "content": null, "reasoning_content": "Which " }), None),
        chunk(json!({ "reasoning_content": "city?" }), None),
        chunk(json!({ "tool_calls": calls }), None),
        chunk(json!({}), Some("tool_calls")),
    ]);
    let telling = stream(&[chunk(json!({ "content": "It rains." }), Some("stop"))]);
    Conversation {
        answered: vec![
            (request(json!([system, asked])), calling + "data: [DONE]\n\n"),
            (request(json!([system, asked, called, results[0], results[1]])), telling),
        ],
        last: request(json!([system, asked, called, results[0], results[1], told, again])),
    }
}

/// Plants a fault for the rule.
fn plant(rule: Rule, last: &mut Request) {
    let body = &mut last.body;
    match rule {
        Rule::NoJson => body["messages"] = json!("Hello"),
        Rule::Streamed => body["stream"] = json!(false),
        Rule::UsageAsked => body["stream_options"] = json!({}),
        Rule::TokenLimit => body["max_tokens"] = json!(1024),
        Rule::Sampling => body["top_p"] = json!(0.9),
        Rule::ForcedTool => body["tool_choice"] = json!("required"),
        Rule::Role => *at(body, "/messages/6/role") = json!("guest"),
        Rule::EmptyContent => *at(body, "/messages/6/content") = json!(""),
        Rule::ToolOnlyContent => *at(body, "/messages/2/content") = json!(""),
        Rule::ToolName => *at(body, "/messages/2/tool_calls/0/function/name") = json!("n".repeat(65)),
        Rule::CallId => {
            *at(body, "/messages/2/tool_calls/0/id") = json!("i".repeat(41));
            *at(body, "/messages/3/tool_call_id") = json!("i".repeat(41));
        }
        Rule::CallIdTwice => {
            let again = json!({ "role": "assistant", "content": null, "tool_calls": [call("call_A")] });
            list(body, "/messages").splice(5..6, [again, result("call_A")]);
        }
        Rule::Arguments => {
            *at(body, "/messages/2/tool_calls/0/function/arguments") = json!({ "city": "Huế" });
        }
        Rule::Unanswered => drop(list(body, "/messages").remove(4)),
        Rule::Orphan => list(body, "/messages").push(result("call_C")),
        Rule::AnsweredTwice => list(body, "/messages").insert(5, result("call_A")),
        Rule::StrictRequired => {
            *at(body, "/tools/0/function/parameters/required") = json!(["city"]);
        }
        Rule::StrictClosed => without(body, "/tools/0/function/parameters", "additionalProperties"),
        Rule::StrictKeyword => {
            at(body, "/tools/0/function/parameters/properties/city")["minLength"] = json!(1);
        }
        Rule::PrefixChanged => *at(body, "/messages/0/content") = json!("Answer from results alone."),
        Rule::ReasoningDropped => without(body, "/messages/2", "reasoning_content"),
    }
}

#[test]
fn a_good_conversation_passes() {
    good().assert_good();
}

#[test]
fn each_rule_finds_the_fault_that_is_planted_for_it() {
    let beside = [AnyRule::Chat(Rule::PrefixChanged)];
    for rule in Rule::ALL {
        let mut conversation = good();
        plant(*rule, &mut conversation.last);
        conversation.assert_found(AnyRule::Chat(*rule), &beside);
    }
}

#[test]
fn a_schema_that_is_not_strict_may_be_any() {
    let mut conversation = good();
    for (request, _) in &mut conversation.answered {
        plant(Rule::StrictRequired, request);
        *at(&mut request.body, "/tools/0/function/strict") = json!(false);
    }
    plant(Rule::StrictRequired, &mut conversation.last);
    *at(&mut conversation.last.body, "/tools/0/function/strict") = json!(false);
    conversation.assert_good();
}

#[test]
fn reasoning_that_came_empty_goes_back_empty() {
    let mut conversation = good();
    let (_, answer) = &mut conversation.answered[0];
    *answer = answer.replace("Which ", "").replace("city?", "");
    for request in [&mut conversation.answered[1].0, &mut conversation.last] {
        *at(&mut request.body, "/messages/2/reasoning_content") = json!("");
    }
    conversation.assert_good();
    plant(Rule::ReasoningDropped, &mut conversation.last);
    let beside = [AnyRule::Chat(Rule::PrefixChanged)];
    conversation.assert_found(AnyRule::Chat(Rule::ReasoningDropped), &beside);
}

#[test]
fn each_server_has_its_shape_of_ids() {
    let broken = |ids: [&str; 2], host: &'static str, model: &str| {
        let mut conversation = good_with(&ids);
        let requests = conversation.answered.iter_mut().map(|(request, _)| request);
        for request in requests.chain([&mut conversation.last]) {
            request.set_header("host", host);
            request.body["model"] = json!(model);
        }
        conversation.broken()
    };
    let long = ["i".repeat(60), "j".repeat(60)];
    let (long, short) = ([long[0].as_str(), long[1].as_str()], ["abcDEF123", "000000001"]);
    let refused = [AnyRule::Chat(Rule::CallId)];
    assert_eq!(broken(long, "127.0.0.1:11434", "llama"), []);
    assert_eq!(broken(long, "api.openai.com", "gpt-test"), refused);
    assert_eq!(broken(short, "api.mistral.ai", "any"), []);
    assert_eq!(broken(["call_A", "call_B"], "api.mistral.ai", "any"), refused);
    assert_eq!(broken(["call_A", "call_B"], "127.0.0.1:8000", "mistralai/Mistral-Small"), refused);
    assert_eq!(broken(["", "call_B"], "127.0.0.1:8000", "llama"), refused);
}

#[test]
fn a_schema_leaves_the_strict_subset_with_any_of_these() {
    for (member, value) in [
        ("format", json!("uri")),
        ("oneOf", json!([])),
        ("allOf", json!([])),
        ("default", json!("Huế")),
        ("maxLength", json!(80)),
    ] {
        let mut conversation = good();
        at(&mut conversation.last.body, "/tools/0/function/parameters/properties/city")[member] = value;
        let beside = [AnyRule::Chat(Rule::PrefixChanged)];
        conversation.assert_found(AnyRule::Chat(Rule::StrictKeyword), &beside);
    }
    for (member, value) in [("format", json!("date")), ("pattern", json!("^H")), ("enum", json!(["Huế"]))] {
        let mut conversation = good();
        at(&mut conversation.last.body, "/tools/0/function/parameters/properties/city")[member] = value;
        assert_eq!(conversation.broken(), [AnyRule::Chat(Rule::PrefixChanged)], "{member}");
    }
}
