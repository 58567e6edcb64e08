//! What a schema cannot say: ids that come twice, hours that overlap, days that run backwards.

use std::collections::HashMap;

use chrono::{NaiveDate, Weekday};
use chrono_tz::Tz;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Found, line_and_column};
use crate::import::characters;
use crate::import::located::{Located, below};
use crate::restaurants::file::{ClosedDaysEntry, HoursEntry, MAX_SEATS, TablesEntry};
use crate::restaurants::hours::{LAST_START_BEFORE_CLOSING, OpeningRange};
use crate::tools::arguments::wording::quoted;

const DAY: u32 = 24 * 60;
const WEEK: u32 = 7 * DAY;

/// Checks every field that has the right shape, also beside ones that have not.
pub fn check(located: &Located, text: &str, found: &mut Found) {
    characters_of(&located.value, "", found);
    let mut checker = Checker { located, text, found };
    let restaurants = located.value.get("restaurants").and_then(Value::as_array);
    let mut seen = HashMap::new();
    for number in 0..restaurants.map_or(0, Vec::len) {
        let restaurant = below("/restaurants", &number.to_string());
        checker.id(&restaurant, &mut seen);
        checker.time_zone(&restaurant);
        checker.seats(&restaurant);
        checker.hours(&restaurant);
        checker.closed_days(&restaurant);
    }
    let orders = located.value.get("orders").and_then(Value::as_array);
    let mut seen = HashMap::new();
    for number in 0..orders.map_or(0, Vec::len) {
        let order = below("/orders", &number.to_string());
        checker.once(below(&order, "number"), "the number of another order", &mut seen);
        checker.time_zone(&order);
    }
}

fn characters_of(value: &Value, pointer: &str, found: &mut Found) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Some(fault) = characters::fault(text) {
                found.add(pointer.to_owned(), fault);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                characters_of(item, &below(pointer, &number.to_string()), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                characters_of(value, &below(pointer, name), found);
            }
        }
    }
}

struct Checker<'a> {
    located: &'a Located,
    text: &'a str,
    found: &'a mut Found,
}

