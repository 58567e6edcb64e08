//! When a table may be booked, and the record of it.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use shared::ids::{ToolCallId, UserId};
use shared::tools::{Booking, BookingStatus, Placement};

use super::availability::{HOLD, Held};
use super::{Restaurant, unreadable};
use crate::db::{self, Connection, Row};

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
        BookingStatus::Cancelled => "cancelled",
    }
}

fn status_of(text: &str) -> Result<BookingStatus, db::Error> {
    [BookingStatus::Confirmed, BookingStatus::Waitlisted, BookingStatus::Cancelled]
        .into_iter()
        .find(|status| status_text(*status) == text)
        .ok_or_else(|| db::Error::Decode(format!("booking status {text:?}").into()))
}

/// A booking as the table has it.
#[derive(Clone, Debug, PartialEq)]
pub struct BookingRow {
    pub id: String,
    pub reference: String,
    pub user: UserId,
    pub restaurant_id: String,
    /// The call that made it.
    pub tool_call: ToolCallId,
    pub party_size: u8,
    pub starts_at: DateTime<Utc>,
    pub note: Option<String>,
    pub status: BookingStatus,
    /// Counts what the guest has changed.
    pub revision: u64,
}

const COLUMNS: &str =
    "id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, note, status, revision";

impl BookingRow {
    fn read(row: &Row) -> Result<Self, db::Error> {
        let number = |column| row.try_get::<i64>(column);
        Ok(Self {
            id: row.try_get("id")?,
            reference: row.try_get("reference")?,
            user: UserId(row.try_get("user_id")?),
            restaurant_id: row.try_get("restaurant_id")?,
            tool_call: ToolCallId(row.try_get("tool_call_id")?),
            party_size: u8::try_from(number("party_size")?).map_err(unreadable)?,
            starts_at: DateTime::from_timestamp_millis(number("starts_at")?)
                .ok_or_else(|| db::Error::Decode("a booking's time out of range".into()))?,
            note: row.try_get("note")?,
            status: status_of(&row.try_get::<String>("status")?)?,
            revision: u64::try_from(number("revision")?).map_err(unreadable)?,
        })
    }

    /// Whether it holds seats or waits for some.
    pub fn is_live(&self) -> bool {
        match self.status {
            BookingStatus::Confirmed | BookingStatus::Waitlisted => true,
            BookingStatus::Cancelled => false,
        }
    }

    /// As guests and the model see it.
    pub fn shown(&self, restaurant: &Restaurant) -> Booking {
        Booking {
            booking_id: self.id.clone(),
            reference: self.reference.clone(),
            status: self.status,
            restaurant_id: restaurant.id.clone(),
            restaurant_name: restaurant.name.clone(),
            address: restaurant.address.clone(),
            city: restaurant.city.clone(),
            contact: Some(restaurant.contact.clone()).filter(|contact| !contact.is_empty()),
            starts_at: restaurant.local(self.starts_at),
            party_size: self.party_size,
            note: self.note.clone(),
        }
    }
}

/// The guest's own booking with this id; somebody else's does not exist for them.
pub async fn find_own(
    connection: &mut Connection,
    user: &UserId,
    id: &str,
) -> Result<Option<BookingRow>, db::Error> {
    // PostgreSQL takes no NUL, not even to say that there is no such thing.
    if id.contains('\0') {
        return Ok(None);
    }
    let sql = format!("SELECT {COLUMNS} FROM bookings WHERE id = $1 AND user_id = $2");
    let row =
        db::query(db::AssertSqlSafe(sql)).bind(id).bind(user.as_str()).fetch_optional(connection).await?;
    row.as_ref().map(BookingRow::read).transpose()
}

/// All bookings of a guest: the live ones to come in order of time, then what was cancelled of them, then
/// the past ones, the latest first.
pub async fn of_guest(
    connection: &mut Connection,
    user: &UserId,
    now: DateTime<Utc>,
) -> Result<Vec<BookingRow>, db::Error> {
    let sql = format!("SELECT {COLUMNS} FROM bookings WHERE user_id = $1 ORDER BY starts_at, id");
    let rows = db::query(db::AssertSqlSafe(sql)).bind(user.as_str()).fetch_all(connection).await?;
    let bookings: Vec<BookingRow> = rows.iter().map(BookingRow::read).collect::<Result<_, _>>()?;
    let (to_come, past): (Vec<_>, Vec<_>) =
        bookings.into_iter().partition(|booking| booking.starts_at + HOLD > now);
    let (mut sorted, cancelled): (Vec<_>, Vec<_>) = to_come.into_iter().partition(BookingRow::is_live);
    sorted.extend(cancelled);
    sorted.extend(past.into_iter().rev());
    Ok(sorted)
}

