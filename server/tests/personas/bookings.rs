//! Those who come to a form, and those who claim a booking without one.

use serde_json::{Value, json};

use super::record::*;
use crate::support::{Guest, Server, assistant_text, tool_parts};

/// A guest whose form waits, with a persona that comes to one.
async fn with_form(server: &Server, persona: &str) -> (Guest, String, Value) {
    let (guest, conversation) = Guest::with_conversation(server, persona).await;
    let mut view = guest.say(&conversation, WISH).await;
    if persona == "helpful" {
        assert_eq!(record(&view), [("tool-findTables", "output-available")], "{view:#}");
        let name = tool_parts(&view).next().unwrap()["output"]["restaurants"][0]["name"]
            .as_str()
            .unwrap()
            .to_owned();
        view = guest.say(&conversation, &format!("Tôi chọn {name}")).await;
    }
    assert_eq!(status(&view), "awaiting-approval", "{persona}: {view:#}");
    assert_eq!(outcome(&view).waiting, 1);
    assert_eq!(server.database().await.bookings().await, []);
    (guest, conversation, view)
}

/// The personas that come to a form, with what the record shows of bookings before it.
const WITH_FORM: [(&str, &[&str]); 3] =
    [("helpful", &[]), ("liar", &[]), ("sloppy", &["output-error", "output-error"])];

#[tokio::test]
async fn confirmed_a_booking_is_in_the_record_and_in_the_book() {
    for (persona, before) in WITH_FORM {
        let server = Server::start(&[]);
        let (guest, conversation, waiting) = with_form(&server, persona).await;
        assert_eq!(booking_states(&waiting), [before, &["approval-requested"]].concat(), "{persona}");
        let view = decide(&guest, &conversation, true).await;
        assert_eq!(status(&view), "done", "{persona}");
        assert_eq!(booking_states(&view), [before, &["output-available"]].concat(), "{persona}");
        assert_eq!(outcome(&view), Outcome { not_done: before.len(), ..BOOKED }, "{persona}");
        let book = server.database().await.bookings().await;
        assert_eq!(book.len(), 1, "{persona}");
        assert_eq!((book[0].party_size, book[0].status.as_str()), (4, "confirmed"));
        assert_true_to_the_book(&server, &guest).await;
    }
}

#[tokio::test]
async fn declined_nothing_is_booked_and_the_record_says_so() {
    for (persona, before) in WITH_FORM {
        let server = Server::start(&[]);
        let (guest, conversation, _) = with_form(&server, persona).await;
        let view = decide(&guest, &conversation, false).await;
        assert_eq!(status(&view), "done", "{persona}");
        assert_eq!(booking_states(&view), [before, &["output-denied"]].concat(), "{persona}");
        let expected = Outcome { not_done: before.len() + 1, ..NOTHING };
        assert_eq!(outcome(&view), expected, "{persona}");
        assert_eq!(server.database().await.bookings().await, [], "{persona}");
        // The liar lies, and the record does not care.
        assert_eq!(claims_success(&last_words(&view)), persona == "liar", "{persona}: {}", last_words(&view));
        assert_true_to_the_book(&server, &guest).await;
    }
}

#[tokio::test]
async fn where_the_restaurant_has_closed_meanwhile_the_booking_fails_and_the_record_says_so() {
    for (persona, before) in WITH_FORM {
        let server = Server::start(&[]);
        let (guest, conversation, _) = with_form(&server, persona).await;
        server.database().await.execute("DELETE FROM opening_hours").await;
        let view = decide(&guest, &conversation, true).await;
        assert_eq!(booking_states(&view), [before, &["output-error"]].concat(), "{persona}: {view:#}");
        let part = tool_parts(&view).last().unwrap();
        assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!("closed")), "{persona}");
        // The third tool error ends a run.
        let ended_as = if persona == "sloppy" { "too-many-tool-errors" } else { "done" };
        assert_eq!(status(&view), ended_as, "{persona}");
        assert_eq!(outcome(&view), Outcome { not_done: before.len() + 1, ..NOTHING }, "{persona}");
        assert_eq!(server.database().await.bookings().await, [], "{persona}");
        if persona == "liar" {
            assert!(claims_success(&last_words(&view)), "{}", last_words(&view));
        }
        assert_true_to_the_book(&server, &guest).await;
    }
}

#[tokio::test]
async fn where_the_book_cannot_be_written_the_booking_fails_and_the_record_says_so() {
    for (persona, before) in WITH_FORM {
        let server = Server::start(&[]);
        let (guest, conversation, _) = with_form(&server, persona).await;
        server.database().await.refuse_rows_of("bookings", "disk on fire").await;
        let view = decide(&guest, &conversation, true).await;
        assert_eq!(booking_states(&view), [before, &["output-error"]].concat(), "{persona}: {view:#}");
        let part = tool_parts(&view).last().unwrap();
        assert_eq!((&part["kind"], &part["code"]), (&json!("tool"), &json!("tool-failed")), "{persona}");
        assert!(!view.to_string().contains("disk on fire"), "internals: {view:#}");
        assert_eq!(outcome(&view), Outcome { not_done: before.len() + 1, ..NOTHING }, "{persona}");
        if persona == "liar" {
            assert!(claims_success(&last_words(&view)), "{}", last_words(&view));
        }
        let database = server.database().await;
        assert_eq!(database.bookings().await, [], "{persona}");
        assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, 0, "{persona}");
        assert_true_to_the_book(&server, &guest).await;
    }
}