impl Checker<'_> {
    /// The value at this pointer, where it is there and has the right shape.
    fn read<T: DeserializeOwned>(&self, pointer: &str) -> Option<T> {
        let value = self.located.value.pointer(pointer).filter(|_| !self.found.is_wrong(pointer))?;
        T::deserialize(value).ok()
    }

    /// The entries of a list that have the right shape, with their pointers.
    fn entries<T: DeserializeOwned>(&self, list: &str) -> Vec<(String, T)> {
        let count = self.located.value.pointer(list).and_then(Value::as_array).map_or(0, Vec::len);
        let pointers = (0..count).map(|number| below(list, &number.to_string()));
        pointers.filter_map(|pointer| self.read(&pointer).map(|entry| (pointer, entry))).collect()
    }

    /// Where the other one of two things stands.
    fn line(&self, pointer: &str) -> String {
        format!("line {}", line_and_column(self.text, self.located.place(pointer)).0)
    }

    fn id(&mut self, restaurant: &str, seen: &mut HashMap<String, String>) {
        self.once(below(restaurant, "id"), "the id of another restaurant", seen);
    }

    /// What names one thing names no other one. `what`: the other one's.
    fn once(&mut self, pointer: String, what: &str, seen: &mut HashMap<String, String>) {
        let Some(id) = self.read::<String>(&pointer) else { return };
        match seen.get(&id) {
            Some(first) => {
                let first = self.line(first);
                let message = format!("{} is {what} already, at {first}", quoted(&id));
                self.found.add(pointer, message);
            }
            None => {
                seen.insert(id, pointer);
            }
        }
    }

    fn time_zone(&mut self, restaurant: &str) {
        let pointer = below(restaurant, "timeZone");
        let Some(name) = self.read::<String>(&pointer) else { return };
        if name.parse::<Tz>().is_err() {
            let message = format!(
                "there is no time zone {}; an IANA name is expected, such as Asia/Ho_Chi_Minh",
                quoted(&name)
            );
            self.found.add(pointer, message);
        }
    }

    fn seats(&mut self, restaurant: &str) {
        let Some(Value::Object(fields)) = self.located.value.pointer(restaurant) else { return };
        match (fields.contains_key("seats"), fields.contains_key("tables")) {
            (true, true) => {
                let message = "stands beside seats; give either seats or tables, not both";
                self.found.add(below(restaurant, "tables"), message);
            }
            (false, false) => {
                let message = "missing; give seats, for example 40, or tables, for example [{\"seats\": 4, \"count\": 10}]";
                self.found.add(below(restaurant, "seats"), message);
            }
            (true, false) | (false, true) => {}
        }
        let list = below(restaurant, "tables");
        let tables: Vec<(String, TablesEntry)> = self.entries(&list);
        let seats = tables.iter().map(|(_, tables)| tables.seats_in_all()).fold(0, u32::saturating_add);
        if seats > MAX_SEATS {
            self.found.add(list, format!("have {seats} seats in all; at most {MAX_SEATS} are expected"));
        }
    }

    fn hours(&mut self, restaurant: &str) {
        let mut known: Vec<(OpeningRange, String)> = Vec::new();
        for (pointer, hours) in self.entries::<HoursEntry>(&below(restaurant, "hours")) {
            if hours.opens == hours.closes && hours.opens != chrono::NaiveTime::MIN {
                let message = "is when it opens, too; round the clock is written from 00:00 to 00:00";
                self.found.add(below(&pointer, "closes"), message);
                continue;
            }
            let ranges: Vec<OpeningRange> = hours.ranges().collect();
            if ranges.first().is_some_and(|range| range.closes - range.opens < LAST_START_BEFORE_CLOSING) {
                let message = format!(
                    "is less than {LAST_START_BEFORE_CLOSING} minutes after opening; the last guests come \
                     {LAST_START_BEFORE_CLOSING} minutes before closing, so nobody could come"
                );
                self.found.add(below(&pointer, "closes"), message);
                continue;
            }
            for (number, range) in ranges.into_iter().enumerate() {
                if let Some((other, other_pointer)) = known.iter().find(|(other, _)| overlap(*other, range)) {
                    let message = format!(
                        "{} overlaps with {} at {}",
                        described(range),
                        described(*other),
                        self.line(other_pointer)
                    );
                    self.found.add(below(&below(&pointer, "weekdays"), &number.to_string()), message);
                } else {
                    known.push((range, pointer.clone()));
                }
            }
        }
    }

    fn closed_days(&mut self, restaurant: &str) {
        let list = below(restaurant, "closedDays");
        let count = self.located.value.pointer(&list).and_then(Value::as_array).map_or(0, Vec::len);
        let mut spans: Vec<(NaiveDate, NaiveDate, String)> = Vec::new();
        for number in 0..count {
            let pointer = below(&list, &number.to_string());
            let Some(Value::Object(fields)) = self.located.value.pointer(&pointer) else { continue };
            let has = |name| fields.contains_key(name);
            let expected = "expected either date, or from and to";
            match (has("date"), has("from"), has("to")) {
                (true, false, false) | (false, true, true) => {}
                (false, false, false) => self.found.add(pointer.clone(), format!("has no day; {expected}")),
                (true, true, _) | (true, false, true) => {
                    self.found.add(pointer.clone(), format!("has a date beside from or to; {expected}"));
                }
                (false, true, false) => {
                    self.found.add(below(&pointer, "to"), format!("missing beside from; {expected}"));
                }
                (false, false, true) => {
                    self.found.add(below(&pointer, "from"), format!("missing beside to; {expected}"));
                }
            }
            let Some((first, last)) = self.read::<ClosedDaysEntry>(&pointer).and_then(|entry| entry.span())
            else {
                continue;
            };
            if last < first {
                let message = format!("{last} lies before {first}, where the closed days begin");
                self.found.add(below(&pointer, "to"), message);
                continue;
            }
            spans.push((first, last, pointer));
        }
        spans.sort();
        let mut longest: Option<&(NaiveDate, NaiveDate, String)> = None;
        for span in &spans {
            let (first, last, pointer) = span;
            if let Some((_, other_last, other)) = longest.filter(|(_, other_last, _)| first <= other_last) {
                let until =
                    if other_last == first { String::new() } else { format!(" (until {other_last})") };
                let message = format!("{first} is closed by {} already{until}", self.line(other));
                self.found.add(pointer.clone(), message);
            }
            if longest.is_none_or(|(_, other_last, _)| last > other_last) {
                longest = Some(span);
            }
        }
    }
}

/// Whether both are open at one moment of the week.
fn overlap(one: OpeningRange, other: OpeningRange) -> bool {
    let span = |range: OpeningRange| {
        let begin = range.weekday.num_days_from_monday() * DAY;
        (begin + range.opens, begin + range.closes)
    };
    let ((from, until), (other_from, other_until)) = (span(one), span(other));
    // The night of Sunday reaches into the Monday of the next week.
    [(0, 0), (WEEK, 0), (0, WEEK)].into_iter().any(|(shift, other_shift)| {
        from + shift < other_until + other_shift && other_from + other_shift < until + shift
    })
}

fn described(range: OpeningRange) -> String {
    let (opens, closes) = range.on_the_clock();
    format!("{} {opens} to {closes}", name_of(range.weekday))
}

fn name_of(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Mon => "monday",
        Weekday::Tue => "tuesday",
        Weekday::Wed => "wednesday",
        Weekday::Thu => "thursday",
        Weekday::Fri => "friday",
        Weekday::Sat => "saturday",
        Weekday::Sun => "sunday",
    }
}
