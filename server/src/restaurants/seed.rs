//! The invented restaurants that a new database starts with.

use sqlx::{AnyConnection, Connection};

use super::Restaurant;
use super::file::RestaurantsFile;
use super::stored::insert;

const SEED: &str = include_str!("seed.json");

/// Loads the invented restaurants where there are none yet: all of them, or on an error none.
pub async fn load_if_empty(connection: &mut AnyConnection) -> Result<(), sqlx::Error> {
    let any: Option<(String,)> =
        sqlx::query_as("SELECT id FROM restaurants LIMIT 1").fetch_optional(&mut *connection).await?;
    if any.is_some() {
        return Ok(());
    }
    let seed: RestaurantsFile = serde_json::from_str(SEED).map_err(super::unreadable)?;
    let mut transaction = connection.begin().await?;
    for entry in seed.restaurants {
        // Another server may be loading the same rows at the same time.
        insert(&mut transaction, &Restaurant::from(entry)).await?;
    }
    transaction.commit().await
}
