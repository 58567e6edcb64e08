//! A PostgreSQL that goes away while everybody is at work.

use std::time::Duration;

use futures::future::join_all;

use crate::several_servers::crew::{Roamer, SAFE_LEASE, states, table_model};
use crate::support::{Guest, Home, Postgres, Server};

const RUNS: usize = 12;

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_restarted_under_load_loses_and_doubles_nothing() {
    let mut postgres = Postgres::start();
    let home = Home::in_postgres(&postgres);
    let model = table_model(Duration::from_millis(60)).await;
    let settings = [&model.settings()[..], &[SAFE_LEASE]].concat();
    let crew: Vec<Server> = (0..2).map(|_| Server::start_at(&home, &settings)).collect();
    let mut guests = Vec::new();
    for number in 0..RUNS {
        guests.push(Roamer::arrive(&crew, number).await);
    }
    let runs = guests.into_iter().enumerate().map(|(number, mut guest)| {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300) * number as u32).await;
            guest.book(number).await
        })
    });
    let runs: Vec<_> = runs.collect();

    tokio::time::sleep(Duration::from_millis(1500)).await;
    tokio::task::block_in_place(|| {
        postgres.crash();
        postgres.start_again();
    });
    tokio::time::sleep(Duration::from_millis(1500)).await;
    tokio::task::block_in_place(|| postgres.stop());
    // Longer than a request waits for a connection.
    let guest = Guest::new(&crew[0]);
    let refused = guest.post("/api/conversations", serde_json::json!({})).await;
    assert!(refused.headers.contains_key("retry-after"));
    refused.expect_problem(503, "unavailable");
    tokio::task::block_in_place(|| postgres.start_again());

    for ended in join_all(runs).await {
        let view = ended.unwrap();
        assert_eq!(view["run"]["status"], "done", "{view:#}");
        assert_eq!(states(&view), ["output-available"], "{view:#}");
    }
    let database = home.database().await;
    assert_eq!(database.bookings().await.len(), RUNS);
    assert_eq!(database.number("SELECT COUNT(DISTINCT user_id) FROM bookings").await, RUNS as i64);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, RUNS as i64);
    let taken_over = database.number("SELECT COUNT(*) FROM runs WHERE epoch > 2").await;
    assert!(taken_over > 0, "no run was struck");
}
