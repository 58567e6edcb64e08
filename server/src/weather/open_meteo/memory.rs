//! What was answered a moment ago, so that it is not asked for again.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use quick_cache::sync::Cache;

use crate::clock::Clock;

/// The places and forecasts of a busy day; a few kilobytes each at most.
const MOST_ENTRIES: usize = 1_000;

/// Answers by the address that gave them. Whoever asks for one that is under way waits for it; a
/// failure is not kept, and the next who waits asks again.
pub struct Memory<T> {
    entries: Cache<String, Kept<T>>,
    lifetime: TimeDelta,
    clock: Arc<dyn Clock>,
}

/// An answer, and when it came.
#[derive(Clone, Debug)]
pub struct Kept<T> {
    pub value: T,
    pub at: DateTime<Utc>,
}

impl<T: Clone> Memory<T> {
    pub fn new(lifetime: TimeDelta, clock: Arc<dyn Clock>) -> Self {
        Self { entries: Cache::new(MOST_ENTRIES), lifetime, clock }
    }

    /// # Errors
    /// What `ask` fails with.
    pub async fn get<E>(&self, key: &str, ask: impl Future<Output = Result<T, E>>) -> Result<Kept<T>, E> {
        let now = self.clock.now();
        // One from the future was kept before the clock was set back: nobody knows how old it is.
        self.entries.remove_if(key, |kept| !(TimeDelta::zero()..self.lifetime).contains(&(now - kept.at)));
        let asked = async { Ok(Kept { value: ask.await?, at: self.clock.now() }) };
        self.entries.get_or_insert_async(key, asked).await
    }
}
