//! Only what the protocol has proved complete is a turn.

use std::collections::HashMap;
use std::time::Duration;

use futures::{StreamExt, stream};
use serde_json::{Value, json};
use server::model::anthropic::Anthropic;
use server::model::provider::{ProviderSettings, Timeouts};
use server::model::{AssistantBlock, Model, ModelError, ModelRequest, ModelTurn};

use crate::provider::{self, End, Outcome, Provider, Reply, call, hello, turn};
use crate::recorded::{self, FULL, block_delta, block_start, block_stop, full_turn, sse, text, tool_use};

async fn outcome_of(body: impl Into<Vec<u8>>) -> Outcome {
    turn(&Provider::streaming(body).await.model()).await
}

fn assert_interrupted(outcome: Outcome, why: &str) {
    match outcome {
        Err(ModelError::Interrupted(told)) => assert!(told.contains(why), "{why}: {told}"),
        other => panic!("{why}: {other:?}"),
    }
}

/// Answers to model `p` with the stream that `reply` gives for p.
async fn by_position(reply: impl Fn(usize) -> Reply + Send + Sync + 'static) -> Provider {
    Provider::scripted(move |_, asked| Some(reply(asked.model().parse().expect("a position")))).await
}

/// One call for each position, several at a time, each through an adapter of its own: neither ids nor
/// connections are carried over.
async fn outcomes(provider: &Provider, positions: impl Iterator<Item = usize>) -> HashMap<usize, Outcome> {
    stream::iter(positions)
        .map(|position| {
            let model = provider.model();
            async move {
                let request = ModelRequest { model: position.to_string(), ..hello() };
                (position, call(&model, request).await.0)
            }
        })
        .buffer_unordered(8)
        .collect()
        .await
}

#[tokio::test]
async fn a_stream_that_is_cut_at_any_byte_gives_no_turn() {
    for end in [End::Clean, End::Broken] {
        let provider = by_position(move |at| Reply::stream(&FULL.as_bytes()[..at]).end(end)).await;
        let outcomes = outcomes(&provider, 0..FULL.len()).await;
        assert_eq!(outcomes.len(), FULL.len());
        for (at, outcome) in outcomes {
            match outcome {
                Err(ModelError::Interrupted(_)) if at > 0 => {}
                Err(ModelError::Unavailable(_)) if at == 0 => {}
                other => panic!("cut at {at}: {other:?}"),
            }
        }
        // The last byte is what makes the difference.
        let whole = Provider::replying(vec![Reply::stream(FULL).end(end)]).await;
        assert_eq!(turn(&whole.model()).await.expect("a turn"), full_turn());
    }
}

#[tokio::test]
async fn however_the_bytes_are_split_and_the_lines_end_the_turn_is_the_same() {
    // The same calls in a third of the bytes, where only the line ends are another.
    let short = recorded::answer(
        &[text(0, "Để tôi xem 🌧."), tool_use(1, "toolu_A", "{\"city\":\"Đà Lạt\"}")],
        "tool_use",
    );
    for body in [FULL.to_owned(), short.replace('\n', "\r\n"), short.replace('\n', "\r")] {
        let expected = outcome_of(body.clone()).await.expect("a turn");
        assert_eq!(expected.calls().next().expect("a call").arguments, "{\"city\":\"Đà Lạt\"}");
        let body = body.into_bytes();
        let length = body.len();
        let provider = by_position(move |at| {
            let (first, second) = body.split_at(at);
            Reply::stream("").chunks(vec![first.to_vec(), second.to_vec()])
        })
        .await;
        let outcomes = outcomes(&provider, 1..length).await;
        assert_eq!(outcomes.len(), length - 1);
        for (at, outcome) in outcomes {
            assert_eq!(outcome.expect("a turn"), expected, "split at {at}");
        }
    }
}

async fn turn_in_single_bytes(body: &str) -> ModelTurn {
    let bytes = body.bytes().map(|byte| vec![byte]).collect();
    turn(&Provider::replying(vec![Reply::stream("").chunks(bytes)]).await.model()).await.expect("a turn")
}

#[tokio::test]
async fn single_bytes_a_byte_order_mark_and_comments_change_nothing() {
    let commented = FULL.replace("event:", ": still here\n:\nid: 7\nretry: 5\nevent:");
    for body in [FULL.to_owned(), format!("\u{feff}{FULL}"), commented] {
        for line_end in ["\n", "\r\n", "\r"] {
            let body = body.replace('\n', line_end);
            assert_eq!(outcome_of(body.clone()).await.expect("a turn"), full_turn());
            assert_eq!(turn_in_single_bytes(&body).await, full_turn());
        }
    }
}

#[tokio::test]
async fn data_over_several_lines_is_one_event() {
    let body = FULL.replace("\"delta\":{", "\ndata: \"delta\":\ndata: {");
    assert_ne!(body, FULL);
    assert_eq!(outcome_of(body).await.expect("a turn"), full_turn());
}

fn ended(mut events: Vec<Value>) -> String {
    events.insert(0, recorded::message_start());
    events.push(recorded::message_delta("tool_use".into()));
    events.push(recorded::message_stop());
    sse(&events)
}

#[tokio::test]
async fn a_block_that_was_never_stopped_is_no_turn() {
    let mut events = tool_use(0, "toolu_A", "{}");
    events.pop();
    assert_interrupted(outcome_of(ended(events)).await, "block 0 was open");

    // Stopping another block does not stop this one.
    let mut events = tool_use(0, "toolu_A", "{}");
    events.pop();
    events.push(block_stop(1));
    assert_interrupted(outcome_of(ended(events)).await, "block 0 was open");
}

