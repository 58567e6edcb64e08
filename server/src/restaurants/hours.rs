//! When a restaurant takes guests, by its own clock.

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, Timelike, Weekday};

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

    /// Whether guests may come at this local time on the days that open at all: open, and early enough
    /// before closing.
    pub fn takes_guests_at(&self, local: NaiveDateTime, opens_on: impl Fn(NaiveDate) -> bool) -> bool {
        self.night_of(local, opens_on).is_some()
    }

    /// The day on which the range began that takes guests at this local time: yesterday, where the
    /// night is still on. A day that does not open closes what begins on it.
    pub fn night_of(&self, local: NaiveDateTime, opens_on: impl Fn(NaiveDate) -> bool) -> Option<NaiveDate> {
        [0, 1].into_iter().find_map(|days_ago: u32| {
            let day = local.date().checked_sub_days(Days::new(days_ago.into()))?;
            let second = local.num_seconds_from_midnight() + days_ago * DAY * 60;
            let takes_guests = opens_on(day)
                && self.on(day.weekday()).any(|range| {
                    let last_start = match self.goes_on_after(range, day, &opens_on) {
                        true => range.closes,
                        false => range.closes.saturating_sub(LAST_START_BEFORE_CLOSING),
                    };
                    (range.opens * 60..=last_start * 60).contains(&second)
                });
            takes_guests.then_some(day)
        })
    }

    /// Whether another range begins where this one ends: then nobody closes at that moment.
    fn goes_on_after(
        &self,
        range: &OpeningRange,
        day: NaiveDate,
        opens_on: &impl Fn(NaiveDate) -> bool,
    ) -> bool {
        let (days_later, minute) = (range.closes / DAY, range.closes % DAY);
        day.checked_add_days(Days::new(days_later.into()))
            .is_some_and(|day| opens_on(day) && self.on(day.weekday()).any(|next| next.opens == minute))
    }

    /// The ranges that begin on this weekday, in order; none: closed all day.
    pub fn on(&self, weekday: Weekday) -> impl Iterator<Item = &OpeningRange> {
        self.0.iter().filter(move |range| range.weekday == weekday)
    }

    /// Every range, by weekday from Monday on, in order.
    pub fn iter(&self) -> impl Iterator<Item = &OpeningRange> {
        self.0.iter()
    }
}
