//! Brings the tables up to date; the same files for both databases.

use std::time::Instant;

use sqlx::migrate::{MigrateError, Migrator};

use super::postgres::PgHandle;
use super::sqlite::SqliteConnection;
use super::{Connection, Error, OpenError, Query, query};

pub static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

/// Applies what is missing. In a transaction of the caller's it is a part of that.
///
/// # Errors
/// Where a migration fails, where one that was applied is not the one of this version, or where the
/// database is newer than this version.
pub async fn migrate(connection: &mut Connection) -> Result<(), OpenError> {
    migrate_with(connection, &MIGRATIONS).await
}

/// As [`migrate`], with the tables of another version.
///
/// # Errors
/// As [`migrate`].
pub async fn migrate_with(connection: &mut Connection, migrations: &Migrator) -> Result<(), OpenError> {
    match connection {
        // With a lock: servers that start at the same time wait for each other.
        Connection::Postgres(PgHandle::Pooled(connection)) => Ok(migrations.run(&mut **connection).await?),
        Connection::Postgres(PgHandle::Transaction(transaction)) => {
            Ok(migrations.run(&mut **transaction).await?)
        }
        Connection::Sqlite(connection) => migrate_sqlite(connection, migrations).await,
    }
}

/// The table is the one that sqlx keeps: databases of earlier versions have it.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY, description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL
)";

async fn migrate_sqlite(connection: &mut SqliteConnection, migrations: &Migrator) -> Result<(), OpenError> {
    connection.batch(TABLE).await?;
    let applied = query("SELECT version, success, hex(checksum) AS checksum FROM _sqlx_migrations");
    let applied = connection.rows(&applied).await?;
    let mut known = Vec::new();
    for row in &applied {
        let version: i64 = row.try_get("version")?;
        if row.try_get::<i64>("success")? == 0 {
            return Err(MigrateError::Dirty(version).into());
        }
        let ours = migrations.iter().find(|ours| ours.version == version);
        let ours = ours.ok_or(MigrateError::VersionMissing(version))?;
        if hex(&ours.checksum) != row.try_get::<String>("checksum")? {
            return Err(MigrateError::VersionMismatch(version).into());
        }
        known.push(version);
    }
    for migration in migrations.iter().filter(|migration| !known.contains(&migration.version)) {
        let started = Instant::now();
        connection.batch("SAVEPOINT migration").await?;
        if let Err(error) = connection.batch(migration.sql.as_str()).await {
            connection.batch("ROLLBACK TO migration; RELEASE migration").await?;
            let error = Error::Protocol(format!("migration {}: {error}", migration.version));
            return Err(error.into());
        }
        let taken = i64::try_from(started.elapsed().as_nanos()).unwrap_or(i64::MAX);
        connection
            .run(&record(migration.version, &migration.description, &migration.checksum, taken))
            .await?;
        connection.batch("RELEASE migration").await?;
    }
    Ok(())
}

fn record(version: i64, description: &str, checksum: &[u8], nanoseconds: i64) -> Query {
    query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES ($1, $2, 1, unhex($3), $4)",
    )
    .bind(version)
    .bind(description)
    .bind(hex(checksum))
    .bind(nanoseconds)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
