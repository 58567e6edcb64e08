//! Responses at random: nothing panics, and no call is made of bytes that do not hold it three times.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use server::model::StopReason;
use server::model::openai_responses::Responses;

use crate::reading::{Heard, Reader, runs_something};
use crate::transcript::all;

thread_local! {
    static READER: Reader<Responses> = Reader::new();
}

fn read(bytes: Vec<u8>) -> Heard {
    READER.with(|reader| reader.read(vec![bytes]))
}

fn sse(events: &[Value]) -> Vec<u8> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}

/// Name and arguments of the calls that would run.
fn run(heard: &Heard) -> Option<Vec<(String, String)>> {
    let turn = heard.outcome.as_ref().ok()?;
    (turn.stop == StopReason::ToolUse).then(|| turn.calls().map(|call| (call.name, call.arguments)).collect())
}

fn calls() -> impl Strategy<Value = Vec<(String, String)>> {
    let name = select(vec!["getWeather", "getOrder", "listBookings"]).prop_map(str::to_owned);
    let arguments = prop_oneof![
        Just("{}".to_owned()),
        "[a-zà-ỹ{}\\[\\]\"\\\\,: ]{0,12}"
            .prop_map(|text| json!({ "city": text, "days": [1, { "a": null }] }).to_string()),
    ];
    prop::collection::vec((name, arguments), 1..4)
}

/// How a server tells of calls.
#[derive(Clone, Debug)]
struct Manner {
    is_numbered: bool,
    has_output: bool,
    has_starts: bool,
    /// Characters of the arguments in one piece; 0: none.
    piece: usize,
}

fn manner() -> impl Strategy<Value = Manner> {
    (any::<bool>(), any::<bool>(), any::<bool>(), 0..12_usize).prop_map(
        |(is_numbered, has_output, has_starts, piece)| Manner { is_numbered, has_output, has_starts, piece },
    )
}

fn told(calls: &[(String, String)], manner: &Manner) -> Vec<Value> {
    let mut events = vec![json!({ "type": "response.created", "response": { "id": "resp_1" } })];
    let mut output = Vec::new();
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let id = format!("fc_{index}");
        let item = |arguments: &str| {
            json!({ "type": "function_call", "id": id, "call_id": format!("call_{index}"), "name": name,
                "arguments": arguments })
        };
        if manner.has_starts {
            events.push(
                json!({ "type": "response.output_item.added", "output_index": index, "item": item("") }),
            );
            let characters: Vec<char> = arguments.chars().collect();
            for piece in characters.chunks(manner.piece.max(1)).filter(|_| manner.piece > 0) {
                let piece: String = piece.iter().collect();
                events.push(json!({ "type": "response.function_call_arguments.delta", "output_index": index,
                    "item_id": id, "delta": piece }));
            }
            events.push(json!({ "type": "response.function_call_arguments.done", "output_index": index,
                "item_id": id, "arguments": arguments }));
        }
        let whole = item(arguments);
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": whole }));
        output.push(whole);
    }
    let mut end =
        json!({ "type": "response.completed", "response": { "id": "resp_1", "status": "completed" } });
    if manner.has_output {
        end["response"]["output"] = output.into();
    }
    events.push(end);
    if manner.is_numbered {
        for (number, event) in events.iter_mut().enumerate() {
            event["sequence_number"] = number.into();
        }
    }
    events
}

/// What may happen to a stream on its way.
#[derive(Clone, Debug)]
enum Harm {
    Lose(Index),
    Repeat(Index),
    Swap(Index, Index),
    Byte(Index, u8),
}

fn harm() -> impl Strategy<Value = Harm> {
    prop_oneof![
        any::<Index>().prop_map(Harm::Lose),
        any::<Index>().prop_map(Harm::Repeat),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Harm::Swap(one, other)),
        (any::<Index>(), 32..127_u8).prop_map(|(at, byte)| Harm::Byte(at, byte)),
    ]
}

fn harmed(mut events: Vec<Value>, harm: &Harm) -> Vec<u8> {
    match harm {
        Harm::Lose(at) => drop(events.remove(at.index(events.len()))),
        Harm::Repeat(at) => {
            let at = at.index(events.len());
            events.insert(at, events[at].clone());
        }
        Harm::Swap(one, other) => {
            let (one, other) = (one.index(events.len()), other.index(events.len()));
            events.swap(one, other);
        }
        Harm::Byte(at, byte) => {
            let mut bytes = sse(&events);
            let at = at.index(bytes.len());
            bytes[at] = *byte;
            return bytes;
        }
    }
    sse(&events)
}

