//! What an import did, or would do, for people and for programs.

use std::fmt::{self, Write as _};

use chrono::{DateTime, FixedOffset};
use serde::Serialize;
use serde_json::Value;
use shared::tools::Placement;

use super::changes::Change;
use super::conflicts::{Conflict, Reason};
use crate::restaurants::Restaurant;
use crate::restaurants::bookings::BookingRow;

/// Everything that an import touched or looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub added: Vec<Named>,
    pub changed: Vec<Changed>,
    pub unchanged: Vec<Named>,
    pub removed: Vec<Named>,
    /// Not in the file and to be removed, but kept for their bookings.
    pub kept: Vec<Other>,
    /// Not in the file, and not asked about.
    pub others: Vec<Other>,
    /// Bookings that moved up from the waiting list.
    pub moved_up: Vec<MovedUp>,
    pub conflicts: Vec<Conflict>,
    #[serde(skip_serializing_if = "Orders::is_empty")]
    pub orders: Orders,
}

/// The numbers of a file's orders, by what became of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Orders {
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub unchanged: Vec<String>,
}

impl Orders {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn changes_nothing(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty()
    }
}

/// A booking that has its seats now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MovedUp {
    pub reference: String,
    pub restaurant_name: String,
    /// By the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Named {
    pub restaurant_id: String,
    pub name: String,
    pub city: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    #[serde(flatten)]
    pub restaurant: Named,
    pub fields: Vec<Change>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Other {
    #[serde(flatten)]
    pub restaurant: Named,
    /// Ever made, past ones too.
    pub bookings: i64,
}

/// What became of the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Imported,
    /// Nothing was changed: it was asked what would be.
    DryRun,
    /// Nothing was changed: bookings would no longer fit.
    Refused,
}

/// The summary as JSON has it.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    pub outcome: Outcome,
    #[serde(flatten)]
    pub summary: &'a Summary,
}

impl Named {
    pub fn of(restaurant: &Restaurant) -> Self {
        Self {
            restaurant_id: restaurant.id.clone(),
            name: restaurant.name.clone(),
            city: restaurant.city.clone(),
        }
    }
}

impl MovedUp {
    pub fn of(restaurant: &Restaurant, booking: &BookingRow) -> Self {
        Self {
            reference: booking.reference.clone(),
            restaurant_name: restaurant.name.clone(),
            starts_at: restaurant.local(booking.starts_at),
            party_size: booking.party_size,
        }
    }
}

impl fmt::Display for MovedUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}  {}, {}, {}",
            self.reference,
            self.starts_at.format("%A %-d %B %Y at %H:%M"),
            counted(self.party_size, "guest"),
            self.restaurant_name
        )
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}  {}, {}", self.restaurant_id, self.name, self.city)
    }
}

impl Report<'_> {
    /// For people: a headline, then a block for each kind of change.
    pub fn text(&self, file: &str) -> String {
        let Summary { added, changed, unchanged, removed, kept, others, moved_up, conflicts, orders } =
            self.summary;
        let mut text = match self.outcome {
            Outcome::Imported
                if added.is_empty()
                    && changed.is_empty()
                    && removed.is_empty()
                    && orders.changes_nothing() =>
            {
                format!("{file}: everything is as it was.\n")
            }
            Outcome::Imported => format!("{file}: imported.\n"),
            Outcome::DryRun => format!("{file}: dry run, nothing was changed. An import would do this:\n"),
            Outcome::Refused => format!("{file}: refused, nothing was changed. It would have done this:\n"),
        };
        let mut block = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n{title}: {}", lines.len());
                for line in lines {
                    let _ = writeln!(text, "  {line}");
                }
            }
        };
        let names = |named: &[Named]| named.iter().map(Named::to_string).collect::<Vec<_>>();
        block("added", names(added));
        block("changed", changed.iter().map(Changed::to_string).collect());
        block("unchanged", names(unchanged));
        block("removed", names(removed));
        block("not in the file, but kept for their bookings", kept.iter().map(Other::to_string).collect());
        block("not in the file, and left as they are", others.iter().map(Other::to_string).collect());
        block("moved up from the waiting list", moved_up.iter().map(MovedUp::to_string).collect());
        block("orders added", orders.added.clone());
        block("orders changed", orders.changed.clone());
        block("orders unchanged", orders.unchanged.clone());
        block(
            "conflicts (these bookings are kept, but no longer fit)",
            conflicts.iter().map(Conflict::to_string).collect(),
        );
        text
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bookings {
            0 => write!(f, "{}", self.restaurant),
            bookings => write!(f, "{} ({})", self.restaurant, counted(bookings, "booking")),
        }
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields: Vec<String> = self.fields.iter().map(Change::to_string).collect();
        write!(f, "{}: {}", self.restaurant, fields.join("; "))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.from, &self.to) {
            // Long lists: that they differ is enough here, JSON has the rest.
            (Value::Array(_), _) | (_, Value::Array(_)) => f.write_str(self.field),
            (from, to) => write!(f, "{} {from} -> {to}", self.field),
        }
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = match self.status {
            Placement::Confirmed => "confirmed",
            Placement::Waitlisted => "on the waiting list",
        };
        let reasons: Vec<String> = self.reasons.iter().map(Reason::to_string).collect();
        write!(
            f,
            "{}  {}, {}, {}, {status}: {}",
            self.reference,
            self.starts_at.format("%A %-d %B %Y at %H:%M"),
            counted(self.party_size, "guest"),
            self.restaurant_name,
            reasons.join("; ")
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClosedDay { date, reason } => {
                write!(f, "closed on {}", date.format("%-d %B %Y"))?;
                reason.as_ref().map_or(Ok(()), |reason| write!(f, " ({reason})"))
            }
            Self::OutsideHours => f.write_str("outside of the opening hours"),
            Self::TooManyGuests { guests, seats } => {
                write!(f, "{} at one moment, but {}", counted(*guests, "guest"), counted(*seats, "seat"))
            }
            Self::PartyTooLarge { seats } => {
                write!(f, "there are only {} in all", counted(*seats, "seat"))
            }
        }
    }
}

pub fn counted(count: impl Into<i64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
