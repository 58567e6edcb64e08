//! What comes in between: a new message, a stop, a retry.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Notify;

use crate::support::{
    Guest, Stage, Turn, assistant_text, booking, evening, heard, local_time, of_call, told_by_user,
    tool_parts, weather,
};

fn book() -> Turn {
    Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
}

fn states(view: &Value) -> Vec<&str> {
    tool_parts(view).map(|part| part["state"].as_str().unwrap()).collect()
}

fn reasons(view: &Value) -> Vec<&str> {
    tool_parts(view).filter_map(|part| part["reason"].as_str()).collect()
}

/// A run whose model has begun two calls and says no more.
async fn silent() -> Stage {
    let turn = Turn::call("getWeather", weather("Huế"))
        .saying("One moment.")
        .and_call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let stage = Stage::with([turn.then_silent()]).await;
    stage.guest.send(&stage.conversation, "Huế, and book it").await;
    stage.until(|view| tool_parts(view).count() == 2).await;
    stage
}

#[tokio::test]
async fn a_new_message_supersedes_the_form_that_waits() {
    let stage = Stage::with([book()]).await;
    let old = stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.model.then([Turn::text("Something else, then.")]);
    let view = stage.say("Wait, something else").await;
    assert_eq!(view["run"]["status"], "done");
    assert_ne!(view["run"]["runId"], old["run"]["runId"]);
    assert_eq!((states(&view), reasons(&view)), (vec!["output-cancelled"], vec!["superseded"]));

    let events = stage.events().await;
    let finished: Vec<Value> = events
        .iter()
        .map(|(_, event)| crate::support::json_of(event))
        .filter(|event| event["type"] == "run-finished" && event["runId"] == old["run"]["runId"])
        .collect();
    assert_eq!(finished.last().unwrap()["status"], "cancelled");
    let of_form = of_call(&events, &json!(call));
    assert!(of_form.iter().all(|event| event["type"] != "tool-approval-responded"));

    for approved in [true, false] {
        let answer = stage.decide(&call, json!({ "approved": approved, "approvalId": approval })).await;
        assert_eq!(answer.expect_problem(409, "approval-superseded")["decision"], "superseded");
    }
    // In one message: first the call's result, then the new words.
    let request = stage.model.requests()[1].clone();
    let results = heard(&request);
    assert!(results[0].is_error && results[0].text.contains("new message"), "{results:?}");
    assert_eq!(told_by_user(&request)[1], "Wait, something else");
    stage.assert_ended("done").await;
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn superseding_leaves_alone_what_was_decided_before() {
    let turn = book()
        .and_call("createBooking", booking("dn-song-khuya", 4, &evening(3)))
        .and_call("createBooking", booking("hcm-ghe-chieu", 4, &evening(3)));
    let stage = Stage::with([turn]).await;
    stage.say("Book all three").await;
    stage.answer_form(json!({ "approved": true })).await;
    stage.answer_form(json!({ "approved": false })).await;
    stage.model.then([Turn::text("One of them.")]);
    stage.say("Enough").await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-available", "output-denied", "output-cancelled"]);
    assert_eq!(reasons(&view), ["superseded"]);
    let results = heard(&stage.model.requests()[1]);
    assert_eq!(
        results.iter().map(|result| result.call.as_str()).collect::<Vec<_>>(),
        ["toolu_1_0", "toolu_1_1", "toolu_1_2"]
    );
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn while_a_run_is_at_work_a_message_is_refused_and_the_same_one_is_known_again() {
    let held = Arc::new(Notify::new());
    let stage = Stage::with([Turn::text("Here it is.").held_until(&held)]).await;
    let first = stage.guest.try_send(&stage.conversation, "one", "Hello").await.expect(202).body;
    let again = stage.guest.try_send(&stage.conversation, "one", "Hello").await.expect(202).body;
    assert_eq!(again, first);
    stage.guest.try_send(&stage.conversation, "two", "Hello?").await.expect_problem(409, "run-active");
    assert_eq!(stage.view().await["messages"][0]["parts"][0]["text"], "Hello");

    held.notify_one();
    let view = stage.settled().await;
    assert_eq!(view["run"]["status"], "done");
    assert_eq!(stage.guest.try_send(&stage.conversation, "one", "Hello").await.expect(202).body, first);
    assert_eq!(stage.view().await, view);
    assert_eq!(stage.model.requests().len(), 1);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn the_same_message_sent_many_times_at_once_is_one_message() {
    let stage = Stage::with([Turn::text("Hello yourself.")]).await;
    let sends = (0..8).map(|_| stage.guest.try_send(&stage.conversation, "the one", "Hello"));
    let mut runs: Vec<Value> =
        join_all(sends).await.into_iter().map(|answer| answer.expect(202).body["runId"].clone()).collect();
    runs.dedup();
    assert_eq!(runs.len(), 1);
    let view = stage.settled().await;
    assert_eq!(view["messages"].as_array().unwrap().len(), 2);
    assert_eq!(stage.model.requests().len(), 1);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn of_different_messages_at_once_one_is_taken() {
    let held = Arc::new(Notify::new());
    let stage = Stage::with([Turn::text("Hello yourself.").held_until(&held)]).await;
    let ids: Vec<String> = (0..8).map(|n| format!("message {n}")).collect();
    let answers = join_all(ids.iter().map(|id| stage.guest.try_send(&stage.conversation, id, id))).await;
    let (taken, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 202);
    assert_eq!((taken.len(), refused.len()), (1, 7));
    for answer in refused {
        answer.expect_problem(409, "run-active");
    }
    held.notify_one();
    stage.settled().await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_decision_and_a_message_at_once_give_one_truth() {
    let mut stage = Stage::with([]).await;
    for round in 0..6 {
        let at = local_time(3 + round, 19, 0);
        stage.model.then([Turn::call("createBooking", booking("dl-may-nui", 2, &at))]);
        stage.converse().await;
        stage.say(&format!("Book it, round {round}")).await;
        let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
        let decision = stage.decide(&call, json!({ "approved": true, "approvalId": approval }));
        let message = stage.guest.try_send(&stage.conversation, "meanwhile", "Something else");
        let (decision, message) = if round % 2 == 0 {
            tokio::join!(decision, message)
        } else {
            let (message, decision) = tokio::join!(message, decision);
            (decision, message)
        };
        stage.settled().await;
        let view = stage.assert_sound().await;
        let booked = stage.server.database().await.bookings().await;
        let done = booked.iter().any(|booking| booking.tool_call_id == call);
        if decision.status == 200 {
            // The message came while the run was at work, or when it had ended already.
            assert!(message.status == 409 || message.status == 202, "{}", message.text);
            assert!(done);
            assert_eq!(states(&view), ["output-available"]);
        } else {
            assert_eq!(decision.expect_problem(409, "approval-superseded")["decision"], "superseded");
            message.expect(202);
            assert!(!done);
            assert_eq!(reasons(&view), ["superseded"]);
        }
    }
}

#[tokio::test]
async fn a_stop_ends_a_model_that_says_nothing() {
    let stage = silent().await;
    let run = stage.view().await["run"]["runId"].clone();
    let stopped = stage.stop().await;
    assert_eq!((&stopped["run"]["runId"], &stopped["run"]["status"]), (&run, &json!("cancelled")));
    let view = stage.assert_ended("cancelled").await;
    assert_eq!((states(&view), reasons(&view)), (vec!["output-cancelled"; 2], vec!["stopped"; 2]));
    assert_eq!(assistant_text(&view), "One moment.");
}

#[tokio::test]
async fn a_stop_before_the_models_first_word_leaves_an_empty_answer() {
    let held = Arc::new(Notify::new());
    let stage = Stage::with([Turn::text("Too late.").held_until(&held)]).await;
    stage.guest.send(&stage.conversation, "Hello").await;
    stage.until(|view| view["run"]["step"] == 1).await;
    assert_eq!(stage.stop().await["run"]["status"], "cancelled");
    held.notify_one();
    let view = stage.assert_ended("cancelled").await;
    assert_eq!(view["messages"][1]["parts"], json!([]));
}

#[tokio::test]
async fn a_stop_takes_the_forms_back() {
    let stage =
        Stage::with([book().and_call("createBooking", booking("dn-song-khuya", 2, &evening(3)))]).await;
    stage.say("Book both").await;
    let forms = [0, 1].map(|index| stage.guest.waiting_call(&stage.conversation, index));
    let forms = join_all(forms).await;
    assert_eq!(stage.stop().await["run"]["status"], "cancelled");
    for (call, approval) in &forms {
        let answer = stage.decide(call, json!({ "approved": true, "approvalId": approval })).await;
        assert_eq!(answer.expect_problem(409, "approval-stopped")["decision"], "stopped");
    }
    let view = stage.assert_ended("cancelled").await;
    assert_eq!(reasons(&view), ["stopped"; 2]);
    let results = heard(&stage.model.requests()[1]);
    assert!(results.iter().all(|result| result.text.contains("stopped it")), "{results:?}");
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn a_stop_where_nothing_runs_is_no_error() {
    let stage = Stage::with([Turn::text("Hello yourself.")]).await;
    assert_eq!(stage.stop().await, json!({}));
    let view = stage.say("Hello").await;
    let stopped = stage.stop().await;
    assert_eq!(stopped["run"], view["run"]);
    assert_eq!(stage.view().await, view);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_stop_leaves_what_has_happened_as_it_is() {
    let held = Arc::new(Notify::new());
    let stage = Stage::with([book(), Turn::text("As you see.").held_until(&held)]).await;
    stage.say("Book it").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    stage.until(|view| view["run"]["step"] == 2).await;
    assert_eq!(stage.stop().await["run"]["status"], "cancelled");
    let view = stage.assert_ended("cancelled").await;
    assert_eq!(states(&view), ["output-available"]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_stop_and_a_confirmation_at_once_give_one_truth() {
    let mut stage = Stage::with([]).await;
    for round in 0..8 {
        let at = local_time(3 + round, 19, 0);
        stage.model.then([Turn::call("createBooking", booking("dl-may-nui", 2, &at))]);
        stage.converse().await;
        stage.say(&format!("Book it, round {round}")).await;
        let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
        let decision = stage.decide(&call, json!({ "approved": true, "approvalId": approval }));
        let (decision, stopped) = tokio::join!(decision, stage.stop());
        assert!(stopped["run"]["status"].is_string());
        stage.settled().await;
        let view = stage.assert_sound().await;
        let booked = stage.server.database().await.bookings().await;
        let done = booked.iter().any(|booking| booking.tool_call_id == call);
        match (decision.status.as_u16(), states(&view).as_slice()) {
            // Agreed to, and begun before the stop.
            (200, ["output-available"]) => assert!(done),
            // Agreed to, and stopped before it began; or stopped before the decision.
            (200 | 409, ["output-cancelled"]) => {
                assert!(!done);
                assert_eq!(reasons(&view), ["stopped"]);
            }
            (status, states) => panic!("{status}, {states:?}"),
        }
    }
}

#[tokio::test]
async fn a_stop_in_the_moment_in_which_a_form_comes_leaves_no_form() {
    let mut stage = Stage::with([]).await;
    for round in 0..20 {
        stage.model.then([book()]);
        stage.converse().await;
        stage.guest.send(&stage.conversation, &format!("Book it, round {round}")).await;
        tokio::time::sleep(std::time::Duration::from_millis(round)).await;
        assert_eq!(stage.stop().await["run"]["status"], "cancelled", "round {round}");
        let view = stage.settled().await;
        assert_eq!(view["run"]["status"], "cancelled", "round {round}: {view:#}");
        assert!(states(&view).iter().all(|state| *state == "output-cancelled"), "round {round}: {view:#}");
        // A turn that was never asked for.
        stage.model.forget();
    }
}

#[tokio::test]
async fn closing_the_tab_stops_nothing() {
    let held = Arc::new(Notify::new());
    let stage = Stage::with([Turn::text("Here it is.").held_until(&held)]).await;
    stage.guest.send(&stage.conversation, "Hello").await;
    let mut reader = stage.guest.listen(&stage.conversation, "", &[]).await;
    assert!(reader.next().await.is_some());
    drop(reader);
    held.notify_one();
    let view = stage.settled().await;
    assert_eq!(assistant_text(&view), "Here it is.");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_retry_after_a_stop_answers_the_same_message() {
    let stage = silent().await;
    let stopped = stage.stop().await;
    stage.model.then([Turn::call("getWeather", weather("Huế")), Turn::text("Warm.")]);
    let run = stage.retry().await.expect(202).body["runId"].clone();
    assert_ne!(run, stopped["run"]["runId"]);
    let view = stage.settled().await;
    assert_eq!((&view["run"]["runId"], &view["run"]["status"]), (&run, &json!("done")));
    let roles: Vec<&Value> =
        view["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "assistant"]);
    assert_eq!(told_by_user(&stage.model.requests()[1]), told_by_user(&stage.model.requests()[0]));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_retry_goes_on_from_what_was_found_out_before() {
    let stage = Stage::with([Turn::call("getWeather", weather("Huế")), Turn::text("It is").cut()]).await;
    assert_eq!(stage.say("Huế?").await["run"]["status"], "interrupted");
    stage.model.then([Turn::text("Warm.")]);
    stage.retry().await.expect(202);
    assert_eq!(stage.settled().await["run"]["status"], "done");
    let request = stage.model.requests()[3].clone();
    assert_eq!(heard(&request).len(), 1);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn there_is_nothing_to_retry_without_a_run_that_ended_without_an_answer() {
    let stage = Stage::with([Turn::text("Hello yourself.")]).await;
    stage.retry().await.expect_problem(409, "nothing-to-retry");
    stage.say("Hello").await;
    stage.retry().await.expect_problem(409, "nothing-to-retry");
    stage.model.then([book()]);
    stage.say("Book it").await;
    stage.retry().await.expect_problem(409, "run-active");
    assert_eq!(stage.model.requests().len(), 2);
}

#[tokio::test]
async fn nobody_else_can_stop_or_retry_a_run() {
    let stage = silent().await;
    let (stranger, _) = Guest::with_conversation(&stage.server, "").await;
    for action in ["/stop", "/retry"] {
        stranger.post(&stage.path(action), json!({})).await.expect_problem(404, "not-found");
    }
    assert_eq!(stage.view().await["run"]["status"], "running");
}
