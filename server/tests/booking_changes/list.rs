//! listBookings: one's own, from every conversation, as they are now.

use serde_json::{Value, json};

use super::party::{cancel, output};
use crate::support::{Guest, Stage, booking, evening};

fn statuses(part: &Value) -> Vec<(String, String)> {
    let listed = output(part)["bookings"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    listed.iter().map(|booking| (text(&booking["restaurantId"]), text(&booking["status"]))).collect()
}

#[tokio::test]
async fn a_guest_sees_their_own_bookings_as_they_are_now() {
    let mut stage = Stage::with([]).await;
    let empty = stage.seat().propose("listBookings", json!({})).await;
    assert_eq!(output(&empty)["bookings"], json!([]));

    let later = stage.seat().act("createBooking", booking("dl-may-nui", 2, &evening(5))).await;
    stage.converse().await;
    let full = stage.seat().act("createBooking", booking("dl-nha-kinh-nho", 8, &evening(3))).await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let other = super::party::Seat { model: &stage.model, guest: &other, conversation: &conversation };
    let waits = other.act("createBooking", booking("dl-nha-kinh-nho", 2, &evening(3))).await;
    assert_eq!(output(&waits)["status"], "waitlisted");

    let listed = stage.seat().propose("listBookings", json!({})).await;
    let expected = [("dl-nha-kinh-nho", "confirmed"), ("dl-may-nui", "confirmed")];
    assert_eq!(statuses(&listed), expected.map(|(id, status)| (id.to_owned(), status.to_owned())));
    assert_eq!(output(&listed)["bookings"][0], *output(&full));
    assert!(output(&listed)["asOf"].as_str().unwrap().ends_with('Z'));
    let theirs = other.propose("listBookings", json!({})).await;
    assert_eq!(statuses(&theirs), [("dl-nha-kinh-nho".to_owned(), "waitlisted".to_owned())]);

    stage.seat().act("cancelBooking", cancel(output(&later))).await;
    let listed = stage.seat().propose("listBookings", json!({})).await;
    assert_eq!(statuses(&listed)[1], ("dl-may-nui".to_owned(), "cancelled".to_owned()));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn past_bookings_come_last_and_a_long_list_says_what_it_leaves_out() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    seat.act("createBooking", booking("dl-may-nui", 2, &evening(3))).await;
    let database = stage.server.database().await;
    for day in 1..=24_i64 {
        let earlier = (day + 30) * 86_400_000;
        database
            .execute_owned(format!(
                "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, \
                 ends_at, status, created_at) SELECT 'old-{day}', 'OLD{day:03}', user_id, restaurant_id, 'none', 2, \
                 starts_at - {earlier}, ends_at - {earlier}, 'confirmed', 0 \
                 FROM bookings WHERE reference NOT LIKE 'OLD%'"
            ))
            .await;
    }
    let listed = seat.propose("listBookings", json!({})).await;
    let bookings = output(&listed)["bookings"].as_array().unwrap();
    assert_eq!((bookings.len(), &output(&listed)["leftOut"]), (20, &json!(5)));
    assert_ne!(bookings[0]["bookingId"], "old-1", "what is to come is first");
    assert_eq!((&bookings[1]["bookingId"], &bookings[2]["bookingId"]), (&json!("old-1"), &json!("old-2")));
}

#[tokio::test]
async fn what_is_live_is_never_left_out_for_what_was_cancelled() {
    let stage = Stage::with([]).await;
    let seat = stage.seat();
    let made = seat.act("createBooking", booking("dl-may-nui", 2, &evening(30))).await;
    let database = stage.server.database().await;
    for day in 1..=25_i64 {
        let earlier = day * 86_400_000;
        database
            .execute_owned(format!(
                "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, \
                 ends_at, status, created_at) SELECT 'gone-{day}', 'GONE{day:02}', user_id, restaurant_id, 'none', 2, \
                 starts_at - {earlier}, ends_at - {earlier}, 'cancelled', 0 \
                 FROM bookings WHERE reference NOT LIKE 'GONE%'"
            ))
            .await;
    }
    let listed = seat.propose("listBookings", json!({})).await;
    assert_eq!(output(&listed)["bookings"][0], *output(&made));
    assert_eq!(output(&listed)["leftOut"], 6);
    database.execute("UPDATE bookings SET status = 'confirmed'").await;
    let listed = seat.propose("listBookings", json!({})).await;
    assert_eq!(output(&listed)["bookings"].as_array().unwrap().len(), 26);
    assert_eq!(output(&listed).get("leftOut"), None);
}
