//! The waiting list: whoever fits moves up in the transaction that frees the seats.

use chrono::{DateTime, Utc};
use shared::tools::BookingStatus;

use super::Restaurant;
use super::availability::{HOLD, Held, held_at, seats_free};
use super::bookings::{self, BookingRow};
use crate::db::{self, Connection};

/// Gives free seats to those who wait, first in line first, and returns who moved up. Afterwards nobody
/// waits who would fit. The caller holds the restaurant's lock.
pub async fn move_up(
    transaction: &mut Connection,
    restaurant: &Restaurant,
    now: DateTime<Utc>,
) -> Result<Vec<BookingRow>, db::Error> {
    let line = bookings::in_line(&mut *transaction, &restaurant.id, now).await?;
    let starts = line.iter().map(|waiting| waiting.starts_at);
    let (Some(first), Some(last)) = (starts.clone().min(), starts.max()) else {
        return Ok(Vec::new());
    };
    let mut held = held_at(&mut *transaction, &restaurant.id, first, last + HOLD, None).await?;
    let mut moved_up = Vec::new();
    // Once through the line is enough: each one who moves up leaves fewer seats for those before.
    for mut waiting in line {
        let fits = u32::from(waiting.party_size) <= seats_free(restaurant.seats, &held, waiting.starts_at);
        if !fits || !restaurant.takes_guests_at(waiting.starts_at) {
            continue;
        }
        waiting.status = BookingStatus::Confirmed;
        bookings::save(&mut *transaction, &waiting, None).await?;
        held.push(Held {
            starts_at: waiting.starts_at.timestamp_millis(),
            ends_at: (waiting.starts_at + HOLD).timestamp_millis(),
            seats: i64::from(waiting.party_size),
        });
        moved_up.push(waiting);
    }
    Ok(moved_up)
}
