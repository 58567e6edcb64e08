//! A form, its one decision, and what runs then.

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{
    Guest, Stage, Turn, assert_valid_request, booking, evening, heard, json_of, local_time, of_call,
    tool_parts, weather,
};

fn book() -> Turn {
    Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
}

fn states(view: &Value) -> Vec<&str> {
    tool_parts(view).map(|part| part["state"].as_str().unwrap()).collect()
}

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

/// The ids of the waiting forms of a turn with several.
fn forms(view: &Value) -> Vec<(String, Value)> {
    let waiting = tool_parts(view).filter(|part| part["state"] == "approval-requested");
    waiting
        .map(|part| (part["toolCallId"].as_str().unwrap().to_owned(), part["approval"]["approvalId"].clone()))
        .collect()
}

#[tokio::test]
async fn a_form_shows_what_the_server_has_looked_up_and_the_run_parks() {
    let stage = Stage::with([book()]).await;
    let view = stage.say("Book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    stage.assert_sound().await;
    let part = stage.only_part().await;
    assert_eq!(part["state"], "approval-requested");
    assert_eq!(part["input"], booking("dl-may-nui", 2, &evening(3)));
    let preview = json!({
        "restaurantName": "Mây Núi", "address": "27 Dốc Dã Quỳ", "city": "Đà Lạt", "contact": "0263 5550 112",
        "startsAt": evening(3), "status": "confirmed", "seatsFree": 40,
    });
    assert_eq!(part["approval"]["preview"], preview);
    assert_eq!(part["approval"].get("approved"), None);
    let expires =
        chrono::DateTime::parse_from_rfc3339(part["approval"]["expiresAt"].as_str().unwrap()).unwrap();
    let left = expires.signed_duration_since(chrono::Utc::now()).num_seconds();
    assert!((1700..=1800).contains(&left), "{left}");

    let events = stage.events().await;
    let of_form = of_call(&events, &part["toolCallId"]);
    assert_eq!(types(&of_form), ["tool-input-start", "tool-input-available", "tool-approval-requested"]);
    assert_eq!(of_form[2]["approvalId"], part["approval"]["approvalId"]);
    assert_eq!(stage.run_finished().await["status"], "awaiting-approval");
    assert_eq!(stage.model.requests().len(), 1);
    let list = stage.guest.get("/api/conversations").await.expect(200).body;
    assert_eq!(list["conversations"][0]["waiting"], 1);
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn a_confirmed_call_runs_and_its_output_is_what_the_model_gets() {
    let stage = Stage::with([book(), Turn::text("As you see.")]).await;
    let parked = stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(view["run"]["runId"], parked["run"]["runId"]);
    assert_eq!(view["run"]["step"], 2);
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!(part["approval"]["approved"], true);
    assert_eq!(part.get("proposedInput"), None);
    assert_eq!((&part["output"]["status"], &part["output"]["partySize"]), (&json!("confirmed"), &json!(2)));

    let events = stage.events().await;
    let of_form = of_call(&events, &part["toolCallId"]);
    assert_eq!(types(&of_form[3..]), ["tool-approval-responded", "tool-output-available"]);
    assert_eq!((&of_form[3]["approved"], of_form[3].get("input")), (&json!(true), None));
    let started: Vec<Value> = events
        .iter()
        .map(|(_, event)| json_of(event))
        .filter(|event| event["type"] == "run-started")
        .collect();
    // Parked and resumed: the same run, the same message.
    assert_eq!(started[0], started[1]);

    let result = &heard(&stage.model.requests()[1])[0];
    assert_eq!(serde_json::from_str::<Value>(&result.text).unwrap(), part["output"]);
    assert_eq!((&result.note, result.is_error), (&None, false));
    let booked = stage.server.database().await.bookings().await;
    assert_eq!(booked.len(), 1);
    assert_eq!(booked[0].reference, part["output"]["reference"]);
}

#[tokio::test]
async fn a_form_survives_a_restart_and_is_decided_after_it() {
    let mut stage = Stage::with([book(), Turn::text("As you see.")]).await;
    let before = stage.say("Book it").await;
    stage.server.restart();
    assert_eq!(stage.view().await, before);
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-available"]);
    assert_eq!(view["run"]["runId"], before["run"]["runId"]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_decision_that_was_answered_is_carried_out_even_if_the_server_dies_right_then() {
    let mut stage = Stage::with([book(), Turn::text("As you see."), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    stage.server.restart();
    let view = stage.settled().await;
    assert_eq!(
        (&view["run"]["status"], states(&view).as_slice()),
        (&json!("done"), &["output-available"][..])
    );
    stage.assert_sound().await;
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn of_fifty_confirmations_at_once_one_counts() {
    let stage = Stage::with([book(), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let body = json!({ "approved": true, "approvalId": approval });
    let answers = join_all((0..50).map(|_| stage.decide(&call, body.clone()))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 49));
    assert_eq!(won[0].body, json!({ "decision": "approved" }));
    for answer in lost {
        assert_eq!(answer.expect_problem(409, "already-decided")["decision"], "approved");
    }
    stage.settled().await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-available"]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);

    // The world agrees: two of forty seats are taken.
    let an_hour_later = evening(3).replace("19:00:00", "20:00:00");
    stage.model.then([Turn::call("createBooking", booking("dl-may-nui", 3, &an_hour_later))]);
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let view = other.say(&conversation, "A table for us").await;
    assert_eq!(tool_parts(&view).next().unwrap()["approval"]["preview"]["seatsFree"], 38);
}

#[tokio::test]
async fn yes_and_no_at_once_give_one_truth() {
    let mut stage = Stage::with([]).await;
    for round in 0..8 {
        let at = local_time(3 + round, 19, 0);
        stage
            .model
            .then([Turn::call("createBooking", booking("dl-may-nui", 2, &at)), Turn::text("So be it.")]);
        stage.converse().await;
        stage.say(&format!("Book it, round {round}")).await;
        let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
        let say =
            |approved: bool| stage.decide(&call, json!({ "approved": approved, "approvalId": approval }));
        let (one, other) = if round % 2 == 0 {
            tokio::join!(say(true), say(false))
        } else {
            tokio::join!(say(false), say(true))
        };
        let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
        let decision = won.expect(200).body["decision"].clone();
        assert_eq!(lost.expect_problem(409, "already-decided")["decision"], decision);

        assert_eq!(stage.settled().await["run"]["status"], "done");
        let view = stage.assert_sound().await;
        let state = if decision == "approved" { "output-available" } else { "output-denied" };
        assert_eq!(states(&view), [state]);
        let booked = stage.server.database().await.bookings().await;
        let of_call = booked.iter().filter(|booking| booking.tool_call_id == call).count();
        assert_eq!(of_call, usize::from(decision == "approved"));
    }
}

#[tokio::test]
async fn a_decline_is_heard_by_the_model_and_the_same_is_not_asked_again() {
    let again = Turn::call("createBooking", {
        let mut again = booking("dl-may-nui", 2, &evening(3));
        again["note"] = json!("really");
        again
    });
    let stage = Stage::with([book(), again, Turn::text("Then not.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": false })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-denied", "output-cancelled"]);
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["approval"]["approved"], false);
    assert_eq!((&parts[1]["reason"], &parts[1]["of"]), (&json!("repeated"), &parts[0]["toolCallId"]));
    let second = of_call(&stage.events().await, &parts[1]["toolCallId"]);
    assert_eq!(types(&second), ["tool-input-start", "tool-input-available", "tool-output-cancelled"]);

    let requests = stage.model.requests();
    let declined = &heard(&requests[1])[0];
    assert!(declined.text.contains("declined") && declined.text.contains("what to change"), "{declined:?}");
    let repeated = &heard(&requests[2])[0];
    // The first outcome, marked so.
    assert_eq!(repeated.text, declined.text);
    assert!(repeated.note.as_ref().unwrap().contains("earlier call"), "{repeated:?}");
    let database = stage.server.database().await;
    assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 1);
    assert_eq!(database.bookings().await, []);
}

#[tokio::test]
async fn after_a_decline_something_else_is_asked() {
    let other_party = Turn::call("createBooking", booking("dl-may-nui", 3, &evening(3)));
    let other_time =
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3).replace("19:00:00", "18:30:00")));
    let stage = Stage::with([book(), other_party, other_time, Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let view = stage.answer_form(json!({ "approved": false })).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let view = stage.answer_form(json!({ "approved": false })).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-denied", "output-denied", "output-available"]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn what_was_declined_for_one_message_may_be_asked_for_the_next() {
    let stage = Stage::with([book(), Turn::text("Then not.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": false })).await;
    stage.model.then([book(), Turn::text("As you see.")]);
    let view = stage.say("I have changed my mind, book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-denied", "output-available"]);
}

#[tokio::test]
async fn what_was_declined_is_not_asked_again_by_a_retry_for_the_same_message() {
    let stage = Stage::with([book(), Turn::text("Then").cut(), book(), Turn::text("Then not.")]).await;
    stage.say("Book it").await;
    let view = stage.answer_form(json!({ "approved": false })).await;
    assert_eq!(view["run"]["status"], "interrupted");
    stage.retry().await.expect(202);
    stage.settled().await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-denied", "output-cancelled"]);
    assert_eq!(tool_parts(&view).last().unwrap()["reason"], "repeated");
}

#[tokio::test]
async fn a_decision_reaches_only_the_question_that_it_is_about() {
    let mut stage = Stage::with([Turn::call("getWeather", weather("Huế"))
        .and_call("createBooking", booking("dl-may-nui", 2, &evening(3)))])
    .await;
    let view = stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let yes = json!({ "approved": true, "approvalId": approval });

    let wrong = json!({ "approved": true, "approvalId": "01990000-0000-7000-8000-000000000000" });
    stage.decide(&call, wrong).await.expect_problem(409, "asked-again");
    stage.decide("no-such-call", yes.clone()).await.expect_problem(404, "not-found");
    // One that never asked.
    let read = tool_parts(&view).next().unwrap()["toolCallId"].as_str().unwrap();
    stage.decide(read, json!({ "approved": true })).await.expect_problem(404, "not-found");

    let (stranger, own) = Guest::with_conversation(&stage.server, "").await;
    for conversation in [&stage.conversation, &own] {
        stranger.decide(conversation, &call, yes.clone()).await.expect_problem(404, "not-found");
    }
    // In another conversation of the same guest it does not exist either.
    let asked_in = stage.conversation.clone();
    stage.converse().await;
    stage.decide(&call, yes.clone()).await.expect_problem(404, "not-found");

    stage.conversation = asked_in;
    assert_eq!(stage.view().await, view, "something has changed");
    assert_eq!(stage.server.database().await.bookings().await, []);
    stage.decide(&call, yes).await.expect(200);
}

#[tokio::test]
async fn a_decision_may_leave_the_approval_id_out_as_long_as_it_was_asked_once() {
    let stage = Stage::with([book(), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    stage.settled().await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn two_forms_are_decided_in_any_order_and_told_in_the_order_of_the_calls() {
    let late = evening(3).replace("19:00:00", "20:00:00");
    let turn = || {
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
            .and_call("createBooking", booking("dn-song-khuya", 4, &late))
    };
    for (first, decisions) in [(0, [true, false]), (1, [true, false]), (0, [false, true]), (1, [false, true])]
    {
        let stage = Stage::with([turn(), Turn::text("So be it.")]).await;
        let waiting = forms(&stage.say("Book both").await);
        assert_eq!(waiting.len(), 2);
        for which in [first, 1 - first] {
            assert_eq!(stage.model.requests().len(), 1, "the model was asked before all was decided");
            let (call, approval) = &waiting[which];
            let body = json!({ "approved": decisions[which], "approvalId": approval });
            stage.decide(call, body).await.expect(200);
            // A read that still says "parked" may say so only because the call has run already.
            let view = stage.view().await;
            let part = tool_parts(&view).nth(which).unwrap();
            if decisions[which] && part["state"] != "output-available" {
                assert_ne!(view["run"]["status"], "awaiting-approval", "{view:#}");
            }
            stage.settled().await;
        }
        let view = stage.assert_ended("done").await;
        let state = |approved: bool| if approved { "output-available" } else { "output-denied" };
        assert_eq!(states(&view), decisions.map(state));
        let results = heard(&stage.model.requests()[1]);
        assert_eq!(
            results.iter().map(|result| result.call.as_str()).collect::<Vec<_>>(),
            ["toolu_1_0", "toolu_1_1"]
        );
        for (result, approved) in results.iter().zip(decisions) {
            assert_eq!(result.text.contains("declined"), !approved, "{result:?}");
        }
        assert_eq!(stage.server.database().await.bookings().await.len(), 1);
    }
}

#[tokio::test]
async fn an_approved_call_runs_at_once_while_another_one_waits() {
    let stage = Stage::with([
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
            .and_call("createBooking", booking("dn-song-khuya", 4, &evening(3))),
        Turn::text("As you see."),
    ])
    .await;
    let waiting = forms(&stage.say("Book both").await);
    let (call, approval) = &waiting[1];
    stage.decide(call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = stage.settled().await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    assert_eq!(states(&view), ["approval-requested", "output-available"]);
    stage.assert_sound().await;
    assert_eq!(stage.model.requests().len(), 1);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);

    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-available"; 2]);
    assert_eq!(stage.model.requests()[1]["messages"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn decisions_at_the_same_moment_all_count_and_the_run_goes_on() {
    let mut stage = Stage::with([]).await;
    for round in 0..6 {
        let at = |hour| local_time(3 + round, hour, 0);
        stage.model.then([
            Turn::call("createBooking", booking("dl-may-nui", 2, &at(12)))
                .and_call("createBooking", booking("dl-may-nui", 2, &at(15)))
                .and_call("createBooking", booking("dl-may-nui", 2, &at(18))),
            Turn::text("So be it."),
        ]);
        stage.converse().await;
        let waiting = forms(&stage.say(&format!("Book all, round {round}")).await);
        assert_eq!(waiting.len(), 3);
        let answers = waiting.iter().enumerate().map(|(which, (call, approval))| {
            stage.decide(call, json!({ "approved": which != 1, "approvalId": approval }))
        });
        for answer in join_all(answers).await {
            answer.expect(200);
        }
        let view = stage.until(|view| view["run"]["status"] == "done").await;
        assert_eq!(states(&view), ["output-available", "output-denied", "output-available"]);
        stage.assert_sound().await;
    }
    assert_eq!(stage.server.database().await.bookings().await.len(), 12);
}

#[tokio::test]
async fn where_the_preview_no_longer_holds_it_asks_again_instead_of_running() {
    // Ten seats.
    let book = || Turn::call("createBooking", booking("dn-hien-gio-nam", 6, &evening(3)));
    let stage = Stage::with([book(), book()]).await;
    stage.say("Book it for us").await;
    let first_form = stage.only_part().await;
    assert_eq!(first_form["approval"]["preview"]["status"], "confirmed");

    let (rival, conversation) = Guest::with_conversation(&stage.server, "").await;
    rival.say(&conversation, "Book it for us too").await;
    let (call, approval) = rival.waiting_call(&conversation, 0).await;
    rival.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = rival.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["output"]["status"], "confirmed");

    let (call, old) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true, "approvalId": old })).await.expect(200);
    let view = stage.settled().await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let again = stage.only_part().await;
    assert_eq!(again["state"], "approval-requested");
    assert_ne!(again["approval"]["approvalId"], json!(old));
    assert_eq!(again["approval"]["preview"]["status"], "waitlisted");
    assert_eq!(again["approval"]["preview"]["seatsFree"], 4);
    stage.assert_sound().await;
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);

    // An answer to the first question is none to the second.
    stage
        .decide(&call, json!({ "approved": true, "approvalId": old }))
        .await
        .expect_problem(409, "asked-again");
    stage.decide(&call, json!({ "approved": true })).await.expect_problem(409, "asked-again");
    assert_eq!(stage.only_part().await, again);

    stage.model.then([Turn::text("You are on the list.")]);
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(
        (&part["state"], &part["output"]["status"]),
        (&json!("output-available"), &json!("waitlisted"))
    );
    let kinds = of_call(&stage.events().await, &part["toolCallId"]);
    assert_eq!(
        types(&kinds)[2..],
        [
            "tool-approval-requested",
            "tool-approval-responded",
            "tool-approval-requested",
            "tool-approval-responded",
            "tool-output-available"
        ]
    );
}

#[tokio::test]
async fn where_it_is_asked_again_a_no_is_a_no() {
    let stage = Stage::with([book(), Turn::text("Then not.")]).await;
    stage.say("Book it").await;
    let database = stage.server.database().await;
    database.execute("UPDATE restaurants SET address = '1 Dốc Khác' WHERE id = 'dl-may-nui'").await;
    let view = stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    assert_eq!(stage.only_part().await["approval"]["preview"]["address"], "1 Dốc Khác");
    stage.answer_form(json!({ "approved": false })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(states(&view), ["output-denied"]);
    assert_eq!(database.bookings().await, []);
}

#[tokio::test]
async fn what_has_become_impossible_is_refused_at_execution() {
    let stage = Stage::with([book(), Turn::text("They have closed.")]).await;
    stage.say("Book it").await;
    let database = stage.server.database().await;
    database.execute("DELETE FROM opening_hours WHERE restaurant_id = 'dl-may-nui'").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["code"]), (&json!("output-error"), &json!("closed")));
    assert_eq!(part["kind"], "input");
    assert!(heard(&stage.model.requests()[1])[0].is_error);
    assert_eq!(database.bookings().await, []);
}

#[tokio::test]
async fn proposed_approved_and_ran_are_kept_apart() {
    let stage = Stage::with([book(), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let edited = booking("dl-may-nui", 4, &evening(3));
    stage.answer_form(json!({ "approved": true, "editedInput": edited })).await;
    stage.assert_ended("done").await;
    let database = stage.server.database().await;
    let parsed = |texts: Vec<String>| -> Value { serde_json::from_str(&texts[0]).unwrap() };
    let proposed = booking("dl-may-nui", 2, &evening(3));
    assert_eq!(parsed(database.texts("SELECT arguments FROM tool_calls").await), proposed);
    assert_eq!(parsed(database.texts("SELECT proposed_input FROM tool_calls").await), proposed);
    assert_eq!(parsed(database.texts("SELECT input FROM approvals").await), proposed);
    assert_eq!(parsed(database.texts("SELECT edited_input FROM approvals").await), edited);
    assert_eq!(parsed(database.texts("SELECT executed_input FROM tool_calls").await), edited);
}

#[tokio::test]
async fn arguments_that_were_changed_behind_an_approval_do_not_run() {
    let stage = Stage::with([book()]).await;
    stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let database = stage.server.database().await;
    database
        .execute("UPDATE approvals SET input = REPLACE(input, '\"partySize\":2', '\"partySize\":9')")
        .await;
    let answer = stage.decide(&call, json!({ "approved": true, "approvalId": approval })).await;
    assert_eq!(answer.status, 500);
    assert_eq!(database.bookings().await, []);
}

#[tokio::test]
async fn a_waiting_run_does_not_keep_the_guest_from_another_conversation() {
    let mut stage = Stage::with([book(), Turn::text("Hello yourself.")]).await;
    stage.say("Book it").await;
    stage.converse().await;
    assert_eq!(stage.say("Hello").await["run"]["status"], "done");
    stage.model.requests().iter().for_each(assert_valid_request);
}

#[tokio::test]
async fn seats_that_many_confirm_at_once_are_given_once() {
    // Ten seats, and ten forms for two that all promise a table.
    let book = || Turn::call("createBooking", booking("dn-hien-gio-nam", 2, &evening(3)));
    let stage = Stage::with((0..10).map(|_| book())).await;
    let mut guests = Vec::new();
    for _ in 0..10 {
        let (guest, conversation) = Guest::with_conversation(&stage.server, "").await;
        let view = guest.say(&conversation, "A table for two").await;
        assert_eq!(tool_parts(&view).next().unwrap()["approval"]["preview"]["status"], "confirmed");
        let (call, approval) = guest.waiting_call(&conversation, 0).await;
        guests.push((guest, conversation, call, approval));
    }
    join_all(guests.iter().map(async |(guest, conversation, call, approval)| {
        guest
            .decide(conversation, call, json!({ "approved": true, "approvalId": approval }))
            .await
            .expect(200);
    }))
    .await;
    let mut outcomes = Vec::new();
    for (guest, conversation, ..) in &guests {
        let view = guest.settled(conversation).await;
        let part = tool_parts(&view).next().unwrap().clone();
        let promised = part["approval"]["preview"]["status"].as_str().unwrap().to_owned();
        outcomes.push((part["state"].as_str().unwrap().to_owned(), promised));
    }
    let count = |state: &str, promised: &str| {
        outcomes.iter().filter(|(is, promises)| is == state && promises == promised).count()
    };
    assert_eq!(count("output-available", "confirmed"), 5, "{outcomes:?}");
    // Nobody is put on a waiting list who agreed to a table.
    assert_eq!(count("approval-requested", "waitlisted"), 5, "{outcomes:?}");
    let booked = stage.server.database().await.bookings().await;
    assert_eq!(booked.iter().map(|booking| booking.party_size).sum::<i64>(), 10);
}

#[tokio::test]
async fn a_form_of_a_tool_that_is_gone_refuses_and_the_run_goes_on() {
    let stage = Stage::with([book(), Turn::text("It is switched off.")]).await;
    stage.say("Book it").await;
    let database = stage.server.database().await;
    database.execute("UPDATE tool_calls SET name = 'bookByPost'").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let answer = stage.decide(&call, json!({ "approved": true, "approvalId": approval })).await;
    answer.expect_problem(409, "tool-unavailable");
    stage.settled().await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["kind"]), (&json!("output-error"), &json!("unavailable")));
    assert_eq!(part["code"], "switched-off");
    assert!(heard(&stage.model.requests()[1])[0].text.contains("switched off"));
    assert_eq!(database.bookings().await, []);
}
