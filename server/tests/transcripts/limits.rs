//! What a provider may make us keep is bounded.

use serde_json::{Value, json};
use server::model::openai_chat::ChatCompletions;

use crate::reading::{Heard, Reader};

fn read(chunks: impl Iterator<Item = Value>) -> Heard {
    let chunk = |delta| json!({ "choices": [{ "index": 0, "delta": delta }] });
    let mut body: Vec<Vec<u8>> =
        chunks.map(|delta| format!("data: {}\n\n", chunk(delta)).into_bytes()).collect();
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
    body.push(end.into());
    Reader::<ChatCompletions>::new().read(body)
}

fn call(id: &str, arguments: &str) -> Value {
    json!({ "tool_calls": [{ "id": id, "function": { "name": "getWeather", "arguments": arguments } }] })
}

fn assert_interrupted(heard: &Heard, why: &str) {
    match &heard.outcome {
        Err(told) => assert!(told.starts_with("interrupted") && told.contains(why), "{told}"),
        Ok(turn) => panic!("{turn:?}"),
    }
}

#[test]
fn a_turn_may_have_128_calls_and_not_one_more() {
    let calls = |count: usize| read((0..count).map(|n| call(&format!("call_{n}"), "{}")));
    assert_eq!(calls(128).outcome.expect("a turn").calls().count(), 128);
    assert_interrupted(&calls(129), "more than 128 calls");
}

#[test]
fn arguments_longer_than_a_mebibyte_are_no_turn() {
    let pieces = |count: usize| {
        let piece = "x".repeat(128 * 1024);
        let head = call("call_A", "{\"city\":\"");
        let body = (0..count)
            .map(move |_| json!({ "tool_calls": [{ "index": null, "function": { "arguments": piece } }] }));
        let tail = json!({ "tool_calls": [{ "function": { "arguments": "\"}" } }] });
        read([head].into_iter().chain(body).chain([tail]))
    };
    assert!(pieces(7).outcome.is_ok());
    assert_interrupted(&pieces(8), "longer than");
}

#[test]
fn a_turn_in_absurdly_many_pieces_is_no_turn() {
    let piece = || json!({ "tool_calls": vec![json!({ "function": { "arguments": " " } }); 4096] });
    let pieces = |count: usize| read([call("call_A", "{}")].into_iter().chain((0..count).map(|_| piece())));
    assert!(pieces(15).outcome.is_ok());
    assert_interrupted(&pieces(17), "pieces of calls");
}
