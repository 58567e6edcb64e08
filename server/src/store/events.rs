use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use shared::event::AgentEvent;
use shared::ids::ConversationId;

use super::{Result, Store, WriteTx, from_json, to_json};
use crate::db;

/// An event with its place in the conversation's log.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredEvent {
    /// Counts from 1 within the conversation.
    pub seq: u64,
    /// The JSON as it was stored, and as it is sent.
    pub body: String,
}

impl StoredEvent {
    pub fn parse(&self) -> Result<AgentEvent> {
        from_json(&self.body)
    }
}

/// Events that one statement inserts at most.
const ROWS_AT_ONCE: usize = 10;

/// The statements that insert one event, two, and so on.
static INSERTS: LazyLock<[String; ROWS_AT_ONCE]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let row = |row: usize| format!("($1, ${}, $2, ${})", 3 + 2 * row, 4 + 2 * row);
        let rows: Vec<String> = (0..=index).map(row).collect();
        format!("INSERT INTO events (conversation_id, seq, at, body) VALUES {}", rows.join(", "))
    })
});

impl WriteTx {
    /// Appends events; their sequence numbers are taken in this transaction.
    pub async fn append(
        &mut self,
        conversation: &ConversationId,
        now: DateTime<Utc>,
        events: &[AgentEvent],
    ) -> Result<()> {
        if events.is_empty() {
            return Ok(());
        }
        let update = if events.iter().all(AgentEvent::is_delta) {
            // By `updated_at` conversations are listed: it need not follow every word.
            db::query_as("UPDATE conversations SET last_seq = last_seq + $2 WHERE id = $1 RETURNING last_seq")
                .bind(conversation.as_str())
                .bind(events.len() as i64)
        } else {
            db::query_as(
                "UPDATE conversations SET last_seq = last_seq + $2, updated_at = $3 WHERE id = $1 \
                 RETURNING last_seq",
            )
            .bind(conversation.as_str())
            .bind(events.len() as i64)
            .bind(now.timestamp_millis())
        };
        let (last_seq,): (i64,) = update.fetch_one(self.connection()).await?;
        let first = last_seq - events.len() as i64 + 1;
        for (chunk_at, chunk) in (0..).step_by(ROWS_AT_ONCE).zip(events.chunks(ROWS_AT_ONCE)) {
            let mut insert = db::query(INSERTS[chunk.len() - 1].as_str())
                .bind(conversation.as_str())
                .bind(now.timestamp_millis());
            let mut appended = Vec::with_capacity(chunk.len());
            for (seq, event) in (first + chunk_at..).zip(chunk) {
                let body = to_json(event)?;
                insert = insert.bind(seq).bind(body.as_str());
                appended.push(StoredEvent { seq: seq as u64, body });
            }
            insert.execute(self.connection()).await?;
            match self.appended.iter_mut().find(|(other, _)| other == conversation) {
                Some((_, before)) => before.append(&mut appended),
                None => self.appended.push((conversation.clone(), appended)),
            }
        }
        Ok(())
    }
}

impl Store {
    /// The events after a sequence number, in order, at most `limit`.
    pub async fn events_after(
        &self,
        conversation: &ConversationId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<StoredEvent>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        events_after(&mut *self.reader().acquire().await?, conversation, after, limit).await
    }
}

pub(super) async fn events_after(
    connection: &mut db::Connection,
    conversation: &ConversationId,
    after: u64,
    limit: i64,
) -> Result<Vec<StoredEvent>> {
    let rows: Vec<(i64, String)> = db::query_as(
        "SELECT seq, body FROM events WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    )
    .bind(conversation.as_str())
    .bind(i64::try_from(after).unwrap_or(i64::MAX))
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(seq, body)| StoredEvent { seq: seq as u64, body }).collect())
}
