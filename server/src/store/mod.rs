//! The database: conversations, events, runs, calls, approvals, effects, sessions.
//!
//! **Invariants:** only this folder and the domain modules write SQL. Every change of a conversation
//! and its events commit together; readers are woken after the commit.

mod approvals;
mod calls;
mod conversations;
mod effects;
mod events;
mod history;
mod hub;
mod receipts;
mod runs;
mod sessions;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use shared::ids::ConversationId;
use sqlx::any::AnyPoolOptions;
use sqlx::migrate::Migrator;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Transaction};

pub use approvals::{ApprovalRow, ApprovalStatus};
pub use calls::{CallRow, CallState, EndedAs, ModelResult};
pub use conversations::ConversationRow;
pub use effects::{DoneEffect, EffectRow};
pub use events::StoredEvent;
pub use hub::Follower;
pub use runs::{NewRun, RunRow};
pub use sessions::hash_token;

use hub::Hub;

static MIGRATIONS: Migrator = sqlx::migrate!("./migrations");

pub type Result<T> = std::result::Result<T, sqlx::Error>;

#[derive(Clone)]
pub struct Store {
    read: AnyPool,
    /// One connection: SQLite has one writer, and a queue here is fairer than its busy handler.
    write: AnyPool,
    hub: Arc<Hub>,
}

impl Store {
    /// Opens the database, makes its folder and file where they are missing, and brings its tables up
    /// to date. `url`: `sqlite://path`.
    pub async fn open(url: &str) -> std::result::Result<Self, OpenError> {
        sqlx::any::install_default_drivers();
        let url = sqlite_url(url)?;
        // By itself first: a pool would try for half a minute what cannot succeed.
        let mut first = AnyConnection::connect(&url).await?;
        set_up(&mut first).await?;
        first.close().await?;
        let write = pool(1, |connection| Box::pin(set_up(connection))).connect(&url).await?;
        MIGRATIONS.run(&write).await?;
        let read = pool(8, |connection| Box::pin(set_up(connection))).connect(&url).await?;
        Ok(Self { read, write, hub: Arc::default() })
    }

    /// A transaction that can only be tried, never committed: the database stays as it is, its version
    /// too, and where there is none none is made. Inside of it the tables are up to date.
    pub async fn rehearse(url: &str) -> std::result::Result<Rehearsal, OpenError> {
        sqlx::any::install_default_drivers();
        let (file, query) = sqlite_file(url)?;
        let url = match std::fs::exists(file) {
            Ok(false) => "sqlite::memory:".to_owned(),
            // What cannot be looked at is told when it is opened.
            Ok(true) | Err(_) => format!("sqlite://{file}?{}", with_mode(query, "rw")),
        };
        // By itself first, as in `open`.
        AnyConnection::connect(&url).await?.close().await?;
        let write = pool(1, |connection| Box::pin(prepare(connection))).connect(&url).await?;
        let store = Self { read: write.clone(), write, hub: Arc::default() };
        let mut tx = store.begin().await?;
        MIGRATIONS.run(tx.connection()).await?;
        Ok(Rehearsal { tx, store })
    }

    /// Opens a database that is there already, for commands beside the server: makes none.
    pub async fn open_existing(url: &str) -> std::result::Result<Self, OpenError> {
        let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
        if let Some(path) = path {
            let file = path.split_once('?').map_or(path, |(file, _)| file);
            if !file.is_empty() && !Path::new(file).is_file() {
                return Err(OpenError::Missing { file: file.to_owned() });
            }
        }
        Self::open(url).await
    }

    /// For reading only.
    pub fn reader(&self) -> &AnyPool {
        &self.read
    }

    pub async fn begin(&self) -> Result<WriteTx> {
        // A transaction that begins deferred and writes later can fail half-way on SQLite.
        let tx = self.write.begin_with("BEGIN IMMEDIATE").await?;
        Ok(WriteTx { tx, hub: self.hub.clone(), appended: Vec::new() })
    }

