//! What fails before an answer begins, what is called again, and how long the end of an answer is waited for.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use server::model::{ModelError, ModelEvent, StopReason};

use super::provider::*;

/// A failure that asks to come back at once, so that no test waits for the backoff.
fn soon(reply: Reply) -> Reply {
    reply.header("retry-after-ms", "1")
}

fn refused(status: u16, body: Value) -> Reply {
    soon(Reply::new(status, body.to_string()))
}

fn error(status: u16, error: Value) -> Reply {
    refused(status, json!({ "error": error }))
}

#[tokio::test]
async fn what_may_pass_is_tried_twice_again() {
    for status in [408, 409, 429, 500, 502, 503, 504] {
        let busy = error(status, json!({ "message": "Later.", "type": "server_error", "code": null }));
        let provider = Provider::replying(vec![busy.clone(), busy, Reply::stream(good_answer())]).await;
        let (outcome, shown) = call(&provider.model(), hello()).await;
        assert_eq!(outcome.expect("a turn").stop, StopReason::EndTurn, "{status}");
        assert_eq!(shown[..2], [1, 2].map(|attempt| ModelEvent::Retrying { attempt }), "{status}");
    }
}

#[tokio::test]
async fn a_quota_that_is_used_up_does_not_heal_by_waiting() {
    let words = json!({ "message": "You exceeded your current quota.", "type": "insufficient_quota", "code": "insufficient_quota" });
    let provider = Provider::replying(vec![error(429, words)]).await;
    match turn(&provider.model()).await {
        Err(ModelError::Rejected(told)) => assert!(told.contains("insufficient_quota"), "{told}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn a_call_that_groq_could_not_read_is_asked_for_once_more() {
    let unreadable = || {
        error(
            400,
            json!({
                "message": "Failed to call a function. Please adjust your prompt.",
                "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": "<function=getWeather>",
            }),
        )
    };
    let provider = Provider::replying(vec![unreadable(), Reply::stream(good_answer())]).await;
    assert_eq!(turn(&provider.model()).await.expect("a turn").stop, StopReason::EndTurn);

    let provider = Provider::replying(vec![unreadable()]).await;
    match turn(&provider.model()).await {
        Err(ModelError::Rejected(told)) => assert!(told.contains("tool_use_failed"), "{told}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(provider.asked().len(), 2);
}

#[tokio::test]
async fn a_conversation_that_does_not_fit_is_told_apart_from_a_bad_request() {
    for body in [
        json!({ "error": { "message": "Too much.", "type": "invalid_request_error", "code": "context_length_exceeded" } }),
        // llama.cpp.
        json!({ "error": { "code": 400, "type": "exceed_context_size_error",
            "message": "the request exceeds the available context size, try increasing it" } }),
        // vLLM.
        json!({ "object": "error", "type": "BadRequestError", "code": 400,
            "message": "This model's maximum context length is 8192 tokens. However, you requested 9000." }),
        // Gemini's compatible endpoint.
        json!([{ "error": { "code": 400, "status": "INVALID_ARGUMENT",
            "message": "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576)." } }]),
    ] {
        let provider = Provider::replying(vec![refused(400, body.clone())]).await;
        match turn(&provider.model()).await {
            Err(ModelError::ContextFull(_)) => {}
            other => panic!("{body}: {other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }
    // The same as the first event of a stream.
    let first = "data: {\"error\":{\"message\":\"Too much.\",\"code\":\"context_length_exceeded\"}}\n\n";
    let provider = Provider::streaming(first).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::ContextFull(_))));
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn a_refusal_in_any_form_tells_the_log_why_and_nobody_the_key() {
    for (status, body, word) in [
        (
            401,
            json!({ "error": { "message": format!("Incorrect API key provided: {KEY}"), "code": "invalid_api_key" } }),
            "invalid_api_key",
        ),
        (
            400,
            json!([{ "error": { "code": 400, "message": "API key not valid.", "status": "INVALID_ARGUMENT" } }]),
            "not valid",
        ),
        (422, json!({ "detail": [{ "type": "extra_forbidden", "loc": ["body", "x"] }] }), "extra_forbidden"),
        (404, json!({ "error": "model not found" }), "model not found"),
    ] {
        let provider = Provider::replying(vec![refused(status, body)]).await;
        match turn(&provider.model()).await {
            Err(ModelError::Rejected(told)) => {
                assert!(told.contains(&status.to_string()) && told.contains(word), "{told}");
                assert!(!told.contains(KEY), "{told}");
            }
            other => panic!("{status}: {other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }
}

#[tokio::test]
async fn an_error_before_anything_was_said_is_tried_again() {
    let role = "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n";
    let busy = format!("{role}data: {{\"error\":{{\"code\":503,\"message\":\"Busy\"}}}}\n\n");
    let provider = Provider::replying(vec![Reply::stream(busy), Reply::stream(good_answer())]).await;
    let (outcome, shown) = call(&provider.model(), hello()).await;
    assert_eq!(outcome.expect("a turn").stop, StopReason::EndTurn);
    assert_eq!(shown[0], ModelEvent::Retrying { attempt: 1 });
}

#[tokio::test]
async fn a_connection_that_stays_open_behind_done_keeps_nobody_waiting() {
    let reply = Reply::stream(stream(&[a_call("call_A")], "tool_calls")).end(End::Silent);
    let provider = Provider::replying(vec![reply]).await;
    let started = Instant::now();
    assert_eq!(turn(&provider.model()).await.expect("a turn").calls().count(), 1);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_turn_whose_end_was_told_stands_however_its_stream_ends() {
    let whole = stream(&[a_call("call_A")], "tool_calls");
    let without_done = whole.strip_suffix("data: [DONE]\n\n").expect("the mark of the end");
    for end in [End::Clean, End::Broken, End::Silent] {
        let provider = Provider::replying(vec![Reply::stream(without_done).end(end)]).await;
        let turn = turn(&provider.model()).await.expect("a turn");
        assert_eq!((turn.stop, turn.calls().count()), (StopReason::ToolUse, 1));
    }
}

#[tokio::test]
async fn usage_behind_the_end_is_waited_for_and_counted() {
    let usage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":30,\"completion_tokens\":4}}\n\n";
    let whole = stream(&[json!({ "content": "Chào." })], "stop");
    let told = whole.strip_suffix("data: [DONE]\n\n").expect("the mark of the end").as_bytes().to_vec();
    let reply = Reply::stream("").chunks(vec![told, usage.into()]).end(End::Silent);
    let provider = Provider::replying(vec![reply]).await;
    let usage = turn(&provider.model()).await.expect("a turn").usage;
    assert_eq!((usage.input_tokens, usage.output_tokens), (30, 4));
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_no_turn() {
    let json =
        json!({ "choices": [{ "index": 0, "message": { "content": "Chào." }, "finish_reason": "stop" }] });
    for body in [json.to_string(), "<html>\n\nSign in\n\n</html>\n\n".to_owned()] {
        let provider = Provider::streaming(body).await;
        match turn(&provider.model()).await {
            Err(ModelError::Interrupted(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}
