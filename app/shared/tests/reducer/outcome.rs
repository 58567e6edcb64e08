//! The line at the end of a turn: from the record, and never more than the record says.

use serde_json::{Value, json};
use shared::ids::ToolCallId;
use shared::message::{MessagePart, UiMessage};
use shared::outcome::{CallOutcome, TurnOutcome};

use crate::events::{input_of, output_of, preview_of};

fn part(tool: &str, id: &str, state: &str, more: Value) -> Value {
    let mut part = json!({"type": format!("tool-{tool}"), "toolCallId": id, "state": state});
    let fields = part.as_object_mut().expect("a part is an object");
    let Value::Object(more) = more else { panic!("fields") };
    fields.extend(more);
    part
}

fn message(parts: Vec<Value>) -> UiMessage {
    let message = json!({"id": "m-1", "role": "assistant", "parts": parts});
    serde_json::from_value(message).expect("a message")
}

/// Each state of a call with an effect, and the list that it belongs to.
fn states(tool: &str) -> Vec<(Value, CallOutcome)> {
    let input = input_of(tool, 1);
    let approval = |approved: Option<bool>| {
        let mut approval = json!({
            "approvalId": "ask-1", "expiresAt": "2026-12-01T10:00:00Z", "preview": preview_of(tool, 8),
        });
        if let Some(approved) = approved {
            approval["approved"] = json!(approved);
        }
        approval
    };
    let responded = |approved| json!({"input": input, "approval": approval(Some(approved))});
    let error = |kind| json!({"kind": kind, "code": "timeout", "errorText": "It took too long."});
    let states = [
        ("input-streaming", json!({"inputText": "{"}), CallOutcome::Open),
        ("input-available", json!({"input": input}), CallOutcome::Open),
        ("approval-requested", json!({"input": input, "approval": approval(None)}), CallOutcome::Waiting),
        ("approval-responded", responded(true), CallOutcome::Open),
        ("approval-responded", responded(false), CallOutcome::NotDone),
        ("output-available", json!({"input": input, "output": output_of(tool, 1)}), CallOutcome::Done),
        ("output-error", error("input"), CallOutcome::NotDone),
        ("output-error", error("tool"), CallOutcome::NotDone),
        ("output-error", error("unavailable"), CallOutcome::NotDone),
        ("output-denied", responded(false), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "stopped"}), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "superseded"}), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "expired"}), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "interrupted"}), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "limit"}), CallOutcome::NotDone),
        ("output-cancelled", json!({"reason": "repeated"}), CallOutcome::Repeats(None)),
        (
            "output-cancelled",
            json!({"reason": "repeated", "of": "call-0"}),
            CallOutcome::Repeats(Some(ToolCallId::from("call-0"))),
        ),
        ("output-unknown", json!({"input": input}), CallOutcome::Unknown),
    ];
    states.into_iter().map(|(state, more, outcome)| (part(tool, "call-1", state, more), outcome)).collect()
}

fn lists<'a>(turn: &TurnOutcome<'a>) -> [usize; 6] {
    [&turn.open, &turn.waiting, &turn.done, &turn.not_done, &turn.unknown, &turn.repeats].map(Vec::len)
}

#[test]
fn each_state_of_a_write_is_in_its_list() {
    for tool in ["createBooking", "sendFlowers"] {
        for (part, expected) in states(tool) {
            let message = message(vec![part.clone()]);
            let MessagePart::Tool(tool_part) = &message.parts[0] else { panic!("a tool part") };
            assert_eq!(tool_part.outcome(), expected, "{part}");

            let (listed, nothing_happened) = match expected {
                CallOutcome::Open => ([1, 0, 0, 0, 0, 0], false),
                CallOutcome::Waiting => ([0, 1, 0, 0, 0, 0], true),
                CallOutcome::Done => ([0, 0, 1, 0, 0, 0], false),
                CallOutcome::NotDone => ([0, 0, 0, 1, 0, 0], true),
                CallOutcome::Unknown => ([0, 0, 0, 0, 1, 0], false),
                CallOutcome::Repeats(_) => ([0, 0, 0, 0, 0, 1], true),
            };
            let turn = TurnOutcome::of(&message);
            assert_eq!(lists(&turn), listed, "{part}");
            assert_eq!(turn.nothing_happened(), nothing_happened, "{part}");
        }
    }
}

/// What the model writes, and what was only read, is not in the record of effects.
#[test]
fn words_and_reads_are_no_effects() {
    let weather = json!({"input": input_of("getWeather", 1), "output": output_of("getWeather", 1)});
    let message = message(vec![
        json!({"type": "reasoning", "text": "The table is booked."}),
        json!({"type": "text", "text": "Đã đặt bàn xong!"}),
        part("getWeather", "call-1", "output-available", weather),
    ]);
    let turn = TurnOutcome::of(&message);
    assert_eq!(lists(&turn), [0; 6]);
    assert!(turn.nothing_happened());
}

/// One thing done is enough that "nothing happened" is false; the order is the message's.
#[test]
fn a_mixed_turn_tells_all_of_it() {
    let input = input_of("createBooking", 1);
    let done = json!({"input": input, "output": output_of("createBooking", 1)});
    let error = json!({"kind": "tool", "code": "closed", "errorText": "Closed."});
    let message = message(vec![
        part("createBooking", "call-1", "output-error", error.clone()),
        part("createBooking", "call-2", "output-available", done),
        part("createBooking", "call-3", "output-error", error),
        part("createBooking", "call-4", "output-unknown", json!({"input": input})),
        part("createBooking", "call-5", "output-cancelled", json!({"reason": "repeated", "of": "call-2"})),
    ]);
    let turn = TurnOutcome::of(&message);
    assert!(!turn.nothing_happened());
    let ids = |parts: &[&shared::tools::ToolPart]| {
        parts.iter().map(|part| part.tool_call_id().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&turn.not_done), ["call-1", "call-3"]);
    assert_eq!(ids(&turn.done), ["call-2"]);
    assert_eq!(ids(&turn.unknown), ["call-4"]);
    assert_eq!(ids(&turn.repeats), ["call-5"]);
}
