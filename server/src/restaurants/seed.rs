//! The invented restaurants that a new database starts with.

use super::Restaurant;
use super::file::RestaurantsFile;
use super::stored::insert;
use crate::db::{self, Connection};

const SEED: &str = include_str!("seed.json");

/// Loads the invented restaurants where there are none yet; in the caller's transaction.
pub async fn load_if_empty(connection: &mut Connection) -> Result<(), db::Error> {
    let any: Option<(String,)> =
        db::query_as("SELECT id FROM restaurants LIMIT 1").fetch_optional(&mut *connection).await?;
    if any.is_some() {
        return Ok(());
    }
    let seed: RestaurantsFile = serde_json::from_str(SEED).map_err(super::unreadable)?;
    for entry in seed.restaurants {
        // Another server may be loading the same rows at the same time.
        insert(&mut *connection, &Restaurant::from(entry)).await?;
    }
    Ok(())
}
