//! What an import does to one restaurant.

use serde::Serialize;
use serde_json::{Value, json};

use crate::restaurants::Restaurant;
use crate::restaurants::hours::OpeningHours;

/// One field of a restaurant before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// As the file calls it.
    pub field: &'static str,
    pub from: Value,
    pub to: Value,
}

/// The fields in which two restaurants of one id differ, in the order of the file's format.
pub fn between(now: &Restaurant, then: &Restaurant) -> Vec<Change> {
    let seen = |restaurant: &Restaurant| {
        // A new field of a restaurant must not be forgotten here.
        let Restaurant { id: _, name, city, address, cuisine, contact, time_zone, seats, hours, closed_days } =
            restaurant;
        let closed = closed_days.iter().map(|day| {
            let reason = day.reason.as_deref();
            json!({ "from": day.first.to_string(), "to": day.last.to_string(), "reason": reason })
        });
        [
            ("name", json!(name)),
            ("city", json!(city)),
            ("address", json!(address)),
            ("cuisine", json!(cuisine)),
            ("contact", json!(contact)),
            ("timeZone", json!(time_zone.name())),
            ("seats", json!(seats)),
            ("hours", ranges(hours)),
            ("closedDays", closed.collect()),
        ]
    };
    seen(now)
        .into_iter()
        .zip(seen(then))
        .filter(|((_, from), (_, to))| from != to)
        .map(|((field, from), (_, to))| Change { field, from, to })
        .collect()
}

fn ranges(hours: &OpeningHours) -> Value {
    hours
        .iter()
        .map(|range| {
            let (opens, closes) = range.on_the_clock();
            json!({ "weekday": range.weekday.to_string(), "opens": opens, "closes": closes })
        })
        .collect()
}
