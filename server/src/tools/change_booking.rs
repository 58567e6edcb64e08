//! changeBooking: another time or party size, the old place kept until the new one is certain.

use async_trait::async_trait;
use chrono::{DateTime, FixedOffset};
use serde_json::Value;
use shared::error_code::ErrorCode;
use shared::tools::{
    Booking, BookingStatus, ChangeBooking, ChangeBookingInput, ChangeBookingPreview, CreateBooking,
    CreateBookingInput, Placement, Tool,
};

use super::booking_changes::{self, changeable, changeable_locked, move_up, receipts_follow};
use super::contract::{
    Consequences, Doing, Done, DoneHere, Moved, Refused, ToolContext, ToolFailure, WriteTool,
};
use super::create_booking::promise_kept;
use super::table::{Table, other_times};
use crate::db::{self, Connection};
use crate::restaurants::Restaurant;
use crate::restaurants::bookings::{self, BookingRow};

#[async_trait]
impl WriteTool for ChangeBooking {
    async fn lock(
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &ChangeBookingInput,
    ) -> Result<(), ToolFailure> {
        Ok(booking_changes::lock(transaction, cx, &input.booking_id).await?)
    }

    async fn preview(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &ChangeBookingInput,
    ) -> Result<ChangeBookingPreview, ToolFailure> {
        let (booking, restaurant) = changeable(connection, cx, &input.booking_id).await?;
        let change = Change::check(connection, cx, input, &booking, &restaurant).await?;
        Ok(ChangeBookingPreview {
            booking: booking.shown(&restaurant),
            starts_at: restaurant.local(change.table.starts_at),
            party_size: change.party_size,
            status: change.table.placement,
            seats_free: change.table.seats_free,
        })
    }

    fn preview_holds(approved: &ChangeBookingPreview, now: &ChangeBookingPreview, edited: bool) -> bool {
        approved.booking == now.booking
            && promise_kept(approved.status, now.status)
            && (edited || (approved.starts_at == now.starts_at && approved.party_size == now.party_size))
    }

    async fn revision(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &ChangeBookingInput,
    ) -> Result<u64, db::Error> {
        booking_changes::revision(connection, cx, &input.booking_id).await
    }

    fn doing() -> Doing<Self> {
        Doing::Here(&Self)
    }
}

#[async_trait]
impl DoneHere<Self> for ChangeBooking {
    async fn run(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &ChangeBookingInput,
        _: String,
    ) -> Result<Done<Booking>, ToolFailure> {
        let (mut booking, restaurant) = changeable_locked(transaction, cx, &input.booking_id).await?;
        let change = Change::check(transaction, cx, input, &booking, &restaurant).await?;
        let waits_anew = match change.table.placement {
            Placement::Confirmed => None,
            // At the same time it keeps its place in line.
            Placement::Waitlisted => (booking.starts_at != change.table.starts_at).then_some(cx.now),
        };
        booking.starts_at = change.table.starts_at;
        booking.party_size = change.party_size;
        booking.status = change.table.placement.into();
        booking.revision += 1;
        bookings::save(transaction, &booking, waits_anew).await?;
        let mut updated =
            receipts_follow(transaction, &booking, &restaurant, "the user has changed it to this").await?;
        bookings::add_receipt(transaction, &booking.id, &cx.tool_call_id).await?;
        updated.extend(move_up(transaction, &restaurant, cx.now).await?.updated);
        let moved = vec![moved(&booking, &restaurant)?];
        Ok(Done {
            output: booking.shown(&restaurant),
            consequences: Consequences { updated, released: Vec::new(), moved },
        })
    }
}

/// A change that may be made.
struct Change {
    table: Table,
    party_size: u8,
}

impl Change {
    async fn check(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &ChangeBookingInput,
        booking: &BookingRow,
        restaurant: &Restaurant,
    ) -> Result<Self, ToolFailure> {
        let party_size = input.party_size.unwrap_or(booking.party_size);
        let wanted = input.starts_at.unwrap_or_else(|| restaurant.local(booking.starts_at));
        let own = Some(booking.id.as_str());
        let table = Table::check(&mut *connection, cx, restaurant, party_size, wanted, own).await?;
        if table.starts_at == booking.starts_at && party_size == booking.party_size {
            return Err(nothing_to_change(booking).into());
        }
        if bookings::another_at(&mut *connection, booking, table.starts_at).await? {
            return Err(another_booking().into());
        }
        match (booking.status, table.placement) {
            (BookingStatus::Confirmed, Placement::Waitlisted) => {
                let times = other_times(connection, cx, restaurant, party_size, table.starts_at, own).await?;
                // Its own time is no other one, unless more or fewer people come.
                let times: Vec<_> = times
                    .into_iter()
                    .filter(|time| party_size != booking.party_size || time.to_utc() != booking.starts_at)
                    .collect();
                Err(full(restaurant, &table, party_size, &times).into())
            }
            // Who waits has no seats to lose.
            (BookingStatus::Confirmed, Placement::Confirmed)
            | (BookingStatus::Waitlisted | BookingStatus::Cancelled, _) => Ok(Self { table, party_size }),
        }
    }
}

/// The call that made the booking stands from now on for a booking like this.
fn moved(booking: &BookingRow, restaurant: &Restaurant) -> Result<Moved, ToolFailure> {
    let request = CreateBookingInput {
        restaurant_id: booking.restaurant_id.clone(),
        party_size: booking.party_size,
        starts_at: restaurant.local(booking.starts_at),
        note: booking.note.clone(),
    };
    let business_key = CreateBooking::business_key(&request, &booking.user, 0).unwrap_or_default();
    let request: Value =
        serde_json::to_value(request).map_err(|error| ToolFailure::Failed(Box::new(error)))?;
    Ok(Moved { tool_call: booking.tool_call.clone(), business_key, request })
}

fn nothing_to_change(booking: &BookingRow) -> Refused {
    let message = format!(
        "The booking {} is for this time and this many people now; say what is to be different.",
        booking.reference
    );
    Refused::new(ErrorCode::NothingToChange, "", message)
}

fn another_booking() -> Refused {
    Refused::new(
        ErrorCode::AnotherBooking,
        "/startsAt",
        "The user already has another booking at this restaurant for this time; take another time.",
    )
}

fn full(restaurant: &Restaurant, table: &Table, party_size: u8, times: &[DateTime<FixedOffset>]) -> Refused {
    let wanted = restaurant.local(table.starts_at).format("%Y-%m-%d %H:%M");
    let instead = if times.is_empty() {
        "No time around it has room either.".to_owned()
    } else {
        let times: Vec<String> = times.iter().map(|time| time.format("%H:%M").to_string()).collect();
        format!("Free for them instead: {}.", times.join(", "))
    };
    let message = format!(
        "{} is full for {party_size} people on {wanted}; the booking stays as it is. {instead}",
        restaurant.name
    );
    let times: Vec<Value> = times.iter().map(|time| Value::from(time.to_rfc3339())).collect();
    Refused::new(ErrorCode::Full, "/startsAt", message).with("times", times)
}
