//! A person's decision.

use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Server, Turn, local_time, tool_parts};

fn booking() -> Value {
    json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) })
}

/// A guest whose form waits: the conversation, the call and the question.
async fn waiting(server: &Server) -> (Guest, String, String, String) {
    let (guest, conversation) = Guest::with_conversation(server, "").await;
    let view = guest.say(&conversation, "Book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval", "{view:#}");
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    (guest, conversation, call, approval)
}

async fn server_that_books() -> (ScriptedModel, Server) {
    let model =
        ScriptedModel::start([Turn::call("createBooking", booking()), Turn::text("As you see.")]).await;
    let server = Server::start(&model.settings());
    (model, server)
}

#[tokio::test]
async fn a_confirmation_is_answered_200_and_the_same_run_goes_on() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let run = guest.view(&conversation).await["run"]["runId"].clone();
    let body = json!({ "approved": true, "approvalId": approval });
    let answer = guest.decide(&conversation, &call, body.clone()).await.expect(200);
    assert_eq!(answer.body, json!({ "decision": "approved" }));
    let view = guest.settled(&conversation).await;
    assert_eq!((&view["run"]["runId"], &view["run"]["status"]), (&run, &json!("done")));
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!(part["approval"]["approved"], true);
    assert_eq!(part.get("proposedInput"), None);

    // Decided already: the decision that stands, also for who wants the same.
    for approved in [true, false] {
        let problem = guest
            .decide(&conversation, &call, json!({ "approved": approved, "approvalId": approval }))
            .await
            .expect_problem(409, "already-decided");
        assert_eq!(problem["decision"], "approved");
    }
    assert_eq!(server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_refusal_is_answered_200_and_nothing_is_booked() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let answer = guest
        .decide(&conversation, &call, json!({ "approved": false, "approvalId": approval }))
        .await
        .expect(200);
    assert_eq!(answer.body, json!({ "decision": "declined" }));
    let view = guest.settled(&conversation).await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-denied");
    assert_eq!(part["approval"]["approved"], false);
    assert_eq!(server.database().await.bookings().await, []);
    let problem = guest
        .decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }))
        .await
        .expect_problem(409, "already-decided");
    assert_eq!(problem["decision"], "declined");
}

#[tokio::test]
async fn right_after_the_answer_no_read_says_that_the_run_still_waits() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.view(&conversation).await;
    assert_ne!(view["run"]["status"], "awaiting-approval", "{view:#}");
    assert_ne!(tool_parts(&view).next().unwrap()["state"], "approval-requested");
}

#[tokio::test]
async fn an_edit_runs_as_the_person_wrote_it_beside_what_was_proposed() {
    let (model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let edited = json!({
        "restaurantId": "dl-may-nui", "partySize": 3, "startsAt": local_time(3, 20, 0), "note": "bên cửa sổ"
    });
    let body = json!({ "approved": true, "approvalId": approval, "editedInput": edited });
    guest.decide(&conversation, &call, body).await.expect(200);
    let view = guest.settled(&conversation).await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!(part["input"], edited);
    assert_eq!(part["proposedInput"], booking());
    assert_eq!(part["output"]["partySize"], 3);
    assert_eq!(part["output"]["note"], "bên cửa sổ");
    assert_eq!(server.database().await.bookings().await[0].party_size, 3);
    let heard = model.requests().pop().unwrap()["messages"].to_string();
    assert!(heard.contains("before confirming: partySize from 2 to 3"), "{heard}");
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_no_edit() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let body = json!({ "approved": true, "approvalId": approval, "editedInput": booking() });
    guest.decide(&conversation, &call, body).await.expect(200);
    let view = guest.settled(&conversation).await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!(part.get("proposedInput"), None);
}

#[tokio::test]
async fn an_unusable_edit_is_422_at_its_fields_and_the_form_still_waits() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let with = |field: &str, value: Value| {
        let mut edited = booking();
        edited[field] = value;
        edited
    };
    let without = |field: &str| {
        let mut edited = booking();
        edited.as_object_mut().unwrap().remove(field);
        edited
    };
    for (edited, path, code) in [
        (with("partySize", json!(0)), "/partySize", "out-of-range"),
        (with("partySize", json!(21)), "/partySize", "out-of-range"),
        (with("partySize", json!("four")), "/partySize", "wrong-type"),
        (with("startsAt", json!("tomorrow")), "/startsAt", "bad-format"),
        (with("startsAt", json!("2026-12-05T19:00:00")), "/startsAt", "bad-format"),
        (with("startsAt", json!(local_time(-1, 19, 0))), "/startsAt", "past"),
        (with("startsAt", json!(local_time(120, 19, 0))), "/startsAt", "too-far-ahead"),
        (with("startsAt", json!(local_time(3, 4, 0))), "/startsAt", "closed"),
        (with("restaurantId", json!("nowhere")), "/restaurantId", "unknown-restaurant"),
        (with("note", json!("x".repeat(301))), "/note", "too-long"),
        (with("note", json!("a\u{0}b")), "/note", "bad-characters"),
        (with("price", json!(1)), "/price", "unknown-field"),
        (without("startsAt"), "/startsAt", "required"),
        (json!("yes"), "", "wrong-type"),
        (json!([]), "", "wrong-type"),
    ] {
        let body = json!({ "approved": true, "approvalId": approval, "editedInput": edited });
        let problem = guest.decide(&conversation, &call, body).await.expect_problem(422, "invalid-input");
        let errors = problem["errors"].as_array().unwrap();
        let found = errors.iter().any(|error| error["path"] == path && error["code"] == code);
        assert!(found, "wanted {code} at {path:?}: {edited} gave {problem:#}");
        assert!(errors.iter().all(|error| !error["message"].as_str().unwrap().is_empty()), "{problem}");
    }
    // Two wrong fields are told at once.
    let mut edited = with("partySize", json!(99));
    edited["startsAt"] = json!("soon");
    let body = json!({ "approved": true, "approvalId": approval, "editedInput": edited });
    let problem = guest.decide(&conversation, &call, body).await.expect_problem(422, "invalid-input");
    assert_eq!(problem["errors"].as_array().unwrap().len(), 2, "{problem:#}");

    let view = guest.view(&conversation).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "approval-requested");
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
}

