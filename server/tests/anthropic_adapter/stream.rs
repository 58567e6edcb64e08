//! What a complete answer becomes.

use serde_json::{Value, json};
use server::model::{AssistantBlock, Model, ModelEvent, ModelTurn, StopReason};
use shared::ids::ToolCallId;
use shared::run::Usage;
use tokio::sync::mpsc;

use crate::provider::{self, Provider, call, hello, turn};
use crate::recorded::{self, FULL, answer, block, full_turn, opaque, sse, text, tool_call, tool_use};

async fn turn_of(body: impl Into<Vec<u8>>) -> ModelTurn {
    turn(&Provider::streaming(body).await.model()).await.expect("a turn")
}

async fn shown_of(body: impl Into<Vec<u8>>) -> Vec<ModelEvent> {
    let (outcome, shown) = call(&Provider::streaming(body).await.model(), hello()).await;
    outcome.expect("a turn");
    shown
}

fn input_delta(id: &str, delta: &str) -> ModelEvent {
    ModelEvent::ToolInputDelta { tool_call_id: ToolCallId::from(id), delta: delta.to_owned() }
}

fn input_start(id: &str, name: &str) -> ModelEvent {
    ModelEvent::ToolInputStart { tool_call_id: ToolCallId::from(id), name: name.to_owned() }
}

#[tokio::test]
async fn thinking_text_and_calls_become_a_turn_in_their_order() {
    assert_eq!(turn_of(FULL).await, full_turn());
}

#[tokio::test]
async fn what_comes_together_is_shown_as_one_delta_and_empty_ones_are_not() {
    assert_eq!(
        shown_of(FULL).await,
        [
            ModelEvent::ReasoningDelta("Thời tiết?".to_owned()),
            ModelEvent::TextDelta("Để tôi xem 🌧.".to_owned()),
            input_start("id-1", "getWeather"),
            input_delta("id-1", "{\"city\":\"Đà Lạt\"}"),
            input_start("id-2", "now"),
        ]
    );
}

#[tokio::test]
async fn events_are_shown_before_the_answer_is_complete() {
    let (start, rest) = FULL.split_once("event: ping").expect("a ping");
    let unfinished = provider::Reply::stream(format!("{start}event: ping{}", &rest[..rest.len() / 2]))
        .end(provider::End::Silent);
    let provider = Provider::replying(vec![unfinished]).await;
    let model = provider.model();
    let (sender, mut receiver) = mpsc::channel(4);
    tokio::select! {
        outcome = model.turn(hello(), sender) => panic!("{outcome:?}"),
        events = async { [receiver.recv().await, receiver.recv().await] } => {
            let used = Usage { input_tokens: 9, output_tokens: 1, cache_read_tokens: Some(5), cache_write_tokens: Some(2) };
            assert_eq!(
                events,
                [Some(ModelEvent::Used(used)), Some(ModelEvent::ReasoningDelta("Thời tiết?".to_owned()))]
            );
        }
    }
}

#[tokio::test]
async fn each_call_has_an_id_of_ours_whatever_the_provider_calls_it() {
    let turn =
        turn_of(answer(&[tool_use(0, "", "{}"), tool_use(1, "x", "{}"), tool_use(2, "x", "{}")], "tool_use"));
    let calls: Vec<_> = turn.await.calls().map(|call| (call.tool_call_id.0, call.provider_id)).collect();
    assert_eq!(
        calls,
        [("id-1", ""), ("id-2", "x"), ("id-3", "x")]
            .map(|(ours, theirs)| (ours.to_owned(), theirs.to_owned()))
    );
}

#[tokio::test]
async fn arguments_are_passed_on_as_they_are_also_where_they_are_broken() {
    for arguments in ["{\"city\":\"Hà", "not json", "{\"a\":1,\"a\":2} ", "\u{feff}{}"] {
        let turn = turn_of(answer(&[tool_use(0, "toolu_A", arguments)], "max_tokens")).await;
        assert_eq!(turn.blocks, [tool_call("id-1", "toolu_A", "getWeather", arguments)]);
        assert_eq!(turn.stop, StopReason::MaxTokens);
    }
}

