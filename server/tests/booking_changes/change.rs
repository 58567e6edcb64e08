//! changeBooking: the old place is kept until the new one is certain, and everything follows.

use serde_json::{Value, json};

use super::party::{Seat, assert_failed, cancel, output};
use crate::support::{Guest, Stage, booking, evening, heard, tool_parts};

/// Half an hour or more later the same evening.
fn later(starts_at: &str, minutes: i64) -> String {
    let moment = chrono::DateTime::parse_from_rfc3339(starts_at).unwrap();
    (moment + chrono::Duration::minutes(minutes)).to_rfc3339()
}

fn to(booking: &Value, starts_at: &str) -> Value {
    json!({ "bookingId": booking["bookingId"], "startsAt": starts_at })
}

#[tokio::test]
async fn a_change_shows_before_and_after_and_every_receipt_follows() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening)).await;
    let wanted = json!({
        "bookingId": output(&made)["bookingId"], "startsAt": later(&evening, 60), "partySize": 4
    });
    let asked = seat.propose("changeBooking", wanted).await;
    let preview = &asked["approval"]["preview"];
    assert_eq!(preview["booking"], *output(&made));
    assert_eq!((&preview["startsAt"], &preview["partySize"]), (&json!(later(&evening, 60)), &json!(4)));
    assert_eq!((&preview["status"], &preview["seatsFree"]), (&json!("confirmed"), &json!(40)));
    let changed = seat.agree().await;
    let now = output(&changed);
    assert_eq!((&now["startsAt"], &now["partySize"]), (&json!(later(&evening, 60)), &json!(4)));
    assert_eq!(
        (&now["bookingId"], &now["reference"]),
        (&output(&made)["bookingId"], &output(&made)["reference"])
    );
    assert_eq!(seat.part(&made["toolCallId"]).await["output"], *now);

    // A second change: the receipt of the first one follows too.
    let back = seat.act("changeBooking", to(now, &evening)).await;
    for earlier in [&made, &changed] {
        assert_eq!(seat.part(&earlier["toolCallId"]).await["output"], *output(&back));
    }
    // And so it does when all of it is given back.
    seat.act("cancelBooking", cancel(now)).await;
    for earlier in [&made, &changed, &back] {
        assert_eq!(seat.part(&earlier["toolCallId"]).await["output"]["status"], "cancelled");
    }
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn the_bookings_key_moves_with_it() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening)).await;
    let mut wanted = to(output(&made), &later(&evening, 60));
    wanted["partySize"] = json!(3);
    seat.act("changeBooking", wanted).await;

    // What stands at the new time is this very booking.
    let same = seat.propose("createBooking", booking("dl-may-nui", 3, &later(&evening, 60))).await;
    assert_eq!((&same["reason"], &same["of"]), (&json!("repeated"), &made["toolCallId"]), "{same:#}");
    let told = heard(stage.model.requests().last().unwrap());
    assert!(told[0].text.contains(&later(&evening, 60)), "the first outcome, as it is now: {told:?}");
    let other = seat.propose("createBooking", booking("dl-may-nui", 2, &later(&evening, 60))).await;
    assert_failed(&other, "conflicts-with-earlier");
    // And the old time is free for a new one.
    let new = seat.act("createBooking", booking("dl-may-nui", 2, &evening)).await;
    assert_ne!(output(&new)["bookingId"], output(&made)["bookingId"]);
    // To which the first can therefore not go back.
    let clash = seat.propose("changeBooking", to(output(&made), &evening)).await;
    assert_failed(&clash, "another-booking");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_full_time_is_refused_with_free_ones_and_the_old_place_is_kept() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-nha-kinh-nho", 4, &evening)).await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let other = Seat { model: &stage.model, guest: &other, conversation: &conversation };
    other.act("createBooking", booking("dl-nha-kinh-nho", 4, &evening)).await;

    let mut more = cancel(output(&made));
    more["partySize"] = json!(6);
    let refused = seat.propose("changeBooking", more).await;
    assert_failed(&refused, "full");
    let times: Vec<&str> =
        refused["params"]["times"].as_array().unwrap().iter().map(|time| time.as_str().unwrap()).collect();
    assert!(!times.is_empty() && times.iter().all(|time| *time != evening), "{times:?}");
    let told = heard(stage.model.requests().last().unwrap());
    assert!(told[0].text.contains("stays as it is") && told[0].text.contains(&times[0][11..16]), "{told:?}");
    assert_eq!(seat.part(&made["toolCallId"]).await["output"], *output(&made));

    // One of the free times works.
    let mut wanted = to(output(&made), times[0]);
    wanted["partySize"] = json!(6);
    let moved = seat.act("changeBooking", wanted).await;
    assert_eq!(output(&moved)["status"], "confirmed");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_place_that_goes_while_the_form_waits_is_not_lost_with_the_old_one() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-nha-kinh-nho", 4, &evening)).await;
    // It ends when the other begins, so that one does not touch the other.
    let wanted = later(&evening, -120).replace("T17:00", "T17:30");
    let before = seat.propose("changeBooking", to(output(&made), &wanted)).await;
    assert_eq!(before["state"], "approval-requested", "{before:#}");
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let other = Seat { model: &stage.model, guest: &other, conversation: &conversation };
    let theirs = other.act("createBooking", booking("dl-nha-kinh-nho", 4, &wanted)).await;
    assert_eq!(output(&theirs)["status"], "confirmed");
    stage
        .server
        .database()
        .await
        .execute("UPDATE bookings SET party_size = 8 WHERE starts_at = (SELECT MIN(starts_at) FROM bookings)")
        .await;

    let late = seat.agree().await;
    assert_failed(&late, "full");
    assert_eq!(seat.part(&made["toolCallId"]).await["output"], *output(&made), "the old place is kept");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_change_that_changes_nothing_is_said_to_be_none() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening)).await;
    for same in [
        cancel(output(&made)),
        to(output(&made), &evening),
        json!({ "bookingId": output(&made)["bookingId"], "startsAt": evening, "partySize": 2 }),
    ] {
        let part = seat.propose("changeBooking", same).await;
        assert_failed(&part, "nothing-to-change");
    }
}

