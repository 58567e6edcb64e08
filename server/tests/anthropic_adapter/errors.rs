//! What fails before an answer begins, and when a call is made again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use server::ids::CountedIds;
use server::model::anthropic::Anthropic;
use server::model::provider::{ProviderSettings, SetupError, Timeouts};
use server::model::{Model, ModelError, ModelEvent};
use tokio::net::TcpListener;

use crate::provider::{self, End, KEY, Provider, Reply, call, hello, turn};
use crate::recorded::{self, FULL, full_turn, good_answer, sse};

/// A failure that asks to come back at once, so that no test waits for the backoff.
fn soon(reply: Reply) -> Reply {
    reply.header("retry-after-ms", "1")
}

fn retrying(attempts: u32) -> Vec<ModelEvent> {
    (1..=attempts).map(|attempt| ModelEvent::Retrying { attempt }).collect()
}

#[tokio::test]
async fn what_may_pass_is_tried_twice_again_and_then_the_provider_is_unavailable() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        let provider = Provider::replying(vec![soon(Reply::error(status, "some_error", "Later."))]).await;
        let (outcome, shown) = call(&provider.model(), hello()).await;
        match outcome {
            Err(ModelError::Unavailable(told)) => {
                for word in [&status.to_string(), "some_error", "Later.", "req_42"] {
                    assert!(told.contains(word), "{word}: {told}");
                }
            }
            other => panic!("{status}: {other:?}"),
        }
        assert_eq!(shown, retrying(2), "{status}");
        let asked = provider.asked();
        assert_eq!(asked.len(), 3, "{status}");
        assert!(asked.iter().all(|again| again.raw == asked[0].raw), "{status}");
    }
}

#[tokio::test]
async fn a_call_that_succeeds_when_made_again_is_a_turn_like_any_other() {
    let busy = soon(Reply::error(529, "overloaded_error", "Overloaded"));
    let provider = Provider::replying(vec![busy.clone(), busy, Reply::stream(FULL)]).await;
    let (outcome, shown) = call(&provider.model(), hello()).await;
    assert_eq!(outcome.expect("a turn"), full_turn());
    assert_eq!(shown[..2], retrying(2));
    assert_eq!(shown[2], ModelEvent::ReasoningDelta("Thời tiết?".to_owned()));
}

#[tokio::test]
async fn a_refused_request_is_not_made_again_and_the_log_gets_the_providers_words() {
    for (status, kind) in [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
        (422, "unprocessable"),
    ] {
        let provider = Provider::replying(vec![Reply::error(status, kind, "Not like this.")]).await;
        let (outcome, shown) = call(&provider.model(), hello()).await;
        match outcome {
            Err(ModelError::Rejected(told)) => {
                for word in [&status.to_string(), kind, "Not like this.", "req_42"] {
                    assert!(told.contains(word), "{word}: {told}");
                }
            }
            other => panic!("{status}: {other:?}"),
        }
        assert_eq!((shown, provider.asked().len()), (vec![], 1), "{status}");
    }
}

#[tokio::test]
async fn x_should_retry_wins_over_the_status() {
    let never = Reply::error(529, "overloaded_error", "Overloaded").header("x-should-retry", "false");
    let provider = Provider::replying(vec![never]).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Unavailable(_))));
    assert_eq!(provider.asked().len(), 1);

    let always = soon(Reply::error(400, "invalid_request_error", "Odd.")).header("x-should-retry", "true");
    let provider = Provider::replying(vec![always.clone(), Reply::stream(FULL)]).await;
    assert_eq!(turn(&provider.model()).await.expect("a turn"), full_turn());

    let provider = Provider::replying(vec![always]).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Rejected(_))));
    assert_eq!(provider.asked().len(), 3);
}