#[tokio::test]
async fn input_given_whole_at_the_start_counts_where_no_delta_follows() {
    let start =
        json!({ "type": "tool_use", "id": "toolu_A", "name": "getWeather", "input": { "city": "Huế" } });
    let body = answer(&[block(0, start.clone(), &[])], "tool_use");
    let arguments = r#"{"city":"Huế"}"#;
    assert_eq!(turn_of(body.clone()).await.blocks, [tool_call("id-1", "toolu_A", "getWeather", arguments)]);
    assert_eq!(shown_of(body).await, [input_start("id-1", "getWeather"), input_delta("id-1", arguments)]);

    let delta = json!({ "type": "input_json_delta", "partial_json": "{\"city\":\"Vinh\"}" });
    let turn = turn_of(answer(&[block(0, start, &[delta])], "tool_use")).await;
    assert_eq!(turn.blocks, [tool_call("id-1", "toolu_A", "getWeather", "{\"city\":\"Vinh\"}")]);
}

#[tokio::test]
async fn text_given_at_the_start_counts_and_empty_text_leaves_no_block() {
    let delta = json!({ "type": "text_delta", "text": " bạn" });
    let started = block(0, json!({ "type": "text", "text": "Chào" }), &[delta]);
    let empty = block(1, json!({ "type": "text", "text": "" }), &[]);
    let turn = turn_of(answer(&[started, empty], "end_turn")).await;
    assert_eq!(turn.blocks, [AssistantBlock::Text { text: "Chào bạn".to_owned() }]);
}

#[tokio::test]
async fn an_answer_may_be_empty() {
    let turn = turn_of(answer(&[], "end_turn")).await;
    assert_eq!((turn.blocks, turn.stop), (vec![], StopReason::EndTurn));
}

#[tokio::test]
async fn thinking_is_kept_verbatim_and_its_signature_is_overwritten() {
    let start = json!({ "type": "thinking", "thinking": "", "signature": "old", "new_field": { "a": 1 } });
    let deltas = [
        json!({ "type": "thinking_delta", "thinking": "Một " }),
        json!({ "type": "thinking_delta", "thinking": "hai" }),
        json!({ "type": "signature_delta", "signature": "first" }),
        json!({ "type": "signature_delta", "signature": "second" }),
    ];
    let redacted = json!({ "type": "redacted_thinking", "data": "ZGF0YQ==" });
    let body =
        answer(&[block(0, start, &deltas), block(1, redacted.clone(), &[]), text(2, "Ba.")], "end_turn");
    assert_eq!(
        turn_of(body).await.blocks,
        [
            opaque(json!({
                "type": "thinking", "thinking": "Một hai", "signature": "second", "new_field": { "a": 1 },
            })),
            opaque(redacted),
            AssistantBlock::Text { text: "Ba.".to_owned() },
        ]
    );
}