#[tokio::test]
async fn the_same_change_proposed_again_has_no_second_form() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening(3))).await;
    let change = json!({ "bookingId": output(&made)["bookingId"], "partySize": 3 });
    stage.model.then([
        crate::support::Turn::call("changeBooking", change.clone()).and_call("changeBooking", change),
        crate::support::Turn::text("So."),
    ]);
    let view = stage.say("Three of us").await;
    let parts: Vec<Value> = tool_parts(&view).cloned().collect();
    assert_eq!(parts[1]["state"], "approval-requested");
    assert_eq!((&parts[2]["reason"], &parts[2]["of"]), (&json!("repeated"), &parts[1]["toolCallId"]));
    stage.seat().agree().await;
    stage.assert_ended("done").await;
    let database = stage.server.database().await;
    assert_eq!(database.numbers("SELECT revision FROM bookings").await, [1]);
}

#[tokio::test]
async fn an_edit_of_the_form_is_what_is_done() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening)).await;
    let asked = seat.propose("changeBooking", to(output(&made), &later(&evening, 30))).await;
    let edited = json!({
        "bookingId": output(&made)["bookingId"], "startsAt": later(&evening, 60), "partySize": 5
    });
    let view = stage.answer_form(json!({ "approved": true, "editedInput": edited })).await;
    let done = tool_parts(&view).last().unwrap();
    assert_eq!(done["toolCallId"], asked["toolCallId"]);
    assert_eq!(output(done)["partySize"], 5);
    assert_eq!(output(done)["startsAt"], later(&evening, 60));
    assert_eq!(done["proposedInput"]["startsAt"], later(&evening, 30));
    // One that does not fit is refused at its field, and the call still waits.
    seat.propose("changeBooking", to(output(done), &evening)).await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let bad = json!({ "bookingId": output(done)["bookingId"], "partySize": 21 });
    let refused =
        stage.decide(&call, json!({ "approved": true, "approvalId": approval, "editedInput": bad })).await;
    assert_eq!(refused.expect_problem(422, "invalid-input")["errors"][0]["path"], "/partySize");
    assert_eq!(seat.agree().await["output"]["startsAt"], evening);
}

#[tokio::test]
async fn a_full_time_is_not_answered_with_the_booking_s_own() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let evening = evening(3);
    let made = seat.act("createBooking", booking("dl-nha-kinh-nho", 3, &later(&evening, 60))).await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let other = Seat { model: &stage.model, guest: &other, conversation: &conversation };
    other.act("createBooking", booking("dl-nha-kinh-nho", 6, &later(&evening, -60))).await;
    let refused = seat.propose("changeBooking", to(output(&made), &evening)).await;
    assert_failed(&refused, "full");
    let times = refused["params"]["times"].as_array().unwrap();
    assert!(!times.is_empty() && !times.contains(&json!(later(&evening, 60))), "{times:?}");
}
