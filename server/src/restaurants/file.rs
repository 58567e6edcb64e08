//! The format in which an operator writes restaurants down. `truthtable import --schema` prints it as
//! JSON Schema, made from these very types; `crate::import` checks what the types cannot say.

use chrono::{NaiveDate, NaiveTime, Timelike, Weekday};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use super::Restaurant;
use super::cities::own_name;
use super::closed_days::{ClosedDay, ClosedDays};
use super::hours::{OpeningHours, OpeningRange};
use crate::orders::file::OrderEntry;

/// The most seats of one restaurant, also where they are counted from its tables.
pub const MAX_SEATS: u32 = 10_000;

/// What an id looks like: it stands in addresses and in the keys of bookings.
pub const ID_PATTERN: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";
/// A time of the day.
pub const TIME_PATTERN: &str = "^([01][0-9]|2[0-3]):[0-5][0-9]$";

const DAY: u32 = 24 * 60;

/// A file for `truthtable import`. Texts may be in any script; they are kept in Unicode's composed
/// form (NFC), without blanks around them and with single spaces inside. Refused are control
/// characters, and those that are invisible or turn the direction of text.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(title = "Restaurants")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestaurantsFile {
    /// The address of this schema, for editors; it is not read.
    #[schemars(with = "String", length(max = 2000))]
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Every restaurant once.
    #[schemars(length(min = 1, max = 10_000))]
    pub restaurants: Vec<RestaurantEntry>,
    /// Orders of guests, for the assistant to look up and to refund. Those that are not in the file stay.
    #[schemars(with = "Vec<OrderEntry>", length(max = 100_000))]
    #[serde(default)]
    pub orders: Vec<OrderEntry>,
}

/// One restaurant, with `seats` or with `tables`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(
    title = "Restaurant",
    extend("oneOf" = [{ "required": ["seats"] }, { "required": ["tables"] }])
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestaurantEntry {
    /// Names the restaurant for good: the next import finds it by this id. Letters from a to z in
    /// either case, digits, dots, hyphens and underlines.
    #[schemars(regex(pattern = ID_PATTERN), example = "bien-xanh")]
    pub id: String,
    /// As guests know it.
    #[schemars(length(min = 1, max = 200), example = "Biển Xanh")]
    pub name: String,
    /// The city's own name. Other names of Vietnamese cities are understood (TP HCM, Saigon) and kept
    /// by the own one; any other city is kept as it is written.
    #[schemars(length(min = 1, max = 100), example = "Vũng Tàu")]
    pub city: String,
    /// Street and number, without the city.
    #[schemars(length(min = 1, max = 300), example = "12 Đường Hạ Long")]
    pub address: String,
    /// What it cooks, in a word or two.
    #[schemars(length(min = 1, max = 60), example = "Hải sản")]
    pub cuisine: String,
    /// How guests reach a person there: a telephone number or an e-mail address.
    #[schemars(length(min = 1, max = 200), example = "0254 5550 112")]
    pub contact: String,
    /// The IANA name of the time zone whose clock the restaurant goes by.
    #[schemars(with = "String", length(min = 1, max = 64), example = "Asia/Ho_Chi_Minh")]
    #[serde(deserialize_with = "time_zone")]
    pub time_zone: Tz,
    /// How many guests it seats at once. Instead of `tables`.
    #[schemars(with = "u32", range(min = 1, max = 10_000), example = 40)]
    #[serde(default)]
    pub seats: Option<u32>,
    /// Its tables. Instead of `seats`. Tables may be pushed together, so that they count as all of
    /// their seats.
    #[schemars(with = "Vec<TablesEntry>", length(min = 1, max = 100))]
    #[serde(default)]
    pub tables: Option<Vec<TablesEntry>>,
    /// When it is open, by weekday; on a weekday that is not named it is closed.
    #[schemars(length(min = 1, max = 100))]
    pub hours: Vec<HoursEntry>,
    /// Days on which it is closed although `hours` would have it open. A night that began on the day
    /// before goes on to its end.
    #[schemars(with = "Vec<ClosedDaysEntry>", length(max = 1000))]
    #[serde(default)]
    pub closed_days: Vec<ClosedDaysEntry>,
}

/// Tables of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(title = "Tables of one size")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TablesEntry {
    /// Seats at one of these tables.
    #[schemars(range(min = 1, max = 1000), example = 4)]
    pub seats: u32,
    /// How many such tables there are.
    #[schemars(range(min = 1, max = 1000), example = 6)]
    pub count: u32,
}