#[tokio::test]
async fn a_decision_on_another_question_is_409_and_decides_nothing() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, _) = waiting(&server).await;
    let other = json!({ "approved": true, "approvalId": "another" });
    guest.decide(&conversation, &call, other).await.expect_problem(409, "asked-again");
    assert_eq!(guest.view(&conversation).await["run"]["status"], "awaiting-approval");
    // A client that sends none decides the only question that there was.
    guest.decide(&conversation, &call, json!({ "approved": false })).await.expect(200);
}

#[tokio::test]
async fn a_question_that_changed_must_be_answered_anew() {
    let (_model, server) = server_that_books().await;
    let (guest, conversation, call, approval) = waiting(&server).await;
    let database = server.database().await;
    // Full: the form had promised a table, now there is a place on the waiting list.
    database.execute("UPDATE restaurants SET seats = 2 WHERE id = 'dl-may-nui'").await;
    let full = format!(
        "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, ends_at, status, created_at)
         SELECT 'b1', 'FULL', user_id, 'dl-may-nui', 'elsewhere', 2, {0}, {0} + 7200000, 'confirmed', 0 FROM sessions",
        chrono::DateTime::parse_from_rfc3339(&local_time(3, 19, 0)).unwrap().timestamp_millis()
    );
    database.execute_owned(full).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "approval-requested", "{view:#}");
    assert_eq!(part["approval"]["preview"]["status"], "waitlisted");
    assert_ne!(part["approval"]["approvalId"], approval.as_str());
    // The old question counts no more, nor an answer that names none.
    for body in [json!({ "approved": true, "approvalId": approval }), json!({ "approved": true })] {
        guest.decide(&conversation, &call, body).await.expect_problem(409, "asked-again");
    }
    let newest = part["approval"]["approvalId"].clone();
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": newest })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["output"]["status"], "waitlisted");
}

#[tokio::test]
async fn a_question_whose_time_is_up_is_409_expired() {
    let model = ScriptedModel::start([Turn::call("createBooking", booking())]).await;
    let mut settings = model.settings();
    settings.push(("TRUTHTABLE_APPROVAL_SECONDS", "1"));
    let server = Server::start(&settings);
    let (guest, conversation, call, approval) = waiting(&server).await;
    let view = guest.until(&conversation, |view| view["run"]["status"] != "awaiting-approval").await;
    assert_eq!(view["run"]["status"], "cancelled");
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["reason"]), (&json!("output-cancelled"), &json!("expired")));
    let problem = guest
        .decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }))
        .await
        .expect_problem(409, "approval-expired");
    assert_eq!(problem["decision"], "expired");
    assert_eq!(server.database().await.bookings().await, []);
    // Nobody was there: the model was not called again.
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn a_call_that_never_asked_and_one_that_is_not_there_are_404() {
    let model = ScriptedModel::start([Turn::call("getWeather", json!({ "city": "Huế" }))]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Weather?").await;
    let call = tool_parts(&view).next().unwrap()["toolCallId"].as_str().unwrap();
    guest.decide(&conversation, call, json!({ "approved": true })).await.expect_problem(404, "not-found");
    guest
        .decide(&conversation, "no-such-call", json!({ "approved": true }))
        .await
        .expect_problem(404, "not-found");
}

#[tokio::test]
async fn a_call_is_not_decided_through_another_conversation_of_the_same_guest() {
    let (_model, server) = server_that_books().await;
    let (mut guest, conversation, call, approval) = waiting(&server).await;
    let other = guest.converse(json!({})).await;
    let body = json!({ "approved": true, "approvalId": approval });
    guest.decide(&other, &call, body).await.expect_problem(404, "not-found");
    assert_eq!(guest.view(&conversation).await["run"]["status"], "awaiting-approval");
}

#[tokio::test]
async fn a_read_that_shall_ask_waits_for_a_person_too() {
    let model =
        ScriptedModel::start([Turn::call("getWeather", json!({ "city": "Huế" })), Turn::text("So it is.")])
            .await;
    let mut settings = model.settings();
    settings.push(("TRUTHTABLE_ASK_ALSO", "getWeather,findTables"));
    let server = Server::start(&settings);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Weather?").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available");
}
