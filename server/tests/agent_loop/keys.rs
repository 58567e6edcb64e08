//! The same thing is done once, and never asked about twice.

use serde_json::{Value, json};

use crate::support::{Guest, Stage, Turn, booking, evening, heard, of_call, tool_parts};

fn book(party_size: u32) -> Turn {
    Turn::call("createBooking", booking("dl-may-nui", party_size, &evening(3)))
}

fn parts(view: &Value) -> Vec<&Value> {
    tool_parts(view).collect()
}

/// The second part points to the first, without ever having asked.
async fn assert_repeats(stage: &Stage, first: &Value, second: &Value) {
    assert_eq!(
        (&second["state"], &second["reason"]),
        (&json!("output-cancelled"), &json!("repeated")),
        "{second:#}"
    );
    assert_eq!(second["of"], first["toolCallId"]);
    let events = of_call(&stage.events().await, &second["toolCallId"]);
    assert!(events.iter().all(|event| event["type"] != "tool-approval-requested"), "{events:#?}");
}

#[tokio::test]
async fn of_two_equal_calls_in_one_turn_the_second_has_no_form() {
    let mut again = booking("dl-may-nui", 2, &evening(3));
    // Neither free text nor the way to write a time makes it another booking.
    again["note"] = json!("by the window");
    let utc = chrono::DateTime::parse_from_rfc3339(&evening(3)).unwrap().to_utc();
    again["startsAt"] = json!(utc.to_rfc3339_opts(chrono::SecondsFormat::Secs, true));
    let stage = Stage::with([book(2).and_call("createBooking", again), Turn::text("As you see.")]).await;
    let view = stage.say("Book it, book it").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let found = parts(&view);
    assert_eq!(found[0]["state"], "approval-requested");
    assert_repeats(&stage, found[0], found[1]).await;

    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    let results = heard(&stage.model.requests()[1]);
    assert_eq!(results.len(), 2);
    assert!(results[1].text.contains("earlier call"), "{results:?}");
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn the_same_table_with_another_party_in_one_turn_is_a_clear_error() {
    let stage = Stage::with([
        book(2).and_call("createBooking", booking("dl-may-nui", 4, &evening(3))),
        Turn::text("So."),
    ])
    .await;
    let view = stage.say("Book it").await;
    let found = parts(&view);
    assert_eq!(found[0]["state"], "approval-requested");
    assert_eq!(
        (&found[1]["state"], &found[1]["code"]),
        (&json!("output-error"), &json!("conflicts-with-earlier"))
    );
    assert_eq!(found[1]["kind"], "input");
    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    let results = heard(&stage.model.requests()[1]);
    assert_eq!(results.iter().map(|result| result.is_error).collect::<Vec<_>>(), [false, true]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_booking_that_stands_is_not_made_again_by_a_later_message() {
    let mut stage = Stage::with([book(2), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;
    let first = stage.only_part().await;

    stage.model.then([book(2), Turn::text("It stands.")]);
    stage.say("Book it").await;
    let view = stage.assert_ended("done").await;
    assert_repeats(&stage, &first, parts(&view)[1]).await;
    let result = &heard(&stage.model.requests()[3])[0];
    assert_eq!(serde_json::from_str::<Value>(&result.text).unwrap(), first["output"]);
    assert!(result.note.as_ref().unwrap().contains("earlier call"), "{result:?}");
    assert!(!result.is_error);

    // Nor in another conversation of the same guest.
    stage.model.then([book(2), Turn::text("It stands.")]);
    stage.converse().await;
    stage.say("Book that table for me").await;
    stage.assert_ended("done").await;
    let part = stage.only_part().await;
    assert_repeats(&stage, &first, &part).await;
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn the_key_is_looked_up_before_the_domain_is_asked() {
    let stage = Stage::with([book(2), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;
    let first = stage.only_part().await;
    let database = stage.server.database().await;
    database.execute("DELETE FROM opening_hours WHERE restaurant_id = 'dl-may-nui'").await;
    stage.model.then([book(2), Turn::text("It stands.")]);
    stage.say("Book it").await;
    let view = stage.assert_ended("done").await;
    assert_repeats(&stage, &first, parts(&view)[1]).await;
}

#[tokio::test]
async fn another_party_at_a_table_that_is_booked_is_a_clear_error() {
    let stage = Stage::with([book(2), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;
    stage.model.then([book(5), Turn::text("It is booked for two.")]);
    stage.say("Make it five").await;
    let view = stage.assert_ended("done").await;
    let part = parts(&view)[1];
    assert_eq!((&part["state"], &part["code"]), (&json!("output-error"), &json!("conflicts-with-earlier")));
    let result = &heard(&stage.model.requests()[3])[0];
    assert!(result.is_error && result.text.contains("already booked"), "{result:?}");
}

#[tokio::test]
async fn a_key_is_the_guests_own() {
    let stage = Stage::with([book(2), book(2), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    let view = other.say(&conversation, "Book it for me too").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let (call, _) = other.waiting_call(&conversation, 0).await;
    other.decide(&conversation, &call, json!({ "approved": true })).await.expect(200);
    assert_eq!(other.settled(&conversation).await["run"]["status"], "done");
    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    assert_eq!(stage.server.database().await.bookings().await.len(), 2);
}

#[tokio::test]
async fn two_conversations_that_ask_for_the_same_book_it_once() {
    let mut stage = Stage::with([book(2), book(2)]).await;
    stage.say("Book it").await;
    let here = stage.conversation.clone();
    stage.converse().await;
    assert_eq!(stage.say("Please book it").await["run"]["status"], "awaiting-approval");
    stage.model.then([Turn::text("As you see."), Turn::text("It stands.")]);
    stage.answer_form(json!({ "approved": true })).await;
    let first = stage.only_part().await;
    assert_eq!(first["state"], "output-available");

    stage.conversation = here;
    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    let second = stage.only_part().await;
    assert_eq!((&second["state"], &second["reason"]), (&json!("output-cancelled"), &json!("repeated")));
    assert_eq!(second["of"], first["toolCallId"]);
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_form_that_is_edited_to_what_is_booked_already_stays_open() {
    let other = booking("dl-may-nui", 2, &evening(3).replace("19:00:00", "12:00:00"));
    let stage = Stage::with([book(2).and_call("createBooking", other), Turn::text("As you see.")]).await;
    stage.say("Book both").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.settled().await;
    let second = parts(&view)[1]["toolCallId"].as_str().unwrap().to_owned();
    let same = json!({ "approved": true, "editedInput": booking("dl-may-nui", 2, &evening(3)) });
    let problem = stage.decide(&second, same).await.expect_problem(422, "invalid-input");
    assert_eq!(problem["errors"][0]["code"], "conflicts-with-earlier");
    assert_eq!(parts(&stage.view().await)[1]["state"], "approval-requested");
    stage.answer_form(json!({ "approved": false })).await;
    stage.assert_ended("done").await;
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn what_failed_may_be_tried_again() {
    let stage = Stage::with([book(2), book(2), Turn::text("As you see.")]).await;
    let database = stage.server.database().await;
    database.execute("ALTER TABLE bookings RENAME COLUMN reference TO reference_gone").await;
    stage.say("Book it").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    let view = stage.settled().await;
    assert_eq!(parts(&view)[0]["state"], "output-error");
    // A failure releases the key: the second attempt asks.
    assert_eq!(parts(&view)[1]["state"], "approval-requested", "{view:#}");
    database.execute("ALTER TABLE bookings RENAME COLUMN reference_gone TO reference").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(parts(&view)[1]["state"], "output-available");
    assert_eq!(database.bookings().await.len(), 1);
}