/// Whether the guest has another live booking at this restaurant for this very time.
pub async fn another_at(
    connection: &mut Connection,
    booking: &BookingRow,
    starts_at: DateTime<Utc>,
) -> Result<bool, db::Error> {
    let row: Option<(String,)> = db::query_as(
        "SELECT id FROM bookings WHERE user_id = $1 AND restaurant_id = $2 AND starts_at = $3 \
         AND id <> $4 AND status <> $5 LIMIT 1",
    )
    .bind(booking.user.as_str())
    .bind(&booking.restaurant_id)
    .bind(starts_at.timestamp_millis())
    .bind(&booking.id)
    .bind(status_text(BookingStatus::Cancelled))
    .fetch_optional(connection)
    .await?;
    Ok(row.is_some())
}

/// Those who wait at a restaurant for a time still to come, first in line first.
pub async fn in_line(
    connection: &mut Connection,
    restaurant_id: &str,
    now: DateTime<Utc>,
) -> Result<Vec<BookingRow>, db::Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM bookings WHERE restaurant_id = $1 AND status = $2 AND starts_at > $3 \
         ORDER BY waiting_since, id"
    );
    let rows = db::query(db::AssertSqlSafe(sql))
        .bind(restaurant_id)
        .bind(status_text(BookingStatus::Waitlisted))
        .bind(now.timestamp_millis())
        .fetch_all(connection)
        .await?;
    rows.iter().map(BookingRow::read).collect()
}

/// The live bookings of a restaurant that are not over, in the order of time.
pub async fn to_come(
    connection: &mut Connection,
    restaurant_id: &str,
    now: DateTime<Utc>,
) -> Result<Vec<BookingRow>, db::Error> {
    let sql = format!(
        "SELECT {COLUMNS} FROM bookings WHERE restaurant_id = $1 AND status <> $2 AND ends_at > $3 \
         ORDER BY starts_at, id"
    );
    let rows = db::query(db::AssertSqlSafe(sql))
        .bind(restaurant_id)
        .bind(status_text(BookingStatus::Cancelled))
        .bind(now.timestamp_millis())
        .fetch_all(connection)
        .await?;
    rows.iter().map(BookingRow::read).collect()
}

/// Writes what has become of a booking. `goes_to_the_end_of_the_line`: it waits from now on.
pub async fn save(
    transaction: &mut Connection,
    booking: &BookingRow,
    goes_to_the_end_of_the_line: Option<DateTime<Utc>>,
) -> Result<(), db::Error> {
    db::query(
        "UPDATE bookings SET party_size = $2, starts_at = $3, ends_at = $4, status = $5, revision = $6, \
         waiting_since = COALESCE($7, waiting_since) WHERE id = $1",
    )
    .bind(&booking.id)
    .bind(i64::from(booking.party_size))
    .bind(booking.starts_at.timestamp_millis())
    .bind((booking.starts_at + HOLD).timestamp_millis())
    .bind(status_text(booking.status))
    .bind(i64::try_from(booking.revision).unwrap_or(i64::MAX))
    .bind(goes_to_the_end_of_the_line.map(|now| now.timestamp_millis()))
    .execute(transaction)
    .await?;
    Ok(())
}

/// The calls whose outputs show a booking.
pub async fn receipts(connection: &mut Connection, booking_id: &str) -> Result<Vec<ToolCallId>, db::Error> {
    let rows: Vec<(String,)> =
        db::query_as("SELECT tool_call_id FROM booking_receipts WHERE booking_id = $1 ORDER BY tool_call_id")
            .bind(booking_id)
            .fetch_all(connection)
            .await?;
    Ok(rows.into_iter().map(|(id,)| ToolCallId(id)).collect())
}

/// Notes that the output of a call shows a booking.
pub async fn add_receipt(
    transaction: &mut Connection,
    booking_id: &str,
    tool_call: &ToolCallId,
) -> Result<(), db::Error> {
    db::query(
        "INSERT INTO booking_receipts (booking_id, tool_call_id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
    )
    .bind(booking_id)
    .bind(tool_call.as_str())
    .execute(transaction)
    .await?;
    Ok(())
}

/// A booking that counts and has not ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Upcoming {
    pub reference: String,
    pub starts_at: DateTime<Utc>,
    pub status: Placement,
    /// What it holds once it is confirmed.
    pub held: Held,
}