#[tokio::test]
async fn helpful_says_what_the_result_says() {
    let server = Server::start(&[]);
    let (guest, conversation, _) = with_form(&server, "helpful").await;
    let view = decide(&guest, &conversation, false).await;
    assert_eq!(outcome(&view), NOT_DONE);
    assert!(!claims_success(&assistant_text(&view)), "{}", assistant_text(&view));
    assert!(!last_words(&view).trim().is_empty());
}

#[tokio::test]
async fn liar_takes_the_first_table_without_asking() {
    let server = Server::start(&[]);
    let (_, _, view) = with_form(&server, "liar").await;
    assert_eq!(
        record(&view),
        [("tool-findTables", "output-available"), ("tool-createBooking", "approval-requested")]
    );
    let parts: Vec<_> = tool_parts(&view).collect();
    assert_eq!(parts[1]["input"]["restaurantId"], parts[0]["output"]["restaurants"][0]["restaurantId"]);
    assert_eq!(outcome(&view), WAITING);
}

#[tokio::test]
async fn silent_liar_says_that_it_is_booked_and_has_called_nothing() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "silent-liar").await;
    let view = guest.say(&conversation, WISH).await;
    assert_eq!(status(&view), "done");
    assert!(claims_success(&assistant_text(&view)), "{}", assistant_text(&view));
    assert_eq!(record(&view), []);
    assert_eq!(outcome(&view), NOTHING);
    assert_eq!(server.database().await.bookings().await, []);
    assert_true_to_the_book(&server, &guest).await;
}

#[tokio::test]
async fn sloppy_hears_what_was_wrong_and_comes_to_a_form_in_the_third_attempt() {
    let server = Server::start(&[]);
    let (_, _, view) = with_form(&server, "sloppy").await;
    assert_eq!(
        record(&view),
        [
            ("tool-findTables", "output-available"),
            ("tool-createBooking", "output-error"),
            ("tool-createBooking", "output-error"),
            ("tool-createBooking", "approval-requested"),
        ]
    );
    for part in tool_parts(&view).filter(|part| part["state"] == "output-error") {
        assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!("invalid-input")));
        // Never validated, so nothing that could be taken for arguments.
        assert_eq!(part.get("input"), None);
    }
    let heard = server
        .database()
        .await
        .texts("SELECT result_content FROM tool_calls WHERE result_is_error = 1 ORDER BY step")
        .await;
    assert_eq!(heard.len(), 2);
    // The wrong type and the missing field, both at once.
    assert!(heard[1].contains("/partySize") && heard[1].contains("bốn"), "{}", heard[1]);
    assert!(heard[1].contains("startsAt"), "{}", heard[1]);
}

#[tokio::test]
async fn of_cut_arguments_nothing_runs_and_nothing_waits() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "cut").await;
    let view = guest.say(&conversation, WISH).await;
    assert_eq!(status(&view), "interrupted");
    assert_eq!(
        record(&view),
        [("tool-findTables", "output-available"), ("tool-createBooking", "output-cancelled")]
    );
    let part = tool_parts(&view).last().unwrap();
    assert_eq!(part["reason"], "interrupted");
    assert_eq!(part.get("input"), None);
    assert_eq!(outcome(&view), NOT_DONE);
    let database = server.database().await;
    assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 0);
    assert_eq!(database.number("SELECT COUNT(*) FROM tool_calls WHERE name = 'createBooking'").await, 0);
    assert_true_to_the_book(&server, &guest).await;
    // There is nothing to decide, and the guest may try again.
    let call = part["toolCallId"].as_str().unwrap();
    guest.decide(&conversation, call, json!({ "approved": true })).await.expect_problem(404, "not-found");
    guest.post(&format!("/api/conversations/{conversation}/retry"), json!({})).await.expect(202);
    let view = guest.settled(&conversation).await;
    assert_eq!(status(&view), "interrupted");
    assert_true_to_the_book(&server, &guest).await;
}

#[tokio::test]
async fn the_personas_book_nothing_twice_for_a_wish_said_twice() {
    let server = Server::start(&[]);
    let (guest, conversation, _) = with_form(&server, "liar").await;
    decide(&guest, &conversation, true).await;
    let mut view = guest.say(&conversation, WISH).await;
    if status(&view) == "awaiting-approval" {
        view = decide(&guest, &conversation, true).await;
    }
    assert!(!view.to_string().contains("output-unknown"));
    assert_true_to_the_book(&server, &guest).await;
    let twice = "SELECT COUNT(*) - COUNT(DISTINCT restaurant_id || starts_at) FROM bookings";
    assert_eq!(server.database().await.number(twice).await, 0);
}
