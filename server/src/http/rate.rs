//! How often a guest may ask this server. What counts for all servers together is counted in the database:
//! messages by the agent, handovers by [`crate::handovers`].

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use axum::http::StatusCode;

use super::problem::ApiError;

/// Conversations of one guest that are sent to a person within [`HANDOVER_WINDOW`].
pub const HANDOVERS: usize = 10;
pub const HANDOVER_WINDOW: Duration = Duration::from_secs(600);

/// Kept for each guest, or for each address where there is no session yet.
pub struct Rates {
    handovers: Window,
    requests: DefaultKeyedRateLimiter<String>,
}

/// So many of something for each guest within a time that slides.
///
/// A bucket that refills, as for [`Rates::request`], would let twice as many through in the time after it
/// was full.
struct Window {
    most: usize,
    span: Duration,
    sent: Mutex<HashMap<String, VecDeque<Sent>>>,
}

struct Sent {
    at: Instant,
    what: String,
}

impl Default for Rates {
    fn default() -> Self {
        let per_second = const { NonZeroU32::new(100).unwrap() };
        Self {
            handovers: Window::new(HANDOVERS, HANDOVER_WINDOW),
            requests: RateLimiter::keyed(Quota::per_second(per_second)),
        }
    }
}

impl Rates {
    /// One conversation that is sent to a person. `what` names it: the same one sent again is no new one.
    pub fn handover(&self, guest: &str, what: &str) -> Result<(), ApiError> {
        self.handovers.count(guest, what)
    }

    /// Any request.
    pub fn request(&self, guest: &str) -> Result<(), ApiError> {
        self.requests
            .check_key(&guest.to_owned())
            .map_err(|not_until| too_many(not_until.wait_time_from(DefaultClock::default().now())))
    }

    /// Forgets guests who have not asked for a while.
    pub fn forget_idle(&self) {
        self.handovers.forget_idle();
        self.requests.retain_recent();
    }
}

impl Window {
    fn new(most: usize, span: Duration) -> Self {
        Self { most, span, sent: Mutex::default() }
    }

    fn count(&self, guest: &str, what: &str) -> Result<(), ApiError> {
        let now = Instant::now();
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = all.entry(guest.to_owned()).or_default();
        while sent.front().is_some_and(|first| self.is_over(first, now)) {
            sent.pop_front();
        }
        if sent.iter().any(|before| before.what == what) {
            return Ok(());
        }
        match sent.front() {
            Some(first) if sent.len() >= self.most => {
                Err(too_many(self.span.saturating_sub(now.duration_since(first.at))))
            }
            Some(_) | None => {
                sent.push_back(Sent { at: now, what: what.to_owned() });
                Ok(())
            }
        }
    }

    fn is_over(&self, sent: &Sent, now: Instant) -> bool {
        now.duration_since(sent.at) >= self.span
    }

    fn forget_idle(&self) {
        let now = Instant::now();
        let mut all = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, sent| sent.back().is_some_and(|last| !self.is_over(last, now)));
    }
}

pub fn too_many(wait: Duration) -> ApiError {
    let title = "Too many requests in a short time. Wait a moment and try again.";
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", title)
        .retry_after(wait.as_secs().saturating_add(1))
}
