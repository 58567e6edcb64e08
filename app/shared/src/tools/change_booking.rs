use std::time::Duration;

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};

use super::{Booking, Placement, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct ChangeBooking;

/// Move one of the user's own bookings to another time, or change its party size, at the same restaurant.
/// Take the bookingId from listBookings or from an earlier result, and give only what changes. The old
/// place is kept until the new one is certain. The user is asked to confirm first: do not ask for a
/// confirmation yourself, and never say that it is changed before the result says so. For another
/// restaurant book there first, then cancel this one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeBookingInput {
    /// The bookingId that listBookings or an earlier result gave.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub booking_id: String,
    /// The new time, RFC 3339 with offset, for example: 2026-12-05T20:00:00+07:00. Leave it out where the
    /// time stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<DateTime<FixedOffset>>,
    /// The new number of people. Leave it out where it stays.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 20)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party_size: Option<u8>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeBookingPreview {
    /// As it stands before the change.
    pub booking: Booking,
    /// After it, by the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: u8,
    /// What a confirmation now would give.
    pub status: Placement,
    /// Seats that are free at the new time for this booking, its own ones included.
    pub seats_free: u32,
}

impl Tool for ChangeBooking {
    const NAME: &'static str = "changeBooking";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = ChangeBookingInput;
    type Preview = ChangeBookingPreview;
    type Output = Booking;

    fn business_key(input: &ChangeBookingInput, _: &UserId, revision: u64) -> Option<String> {
        Some(format!("change:{}:{revision}", input.booking_id))
    }

    fn same_request(one: &ChangeBookingInput, other: &ChangeBookingInput) -> bool {
        one.starts_at == other.starts_at && one.party_size == other.party_size
    }
}
