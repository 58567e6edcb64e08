use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Booking, NoPreview, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct ListBookings;

/// List the user's own bookings with their state now, in all conversations. Call it when the user asks
/// what they have booked, and before cancelBooking or changeBooking where the bookingId is not known
/// from this conversation. It changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListBookingsInput {}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ListBookingsOutput {
    /// The live ones to come first, in order of time; then those that were cancelled; then the past ones, the
    /// latest first.
    pub bookings: Vec<Booking>,
    /// When they stood like this.
    pub as_of: DateTime<Utc>,
    /// Further ones that the list leaves out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl Tool for ListBookings {
    const NAME: &'static str = "listBookings";
    const EFFECT: ToolEffect = ToolEffect::Read;
    const NEEDS_APPROVAL: bool = false;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = ListBookingsInput;
    type Preview = NoPreview;
    type Output = ListBookingsOutput;

    fn business_key(_: &ListBookingsInput, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &ListBookingsInput, other: &ListBookingsInput) -> bool {
        one == other
    }
}
