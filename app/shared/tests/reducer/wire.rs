//! The JSON of events and parts, field by field as the design has it.

use serde_json::{Value, json};
use shared::error_code::ErrorCode;
use shared::event::{AgentEvent, CancelReason, ToolErrorKind};
use shared::message::{MessagePart, UiMessage};
use shared::reduce::Conversation;
use shared::run::{RunPhase, RunStatus, Usage};
use shared::tools::{ToolName, ToolPart};

use crate::events::{input_of, output_of, preview_of};

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn there_and_back<T>(json: &Value) -> T
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let value: T = serde_json::from_value(json.clone()).unwrap_or_else(|error| panic!("{error}: {json}"));
    let written = serde_json::to_value(&value).expect("it is JSON");
    assert_eq!(&written, json);
    assert!(!has_null(&written), "absent fields are left out: {written}");
    value
}

fn with_unknown(json: &Value) -> Value {
    let mut json = json.clone();
    json["addedLater"] = json!({"x": [1, null]});
    json
}

#[test]
fn events() {
    let booked = output_of("createBooking", 4);
    let all = [
        json!({"type": "user-message", "messageId": "u-1", "clientMessageId": "c-1", "text": "Xin chào"}),
        json!({"type": "run-started", "runId": "run-1", "messageId": "m-1"}),
        json!({"type": "run-finished", "runId": "run-1", "status": "awaiting-approval"}),
        json!({"type": "run-finished", "runId": "run-1", "status": "done",
            "usage": {"inputTokens": 12, "outputTokens": 3}}),
        json!({"type": "run-finished", "runId": "run-1", "status": "token-budget", "usage": {
            "inputTokens": 12, "outputTokens": 3, "cacheReadTokens": 7, "cacheWriteTokens": 5}}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "step-reset", "step": 1}),
        json!({"type": "text-delta", "text": "Chào "}),
        json!({"type": "reasoning-delta", "text": "…"}),
        json!({"type": "model-retrying", "step": 1, "attempt": 2}),
        json!({"type": "tool-input-start", "toolCallId": "call-1", "toolName": "createBooking"}),
        json!({"type": "tool-input-delta", "toolCallId": "call-1", "inputTextDelta": "{\"par"}),
        json!({"type": "tool-input-available", "toolCallId": "call-1",
            "input": input_of("createBooking", 4)}),
        json!({"type": "tool-approval-requested", "toolCallId": "call-1", "approvalId": "ask-1",
            "expiresAt": "2026-12-01T10:00:00Z", "preview": preview_of("createBooking", 8)}),
        json!({"type": "tool-approval-responded", "toolCallId": "call-1", "approved": false}),
        json!({"type": "tool-approval-responded", "toolCallId": "call-1", "approved": true,
            "input": input_of("createBooking", 5)}),
        json!({"type": "tool-output-available", "toolCallId": "call-1", "output": booked}),
        json!({"type": "tool-output-updated", "toolCallId": "call-1", "output": booked, "revision": 2}),
        json!({"type": "tool-output-error", "toolCallId": "call-1", "kind": "tool", "code": "timeout",
            "errorText": "It took too long."}),
        json!({"type": "tool-output-error", "toolCallId": "call-1", "kind": "input",
            "code": "unknown-city", "params": {"cities": ["Huế"]}, "errorText": "No such city."}),
        json!({"type": "tool-output-denied", "toolCallId": "call-1"}),
        json!({"type": "tool-output-cancelled", "toolCallId": "call-1", "reason": "stopped"}),
        json!({"type": "tool-output-cancelled", "toolCallId": "call-1", "reason": "repeated",
            "of": "call-0"}),
        json!({"type": "tool-output-unknown", "toolCallId": "call-1"}),
    ];
    for json in &all {
        let event: AgentEvent = there_and_back(json);
        let read: AgentEvent = serde_json::from_value(with_unknown(json)).expect("unknown fields pass");
        assert_eq!(read, event);
        let text = serde_json::to_string(&event).expect("it is JSON");
        assert!(!text.contains('\n'), "one SSE data line: {text}");
    }
}

