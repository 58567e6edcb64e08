//! Whatever comes, nothing panics, and no call is made of bytes that do not hold it.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use server::model::StopReason;
use server::model::openai_chat::ChatCompletions;

use crate::reading::{Heard, Reader, runs_something};
use crate::transcript::all;

thread_local! {
    static READER: Reader<ChatCompletions> = Reader::new();
}

fn read(bytes: Vec<u8>) -> Heard {
    READER.with(|reader| reader.read(vec![bytes]))
}

fn stream(deltas: &[Value], finish: &str) -> Vec<u8> {
    let mut body = String::new();
    for delta in deltas {
        body.push_str(&format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta }] })));
    }
    let finish = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] });
    body.push_str(&format!("data: {finish}\n\ndata: [DONE]\n\n"));
    body.into_bytes()
}

/// How a server tells of calls.
#[derive(Clone, Debug)]
struct Manner {
    index: &'static str,
    id: &'static str,
    name: &'static str,
    /// Bytes of the arguments in one piece.
    piece: usize,
}

fn manner() -> impl Strategy<Value = Manner> {
    let index = select(vec!["each", "none", "zero", "gaps"]);
    let id = select(vec!["first", "always", "none", "empty", "changing", "shared"]);
    let name = select(vec!["first", "always", "late", "pieces"]);
    (index, id, name, 1..40_usize).prop_map(|(index, id, name, piece)| Manner { index, id, name, piece })
}

const NAMES: [&str; 3] = ["getWeather", "getOrder", "listBookings"];

fn calls() -> impl Strategy<Value = Vec<(String, String)>> {
    let arguments = prop_oneof![
        Just("{}".to_owned()),
        "[a-zà-ỹ{}\\[\\]\"\\\\,: ]{0,12}"
            .prop_map(|text| json!({ "city": text, "days": [1, { "a": null }] }).to_string()),
    ];
    prop::collection::vec((select(NAMES.to_vec()).prop_map(str::to_owned), arguments), 1..4)
}

fn pieces(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}

fn told(calls: &[(String, String)], manner: &Manner) -> Vec<Value> {
    let mut deltas = Vec::new();
    for (at, (name, arguments)) in calls.iter().enumerate() {
        let mut heads: Vec<(Option<String>, String)> = Vec::new();
        match manner.name {
            "pieces" => heads.extend(pieces(name, 4).into_iter().map(|piece| (Some(piece), String::new()))),
            "first" => heads.push((Some(name.clone()), String::new())),
            _ => {}
        }
        let again = (manner.name == "always").then(|| name.clone());
        heads.extend(pieces(arguments, manner.piece).into_iter().map(|piece| (again.clone(), piece)));
        if manner.name == "late" {
            heads.push((Some(name.clone()), String::new()));
        }
        for (number, (name, arguments)) in heads.into_iter().enumerate() {
            let mut call = json!({ "function": { "arguments": arguments } });
            if let Some(name) = name {
                call["function"]["name"] = name.into();
            }
            match manner.index {
                "each" => call["index"] = at.into(),
                "zero" => call["index"] = 0.into(),
                "gaps" => call["index"] = (at * 7 + 2).into(),
                _ => {}
            }
            match manner.id {
                "first" if number == 0 => call["id"] = format!("call_{at}").into(),
                "always" => call["id"] = format!("call_{at}").into(),
                "empty" => call["id"] = "".into(),
                "changing" => call["id"] = format!("call_{at}_{number}").into(),
                "shared" => call["id"] = "call_0".into(),
                _ => {}
            }
            deltas.push(json!({ "tool_calls": [call] }));
        }
    }
    deltas
}

fn heard_calls(heard: &Heard) -> Option<Vec<(String, String)>> {
    let turn = heard.outcome.as_ref().ok()?;
    (turn.stop == StopReason::ToolUse).then(|| turn.calls().map(|call| (call.name, call.arguments)).collect())
}

/// Of which texts are made: marks, halves of marks, and what looks like them.
const WORDS: [&str; 14] = [
    "<think>",
    "</think>",
    "<",
    "think>",
    "\n",
    "Chào ",
    "bạn",
    "<tool_call>",
    "[TOOL",
    "_CALLS]",
    "<function=",
    "```",
    "{",
    "{\"name\":\"getWeather\"}",
];

