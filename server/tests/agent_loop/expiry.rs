//! A form whose time is up: found out whenever somebody looks, and by itself.

use serde_json::{Value, json};

use crate::support::{Stage, Turn, booking, evening, heard, json_of, of_call, told_by_user, tool_parts};

const SOON: [(&str, &str); 1] = [("TRUTHTABLE_APPROVAL_SECONDS", "2")];
/// Time enough to decide one form on a busy machine before the other expires.
const LATER: [(&str, &str); 1] = [("TRUTHTABLE_APPROVAL_SECONDS", "5")];

fn book() -> Turn {
    Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
}

fn two_forms() -> Turn {
    book().and_call("createBooking", booking("dn-song-khuya", 4, &evening(3)))
}

/// Lets a form's time pass without asking the server anything.
async fn time_passes(view: &Value) {
    let ends = tool_parts(view).filter_map(|part| part["approval"]["expiresAt"].as_str());
    let last = ends.map(|end| chrono::DateTime::parse_from_rfc3339(end).unwrap()).max().expect("a form");
    let left = last.signed_duration_since(chrono::Utc::now()).to_std().unwrap_or_default();
    tokio::time::sleep(left + std::time::Duration::from_millis(10)).await;
}

fn assert_expired(part: &Value) {
    assert_eq!(
        (&part["state"], &part["reason"]),
        (&json!("output-cancelled"), &json!("expired")),
        "{part:#}"
    );
}

#[tokio::test]
async fn a_form_is_expired_when_it_is_read() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    time_passes(&parked).await;
    let view = stage.view().await;
    assert_expired(tool_parts(&view).next().unwrap());
    assert_eq!(view["run"]["status"], "cancelled");
    let list = stage.guest.get("/api/conversations").await.expect(200).body;
    assert_eq!(list["conversations"][0]["waiting"], 0);
    // Nobody decided anything: no further model call.
    assert_eq!(stage.model.requests().len(), 1);
    stage.assert_ended("cancelled").await;
}

#[tokio::test]
async fn a_form_that_cannot_be_read_keeps_nobody_else_from_theirs() {
    let mut stage = Stage::with_settings(&SOON, [book(), Turn::text("Hello.")]).await;
    let parked = stage.say("Book it").await;
    stage.server.database().await.execute("UPDATE approvals SET arguments_hash = 'another'").await;
    time_passes(&parked).await;
    stage.converse().await;
    let view = stage.say("And here?").await;
    assert_eq!(view["run"]["status"], "done");
    stage.guest.get("/api/conversations").await.expect(200);
}

#[tokio::test]
async fn a_list_of_conversations_counts_no_expired_form() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    time_passes(&parked).await;
    let list = stage.guest.get("/api/conversations").await.expect(200).body;
    assert_eq!(list["conversations"][0]["waiting"], 0);
}

#[tokio::test]
async fn of_very_many_forms_that_expire_together_none_can_be_confirmed() {
    let forms = (0..130).map(|n| {
        booking("dl-may-nui", 2, &evening(3 + n / 3).replace("19:", ["18:", "19:", "20:"][n as usize % 3]))
    });
    let turn = forms.fold(Turn::text(""), |turn, form| turn.and_call("createBooking", form));
    let stage = Stage::with_settings(&SOON, [turn.stopping_with("tool_use")]).await;
    let parked = stage.say("Book them all").await;
    let last = tool_parts(&parked).filter(|part| part["state"] == "approval-requested").last().unwrap();
    let call = last["toolCallId"].as_str().unwrap().to_owned();
    time_passes(&parked).await;
    let problem =
        stage.decide(&call, json!({ "approved": true })).await.expect_problem(409, "approval-expired");
    assert_eq!(problem["decision"], "expired");
    assert_eq!(stage.server.database().await.bookings().await.len(), 0);
    let view = stage.view().await;
    assert!(tool_parts(&view).all(|part| part["state"] != "approval-requested"));
}

