//! Bookings that no longer fit what a restaurant has become. They stay: the operator speaks with the
//! guests.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use serde::Serialize;
use shared::tools::Placement;

use crate::restaurants::Restaurant;
use crate::restaurants::availability::{Held, peak};
use crate::restaurants::bookings::Upcoming;

/// One booking and why it does not fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conflict {
    pub reference: String,
    pub restaurant_id: String,
    pub restaurant_name: String,
    /// By the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: i64,
    pub status: Placement,
    /// At least one.
    pub reasons: Vec<Reason>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Reason {
    ClosedDay {
        date: NaiveDate,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    OutsideHours,
    /// Confirmed guests at one moment of the booking's time.
    TooManyGuests {
        guests: i64,
        seats: u32,
    },
    /// A party that would never get its seats.
    PartyTooLarge {
        seats: u32,
    },
}

/// The conflicts of a restaurant with its bookings that have not ended, in the order of time.
pub fn of(restaurant: &Restaurant, bookings: &[Upcoming], now: DateTime<Utc>) -> Vec<Conflict> {
    let held: Vec<Held> = bookings
        .iter()
        .filter(|booking| booking.status == Placement::Confirmed)
        .map(|booking| booking.held)
        .collect();
    let still_to_come = bookings.iter().filter(|booking| booking.starts_at > now);
    still_to_come
        .filter_map(|booking| {
            let reasons = reasons(restaurant, booking, &held);
            (!reasons.is_empty()).then(|| Conflict {
                reference: booking.reference.clone(),
                restaurant_id: restaurant.id.clone(),
                restaurant_name: restaurant.name.clone(),
                starts_at: restaurant.local(booking.starts_at),
                party_size: booking.held.seats,
                status: booking.status,
                reasons,
            })
        })
        .collect()
}

fn reasons(restaurant: &Restaurant, booking: &Upcoming, held: &[Held]) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some((date, closed)) = restaurant.closed_day_at(booking.starts_at) {
        reasons.push(Reason::ClosedDay { date, reason: closed.reason.clone() });
    } else if !restaurant.takes_guests_at(booking.starts_at) {
        reasons.push(Reason::OutsideHours);
    }
    let seats = restaurant.seats;
    let Held { starts_at, ends_at, seats: party } = booking.held;
    if party > i64::from(seats) {
        reasons.push(Reason::PartyTooLarge { seats });
    } else {
        match booking.status {
            Placement::Confirmed => {
                let guests = peak(held, starts_at, ends_at);
                if guests > i64::from(seats) {
                    reasons.push(Reason::TooManyGuests { guests, seats });
                }
            }
            Placement::Waitlisted => {}
        }
    }
    reasons
}
