use crate::db;
use chrono::{DateTime, Utc};
use shared::event::AgentEvent;
use shared::ids::ConversationId;

use super::{Result, Store, WriteTx, from_json, to_json};

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
        let (last_seq,): (i64,) = db::query_as(
            "UPDATE conversations SET last_seq = last_seq + $2, updated_at = $3 WHERE id = $1 RETURNING last_seq",
        )
        .bind(conversation.as_str())
        .bind(events.len() as i64)
        .bind(now.timestamp_millis())
        .fetch_one(self.connection())
        .await?;
        let before = last_seq - events.len() as i64;
        for (seq, event) in (before + 1..).zip(events) {
            db::query("INSERT INTO events (conversation_id, seq, at, body) VALUES ($1, $2, $3, $4)")
                .bind(conversation.as_str())
                .bind(seq)
                .bind(now.timestamp_millis())
                .bind(to_json(event)?)
                .execute(self.connection())
                .await?;
        }
        self.appended.push((conversation.clone(), last_seq as u64));
        Ok(())
    }
}

impl Store {
    /// The events after a sequence number, in order, at most `limit`.
    pub async fn events_after(
        &self,
        conversation: &ConversationId,
        after: u64,
        limit: i64,
    ) -> Result<Vec<StoredEvent>> {
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
