//! Outputs that follow the world, and the news of it.

use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::event::AgentEvent;
use shared::ids::{ConversationId, MessageId, ToolCallId};

use super::{Result, WriteTx, to_json};
use crate::db;

impl WriteTx {
    /// Replaces the output of a call that has one, and gives the event that tells of it with the
    /// conversation that it belongs to; none where the call has no output.
    pub async fn update_output(
        &mut self,
        call: &ToolCallId,
        output: &Value,
    ) -> Result<Option<(ConversationId, AgentEvent)>> {
        let row: Option<(String, i64)> = db::query_as(
            "UPDATE tool_calls SET output = $2, output_revision = output_revision + 1
             WHERE id = $1 AND output IS NOT NULL RETURNING conversation_id, output_revision",
        )
        .bind(call.as_str())
        .bind(to_json(output)?)
        .fetch_optional(self.connection())
        .await?;
        let Some((conversation, revision)) = row else { return Ok(None) };
        // Whoever asks for the same again hears how it stands now.
        db::query("UPDATE effects SET output = $2 WHERE tool_call_id = $1")
            .bind(call.as_str())
            .bind(to_json(output)?)
            .execute(self.connection())
            .await?;
        let event = AgentEvent::ToolOutputUpdated {
            tool_call_id: call.clone(),
            output: output.clone(),
            revision: u64::try_from(revision).unwrap_or_default(),
        };
        Ok(Some((ConversationId(conversation), event)))
    }

    /// Keeps news for the model of a conversation until its next user message.
    pub async fn insert_news(
        &mut self,
        id: &str,
        conversation: &ConversationId,
        body: &str,
        now: DateTime<Utc>,
    ) -> Result<()> {
        db::query("INSERT INTO news (id, conversation_id, body, created_at) VALUES ($1, $2, $3, $4)")
            .bind(id)
            .bind(conversation.as_str())
            .bind(body)
            .bind(now.timestamp_millis())
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// The news that was not told yet, in order; from now on it counts as told with this message.
    pub async fn take_news(
        &mut self,
        conversation: &ConversationId,
        message: &MessageId,
    ) -> Result<Vec<String>> {
        let rows: Vec<(String,)> = db::query_as(
            "SELECT body FROM news WHERE conversation_id = $1 AND told_with IS NULL ORDER BY created_at, id",
        )
        .bind(conversation.as_str())
        .fetch_all(self.connection())
        .await?;
        db::query("UPDATE news SET told_with = $2 WHERE conversation_id = $1 AND told_with IS NULL")
            .bind(conversation.as_str())
            .bind(message.as_str())
            .execute(self.connection())
            .await?;
        Ok(rows.into_iter().map(|(body,)| body).collect())
    }
}