#[test]
fn part_states() {
    let (input, edited) = (input_of("createBooking", 4), input_of("createBooking", 5));
    let asked = json!({
        "approvalId": "ask-1", "expiresAt": "2026-12-01T10:00:00Z",
        "preview": preview_of("createBooking", 8),
    });
    let mut agreed = asked.clone();
    agreed["approved"] = json!(true);
    let mut declined = asked.clone();
    declined["approved"] = json!(false);
    let output = output_of("createBooking", 4);

    let states = [
        json!({"state": "input-streaming", "inputText": "{\"partySize\":4,\"startsAt\":\"2026-1",
            "partialInput": {"partySize": 4, "startsAt": "2026-1"}}),
        json!({"state": "input-streaming", "inputText": "", "partialInput": {}}),
        json!({"state": "input-available", "input": input}),
        json!({"state": "approval-requested", "input": input, "approval": asked}),
        json!({"state": "approval-requested", "input": edited, "proposedInput": input,
            "approval": asked}),
        json!({"state": "approval-responded", "input": input, "approval": agreed}),
        json!({"state": "approval-responded", "input": edited, "proposedInput": input,
            "approval": agreed}),
        json!({"state": "approval-responded", "input": input, "approval": declined}),
        json!({"state": "output-available", "input": input, "output": output}),
        json!({"state": "output-available", "input": edited, "proposedInput": input,
            "approval": agreed, "output": output, "revision": 3}),
        json!({"state": "output-error", "kind": "input", "code": "invalid-input",
            "errorText": "Not JSON."}),
        json!({"state": "output-error", "input": edited, "proposedInput": input, "kind": "tool",
            "code": "closed", "params": {"hours": []}, "errorText": "Closed."}),
        json!({"state": "output-denied", "input": input, "approval": declined}),
        json!({"state": "output-cancelled", "reason": "interrupted"}),
        json!({"state": "output-cancelled", "input": input, "reason": "repeated", "of": "call-0"}),
        json!({"state": "output-unknown", "input": input, "approval": agreed}),
    ];
    for state in states {
        let mut json = json!({"type": "tool-createBooking", "toolCallId": "call-1"});
        json.as_object_mut().expect("an object").extend(state.as_object().expect("fields").clone());

        let part: MessagePart = there_and_back(&json);
        assert!(matches!(&part, MessagePart::Tool(ToolPart::CreateBooking(_))), "{part:?}");
        let read: MessagePart = serde_json::from_value(with_unknown(&json)).expect("unknown fields pass");
        assert_eq!(read, part);
    }
}

#[test]
fn a_part_that_lacks_what_its_state_needs_is_refused() {
    for state in [
        json!({"state": "input-available"}),
        json!({"state": "approval-requested", "input": input_of("createBooking", 4)}),
        json!({"state": "output-available", "input": input_of("createBooking", 4)}),
        json!({"state": "output-cancelled"}),
        json!({"state": "booked", "input": input_of("createBooking", 4)}),
        json!({}),
    ] {
        let mut json = json!({"type": "tool-createBooking", "toolCallId": "call-1"});
        json.as_object_mut().expect("an object").extend(state.as_object().expect("fields").clone());
        assert!(serde_json::from_value::<MessagePart>(json.clone()).is_err(), "{json}");
    }
    for json in [json!({"type": "image", "text": "x"}), json!({"text": "x"}), json!({"type": "text"})] {
        assert!(serde_json::from_value::<MessagePart>(json.clone()).is_err(), "{json}");
    }
}

/// A name that is not in the registry stays as it is, whatever its fields are.
#[test]
fn an_unknown_tool_keeps_its_name() {
    for name in ["sendFlowers", "", "tool-x", "CreateBooking", "đặt bàn"] {
        let json = json!({
            "type": format!("tool-{name}"), "toolCallId": "call-1", "state": "output-available",
            "input": {"deep": [1, {"x": "y"}]}, "output": "anything",
        });
        let part: ToolPart = there_and_back(&json);
        assert_eq!(part.tool_name(), name);
        assert!(matches!(part, ToolPart::Untyped { .. }));
        assert_eq!(ToolPart::start(name, "call-1".into()).tool_name(), name);
    }
    for name in ToolName::ALL {
        let part = ToolPart::start(name.as_str(), "call-1".into());
        assert!(!matches!(part, ToolPart::Untyped { .. }));
        assert_eq!(serde_json::to_value(&part).expect("JSON")["type"], format!("tool-{}", name.as_str()));
    }
}

