//! What cancelBooking and changeBooking share: the guest's own booking, and whose receipts follow.

use chrono::{DateTime, Utc};
use shared::error_code::ErrorCode;

use super::contract::{Refused, ToolContext, ToolFailure, Updated};
use crate::db::{self, Connection};
use crate::restaurants::bookings::{self, BookingRow, lock_restaurant};
use crate::restaurants::{self, Restaurant, waiting_list};
use crate::text::one_line;

const PATH: &str = "/bookingId";

/// As much of a restaurant's name as news has room for: what happened comes after it.
const MAX_NAME_CHARS: usize = 80;

/// The guest's own booking, where something of it can still be changed.
pub async fn changeable(
    connection: &mut Connection,
    cx: &ToolContext,
    booking_id: &str,
) -> Result<(BookingRow, Restaurant), ToolFailure> {
    let booking =
        bookings::find_own(&mut *connection, &cx.user, booking_id).await?.ok_or_else(unknown_booking)?;
    let restaurant =
        restaurants::find(connection, &booking.restaurant_id).await?.ok_or_else(unknown_booking)?;
    if !booking.is_live() {
        let message =
            format!("The booking {} is cancelled; nothing of it can be changed.", booking.reference);
        return Err(Refused::new(ErrorCode::BookingCancelled, PATH, message).into());
    }
    if booking.starts_at <= cx.now {
        let message =
            format!("The time of the booking {} is past; nothing of it can be changed.", booking.reference);
        return Err(Refused::new(ErrorCode::BookingPast, PATH, message).into());
    }
    Ok((booking, restaurant))
}

/// The same behind the restaurant's lock: only what is read there is true for a write.
pub async fn changeable_locked(
    transaction: &mut Connection,
    cx: &ToolContext,
    booking_id: &str,
) -> Result<(BookingRow, Restaurant), ToolFailure> {
    let (booking, _) = changeable(&mut *transaction, cx, booking_id).await?;
    lock_restaurant(&mut *transaction, &booking.restaurant_id).await?;
    changeable(transaction, cx, booking_id).await
}

/// Locks the restaurant of a guest's own booking; of another's, and of none, nothing.
pub async fn lock(transaction: &mut Connection, cx: &ToolContext, booking_id: &str) -> Result<(), db::Error> {
    match bookings::find_own(&mut *transaction, &cx.user, booking_id).await? {
        Some(booking) => lock_restaurant(transaction, &booking.restaurant_id).await,
        None => Ok(()),
    }
}

/// How often the guest has changed it; 0 where there is no such booking of theirs.
pub async fn revision(
    connection: &mut Connection,
    cx: &ToolContext,
    booking_id: &str,
) -> Result<u64, db::Error> {
    let booking = bookings::find_own(connection, &cx.user, booking_id).await?;
    Ok(booking.map_or(0, |booking| booking.revision))
}

/// The receipts of a booking that was changed by this call, as they are now. `what` happened to it.
pub async fn receipts_follow(
    connection: &mut Connection,
    booking: &BookingRow,
    restaurant: &Restaurant,
    what: &str,
) -> Result<Vec<Updated>, db::Error> {
    receipts(connection, booking, restaurant, what, true).await
}

async fn receipts(
    connection: &mut Connection,
    booking: &BookingRow,
    restaurant: &Restaurant,
    what: &str,
    in_result: bool,
) -> Result<Vec<Updated>, db::Error> {
    let output =
        serde_json::to_value(booking.shown(restaurant)).map_err(|error| db::Error::Encode(error.into()))?;
    let when = restaurant.local(booking.starts_at).format("%Y-%m-%d %H:%M");
    let news = format!(
        "booking {} ({}, {when}, {} people): {what}",
        booking.reference,
        one_line(&restaurant.name, MAX_NAME_CHARS),
        booking.party_size
    );
    let receipts = bookings::receipts(connection, &booking.id).await?;
    let updated = |tool_call| Updated { tool_call, output: output.clone(), news: news.clone(), in_result };
    Ok(receipts.into_iter().map(updated).collect())
}

/// Who moved up, and whose receipts follow.
pub struct MovedUp {
    pub bookings: Vec<BookingRow>,
    pub updated: Vec<Updated>,
}

/// Gives what is free to those who wait. The caller holds the restaurant's lock.
pub async fn move_up(
    transaction: &mut Connection,
    restaurant: &Restaurant,
    now: DateTime<Utc>,
) -> Result<MovedUp, db::Error> {
    let bookings = waiting_list::move_up(&mut *transaction, restaurant, now).await?;
    let mut updated = Vec::new();
    for booking in &bookings {
        let what = "it moved up from the waiting list and is confirmed now";
        updated.extend(receipts(&mut *transaction, booking, restaurant, what, false).await?);
    }
    Ok(MovedUp { bookings, updated })
}

fn unknown_booking() -> Refused {
    Refused::new(
        ErrorCode::UnknownBooking,
        PATH,
        "The user has no booking with this id; take a bookingId that listBookings gave.",
    )
}
