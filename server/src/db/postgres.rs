//! PostgreSQL by sqlx.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::query::Query as PgQuery;
use sqlx::{Column, PgConnection, PgPool, Postgres, Row as _, TypeInfo, ValueRef};

use super::{Error, Outcome, Query, Result, Row, Value};

/// How a pool is made.
#[derive(Clone, Debug)]
pub struct PgSettings {
    pub options: PgConnectOptions,
    pub connections: u32,
}

/// One connection, in a transaction or not.
pub enum PgHandle {
    Pooled(sqlx::pool::PoolConnection<Postgres>),
    Transaction(sqlx::Transaction<'static, Postgres>),
}

impl PgHandle {
    pub fn get(&mut self) -> &mut PgConnection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}

/// How long a transaction may stand still, in milliseconds. A server that is frozen or cut off in the middle of
/// one would keep its locks, and everybody else waiting, for as long as it is.
const IDLE_IN_TRANSACTION: &str = "5000";

impl PgSettings {
    /// A pool that connects when it is first used.
    pub fn pool(&self) -> PgPool {
        let options = self.options.clone().options([
            ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION),
            // Whoever keeps a row for that long, perhaps an operator by hand, keeps no run with it.
            ("lock_timeout", "10s"),
        ]);
        PgPoolOptions::new()
            .max_connections(self.connections)
            .acquire_timeout(Duration::from_secs(10))
            .connect_lazy_with(options)
    }
}

pub async fn rows(connection: &mut PgConnection, query: Query) -> Result<Vec<Row>> {
    let found = bound(query).fetch_all(connection).await?;
    let Some(first) = found.first() else { return Ok(Vec::new()) };
    let columns: Arc<[String]> = first.columns().iter().map(|column| column.name().to_owned()).collect();
    found.iter().map(|row| Ok(Row { columns: columns.clone(), values: values(row)? })).collect()
}

pub async fn run(connection: &mut PgConnection, query: Query) -> Result<Outcome> {
    Ok(Outcome::new(bound(query).execute(connection).await?.rows_affected()))
}

fn bound(query: Query) -> PgQuery<'static, Postgres, PgArguments> {
    let Query { sql, values } = query;
    let bound = match sql {
        Cow::Borrowed(sql) => sqlx::query(sql),
        Cow::Owned(sql) => sqlx::query(sqlx::AssertSqlSafe(sql)),
    };
    values.into_iter().fold(bound, |bound, value| match value {
        Value::Text(text) => bound.bind(text.map(storable)),
        Value::Int(number) => bound.bind(number),
    })
}

/// PostgreSQL's text holds every character but NUL.
fn storable(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}") } else { text }
}

fn values(row: &PgRow) -> Result<Vec<Value>> {
    let mut values = Vec::with_capacity(row.len());
    for index in 0..row.len() {
        let raw = row.try_get_raw(index)?;
        let kind = raw.type_info().name().to_owned();
        drop(raw);
        values.push(match kind.as_str() {
            "INT8" => Value::Int(row.try_get(index)?),
            "INT4" => Value::Int(row.try_get::<Option<i32>, _>(index)?.map(i64::from)),
            "BOOL" => Value::Int(row.try_get::<Option<bool>, _>(index)?.map(i64::from)),
            "TEXT" | "VARCHAR" | "NAME" => Value::Text(row.try_get(index)?),
            other => return Err(Error::Decode(format!("a column of the type {other}").into())),
        });
    }
    Ok(values)
}