/// From opening to closing, on each of some weekdays. A weekday may stand in several entries.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(title = "Opening hours")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoursEntry {
    /// The days on which it opens.
    #[schemars(length(min = 1, max = 7))]
    pub weekdays: Vec<WeekdayName>,
    /// HH:MM, 00:00 to 23:59, by the restaurant's clock.
    #[schemars(with = "String", regex(pattern = TIME_PATTERN), example = "17:00")]
    pub opens: NaiveTime,
    /// HH:MM. Not after `opens`: on the next day, 00:00 being its first moment. Round the clock is from
    /// 00:00 to 00:00. The last guests come 60 minutes before closing.
    #[schemars(with = "String", regex(pattern = TIME_PATTERN), example = "23:00")]
    pub closes: NaiveTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(title = "Weekday")]
#[serde(rename_all = "lowercase")]
pub enum WeekdayName {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

/// One closed day (`date`), or several in a row (`from` and `to`, both closed).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(
    title = "Closed days",
    extend(
        "oneOf" = [
            { "required": ["date"], "properties": { "from": false, "to": false } },
            { "required": ["from", "to"], "properties": { "date": false } },
        ]
    )
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ClosedDaysEntry {
    /// YYYY-MM-DD
    #[schemars(with = "NaiveDate", example = "2026-12-24")]
    #[serde(default)]
    pub date: Option<NaiveDate>,
    /// YYYY-MM-DD
    #[schemars(with = "NaiveDate", example = "2027-02-05")]
    #[serde(default)]
    pub from: Option<NaiveDate>,
    /// YYYY-MM-DD
    #[schemars(with = "NaiveDate", example = "2027-02-10")]
    #[serde(default)]
    pub to: Option<NaiveDate>,
    /// Guests read it.
    #[schemars(with = "String", length(min = 1, max = 200), example = "Tết Nguyên Đán")]
    #[serde(default)]
    pub reason: Option<String>,
}

pub fn time_zone<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tz, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

impl WeekdayName {
    pub fn weekday(self) -> Weekday {
        match self {
            Self::Monday => Weekday::Mon,
            Self::Tuesday => Weekday::Tue,
            Self::Wednesday => Weekday::Wed,
            Self::Thursday => Weekday::Thu,
            Self::Friday => Weekday::Fri,
            Self::Saturday => Weekday::Sat,
            Self::Sunday => Weekday::Sun,
        }
    }
}

impl HoursEntry {
    /// One range for each of its weekdays.
    pub fn ranges(&self) -> impl Iterator<Item = OpeningRange> {
        let minutes = |time: NaiveTime| time.hour() * 60 + time.minute();
        let (opens, closes) = (minutes(self.opens), minutes(self.closes));
        let closes = if closes > opens { closes } else { closes + DAY };
        self.weekdays.iter().map(move |name| OpeningRange { weekday: name.weekday(), opens, closes })
    }
}

impl TablesEntry {
    pub fn seats_in_all(self) -> u32 {
        self.seats.saturating_mul(self.count)
    }
}

impl ClosedDaysEntry {
    /// The first and the last day; none where the entry names neither a day nor both ends.
    pub fn span(&self) -> Option<(NaiveDate, NaiveDate)> {
        match (self.date, self.from, self.to) {
            (Some(date), None, None) => Some((date, date)),
            (None, Some(from), Some(to)) => Some((from, to)),
            _ => None,
        }
    }
}

impl RestaurantEntry {
    pub fn seats_in_all(&self) -> u32 {
        let tables = self.tables.iter().flatten().map(|tables| tables.seats_in_all());
        tables.fold(self.seats.unwrap_or(0), u32::saturating_add)
    }
}

impl From<RestaurantEntry> for Restaurant {
    fn from(entry: RestaurantEntry) -> Self {
        let closed_days = entry.closed_days.iter().filter_map(|closed| {
            let (first, last) = closed.span()?;
            Some(ClosedDay { first, last, reason: closed.reason.clone() })
        });
        Self {
            seats: entry.seats_in_all(),
            hours: OpeningHours::new(entry.hours.iter().flat_map(HoursEntry::ranges).collect()),
            closed_days: ClosedDays::new(closed_days.collect()),
            city: own_name(&entry.city),
            id: entry.id,
            name: entry.name,
            address: entry.address,
            cuisine: entry.cuisine,
            contact: entry.contact,
            time_zone: entry.time_zone,
        }
    }
}
