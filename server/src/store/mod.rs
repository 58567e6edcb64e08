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
mod notices;
mod prompts;
mod receipts;
mod runs;
mod sessions;
mod tokens;

use std::path::Path;
use std::sync::Arc;

use quick_cache::sync::Cache;
use shared::ids::{ConversationId, RunId, UserId};
use tokio::sync::broadcast;

use crate::db::sqlite::SqliteFile;
use crate::db::{self, Address, Connection, Dialect, PgSettings, Pool, Transaction};

pub use crate::db::{OpenError, Result};
use crate::fault::fault_point;
pub use approvals::{ApprovalRow, ApprovalStatus};
pub use calls::{CallRow, CallState, EndedAs, ModelResult};
pub use conversations::ConversationRow;
pub use effects::{EffectRow, EffectStatus, NewEffect, key_with_generation};
pub use events::StoredEvent;
pub use hub::Follower;
pub use prompts::Prompt;
pub use runs::{NewRun, RunRow};
pub use sessions::hash_token;
pub use tokens::EndedCall;

use conversations::OWNERS_KEPT;
use hub::Hub;
use notices::{CHANNEL, Notices};
use prompts::PROMPTS_KEPT;

/// Connections of one server to PostgreSQL: as many again for reading as for writing, so that a
/// transaction that reads beside itself never waits for its own connection.
const POSTGRES_CONNECTIONS: u32 = 10;
const SQLITE_READERS: usize = 8;

#[derive(Clone)]
pub struct Store {
    read: Pool,
    /// On SQLite one connection: it has one writer, and a queue here is fairer than its busy handler.
    write: Pool,
    hub: Arc<Hub>,
    prompts: Arc<Cache<String, Prompt>>,
    /// Whose conversations are; that never changes.
    owners: Arc<Cache<ConversationId, UserId>>,
}

impl Store {
    fn new(read: Pool, write: Pool) -> Self {
        let (prompts, owners) = (Cache::new(PROMPTS_KEPT), Cache::new(OWNERS_KEPT));
        Self { read, write, hub: Arc::default(), prompts: Arc::new(prompts), owners: Arc::new(owners) }
    }

    /// Opens the database, makes its folder and file where they are missing, and brings its tables up
    /// to date. `url`: `sqlite://path`, or `postgres://…` of a database that is there.
    pub async fn open(url: &str) -> std::result::Result<Self, OpenError> {
        let store = match Address::parse(url)? {
            Address::Sqlite(path) => {
                Address::make_folder(&path)?;
                let file = SqliteFile { path: Some(path.into()), create: true, set_up: true };
                let (write, read) = (Pool::sqlite(file.clone(), 1), Pool::sqlite(file, SQLITE_READERS));
                let mut tx = write.begin_write().await?;
                db::migrate(&mut tx).await?;
                tx.commit().await?;
                Self::new(read, write)
            }
            Address::Postgres(options) => {
                let settings = PgSettings { options: *options, connections: POSTGRES_CONNECTIONS };
                let (write, read) = (Pool::Postgres(settings.pool()), Pool::Postgres(settings.pool()));
                db::migrate(&mut *write.acquire().await?).await?;
                Self::new(read, write).listening(settings)
            }
        };
        Ok(store)
    }

    /// A transaction that can only be tried, never committed: the database stays as it is, its version
    /// too, and where there is none none is made. Inside of it the tables are up to date.
    pub async fn rehearse(url: &str) -> std::result::Result<Rehearsal, OpenError> {
        let write = match Address::parse(url)? {
            Address::Sqlite(path) => {
                let path = match std::fs::exists(&path) {
                    Ok(false) => None,
                    // What cannot be looked at is told when it is opened.
                    Ok(true) | Err(_) => Some(path.into()),
                };
                Pool::sqlite(SqliteFile { path, create: false, set_up: false }, 1)
            }
            Address::Postgres(options) => {
                Pool::Postgres(PgSettings { options: *options, connections: 1 }.pool())
            }
        };
        let store = Self::new(write.clone(), write);
        let mut tx = store.begin().await?;
        db::migrate(tx.connection()).await?;
        Ok(Rehearsal { tx, store })
    }

    /// Opens a database that is there already, for commands beside the server: makes none.
    pub async fn open_existing(url: &str) -> std::result::Result<Self, OpenError> {
        if let Address::Sqlite(file) = Address::parse(url)?
            && !Path::new(&file).is_file()
        {
            return Err(OpenError::Missing { file });
        }
        Self::open(url).await
    }

    /// For reading only.
    pub fn reader(&self) -> &Pool {
        &self.read
    }

