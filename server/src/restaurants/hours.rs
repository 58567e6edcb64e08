//! When a restaurant takes guests, by its own clock.

use chrono::{Datelike, NaiveDateTime, TimeDelta, Timelike, Weekday};

/// The last guests come this long before closing, in minutes.
pub const LAST_START_BEFORE_CLOSING: u32 = 60;

const DAY: u32 = 24 * 60;

/// From opening to closing on one weekday.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningRange {
    pub weekday: Weekday,
    /// Minutes after midnight.
    pub opens: u32,
    /// Minutes after the same midnight; past 24 h where it closes on the next day.
    pub closes: u32,
}

impl OpeningRange {
    /// `HH:MM` of opening and closing, by the clock on the wall.
    pub fn on_the_clock(&self) -> (String, String) {
        (clock(self.opens), clock(self.closes))
    }
}

fn clock(minutes: u32) -> String {
    let minutes = minutes % DAY;
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningHours(Vec<OpeningRange>);

impl OpeningHours {
    pub fn new(mut ranges: Vec<OpeningRange>) -> Self {
        ranges.sort_by_key(|range| (range.weekday.num_days_from_monday(), range.opens));
        Self(ranges)
    }

    /// Whether guests may come at this local time: open, and early enough before closing.
    pub fn takes_guests_at(&self, local: NaiveDateTime) -> bool {
        // The night that began yesterday may still be on.
        [0, 1].into_iter().any(|days_ago| {
            let Some(day) = local.checked_sub_signed(TimeDelta::days(days_ago.into())) else {
                return false;
            };
            let second = local.num_seconds_from_midnight() + days_ago * DAY * 60;
            self.on(day.weekday()).any(|range| {
                let last_start = range.closes.saturating_sub(LAST_START_BEFORE_CLOSING);
                (range.opens * 60..=last_start * 60).contains(&second)
            })
        })
    }

    /// The ranges that begin on this weekday, in order; none: closed all day.
    pub fn on(&self, weekday: Weekday) -> impl Iterator<Item = &OpeningRange> {
        self.0.iter().filter(move |range| range.weekday == weekday)
    }
}
