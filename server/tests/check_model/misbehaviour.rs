//! What is wrong is told as what it is, with what to try.

use std::time::Duration;

use axum::response::{Html, IntoResponse};
use serde_json::json;

use super::command::{Told, check_model};
use super::provider::{Asked, KEY, Provider, Turn, asked, error, good, weather};

/// A good model, but for one answer.
async fn but(which: Asked, turn: fn() -> Turn) -> Told {
    let provider = Provider::answering(move |_, request| {
        let asked = asked(request);
        if asked == which { turn().response() } else { good(asked).response() }
    })
    .await;
    check_model(&["--json"], &provider.settings()).await
}

/// One that answers every request with this error.
async fn refusing(status: u16, kind: &'static str, message: &'static str) -> Told {
    let provider = Provider::answering(move |_, _| error(status, kind, message)).await;
    check_model(&["--json"], &provider.settings()).await
}

#[track_caller]
fn assert_advice(told: &Told, check: &str, advice: &str) {
    let (outcome, said) = told.check(check);
    assert_eq!(outcome, "failed", "{}", told.stdout);
    assert!(said.contains(advice), "{advice:?} is not in {said:?}\n{}", told.stdout);
    assert_eq!(told.code, 1);
    assert_eq!(told.json()["works"], false);
    assert!(!told.stdout.contains(KEY) && !told.stderr.contains(KEY));
}

#[tokio::test]
async fn a_good_model_works() {
    let provider = Provider::answering(|_, request| good(asked(request)).response()).await;
    let told = check_model(&["--json"], &provider.settings()).await;
    assert_eq!(told.outcomes(), ["passed"; 7], "{}", told.stdout);
    assert_eq!((told.code, &told.json()["works"]), (0, &json!(true)));
    let table = check_model(&[], &provider.settings()).await;
    assert_eq!(table.code, 0);
    assert!(table.stdout.ends_with("the model works here\n"), "{}", table.stdout);
    assert_eq!(table.stdout.matches("\nok ").count(), 7, "{}", table.stdout);
}

#[tokio::test]
async fn a_wrong_key_is_told_by_its_setting_and_never_shown() {
    let message = "invalid x-api-key sk-ant-0123456789-secret";
    let told = refusing(401, "authentication_error", message).await;
    assert_advice(&told, "answers", "ANTHROPIC_API_KEY");
    assert_eq!(told.outcomes()[1..], ["not-asked"; 6]);
}

#[tokio::test]
async fn an_unknown_model_is_told_by_its_name() {
    let told = refusing(404, "not_found_error", "model: some-model not found").await;
    assert_advice(&told, "answers", "TRUTHTABLE_MODEL_NAME");
    assert_advice(&told, "answers", "\"some-model\"");
}

#[tokio::test]
async fn an_address_with_v1_too_much_is_told() {
    let provider = Provider::answering(|uri, request| match uri.path() {
        "/v1/messages" => good(asked(request)).response(),
        _ => error(404, "not_found_error", "Not Found"),
    })
    .await;
    let mut settings = provider.settings();
    let wrong = format!("{}/v1", provider.url);
    settings[1].1 = &wrong;
    assert_advice(&check_model(&["--json"], &settings).await, "answers", "leave /v1 out");
}

