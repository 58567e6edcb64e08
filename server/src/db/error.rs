type Source = Box<dyn std::error::Error + Send + Sync>;

/// What went wrong with a statement, or with what it gave.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("PostgreSQL: {0}")]
    Postgres(#[from] sqlx::Error),
    /// A value that the database holds but this version cannot read.
    #[error("cannot be read: {0}")]
    Decode(#[source] Source),
    #[error("cannot be written: {0}")]
    Encode(#[source] Source),
    #[error("no row")]
    RowNotFound,
    /// The database was busy for longer than anybody waits.
    #[error("no connection to the database became free in time")]
    Busy,
    #[error("{0}")]
    Protocol(String),
}

impl Error {
    /// A row with the same key is there already.
    pub fn is_unique_violation(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error().is_some_and(|error| {
                error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_UNIQUE
                    || error.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_PRIMARYKEY
            }),
            Self::Postgres(error) => {
                error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
            }
            Self::Decode(_) | Self::Encode(_) | Self::RowNotFound | Self::Busy | Self::Protocol(_) => false,
        }
    }

    /// The same may go well a moment later: the database was away, or two transactions were in each
    /// other's way.
    pub fn is_passing(&self) -> bool {
        match self {
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
            ),
            Self::Postgres(error) => match error {
                sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                    // Appendix A of PostgreSQL's manual: connection exceptions, resources, serialisation,
                    // deadlock, shutdown and start.
                    ["08", "53", "57"].iter().any(|class| code.starts_with(class))
                        || code == "40001"
                        || code == "40P01"
                        || code == "55P03"
                        // It stood still in the middle of a transaction.
                        || code == "25P03"
                }),
                sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::WorkerCrashed => true,
                // Not our own enum: what else it has is not about the connection.
                _ => false,
            },
            Self::Busy => true,
            Self::Decode(_) | Self::Encode(_) | Self::RowNotFound | Self::Protocol(_) => false,
        }
    }
}

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Without its value, which may hold a password.
    #[error("DATABASE_URL must look like sqlite://path/to/file.db or postgres://user@host/database")]
    Url,
    #[error("DATABASE_URL: the folder {folder} cannot be made: {source}")]
    Folder { folder: String, source: std::io::Error },
    #[error("DATABASE_URL: there is no database at {file}; the server makes it at its first start")]
    Missing { file: String },
    #[error("DATABASE_URL: the database cannot be opened: {0}")]
    Database(#[from] Error),
    #[error("DATABASE_URL: the tables cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}
