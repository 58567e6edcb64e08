use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Booking, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct CancelBooking;

/// Cancel one of the user's own bookings, or take it off the waiting list. Call it only when the user
/// wants this very booking cancelled; take the bookingId from listBookings or from an earlier result. The
/// user is asked to confirm first: do not ask for a confirmation yourself, and never say that it is
/// cancelled before the result says so. To move a booking use changeBooking instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelBookingInput {
    /// The bookingId that listBookings or an earlier result gave.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub booking_id: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CancelBookingPreview {
    /// What would be given back.
    pub booking: Booking,
}

impl Tool for CancelBooking {
    const NAME: &'static str = "cancelBooking";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = CancelBookingInput;
    type Preview = CancelBookingPreview;
    type Output = Booking;

    fn business_key(input: &CancelBookingInput, _: &UserId, _: u64) -> Option<String> {
        Some(format!("cancel:{}", input.booking_id))
    }

    fn same_request(_: &CancelBookingInput, _: &CancelBookingInput) -> bool {
        // The key says it all.
        true
    }
}
