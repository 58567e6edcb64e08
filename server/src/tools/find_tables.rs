//! findTables: restaurants of a city with free tables around a time.

use std::collections::HashMap;

use async_trait::async_trait;
use shared::error_code::ErrorCode;
use shared::tools::{FindTables, FindTablesInput, FindTablesOutput, TableOption};

use super::contract::{ReadTool, Refused, ToolContext, ToolFailure};
use super::table::bookable_moment;
use crate::restaurants::availability::held_in_city;
use crate::restaurants::cities;
use crate::restaurants::{self, cuisines, fold, free_times};

/// More than a card shows well, and than a guest compares.
const MAX_RESTAURANTS: usize = 8;

/// More cities than these are not told to who asked for another one.
const MAX_CITIES: usize = 20;

#[async_trait]
impl ReadTool for FindTables {
    async fn run(cx: &ToolContext, input: FindTablesInput) -> Result<FindTablesOutput, ToolFailure> {
        let mut connection = cx.read.acquire().await?;
        let known = restaurants::cities_with_restaurants(&mut connection).await?;
        let mut all = Vec::new();
        // More than one where a city is written in several ways.
        let names = cities::called(&known, &input.city);
        for name in &names {
            all.extend(restaurants::in_city(&mut connection, name).await?);
        }
        let (Some(city), Some(first)) = (names.first(), all.first()) else {
            return Err(no_restaurants(known).into());
        };
        let wanted = bookable_moment(input.starts_at, cx.now)?;
        let starts_at = first.local(wanted);

        let (from, until) = free_times::span(wanted);
        let mut held = HashMap::new();
        for name in &names {
            held.extend(held_in_city(&mut connection, name, from, until).await?);
        }
        let mut found: Vec<_> = all
            .into_iter()
            .filter(|restaurant| {
                input.cuisine.as_ref().is_none_or(|cuisine| cuisines::matches(&restaurant.cuisine, cuisine))
            })
            .filter_map(|restaurant| {
                let held = held.get(&restaurant.id).map_or(&[][..], Vec::as_slice);
                let times = free_times::free_times(&restaurant, held, input.party_size, wanted, cx.now);
                Some((free_times::closest(&times, wanted)?, restaurant, times))
            })
            .collect();
        found.sort_by_cached_key(|(closest, restaurant, _)| {
            (*closest, fold(&restaurant.name), restaurant.id.clone())
        });
        found.truncate(MAX_RESTAURANTS);

        let options = found.into_iter().map(|(_, restaurant, free_times)| TableOption {
            restaurant_id: restaurant.id,
            name: restaurant.name,
            address: restaurant.address,
            cuisine: restaurant.cuisine,
            contact: Some(restaurant.contact).filter(|contact| !contact.trim().is_empty()),
            free_times,
        });
        Ok(FindTablesOutput {
            city: (*city).to_owned(),
            starts_at,
            party_size: input.party_size,
            restaurants: options.collect(),
        })
    }
}

fn no_restaurants(mut cities: Vec<String>) -> Refused {
    let more = match cities.len().saturating_sub(MAX_CITIES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    cities.truncate(MAX_CITIES);
    let message =
        format!("There are no restaurants for this place; there are some in: {}{more}.", cities.join(", "));
    Refused::new(ErrorCode::UnknownCity, "/city", message).with("cities", cities)
}
