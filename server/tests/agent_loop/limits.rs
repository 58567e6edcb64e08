//! Every limit ends the run with a status of its own, leaves nothing moving, and the next message is
//! answered.

use std::time::{Duration, Instant};

use crate::support::{Guest, Stage, Turn, booking, evening, heard, tool_parts, weather};
use serde_json::{Value, json};

fn states(view: &Value) -> Vec<&str> {
    tool_parts(view).map(|part| part["state"].as_str().unwrap()).collect()
}

fn call_text(arguments: &str) -> Turn {
    Turn::text("").and_call_text("getWeather", arguments).stopping_with("tool_use")
}

#[tokio::test]
async fn the_steps_of_one_message_are_limited() {
    let cities = ["Hà Nội", "Huế", "Đà Lạt"];
    let turns = cities.map(|city| Turn::call("getWeather", weather(city)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_MAX_STEPS", "3")], turns).await;
    stage.say("The weather everywhere").await;
    assert_eq!(stage.model.requests().len(), 3);
    let view = stage.assert_ended("step-limit").await;
    // What was asked for was done and shown; only no further question was put to the model.
    assert_eq!(states(&view), ["output-available"; 3]);
    assert_eq!(view["run"]["step"], 3);
    assert_eq!(heard(&stage.model.requests()[3]).len(), 1);
}

#[tokio::test]
async fn the_next_message_has_all_its_steps_again() {
    let turn = |city: &str| Turn::call("getWeather", weather(city));
    let stage =
        Stage::with_settings(&[("TRUTHTABLE_MAX_STEPS", "2")], [turn("Huế"), Turn::text("Warm.")]).await;
    assert_eq!(stage.say("Huế?").await["run"]["status"], "done");
    stage.model.then([turn("Đà Lạt"), Turn::text("Cool.")]);
    assert_eq!(stage.say("And Đà Lạt?").await["run"]["status"], "done");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn the_third_tool_error_of_whatever_kind_ends_the_run() {
    let stage = Stage::with([
        Turn::call("orderPizza", json!({})),
        Turn::call("getWeather", json!({ "town": "Huế" })),
        Turn::call("createBooking", booking("no-such-place", 2, &evening(3))),
    ])
    .await;
    stage.say("Do it").await;
    assert_eq!(stage.model.requests().len(), 3);
    let view = stage.assert_ended("too-many-tool-errors").await;
    assert_eq!(states(&view), ["output-error"; 3]);
    let kinds: Vec<&Value> = tool_parts(&view).map(|part| &part["kind"]).collect();
    assert_eq!(kinds, ["unavailable", "input", "input"]);
}

#[tokio::test]
async fn errors_of_one_turn_count_as_many_and_those_before_a_success_still_count() {
    let stage = Stage::with([
        Turn::call("orderPizza", json!({})).and_call("orderTaxi", json!({})),
        Turn::call("getWeather", weather("Huế")),
        Turn::call("orderTrain", json!({})),
    ])
    .await;
    stage.say("Do it").await;
    let view = stage.assert_ended("too-many-tool-errors").await;
    assert_eq!(states(&view), ["output-error", "output-error", "output-available", "output-error"]);
    assert_eq!(stage.model.requests().len(), 4);
}

#[tokio::test]
async fn the_third_error_of_a_turn_leaves_no_form_behind() {
    let stage = Stage::with([Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
        .and_call("orderPizza", json!({}))
        .and_call("orderTaxi", json!({}))
        .and_call("orderTrain", json!({}))])
    .await;
    stage.say("Do it all").await;
    let view = stage.assert_ended("too-many-tool-errors").await;
    assert_eq!(states(&view), ["output-cancelled", "output-error", "output-error", "output-error"]);
    assert_eq!(tool_parts(&view).next().unwrap()["reason"], "limit");
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn tool_errors_are_counted_per_message() {
    let bad = |name: &str| Turn::call(name, json!({}));
    let stage = Stage::with([bad("a"), bad("b"), Turn::text("No.")]).await;
    assert_eq!(stage.say("One").await["run"]["status"], "done");
    stage.model.then([bad("c"), bad("d"), Turn::text("No.")]);
    assert_eq!(stage.say("Two").await["run"]["status"], "done");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn the_same_call_a_third_time_running_is_not_executed() {
    let stage = Stage::with([
        call_text(r#"{"city":"Huế","days":2}"#),
        call_text(r#"{ "days": 2, "city": "Huế" }"#),
        call_text("{\n  \"city\": \"Hu\\u1ebf\",\n  \"days\": 2\n}"),
    ])
    .await;
    stage.say("Huế?").await;
    assert_eq!(stage.model.requests().len(), 3);
    let view = stage.assert_ended("repeated-call").await;
    assert_eq!(states(&view), ["output-available", "output-available", "output-cancelled"]);
    let last = tool_parts(&view).last().unwrap();
    assert_eq!((&last["reason"], last.get("of")), (&json!("limit"), None));
}

#[tokio::test]
async fn another_call_in_between_begins_the_count_anew() {
    let turn = |city: &str| Turn::call("getWeather", weather(city));
    let turns = [turn("Huế"), turn("Huế"), turn("Hà Nội"), turn("Huế"), turn("Huế"), Turn::text("Warm.")];
    let stage = Stage::with(turns).await;
    stage.say("Huế?").await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-available"; 5]);
}

#[tokio::test]
async fn how_often_a_call_may_come_is_a_setting() {
    let turn = || Turn::call("getWeather", weather("Huế"));
    let stage = Stage::with_settings(&[("TRUTHTABLE_MAX_REPEATS", "2")], [turn(), turn()]).await;
    stage.say("Huế?").await;
    let view = stage.assert_ended("repeated-call").await;
    assert_eq!(states(&view), ["output-available", "output-cancelled"]);
}

#[tokio::test]
async fn of_the_same_call_three_times_in_one_turn_two_are_executed() {
    let turn = Turn::call("getWeather", weather("Huế"))
        .and_call("getWeather", weather("Huế"))
        .and_call("getWeather", weather("Huế"))
        .and_call("getWeather", weather("Vinh"));
    let stage = Stage::with([turn]).await;
    stage.say("Weather").await;
    let view = stage.assert_ended("repeated-call").await;
    let states: Vec<_> = tool_parts(&view).map(|part| part["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["output-available", "output-available", "output-cancelled", "output-cancelled"]);
}

#[tokio::test]
async fn a_repeated_call_wins_over_the_error_limit() {
    let turn = || Turn::call("orderPizza", json!({ "size": "large" }));
    let stage = Stage::with([turn(), turn(), turn()]).await;
    stage.say("Pizza").await;
    let view = stage.assert_ended("repeated-call").await;
    assert_eq!(states(&view), ["output-error", "output-error", "output-cancelled"]);
}

#[tokio::test]
async fn calls_that_wait_for_a_person_count_as_repetitions_too() {
    let one = booking("dl-may-nui", 2, &evening(3));
    let stage = Stage::with([Turn::call("createBooking", one.clone())
        .and_call("createBooking", one.clone())
        .and_call("createBooking", one)])
    .await;
    stage.say("Book it").await;
    let view = stage.assert_ended("repeated-call").await;
    assert_eq!(states(&view), ["output-cancelled"; 3]);
    let reasons: Vec<&Value> = tool_parts(&view).map(|part| &part["reason"]).collect();
    assert_eq!(reasons, ["limit", "repeated", "limit"]);
    let first = tool_parts(&view).next().unwrap();
    let answer = stage.decide(first["toolCallId"].as_str().unwrap(), json!({ "approved": true })).await;
    assert_eq!(answer.status, 409);
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn the_same_booking_proposed_again_and_again_after_a_decline_ends_the_run() {
    let turn = || Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let stage = Stage::with([turn(), turn(), turn()]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": false })).await;
    let view = stage.assert_ended("repeated-call").await;
    assert_eq!(states(&view), ["output-denied", "output-cancelled", "output-cancelled"]);
}

#[tokio::test]
async fn the_token_budget_is_of_all_model_calls_of_a_message() {
    // A scripted turn uses 120.
    let turns = ["Huế", "Hà Nội", "Đà Lạt"].map(|city| Turn::call("getWeather", weather(city)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_TOKEN_BUDGET", "200")], turns.into_iter().take(2)).await;
    stage.say("Everywhere").await;
    assert_eq!(stage.model.requests().len(), 2);
    let finished = stage.run_finished().await;
    assert_eq!(finished["usage"], json!({ "inputTokens": 200, "outputTokens": 40 }));
    let view = stage.assert_ended("token-budget").await;
    assert_eq!(states(&view), ["output-available"; 2]);
}

#[tokio::test]
async fn a_silent_model_runs_into_the_wall_clock() {
    let silent = Turn::call("getWeather", weather("Huế"))
        .saying("I look it up.")
        .and_call("createBooking", booking("dl-may-nui", 2, &evening(3)))
        .then_silent();
    let stage = Stage::with_settings(&[("TRUTHTABLE_RUN_SECONDS", "2")], [silent]).await;
    let started = Instant::now();
    stage.say("Huế?").await;
    assert!(started.elapsed() >= Duration::from_secs(2));
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    let view = stage.assert_ended("time-limit").await;
    assert_eq!(states(&view), ["output-cancelled"; 2]);
    assert!(tool_parts(&view).all(|part| part["reason"] == "limit"));
    assert_eq!(view["messages"][1]["parts"][0], json!({ "type": "text", "text": "I look it up." }));
}

#[tokio::test]
async fn a_time_limit_in_a_later_step_leaves_the_results_before_it_standing() {
    let turns = [Turn::call("getWeather", weather("Huế")), Turn::text("").then_silent()];
    let stage = Stage::with_settings(&[("TRUTHTABLE_RUN_SECONDS", "2")], turns).await;
    stage.say("Huế?").await;
    let view = stage.assert_ended("time-limit").await;
    assert_eq!(states(&view), ["output-available"]);
}

#[tokio::test]
async fn the_time_before_the_parking_counts_after_it() {
    // At least two of the four seconds, in a stream of more than twenty pieces.
    let slow =
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))).paced(Duration::from_millis(100));
    let stage = Stage::with_settings(&[("TRUTHTABLE_RUN_SECONDS", "4")], [slow]).await;
    let started = Instant::now();
    assert_eq!(stage.say("Book it").await["run"]["status"], "awaiting-approval");
    assert!(started.elapsed() >= Duration::from_secs(2), "{:?}", started.elapsed());
    stage.model.then([Turn::text("").then_silent()]);
    let resumed = Instant::now();
    stage.answer_form(json!({ "approved": true })).await;
    assert!(resumed.elapsed() < Duration::from_secs(4), "{:?}", resumed.elapsed());
    let view = stage.assert_ended("time-limit").await;
    assert_eq!(states(&view), ["output-available"]);
}

#[tokio::test]
async fn counters_outlive_the_parking_and_a_restart() {
    let form = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let mut stage = Stage::with([
        form.and_call("orderPizza", json!({})).and_call("orderTaxi", json!({})),
        Turn::call("orderTrain", json!({})),
    ])
    .await;
    assert_eq!(stage.say("Do it all").await["run"]["status"], "awaiting-approval");
    stage.server.restart();
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("too-many-tool-errors").await;
    assert_eq!(states(&view), ["output-available", "output-error", "output-error", "output-error"]);
    assert_eq!(view["run"]["step"], 2);
}

#[tokio::test]
async fn steps_before_the_parking_count_after_it() {
    let form = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_MAX_STEPS", "1")], [form]).await;
    assert_eq!(stage.say("Book it").await["run"]["status"], "awaiting-approval");
    stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(stage.model.requests().len(), 1);
    let view = stage.assert_ended("step-limit").await;
    // Done is done, with or without a last word of the model.
    assert_eq!(states(&view), ["output-available"]);
}

#[tokio::test]
async fn time_parked_for_a_person_does_not_count() {
    let call = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let stage = Stage::with_settings(&[("TRUTHTABLE_RUN_SECONDS", "3")], [call]).await;
    assert_eq!(stage.say("Book it").await["run"]["status"], "awaiting-approval");

    // Another guest's run takes all of its time meanwhile.
    stage.model.then([Turn::text("").then_silent()]);
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    assert_eq!(other.say(&conversation, "Hello").await["run"]["status"], "time-limit");

    stage.model.then([Turn::text("As you see.")]);
    let view = stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    assert_eq!(states(&view), ["output-available"]);
    stage.assert_sound().await;
}
