//! Restaurants: where they are, when they are open, which of their seats are free, and who has booked
//! them.

pub mod availability;
pub mod bookings;
pub mod cities;
pub mod closed_days;
pub mod cuisines;
pub mod file;
mod fold;
pub mod free_times;
pub mod hours;
mod seed;
mod stored;
pub mod waiting_list;

use crate::db;
use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Utc};
use chrono_tz::Tz;

use closed_days::{ClosedDay, ClosedDays};
use hours::{OpeningHours, OpeningRange};

pub use fold::fold;
pub use seed::load_if_empty;
pub use stored::{all, cities_with_restaurants, find, in_city, insert, remove, update};

#[derive(Clone, Debug, PartialEq)]
pub struct Restaurant {
    pub id: String,
    pub name: String,
    /// The city's own name, as [`cities::own_name`] gives it.
    pub city: String,
    pub address: String,
    pub cuisine: String,
    /// How to reach a person there.
    pub contact: String,
    pub time_zone: Tz,
    pub seats: u32,
    pub hours: OpeningHours,
    pub closed_days: ClosedDays,
}

impl Restaurant {
    /// The moment by the restaurant's clock.
    pub fn local(&self, moment: DateTime<Utc>) -> DateTime<FixedOffset> {
        moment.with_timezone(&self.time_zone).fixed_offset()
    }

    /// Whether guests may come then: open, and early enough before closing.
    pub fn takes_guests_at(&self, moment: DateTime<Utc>) -> bool {
        self.hours.takes_guests_at(self.local(moment).naive_local(), |day| self.closed_days.on(day).is_none())
    }

    /// The opening hours of the local day of this moment, in order; none on a closed day.
    pub fn hours_on_day_of(&self, moment: DateTime<Utc>) -> Vec<OpeningRange> {
        let day = self.local(moment).date_naive();
        if self.closed_days.on(day).is_some() {
            return Vec::new();
        }
        self.hours.on(day.weekday()).copied().collect()
    }

    /// The closed day that keeps guests away at this moment, and its date: the moment's own, or the
    /// one before where its night would still be on.
    pub fn closed_day_at(&self, moment: DateTime<Utc>) -> Option<(NaiveDate, &ClosedDay)> {
        if self.takes_guests_at(moment) {
            return None;
        }
        let local = self.local(moment).naive_local();
        let night = self.hours.night_of(local, |_| true);
        let date = night.unwrap_or_else(|| local.date());
        self.closed_days.on(date).map(|closed| (date, closed))
    }
}

/// A value that the database holds but that makes no sense.
fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> db::Error {
    db::Error::Decode(Box::new(error))
}
