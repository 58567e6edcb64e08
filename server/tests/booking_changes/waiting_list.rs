//! Whoever waits and fits moves up in the transaction that frees the place.

use serde_json::{Value, json};

use super::party::{Seat, cancel, last_server_lines, output};
use crate::support::{Guest, Stage, Turn, booking, evening};

/// It has eight seats.
const SMALL: &str = "dl-nha-kinh-nho";

struct Line {
    stage: Stage,
    others: Vec<(Guest, String)>,
}

impl Line {
    /// Guests who book one after the other, for so many people each.
    async fn of(parties: &[u32]) -> (Self, Vec<Value>) {
        let stage = Stage::with([]).await;
        let mut line = Self { stage, others: Vec::new() };
        let mut made = Vec::new();
        for party in parties {
            line.others.push(Guest::with_conversation(&line.stage.server, "").await);
            let seat = line.seat(line.others.len() - 1);
            made.push(seat.act("createBooking", booking(SMALL, *party, &evening(3))).await);
        }
        (line, made)
    }

    fn seat(&self, index: usize) -> Seat<'_> {
        let (guest, conversation) = &self.others[index];
        Seat { model: &self.stage.model, guest, conversation }
    }

    async fn statuses(&self, made: &[Value]) -> Vec<String> {
        let mut statuses = Vec::new();
        for (index, part) in made.iter().enumerate() {
            let now = self.seat(index).part(&part["toolCallId"]).await;
            statuses.push(output(&now)["status"].as_str().unwrap().to_owned());
        }
        statuses
    }
}

#[tokio::test]
async fn a_cancelled_place_goes_to_the_first_in_line_who_fits() {
    let (line, made) = Line::of(&[4, 4, 6, 3, 1]).await;
    assert_eq!(
        line.statuses(&made).await,
        ["confirmed", "confirmed", "waitlisted", "waitlisted", "waitlisted"]
    );
    let before = line.seat(3).guest.view(line.seat(3).conversation).await;
    line.seat(0).act("cancelBooking", cancel(output(&made[0]))).await;
    // Four seats: not enough for six, then three and one.
    assert_eq!(
        line.statuses(&made).await,
        ["cancelled", "confirmed", "waitlisted", "confirmed", "confirmed"]
    );

    // It came to the other guest's conversation as an event of its own, without a run.
    let seat = line.seat(3);
    let after = before["lastEventId"].as_u64().unwrap();
    let seen = seat
        .guest
        .events_until(seat.conversation, after, |event| {
            matches!(event, shared::event::AgentEvent::ToolOutputUpdated { revision: 1, .. })
        })
        .await;
    assert_eq!(seen.len(), 1);
    assert_eq!(
        serde_json::to_value(seat.guest.folded(seat.conversation).await).unwrap(),
        seat.guest.view(seat.conversation).await
    );

    // And the model hears of it with the next message.
    line.stage.model.then([Turn::text("Good news.")]);
    seat.guest.say(seat.conversation, "How does it look?").await;
    let told = last_server_lines(line.stage.model.requests().last().unwrap());
    let reference = output(&made[3])["reference"].as_str().unwrap();
    assert!(told.contains(reference) && told.contains("confirmed now"), "{told}");
}

#[tokio::test]
async fn a_smaller_party_and_another_time_free_places_too() {
    let (line, made) = Line::of(&[8, 2, 3]).await;
    let smaller = json!({ "bookingId": output(&made[0])["bookingId"], "partySize": 6 });
    line.seat(0).act("changeBooking", smaller).await;
    assert_eq!(line.statuses(&made).await, ["confirmed", "confirmed", "waitlisted"]);
    let noon = evening(3).replace("T19:00", "T12:00");
    let earlier = json!({ "bookingId": output(&made[0])["bookingId"], "startsAt": noon });
    line.seat(0).act("changeBooking", earlier).await;
    assert_eq!(line.statuses(&made).await, ["confirmed", "confirmed", "confirmed"]);
}

