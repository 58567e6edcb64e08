//! findTables: restaurants of a city with free tables around a time.

use async_trait::async_trait;
use shared::error_code::ErrorCode;
use shared::tools::{FindTables, FindTablesInput, FindTablesOutput, TableOption};

use super::contract::{ReadTool, Refused, ToolContext, ToolFailure};
use super::create_booking::bookable_moment;
use crate::restaurants::availability::held_in_city;
use crate::restaurants::cities::resolve_city;
use crate::restaurants::{self, cuisines, fold, free_times};

/// More than a card shows well, and than a guest compares.
const MAX_RESTAURANTS: usize = 8;

#[async_trait]
impl ReadTool for FindTables {
    async fn run(cx: &ToolContext, input: FindTablesInput) -> Result<FindTablesOutput, ToolFailure> {
        let mut connection = cx.read.acquire().await?;
        let city = resolve_city(&input.city);
        let all = match city {
            Some(city) => restaurants::in_city(&mut connection, city.name).await?,
            None => Vec::new(),
        };
        let (Some(city), Some(first)) = (city, all.first()) else {
            return Err(no_restaurants(restaurants::cities_with_restaurants(&mut connection).await?).into());
        };
        let wanted = bookable_moment(input.starts_at, cx.now)?;
        let starts_at = first.local(wanted);

        let (from, until) = free_times::span(wanted);
        let held = held_in_city(&mut connection, city.name, from, until).await?;
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
            city: city.name.to_owned(),
            starts_at,
            party_size: input.party_size,
            restaurants: options.collect(),
        })
    }
}

fn no_restaurants(cities: Vec<String>) -> Refused {
    let message =
        format!("There are no restaurants for this place; there are some in: {}.", cities.join(", "));
    Refused::new(ErrorCode::UnknownCity, "/city", message).with("cities", cities)
}
