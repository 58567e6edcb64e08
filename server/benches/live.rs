//! How live a stream is: the time from the model's sending a word until a reader has it, on the server that is
//! at work and on another one.
//!
//! `cargo bench -p server --bench live`

#[path = "live/clocked.rs"]
mod clocked;
mod support;

use std::process::ExitCode;
use std::time::Duration;

use clocked::{ClockedModel, WORDS, since_sent};
use support::{Crowd, Database, Served, Unavailable, played_a_part};

/// Runs a line; the words of all of them are counted.
const RUNS: usize = 5;
/// The median that is wanted on another server, at most.
const WANTED: Duration = Duration::from_millis(250);

/// What the readers at `reading` saw of runs that `writing` works on.
async fn measure(name: &str, writing: &str, reading: &str) -> Duration {
    let mut ages = Vec::with_capacity(RUNS * WORDS);
    let crowd = Crowd::arrive(writing, 1, RUNS).await;
    for conversation in crowd.open().await.iter_mut().flatten() {
        // The reader is there first, as a page is.
        let reader = conversation.events_at(reading).await;
        conversation.send("Words, please").await;
        ages.extend(since_sent(reader).await);
    }
    ages.sort();
    let part = |part: f64| ages[((ages.len() - 1) as f64 * part) as usize];
    println!(
        "  {name}: {} words; median {:?}, of 20 the slowest {:?}, the slowest {:?}",
        ages.len(),
        part(0.5),
        part(0.95),
        part(1.0)
    );
    part(0.5)
}

#[tokio::main]
async fn main() -> ExitCode {
    if played_a_part().await {
        return ExitCode::SUCCESS;
    }
    let model = ClockedModel::start().await;
    println!(
        "A word every {:?}; the server stores and sends what came within 60 ms together",
        clocked::EVERY
    );

    println!("SQLite");
    let sqlite = Database::sqlite();
    let Some(server) = Served::start_with(&sqlite, &model.settings()) else { return ExitCode::FAILURE };
    measure("the one server", server.url(), server.url()).await;

    println!("PostgreSQL");
    let postgres = match Database::postgres() {
        Ok(postgres) => postgres,
        Err(Unavailable(why)) => {
            println!("  not measured: {why}");
            return ExitCode::SUCCESS;
        }
    };
    let started = || Served::start_with(&postgres, &model.settings());
    let (Some(one), Some(another)) = (started(), started()) else { return ExitCode::FAILURE };
    measure("the server at work", one.url(), one.url()).await;
    let median = measure("another server", one.url(), another.url()).await;
    println!("Wanted on another server: a median of at most {WANTED:?}.");
    if median <= WANTED { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
