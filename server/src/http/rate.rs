//! How often a guest may ask.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use axum::http::StatusCode;

use super::problem::ApiError;

/// Kept for each guest, or for each address where there is no session yet.
pub struct Rates {
    messages: DefaultKeyedRateLimiter<String>,
    requests: DefaultKeyedRateLimiter<String>,
}

impl Default for Rates {
    fn default() -> Self {
        let per_minute = const { NonZeroU32::new(30).unwrap() };
        let per_second = const { NonZeroU32::new(100).unwrap() };
        Self {
            messages: RateLimiter::keyed(Quota::per_minute(per_minute)),
            requests: RateLimiter::keyed(Quota::per_second(per_second)),
        }
    }
}

impl Rates {
    /// One new message, or one retry.
    pub fn message(&self, guest: &str) -> Result<(), ApiError> {
        check(&self.messages, guest)
    }

    /// Any request.
    pub fn request(&self, guest: &str) -> Result<(), ApiError> {
        check(&self.requests, guest)
    }

    /// Forgets guests who have not asked for a while.
    pub fn forget_idle(&self) {
        self.messages.retain_recent();
        self.requests.retain_recent();
    }
}

fn check(limiter: &DefaultKeyedRateLimiter<String>, guest: &str) -> Result<(), ApiError> {
    limiter.check_key(&guest.to_owned()).map_err(|not_until| {
        let wait = not_until.wait_time_from(DefaultClock::default().now());
        let title = "Too many requests in a short time. Wait a moment and try again.";
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", title)
            .retry_after(wait.as_secs().saturating_add(1))
    })
}
