//! Restaurants as the database keeps them.

use std::collections::HashMap;

use crate::db::{self, Connection};
use chrono::{NaiveDate, Weekday};

use super::closed_days::{ClosedDay, ClosedDays};
use super::fold::fold;
use super::hours::{OpeningHours, OpeningRange};
use super::{Restaurant, unreadable};

type RestaurantRow = (String, String, String, String, String, String, String, i64);
type HoursRow = (String, i64, i64, i64);
type ClosedRow = (String, String, String, Option<String>);

/// The restaurant with this id. A row that makes no sense is an error.
pub async fn find(connection: &mut Connection, id: &str) -> Result<Option<Restaurant>, db::Error> {
    // PostgreSQL takes no NUL, not even to say that there is no such thing.
    if id.contains('\0') {
        return Ok(None);
    }
    let row: Option<RestaurantRow> = db::query_as(
        "SELECT id, name, city, address, cuisine, contact, time_zone, seats FROM restaurants WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else {
        return Ok(None);
    };
    let hours: Vec<HoursRow> = db::query_as(
        "SELECT restaurant_id, weekday, opens, closes FROM opening_hours WHERE restaurant_id = $1",
    )
    .bind(id)
    .fetch_all(&mut *connection)
    .await?;
    let closed: Vec<ClosedRow> = db::query_as(
        "SELECT restaurant_id, first_day, last_day, reason FROM closed_days WHERE restaurant_id = $1",
    )
    .bind(id)
    .fetch_all(&mut *connection)
    .await?;
    Ok(read(vec![row], hours, closed)?.pop())
}

/// The restaurants of a city, by its own name.
pub async fn in_city(connection: &mut Connection, city: &str) -> Result<Vec<Restaurant>, db::Error> {
    let rows: Vec<RestaurantRow> = db::query_as(
        "SELECT id, name, city, address, cuisine, contact, time_zone, seats FROM restaurants \
         WHERE city = $1 ORDER BY id",
    )
    .bind(city)
    .fetch_all(&mut *connection)
    .await?;
    let hours: Vec<HoursRow> = db::query_as(
        "SELECT restaurant_id, weekday, opens, closes FROM opening_hours \
         JOIN restaurants ON restaurants.id = opening_hours.restaurant_id WHERE restaurants.city = $1",
    )
    .bind(city)
    .fetch_all(&mut *connection)
    .await?;
    let closed: Vec<ClosedRow> = db::query_as(
        "SELECT restaurant_id, first_day, last_day, reason FROM closed_days \
         JOIN restaurants ON restaurants.id = closed_days.restaurant_id WHERE restaurants.city = $1",
    )
    .bind(city)
    .fetch_all(&mut *connection)
    .await?;
    read(rows, hours, closed)
}

/// Every restaurant, in order of ids.
pub async fn all(connection: &mut Connection) -> Result<Vec<Restaurant>, db::Error> {
    let rows: Vec<RestaurantRow> = db::query_as(
        "SELECT id, name, city, address, cuisine, contact, time_zone, seats FROM restaurants ORDER BY id",
    )
    .fetch_all(&mut *connection)
    .await?;
    let hours: Vec<HoursRow> =
        db::query_as("SELECT restaurant_id, weekday, opens, closes FROM opening_hours")
            .fetch_all(&mut *connection)
            .await?;
    let closed: Vec<ClosedRow> =
        db::query_as("SELECT restaurant_id, first_day, last_day, reason FROM closed_days")
            .fetch_all(&mut *connection)
            .await?;
    read(rows, hours, closed)
}

/// The names of the cities that have restaurants, in alphabetical order.
pub async fn cities_with_restaurants(connection: &mut Connection) -> Result<Vec<String>, db::Error> {
    let rows: Vec<(String,)> =
        db::query_as("SELECT DISTINCT city FROM restaurants").fetch_all(connection).await?;
    let mut names: Vec<String> = rows.into_iter().map(|(city,)| city).collect();
    // Databases disagree about the order of letters with diacritics.
    names.sort_by_cached_key(|name| (fold(name), name.clone()));
    Ok(names)
}