#[tokio::test]
async fn a_decision_that_comes_too_late_is_told_that() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    let part = stage.only_part().await;
    time_passes(&parked).await;
    let body = json!({ "approved": true, "approvalId": part["approval"]["approvalId"] });
    for _ in 0..2 {
        let answer = stage.decide(part["toolCallId"].as_str().unwrap(), body.clone()).await;
        assert_eq!(answer.expect_problem(409, "approval-expired")["decision"], "expired");
    }
    stage.assert_ended("cancelled").await;
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn a_form_expires_by_itself_before_the_eyes_of_a_reader() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    stage.say("Book it").await;
    let call = stage.only_part().await["toolCallId"].clone();
    let events = stage
        .guest
        .events_until(&stage.conversation, 0, |event| json_of(event)["status"] == "cancelled")
        .await;
    let last = of_call(&events, &call).last().unwrap().clone();
    assert_eq!((&last["type"], &last["reason"]), (&json!("tool-output-cancelled"), &json!("expired")));
    assert_eq!(stage.model.requests().len(), 1);
    stage.assert_ended("cancelled").await;
}

#[tokio::test]
async fn a_form_expires_also_while_the_server_is_down() {
    let mut stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    stage.server.kill();
    time_passes(&parked).await;
    stage.server.restart();
    let view = stage.assert_ended("cancelled").await;
    assert_expired(tool_parts(&view).next().unwrap());
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn the_next_message_tells_the_model_once_that_a_form_has_expired() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    time_passes(&parked).await;
    stage.view().await;
    stage.say("Hello again").await;
    stage.say("And again").await;
    stage.assert_sound().await;
    let requests = stage.model.requests();
    assert_eq!(requests.len(), 3);
    let told = told_by_user(&requests[1]);
    assert!(told[0].contains("createBooking") && told[0].contains("expired"), "{told:?}");
    assert_eq!(told[1], "Hello again");
    // Its call has its result all the same.
    assert!(heard(&requests[1])[0].text.contains("expired"));
    assert!(!told_by_user(&requests[2])[0].contains("expired"), "{:?}", told_by_user(&requests[2]));
}

#[tokio::test]
async fn a_message_after_the_time_finds_the_form_expired_and_not_superseded() {
    let stage = Stage::with_settings(&SOON, [book()]).await;
    let parked = stage.say("Book it").await;
    time_passes(&parked).await;
    // Nobody has looked meanwhile.
    stage.say("Hello again").await;
    let view = stage.assert_sound().await;
    assert_expired(tool_parts(&view).next().unwrap());
    stage.say("And again").await;
    let requests = stage.model.requests();
    assert!(told_by_user(&requests[1])[0].contains("expired"), "{:?}", told_by_user(&requests[1]));
    assert!(!told_by_user(&requests[2])[0].contains("expired"), "{:?}", told_by_user(&requests[2]));
}

#[tokio::test]
async fn where_all_forms_of_a_turn_expired_the_model_is_not_asked() {
    let stage = Stage::with_settings(&SOON, [two_forms()]).await;
    let parked = stage.say("Book both").await;
    time_passes(&parked).await;
    let view = stage.assert_ended("cancelled").await;
    tool_parts(&view).for_each(assert_expired);
    let requests = stage.model.requests();
    let results = heard(&requests[1]);
    assert_eq!(results.len(), 2);
    // Both are told at the next message.
    assert_eq!(told_by_user(&requests[1])[0].matches("expired").count(), 2);
}

#[tokio::test]
async fn one_declined_and_one_expired_resume_the_run() {
    let stage = Stage::with_settings(&LATER, [two_forms(), Turn::text("Then not.")]).await;
    let parked = stage.say("Book both").await;
    let view = stage.answer_form(json!({ "approved": false })).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    time_passes(&parked).await;
    stage.until(|view| view["run"]["status"] == "done").await;
    assert_eq!(stage.model.requests().len(), 2);
    let view = stage.assert_ended("done").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["state"], "output-denied");
    assert_expired(parts[1]);
    let results = heard(&stage.model.requests()[1]);
    assert!(results[0].text.contains("declined"), "{results:?}");
    assert!(results[1].text.contains("expired"), "{results:?}");
}

#[tokio::test]
async fn one_approved_and_one_expired_resume_the_run() {
    let stage = Stage::with_settings(&LATER, [two_forms(), Turn::text("One of them.")]).await;
    let parked = stage.say("Book both").await;
    let view = stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    time_passes(&parked).await;
    stage.until(|view| view["run"]["status"] == "done").await;
    let view = stage.assert_ended("done").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["state"], "output-available");
    assert_expired(parts[1]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}
