//! How long to wait before a call is made again.

use std::time::Duration;

use chrono::{DateTime, Utc};
use rand::Rng;
use reqwest::header::HeaderMap;

/// A guest waits: what the provider asks for beyond this is cut.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

const FIRST_BACKOFF: Duration = Duration::from_millis(500);
const LONGEST_BACKOFF: Duration = Duration::from_secs(8);

/// The wait where the provider names none, after `retries` earlier ones: doubling, and shortened by
/// chance, so that clients which failed together do not come back together.
pub fn backoff(retries: u32) -> Duration {
    let doubled = FIRST_BACKOFF.saturating_mul(2_u32.saturating_pow(retries));
    doubled.min(LONGEST_BACKOFF).mul_f64(rand::rng().random_range(0.75..=1.0))
}

/// The wait that the provider asks for, if it asks for any.
pub fn asked_wait(headers: &HeaderMap, now: DateTime<Utc>) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let milliseconds = text("retry-after-ms").and_then(|text| positive(text, 0.001));
    let wait = milliseconds.or_else(|| {
        let text = text("retry-after")?;
        positive(text, 1.0).or_else(|| {
            let date = DateTime::parse_from_rfc2822(text).ok()?;
            (date.to_utc() - now).to_std().ok()
        })
    });
    wait.map(|wait| wait.min(LONGEST_WAIT))
}

/// What the provider says about trying again, where it says so itself.
pub fn asked_to_retry(headers: &HeaderMap) -> Option<bool> {
    match headers.get("x-should-retry")?.as_bytes() {
        b"true" => Some(true),
        b"false" => Some(false),
        _ => None,
    }
}

fn positive(text: &str, unit_seconds: f64) -> Option<Duration> {
    let number: f64 = text.parse().ok()?;
    if number.is_nan() || number <= 0.0 {
        return None;
    }
    // What no Duration can hold is a very long wait.
    Some(Duration::try_from_secs_f64(number * unit_seconds).unwrap_or(Duration::MAX))
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;
    use reqwest::header::HeaderValue;

    use super::*;

    fn asked(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().expect("a header name"), HeaderValue::from_static(value)));
        let now = Utc.with_ymd_and_hms(2026, 11, 30, 12, 0, 0).single().expect("a time");
        asked_wait(&headers.collect(), now)
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        assert_eq!(asked(&[("retry-after", "2")]), Some(Duration::from_secs(2)));
        assert_eq!(asked(&[("retry-after", "1.5")]), Some(Duration::from_millis(1500)));
        assert_eq!(asked(&[("retry-after-ms", "250")]), Some(Duration::from_millis(250)));
        let date = "Mon, 30 Nov 2026 12:00:07 GMT";
        assert_eq!(asked(&[("retry-after", date)]), Some(Duration::from_secs(7)));
    }

    #[test]
    fn milliseconds_win_over_seconds_unless_they_are_unreadable() {
        let both = |ms| asked(&[("retry-after-ms", ms), ("retry-after", "3")]);
        assert_eq!(both("20"), Some(Duration::from_millis(20)));
        assert_eq!(both("soon"), Some(Duration::from_secs(3)));
    }

    #[test]
    fn no_wait_is_longer_than_thirty_seconds() {
        for (name, value) in [
            ("retry-after", "3600"),
            ("retry-after", "1e300"),
            ("retry-after", "inf"),
            ("retry-after", "Mon, 30 Nov 2026 18:00:00 GMT"),
            ("retry-after-ms", "30001"),
        ] {
            assert_eq!(asked(&[(name, value)]), Some(Duration::from_secs(30)), "{name}: {value}");
        }
    }

    #[test]
    fn a_wait_that_is_none_is_not_taken_for_one() {
        for value in ["", "0", "-5", "NaN", "soon", "Mon, 30 Nov 2026 11:59:00 GMT"] {
            assert_eq!(asked(&[("retry-after", value)]), None, "{value:?}");
        }
        assert_eq!(asked(&[]), None);
    }

    #[test]
    fn backoff_doubles_up_to_eight_seconds_and_is_shortened_by_at_most_a_quarter() {
        for (retries, full) in [(0, 500), (1, 1000), (2, 2000), (4, 8000), (5, 8000), (u32::MAX, 8000)] {
            let full = Duration::from_millis(full);
            for _ in 0..200 {
                let wait = backoff(retries);
                assert!(wait <= full && wait >= full.mul_f64(0.75), "{retries}: {wait:?}");
            }
        }
    }
}
