//! When a table may be booked, and the record of it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use shared::ids::{ToolCallId, UserId};
use shared::tools::BookingStatus;
use sqlx::AnyConnection;

use super::availability::{HOLD, Held};

/// How far ahead tables are given.
pub const MAX_DAYS_AHEAD: i64 = 90;

/// Why there is no table at a time, whatever the restaurant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfWindow {
    Past,
    TooFarAhead,
}

/// From this moment on, up to [`MAX_DAYS_AHEAD`] times 24 hours ahead, both included.
pub fn check_window(starts_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), OutOfWindow> {
    if starts_at < now {
        return Err(OutOfWindow::Past);
    }
    if starts_at.signed_duration_since(now) > TimeDelta::days(MAX_DAYS_AHEAD) {
        return Err(OutOfWindow::TooFarAhead);
    }
    Ok(())
}

/// As the database has it.
pub fn status_text(status: BookingStatus) -> &'static str {
    match status {
        BookingStatus::Confirmed => "confirmed",
        BookingStatus::Waitlisted => "waitlisted",
    }
}

/// A booking that counts and has not ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Upcoming {
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    pub status: BookingStatus,
    /// What it holds once it is confirmed.
    pub held: Held,
}

/// The restaurant's confirmed and waiting bookings that end after `now`, in the order of time.
pub async fn upcoming(
    connection: &mut AnyConnection,
    restaurant_id: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Upcoming>, sqlx::Error> {
    let mut bookings = Vec::new();
    for status in [BookingStatus::Confirmed, BookingStatus::Waitlisted] {
        let rows: Vec<(String, i64, i64, i64)> = sqlx::query_as(
            "SELECT reference, starts_at, ends_at, party_size FROM bookings \
             WHERE restaurant_id = $1 AND status = $2 AND ends_at > $3",
        )
        .bind(restaurant_id)
        .bind(status_text(status))
        .bind(now.timestamp_millis())
        .fetch_all(&mut *connection)
        .await?;
        for (reference, starts_at, ends_at, seats) in rows {
            let begin = DateTime::from_timestamp_millis(starts_at)
                .ok_or_else(|| sqlx::Error::Decode("a time out of range".into()))?;
            let held = Held { starts_at, ends_at, seats };
            bookings.push(Upcoming { reference, starts_at: begin, status, held });
        }
    }
    bookings.sort_by(|one, other| (one.starts_at, &one.reference).cmp(&(other.starts_at, &other.reference)));
    Ok(bookings)
}

/// How many bookings the restaurant has or had, whatever became of them.
pub async fn count_ever(connection: &mut AnyConnection, restaurant_id: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM bookings WHERE restaurant_id = $1")
        .bind(restaurant_id)
        .fetch_one(connection)
        .await
}

pub struct NewBooking<'a> {
    pub id: &'a str,
    pub user: &'a UserId,
    pub restaurant_id: &'a str,
    pub tool_call_id: &'a ToolCallId,
    pub party_size: u8,
    pub starts_at: DateTime<Utc>,
    pub note: Option<&'a str>,
    pub status: BookingStatus,
    pub created_at: DateTime<Utc>,
}

/// Makes other transactions that book at the same restaurant wait for the end of this one, so that
/// none counts the same free seats.
pub async fn lock_restaurant(
    transaction: &mut AnyConnection,
    restaurant_id: &str,
) -> Result<(), sqlx::Error> {
    // A write is the one lock of a row that SQLite and PostgreSQL say with the same words.
    sqlx::query("UPDATE restaurants SET seats = seats WHERE id = $1")
        .bind(restaurant_id)
        .execute(transaction)
        .await?;
    Ok(())
}

/// Records the booking and gives its reference.
pub async fn insert(transaction: &mut AnyConnection, booking: NewBooking<'_>) -> Result<String, sqlx::Error> {
    let reference = free_reference(&mut *transaction, booking.id).await?;
    sqlx::query(
        "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, \
         ends_at, note, status, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(booking.id)
    .bind(&reference)
    .bind(booking.user.as_str())
    .bind(booking.restaurant_id)
    .bind(booking.tool_call_id.as_str())
    .bind(i64::from(booking.party_size))
    .bind(booking.starts_at.timestamp_millis())
    .bind((booking.starts_at + HOLD).timestamp_millis())
    .bind(booking.note)
    .bind(status_text(booking.status))
    .bind(booking.created_at.timestamp_millis())
    .execute(transaction)
    .await?;
    Ok(reference)
}

/// Nothing that is taken for something else when it is read out or written down.
const REFERENCE_LETTERS: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const REFERENCE_LENGTH: usize = 6;
const REFERENCE_ATTEMPTS: u32 = 32;

/// The reference of a booking, to be read out at the door. `attempt` counts from 0 and rises where
/// the reference before it belongs to another booking.
pub fn reference(booking_id: &str, attempt: u32) -> String {
    let hash = Sha256::new().chain_update(booking_id).chain_update(attempt.to_be_bytes()).finalize();
    let mut number = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (0..REFERENCE_LENGTH)
        .map(|_| {
            let letters = REFERENCE_LETTERS.len() as u64;
            let letter = REFERENCE_LETTERS[(number % letters) as usize];
            number /= letters;
            char::from(letter)
        })
        .collect()
}

async fn free_reference(transaction: &mut AnyConnection, booking_id: &str) -> Result<String, sqlx::Error> {
    for attempt in 0..REFERENCE_ATTEMPTS {
        let reference = reference(booking_id, attempt);
        let taken: Option<(String,)> = sqlx::query_as("SELECT id FROM bookings WHERE reference = $1")
            .bind(&reference)
            .fetch_optional(&mut *transaction)
            .await?;
        if taken.is_none() {
            return Ok(reference);
        }
    }
    Err(sqlx::Error::Protocol(format!("no free reference for booking {booking_id}")))
}