    /// Woken with the sequence number of the newest event after each commit that appended any.
    pub fn follow(&self, conversation: &ConversationId) -> Follower {
        self.hub.follow(conversation)
    }

    pub async fn is_ready(&self) -> bool {
        sqlx::query("SELECT 1").execute(&self.read).await.is_ok()
    }

    /// Closes the pools after the statements under way.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// A transaction that writes; dropped without [`WriteTx::commit`] it changes nothing.
pub struct WriteTx {
    tx: Transaction<'static, Any>,
    hub: Arc<Hub>,
    appended: Vec<(ConversationId, u64)>,
}

impl WriteTx {
    pub fn connection(&mut self) -> &mut AnyConnection {
        &mut self.tx
    }

    pub async fn commit(self) -> Result<()> {
        self.tx.commit().await?;
        for (conversation, seq) in &self.appended {
            self.hub.wake(conversation, *seq);
        }
        Ok(())
    }
}

/// A transaction that changes nothing, see [`Store::rehearse`].
pub struct Rehearsal {
    tx: WriteTx,
    store: Store,
}

impl Rehearsal {
    pub fn transaction(&mut self) -> &mut WriteTx {
        &mut self.tx
    }

    /// Takes everything back.
    pub async fn end(self) -> Result<()> {
        self.tx.tx.rollback().await?;
        self.store.close().await;
        Ok(())
    }
}

type SetUp = for<'c> fn(&'c mut AnyConnection) -> BoxFuture<'c, Result<()>>;

fn pool(connections: u32, set_up: SetUp) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(30))
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(move |connection, _| set_up(connection))
}

async fn set_up(connection: &mut AnyConnection) -> Result<()> {
    sqlx::query("PRAGMA journal_mode = WAL").execute(&mut *connection).await?;
    prepare(connection).await
}

/// What a connection needs that changes nothing in the file.
async fn prepare(connection: &mut AnyConnection) -> Result<()> {
    for pragma in ["PRAGMA busy_timeout = 10000", "PRAGMA foreign_keys = ON"] {
        sqlx::query(pragma).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Without its value, which may hold a password.
    #[error("DATABASE_URL must look like sqlite://path/to/file.db")]
    Url,
    #[error("DATABASE_URL: the folder {folder} cannot be made: {source}")]
    Folder { folder: String, source: std::io::Error },
    #[error("DATABASE_URL: there is no database at {file}; the server makes it at its first start")]
    Missing { file: String },
    #[error("DATABASE_URL: the database cannot be opened: {0}")]
    Database(#[from] sqlx::Error),
    #[error("DATABASE_URL: the tables cannot be brought up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
}

fn sqlite_url(url: &str) -> std::result::Result<String, OpenError> {
    let (file, query) = sqlite_file(url)?;
    if let Some(folder) = Path::new(file).parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|source| OpenError::Folder { folder: folder.display().to_string(), source })?;
    }
    Ok(format!("sqlite://{file}?{}", with_mode(query, "rwc")))
}

/// File and query of the URL.
fn sqlite_file(url: &str) -> std::result::Result<(&str, &str), OpenError> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:"));
    let path = path.filter(|path| !path.is_empty()).ok_or(OpenError::Url)?;
    Ok(path.split_once('?').unwrap_or((path, "")))
}

fn with_mode(query: &str, mode: &str) -> String {
    if query.is_empty() { format!("mode={mode}") } else { format!("{query}&mode={mode}") }
}

/// A value that the database holds but this version cannot read.
fn undecodable(what: impl std::fmt::Display) -> sqlx::Error {
    sqlx::Error::Decode(what.to_string().into())
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(undecodable)
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| sqlx::Error::Encode(error.into()))
}

fn from_millis(millis: i64) -> Result<chrono::DateTime<chrono::Utc>> {
    chrono::DateTime::from_timestamp_millis(millis).ok_or_else(|| undecodable("a time out of range"))
}
