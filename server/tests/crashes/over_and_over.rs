//! Processes that die one after the other.

use std::sync::atomic::AtomicBool;

use server::fault::Point;

use super::guest::InsistentGuest;
use super::home::home;
use super::mortal::{Fault, MortalServer};
use super::play::play;
use super::story::Story;
use crate::support::{DatabaseKind, Guest, ScriptedModel, Stage};

/// A run that ends every process that takes it must not go on forever.
async fn fails_after_three_pick_ups(kind: DatabaseKind) {
    let model = ScriptedModel::start([]).await;
    model.otherwise(|request| Story::Booking.turn(request));
    let home = home(kind).await;
    let faults: Vec<Fault> = (0..3).map(|_| Fault::new(Point::StepStarted, 1)).collect();
    let settings = [&model.settings()[..], &[("TRUTHTABLE_LEASE_SECONDS", "2")]].concat();
    let mut mortal = MortalServer::start(&home, &settings, &faults);
    let guest = Guest::new(&mortal.server);
    let is_over = AtomicBool::new(false);
    let playing = async {
        let guest = InsistentGuest::of(guest).await;
        guest.send("A table for two on Friday").await;
        let ended = guest.ended().await;
        assert_eq!(ended["run"]["status"], "failed", "{ended:#}");
        guest
    };
    let (InsistentGuest { guest, conversation }, ()) = tokio::join!(playing, mortal.keep_starting(&is_over));
    assert!(!mortal.has_faults_left());

    assert!(model.requests().is_empty(), "each died before its model call");
    let stage = Stage { model, server: mortal.server, guest, conversation };
    assert!(home.database().await.bookings().await.is_empty());
    stage.assert_ended("failed").await;
}

/// The first dies with the claim, the second when it has seen that nothing was sent.
async fn sends_once(kind: DatabaseKind, second: Point) {
    for story in [Story::Refund, Story::StripeRefund] {
        let faults = [Fault::new(Point::ClaimStored, 1), Fault::new(second, 1)];
        assert!(play(kind, &faults, story).await, "nobody died a second time");
    }
}

/// Everybody who takes the run dies of it at another place.
async fn books_once_after_four_deaths(kind: DatabaseKind) {
    let faults = [Point::TurnComplete, Point::Parked, Point::EffectToStore, Point::EffectStored];
    let faults = faults.map(|point| Fault::new(point, 1));
    assert!(play(kind, &faults, Story::Booking).await, "they did not all die");
}

mod on_sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_run_that_ends_every_process_that_takes_it_fails_after_the_third() {
        fails_after_three_pick_ups(DatabaseKind::Sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_second_sending_that_was_not_noted_is_decided_again() {
        sends_once(DatabaseKind::Sqlite, Point::SecondSendToStore).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_second_sending_that_was_noted_and_not_made_is_made_by_the_third_process() {
        sends_once(DatabaseKind::Sqlite, Point::SecondSendStored).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_booking_is_made_once_although_four_processes_die_over_it() {
        books_once_after_four_deaths(DatabaseKind::Sqlite).await;
    }
}

mod on_postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_run_that_ends_every_process_that_takes_it_fails_after_the_third() {
        fails_after_three_pick_ups(DatabaseKind::Postgres).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_second_sending_that_was_not_noted_is_decided_again() {
        sends_once(DatabaseKind::Postgres, Point::SecondSendToStore).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_second_sending_that_was_noted_and_not_made_is_made_by_the_third_process() {
        sends_once(DatabaseKind::Postgres, Point::SecondSendStored).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_booking_is_made_once_although_four_processes_die_over_it() {
        books_once_after_four_deaths(DatabaseKind::Postgres).await;
    }
}