#[tokio::test]
async fn a_spend_limit_does_not_heal_by_waiting() {
    for code in ["enforced_spend_limit_reached", "contract_spend_limit_reached"] {
        let body = json!({ "type": "error", "error": {
            "type": "rate_limit_error", "message": "Limit reached.", "details": { "error_code": code },
        } });
        let reply = soon(Reply::new(429, body.to_string())).header("x-should-retry", "true");
        let provider = Provider::replying(vec![reply]).await;
        match turn(&provider.model()).await {
            Err(ModelError::Rejected(told)) => assert!(told.contains(code), "{told}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }
}

#[tokio::test]
async fn a_conversation_that_does_not_fit_is_told_apart_from_a_bad_request() {
    for message in [
        "prompt is too long: 215000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "This model's maximum context length is 8192 tokens.",
        "the request exceeds the available context size, try increasing it",
    ] {
        let provider = Provider::replying(vec![Reply::error(400, "invalid_request_error", message)]).await;
        match turn(&provider.model()).await {
            Err(ModelError::ContextFull(told)) => assert!(told.contains(message), "{told}"),
            other => panic!("{message}: {other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }
    let other = "thinking blocks are bound to a different conversation context";
    let provider = Provider::replying(vec![Reply::error(400, "invalid_request_error", other)]).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Rejected(_))));
}

#[tokio::test]
async fn the_wait_that_the_provider_asks_for_is_kept() {
    for (name, value, least) in
        [("retry-after-ms", "120", 120), ("retry-after", "0.12", 120), ("x-none", "", 375)]
    {
        let busy = Reply::error(529, "overloaded_error", "Overloaded").header(name, value);
        let provider = Provider::replying(vec![busy, Reply::stream(good_answer())]).await;
        let started = Instant::now();
        turn(&provider.model()).await.expect("a turn");
        assert!(started.elapsed() >= Duration::from_millis(least), "{name}: {:?}", started.elapsed());
    }
}

#[tokio::test]
async fn an_error_as_the_very_first_event_is_handled_like_an_error_status() {
    let error = |kind: &str, message: &str| {
        sse(&[
            json!({ "type": "ping" }),
            json!({ "type": "error", "error": { "type": kind, "message": message } }),
        ])
    };
    let overloaded = Reply::stream(error("overloaded_error", "Overloaded"));
    let provider = Provider::replying(vec![overloaded, Reply::stream(FULL)]).await;
    let (outcome, shown) = call(&provider.model(), hello()).await;
    assert_eq!(outcome.expect("a turn"), full_turn());
    assert_eq!(shown[..1], retrying(1));

    let provider = Provider::streaming(error("rate_limit_error", "Slowly.")).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Unavailable(_))));
    assert_eq!(provider.asked().len(), 3);

    for kind in ["invalid_request_error", "authentication_error", "enforced_spend_limit_reached"] {
        let provider = Provider::streaming(error(kind, "No.")).await;
        match turn(&provider.model()).await {
            Err(ModelError::Rejected(told)) => assert!(told.contains(kind), "{told}"),
            other => panic!("{kind}: {other:?}"),
        }
        assert_eq!(provider.asked().len(), 1);
    }

    let provider = Provider::streaming(error("invalid_request_error", "prompt is too long")).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::ContextFull(_))));
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_unavailable() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let (outcome, shown) = call(&provider::adapter(provider::settings(&base_url)), hello()).await;
    match outcome {
        Err(ModelError::Unavailable(told)) => assert!(told.contains("refused"), "{told}"),
        other => panic!("{other:?}"),
    }
    assert_eq!(shown, retrying(2));
}

#[tokio::test]
async fn a_provider_that_answers_with_nothing_is_tried_again() {
    for end in [End::Clean, End::Broken] {
        let provider = Provider::replying(vec![Reply::stream("").end(end), Reply::stream(FULL)]).await;
        let (outcome, shown) = call(&provider.model(), hello()).await;
        assert_eq!(outcome.expect("a turn"), full_turn());
        assert_eq!(shown[..1], retrying(1));
    }
}

#[tokio::test]
async fn silence_before_the_first_byte_is_tried_again() {
    let timeouts = Timeouts { first_byte: Duration::from_millis(100), ..Timeouts::default() };
    // Without even a status, and with a status but no byte.
    let mute = Provider::scripted(|_, _| None).await;
    let stalled = Provider::replying(vec![Reply::stream("").end(End::Silent)]).await;
    for provider in [mute, stalled] {
        let model = provider::adapter(ProviderSettings { timeouts, ..provider.settings() });
        let (outcome, shown) = call(&model, hello()).await;
        assert!(matches!(outcome, Err(ModelError::Unavailable(_))), "{outcome:?}");
        assert_eq!(shown, retrying(2));
        assert_eq!(provider.asked().len(), 3);
    }
}

