//! Reads that take their time: side by side, not longer than the tool may, and stopped when the guest
//! says so. Proved with the weather, because it is the one that asks somebody else.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{
    FakeOpenMeteo, PATIENCE, Reply, Service, Stage, Turn, assistant_text, heard, place, tool_parts, weather,
};

fn two_cities() -> [Turn; 2] {
    [
        Turn::call("getWeather", weather("Paris")).and_call("getWeather", weather("Tokyo")),
        Turn::text("Both are mild."),
    ]
}

#[tokio::test]
async fn two_reads_of_one_turn_run_side_by_side() {
    let fake = FakeOpenMeteo::start().await;
    fake.slow(Duration::from_millis(500));
    let stage = Stage::with_settings(&fake.settings(), two_cities()).await;
    stage.say("Paris and Tokyo?").await;
    // Each asks one question after the other: two at once are those of both.
    assert_eq!(fake.most_at_once(), 2);
    assert_eq!((fake.asked(Service::Geocoding).len(), fake.asked(Service::Forecast).len()), (2, 2));
    let view = stage.assert_ended("done").await;
    let cities: Vec<&Value> = tool_parts(&view).map(|part| &part["output"]["city"]).collect();
    assert_eq!(cities, ["Paris", "Tokyo"]);
}

#[tokio::test]
async fn a_quick_read_is_shown_while_a_slow_one_of_the_same_turn_still_runs() {
    let fake = FakeOpenMeteo::start().await;
    let stage = Stage::with_settings(&fake.settings(), two_cities()).await;
    // The first question is Paris' or Tokyo's: whichever, the other does not wait for it.
    fake.then(Service::Forecast, [Reply::raw(503, "").after(Duration::from_millis(1_500))]);
    stage.guest.send(&stage.conversation, "Paris and Tokyo?").await;
    let view = stage.until(|view| tool_parts(view).any(|part| part["state"] == "output-available")).await;
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert!(states.contains(&&json!("input-available")), "{states:?}");
    assert_eq!(fake.open(), 1);
    stage.settled().await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_read_that_takes_longer_than_its_tool_may_ends_as_a_timeout_and_the_run_goes_on() {
    let fake = FakeOpenMeteo::start().await;
    // Each answer comes in its own time; all together take longer than the tool's ten seconds.
    let late = |reply: Reply| reply.after(Duration::from_millis(3_500));
    let paris = place("Paris", "Île-de-France", ("FR", "France"), "Europe/Paris", 2_138_551);
    fake.then(Service::Geocoding, [late(Reply::raw(503, "")), late(Reply::places([paris]))]);
    fake.then(Service::Forecast, [late(Reply::raw(503, ""))]);
    let stage = Stage::with_settings(
        &fake.settings(),
        [
            Turn::call("getWeather", weather("Paris")).and_call("orderPizza", json!({})),
            Turn::text("It took too long."),
        ],
    )
    .await;
    let begun = Instant::now();
    stage.say("Paris?").await;
    assert!(begun.elapsed() < PATIENCE);
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-error", "{part:#}");
    assert_eq!((&part["kind"], &part["code"]), (&json!("tool"), &json!("timeout")));
    assert_eq!(fake.abandoned(), 1, "what nobody waits for any more is given up");
    assert_eq!(assistant_text(&view), "It took too long.");
    let results = heard(&stage.model.requests()[1]);
    assert!(results[0].is_error && results[0].text.contains("took too long"), "{:?}", results[0]);
}

#[tokio::test]
async fn a_guests_stop_ends_a_read_at_once_and_the_question_is_given_up() {
    let fake = FakeOpenMeteo::start().await;
    fake.slow(Duration::from_secs(3));
    let stage = Stage::with_settings(&fake.settings(), two_cities()).await;
    stage.guest.send(&stage.conversation, "Paris and Tokyo?").await;
    wait_until(|| fake.open() == 2).await;

    let begun = Instant::now();
    let stopped = stage.stop().await;
    assert!(begun.elapsed() < Duration::from_millis(2_500), "{:?}", begun.elapsed());
    assert_eq!(stopped["run"]["status"], "cancelled", "{stopped:#}");
    wait_until(|| fake.open() == 0).await;
    assert_eq!(fake.abandoned(), 2);
    assert_eq!(fake.asked(Service::Forecast).len(), 0, "it went on all the same");
    let view = stage.assert_ended("cancelled").await;
    for part in tool_parts(&view) {
        assert_eq!((&part["state"], &part["reason"]), (&json!("output-cancelled"), &json!("stopped")));
    }
}

async fn wait_until(wanted: impl Fn() -> bool) {
    let begun = Instant::now();
    while !wanted() {
        assert!(begun.elapsed() < PATIENCE, "it never came to it");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
