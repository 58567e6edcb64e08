//! A person changes what was proposed before agreeing to it.

use serde_json::{Value, json};

use crate::support::{Guest, Stage, Turn, booking, evening, heard, local_time, of_call, tool_parts};

fn proposed() -> Value {
    let mut proposed = booking("dl-may-nui", 2, &evening(3));
    proposed["note"] = json!("a quiet corner");
    proposed
}

async fn waiting() -> Stage {
    let stage = Stage::with([Turn::call("createBooking", proposed())]).await;
    let view = stage.say("Book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    stage.model.then([Turn::text("As you see.")]);
    stage
}

fn with(field: &str, value: Value) -> Value {
    let mut edited = proposed();
    edited[field] = value;
    edited
}

fn without(field: &str) -> Value {
    let mut edited = proposed();
    edited.as_object_mut().unwrap().remove(field);
    edited
}

#[tokio::test]
async fn what_the_person_made_of_it_runs_and_everybody_is_told() {
    let stage = waiting().await;
    let later = evening(3).replace("19:00:00", "20:30:00");
    let mut edited = booking("dl-may-nui", 5, &later);
    edited["note"] = json!("by the window");
    stage.answer_form(json!({ "approved": true, "editedInput": edited })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!((&part["input"], &part["proposedInput"]), (&edited, &proposed()));
    let output = &part["output"];
    assert_eq!(
        (&output["partySize"], &output["startsAt"], &output["note"]),
        (&json!(5), &json!(later), &edited["note"])
    );

    let events = of_call(&stage.events().await, &part["toolCallId"]);
    let responded = events.iter().find(|event| event["type"] == "tool-approval-responded").unwrap();
    assert_eq!((&responded["approved"], &responded["input"]), (&json!(true), &edited));
    let available = events.iter().find(|event| event["type"] == "tool-input-available").unwrap();
    assert_eq!(available["input"], proposed());

    let requests = stage.model.requests();
    // The model's own proposal stays as it was made.
    assert_eq!(requests[1]["messages"][1]["content"][0]["input"], proposed());
    let result = &heard(&requests[1])[0];
    assert_eq!(serde_json::from_str::<Value>(&result.text).unwrap(), *output);
    let note = result.note.as_ref().expect("a note about the change");
    for word in ["partySize", "2", "5", "startsAt", "20:30", "by the window"] {
        assert!(note.contains(word), "{word} is not in {note}");
    }
    let booked = stage.server.database().await.bookings().await;
    assert_eq!(booked.iter().map(|booking| booking.party_size).collect::<Vec<_>>(), [5]);
}

#[tokio::test]
async fn an_edit_replaces_the_whole_input() {
    let stage = waiting().await;
    stage.answer_form(json!({ "approved": true, "editedInput": without("note") })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["input"], without("note"));
    assert_eq!(part["output"].get("note"), None);
    assert!(heard(&stage.model.requests()[1])[0].note.as_ref().unwrap().contains("note"));
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_none() {
    let stage = waiting().await;
    stage.answer_form(json!({ "approved": true, "editedInput": proposed() })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], part.get("proposedInput")), (&json!("output-available"), None));
    let events = of_call(&stage.events().await, &part["toolCallId"]);
    let responded = events.iter().find(|event| event["type"] == "tool-approval-responded").unwrap();
    assert_eq!(responded.get("input"), None);
    assert_eq!(heard(&stage.model.requests()[1])[0].note, None);
}

#[tokio::test]
async fn an_edit_that_does_not_fit_is_refused_field_by_field_and_the_form_stays() {
    let stage = waiting().await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let before = stage.view().await;
    let refusals = [
        (with("partySize", json!(0)), "/partySize", "out-of-range", json!({ "min": 1, "max": 20 })),
        (with("partySize", json!(21)), "/partySize", "out-of-range", json!({ "min": 1, "max": 20 })),
        (with("partySize", json!("x")), "/partySize", "wrong-type", json!({ "expected": "integer" })),
        (with("partySize", json!(2.5)), "/partySize", "wrong-type", json!({ "expected": "integer" })),
        (with("tip", json!(5)), "/tip", "unknown-field", Value::Null),
        (without("startsAt"), "/startsAt", "required", Value::Null),
        (with("startsAt", json!("tomorrow")), "/startsAt", "bad-format", json!({ "expected": "date-time" })),
        (
            with("startsAt", json!("2026-12-05T19:00:00")),
            "/startsAt",
            "bad-format",
            json!({ "expected": "date-time" }),
        ),
        (with("note", json!("x".repeat(301))), "/note", "too-long", json!({ "max": 300 })),
        (with("note", json!("a\u{0}b")), "/note", "bad-characters", Value::Null),
        (with("restaurantId", json!("")), "/restaurantId", "empty", Value::Null),
        (
            with("startsAt", json!(local_time(3, 5, 0))),
            "/startsAt",
            "closed",
            json!({ "hours": [{ "opens": "10:00", "closes": "22:00" }] }),
        ),
        (with("startsAt", json!(local_time(-1, 19, 0))), "/startsAt", "past", Value::Null),
        (
            with("startsAt", json!(local_time(95, 19, 0))),
            "/startsAt",
            "too-far-ahead",
            json!({ "maxDays": 90 }),
        ),
        (with("restaurantId", json!("no-such-place")), "/restaurantId", "unknown-restaurant", Value::Null),
    ];
    for (edited, path, code, params) in refusals {
        let body = json!({ "approved": true, "editedInput": edited, "approvalId": approval });
        let problem = stage.decide(&call, body).await.expect_problem(422, "invalid-input");
        let errors = problem["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 1, "{problem:#}");
        assert_eq!((&errors[0]["path"], &errors[0]["code"]), (&json!(path), &json!(code)), "{problem:#}");
        assert!(!errors[0]["message"].as_str().unwrap().is_empty());
        if params.is_object() {
            assert_eq!(errors[0]["params"], params);
        }
        assert_eq!(problem.get("decision"), None);
    }
    assert_eq!(stage.view().await, before, "the form has not stayed as it was");

    stage.answer_form(json!({ "approved": true, "editedInput": with("partySize", json!(4)) })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(tool_parts(&view).next().unwrap()["output"]["partySize"], 4);
}

#[tokio::test]
async fn all_that_is_wrong_with_an_edit_is_told_at_once() {
    let stage = waiting().await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let edited = json!({ "restaurantId": "dl-may-nui", "partySize": "x", "tip": 5 });
    let problem = stage
        .decide(&call, json!({ "approved": true, "editedInput": edited }))
        .await
        .expect_problem(422, "invalid-input");
    let mut paths: Vec<&str> =
        problem["errors"].as_array().unwrap().iter().map(|error| error["path"].as_str().unwrap()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/partySize", "/startsAt", "/tip"]);
    for edited in [json!([]), json!("two"), json!(2)] {
        let answer = stage.decide(&call, json!({ "approved": true, "editedInput": edited })).await;
        assert_eq!(answer.expect_problem(422, "invalid-input")["errors"][0]["path"], "");
    }
}

#[tokio::test]
async fn a_party_that_the_restaurant_cannot_seat_is_refused_at_the_field() {
    let stage = Stage::with([Turn::call("createBooking", booking("hcm-tam-ghe", 2, &evening(3)))]).await;
    stage.say("Book it").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let edited = booking("hcm-tam-ghe", 9, &evening(3));
    let problem = stage
        .decide(&call, json!({ "approved": true, "editedInput": edited }))
        .await
        .expect_problem(422, "invalid-input");
    let error = &problem["errors"][0];
    assert_eq!(
        (&error["path"], &error["code"], &error["params"]),
        (&json!("/partySize"), &json!("party-too-large"), &json!({ "seats": 8 }))
    );
}

/// A guest of their own books a table; afterwards its seats are taken.
async fn rival_books(stage: &Stage, booking: Value) {
    stage.model.then([Turn::call("createBooking", booking), Turn::text("There.")]);
    let (rival, conversation) = Guest::with_conversation(&stage.server, "").await;
    rival.say(&conversation, "A table").await;
    let (call, _) = rival.waiting_call(&conversation, 0).await;
    rival.decide(&conversation, &call, json!({ "approved": true })).await.expect(200);
    let view = rival.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["output"]["status"], "confirmed");
}

#[tokio::test]
async fn a_time_that_was_offered_as_free_is_booked_or_asked_about_again_but_never_waited_for() {
    // Ten seats.
    let table = |time: &str| booking("dn-hien-gio-nam", 6, time);
    for taken_meanwhile in [false, true] {
        let stage = Stage::with([]).await;
        rival_books(&stage, table(&evening(3))).await;
        stage.model.then([Turn::call("createBooking", table(&evening(3)))]);
        stage.say("For six").await;
        let preview = stage.only_part().await["approval"]["preview"].clone();
        assert_eq!(preview["status"], "waitlisted");
        let offered = preview["otherTimes"][0].as_str().expect("another time").to_owned();
        let edit = json!({ "approved": true, "editedInput": table(&offered) });

        if taken_meanwhile {
            rival_books(&stage, table(&offered)).await;
            stage.answer_form(edit).await;
            stage.assert_sound().await;
            let part = stage.only_part().await;
            assert_eq!(part["state"], "approval-requested");
            let preview = &part["approval"]["preview"];
            assert_eq!((&preview["status"], &preview["startsAt"]), (&json!("waitlisted"), &json!(offered)));
        } else {
            stage.model.then([Turn::text("There.")]);
            stage.answer_form(edit).await;
            let view = stage.assert_ended("done").await;
            let output = &tool_parts(&view).next().unwrap()["output"];
            assert_eq!((&output["status"], &output["startsAt"]), (&json!("confirmed"), &json!(offered)));
        }
    }
}

#[tokio::test]
async fn an_edit_that_the_preview_did_not_promise_is_asked_about_again_with_the_edit_in_it() {
    // Ten seats, of which a rival takes six.
    let rival_turn = Turn::call("createBooking", booking("dn-hien-gio-nam", 6, &evening(3)));
    let stage = Stage::with([rival_turn, Turn::text("There.")]).await;
    let (rival, conversation) = Guest::with_conversation(&stage.server, "").await;
    rival.say(&conversation, "For six").await;
    let (call, _) = rival.waiting_call(&conversation, 0).await;
    rival.decide(&conversation, &call, json!({ "approved": true })).await.expect(200);
    rival.settled(&conversation).await;

    let small = booking("dn-hien-gio-nam", 2, &evening(3));
    let large = booking("dn-hien-gio-nam", 5, &evening(3));
    stage.model.then([Turn::call("createBooking", small.clone())]);
    stage.say("For two").await;
    assert_eq!(stage.only_part().await["approval"]["preview"]["status"], "confirmed");
    stage.answer_form(json!({ "approved": true, "editedInput": large })).await;
    stage.assert_sound().await;
    let part = stage.only_part().await;
    assert_eq!(part["state"], "approval-requested");
    assert_eq!((&part["input"], &part["proposedInput"]), (&large, &small));
    assert_eq!(part["approval"]["preview"]["status"], "waitlisted");

    stage.model.then([Turn::text("You are on the list.")]);
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["input"], &part["proposedInput"]), (&large, &small));
    assert_eq!((&part["output"]["status"], &part["output"]["partySize"]), (&json!("waitlisted"), &json!(5)));
    let requests = stage.requests().await;
    assert!(heard(&requests[1])[0].note.as_ref().unwrap().contains("partySize from 2 to 5"));
}