#[test]
fn messages_and_conversations() {
    let message = json!({
        "id": "m-1", "role": "assistant", "parts": [
            {"type": "reasoning", "text": "…"},
            {"type": "text", "text": "Trời đẹp."},
            {"type": "tool-getWeather", "toolCallId": "call-1", "state": "output-available",
                "input": input_of("getWeather", 1), "output": output_of("getWeather", 1)},
        ],
    });
    there_and_back::<UiMessage>(&message);
    let user = json!({"id": "u-1", "role": "user", "parts": [{"type": "text", "text": "Xin chào"}]});
    there_and_back::<UiMessage>(&user);

    there_and_back::<Conversation>(&json!({"messages": [], "lastEventId": 0}));
    let running = json!({
        "messages": [user, message],
        "run": {"runId": "run-1", "status": "running", "step": 2, "messageId": "m-1", "stepStart": 1,
            "textOpen": false},
        "lastEventId": 41,
    });
    let conversation: Conversation = there_and_back(&running);
    let read: Conversation = serde_json::from_value(with_unknown(&running)).expect("unknown fields pass");
    assert_eq!(read, conversation);
}

#[test]
fn words() {
    let statuses = "queued running awaiting-approval done step-limit too-many-tool-errors repeated-call \
                    token-budget time-limit context-full truncated refused cancelled interrupted failed";
    let statuses: Vec<&str> = statuses.split_whitespace().collect();
    assert_eq!(RunStatus::ALL.map(RunStatus::as_str).to_vec(), statuses);
    for (status, word) in RunStatus::ALL.into_iter().zip(statuses) {
        assert_eq!(there_and_back::<RunStatus>(&json!(word)), status);
        assert_eq!(RunStatus::parse(word), Some(status));
        let phase = match word {
            "queued" | "running" => RunPhase::Live,
            "awaiting-approval" => RunPhase::Parked,
            _ => RunPhase::Ended,
        };
        assert_eq!(status.phase(), phase, "{word}");
    }
    assert_eq!(RunStatus::parse("stopped"), None);

    for (word, kind) in [
        ("input", ToolErrorKind::Input),
        ("tool", ToolErrorKind::Tool),
        ("unavailable", ToolErrorKind::Unavailable),
    ] {
        assert_eq!(there_and_back::<ToolErrorKind>(&json!(word)), kind);
    }
    for (word, reason) in [
        ("stopped", CancelReason::Stopped),
        ("superseded", CancelReason::Superseded),
        ("expired", CancelReason::Expired),
        ("interrupted", CancelReason::Interrupted),
        ("limit", CancelReason::Limit),
        ("repeated", CancelReason::Repeated),
    ] {
        assert_eq!(there_and_back::<CancelReason>(&json!(word)), reason);
    }
}

#[test]
fn error_codes_are_kebab_case_and_unknown_ones_survive() {
    let kebab = |word: &str| word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    for code in ErrorCode::KNOWN {
        assert!(kebab(code.as_str()), "{code:?}");
        assert_eq!(there_and_back::<ErrorCode>(&json!(code.as_str())), *code);
    }
    let later: ErrorCode = there_and_back(&json!("moon-is-full"));
    assert_eq!(later, ErrorCode::Other("moon-is-full".to_owned()));
}

#[test]
fn usage_adds_up() {
    let one =
        Usage { input_tokens: 10, output_tokens: 2, cache_read_tokens: None, cache_write_tokens: Some(1) };
    let other = Usage { input_tokens: 5, output_tokens: 1, ..Usage::default() };
    let sum = one + other;
    assert_eq!(sum.cache_read_tokens, None);
    assert_eq!(sum.cache_write_tokens, Some(1));
    assert_eq!(sum.total(), 19);
}
