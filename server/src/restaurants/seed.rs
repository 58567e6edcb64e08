//! The invented restaurants that a new database starts with.

use chrono::{NaiveTime, Timelike};
use serde::Deserialize;
use sqlx::{AnyConnection, Connection};

const SEED: &str = include_str!("seed.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SeedRestaurant {
    id: String,
    name: String,
    city: String,
    address: String,
    cuisine: String,
    contact: String,
    time_zone: String,
    seats: i64,
    hours: Vec<SeedHours>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedHours {
    /// 1 is Monday, 7 Sunday.
    weekdays: Vec<i64>,
    opens: NaiveTime,
    /// Not after `opens`: on the next day.
    closes: NaiveTime,
}

impl SeedHours {
    fn minutes(&self) -> (i64, i64) {
        let minutes = |time: NaiveTime| i64::from(time.hour() * 60 + time.minute());
        let (opens, closes) = (minutes(self.opens), minutes(self.closes));
        (opens, if closes > opens { closes } else { closes + 24 * 60 })
    }
}

/// Loads the invented restaurants where there are none yet: all of them, or on an error none.
pub async fn load_if_empty(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let any: Option<(String,)> =
        sqlx::query_as("SELECT id FROM restaurants LIMIT 1").fetch_optional(&mut *connection).await?;
    if any.is_some() {
        return Ok(());
    }
    let seed: Vec<SeedRestaurant> = serde_json::from_str(SEED).map_err(super::unreadable)?;
    let mut transaction = connection.begin().await?;
    for restaurant in &seed {
        insert(&mut transaction, restaurant).await?;
    }
    transaction.commit().await
}

/// Another server may be loading the same rows at the same time.
async fn insert(transaction: &mut AnyConnection, restaurant: &SeedRestaurant) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO restaurants (id, name, city, address, cuisine, contact, time_zone, seats) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
    )
    .bind(&restaurant.id)
    .bind(&restaurant.name)
    .bind(&restaurant.city)
    .bind(&restaurant.address)
    .bind(&restaurant.cuisine)
    .bind(&restaurant.contact)
    .bind(&restaurant.time_zone)
    .bind(restaurant.seats)
    .execute(&mut *transaction)
    .await?;
    for hours in &restaurant.hours {
        let (opens, closes) = hours.minutes();
        for weekday in &hours.weekdays {
            sqlx::query(
                "INSERT INTO opening_hours (restaurant_id, weekday, opens, closes) \
                 VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            )
            .bind(&restaurant.id)
            .bind(weekday)
            .bind(opens)
            .bind(closes)
            .execute(&mut *transaction)
            .await?;
        }
    }
    Ok(())
}
