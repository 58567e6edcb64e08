//! cancelBooking: gives seats, or a place in line, back.

use async_trait::async_trait;
use shared::tools::{Booking, BookingStatus, CancelBooking, CancelBookingInput, CancelBookingPreview};

use super::booking_changes::{self, changeable, changeable_locked, move_up, receipts_follow};
use super::contract::{Consequences, Doing, Done, DoneHere, ToolContext, ToolFailure, WriteTool};
use crate::db::Connection;
use crate::restaurants::bookings;

#[async_trait]
impl WriteTool for CancelBooking {
    async fn lock(
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &CancelBookingInput,
    ) -> Result<(), ToolFailure> {
        Ok(booking_changes::lock(transaction, cx, &input.booking_id).await?)
    }

    async fn preview(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &CancelBookingInput,
    ) -> Result<CancelBookingPreview, ToolFailure> {
        let (booking, restaurant) = changeable(connection, cx, &input.booking_id).await?;
        Ok(CancelBookingPreview { booking: booking.shown(&restaurant) })
    }

    fn preview_holds(approved: &CancelBookingPreview, now: &CancelBookingPreview, _: bool) -> bool {
        approved.booking == now.booking
    }

    fn doing() -> Doing<Self> {
        Doing::Here(&Self)
    }
}

#[async_trait]
impl DoneHere<Self> for CancelBooking {
    async fn run(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &CancelBookingInput,
        _: String,
    ) -> Result<Done<Booking>, ToolFailure> {
        let (mut booking, restaurant) = changeable_locked(transaction, cx, &input.booking_id).await?;
        booking.status = BookingStatus::Cancelled;
        booking.revision += 1;
        bookings::save(transaction, &booking, None).await?;
        let mut updated =
            receipts_follow(transaction, &booking, &restaurant, "the user has cancelled it").await?;
        updated.extend(move_up(transaction, &restaurant, cx.now).await?.updated);
        let released = vec![booking.tool_call.clone()];
        Ok(Done {
            output: booking.shown(&restaurant),
            consequences: Consequences { updated, released, moved: Vec::new() },
        })
    }
}
