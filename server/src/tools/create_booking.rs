//! createBooking: holds seats, or a place on the waiting list.

use async_trait::async_trait;
use chrono::{DateTime, Datelike, FixedOffset, Timelike, Utc, Weekday};
use serde_json::json;
use shared::error_code::ErrorCode;
use shared::tools::{
    BookingStatus, CreateBooking, CreateBookingInput, CreateBookingOutput, CreateBookingPreview,
};
use sqlx::AnyConnection;

use super::contract::{Refused, ToolContext, ToolFailure, WriteTool};
use crate::restaurants::availability::{HOLD, held_at, seats_free};
use crate::restaurants::bookings::{
    self, MAX_DAYS_AHEAD, NewBooking, OutOfWindow, check_window, lock_restaurant,
};
use crate::restaurants::hours::LAST_START_BEFORE_CLOSING;
use crate::restaurants::{self, Restaurant};

#[async_trait]
impl WriteTool for CreateBooking {
    async fn preview(
        connection: &mut AnyConnection,
        cx: &ToolContext,
        input: &CreateBookingInput,
    ) -> Result<CreateBookingPreview, ToolFailure> {
        let request = Request::check(connection, cx, input).await?;
        Ok(CreateBookingPreview {
            starts_at: request.restaurant.local(request.starts_at),
            restaurant_name: request.restaurant.name,
            address: request.restaurant.address,
            city: request.restaurant.city,
            contact: Some(request.restaurant.contact).filter(|contact| !contact.trim().is_empty()),
            status: request.status,
            seats_free: request.seats_free,
        })
    }

    fn preview_holds(approved: &CreateBookingPreview, now: &CreateBookingPreview, edited: bool) -> bool {
        let promise_kept = match (approved.status, now.status) {
            (BookingStatus::Confirmed, BookingStatus::Waitlisted) => false,
            (BookingStatus::Confirmed, BookingStatus::Confirmed)
            | (BookingStatus::Waitlisted, BookingStatus::Confirmed | BookingStatus::Waitlisted) => true,
        };
        promise_kept
            && approved.restaurant_name == now.restaurant_name
            && approved.address == now.address
            && approved.city == now.city
            && (edited || approved.starts_at == now.starts_at)
    }

    async fn run(
        transaction: &mut AnyConnection,
        cx: &ToolContext,
        input: &CreateBookingInput,
        new_id: String,
    ) -> Result<CreateBookingOutput, ToolFailure> {
        lock_restaurant(transaction, &input.restaurant_id).await?;
        // Only what is counted behind the lock is true for the insert.
        let request = Request::check(transaction, cx, input).await?;
        let booking = NewBooking {
            id: &new_id,
            user: &cx.user,
            restaurant_id: &request.restaurant.id,
            tool_call_id: &cx.tool_call_id,
            party_size: input.party_size,
            starts_at: request.starts_at,
            note: request.note.as_deref(),
            status: request.status,
            created_at: cx.now,
        };
        let reference = bookings::insert(transaction, booking).await?;
        Ok(CreateBookingOutput {
            booking_id: new_id,
            reference,
            status: request.status,
            starts_at: request.restaurant.local(request.starts_at),
            restaurant_id: request.restaurant.id,
            restaurant_name: request.restaurant.name,
            address: request.restaurant.address,
            city: request.restaurant.city,
            party_size: input.party_size,
            note: request.note,
        })
    }
}

/// A booking that may be made, and what it would give at this moment.
struct Request {
    restaurant: Restaurant,
    starts_at: DateTime<Utc>,
    note: Option<String>,
    status: BookingStatus,
    seats_free: u32,
}

impl Request {
    async fn check(
        connection: &mut AnyConnection,
        cx: &ToolContext,
        input: &CreateBookingInput,
    ) -> Result<Self, ToolFailure> {
        let restaurant =
            restaurants::find(connection, &input.restaurant_id).await?.ok_or_else(unknown_restaurant)?;
        if u32::from(input.party_size) > restaurant.seats {
            return Err(party_too_large(&restaurant).into());
        }
        let starts_at = bookable_moment(input.starts_at, cx.now)?;
        if !restaurant.takes_guests_at(starts_at) {
            return Err(closed(&restaurant, starts_at).into());
        }
        let note = clean_note(input.note.as_deref())?;
        let held = held_at(connection, &restaurant.id, starts_at, starts_at + HOLD).await?;
        let seats_free = seats_free(restaurant.seats, &held, starts_at);
        let status = if u32::from(input.party_size) <= seats_free {
            BookingStatus::Confirmed
        } else {
            BookingStatus::Waitlisted
        };
        Ok(Self { restaurant, starts_at, note, status, seats_free })
    }
}

/// The moment, in whole seconds as business keys have it, where tables are given for it at all.
pub(super) fn bookable_moment(
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

fn unknown_restaurant() -> Refused {
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
    let local = restaurant.local(starts_at);
    let weekday = english(local.weekday());
    let hours: Vec<(String, String)> =
        restaurant.hours_on_day_of(starts_at).iter().map(|range| range.on_the_clock()).collect();
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
    let hours: Vec<_> =
        hours.into_iter().map(|(opens, closes)| json!({ "opens": opens, "closes": closes })).collect();
    Refused::new(ErrorCode::Closed, "/startsAt", message).with("hours", hours)
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
        .filter(|c| !c.is_control() && !turns_text_around(*c))
        .collect();
    let kept = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Some(kept).filter(|kept| !kept.is_empty()))
}

/// Unicode's `Bidi_Control` characters.
fn turns_text_around(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