/// Adds a restaurant; false where there is one with this id already, which then stays as it is.
pub async fn insert(transaction: &mut Connection, restaurant: &Restaurant) -> Result<bool, db::Error> {
    let added = db::query(
        "INSERT INTO restaurants (id, name, city, address, cuisine, contact, time_zone, seats) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(&restaurant.id)
    .bind(&restaurant.name)
    .bind(&restaurant.city)
    .bind(&restaurant.address)
    .bind(&restaurant.cuisine)
    .bind(&restaurant.contact)
    .bind(restaurant.time_zone.name())
    .bind(i64::from(restaurant.seats))
    .execute(&mut *transaction)
    .await?;
    if added.rows_affected() == 0 {
        return Ok(false);
    }
    insert_days(transaction, restaurant).await?;
    Ok(true)
}

/// Makes the restaurant with this id what it shall be.
pub async fn update(transaction: &mut Connection, restaurant: &Restaurant) -> Result<(), db::Error> {
    db::query(
        "UPDATE restaurants SET name = $2, city = $3, address = $4, cuisine = $5, contact = $6, \
         time_zone = $7, seats = $8 WHERE id = $1",
    )
    .bind(&restaurant.id)
    .bind(&restaurant.name)
    .bind(&restaurant.city)
    .bind(&restaurant.address)
    .bind(&restaurant.cuisine)
    .bind(&restaurant.contact)
    .bind(restaurant.time_zone.name())
    .bind(i64::from(restaurant.seats))
    .execute(&mut *transaction)
    .await?;
    remove_days(transaction, &restaurant.id).await?;
    insert_days(transaction, restaurant).await
}

/// Removes a restaurant that nobody has ever booked.
pub async fn remove(transaction: &mut Connection, id: &str) -> Result<(), db::Error> {
    remove_days(transaction, id).await?;
    db::query("DELETE FROM restaurants WHERE id = $1").bind(id).execute(transaction).await?;
    Ok(())
}

async fn insert_days(transaction: &mut Connection, restaurant: &Restaurant) -> Result<(), db::Error> {
    for range in restaurant.hours.iter() {
        db::query(
            "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) VALUES ($1, $2, $3, $4)",
        )
        .bind(&restaurant.id)
        .bind(i64::from(range.weekday.number_from_monday()))
        .bind(i64::from(range.opens))
        .bind(i64::from(range.closes))
        .execute(&mut *transaction)
        .await?;
    }
    for closed in restaurant.closed_days.iter() {
        db::query(
            "INSERT INTO closed_days (restaurant_id, first_day, last_day, reason) VALUES ($1, $2, $3, $4)",
        )
        .bind(&restaurant.id)
        .bind(closed.first.to_string())
        .bind(closed.last.to_string())
        .bind(closed.reason.as_deref())
        .execute(&mut *transaction)
        .await?;
    }
    Ok(())
}

async fn remove_days(transaction: &mut Connection, id: &str) -> Result<(), db::Error> {
    for statement in [
        "DELETE FROM opening_hours WHERE restaurant_id = $1",
        "DELETE FROM closed_days WHERE restaurant_id = $1",
    ] {
        db::query(statement).bind(id).execute(&mut *transaction).await?;
    }
    Ok(())
}

fn read(
    rows: Vec<RestaurantRow>,
    hours: Vec<HoursRow>,
    closed: Vec<ClosedRow>,
) -> Result<Vec<Restaurant>, db::Error> {
    let mut ranges: HashMap<String, Vec<OpeningRange>> = HashMap::new();
    for (restaurant_id, weekday, opens, closes) in hours {
        ranges.entry(restaurant_id).or_default().push(OpeningRange {
            weekday: weekday_of(weekday)?,
            opens: u32::try_from(opens).map_err(unreadable)?,
            closes: u32::try_from(closes).map_err(unreadable)?,
        });
    }
    let mut days: HashMap<String, Vec<ClosedDay>> = HashMap::new();
    for (restaurant_id, first, last, reason) in closed {
        let date = |text: &str| text.parse::<NaiveDate>().map_err(unreadable);
        let day = ClosedDay { first: date(&first)?, last: date(&last)?, reason };
        days.entry(restaurant_id).or_default().push(day);
    }
    rows.into_iter()
        .map(|(id, name, city, address, cuisine, contact, time_zone, seats)| {
            Ok(Restaurant {
                hours: OpeningHours::new(ranges.remove(&id).unwrap_or_default()),
                closed_days: ClosedDays::new(days.remove(&id).unwrap_or_default()),
                time_zone: time_zone.parse().map_err(unreadable)?,
                seats: u32::try_from(seats).map_err(unreadable)?,
                id,
                name,
                city,
                address,
                cuisine,
                contact,
            })
        })
        .collect()
}

/// 1 is Monday, 7 Sunday.
fn weekday_of(number: i64) -> Result<Weekday, db::Error> {
    let days_from_monday = u8::try_from(number - 1).map_err(unreadable)?;
    Weekday::try_from(days_from_monday).map_err(unreadable)
}
