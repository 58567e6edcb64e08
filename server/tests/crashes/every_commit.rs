//! Not only where somebody thought of it: before and after each transaction of a story, from the server's first
//! start on.

use futures::stream::{self, StreamExt};
use server::fault::Point;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;

use super::mortal::Fault;
use super::play::play;
use super::story::Story;
use crate::support::DatabaseKind;

/// Plays that run at the same time; they mostly wait.
const AT_ONCE: usize = 2;

/// More than a story has.
const MOST: u32 = 60;

async fn dies_at_each(kind: DatabaseKind, point: Point, story: Story) {
    // On threads of their own: whoever waits for its server to start keeps nobody else waiting.
    let play = |nth| async move {
        let runtime = Handle::current();
        let playing = spawn_blocking(move || runtime.block_on(play(kind, &[Fault::new(point, nth)], story)));
        playing.await.unwrap_or_else(|_| panic!("{} for the {nth}. time", point.name()))
    };
    let plays = stream::iter(1..=MOST).map(play).buffered(AT_ONCE);
    let deaths = plays.take_while(|died| std::future::ready(*died)).count().await;
    assert!(deaths >= 8, "it died only {deaths} times");
    assert!(deaths < MOST as usize, "the story never came to its end");
}

mod on_sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_booking_is_made_once_whichever_commit_a_process_dies_before() {
        dies_at_each(DatabaseKind::Sqlite, Point::Commit, Story::Booking).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_booking_is_made_once_whichever_commit_a_process_dies_after() {
        dies_at_each(DatabaseKind::Sqlite, Point::Committed, Story::BookingAndWeather).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_refund_is_made_once_whichever_commit_a_process_dies_before() {
        dies_at_each(DatabaseKind::Sqlite, Point::Commit, Story::StripeRefund).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_refund_is_made_once_whichever_commit_a_process_dies_after() {
        dies_at_each(DatabaseKind::Sqlite, Point::Committed, Story::Refund).await;
    }
}

mod on_postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_booking_is_made_once_whichever_commit_a_process_dies_before() {
        dies_at_each(DatabaseKind::Postgres, Point::Commit, Story::Booking).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn a_refund_is_made_once_whichever_commit_a_process_dies_after() {
        dies_at_each(DatabaseKind::Postgres, Point::Committed, Story::Refund).await;
    }
}