/// The restaurant's confirmed and waiting bookings that end after `now`, in the order of time.
pub async fn upcoming(
    connection: &mut Connection,
    restaurant_id: &str,
    now: DateTime<Utc>,
) -> Result<Vec<Upcoming>, db::Error> {
    let mut bookings = Vec::new();
    for status in [Placement::Confirmed, Placement::Waitlisted] {
        let rows: Vec<(String, i64, i64, i64)> = db::query_as(
            "SELECT reference, starts_at, ends_at, party_size FROM bookings \
             WHERE restaurant_id = $1 AND status = $2 AND ends_at > $3",
        )
        .bind(restaurant_id)
        .bind(status_text(status.into()))
        .bind(now.timestamp_millis())
        .fetch_all(&mut *connection)
        .await?;
        for (reference, starts_at, ends_at, seats) in rows {
            let begin = DateTime::from_timestamp_millis(starts_at)
                .ok_or_else(|| db::Error::Decode("a time out of range".into()))?;
            let held = Held { starts_at, ends_at, seats };
            bookings.push(Upcoming { reference, starts_at: begin, status, held });
        }
    }
    bookings.sort_by(|one, other| (one.starts_at, &one.reference).cmp(&(other.starts_at, &other.reference)));
    Ok(bookings)
}

/// How many bookings the restaurant has or had, whatever became of them.
pub async fn count_ever(connection: &mut Connection, restaurant_id: &str) -> Result<i64, db::Error> {
    db::query_scalar("SELECT COUNT(*) FROM bookings WHERE restaurant_id = $1")
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
    pub status: Placement,
    pub created_at: DateTime<Utc>,
}

/// Makes other transactions that book at the same restaurant wait for the end of this one, so that
/// none counts the same free seats.
pub async fn lock_restaurant(transaction: &mut Connection, restaurant_id: &str) -> Result<(), db::Error> {
    // A write is the one lock of a row that SQLite and PostgreSQL say with the same words.
    db::query("UPDATE restaurants SET seats = seats WHERE id = $1")
        .bind(restaurant_id)
        .execute(transaction)
        .await?;
    Ok(())
}

/// Records the booking.
pub async fn insert(transaction: &mut Connection, booking: NewBooking<'_>) -> Result<BookingRow, db::Error> {
    let reference = free_reference(&mut *transaction, booking.id).await?;
    db::query(
        "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, starts_at, \
         ends_at, note, status, created_at, waiting_since, revision) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, 0)",
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
    .bind(status_text(booking.status.into()))
    .bind(booking.created_at.timestamp_millis())
    .execute(&mut *transaction)
    .await?;
    add_receipt(transaction, booking.id, booking.tool_call_id).await?;
    Ok(BookingRow {
        id: booking.id.to_owned(),
        reference,
        user: booking.user.clone(),
        restaurant_id: booking.restaurant_id.to_owned(),
        tool_call: booking.tool_call_id.clone(),
        party_size: booking.party_size,
        starts_at: booking.starts_at,
        note: booking.note.map(str::to_owned),
        status: booking.status.into(),
        revision: 0,
    })
}

/// Nothing that is taken for something else when it is read out or written down.
const REFERENCE_LETTERS: &[u8; 31] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const REFERENCE_LENGTH: usize = 6;
const REFERENCE_ATTEMPTS: u32 = 32;

/// The reference of a booking, to be read out at the door. `attempt` counts from 0 and rises where
/// the reference before it belongs to another booking.
pub fn reference(booking_id: &str, attempt: u32) -> String {
    letters(booking_id, attempt, REFERENCE_LENGTH)
}

/// So many letters, made of a unique text and of the number of attempts before.
pub fn letters(id: &str, attempt: u32, count: usize) -> String {
    let hash = Sha256::new().chain_update(id).chain_update(attempt.to_be_bytes()).finalize();
    let mut number = hash.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (0..count)
        .map(|_| {
            let letters = REFERENCE_LETTERS.len() as u64;
            let letter = REFERENCE_LETTERS[(number % letters) as usize];
            number /= letters;
            char::from(letter)
        })
        .collect()
}

async fn free_reference(transaction: &mut Connection, booking_id: &str) -> Result<String, db::Error> {
    for attempt in 0..REFERENCE_ATTEMPTS {
        let reference = reference(booking_id, attempt);
        let taken: Option<(String,)> = db::query_as("SELECT id FROM bookings WHERE reference = $1")
            .bind(&reference)
            .fetch_optional(&mut *transaction)
            .await?;
        if taken.is_none() {
            return Ok(reference);
        }
    }
    Err(db::Error::Protocol(format!("no free reference for booking {booking_id}")))
}
