//! What model calls cost is recorded, and a guest's day has a budget.

use chrono::{NaiveTime, Utc};
use chrono_tz::Asia::Ho_Chi_Minh;
use serde_json::{Value, json};

use crate::support::{Guest, Stage, Turn, booking, evening, tool_parts, weather};

// A scripted turn uses 100 tokens in and 20 out.

#[tokio::test]
async fn each_model_call_is_recorded_with_what_it_used() {
    let stage = Stage::with([
        Turn::call("getWeather", weather("Huế")).cached(30, 7),
        Turn::text("It is").cut_once(),
        Turn::text("Warm."),
    ])
    .await;
    stage.say("Huế?").await;
    let calls = "SELECT step || ' ' || attempt || ' ' || ended || ' ' || input_tokens || ' ' || output_tokens \
                 || ' ' || cache_read_tokens || ' ' || cache_write_tokens FROM model_calls ORDER BY step, attempt";
    // Of the broken call what the provider had told at its start.
    assert_eq!(
        stage.server.database().await.texts(calls).await,
        ["1 1 tool-use 100 20 30 7", "2 1 interrupted 100 1 0 0", "2 2 end-turn 100 20 0 0"]
    );
    assert_eq!(
        stage.run_finished().await["usage"],
        json!({ "inputTokens": 300, "outputTokens": 41, "cacheReadTokens": 30, "cacheWriteTokens": 7 })
    );
    let day = Utc::now().with_timezone(&Ho_Chi_Minh).date_naive().to_string();
    let days = "SELECT day || ' ' || tokens FROM tokens_of_days";
    assert_eq!(stage.server.database().await.texts(days).await, [format!("{day} 378")]);
}

#[tokio::test]
async fn a_call_that_was_stopped_counts_as_far_as_the_provider_has_told() {
    let stage = Stage::with([Turn::text("Once upon").then_silent()]).await;
    stage.guest.send(&stage.conversation, "Tell me a story").await;
    stage.until(|view| view.to_string().contains("Once upon")).await;
    stage.stop().await;
    let database = stage.server.database().await;
    assert_eq!(database.texts("SELECT ended FROM model_calls").await, ["given-up"]);
    assert_eq!(database.numbers("SELECT tokens FROM tokens_of_days").await, [101]);
}

#[tokio::test]
async fn a_day_that_is_used_up_refuses_messages_and_retries_until_the_house_s_midnight() {
    let mut stage = Stage::with_settings(&[("TRUTHTABLE_DAILY_TOKENS", "240")], []).await;
    assert_eq!(stage.say("One").await["run"]["status"], "done");
    assert_eq!(stage.say("Two").await["run"]["status"], "done");
    let before = stage.view().await;

    let refused = stage.guest.try_send(&stage.conversation, "the third", "Three").await;
    let wait: i64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    let now = Utc::now().with_timezone(&Ho_Chi_Minh);
    let left = 24 * 3600 - (now.time() - NaiveTime::MIN).num_seconds();
    assert!((wait - left).abs() <= 5, "{wait} s, but the day has {left} s left");
    let problem = refused.expect_problem(429, "daily-budget");
    assert!(problem["title"].as_str().unwrap().contains("tomorrow"), "{problem}");
    stage.retry().await.expect_problem(429, "daily-budget");
    // Nothing of it is in the record, in no conversation of theirs.
    assert_eq!(stage.view().await, before);
    stage.converse().await;
    let elsewhere = stage.guest.try_send(&stage.conversation, "elsewhere", "Hello").await;
    elsewhere.expect_problem(429, "daily-budget");
    assert_eq!(stage.model.requests().len(), 2);

    // Somebody else has a day of their own, and a new day begins anew.
    let (other, theirs) = Guest::with_conversation(&stage.server, "").await;
    assert_eq!(other.say(&theirs, "Hello").await["run"]["status"], "done");
    stage.server.database().await.execute("UPDATE tokens_of_days SET day = '2020-01-01'").await;
    assert_eq!(stage.say("Four").await["run"]["status"], "done");
}

#[tokio::test]
async fn a_message_that_was_taken_before_gets_its_answer_again_when_the_day_is_used_up() {
    let stage = Stage::with_settings(&[("TRUTHTABLE_DAILY_TOKENS", "100")], []).await;
    let first = stage.guest.try_send(&stage.conversation, "the one", "Hello").await.expect(202).body;
    stage.settled().await;
    let again = stage.guest.try_send(&stage.conversation, "the one", "Hello").await.expect(202).body;
    assert_eq!(first, again);
}

#[tokio::test]
async fn a_run_that_crosses_the_day_s_budget_ends_with_its_results_standing() {
    let turns = ["Huế", "Hà Nội", "Đà Lạt"].map(|city| Turn::call("getWeather", weather(city)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_DAILY_TOKENS", "200")], turns).await;
    let view = stage.say("Everywhere").await;
    assert_eq!(view["run"]["status"], "token-budget", "{view:#}");
    assert_eq!(stage.model.requests().len(), 2);
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert_eq!(states, ["output-available"; 2]);
    for (language, words) in [("vi", "hoặc của hôm nay"), ("en", "or for today")] {
        let page = stage.page(language).await;
        assert!(page.contains("data-run-status=\"token-budget\"") && page.contains(words), "{page}");
    }
    stage.assert_sound().await;
}

#[tokio::test]
async fn what_the_guest_agrees_to_is_done_although_the_day_is_used_up() {
    let form = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_DAILY_TOKENS", "120")], [form]).await;
    assert_eq!(stage.say("Book it").await["run"]["status"], "awaiting-approval");
    let view = stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(view["run"]["status"], "token-budget", "{view:#}");
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available");
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
    assert_eq!(stage.model.requests().len(), 1);
    stage.assert_sound().await;
}