/// A piece of a call of which anything may be missing.
fn fragment() -> impl Strategy<Value = Value> {
    let index = prop_oneof![Just(Value::Null), (0..3_u64).prop_map(Value::from)];
    let id = prop_oneof![Just(Value::Null), select(vec!["", "a", "b", "c"]).prop_map(Value::from)];
    let name = select(vec!["", "", "get", "Weather", "getWeather", "getOrder", "bookTaxi"]);
    let name = prop_oneof![Just(Value::Null), name.prop_map(Value::from)];
    let arguments = select(vec!["", " ", "{", "}", "{}", "{\"a\":", "1", "\"", "{\"a\":1}", "}{"]);
    let arguments = prop_oneof![
        Just(Value::Null),
        Just(json!({ "a": 1 })),
        arguments.prop_map(Value::from),
        select(vec!["{", "}", "{\"a\":", "1}"]).prop_map(Value::from)
    ];
    (index, id, name, arguments).prop_map(|(index, id, name, arguments)| {
        json!({ "tool_calls": [{ "index": index, "id": id, "function": { "name": name, "arguments": arguments } }] })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_a_server_leaves_out_the_calls_are_those_that_were_meant_or_none(
        calls in calls(), manner in manner()
    ) {
        let deltas = told(&calls, &manner);
        let heard = read(stream(&deltas, "tool_calls"));
        if let Some(heard) = heard_calls(&heard) {
            prop_assert_eq!(heard, calls.clone());
        }
        let is_standard = matches!(manner.index, "each" | "gaps") && matches!(manner.id, "first" | "none" | "empty");
        if is_standard && matches!(manner.name, "first" | "always") {
            prop_assert_eq!(heard_calls(&heard), Some(calls), "{:?}", heard);
        }
    }

    #[test]
    fn of_pieces_at_random_none_is_lost_and_none_is_made_up(
        deltas in prop::collection::vec(fragment(), 0..8), finish in select(vec!["tool_calls", "stop"])
    ) {
        let heard = read(stream(&deltas, finish));
        if let Some(calls) = heard_calls(&heard) {
            let sent = deltas.iter().map(|delta| match &delta["tool_calls"][0]["function"]["arguments"] {
                Value::String(text) => text.clone(),
                Value::Null => String::new(),
                object => object.to_string(),
            });
            let sorted = |text: String| {
                let mut characters: Vec<char> = text.chars().collect();
                characters.sort_unstable();
                characters
            };
            let kept: String = calls.iter().map(|(_, arguments)| arguments.as_str()).collect();
            prop_assert_eq!(sorted(kept), sorted(sent.collect()));
            prop_assert!(calls.iter().all(|(name, _)| !name.is_empty()));
        }
    }

    #[test]
    fn however_a_text_is_cut_into_deltas_the_same_is_shown_and_never_a_written_call(
        words in prop::collection::vec(select(WORDS.to_vec()), 0..8), length in 1..9_usize
    ) {
        let text = words.concat();
        let delta = |text: &str| json!({ "content": text });
        let whole = read(stream(&[delta(&text)], "stop"));
        let pieces: Vec<Value> = pieces(&text, length).iter().map(|piece| delta(piece)).collect();
        prop_assert_eq!(&read(stream(&pieces, "stop")), &whole);
        for mark in ["<tool_call>", "[TOOL_CALLS]", "<function="] {
            prop_assert!(!whole.text.contains(mark), "{:?}", whole);
        }
        // Nothing that was neither thinking nor a written call is lost.
        let turn = whole.outcome.expect("a turn");
        if turn.stop == StopReason::EndTurn {
            let marks = ["<think>", "</think>"];
            let letters = |text: &str| {
                let bare = marks.iter().fold(text.to_owned(), |text, mark| text.replace(mark, ""));
                bare.split_whitespace().collect::<String>()
            };
            prop_assert_eq!(letters(&text), letters(&whole.reasoning) + &letters(&whole.text));
        }
    }

    #[test]
    fn bytes_at_random_are_no_call(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!runs_something(&read(bytes)));
    }

    #[test]
    fn a_transcript_with_a_byte_changed_or_a_part_left_out_does_not_panic(
        which in any::<Index>(), from in any::<Index>(), to in any::<Index>(), byte in any::<u8>()
    ) {
        let all = all("openai-chat");
        let bytes = which.get(&all).text.clone().into_bytes();
        let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
        let mut changed = bytes.clone();
        changed[from] = byte;
        let _ = read(changed);
        let mut shorter = bytes;
        shorter.drain(from.min(to)..from.max(to));
        let heard = read(shorter);
        // Only a turn whose end was told runs.
        if let Ok(turn) = &heard.outcome {
            prop_assert!(turn.stop != StopReason::ToolUse || turn.calls().all(|call| !call.name.is_empty()));
        }
    }
}
