use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::str::FromStr;

use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

use super::postgres::{PgHandle, PgSettings};
use super::sqlite::{SqliteConnection, SqliteFile, SqlitePool};
use super::{Error, OpenError, Result};

/// Which database it is, for the few places where it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// Connections to one database.
#[derive(Clone)]
pub enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// One connection.
pub enum Connection {
    Sqlite(SqliteConnection),
    Postgres(PgHandle),
}

/// A connection that goes back to its pool when it is dropped.
pub struct Pooled(Connection);

/// Dropped without [`Transaction::commit`] it changes nothing.
pub struct Transaction(Connection);

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({:?})", self.dialect())
    }
}

impl Pool {
    pub(crate) fn sqlite(file: SqliteFile, connections: usize) -> Self {
        Self::Sqlite(SqlitePool::new(file, connections))
    }

    /// An existing database by its URL, for whoever looks at it from beside: tests, above all.
    ///
    /// # Errors
    /// Where the URL is none.
    pub fn of(url: &str, connections: u32) -> std::result::Result<Self, OpenError> {
        match Address::parse(url)? {
            Address::Sqlite(path) => {
                let file = SqliteFile { path: Some(path.into()), create: false, set_up: false };
                Ok(Self::sqlite(file, connections as usize))
            }
            Address::Postgres(options) => {
                Ok(Self::Postgres(PgSettings { options: *options, connections }.pool()))
            }
        }
    }

    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }

    pub async fn acquire(&self) -> Result<Pooled> {
        Ok(Pooled(match self {
            Self::Sqlite(pool) => Connection::Sqlite(pool.acquire().await?),
            Self::Postgres(pool) => Connection::Postgres(PgHandle::Pooled(pool.acquire().await?)),
        }))
    }

    /// A transaction that reads: all of it as of one moment.
    pub async fn begin(&self) -> Result<Transaction> {
        self.begin_with("BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
    }

    /// A transaction that writes.
    pub async fn begin_write(&self) -> Result<Transaction> {
        // One that begins deferred and writes later can fail half-way on SQLite.
        self.begin_with("BEGIN IMMEDIATE", "BEGIN").await
    }

    async fn begin_with(&self, sqlite: &'static str, postgres: &'static str) -> Result<Transaction> {
        Ok(Transaction(match self {
            Self::Sqlite(pool) => {
                let mut connection = pool.acquire().await?;
                connection.control(sqlite).await?;
                Connection::Sqlite(connection)
            }
            Self::Postgres(pool) => {
                let pool = pool.clone();
                // On a task of its own: where the caller goes away in the middle, sqlx would put the connection
                // back with a transaction that nobody ends.
                let begun = tokio::spawn(async move { pool.begin_with(postgres).await }).await;
                let begun = begun.map_err(|error| Error::Protocol(error.to_string()))?;
                Connection::Postgres(PgHandle::Transaction(begun?))
            }
        }))
    }

    /// After the statements under way.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

impl Transaction {
    pub async fn commit(self) -> Result<()> {
        match self.0 {
            Connection::Sqlite(mut connection) => connection.control("COMMIT").await,
            Connection::Postgres(PgHandle::Transaction(transaction)) => Ok(transaction.commit().await?),
            Connection::Postgres(PgHandle::Pooled(_)) => Ok(()),
        }
    }

    pub async fn rollback(self) -> Result<()> {
        match self.0 {
            Connection::Sqlite(mut connection) => connection.control("ROLLBACK").await,
            Connection::Postgres(PgHandle::Transaction(transaction)) => Ok(transaction.rollback().await?),
            Connection::Postgres(PgHandle::Pooled(_)) => Ok(()),
        }
    }
}

impl Connection {
    pub fn dialect(&self) -> Dialect {
        match self {
            Self::Sqlite(_) => Dialect::Sqlite,
            Self::Postgres(_) => Dialect::Postgres,
        }
    }
}

impl Deref for Pooled {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

impl Deref for Transaction {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// Where a database is, as `DATABASE_URL` says it.
pub(crate) enum Address {
    /// The file's path.
    Sqlite(String),
    Postgres(Box<PgConnectOptions>),
}

impl Address {
    pub(crate) fn parse(url: &str) -> std::result::Result<Self, OpenError> {
        if let Some(path) = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")) {
            // What stood behind a question mark was for another driver.
            let path = path.split_once('?').map_or(path, |(path, _)| path);
            if path.is_empty() {
                return Err(OpenError::Url);
            }
            return Ok(Self::Sqlite(path.to_owned()));
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let options = PgConnectOptions::from_str(url).map_err(|_| OpenError::Url)?;
            return Ok(Self::Postgres(Box::new(options)));
        }
        Err(OpenError::Url)
    }

    /// Makes the folder of a file.
    pub(crate) fn make_folder(path: &str) -> std::result::Result<(), OpenError> {
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let Some(folder) = folder else { return Ok(()) };
        std::fs::create_dir_all(folder)
            .map_err(|source| OpenError::Folder { folder: folder.display().to_string(), source })
    }
}
