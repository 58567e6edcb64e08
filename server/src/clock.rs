//! Where the time comes from: passed in, so that tests own it.

use std::sync::Mutex;

use chrono::{DateTime, SubsecRound, Utc};

pub trait Clock: Send + Sync {
    fn now(&self) -> DateTime<Utc>;
}

pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        // As exact as the database keeps it, so that a stored time equals the one that was sent.
        Utc::now().trunc_subsecs(3)
    }
}

/// Stands still until it is told to move: for tests.
pub struct SetClock(Mutex<DateTime<Utc>>);

impl SetClock {
    pub fn new(now: DateTime<Utc>) -> Self {
        Self(Mutex::new(now))
    }

    pub fn set(&self, now: DateTime<Utc>) {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = now;
    }
}

impl Clock for SetClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