#[tokio::test]
async fn a_web_page_in_the_place_of_an_answer_is_told_as_another_protocol() {
    let provider = Provider::answering(|_, _| Html("<h1>Welcome</h1>").into_response()).await;
    let told = check_model(&["--json"], &provider.settings()).await;
    assert_advice(&told, "answers", "speaks the protocol");
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_told() {
    let settings = [
        ("TRUTHTABLE_MODEL", "anthropic"),
        ("TRUTHTABLE_MODEL_URL", "http://127.0.0.1:9"),
        ("TRUTHTABLE_MODEL_NAME", "some-model"),
        ("ANTHROPIC_API_KEY", KEY),
    ];
    assert_advice(
        &check_model(&["--json"], &settings).await,
        "answers",
        "nobody answered at http://127.0.0.1:9",
    );
}

#[tokio::test]
async fn tools_that_are_not_supported_are_told() {
    let told =
        refusing(400, "invalid_request_error", "registry.local/some-model does not support tools").await;
    assert_advice(&told, "answers", "can call tools");
}

#[tokio::test]
async fn a_context_that_is_too_small_is_told() {
    let told = refusing(400, "invalid_request_error", "prompt is too long: 9000 tokens > 4096 maximum").await;
    assert_advice(&told, "answers", "larger context window");
}

#[tokio::test]
async fn an_account_without_money_is_told() {
    assert_advice(&refusing(402, "billing_error", "no credit").await, "answers", "balance");
}

#[tokio::test]
async fn an_answer_that_is_waited_for_and_comes_in_one_piece_is_no_stream() {
    let late = || Turn { after: Duration::from_millis(500), ..Turn::words("I find tables.") };
    assert_advice(&but(Asked::Words, late).await, "streams", "proxy that buffers");
    let paced = || Turn { pace: Duration::from_millis(100), ..Turn::words("I find tables.") };
    assert_eq!(but(Asked::Words, paced).await.check("streams").0, "passed");
}

#[tokio::test]
async fn a_stream_without_its_end_is_told() {
    let turn = || Turn { ends_early: true, ..Turn::words("I find tables.") };
    assert_advice(&but(Asked::Words, turn).await, "answers", "breaks long answers");
}

#[tokio::test]
async fn words_in_the_place_of_a_call_are_told() {
    let told = but(Asked::OneCall, || Turn::words("It is 24 °C, I think.")).await;
    assert_advice(&told, "calls-a-tool", "can call tools");
    assert_eq!(told.check("hears-an-error").0, "not-asked");
    assert_eq!(told.check("hears-results").0, "passed", "after the two calls it can be asked");
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_told() {
    let turn = || Turn::calls(vec![("getWeather", json!({ "city": "Đà Lạt", "days": "two" }))]);
    assert_advice(&but(Asked::OneCall, turn).await, "calls-a-tool", "another model");
    let turn = || Turn::calls(vec![weather("Hải Phòng")]);
    assert_advice(&but(Asked::OneCall, turn).await, "calls-a-tool", "another model");
    let turn = || Turn::calls(vec![("bookATable", json!({}))]);
    assert_advice(&but(Asked::OneCall, turn).await, "calls-a-tool", "another model");
}

#[tokio::test]
async fn calls_in_a_turn_that_says_it_has_ended_are_told() {
    let turn = || Turn { stop: "end_turn", ..Turn::calls(vec![weather("Đà Lạt")]) };
    assert_advice(&but(Asked::OneCall, turn).await, "calls-a-tool", "contradicts itself");
}

#[tokio::test]
async fn a_model_that_calls_one_tool_at_a_time_works_with_a_limit() {
    let told = but(Asked::TwoCalls, || Turn::calls(vec![weather("Hà Nội")])).await;
    assert_eq!(told.check("calls-two-at-once").0, "limited");
    assert_eq!((told.code, &told.json()["works"]), (0, &json!(true)), "{}", told.stdout);
}

#[tokio::test]
async fn a_model_that_does_not_count_works_with_a_limit() {
    let told = but(Asked::Words, || Turn { tells_no_usage: true, ..Turn::words("I find tables.") }).await;
    let (outcome, advice) = told.check("counts-tokens");
    assert_eq!((outcome.as_str(), told.code), ("limited", 0));
    assert!(advice.contains("TRUTHTABLE_DAILY_TOKENS"), "{advice}");
}

#[tokio::test]
async fn a_model_that_calls_again_after_its_results_is_told() {
    let told = but(Asked::Results, || Turn::calls(vec![weather("Huế")])).await;
    assert_advice(&told, "hears-results", "another model");
}

#[tokio::test]
async fn after_an_error_neither_another_try_nor_a_made_up_temperature_passes() {
    let told = but(Asked::Error, || Turn::calls(vec![weather("Đà Lạt")])).await;
    assert_advice(&told, "hears-an-error", "another model");
    let told = but(Asked::Error, || Turn::words("It is about 21 °C in Đà Lạt.")).await;
    assert_advice(&told, "hears-an-error", "makes things up");
}

#[tokio::test]
async fn an_answer_cut_at_its_limit_is_told() {
    let turn = || Turn { stop: "max_tokens", ..Turn::words("I find") };
    assert_advice(&but(Asked::Words, turn).await, "answers", "TRUTHTABLE_MAX_TOKENS");
}

#[tokio::test]
async fn a_model_that_says_nothing_is_given_up_in_time() {
    let provider = Provider::answering(|_, _| {
        axum::body::Body::from_stream(futures::stream::pending::<Result<Vec<u8>, std::io::Error>>())
            .into_response()
    })
    .await;
    let begun = std::time::Instant::now();
    let told = check_model(&["--json", "--seconds", "1"], &provider.settings()).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_advice(&told, "answers", "--seconds");
}

#[tokio::test]
async fn a_wrong_setting_or_file_is_no_result() {
    let told = check_model(&[], &[("TRUTHTABLE_MODEL", "anthropic"), ("TRUTHTABLE_MODEL_NAME", "x")]).await;
    assert_eq!((told.code, told.stdout.as_str()), (2, ""));
    assert_eq!(
        told.stderr,
        "truthtable: ANTHROPIC_API_KEY is missing: TRUTHTABLE_MODEL=anthropic needs it.\n"
    );
    let told = check_model(&["--record", "no/such/folder/file"], &[]).await;
    assert_eq!((told.code, told.stdout.as_str()), (2, ""));
    assert!(told.stderr.contains("no/such/folder/file cannot be written"), "{}", told.stderr);
}
