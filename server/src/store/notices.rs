//! What one server tells the others of a commit: who should look at the rows again. On PostgreSQL by
//! NOTIFY, one a commit; on SQLite there is one server, and the hub is enough.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shared::ids::{ConversationId, RunId};
use sqlx::PgPool;
use sqlx::postgres::PgListener;

use super::hub::Hub;

pub const CHANNEL: &str = "truthtable";

/// The longest payload that PostgreSQL takes is 8,000 bytes.
const MAX_PAYLOAD: usize = 7_900;

/// How long a server that has lost its connection waits before it listens again.
const LISTEN_AGAIN: Duration = Duration::from_millis(500);

/// What a commit changed for others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notices {
    /// Conversations with their newest event.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<(ConversationId, u64)>,
    /// Runs that shall stop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stops: Vec<RunId>,
    /// There are runs that nobody works on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub queued: bool,
    /// Too much to list: everybody looks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

impl Notices {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// As it is sent.
    pub fn payload(&self) -> serde_json::Result<String> {
        let payload = serde_json::to_string(self)?;
        if payload.len() <= MAX_PAYLOAD {
            return Ok(payload);
        }
        serde_json::to_string(&Self { all: true, ..Self::default() })
    }
}

/// Hears what other servers commit, for as long as somebody holds the hub.
pub async fn listen(pool: PgPool, hub: std::sync::Weak<Hub>) {
    loop {
        if let Err(error) = hear(&pool, &hub).await {
            tracing::warn!("listening to other servers: {error}");
        }
        match hub.upgrade() {
            // Nobody was told of what happened meanwhile.
            Some(hub) => hub.wake_all(),
            None => return,
        }
        tokio::time::sleep(LISTEN_AGAIN).await;
    }
}

async fn hear(pool: &PgPool, hub: &std::sync::Weak<Hub>) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    if let Some(hub) = hub.upgrade() {
        hub.wake_all();
    }
    // `try_recv` gives nothing where the connection was lost.
    while let Some(notification) = listener.try_recv().await? {
        let Some(hub): Option<Arc<Hub>> = hub.upgrade() else { return Ok(()) };
        match serde_json::from_str::<Notices>(notification.payload()) {
            Ok(notices) => hub.tell(&notices),
            // From a newer version, perhaps: then everybody looks.
            Err(_) => hub.wake_all(),
        }
    }
    Ok(())
}
