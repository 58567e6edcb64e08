//! A run that ends every process that takes it: it must not go on forever.

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use server::fault::Point;

use super::guest::InsistentGuest;
use super::play::Fault;
use super::story::Story;
use crate::support::{DatabaseKind, Guest, Home, PATIENCE, ScriptedModel, Server, Stage};

async fn fails_after_three_pick_ups(kind: DatabaseKind) {
    let fault = Fault::new(Point::StepStarted, 1);
    let model = ScriptedModel::start([]).await;
    model.otherwise(|request| Story::Booking.turn(request));
    let of_fault = fault.settings();
    let of_fault = of_fault.each_ref().map(|(name, value)| (*name, value.as_str()));
    let settings = [&model.settings()[..], &of_fault, &[("TRUTHTABLE_LEASE_SECONDS", "1")]].concat();
    let mut server = Server::start_at(&Home::fresh(kind), &settings);
    let guest = InsistentGuest::of(Guest::new(&server)).await;

    let mut deaths = 0;
    let (ended, ()) = tokio::join!(
        async {
            guest.send("A table for two on Friday").await;
            guest.ended().await
        },
        async {
            let since = Instant::now();
            while deaths < 3 {
                assert!(since.elapsed() < PATIENCE, "it died only {deaths} times");
                if let Some(status) = server.ended() {
                    assert_eq!(status.signal(), Some(9));
                    deaths += 1;
                    server.restart_without(&[]);
                }
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    );
    assert!(fault.struck());
    assert_eq!(ended["run"]["status"], "failed", "{ended:#}");

    server.restart_without(&["TRUTHTABLE_FAULT"]);
    let InsistentGuest { guest, conversation } = guest;
    let stage = Stage { model, server, guest, conversation };
    assert!(stage.model.requests().is_empty(), "it died before each model call");
    assert!(stage.server.database().await.bookings().await.is_empty());
    stage.assert_ended("failed").await;
}

mod on_sqlite {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_run_that_ends_every_process_that_takes_it_fails_after_the_third() {
        super::fails_after_three_pick_ups(crate::support::DatabaseKind::Sqlite).await;
    }
}

mod on_postgres {
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_run_that_ends_every_process_that_takes_it_fails_after_the_third() {
        super::fails_after_three_pick_ups(crate::support::DatabaseKind::Postgres).await;
    }
}