#[tokio::test]
async fn a_message_stop_without_a_message_delta_is_no_turn() {
    let mut events = tool_use(0, "toolu_A", "{}");
    events.push(recorded::message_stop());
    assert_interrupted(outcome_of(sse(&events)).await, "without a message_delta");
}

#[tokio::test]
async fn events_that_contradict_each_other_are_no_turn() {
    let json_delta = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
    let open =
        |index| block_start(index, json!({ "type": "tool_use", "id": "a", "name": "now", "input": {} }));
    let mut late = tool_use(0, "toolu_A", "{}");
    late.push(block_delta(0, json_delta("{}")));
    let mut twice = tool_use(0, "toolu_A", "{}");
    twice.extend(tool_use(0, "toolu_B", "{}"));
    let stray = vec![open(0), block_delta(1, json_delta("{}")), block_stop(0)];
    let misplaced = [
        vec![open(0), block_start(1, json!({ "type": "text", "text": "" }))],
        vec![block_delta(1, json_delta("{}")), block_stop(0), block_stop(1)],
    ]
    .concat();
    for (events, why) in [
        (late, "delta for block 0"),
        (twice, "block 0 was opened twice"),
        (stray, "delta for block 1"),
        (misplaced, "delta for block 1"),
    ] {
        assert_interrupted(outcome_of(ended(events)).await, why);
    }
}

#[tokio::test]
async fn data_that_is_no_event_is_no_turn() {
    for data in [
        "[DONE]",
        "{\"type\":\"ping\"",
        "null",
        "{}",
        "{\"type\":\"content_block_stop\"}",
        "{\"type\":\"content_block_stop\",\"index\":-1}",
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\"}}",
    ] {
        let body = FULL.replacen("data: {\"type\":\"ping\"}", &format!("data: {data}"), 1);
        assert_ne!(body, FULL, "{data}");
        assert_interrupted(outcome_of(body).await, "not of the protocol");
    }
}

#[tokio::test]
async fn bytes_that_are_no_text_are_no_turn() {
    let mut body = FULL.as_bytes().to_vec();
    let at = FULL.rfind("Đà").expect("two bytes of one letter");
    body.remove(at);
    assert_interrupted(outcome_of(body).await, "utf8");
}

#[tokio::test]
async fn a_page_in_place_of_a_stream_is_no_turn() {
    assert_interrupted(outcome_of("<html>\n\nSign in\n\n</html>\n\n").await, "before its message_stop");
}

#[tokio::test]
async fn an_error_in_the_middle_is_no_turn_and_is_not_tried_again() {
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let mut events = vec![recorded::message_start()];
    events.extend(text(0, "Chào"));
    events.push(error.clone());
    events.extend([recorded::message_delta("end_turn".into()), recorded::message_stop()]);
    let provider = Provider::replying(vec![Reply::stream(sse(&events)).header("request-id", "req_9")]).await;
    match turn(&provider.model()).await {
        Err(ModelError::Interrupted(told)) => {
            for word in ["overloaded_error", "Overloaded", "req_9"] {
                assert!(told.contains(word), "{word}: {told}");
            }
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(provider.asked().len(), 1);

    // Directly behind the first event, before anything was shown, it is the same.
    let body = sse(&[recorded::message_start(), error]);
    assert_interrupted(outcome_of(body).await, "overloaded_error");
}

fn with_timeouts(provider: &Provider, timeouts: Timeouts) -> Anthropic {
    provider::adapter(ProviderSettings { timeouts, ..provider.settings() })
}

fn half() -> Reply {
    Reply::stream(&FULL.as_bytes()[..FULL.len() / 2]).end(End::Silent)
}

#[tokio::test]
async fn a_stream_that_falls_silent_is_no_turn() {
    let provider = Provider::replying(vec![half()]).await;
    let timeouts = Timeouts { between_chunks: Duration::from_millis(100), ..Timeouts::default() };
    assert_interrupted(turn(&with_timeouts(&provider, timeouts)).await, "nothing came for 100ms");
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn a_stream_that_takes_too_long_in_all_is_no_turn() {
    let provider = Provider::replying(vec![half()]).await;
    let timeouts = Timeouts { whole: Duration::from_millis(300), ..Timeouts::default() };
    assert_interrupted(turn(&with_timeouts(&provider, timeouts)).await, "not complete within 300ms");
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn a_viewer_who_does_not_read_cannot_hold_a_call_for_longer_than_the_whole() {
    let provider = Provider::streaming(FULL).await;
    let timeouts = Timeouts { whole: Duration::from_millis(300), ..Timeouts::default() };
    let (sender, _unread) = tokio::sync::mpsc::channel(1);
    let model = with_timeouts(&provider, timeouts);
    let outcome = model.turn(hello(), sender).await;
    assert_interrupted(outcome, "not complete within 300ms");
}

#[tokio::test]
async fn an_event_without_end_is_cut_at_its_limit() {
    let start = sse(&[recorded::message_start()]);
    let endless = format!("{start}data: \"{}", "x".repeat(3 * 1024 * 1024));
    assert_interrupted(outcome_of(endless).await, "an event is too large");

    let comment = format!("{start}: {}", "x".repeat(3 * 1024 * 1024));
    assert_interrupted(outcome_of(comment).await, "an event is too large");
}

#[tokio::test]
async fn many_events_may_be_larger_than_one() {
    let piece = "x".repeat(100 * 1024);
    let delta = json!({ "type": "text_delta", "text": piece });
    let body = recorded::answer(
        &[recorded::block(0, json!({ "type": "text", "text": "" }), &vec![delta; 30])],
        "end_turn",
    );
    let turn = outcome_of(body).await.expect("a turn");
    assert_eq!(turn.blocks, [AssistantBlock::Text { text: piece.repeat(30) }]);
}
