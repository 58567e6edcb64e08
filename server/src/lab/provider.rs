//! The payment provider of the lab: a database of its own, which outlives whatever happens to the server.

use std::path::Path;

use super::cases::Refund;
use crate::db::sqlite::SqliteFile;
use crate::db::{self, Connection, Pool};

pub struct Provider {
    pool: Pool,
}

/// A refund that stands under its key.
pub struct Paid {
    /// Its number at the provider.
    pub number: i64,
    pub amount: u64,
}

impl Provider {
    /// Makes it where it is not there.
    pub async fn open(file: &Path) -> Result<Self, db::Error> {
        let file = SqliteFile { path: Some(file.to_owned()), create: true, set_up: true };
        let pool = Pool::sqlite(file, 1);
        db::query(
            "CREATE TABLE IF NOT EXISTS refunds (
                 number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, order_number TEXT NOT NULL, amount BIGINT NOT NULL
             )",
        )
        .execute(&pool)
        .await?;
        Ok(Self { pool })
    }

    /// Pays, unless there is a refund with this key: then that one stands. Committed when it returns.
    pub async fn pay(&self, key: &str, order: &str, amount: u64) -> Result<Paid, db::Error> {
        let mut transaction = self.pool.begin_write().await?;
        db::query(
            "INSERT INTO refunds (key, order_number, amount) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING",
        )
        .bind(key)
        .bind(order)
        .bind(i64::try_from(amount).unwrap_or(i64::MAX))
        .execute(&mut *transaction)
        .await?;
        let paid = find(&mut transaction, key).await?.ok_or(db::Error::RowNotFound)?;
        transaction.commit().await?;
        Ok(paid)
    }

    pub async fn find(&self, key: &str) -> Result<Option<Paid>, db::Error> {
        find(&mut *self.pool.acquire().await?, key).await
    }

    /// All refunds, in the order in which they were paid.
    pub async fn refunds(&self) -> Result<Vec<Refund>, db::Error> {
        let rows: Vec<(String, i64)> =
            db::query_as("SELECT key, amount FROM refunds ORDER BY number").fetch_all(&self.pool).await?;
        rows.into_iter().map(|(key, amount)| Ok(Refund { key, amount: money(amount)? })).collect()
    }
}

async fn find(connection: &mut Connection, key: &str) -> Result<Option<Paid>, db::Error> {
    let row: Option<(i64, i64)> = db::query_as("SELECT number, amount FROM refunds WHERE key = $1")
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.map(|(number, amount)| Ok(Paid { number, amount: money(amount)? })).transpose()
}

fn money(amount: i64) -> Result<u64, db::Error> {
    u64::try_from(amount).map_err(|error| db::Error::Decode(error.into()))
}