#[tokio::test]
async fn the_whole_time_counts_over_all_attempts_and_waits() {
    let busy = Reply::error(429, "rate_limit_error", "Slowly.").header("retry-after", "25");
    let provider = Provider::replying(vec![busy]).await;
    let timeouts = Timeouts { whole: Duration::from_millis(300), ..Timeouts::default() };
    let model = provider::adapter(ProviderSettings { timeouts, ..provider.settings() });
    let started = Instant::now();
    let (outcome, shown) = call(&model, hello()).await;
    assert!(matches!(outcome, Err(ModelError::Unavailable(_))), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(shown, retrying(1));
}

#[tokio::test]
async fn the_key_is_in_no_error_and_no_debug_output_even_if_the_provider_repeats_it() {
    let mut told = Vec::new();
    for status in [200, 401, 529] {
        let repeated = format!("invalid x-api-key: {KEY}");
        let reply = if status == 200 {
            let error = json!({ "type": "error", "error": { "type": KEY, "message": repeated } });
            Reply::stream(sse(&[recorded::message_start(), error]))
        } else {
            soon(Reply::error(status, "authentication_error", &repeated))
        };
        let provider = Provider::replying(vec![reply]).await;
        told.push(turn(&provider.model()).await.expect_err("an error").to_string());
        told.push(format!("{:?}", provider.settings()));
    }
    let plain = Provider::replying(vec![Reply::new(403, format!("<p>{KEY} is unknown</p>"))]).await;
    told.push(turn(&plain.model()).await.expect_err("an error").to_string());
    for text in told {
        assert!(!text.is_empty() && !text.contains(KEY), "{text}");
    }
}

#[tokio::test]
async fn an_error_page_of_any_size_or_pace_is_one_short_line() {
    let page = format!("<html>\n{}", "x".repeat(300_000));
    for end in [End::Clean, End::Broken] {
        let provider = Provider::replying(vec![Reply::new(403, page.clone()).end(end)]).await;
        match turn(&provider.model()).await {
            Err(ModelError::Rejected(told)) => {
                assert!(told.contains("403") && told.contains("<html>"), "{told}");
                assert!(told.len() < 700 && !told.contains('\n'), "{told}");
            }
            other => panic!("{other:?}"),
        }
    }

    let timeouts = Timeouts { first_byte: Duration::from_millis(200), ..Timeouts::default() };
    let provider = Provider::replying(vec![Reply::new(403, "Forb").end(End::Silent)]).await;
    let model = provider::adapter(ProviderSettings { timeouts, ..provider.settings() });
    match turn(&model).await {
        Err(ModelError::Rejected(told)) => assert!(told.contains("403"), "{told}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Provider::streaming(good_answer()).await;
    let reply = Reply::new(307, "").header("location", format!("{}/v1/messages", elsewhere.base_url));
    let provider = Provider::replying(vec![reply]).await;
    assert!(matches!(turn(&provider.model()).await, Err(ModelError::Rejected(_))));
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn retries_do_not_need_a_viewer() {
    let busy = soon(Reply::error(529, "overloaded_error", "Overloaded"));
    let provider = Provider::replying(vec![busy, Reply::stream(FULL)]).await;
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    drop(receiver);
    assert_eq!(provider.model().turn(hello(), sender).await.expect("a turn"), full_turn());
}

#[test]
fn settings_that_cannot_work_are_refused_at_once_and_without_naming_the_key() {
    let new = |base_url: &str, api_key: &str| {
        let settings = ProviderSettings { api_key: api_key.to_owned(), ..provider::settings(base_url) };
        Anthropic::new(settings, Arc::new(CountedIds::default())).err()
    };
    for base_url in ["", "api.anthropic.com", "ftp://127.0.0.1", "http://", "file:///etc"] {
        assert!(matches!(new(base_url, KEY), Some(SetupError::BaseUrl)), "{base_url:?}");
    }
    let refused = new("http://127.0.0.1:1", "sk-secret\n").expect("a refusal");
    assert!(matches!(refused, SetupError::ApiKey));
    assert!(!format!("{refused} {refused:?}").contains("sk-secret"));
    assert!(new("http://127.0.0.1:1", "").is_none());
}
