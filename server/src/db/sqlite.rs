//! SQLite: connections of this process, used where they stand.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{OpenFlags, OptionalExtension, Statement, ToSql};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::{Error, Outcome, Query, Result, Row, Value};

/// How long a statement waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long anybody waits for a connection.
const ACQUIRE: Duration = Duration::from_secs(30);
/// As much of the file as is mapped into memory: addresses, not memory.
const MAPPED: &str = "PRAGMA mmap_size = 1073741824";
/// Prepared statements that a connection keeps: more than the program has.
const STATEMENTS: usize = 256;

/// What to open.
#[derive(Clone, Debug)]
pub struct SqliteFile {
    /// None: a database in memory, one for each connection.
    pub path: Option<PathBuf>,
    pub create: bool,
    /// Whether the file may be changed by opening it (its journal mode is kept in it).
    pub set_up: bool,
}

/// So many connections to one file.
#[derive(Clone)]
pub struct SqlitePool(Arc<Inner>);

struct Inner {
    file: SqliteFile,
    free: Mutex<Vec<rusqlite::Connection>>,
    permits: Arc<Semaphore>,
}

/// A connection that goes back to its pool; a transaction that is open then is taken back.
pub struct SqliteConnection {
    /// None only while it is dropped.
    connection: Option<rusqlite::Connection>,
    pool: Arc<Inner>,
    _permit: OwnedSemaphorePermit,
}

impl SqlitePool {
    pub fn new(file: SqliteFile, connections: usize) -> Self {
        let permits = Arc::new(Semaphore::new(connections));
        Self(Arc::new(Inner { file, free: Mutex::default(), permits }))
    }

    pub async fn acquire(&self) -> Result<SqliteConnection> {
        let permit = tokio::time::timeout(ACQUIRE, self.0.permits.clone().acquire_owned());
        let permit = permit.await.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)?;
        let free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match free {
            Some(connection) => connection,
            None => self.0.file.open()?,
        };
        Ok(SqliteConnection { connection: Some(connection), pool: self.0.clone(), _permit: permit })
    }

    /// Waits for the connections under way and closes all.
    pub async fn close(&self) {
        let all = self.0.permits.clone();
        all.close();
        self.0.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl SqliteFile {
    fn open(&self) -> Result<rusqlite::Connection> {
        let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if self.create {
            flags |= OpenFlags::SQLITE_OPEN_CREATE;
        }
        let connection = match &self.path {
            Some(path) => rusqlite::Connection::open_with_flags(path, flags)?,
            None => rusqlite::Connection::open_in_memory()?,
        };
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.busy_timeout(PATIENCE)?;
        if self.set_up {
            let _: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
        }
        connection.execute_batch("PRAGMA foreign_keys = ON")?;
        // Pages that others have changed are looked at where the system has them, instead of being copied.
        let _: Option<i64> = connection.query_row(MAPPED, [], |row| row.get(0)).optional()?;
        // Otherwise a statement is planned anew for values that are unlike those it was planned with.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // From here on whoever waits for another writer gives its thread to others meanwhile.
        connection.busy_timeout(Duration::ZERO)?;
        Ok(connection)
    }
}

impl SqliteConnection {
    fn get(&self) -> Result<&rusqlite::Connection> {
        self.connection.as_ref().ok_or(Error::Busy)
    }

    pub async fn rows(&mut self, query: &Query) -> Result<Vec<Row>> {
        self.patiently(|connection| rows(connection, query)).await
    }

    pub async fn run(&mut self, query: &Query) -> Result<Outcome> {
        self.patiently(|connection| {
            let mut statement = connection.prepare_cached(&query.sql)?;
            bind(&mut statement, &query.values)?;
            if statement.column_count() == 0 {
                return Ok(Outcome::new(statement.raw_execute()? as u64));
            }
            // It has rows, which nobody wants.
            let mut rows = statement.raw_query();
            while rows.next()?.is_some() {}
            Ok(Outcome::new(0))
        })
        .await
    }

    /// Statements without values: a migration.
    pub async fn batch(&mut self, sql: &str) -> Result<()> {
        self.patiently(|connection| Ok(connection.execute_batch(sql)?)).await
    }

    /// `BEGIN`, `COMMIT` and the like.
    pub async fn control(&mut self, sql: &'static str) -> Result<()> {
        self.patiently(|connection| {
            connection.prepare_cached(sql)?.raw_execute()?;
            Ok(())
        })
        .await
    }

    async fn patiently<T>(&mut self, work: impl Fn(&rusqlite::Connection) -> Result<T>) -> Result<T> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            let done = self.get().and_then(&work);
            match done {
                Err(error) if error.is_passing() && started.elapsed() < PATIENCE => {
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(Duration::from_millis(50));
                }
                done => return done,
            }
        }
    }
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if !connection.is_autocommit() && connection.execute_batch("ROLLBACK").is_err() {
            // Closing takes it back too.
            return;
        }
        if self.pool.permits.is_closed() {
            return;
        }
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}

fn bind(statement: &mut Statement<'_>, values: &[Value]) -> Result<()> {
    // `$1` is a parameter with a name for SQLite: its place is where it first stands.
    for (number, value) in (1..).zip(values) {
        let index = statement.parameter_index(parameter(number))?;
        let index = index.ok_or_else(|| Error::Protocol(format!("a statement without ${number}")))?;
        statement.raw_bind_parameter(index, value)?;
    }
    Ok(())
}

fn parameter(number: usize) -> &'static str {
    const NAMES: [&str; 24] = [
        "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15",
        "$16", "$17", "$18", "$19", "$20", "$21", "$22", "$23", "$24",
    ];
    NAMES.get(number - 1).copied().unwrap_or("")
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Text(Some(text)) => ValueRef::Text(text.as_bytes()),
            Self::Int(Some(number)) => ValueRef::Integer(*number),
            Self::Text(None) | Self::Int(None) => ValueRef::Null,
        }))
    }
}

fn rows(connection: &rusqlite::Connection, query: &Query) -> Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(&query.sql)?;
    bind(&mut statement, &query.values)?;
    let columns: Arc<[String]> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        let mut values = Vec::with_capacity(columns.len());
        for index in 0..columns.len() {
            values.push(match row.get_ref(index)? {
                ValueRef::Null => Value::Text(None),
                ValueRef::Integer(number) => Value::Int(Some(number)),
                ValueRef::Text(text) => {
                    let text = std::str::from_utf8(text).map_err(|error| Error::Decode(error.into()))?;
                    Value::Text(Some(text.to_owned()))
                }
                ValueRef::Real(_) | ValueRef::Blob(_) => {
                    return Err(Error::Decode("a value that is neither text nor a whole number".into()));
                }
            });
        }
        found.push(Row { columns: columns.clone(), values });
    }
    Ok(found)
}