/// An event of which anything may be wrong.
fn event() -> impl Strategy<Value = Value> {
    let index = 0..3_u64;
    let name = select(vec!["getWeather", "getOrder", ""]);
    let text = select(vec!["", "{}", "{", "}", "{\"city\":\"Huế\"}"]);
    let kind = select(vec!["function_call", "function_call", "message", "reasoning", "hologram"]);
    let status = select(vec![Value::Null, json!("completed"), json!("incomplete")]);
    let what = select(vec![
        "response.output_item.added",
        "response.output_item.done",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_text.delta",
        "response.refusal.delta",
        "response.in_progress",
        "response.hologram",
    ]);
    (what, index, kind, name, text, status).prop_map(|(what, index, kind, name, text, status)| match what {
        "response.output_item.added" | "response.output_item.done" => {
            let text = if what.ends_with("added") { "" } else { text };
            json!({ "type": what, "output_index": index, "item": { "type": kind, "id": format!("item_{index}"),
                "call_id": format!("call_{index}"), "name": name, "arguments": text, "status": status } })
        }
        "response.function_call_arguments.done" => {
            json!({ "type": what, "output_index": index, "arguments": text })
        }
        "response.in_progress" => json!({ "type": what, "response": { "id": "resp_1" } }),
        _ => json!({ "type": what, "output_index": index, "content_index": 0, "delta": text }),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn calls_that_are_told_in_full_run_as_they_were_meant(calls in calls(), manner in manner()) {
        prop_assert_eq!(run(&read(sse(&told(&calls, &manner)))), Some(calls));
    }

    #[test]
    fn whatever_happens_to_one_event_the_calls_are_those_that_were_meant_or_none(
        calls in calls(), manner in manner(), harm in harm()
    ) {
        // Without an output at the end, the whole of an item alone says that there was one, and what it is.
        let manner = Manner { has_output: true, ..manner };
        if let Some(heard) = run(&read(harmed(told(&calls, &manner), &harm))) {
            prop_assert_eq!(heard, calls, "{:?}", harm);
        }
    }

    #[test]
    fn a_piece_that_is_lost_or_comes_twice_changes_no_call_even_without_numbers_and_output(
        calls in calls(), piece in 1..12_usize, at in any::<Index>(), twice in any::<bool>()
    ) {
        let manner = Manner { is_numbered: false, has_output: false, has_starts: true, piece };
        let mut events = told(&calls, &manner);
        let is_piece = |event: &Value| event["type"] == "response.function_call_arguments.delta";
        let pieces: Vec<usize> = (0..events.len()).filter(|at| is_piece(&events[*at])).collect();
        let at = *at.get(&pieces);
        if twice {
            events.insert(at, events[at].clone());
        } else {
            events.remove(at);
        }
        match run(&read(sse(&events))) {
            None => {}
            // The only piece of its call: the whole says all of it.
            Some(heard) => prop_assert!(!twice && heard == calls),
        }
    }

    #[test]
    fn events_at_random_make_only_calls_that_an_item_ended_as(events in prop::collection::vec(event(), 0..10)) {
        let end = json!({ "type": "response.completed", "response": { "status": "completed" } });
        let stream: Vec<Value> = events.iter().cloned().chain([end]).collect();
        for (name, arguments) in run(&read(sse(&stream))).unwrap_or_default() {
            let is_told = events.iter().any(|event| {
                let item = &event["item"];
                event["type"] == "response.output_item.done"
                    && item["type"] == "function_call"
                    && item["name"] == name
                    && item["arguments"] == arguments
                    && item["status"] != "incomplete"
            });
            prop_assert!(is_told, "{name} {arguments}");
        }
        prop_assert!(!runs_something(&read(sse(&events))));
    }

    #[test]
    fn bytes_at_random_are_no_call(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!runs_something(&read(bytes)));
    }

    #[test]
    fn a_transcript_with_a_part_left_out_does_not_panic_and_runs_nothing_new(
        which in any::<Index>(), from in any::<Index>(), to in any::<Index>()
    ) {
        let all = all("openai-responses");
        let bytes = which.get(&all).text.clone().into_bytes();
        let (from, to) = (from.index(bytes.len()), to.index(bytes.len()));
        let mut shorter = bytes.clone();
        shorter.drain(from.min(to)..from.max(to));
        for (_, arguments) in run(&read(shorter.clone())).unwrap_or_default() {
            // Where a call is told once alone, nothing can show that a part of it is missing: it is what came.
            let told = Value::from(arguments.as_str()).to_string();
            let came = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(&told);
            prop_assert!(arguments.is_empty() || came(&bytes) || came(&shorter), "{arguments}");
        }
    }
}
