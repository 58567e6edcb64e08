//! The Messages API.

use serde_json::{Value, json};

use super::conversation::{Conversation, Request, at, list, stream, without};
use crate::support::request_rules::{AnthropicRule as Rule, Protocol, Rule as AnyRule};

fn request(messages: Value) -> Request {
    let tool = json!({ "name": "getWeather", "description": "…", "input_schema": { "type": "object" } });
    let body = json!({
        "model": "claude-test",
        "max_tokens": 1024,
        "stream": true,
        "system": [{ "type": "text", "text": "Answer from results only." }],
        "tools": [tool],
        "messages": messages,
    });
    Request::new(Protocol::Anthropic, body).header("anthropic-version", "2026-10-21")
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "getWeather", "input": { "city": "Huế" } })
}

fn result(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "is_error": false, "content": [text("It rains.")] })
}

fn thinking(thinking: &str) -> Value {
    json!({ "type": "thinking", "thinking": thinking, "signature": format!("signed {thinking}") })
}

fn start(index: usize, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: usize, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn end(stop_reason: &str) -> [Value; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": stop_reason } }),
        json!({ "type": "message_stop" }),
    ]
}

/// Thinking in pieces, then these blocks whole.
fn answer(thought: &str, blocks: &[Value], stop_reason: &str) -> String {
    let mut events = vec![
        json!({ "type": "message_start", "message": { "content": [] } }),
        start(0, &json!({ "type": "thinking", "thinking": "", "signature": "" })),
    ];
    for word in thought.split_inclusive(' ') {
        events.push(delta(0, json!({ "type": "thinking_delta", "thinking": word })));
    }
    let signature = format!("signed {thought}");
    events.push(delta(0, json!({ "type": "signature_delta", "signature": signature })));
    events.extend(blocks.iter().enumerate().map(|(index, block)| start(index + 1, block)));
    events.extend(end(stop_reason));
    stream(&events)
}

/// Asked, two calls, their results, an answer, asked again.
fn good() -> Conversation {
    let asked = json!({ "role": "user", "content": [text("Monday, 7 pm"), text("The weather?")] });
    let redacted = json!({ "type": "redacted_thinking", "data": "c2VjcmV0" });
    let blocks = [redacted, text("Let me see."), call("toolu_A"), call("toolu_B")];
    let called = [&[thinking("Which city is it?")], &blocks[..]].concat();
    let called = json!({ "role": "assistant", "content": called });
    let results =
        json!({ "role": "user", "content": [result("toolu_A"), result("toolu_B"), text("Edited.")] });
    let told = json!({ "role": "assistant", "content": [thinking("Done."), text("It rains.")] });
    let again = json!({ "role": "user", "content": [text("Monday, 7 pm"), text("Tomorrow?")] });
    Conversation {
        answered: vec![
            (request(json!([asked])), answer("Which city is it?", &blocks, "tool_use")),
            (request(json!([asked, called, results])), answer("Done.", &[text("It rains.")], "end_turn")),
        ],
        last: request(json!([asked, called, results, told, again])),
    }
}

/// Plants a fault for the rule.
fn plant(rule: Rule, last: &mut Request) {
    let body = &mut last.body;
    match rule {
        Rule::NoJson => *body = json!("not an object"),
        Rule::Version => last.set_header("anthropic-version", "2023-06-01"),
        Rule::Sampling => body["temperature"] = json!(1),
        Rule::ForcedTool => body["tool_choice"] = json!({ "type": "any" }),
        Rule::TokenLimit => body["max_tokens"] = json!(0),
        Rule::FirstIsUser => {
            list(body, "/messages").insert(0, json!({ "role": "assistant", "content": [text("Hello!")] }));
        }
        Rule::Alternating => {
            list(body, "/messages").push(json!({ "role": "user", "content": [text("Are you there?")] }));
        }
        Rule::EmptyMessage => list(body, "/messages/4/content").clear(),
        Rule::MisplacedBlock => list(body, "/messages/4/content").push(thinking("Mine?")),
        Rule::BlankText => list(body, "/messages/4/content").push(text(" \n")),
        Rule::EndsInThinking => list(body, "/messages/3/content").push(thinking("And then?")),
        Rule::EndsInSpace => {
            list(body, "/messages").push(json!({ "role": "assistant", "content": [text("Tomorrow it ")] }));
        }
        Rule::UnsignedThinking => without(body, "/messages/1/content/0", "signature"),
        Rule::ToolName => *at(body, "/messages/1/content/3/name") = json!("get weather"),
        Rule::CallId => {
            *at(body, "/messages/1/content/3/id") = json!("functions.getWeather:0");
            *at(body, "/messages/2/content/0/tool_use_id") = json!("functions.getWeather:0");
        }
        Rule::CallIdTwice => {
            list(body, "/messages/3/content").push(call("toolu_A"));
            list(body, "/messages/4/content").insert(0, result("toolu_A"));
        }
        Rule::Input => *at(body, "/messages/1/content/3/input") = json!("{\"city\":\"Huế\"}"),
        Rule::Unanswered => drop(list(body, "/messages/2/content").remove(1)),
        Rule::Orphan => list(body, "/messages/4/content").insert(0, result("toolu_C")),
        Rule::AnsweredTwice => list(body, "/messages/2/content").insert(2, result("toolu_A")),
        Rule::ResultsFirst => list(body, "/messages/2/content").insert(1, text("Edited.")),
        Rule::PrefixChanged => *at(body, "/messages/0/content/0/text") = json!("Monday, 8 pm"),
        Rule::ThinkingChanged => *at(body, "/messages/1/content/0/thinking") = json!("Which city?"),
    }
}

