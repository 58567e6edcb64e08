//! createBooking: holds seats, or a place on the waiting list.

use async_trait::async_trait;
use shared::error_code::ErrorCode;
use shared::tools::{Booking, CreateBooking, CreateBookingInput, CreateBookingPreview, Placement};

use super::contract::{Doing, Done, DoneHere, Refused, ToolContext, ToolFailure, WriteTool};
use super::table::{Table, other_times, unknown_restaurant};
use crate::db::Connection;
use crate::restaurants::bookings::{self, NewBooking, lock_restaurant};
use crate::restaurants::{self, Restaurant};
use crate::text::turns_text;

#[async_trait]
impl WriteTool for CreateBooking {
    async fn lock(
        transaction: &mut Connection,
        _: &ToolContext,
        input: &CreateBookingInput,
    ) -> Result<(), ToolFailure> {
        Ok(lock_restaurant(transaction, &input.restaurant_id).await?)
    }

    async fn preview(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &CreateBookingInput,
    ) -> Result<CreateBookingPreview, ToolFailure> {
        let Request { restaurant, table, note: _ } = Request::check(connection, cx, input).await?;
        let other_times = match table.placement {
            Placement::Confirmed => Vec::new(),
            Placement::Waitlisted => {
                other_times(connection, cx, &restaurant, input.party_size, table.starts_at, None).await?
            }
        };
        Ok(CreateBookingPreview {
            starts_at: restaurant.local(table.starts_at),
            restaurant_name: restaurant.name,
            address: restaurant.address,
            city: restaurant.city,
            contact: Some(restaurant.contact).filter(|contact| !contact.trim().is_empty()),
            status: table.placement,
            seats_free: table.seats_free,
            other_times,
        })
    }

    fn preview_holds(approved: &CreateBookingPreview, now: &CreateBookingPreview, edited: bool) -> bool {
        promise_kept(approved.status, now.status)
            && offer_kept(approved, now)
            && approved.restaurant_name == now.restaurant_name
            && approved.address == now.address
            && approved.city == now.city
            && (edited || approved.starts_at == now.starts_at)
    }

    fn doing() -> Doing<Self> {
        Doing::Here(&Self)
    }
}

#[async_trait]
impl DoneHere<Self> for CreateBooking {
    async fn run(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &CreateBookingInput,
        new_id: String,
    ) -> Result<Done<Booking>, ToolFailure> {
        lock_restaurant(transaction, &input.restaurant_id).await?;
        // Only what is counted behind the lock is true for the insert.
        let request = Request::check(transaction, cx, input).await?;
        let booking = NewBooking {
            id: &new_id,
            user: &cx.user,
            restaurant_id: &request.restaurant.id,
            tool_call_id: &cx.tool_call_id,
            party_size: input.party_size,
            starts_at: request.table.starts_at,
            note: request.note.as_deref(),
            status: request.table.placement,
            created_at: cx.now,
        };
        let booking = bookings::insert(transaction, booking).await?;
        Ok(booking.shown(&request.restaurant).into())
    }
}

/// Whether a person gets at least what they agreed to.
pub fn promise_kept(approved: Placement, now: Placement) -> bool {
    match (approved, now) {
        (Placement::Confirmed, Placement::Waitlisted) => false,
        (Placement::Confirmed, Placement::Confirmed)
        | (Placement::Waitlisted, Placement::Confirmed | Placement::Waitlisted) => true,
    }
}

/// Whether a time that was offered as free still is: whoever takes it up has agreed to a table.
fn offer_kept(approved: &CreateBookingPreview, now: &CreateBookingPreview) -> bool {
    match now.status {
        Placement::Confirmed => true,
        Placement::Waitlisted => !approved.other_times.contains(&now.starts_at),
    }
}

/// A booking that may be made, and what it would give at this moment.
struct Request {
    restaurant: Restaurant,
    table: Table,
    note: Option<String>,
}

impl Request {
    async fn check(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &CreateBookingInput,
    ) -> Result<Self, ToolFailure> {
        let restaurant =
            restaurants::find(connection, &input.restaurant_id).await?.ok_or_else(unknown_restaurant)?;
        let note = clean_note(input.note.as_deref())?;
        let table =
            Table::check(connection, cx, &restaurant, input.party_size, input.starts_at, None).await?;
        Ok(Self { restaurant, table, note })
    }
}

/// The note as it is kept: one line, without characters that control the screen or turn the order of
/// text around.
fn clean_note(note: Option<&str>) -> Result<Option<String>, Refused> {
    let Some(note) = note else {
        return Ok(None);
    };
    if note.contains('\0') {
        return Err(Refused::new(
            ErrorCode::BadCharacters,
            "/note",
            "The note contains a NUL character; leave it out.",
        ));
    }
    let kept: String = note
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !turns_text(*c))
        .collect();
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Some(kept).filter(|kept| !kept.is_empty()))
}
