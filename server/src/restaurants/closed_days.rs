//! Days on which a restaurant opens no door, whatever its hours by weekday say.

use chrono::NaiveDate;

/// One day or several in a row, by the restaurant's own calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedDay {
    pub first: NaiveDate,
    /// Included; the same as `first` where it is one day.
    pub last: NaiveDate,
    /// For guests to read.
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClosedDays(Vec<ClosedDay>);

impl ClosedDays {
    pub fn new(mut days: Vec<ClosedDay>) -> Self {
        days.sort_by_key(|day| day.first);
        Self(days)
    }

    /// What keeps the restaurant closed on this date; none: it opens as on any such weekday.
    pub fn on(&self, date: NaiveDate) -> Option<&ClosedDay> {
        self.0.iter().find(|day| (day.first..=day.last).contains(&date))
    }

    /// In order of their first days.
    pub fn iter(&self) -> impl Iterator<Item = &ClosedDay> {
        self.0.iter()
    }
}
