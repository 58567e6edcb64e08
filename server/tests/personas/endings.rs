//! Turns that end, or do not end, as no request for a tool does: nothing of them runs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::record::*;
use crate::support::{Guest, Server, assistant_text, tool_parts};

/// A search that has run, and a booking that was shown while it was written: with nothing that could be taken for
/// arguments, and neither stored as a call nor asked about.
async fn assert_nothing_of_it_ran(server: &Server, view: &Value, reason: &str) {
    assert_eq!(
        record(view)[..2],
        [("tool-findTables", "output-available"), ("tool-createBooking", "output-cancelled")]
    );
    let part = tool_parts(view).nth(1).unwrap();
    assert_eq!(part["reason"], reason);
    assert_eq!((part.get("input"), part.get("approval")), (None, None));
    assert!(outcome(view).nothing_happened);
    assert_eq!(arguments(server, "createBooking").await, Vec::<String>::new());
    assert_untouched(server).await;
    // What was not proved is no part of what the model has said.
    let said = "SELECT COUNT(*) FROM model_messages WHERE body LIKE '%createBooking%'";
    assert_eq!(server.database().await.number(said).await, 0);
}

async fn retry(guest: &Guest, conversation: &str) -> Value {
    guest.post(&format!("/api/conversations/{conversation}/retry"), json!({})).await.expect(202);
    guest.settled(conversation).await
}

#[tokio::test]
async fn what_refuser_and_truncated_call_in_their_last_turn_does_not_run() {
    for (persona, ended_as, reason, vietnamese, english) in [
        ("refuser", "refused", "interrupted", "không giúp được", "cannot help"),
        ("truncated", "truncated", "limit", "Tôi đặt ngay đây", "I book it right away"),
    ] {
        for (wish, words) in [(WISH, vietnamese), (ENGLISH_WISH, english)] {
            let server = Server::start(&[]);
            let (guest, conversation) = wished(&server, persona, wish).await;
            let view = assert_ended(&server, &guest, &conversation, ended_as).await;
            assert_nothing_of_it_ran(&server, &view, reason).await;
            assert_eq!(outcome(&view), NOT_DONE);
            assert!(assistant_text(&view).contains(words), "{}", assistant_text(&view));
        }
    }
}

#[tokio::test]
async fn a_run_that_was_refused_or_truncated_can_be_tried_again() {
    for (persona, ended_as) in [("refuser", "refused"), ("truncated", "truncated")] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, persona, WISH).await;
        let view = retry(&guest, &conversation).await;
        assert_eq!(status(&view), ended_as, "{view:#}");
        assert_untouched(&server).await;
        assert_ended_again(&server, &guest, &conversation).await;
    }
}

/// After a second run, of which `assert_ended` does not know.
async fn assert_ended_again(server: &Server, guest: &Guest, conversation: &str) {
    let after = guest.say(conversation, "Xin chào").await;
    assert_eq!(status(&after), "done", "{after:#}");
    assert_true_to_the_book(server, guest).await;
}

#[tokio::test]
async fn slow_is_given_up_when_the_time_of_the_run_is_over() {
    let server = Server::start(&[("TRUTHTABLE_RUN_SECONDS", "3")]);
    let begun = Instant::now();
    let (guest, conversation) = wished(&server, "slow", WISH).await;
    assert!(begun.elapsed() > Duration::from_millis(2_900), "{:?}", begun.elapsed());
    let view = assert_ended(&server, &guest, &conversation, "time-limit").await;
    assert_nothing_of_it_ran(&server, &view, "limit").await;
    assert_eq!(outcome(&view), NOT_DONE);
    assert!(assistant_text(&view).contains("bạn chờ chút"), "{}", assistant_text(&view));
}

#[tokio::test]
async fn a_slow_run_that_was_given_up_can_be_tried_again() {
    let server = Server::start(&[("TRUTHTABLE_RUN_SECONDS", "3")]);
    let (guest, conversation) = wished(&server, "slow", ENGLISH_WISH).await;
    let view = retry(&guest, &conversation).await;
    assert_eq!(status(&view), "time-limit", "{view:#}");
    assert_nothing_of_it_ran(&server, &view, "limit").await;
    assert_ended_again(&server, &guest, &conversation).await;
}

#[tokio::test]
async fn slow_is_stopped_at_once_by_its_guest() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "slow").await;
    guest.send(&conversation, WISH).await;
    guest.until(&conversation, |view| tool_parts(view).count() == 2).await;
    let begun = Instant::now();
    guest.post(&format!("/api/conversations/{conversation}/stop"), json!({})).await.expect(200);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    let view = assert_ended(&server, &guest, &conversation, "cancelled").await;
    assert_nothing_of_it_ran(&server, &view, "stopped").await;
}

#[tokio::test]
async fn where_a_slow_server_goes_away_the_run_is_interrupted() {
    let mut model = Server::demo_model();
    let server = Server::start(&[
        ("TRUTHTABLE_MODEL", "anthropic"),
        ("TRUTHTABLE_MODEL_URL", &model.url),
        ("TRUTHTABLE_MODEL_NAME", "demo/slow"),
        ("ANTHROPIC_API_KEY", "sk-test-key"),
    ]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, WISH).await;
    guest.until(&conversation, |view| tool_parts(view).count() == 2).await;
    model.kill();
    let view = guest.settled(&conversation).await;
    assert_eq!(status(&view), "interrupted", "{view:#}");
    // What was shown of it was withdrawn before it was asked for again.
    assert_eq!(record(&view), [("tool-findTables", "output-available")]);
    assert_eq!(arguments(&server, "createBooking").await, Vec::<String>::new());
    assert_untouched(&server).await;
}