    /// For whoever in this database has transactions of their own.
    pub fn writer(&self) -> &Pool {
        &self.write
    }

    pub fn dialect(&self) -> Dialect {
        self.write.dialect()
    }

    pub async fn begin(&self) -> Result<WriteTx> {
        let tx = self.write.begin_write().await?;
        Ok(WriteTx { tx, hub: self.hub.clone(), notices: Notices::default(), appended: Vec::new() })
    }

    /// Hears what other servers commit.
    fn listening(self, settings: PgSettings) -> Self {
        let own = PgSettings { connections: 1, ..settings };
        tokio::spawn(notices::listen(own.pool(), Arc::downgrade(&self.hub)));
        self
    }

    /// The runs that shall stop, as they are told.
    pub fn stops(&self) -> broadcast::Receiver<RunId> {
        self.hub.stops()
    }

    /// Returns after a run was left for whoever takes it.
    pub async fn run_left(&self) {
        self.hub.queued().await;
    }

    /// Woken after each commit that appended events.
    pub fn follow(&self, conversation: &ConversationId) -> Follower {
        self.hub.follow(conversation)
    }

    pub async fn is_ready(&self) -> bool {
        db::query("SELECT 1").execute(&self.read).await.is_ok()
    }

    /// Closes the pools after the statements under way.
    pub async fn close(&self) {
        self.read.close().await;
        self.write.close().await;
    }
}

/// A transaction that writes; dropped without [`WriteTx::commit`] it changes nothing.
pub struct WriteTx {
    tx: Transaction,
    hub: Arc<Hub>,
    notices: Notices,
    /// Events, by conversation, in order.
    appended: Vec<(ConversationId, Vec<StoredEvent>)>,
}

impl WriteTx {
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.tx
    }

    pub fn dialect(&self) -> Dialect {
        self.tx.dialect()
    }

    pub async fn commit(mut self) -> Result<()> {
        let newest = |(conversation, events): &(ConversationId, Vec<StoredEvent>)| {
            events.last().map(|event| (conversation.clone(), event.seq))
        };
        self.notices.events = self.appended.iter().filter_map(newest).collect();
        match self.dialect() {
            Dialect::Postgres if !self.notices.is_empty() => {
                let payload = self.notices.payload().map_err(|error| db::Error::Encode(error.into()))?;
                db::query("SELECT pg_notify($1, $2)")
                    .bind(CHANNEL)
                    .bind(payload)
                    .execute(self.connection())
                    .await?;
            }
            Dialect::Postgres | Dialect::Sqlite => {}
        }
        fault_point!(Commit);
        self.tx.commit().await?;
        fault_point!(Committed);
        // Whoever is here need not wait for the database to tell.
        for (conversation, events) in self.appended {
            self.hub.tell_events(&conversation, events);
        }
        self.hub.tell(&self.notices);
        Ok(())
    }

    /// From here on a part can be taken back by itself: PostgreSQL takes nothing more in a transaction in which
    /// a statement failed, unless it goes back to before.
    pub async fn savepoint(&mut self) -> Result<()> {
        db::query("SAVEPOINT part").execute(self.connection()).await.map(|_| ())
    }

    /// Keeps the part.
    pub async fn release_savepoint(&mut self) -> Result<()> {
        db::query("RELEASE SAVEPOINT part").execute(self.connection()).await.map(|_| ())
    }

    /// Takes the part back.
    pub async fn back_to_savepoint(&mut self) -> Result<()> {
        db::query("ROLLBACK TO SAVEPOINT part").execute(self.connection()).await?;
        self.release_savepoint().await
    }

    /// A run waits for whoever takes it.
    pub fn tell_run_left(&mut self) {
        self.notices.queued = true;
    }
}

/// The end of a `SELECT` whose rows are kept from other writers until the transaction ends. SQLite has one
/// writer anyway.
fn for_update(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "",
        // Rows that refer to it may still be added.
        Dialect::Postgres => " FOR NO KEY UPDATE",
    }
}

/// The database's clock, in milliseconds since 1970.
fn database_now(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Sqlite => "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
        Dialect::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
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

/// A value that the database holds but this version cannot read.
fn undecodable(what: impl std::fmt::Display) -> db::Error {
    db::Error::Decode(what.to_string().into())
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(undecodable)
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(|error| db::Error::Encode(error.into()))
}

fn from_millis(millis: i64) -> Result<chrono::DateTime<chrono::Utc>> {
    chrono::DateTime::from_timestamp_millis(millis).ok_or_else(|| undecodable("a time out of range"))
}