#[test]
fn a_good_conversation_passes() {
    good().assert_good();
}

#[test]
fn each_rule_finds_the_fault_that_is_planted_for_it() {
    let beside = [Rule::PrefixChanged, Rule::ThinkingChanged].map(AnyRule::Anthropic);
    for rule in Rule::ALL {
        let mut conversation = good();
        plant(*rule, &mut conversation.last);
        conversation.assert_found(AnyRule::Anthropic(*rule), &beside);
    }
}

const PREFIX: [AnyRule; 1] = [AnyRule::Anthropic(Rule::PrefixChanged)];
const THINKING: [AnyRule; 1] = [AnyRule::Anthropic(Rule::ThinkingChanged)];

#[test]
fn a_prompt_a_tool_and_the_order_of_members_are_a_part_of_the_prefix() {
    let changed = |pointer: &str, value: Value| {
        let mut conversation = good();
        *at(&mut conversation.last.body, pointer) = value;
        conversation.broken()
    };
    assert_eq!(changed("/system/0/text", json!("Answer from results only!")), PREFIX);
    assert_eq!(changed("/tools/0/description", json!("…!")), PREFIX);

    // The same JSON, in other bytes.
    let conversation = good();
    let mut sent = conversation.last.sent();
    let text = String::from_utf8(sent.bytes).unwrap();
    let reordered = text.replacen(
        r#"{"text":"The weather?","type":"text"}"#,
        r#"{"type":"text","text":"The weather?"}"#,
        1,
    );
    assert_ne!(reordered, text);
    sent.bytes = reordered.into_bytes();
    assert_eq!(conversation.broken_by(&sent), PREFIX);
}

#[test]
fn a_turn_that_was_never_proved_complete_is_none_that_may_be_sent_back() {
    let mut conversation = good();
    let (_, answer) = &mut conversation.answered[0];
    *answer = answer.split("event: message_stop").next().unwrap().to_owned();
    assert_eq!(conversation.broken(), PREFIX);
}

#[test]
fn thinking_that_is_dropped_merged_or_out_of_order_is_found() {
    let mut dropped = good();
    list(&mut dropped.last.body, "/messages/1/content").remove(1);
    dropped.assert_found(THINKING[0], &PREFIX);
    let mut swapped = good();
    list(&mut swapped.last.body, "/messages/1/content").swap(0, 1);
    swapped.assert_found(THINKING[0], &PREFIX);
    let mut moved = good();
    let block = list(&mut moved.last.body, "/messages/3/content").remove(0);
    list(&mut moved.last.body, "/messages/1/content").insert(0, block);
    moved.assert_found(THINKING[0], &PREFIX);
}

#[test]
fn a_paused_turn_goes_on_in_the_same_message() {
    let asked = json!({ "role": "user", "content": [text("The weather?")] });
    let first = [thinking("One."), text("Wait.")];
    let whole = [&first[..], &[thinking("Two."), text("It rains.")]].concat();
    let mut conversation = Conversation {
        answered: vec![
            (request(json!([asked])), answer("One.", &[text("Wait.")], "pause_turn")),
            (
                request(json!([asked, { "role": "assistant", "content": first }])),
                answer("Two.", &[text("It rains.")], "end_turn"),
            ),
        ],
        last: request(json!([
            asked,
            { "role": "assistant", "content": whole },
            { "role": "user", "content": [text("Thanks.")] },
        ])),
    };
    conversation.assert_good();
    *at(&mut conversation.last.body, "/messages/1/content/2/thinking") = json!("Three.");
    assert_eq!(conversation.broken(), THINKING);
}

#[test]
fn results_that_are_spread_over_two_messages_are_found() {
    let mut conversation = good();
    let messages = list(&mut conversation.last.body, "/messages");
    let second = messages[2]["content"].as_array_mut().unwrap().remove(1);
    messages.insert(3, json!({ "role": "user", "content": [second] }));
    let broken = conversation.broken();
    for rule in [Rule::Alternating, Rule::Unanswered, Rule::Orphan] {
        assert!(broken.contains(&AnyRule::Anthropic(rule)), "{rule} is not in {broken:?}");
    }
}

#[test]
fn blank_text_is_found_wherever_it_stands() {
    for pointer in ["/system/0/text", "/messages/2/content/0/content/0/text", "/messages/3/content/1/text"] {
        let mut conversation = good();
        *at(&mut conversation.last.body, pointer) = json!("\n");
        conversation.assert_found(AnyRule::Anthropic(Rule::BlankText), &PREFIX);
    }
}
