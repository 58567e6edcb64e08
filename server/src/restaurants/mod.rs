//! Restaurants: where they are, when they are open, which of their seats are free, and who has booked
//! them.

pub mod availability;
pub mod bookings;
pub mod cities;
pub mod cuisines;
mod fold;
pub mod free_times;
pub mod hours;
mod seed;
pub mod waiting_list;

use chrono::{DateTime, Datelike, FixedOffset, Utc, Weekday};
use chrono_tz::Tz;
use sqlx::AnyConnection;

use hours::{OpeningHours, OpeningRange};

pub use fold::fold;
pub use seed::load_if_empty;

#[derive(Clone, Debug, PartialEq)]
pub struct Restaurant {
    pub id: String,
    pub name: String,
    /// The city's own name, one of [`cities::CITIES`].
    pub city: String,
    pub address: String,
    pub cuisine: String,
    /// How to reach a person there.
    pub contact: String,
    pub time_zone: Tz,
    pub seats: u32,
    pub hours: OpeningHours,
}

impl Restaurant {
    /// The moment by the restaurant's clock.
    pub fn local(&self, moment: DateTime<Utc>) -> DateTime<FixedOffset> {
        moment.with_timezone(&self.time_zone).fixed_offset()
    }

    /// Whether guests may come then: open, and early enough before closing.
    pub fn takes_guests_at(&self, moment: DateTime<Utc>) -> bool {
        self.hours.takes_guests_at(self.local(moment).naive_local())
    }

    /// The opening hours of the local day of this moment, in order.
    pub fn hours_on_day_of(&self, moment: DateTime<Utc>) -> Vec<OpeningRange> {
        self.hours.on(self.local(moment).weekday()).copied().collect()
    }
}

type RestaurantRow = (String, String, String, String, String, String, String, i64);
type HoursRow = (String, i64, i64, i64);

/// The restaurant with this id. A row that makes no sense is an error.
pub async fn find(connection: &mut AnyConnection, id: &str) -> Result<Option<Restaurant>, sqlx::Error> {
    // PostgreSQL takes no NUL, not even to say that there is no such thing.
    if id.contains('\0') {
        return Ok(None);
    }
    let row: Option<RestaurantRow> = sqlx::query_as(
        "SELECT id, name, city, address, cuisine, contact, time_zone, seats FROM restaurants WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let hours: Vec<HoursRow> = sqlx::query_as(
        "SELECT restaurant_id, weekday, opens, closes FROM opening_hours WHERE restaurant_id = $1",
    )
    .bind(id)
    .fetch_all(&mut *connection)
    .await?;
    read(row, &hours).map(Some)
}

/// The restaurants of a city, by its own name.
pub async fn in_city(connection: &mut AnyConnection, city: &str) -> Result<Vec<Restaurant>, sqlx::Error> {
    let rows: Vec<RestaurantRow> = sqlx::query_as(
        "SELECT id, name, city, address, cuisine, contact, time_zone, seats FROM restaurants \
         WHERE city = $1 ORDER BY id",
    )
    .bind(city)
    .fetch_all(&mut *connection)
    .await?;
    let hours: Vec<HoursRow> = sqlx::query_as(
        "SELECT restaurant_id, weekday, opens, closes FROM opening_hours \
         JOIN restaurants ON restaurants.id = opening_hours.restaurant_id WHERE restaurants.city = $1",
    )
    .bind(city)
    .fetch_all(&mut *connection)
    .await?;
    rows.into_iter().map(|row| read(row, &hours)).collect()
}

/// The names of the cities that have restaurants, in alphabetical order.
pub async fn cities_with_restaurants(connection: &mut AnyConnection) -> Result<Vec<String>, sqlx::Error> {
    let rows: Vec<(String,)> =
        sqlx::query_as("SELECT DISTINCT city FROM restaurants").fetch_all(connection).await?;
    let mut names: Vec<String> = rows.into_iter().map(|(city,)| city).collect();
    // Databases disagree about the order of letters with diacritics.
    names.sort_by_cached_key(|name| fold(name));
    Ok(names)
}

fn read(row: RestaurantRow, hours: &[HoursRow]) -> Result<Restaurant, sqlx::Error> {
    let (id, name, city, address, cuisine, contact, time_zone, seats) = row;
    let ranges: Result<Vec<OpeningRange>, sqlx::Error> = hours
        .iter()
        .filter(|(restaurant_id, ..)| *restaurant_id == id)
        .map(|(_, weekday, opens, closes)| {
            Ok(OpeningRange {
                weekday: weekday_of(*weekday)?,
                opens: u32::try_from(*opens).map_err(unreadable)?,
                closes: u32::try_from(*closes).map_err(unreadable)?,
            })
        })
        .collect();
    Ok(Restaurant {
        hours: OpeningHours::new(ranges?),
        time_zone: time_zone.parse().map_err(unreadable)?,
        seats: u32::try_from(seats).map_err(unreadable)?,
        id,
        name,
        city,
        address,
        cuisine,
        contact,
    })
}

/// 1 is Monday, 7 Sunday.
fn weekday_of(number: i64) -> Result<Weekday, sqlx::Error> {
    let days_from_monday = u8::try_from(number - 1).map_err(unreadable)?;
    Weekday::try_from(days_from_monday).map_err(unreadable)
}

fn unreadable(error: impl std::error::Error + Send + Sync + 'static) -> sqlx::Error {
    sqlx::Error::Decode(Box::new(error))
}
