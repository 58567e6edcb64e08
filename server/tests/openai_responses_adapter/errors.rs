//! What fails before an answer begins. What all adapters have in common is told with Anthropic's.

use serde_json::{Value, json};
use server::model::openai_responses::Responses;
use server::model::{ModelError, ModelEvent};

use crate::recorded::{created, good_answer, message, said, sse};
use crate::support::provider::{KEY, Provider, Reply, call, hello, turn};

fn failure(status: u16, code: &str, message: &str) -> Reply {
    let error = json!({ "error": { "message": message, "type": "some_error", "param": null, "code": code } });
    Reply::new(status, error.to_string()).header("x-request-id", "req_7").header("retry-after-ms", "1")
}

#[tokio::test]
async fn a_quota_that_is_used_up_does_not_heal_by_waiting() {
    let provider =
        Provider::<Responses>::replying(vec![failure(429, "insufficient_quota", "No money.")]).await;
    match turn(&provider.model()).await {
        Err(ModelError::Rejected(told)) => {
            assert!(told.contains("insufficient_quota") && told.contains("req_7"))
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(provider.asked().len(), 1);
}

#[tokio::test]
async fn a_rate_limit_is_waited_for() {
    let busy = failure(429, "rate_limit_exceeded", "Slowly.");
    let provider = Provider::<Responses>::replying(vec![busy, Reply::stream(good_answer())]).await;
    let (outcome, shown) = call(&provider.model(), hello()).await;
    assert_eq!(outcome.expect("a turn").blocks, [said("Chào bạn.")]);
    assert_eq!(shown[0], ModelEvent::Retrying { attempt: 1 });
}

#[tokio::test]
async fn a_conversation_that_does_not_fit_is_told_apart_from_a_bad_request() {
    let full =
        failure(400, "context_length_exceeded", "Your input exceeds the context window of this model.");
    let bad = failure(400, "unknown_parameter", "Unknown parameter.");
    let provider = Provider::<Responses>::replying(vec![full, bad]).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::ContextFull(_))));
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Rejected(_))));
    assert_eq!(provider.asked().len(), 2);
}

fn errors(told: &Value) -> [Value; 2] {
    let failed = json!({ "type": "response.failed", "response": { "id": "resp_1", "status": "failed", "error": told } });
    let mut event = told.clone();
    event["type"] = "error".into();
    [failed, event]
}

#[tokio::test]
async fn a_failure_behind_the_announcement_is_tried_again_since_nothing_was_shown() {
    for error in errors(&json!({ "code": "server_error", "message": "Crashed." })) {
        let crashed = Reply::stream(sse(&[created(), error]));
        let provider = Provider::<Responses>::replying(vec![crashed, Reply::stream(good_answer())]).await;
        let (outcome, shown) = call(&provider.model(), hello()).await;
        assert_eq!(outcome.expect("a turn").blocks, [said("Chào bạn.")]);
        assert_eq!(shown[0], ModelEvent::Retrying { attempt: 1 });
    }
}

#[tokio::test]
async fn a_failure_behind_something_shown_is_not_tried_again() {
    for error in errors(&json!({ "code": "server_error", "message": "Crashed." })) {
        let item =
            json!({ "type": "response.output_item.done", "output_index": 0, "item": message("Chào.") });
        let provider = Provider::<Responses>::streaming(sse(&[created(), item, error])).await;
        match turn(&provider.model()).await {
            Err(ModelError::Interrupted(told)) => {
                assert!(told.contains("server_error") && told.contains("Crashed."))
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_failure_that_would_come_again_is_not_tried_again() {
    for code in ["invalid_prompt", "misalignment_policy_violation", "insufficient_quota"] {
        for error in errors(&json!({ "code": code, "message": "No." })) {
            let provider = Provider::<Responses>::streaming(sse(&[created(), error])).await;
            match turn(&provider.model()).await {
                Err(ModelError::Rejected(told)) => assert!(told.contains(code), "{told}"),
                other => panic!("{code}: {other:?}"),
            }
            assert_eq!(provider.asked().len(), 1, "{code}");
        }
    }
    for error in errors(&json!({ "code": "context_length_exceeded", "message": "Too long." })) {
        let provider = Provider::<Responses>::streaming(sse(&[created(), error])).await;
        assert!(matches!(turn(&provider.model()).await, Err(ModelError::ContextFull(_))));
        assert_eq!(provider.asked().len(), 1);
    }
}

#[tokio::test]
async fn the_key_is_in_no_error_even_if_the_provider_repeats_it() {
    for error in errors(&json!({ "code": "server_error", "message": format!("Bad key {KEY}") })) {
        let item =
            json!({ "type": "response.output_item.done", "output_index": 0, "item": message("Chào.") });
        let provider = Provider::<Responses>::streaming(sse(&[item, error])).await;
        let told = turn(&provider.model()).await.expect_err("an error").to_string();
        assert!(told.contains("Bad key") && !told.contains(KEY), "{told}");
    }
}
