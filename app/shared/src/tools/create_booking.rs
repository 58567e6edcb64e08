use std::time::Duration;

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};

use super::{Booking, Placement, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct CreateBooking;

/// Book a table. Call it only after the user has chosen a restaurant, a time and a party size; take
/// the restaurantId from findTables. The user is asked to confirm before anything is booked: do not
/// ask for a confirmation yourself, and never say that a table is booked before the result says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateBookingInput {
    /// The restaurantId that findTables gave.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub restaurant_id: String,
    /// How many people.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 20)))]
    pub party_size: u8,
    /// RFC 3339 with offset, for example: 2026-12-05T19:00:00+07:00
    pub starts_at: DateTime<FixedOffset>,
    /// A wish to the restaurant, in the user's own words; leave it out where there is none.
    #[cfg_attr(feature = "schema", schemars(length(max = 300)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CreateBookingPreview {
    pub restaurant_name: String,
    pub address: String,
    pub city: String,
    /// How to reach a person there, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// By the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    /// What a confirmation now would give.
    pub status: Placement,
    /// Seats that are free at that time, before this booking.
    pub seats_free: u32,
    /// Where there are too few: times around it at which the party would get its seats at once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_times: Vec<DateTime<FixedOffset>>,
}

impl Tool for CreateBooking {
    const NAME: &'static str = "createBooking";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = CreateBookingInput;
    type Preview = CreateBookingPreview;
    type Output = Booking;

    fn business_key(input: &CreateBookingInput, user: &UserId, _: u64) -> Option<String> {
        let starts_at = input.starts_at.with_timezone(&Utc);
        let starts_at = starts_at.to_rfc3339_opts(SecondsFormat::Secs, true);
        Some(format!("booking:{user}:{}:{starts_at}", input.restaurant_id))
    }

    fn same_request(one: &CreateBookingInput, other: &CreateBookingInput) -> bool {
        one.party_size == other.party_size
    }
}
