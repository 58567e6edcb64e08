//! A server that stands still for longer than its lease, and goes on as if nothing had happened.

use std::str::FromStr;
use std::time::Duration;

use serde_json::json;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Connection};

use crate::several_servers::crew::{SHORT_LEASE, book, crew, form, states, told_by_all, until_row};
use crate::support::{Guest, ScriptedModel, Turn, assistant_text, booking, evening, tool_parts};

/// Time in which whoever was woken would have written, were it allowed.
const AWAKE: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn who_stood_still_in_a_model_call_writes_nothing_when_it_wakes() {
    let long = "word ".repeat(200);
    let model = ScriptedModel::start([
        Turn::text(&long).paced(Duration::from_millis(50)),
        Turn::text("Said by another."),
    ])
    .await;
    let mut crew = crew(2, &model, &[SHORT_LEASE]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let elsewhere = guest.at(&crew[1]);
    guest.send(&conversation, "Hello").await;
    elsewhere.until(&conversation, |view| assistant_text(view).starts_with("word")).await;

    crew[0].pause();
    let done = elsewhere.settled(&conversation).await;
    assert_eq!(done["run"]["status"], "done", "{done:#}");
    assert_eq!(assistant_text(&done), "Said by another.");
    let database = crew[1].database().await;
    assert_eq!(database.numbers("SELECT epoch FROM runs").await, [2]);
    let before = database.everything().await;

    crew[0].resume();
    tokio::time::sleep(AWAKE).await;
    assert!(before == database.everything().await, "the one that woke has written something");
    assert_eq!(told_by_all(&crew, &guest, &conversation).await, done);
    assert_eq!(model.requests().len(), 2);
    // It works on nothing any more: else it would take ten seconds.
    let asked = std::time::Instant::now();
    let woken = &mut crew[0];
    assert_eq!(tokio::task::block_in_place(|| woken.stop()).code(), Some(0));
    assert!(asked.elapsed() < Duration::from_secs(8), "it still had work");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_stands_still_before_an_effect_keeps_nobody_waiting_and_does_nothing_twice() {
    let model = ScriptedModel::answering(|request| {
        let last = request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        if last.contains("tool_result") { Turn::text("Done.") } else { book() }
    })
    .await;
    let crew = crew(2, &model, &[SHORT_LEASE]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    guest.say(&conversation, "Book it").await;
    let (other, theirs) = Guest::with_conversation(&crew[1], "").await;
    other.say(&theirs, "Book it").await;

    // The server holds its run and waits for the restaurant when it is stopped: then it has both.
    let options = PgConnectOptions::from_str(&crew[0].database_url()).unwrap().disable_statement_logging();
    let mut connection = PgConnection::connect_with(&options).await.unwrap();
    let mut held = connection.begin().await.unwrap();
    let lock = "UPDATE restaurants SET seats = seats WHERE id = 'dl-may-nui'";
    sqlx::query(lock).execute(&mut *held).await.unwrap();
    let (call, approval) = form(&guest, &conversation).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
         AND wait_event_type = 'Lock' AND query LIKE 'UPDATE restaurants%'";
    until_row(&crew[1], waiting, 1).await;
    crew[0].pause();
    held.commit().await.unwrap();

    let elsewhere = other.at(&crew[1]);
    let (call, approval) = form(&elsewhere, &theirs).await;
    elsewhere.decide(&theirs, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = elsewhere.settled(&theirs).await;
    assert_eq!(states(&view), ["output-available"], "{view:#}");
    let done = guest.at(&crew[1]).settled(&conversation).await;
    assert_eq!(done["run"]["status"], "done", "{done:#}");
    assert_eq!(states(&done), ["output-available"], "{done:#}");

    crew[0].resume();
    tokio::time::sleep(AWAKE).await;
    assert_eq!(told_by_all(&crew, &guest, &conversation).await, done);
    let database = crew[1].database().await;
    assert_eq!(database.bookings().await.len(), 2);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, 2);
    // Taken for the message, for the decision, and by the one that did it.
    let epochs = database.numbers("SELECT epoch FROM runs ORDER BY epoch").await;
    assert_eq!(epochs, [2, 3]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_asked_and_answered_while_its_first_server_stands_still() {
    let model = ScriptedModel::start([
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))).paced(Duration::from_millis(100)),
        book(),
        Turn::text("Done."),
    ])
    .await;
    let crew = crew(2, &model, &[SHORT_LEASE]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let elsewhere = guest.at(&crew[1]);
    guest.send(&conversation, "Book it").await;
    elsewhere.until(&conversation, |view| tool_parts(view).count() == 1).await;
    crew[0].pause();
    elsewhere.settled(&conversation).await;
    let (call, approval) = form(&elsewhere, &conversation).await;
    crew[0].resume();
    let body = json!({ "approved": true, "approvalId": approval });
    guest.decide(&conversation, &call, body).await.expect(200);
    let done = guest.settled(&conversation).await;
    assert_eq!(states(&done), ["output-available"], "what the first had begun is withdrawn: {done:#}");
    tokio::time::sleep(AWAKE).await;
    assert_eq!(told_by_all(&crew, &guest, &conversation).await, done);
    assert_eq!(crew[1].database().await.bookings().await.len(), 1);
    assert_eq!(model.requests().len(), 3);
}
