//! What every booking of a table is checked for, and what it would get.

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Timelike, Utc, Weekday};
use serde_json::{Value, json};
use shared::error_code::ErrorCode;
use shared::tools::Placement;

use super::contract::{Refused, ToolContext, ToolFailure};
use crate::db::{self, Connection};
use crate::restaurants::Restaurant;
use crate::restaurants::availability::{HOLD, held_at, seats_free};
use crate::restaurants::bookings::{MAX_DAYS_AHEAD, OutOfWindow, check_window};
use crate::restaurants::free_times::{free_times, span};
use crate::restaurants::hours::LAST_START_BEFORE_CLOSING;

/// A table that may be booked, and what a booking would get at this moment.
pub struct Table {
    pub starts_at: DateTime<Utc>,
    pub placement: Placement,
    pub seats_free: u32,
}

impl Table {
    /// `but`: a booking whose own seats count as free.
    pub async fn check(
        connection: &mut Connection,
        cx: &ToolContext,
        restaurant: &Restaurant,
        party_size: u8,
        starts_at: DateTime<FixedOffset>,
        but: Option<&str>,
    ) -> Result<Self, ToolFailure> {
        if u32::from(party_size) > restaurant.seats {
            return Err(party_too_large(restaurant).into());
        }
        let starts_at = bookable_moment(starts_at, cx.now)?;
        if !restaurant.takes_guests_at(starts_at) {
            return Err(closed(restaurant, starts_at).into());
        }
        let held = held_at(connection, &restaurant.id, starts_at, starts_at + HOLD, but).await?;
        let seats_free = seats_free(restaurant.seats, &held, starts_at);
        let placement =
            if u32::from(party_size) <= seats_free { Placement::Confirmed } else { Placement::Waitlisted };
        Ok(Self { starts_at, placement, seats_free })
    }
}

/// Times around a wanted one at which a party would get its seats at once, by the restaurant's clock.
pub async fn other_times(
    connection: &mut Connection,
    cx: &ToolContext,
    restaurant: &Restaurant,
    party_size: u8,
    wanted: DateTime<Utc>,
    but: Option<&str>,
) -> Result<Vec<DateTime<FixedOffset>>, db::Error> {
    let (from, until) = span(wanted);
    let held = held_at(connection, &restaurant.id, from, until, but).await?;
    Ok(free_times(restaurant, &held, party_size, wanted, cx.now))
}

/// The moment, in whole seconds as business keys have it, where tables are given for it at all.
pub fn bookable_moment(
    starts_at: DateTime<FixedOffset>,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refused> {
    const PATH: &str = "/startsAt";
    let starts_at = starts_at.to_utc();
    let starts_at = starts_at.with_nanosecond(0).unwrap_or(starts_at);
    check_window(starts_at, now).map(|()| starts_at).map_err(|problem| match problem {
        OutOfWindow::Past => Refused::new(
            ErrorCode::Past,
            PATH,
            "This time is in the past; take one that is still to come (see today's date and time).",
        ),
        OutOfWindow::TooFarAhead => Refused::new(
            ErrorCode::TooFarAhead,
            PATH,
            format!("Tables can be booked at most {MAX_DAYS_AHEAD} days ahead; take an earlier time."),
        )
        .with("maxDays", MAX_DAYS_AHEAD),
    })
}

pub fn unknown_restaurant() -> Refused {
    Refused::new(
        ErrorCode::UnknownRestaurant,
        "/restaurantId",
        "No restaurant has this id; take a restaurantId that findTables gave.",
    )
}

fn party_too_large(restaurant: &Restaurant) -> Refused {
    let message = format!(
        "{} has {} seats in all; take a smaller party or another restaurant.",
        restaurant.name, restaurant.seats
    );
    Refused::new(ErrorCode::PartyTooLarge, "/partySize", message).with("seats", restaurant.seats)
}

fn closed(restaurant: &Restaurant, starts_at: DateTime<Utc>) -> Refused {
    if let Some((date, closed)) = restaurant.closed_day_at(starts_at) {
        return closed_that_day(restaurant, date, closed.reason.as_deref(), starts_at);
    }
    let local = restaurant.local(starts_at);
    let weekday = english(local.weekday());
    let hours = clock_hours(restaurant, starts_at);
    let name = &restaurant.name;
    let message = if hours.is_empty() {
        format!("{name} is closed on {weekday}; take another day or another restaurant.")
    } else {
        let ranges: Vec<String> =
            hours.iter().map(|(opens, closes)| format!("{opens} to {closes}")).collect();
        format!(
            "{name} takes no guests on {weekday} at {}: it is open {}, and the last guests come \
             {LAST_START_BEFORE_CLOSING} minutes before closing.",
            local.format("%H:%M"),
            ranges.join(" and ")
        )
    };
    Refused::new(ErrorCode::Closed, "/startsAt", message).with("hours", hours_param(hours))
}

/// Closed on one day, or on some in a row, that would else be a usual one.
fn closed_that_day(
    restaurant: &Restaurant,
    date: NaiveDate,
    reason: Option<&str>,
    starts_at: DateTime<Utc>,
) -> Refused {
    let why = reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let day = date.format("%-d %B %Y");
    let message =
        format!("{} is closed on {day}{why}; take another day or another restaurant.", restaurant.name);
    let refused = Refused::new(ErrorCode::Closed, "/startsAt", message)
        .with("hours", hours_param(clock_hours(restaurant, starts_at)))
        .with("date", date.to_string());
    match reason {
        Some(reason) => refused.with("reason", reason),
        None => refused,
    }
}

/// Opening and closing of each range of the local day, `HH:MM`.
fn clock_hours(restaurant: &Restaurant, moment: DateTime<Utc>) -> Vec<(String, String)> {
    restaurant.hours_on_day_of(moment).iter().map(|range| range.on_the_clock()).collect()
}

fn hours_param(hours: Vec<(String, String)>) -> Vec<Value> {
    hours.into_iter().map(|(opens, closes)| json!({ "opens": opens, "closes": closes })).collect()
}

fn english(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}
