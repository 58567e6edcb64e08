mod database;
mod killed;
mod leaving;
mod limits;
mod paused;
mod races;
mod streaming;

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::{
    DatabaseKind, Guest, Home, PATIENCE, Postgres, ScriptedModel, Server, Turn, booking, evening,
};

/// Until the server says that it is ready, or no longer is.
async fn until_ready(guest: &Guest, ready: bool) {
    let since = Instant::now();
    while guest.get("/readyz").await.status.is_success() != ready {
        assert!(since.elapsed() < PATIENCE, "it never said ready: {ready}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn what_is_said_on_one_server_is_decided_on_another_and_read_on_a_third() {
    let model = ScriptedModel::start([
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))),
        Turn::text("Done."),
    ])
    .await;
    let first = Server::start_on(DatabaseKind::Postgres, &model.settings());
    let second = Server::start_beside(&first, &model.settings());
    let third = Server::start_beside(&first, &model.settings());
    let (guest, conversation) = Guest::with_conversation(&first, "").await;
    guest.say(&conversation, "Book it").await;

    let elsewhere = guest.at(&second);
    let (call, approval) = elsewhere.waiting_call(&conversation, 0).await;
    let body = json!({ "approved": true, "approvalId": approval });
    elsewhere.decide(&conversation, &call, body).await.expect(200);

    let view = guest.at(&third).settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    assert_eq!(guest.view(&conversation).await, view);
    assert_eq!(elsewhere.view(&conversation).await, view);
    assert_eq!(first.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn a_server_outlives_its_database_and_serves_again_what_it_held() {
    let mut postgres = Postgres::start();
    let server = Server::start_at(&Home::in_postgres(&postgres), &[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let before = guest.say(&conversation, "Xin chào").await;

    postgres.stop();
    until_ready(&guest, false).await;
    guest.get("/healthz").await.expect(200);
    postgres.start_again();
    until_ready(&guest, true).await;
    assert_eq!(guest.view(&conversation).await, before);

    postgres.crash();
    postgres.start_again();
    until_ready(&guest, true).await;
    assert_eq!(guest.view(&conversation).await, before, "what was answered has been written down");
    let after = guest.say(&conversation, "Còn gì nữa?").await;
    assert_eq!(after["run"]["status"], "done", "{after:#}");
}

#[tokio::test]
async fn while_one_server_stands_still_another_serves_the_same_guest() {
    let first = Server::start_on(DatabaseKind::Postgres, &[]);
    let second = Server::start_beside(&first, &[]);
    let (guest, conversation) = Guest::with_conversation(&first, "").await;
    first.pause();
    let there = guest.at(&second).say(&conversation, "Xin chào").await;
    assert_eq!(there["run"]["status"], "done", "{there:#}");
    first.resume();
    assert_eq!(guest.view(&conversation).await, there);
}