#[tokio::test]
async fn who_gives_up_the_place_in_line_is_passed_over() {
    let (line, made) = Line::of(&[8, 4, 4, 4]).await;
    let given_up = line.seat(1).act("cancelBooking", cancel(output(&made[1]))).await;
    assert_eq!(output(&given_up)["status"], "cancelled");
    line.seat(0).act("cancelBooking", cancel(output(&made[0]))).await;
    assert_eq!(line.statuses(&made).await, ["cancelled", "cancelled", "confirmed", "confirmed"]);
}

#[tokio::test]
async fn who_waits_may_change_and_takes_what_is_free() {
    let (line, made) = Line::of(&[6, 4]).await;
    assert_eq!(output(&made[1])["status"], "waitlisted");
    let asked = line
        .seat(1)
        .propose("changeBooking", json!({ "bookingId": output(&made[1])["bookingId"], "partySize": 2 }))
        .await;
    assert_eq!(asked["approval"]["preview"]["status"], "confirmed");
    line.seat(1).agree().await;
    assert_eq!(line.statuses(&made).await, ["confirmed", "confirmed"]);

    let (line, made) = Line::of(&[8, 4, 4]).await;
    // At the same time, with fewer people: still full, and its place in line is kept.
    let asked = line
        .seat(1)
        .propose("changeBooking", json!({ "bookingId": output(&made[1])["bookingId"], "partySize": 5 }))
        .await;
    assert_eq!(asked["approval"]["preview"]["status"], "waitlisted");
    line.seat(1).agree().await;
    line.seat(0).act("cancelBooking", cancel(output(&made[0]))).await;
    assert_eq!(line.statuses(&made).await, ["cancelled", "confirmed", "waitlisted"]);
}

#[tokio::test]
async fn two_bookings_of_one_guest_in_one_conversation_both_follow() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let first = seat.act("createBooking", booking(SMALL, 8, &evening(3))).await;
    let second = seat.act("createBooking", booking(SMALL, 2, &evening(3).replace("T19:00", "T20:00"))).await;
    assert_eq!(output(&second)["status"], "waitlisted");
    seat.act("cancelBooking", cancel(output(&first))).await;
    assert_eq!(seat.part(&second["toolCallId"]).await["output"]["status"], "confirmed");
    // The result tells of the one booking; of the other the model hears with the next message.
    stage.model.then([Turn::text("Good news.")]);
    stage.say("And?").await;
    let told = last_server_lines(stage.model.requests().last().unwrap());
    assert!(told.contains(output(&second)["reference"].as_str().unwrap()), "{told}");
    assert!(!told.contains(output(&first)["reference"].as_str().unwrap()), "{told}");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_time_that_is_full_by_now_is_asked_about_with_fresh_times() {
    let stage = Stage::with([]).await;
    stage.seat().act("createBooking", booking(SMALL, 8, &evening(3))).await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let other = Seat { model: &stage.model, guest: &other, conversation: &conversation };
    let asked = other.propose("createBooking", booking(SMALL, 2, &evening(3))).await;
    let preview = &asked["approval"]["preview"];
    assert_eq!((&preview["status"], &preview["seatsFree"]), (&json!("waitlisted"), &json!(0)));
    let times = preview["otherTimes"].as_array().unwrap();
    assert!(!times.is_empty(), "{preview:#}");
    // Each of them would be had at once.
    let edited = booking(SMALL, 2, times[0].as_str().unwrap());
    let (call, approval) = other.guest.waiting_call(other.conversation, 0).await;
    let body = json!({ "approved": true, "approvalId": approval, "editedInput": edited });
    other.guest.decide(other.conversation, &call, body).await.expect(200);
    other.guest.settled(other.conversation).await;
    let made = other.part(&asked["toolCallId"]).await;
    assert_eq!((&output(&made)["status"], &output(&made)["startsAt"]), (&json!("confirmed"), &times[0]));
}
