//! One way to speak SQL with both databases: SQLite by rusqlite, PostgreSQL by sqlx.
//!
//! A statement is one text for both, with `$1` for its values; a value is text or a whole number.
//!
//! **Why not one driver for both:** sqlx hands each statement for SQLite to a thread of its own, which
//! costs more than the statement. Here SQLite's statements run where they are called.

mod error;
mod migrations;
mod pool;
mod postgres;
mod row;
pub(crate) mod sqlite;
mod statement;

pub use error::{Error, OpenError};
pub use migrations::{MIGRATIONS, migrate, migrate_with};
pub(crate) use pool::Address;
pub use pool::{Connection, Dialect, Pool, Pooled, Transaction};
pub use postgres::PgSettings;
pub use row::{FromRow, FromValue, Row};
pub use statement::{AssertSqlSafe, Executor, Outcome, Query, QueryAs, QueryScalar, Value};
pub use statement::{query, query_as, query_scalar};

pub type Result<T> = std::result::Result<T, Error>;
