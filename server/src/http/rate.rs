//! How often a guest may ask.

use std::collections::{HashMap, VecDeque};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use axum::http::StatusCode;

use super::problem::ApiError;

/// New messages and retries of one guest within [`MESSAGE_WINDOW`].
const MESSAGES: usize = 30;
const MESSAGE_WINDOW: Duration = Duration::from_secs(60);

/// Kept for each guest, or for each address where there is no session yet.
pub struct Rates {
    messages: Mutex<HashMap<String, VecDeque<Sent>>>,
    requests: DefaultKeyedRateLimiter<String>,
}

struct Sent {
    at: Instant,
    what: String,
}

impl Default for Rates {
    fn default() -> Self {
        let per_second = const { NonZeroU32::new(100).unwrap() };
        Self { messages: Mutex::default(), requests: RateLimiter::keyed(Quota::per_second(per_second)) }
    }
}

impl Rates {
    /// One new message, or one retry. `what` names it: the same one sent again is no new one.
    ///
    /// Counted in a window that slides. A bucket that refills, as for [`Rates::request`], would let
    /// twice as many through in the minute after it was full.
    pub fn message(&self, guest: &str, what: &str) -> Result<(), ApiError> {
        let now = Instant::now();
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = messages.entry(guest.to_owned()).or_default();
        while sent.front().is_some_and(|first| is_over(first, now)) {
            sent.pop_front();
        }
        if sent.iter().any(|before| before.what == what) {
            return Ok(());
        }
        match sent.front() {
            Some(first) if sent.len() >= MESSAGES => {
                Err(too_many(MESSAGE_WINDOW.saturating_sub(now.duration_since(first.at))))
            }
            Some(_) | None => {
                sent.push_back(Sent { at: now, what: what.to_owned() });
                Ok(())
            }
        }
    }

    /// Any request.
    pub fn request(&self, guest: &str) -> Result<(), ApiError> {
        self.requests
            .check_key(&guest.to_owned())
            .map_err(|not_until| too_many(not_until.wait_time_from(DefaultClock::default().now())))
    }

    /// Forgets guests who have not asked for a while.
    pub fn forget_idle(&self) {
        let now = Instant::now();
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        messages.retain(|_, sent| sent.back().is_some_and(|last| !is_over(last, now)));
        self.requests.retain_recent();
    }
}

fn is_over(sent: &Sent, now: Instant) -> bool {
    now.duration_since(sent.at) >= MESSAGE_WINDOW
}

fn too_many(wait: Duration) -> ApiError {
    let title = "Too many requests in a short time. Wait a moment and try again.";
    ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", title)
        .retry_after(wait.as_secs().saturating_add(1))
}
