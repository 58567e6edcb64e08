//! Where new identifiers come from: passed in, so that tests own them.

use std::sync::atomic::{AtomicU64, Ordering};

pub trait Ids: Send + Sync {
    /// A new unique identifier, `^[a-z0-9-]+$`.
    fn next(&self) -> String;
}

/// UUID v7: unique everywhere, in order of time.
pub struct RandomIds;

impl Ids for RandomIds {
    fn next(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }
}

/// 1, 2, 3: for tests.
#[derive(Default)]
pub struct CountedIds(AtomicU64);

impl Ids for CountedIds {
    fn next(&self) -> String {
        format!("id-{}", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