#[tokio::test]
async fn unknown_blocks_are_kept_and_never_shown() {
    let hologram = json!({ "type": "hologram", "beams": [1, null, { "b": 1 }] });
    let deltas = [json!({ "type": "beam_delta", "beam": 2 }), json!({ "type": "text_delta", "text": "x" })];
    let search = json!({ "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {} });
    let input =
        ["{\"query\":", "\"phở\"}"].map(|part| json!({ "type": "input_json_delta", "partial_json": part }));
    let body = answer(
        &[block(0, hologram.clone(), &deltas), text(1, "Một."), block(2, search, &input)],
        "pause_turn",
    );
    let turn = turn_of(body.clone()).await;
    assert_eq!(
        turn.blocks,
        [
            opaque(hologram),
            AssistantBlock::Text { text: "Một.".to_owned() },
            opaque(json!({
                "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                "input": { "query": "phở" },
            })),
        ]
    );
    assert_eq!(turn.calls().count(), 0);
    assert_eq!(shown_of(body).await, [ModelEvent::TextDelta("Một.".to_owned())]);
}

#[tokio::test]
async fn unknown_events_deltas_and_fields_are_ignored() {
    let mut events = vec![
        json!({ "type": "weather_report", "index": "none" }),
        recorded::message_start(),
        json!({ "type": "ping", "extra": true }),
    ];
    events.extend(block(
        0,
        json!({ "type": "text", "text": "", "citations": null }),
        &[
            json!({ "type": "citations_delta", "citation": { "url": "https://example.org" } }),
            json!({ "type": "text_delta", "text": "Chào.", "confidence": 1 }),
        ],
    ));
    events.push(json!({ "type": "content_block_flush", "index": 9 }));
    events.push(recorded::message_delta("end_turn".into()));
    events.push(recorded::message_stop());
    let turn = turn_of(sse(&events)).await;
    assert_eq!(turn.blocks, [AssistantBlock::Text { text: "Chào.".to_owned() }]);
    assert_eq!(turn.stop, StopReason::EndTurn);
}

#[tokio::test]
async fn the_type_in_the_data_counts_and_not_the_event_line() {
    let without: String =
        FULL.lines().filter(|line| !line.starts_with("event:")).map(|line| format!("{line}\n")).collect();
    assert!(!without.contains("event:"));
    assert_eq!(turn_of(without).await, full_turn());

    let wrong = FULL.replace("event: content_block_delta", "event: ping");
    assert_eq!(turn_of(wrong).await, full_turn());
}

#[tokio::test]
async fn usage_is_a_total_so_far_and_overwritten() {
    let events = [
        json!({ "type": "message_start", "message": { "usage": {
            "input_tokens": 10, "cache_creation_input_tokens": 4, "cache_read_input_tokens": null,
            "output_tokens": 1, "service_tier": "standard",
        } } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 5 } }),
        json!({ "type": "message_delta", "delta": {}, "usage": {
            "input_tokens": 12, "output_tokens": 8, "cache_read_input_tokens": 6, "cache_creation_input_tokens": null,
        } }),
        recorded::message_stop(),
    ];
    let turn = turn_of(sse(&events)).await;
    assert_eq!(turn.stop, StopReason::EndTurn);
    assert_eq!(
        turn.usage,
        Usage { input_tokens: 12, output_tokens: 8, cache_read_tokens: Some(6), cache_write_tokens: Some(4) }
    );
}

#[tokio::test]
async fn absurd_usage_cannot_make_a_sum_overflow() {
    let usage = json!({ "input_tokens": u64::MAX, "output_tokens": -1, "cache_read_input_tokens": u64::MAX });
    let events = [
        json!({ "type": "message_start", "message": { "usage": usage } }),
        recorded::message_delta("end_turn".into()),
        recorded::message_stop(),
    ];
    let usage = turn_of(sse(&events)).await.usage;
    assert!((usage + usage).total() > usage.total());
}

#[tokio::test]
async fn each_stop_reason_is_told_by_what_follows_from_it() {
    let table = [
        (json!("end_turn"), StopReason::EndTurn),
        (json!("stop_sequence"), StopReason::EndTurn),
        (json!("tool_use"), StopReason::ToolUse),
        (json!("max_tokens"), StopReason::MaxTokens),
        (json!("refusal"), StopReason::Refusal),
        (json!("pause_turn"), StopReason::Pause),
        (json!("model_context_window_exceeded"), StopReason::ContextFull),
        (json!("compaction"), StopReason::Unknown),
        (json!("TOOL_USE"), StopReason::Unknown),
        (Value::Null, StopReason::Unknown),
    ];
    for (told, meant) in table {
        let mut events = tool_use(0, "toolu_A", "{}");
        events.extend([recorded::message_delta(told.clone()), recorded::message_stop()]);
        assert_eq!(turn_of(sse(&events)).await.stop, meant, "{told}");
    }
}

#[tokio::test]
async fn what_comes_behind_message_stop_does_not_matter() {
    let told =
        turn_of(format!("{FULL}data: [DONE]\n\ndata: {{\"type\":\"error\",\"error\":{{}}}}\n\n")).await;
    assert_eq!(told, full_turn());

    let open = provider::Reply::stream(FULL).end(provider::End::Silent);
    let provider = Provider::replying(vec![open]).await;
    assert_eq!(turn(&provider.model()).await.expect("a turn"), full_turn());
}

#[tokio::test]
async fn nobody_needs_to_be_looking() {
    let provider = Provider::streaming(FULL).await;
    let (sender, receiver) = mpsc::channel(1);
    drop(receiver);
    assert_eq!(provider.model().turn(hello(), sender).await.expect("a turn"), full_turn());
}

#[tokio::test]
async fn dropping_the_call_hangs_up() {
    let (start, _) = FULL.split_once("event: message_delta").expect("a message_delta");
    let (reply, gone) = provider::Reply::stream(start).end(provider::End::Silent).on_gone();
    let provider = Provider::replying(vec![reply]).await;
    let model = provider.model();
    let (sender, mut receiver) = mpsc::channel(64);
    let mut running = Box::pin(model.turn(hello(), sender));
    tokio::select! {
        outcome = &mut running => panic!("{outcome:?}"),
        event = receiver.recv() => assert!(event.is_some()),
    }
    drop(running);
    tokio::time::timeout(provider::PATIENT, gone).await.expect("the connection closes").expect("told");
}
