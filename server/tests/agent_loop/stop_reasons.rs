//! Calls run only where the protocol has proved the turn complete and its end counts as asking for
//! tools. (Where the guest stops a run: `supersede_and_stop`.)

use crate::support::{Stage, Turn, assistant_text, booking, evening, json_of, tool_parts, weather};
use serde_json::{Value, json};

fn tempting() -> Turn {
    Turn::call("getWeather", weather("Huế"))
        .saying("I do it.")
        .and_call("createBooking", booking("dl-may-nui", 2, &evening(3)))
}

/// The turn ends the run with this status; nothing of it has run or been asked.
async fn nothing_runs(turn: Turn, status: &str, reason: &str) {
    let stage = Stage::with([turn]).await;
    stage.say("Do it").await;
    let view = stage.assert_ended(status).await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts.len(), 2, "{view:#}");
    for part in parts {
        assert_eq!(
            (&part["state"], &part["reason"]),
            (&json!("output-cancelled"), &json!(reason)),
            "{part:#}"
        );
    }
    for (_, event) in stage.events().await {
        let kind = json_of(&event)["type"].clone();
        assert_ne!(kind, "tool-input-available");
        assert_ne!(kind, "tool-approval-requested");
    }
    let database = stage.server.database().await;
    assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 0);
    assert_eq!(database.bookings().await, []);
    // What was not proved is no part of what the model has said.
    let next = &stage.model.requests().pop().unwrap()["messages"];
    assert_eq!(next.as_array().unwrap().len(), 1, "{next:#}");
}

#[tokio::test]
async fn a_turn_cut_at_its_output_limit_is_truncated() {
    nothing_runs(tempting().stopping_with("max_tokens"), "truncated", "limit").await;
}

#[tokio::test]
async fn a_turn_that_the_model_declined_is_refused() {
    nothing_runs(tempting().stopping_with("refusal"), "refused", "interrupted").await;
}

#[tokio::test]
async fn the_words_of_a_declined_turn_are_withdrawn_and_those_before_it_stay() {
    let first = Turn::call("getWeather", weather("Huế")).saying("I look it up.");
    let stage = Stage::with([first, Turn::text("It is as I").stopping_with("refusal")]).await;
    stage.say("Huế?").await;
    let view = stage.view().await;
    let answer = &view["messages"][1];
    assert_eq!(answer["withdrawnFrom"], 2, "{view:#}");
    assert_eq!(answer["parts"][2], json!({ "type": "text", "text": "It is as I" }));
    let withdrawn = "data-withdrawn";
    for (language, words) in
        [("vi", "Trợ lý đã rút lại phần này"), ("en", "The assistant has withdrawn this")]
    {
        let page = stage.page(language).await;
        assert_eq!(page.matches(withdrawn).count(), 1, "{page}");
        let (before, after) = page.split_once(withdrawn).unwrap();
        assert!(before.contains("I look it up.") && after.contains(words) && after.contains("It is as I"));
    }
    let view = stage.assert_ended("refused").await;
    // Also when the conversation has gone on.
    assert_eq!(view["messages"][1]["withdrawnFrom"], 2, "{view:#}");
}

#[tokio::test]
async fn a_model_that_only_pauses_comes_to_the_limit_of_steps() {
    let stage = Stage::with_settings(&[("TRUTHTABLE_MAX_STEPS", "3")], []).await;
    stage.model.otherwise(|_| Turn::text("One moment.").stopping_with("pause_turn"));
    stage.say("Hello").await;
    assert_eq!(stage.model.requests().len(), 3);
    let view = stage.view().await;
    assert_eq!(view["run"]["status"], "step-limit", "{view:#}");
}

#[tokio::test]
async fn a_full_context_window_is_told_as_that() {
    nothing_runs(tempting().stopping_with("model_context_window_exceeded"), "context-full", "interrupted")
        .await;
}

#[tokio::test]
async fn a_stop_reason_that_is_not_in_the_table_fails() {
    nothing_runs(tempting().stopping_with("having_a_rest"), "failed", "interrupted").await;
}

#[tokio::test]
async fn calls_in_a_turn_that_says_it_has_ended_do_not_run() {
    nothing_runs(tempting().stopping_with("end_turn"), "interrupted", "interrupted").await;
}

#[tokio::test]
async fn calls_in_a_turn_that_says_it_pauses_do_not_run() {
    nothing_runs(tempting().stopping_with("pause_turn"), "interrupted", "interrupted").await;
}

#[tokio::test]
async fn a_stream_that_is_cut_in_the_middle_of_arguments_is_interrupted() {
    nothing_runs(tempting().cut(), "interrupted", "interrupted").await;
}

#[tokio::test]
async fn a_stream_that_is_cut_in_the_middle_of_text_keeps_the_text_on_the_screen_only() {
    let stage = Stage::with([Turn::text("Your table is").cut()]).await;
    stage.say("Book it").await;
    let view = stage.assert_ended("interrupted").await;
    assert_eq!(assistant_text(&view), "Your table is");
    assert!(!stage.model.requests().pop().unwrap().to_string().contains("Your table is"));
}

#[tokio::test]
async fn truncated_text_ends_the_run_as_truncated() {
    let stage = Stage::with([Turn::text("It is so long").stopping_with("max_tokens")]).await;
    stage.say("Tell me").await;
    let view = stage.assert_ended("truncated").await;
    assert_eq!(assistant_text(&view), "It is so long");
}

#[tokio::test]
async fn a_cut_in_a_later_step_leaves_the_results_before_it_standing() {
    let stage = Stage::with([Turn::call("getWeather", weather("Huế")), tempting().cut()]).await;
    stage.say("Do it").await;
    let view = stage.assert_ended("interrupted").await;
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert_eq!(states, ["output-available", "output-cancelled", "output-cancelled"]);
}

#[tokio::test]
async fn a_turn_that_asks_for_tools_and_names_none_is_an_answer() {
    let stage = Stage::with([Turn::text("Well.").stopping_with("tool_use")]).await;
    stage.say("Hello").await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_turn_without_a_word_is_an_answer_and_leaves_no_empty_message_behind() {
    let stage = Stage::with([Turn::text("")]).await;
    stage.say("Hello").await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_paused_turn_goes_on() {
    let stage =
        Stage::with([Turn::text("One moment.").stopping_with("pause_turn"), Turn::text("Here it is.")]).await;
    let view = stage.say("Hello").await;
    assert_eq!(view["run"]["status"], "done");
    assert_eq!(assistant_text(&view), "One moment.\nHere it is.");
    let second = stage.model.requests()[1]["messages"].clone();
    // The paused content goes back as it was.
    assert_eq!(
        second[1],
        json!({ "role": "assistant", "content": [{ "type": "text", "text": "One moment." }] })
    );
    assert_eq!(second.as_array().unwrap().len(), 2);
}
