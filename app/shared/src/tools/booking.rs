//! A booking as the record has it: what createBooking, changeBooking and cancelBooking give, and what
//! listBookings lists.

use chrono::{DateTime, DurationRound, FixedOffset, TimeDelta, TimeZone};
use serde::{Deserialize, Serialize};

/// A booking, as it stands. A receipt is drawn from it and from nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Booking {
    pub booking_id: String,
    /// Short, to be read out at the door.
    pub reference: String,
    pub status: BookingStatus,
    pub restaurant_id: String,
    pub restaurant_name: String,
    pub address: String,
    pub city: String,
    /// How to reach a person at the restaurant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// By the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BookingStatus {
    /// The seats are held.
    Confirmed,
    /// Full: first in line where seats become free.
    Waitlisted,
    /// Given back by the guest: no seats, no place in line.
    Cancelled,
}

/// A moment without its seconds, as forms have it.
pub fn to_the_minute<Z: TimeZone>(moment: DateTime<Z>) -> DateTime<Z> {
    moment.clone().duration_trunc(TimeDelta::minutes(1)).unwrap_or(moment)
}

/// What a booking would get at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Its seats.
    Confirmed,
    /// A place on the waiting list.
    Waitlisted,
}

impl From<Placement> for BookingStatus {
    fn from(placement: Placement) -> Self {
        match placement {
            Placement::Confirmed => Self::Confirmed,
            Placement::Waitlisted => Self::Waitlisted,
        }
    }
}
