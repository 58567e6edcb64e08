//! A model call that breaks half way is made again once, and what was shown of it is withdrawn.

use std::time::Duration;

use shared::event::AgentEvent;

use crate::support::{Stage, Turn, assistant_text, booking, evening, json_of, tool_parts, weather};
use serde_json::{Value, json};

/// What of the parts does not depend on who made them when.
fn parts(view: &Value) -> Vec<Value> {
    let messages = view["messages"].as_array().unwrap().iter();
    let mut parts: Vec<Value> =
        messages.flat_map(|message| message["parts"].as_array().unwrap().clone()).collect();
    for part in &mut parts {
        part.as_object_mut().unwrap().remove("toolCallId");
        part.as_object_mut().unwrap().remove("approval");
    }
    parts
}

fn kinds(events: &[(u64, AgentEvent)]) -> Vec<String> {
    let mut kinds: Vec<String> =
        events.iter().map(|(_, event)| json_of(event)["type"].as_str().unwrap().to_owned()).collect();
    kinds.dedup();
    kinds
}

/// Two steps, of which the second asks for a booking.
fn turns() -> [Turn; 2] {
    [
        Turn::call("getWeather", weather("Huế")).thinking("Where is that? ").saying("I look it up."),
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))).saying("And now the table."),
    ]
}

#[tokio::test]
async fn a_call_that_breaks_once_leaves_the_parts_of_one_that_did_not() {
    let [first, second] = turns();
    let whole = Stage::with([first.clone(), second.clone()]).await;
    whole.say("Huế, and a table").await;

    let broken = Stage::with([first.clone().cut_once(), first, second.clone().cut_once(), second]).await;
    broken.say("Huế, and a table").await;
    assert_eq!(broken.view().await["run"]["status"], "awaiting-approval");
    assert_eq!(parts(&broken.view().await), parts(&whole.view().await));
    assert_eq!(broken.model.requests().len(), 4);
    // The same request, to the byte.
    let requests = broken.model.requests();
    assert_eq!(requests[0], requests[1]);
    assert_eq!(requests[2], requests[3]);

    let view = broken.answer_form(json!({ "approved": true })).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    assert_eq!(broken.server.database().await.bookings().await.len(), 1);
    broken.assert_ended("done").await;
}

#[tokio::test]
async fn the_guest_is_told_that_the_model_is_asked_again() {
    // Slow enough to be on the screen before it breaks.
    let broken = Turn::text("I was ab").paced(Duration::from_millis(100)).cut_once();
    let stage = Stage::with([broken, Turn::text("Here I am.")]).await;
    stage.say("Hello").await;
    let events = stage.events().await;
    assert_eq!(
        kinds(&events),
        [
            "user-message",
            "run-started",
            "step-started",
            "text-delta",
            "step-reset",
            "model-retrying",
            "text-delta",
            "run-finished"
        ]
    );
    let view = stage.assert_ended("done").await;
    assert!(assistant_text(&view).starts_with("Here I am."), "{view:#}");
}

#[tokio::test]
async fn a_call_that_breaks_again_ends_the_run_as_interrupted() {
    let always = || Turn::call("getWeather", weather("Huế")).saying("Let me").cut_once();
    let stage = Stage::with([always(), always(), always()]).await;
    stage.say("Huế?").await;
    assert_eq!(stage.model.requests().len(), 2);
    stage.model.forget();
    let view = stage.assert_ended("interrupted").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts.len(), 1, "the withdrawn card is gone: {view:#}");
    assert_eq!(parts[0]["state"], "output-cancelled");
    assert_eq!(assistant_text(&view), "Let me", "what came last stays: {view:#}");
}

#[tokio::test]
async fn each_step_may_break_once() {
    let look = |city: &str| Turn::call("getWeather", weather(city));
    let stage = Stage::with([
        look("Huế").cut_once(),
        look("Huế"),
        look("Đà Lạt").cut_once(),
        look("Đà Lạt"),
        Turn::text("It is").cut_once(),
        Turn::text("Warm and cool."),
    ])
    .await;
    stage.say("Both").await;
    let view = stage.assert_ended("done").await;
    assert_eq!(view["run"]["step"], 3, "a repetition is no step of its own");
    let ended = "SELECT ended FROM model_calls ORDER BY run_id, step, attempt";
    let ended = stage.server.database().await.texts(ended).await;
    assert_eq!(ended[..6], ["interrupted", "tool-use", "interrupted", "tool-use", "interrupted", "end-turn"]);
}

#[tokio::test]
async fn a_stop_while_the_call_is_made_again_ends_the_run() {
    let stage = Stage::with([Turn::text("I was ab").cut_once(), Turn::text("Now").then_silent()]).await;
    stage.guest.send(&stage.conversation, "Hello").await;
    stage.until(|view| assistant_text(view) == "Now").await;
    stage.stop().await;
    stage.assert_ended("cancelled").await;
}

#[tokio::test]
async fn the_repetition_does_not_outlast_the_run_s_time() {
    let stage = Stage::with_settings(
        &[("TRUTHTABLE_RUN_SECONDS", "2")],
        [Turn::text("I was ab").cut_once(), Turn::text("Now").then_silent()],
    )
    .await;
    stage.say("Hello").await;
    stage.assert_ended("time-limit").await;
}
