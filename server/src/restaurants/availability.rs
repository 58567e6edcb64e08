//! Which seats are taken, and when.

use std::collections::HashMap;

use crate::db::{self, Connection};
use chrono::{DateTime, TimeDelta, Utc};
use shared::tools::BookingStatus;

use super::bookings::status_text;

/// A booking holds its seats this long.
pub const HOLD: TimeDelta = TimeDelta::hours(2);

/// Seats that a confirmed booking holds, from `starts_at` until just before `ends_at`; milliseconds
/// since 1970 (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub starts_at: i64,
    pub ends_at: i64,
    pub seats: i64,
}

/// The most seats taken at one moment of `[from, until)`.
pub fn peak(held: &[Held], from: i64, until: i64) -> i64 {
    // What is taken rises only where a booking begins, so the most is found by walking through the
    // changes in order; at one moment those who leave go first.
    let mut changes: Vec<(i64, i64)> = held
        .iter()
        .filter(|held| held.starts_at < until && held.ends_at > from && held.starts_at < held.ends_at)
        .flat_map(|held| [(held.starts_at.max(from), held.seats), (held.ends_at, -held.seats)])
        .collect();
    changes.sort_unstable();
    let taken = changes.iter().scan(0, |taken, (_, change)| {
        *taken += change;
        Some(*taken)
    });
    taken.max().unwrap_or(0).max(0)
}

/// Seats that are free all the time from `starts_at` on, for as long as a booking holds them.
pub fn seats_free(seats: u32, held: &[Held], starts_at: DateTime<Utc>) -> u32 {
    let taken = peak(held, starts_at.timestamp_millis(), (starts_at + HOLD).timestamp_millis());
    seats.saturating_sub(u32::try_from(taken).unwrap_or(u32::MAX))
}

/// What the restaurant's confirmed bookings hold in `[from, until)`; `but`: all except this one.
pub async fn held_at(
    connection: &mut Connection,
    restaurant_id: &str,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    but: Option<&str>,
) -> Result<Vec<Held>, db::Error> {
    let rows: Vec<(i64, i64, i64)> = db::query_as(
        "SELECT starts_at, ends_at, party_size FROM bookings \
         WHERE restaurant_id = $1 AND status = $2 AND starts_at < $3 AND ends_at > $4 AND id <> $5",
    )
    .bind(restaurant_id)
    .bind(status_text(BookingStatus::Confirmed))
    .bind(until.timestamp_millis())
    .bind(from.timestamp_millis())
    .bind(but.unwrap_or_default())
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(starts_at, ends_at, seats)| Held { starts_at, ends_at, seats }).collect())
}

/// What the confirmed bookings of each restaurant of a city hold in `[from, until)`, by restaurant id.
pub async fn held_in_city(
    connection: &mut Connection,
    city: &str,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> Result<HashMap<String, Vec<Held>>, db::Error> {
    let rows: Vec<(String, i64, i64, i64)> = db::query_as(
        "SELECT restaurant_id, starts_at, ends_at, party_size FROM bookings \
         JOIN restaurants ON restaurants.id = bookings.restaurant_id \
         WHERE restaurants.city = $1 AND status = $2 AND starts_at < $3 AND ends_at > $4",
    )
    .bind(city)
    .bind(status_text(BookingStatus::Confirmed))
    .bind(until.timestamp_millis())
    .bind(from.timestamp_millis())
    .fetch_all(connection)
    .await?;
    let mut held: HashMap<String, Vec<Held>> = HashMap::new();
    for (restaurant_id, starts_at, ends_at, seats) in rows {
        held.entry(restaurant_id).or_default().push(Held { starts_at, ends_at, seats });
    }
    Ok(held)
}
