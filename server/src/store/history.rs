use shared::ids::{ConversationId, RunId};

use super::{Result, Store, WriteTx, from_json, to_json};
use crate::db;
use crate::model::ModelMessage;

impl WriteTx {
    /// Adds to the model's history of a conversation, which only ever grows.
    pub async fn append_history(
        &mut self,
        conversation: &ConversationId,
        run: &RunId,
        message: &ModelMessage,
    ) -> Result<()> {
        db::query(
            "INSERT INTO model_messages (conversation_id, position, run_id, body)
             SELECT $1, COALESCE(MAX(position), 0) + 1, $2, $3 FROM model_messages WHERE conversation_id = $1",
        )
        .bind(conversation.as_str())
        .bind(run.as_str())
        .bind(to_json(message)?)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}

impl Store {
    pub async fn history(&self, conversation: &ConversationId) -> Result<Vec<ModelMessage>> {
        let rows: Vec<(String,)> =
            db::query_as("SELECT body FROM model_messages WHERE conversation_id = $1 ORDER BY position")
                .bind(conversation.as_str())
                .fetch_all(self.reader())
                .await?;
        rows.iter().map(|(body,)| from_json(body)).collect()
    }
}
