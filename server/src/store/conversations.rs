use chrono::{DateTime, Utc};
use shared::api::ConversationSummary;
use shared::ids::{ClientMessageId, ConversationId, MessageId, RunId, UserId};
use shared::reduce::{Conversation, Refusal, RunView};

use super::events::events_after;
use super::prompts::Prompt;
use super::runs::latest_run;
use super::{Result, Store, WriteTx, from_millis};
use crate::db;

/// Conversations whose guest a server keeps at hand: those of its guests that are there at the moment.
pub(super) const OWNERS_KEPT: usize = 4096;

/// What the model is told for as long as the conversation lives.
#[derive(Clone, Debug)]
pub struct ConversationRow {
    pub id: ConversationId,
    pub user: UserId,
    pub title: String,
    pub model_name: String,
    pub prompt: Prompt,
}

impl Store {
    pub async fn create_conversation(&self, new: &ConversationRow, now: DateTime<Utc>) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.insert_prompt(&new.prompt).await?;
        db::query(
            "INSERT INTO conversations
                 (id, user_id, title, model_name, prompt_id, last_seq, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, 0, $6, $6)",
        )
        .bind(new.id.as_str())
        .bind(new.user.as_str())
        .bind(new.title.as_str())
        .bind(new.model_name.as_str())
        .bind(new.prompt.id.as_str())
        .bind(now.timestamp_millis())
        .execute(tx.connection())
        .await?;
        tx.commit().await
    }

    pub async fn conversation(&self, id: &ConversationId) -> Result<ConversationRow> {
        let (user, title, model_name, prompt): (String, String, String, String) =
            db::query_as("SELECT user_id, title, model_name, prompt_id FROM conversations WHERE id = $1")
                .bind(id.as_str())
                .fetch_one(self.reader())
                .await?;
        Ok(ConversationRow {
            id: id.clone(),
            user: UserId(user),
            title,
            model_name,
            prompt: self.prompt(&prompt).await?,
        })
    }

    /// Whether the conversation is this guest's; somebody else's does not exist for them.
    pub async fn owns(&self, user: &UserId, id: &ConversationId) -> Result<bool> {
        if let Some(owner) = self.owners.get(id) {
            return Ok(owner == *user);
        }
        let row: Option<(String,)> = db::query_as("SELECT user_id FROM conversations WHERE id = $1")
            .bind(id.as_str())
            .fetch_optional(self.reader())
            .await?;
        let Some(owner) = row.map(|(user,)| UserId(user)) else { return Ok(false) };
        let owns = owner == *user;
        self.owners.insert(id.clone(), owner);
        Ok(owns)
    }

    /// A guest's conversations, newest first.
    pub async fn conversations_of(&self, user: &UserId) -> Result<Vec<ConversationSummary>> {
        let rows: Vec<(String, String, i64, i64)> = db::query_as(
            "SELECT c.id, c.title, c.updated_at,
                    (SELECT COUNT(*) FROM approvals a WHERE a.conversation_id = c.id AND a.status = 'pending')
             FROM conversations c WHERE c.user_id = $1 ORDER BY c.updated_at DESC, c.id DESC LIMIT 200",
        )
        .bind(user.as_str())
        .fetch_all(self.reader())
        .await?;
        rows.into_iter()
            .map(|(id, title, updated_at, waiting)| {
                Ok(ConversationSummary {
                    conversation_id: ConversationId(id),
                    title,
                    updated_at: from_millis(updated_at)?,
                    waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
                })
            })
            .collect()
    }

    /// The conversation as its events tell it, with the run's status as it stands now.
    pub async fn view(&self, id: &ConversationId) -> Result<Conversation> {
        // One read transaction: events and status are of the same moment.
        let mut tx = self.reader().begin().await?;
        let mut conversation = Conversation::default();
        for event in events_after(&mut tx, id, 0, i64::MAX).await? {
            match conversation.apply(event.seq, &event.parse()?) {
                Ok(_) => {}
                Err(refusal) => log_refusal(id, event.seq, &refusal),
            }
        }
        if let Some(run) = latest_run(&mut tx, id).await? {
            conversation.run = Some(match conversation.run.take().filter(|view| view.run_id == run.id) {
                Some(view) => RunView { status: run.status, ..view },
                None => RunView {
                    run_id: run.id,
                    status: run.status,
                    step: 0,
                    message_id: run.message_id,
                    step_start: 0,
                    text_open: false,
                },
            });
        }
        Ok(conversation)
    }
}

fn log_refusal(id: &ConversationId, seq: u64, refusal: &Refusal) {
    tracing::error!(conversation.id = %id, event.seq = seq, "event refused by the reducer: {refusal}");
}

impl WriteTx {
    /// Names a conversation after its first message.
    pub async fn set_title_if_empty(&mut self, id: &ConversationId, title: &str) -> Result<()> {
        db::query("UPDATE conversations SET title = $2 WHERE id = $1 AND title = ''")
            .bind(id.as_str())
            .bind(title)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// The run that a message started before, where the same one was sent already.
    pub async fn run_of_message(
        &mut self,
        conversation: &ConversationId,
        client_message: &ClientMessageId,
    ) -> Result<Option<RunId>> {
        let row: Option<(String,)> = db::query_as(
            "SELECT run_id FROM user_messages WHERE conversation_id = $1 AND client_message_id = $2",
        )
        .bind(conversation.as_str())
        .bind(client_message.as_str())
        .fetch_optional(self.connection())
        .await?;
        Ok(row.map(|(id,)| RunId(id)))
    }

    pub async fn insert_user_message(
        &mut self,
        conversation: &ConversationId,
        client_message: &ClientMessageId,
        message: &MessageId,
        text: &str,
        run: &RunId,
        now: DateTime<Utc>,
    ) -> Result<()> {
        db::query(
            "INSERT INTO user_messages
                 (conversation_id, client_message_id, message_id, text, run_id, created_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(conversation.as_str())
        .bind(client_message.as_str())
        .bind(message.as_str())
        .bind(text)
        .bind(run.as_str())
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// The tools whose question has expired since the guest's last message. One that a message itself
    /// found expired carries that message's time, and was told with it.
    pub async fn expired_since_last_message(&mut self, conversation: &ConversationId) -> Result<Vec<String>> {
        let rows: Vec<(String,)> = db::query_as(
            "SELECT tool FROM approvals WHERE conversation_id = $1 AND status = 'expired' AND decided_at >
                 (SELECT COALESCE(MAX(created_at), 0) FROM user_messages WHERE conversation_id = $1)
             ORDER BY decided_at, id",
        )
        .bind(conversation.as_str())
        .fetch_all(self.connection())
        .await?;
        Ok(rows.into_iter().map(|(tool,)| tool).collect())
    }
}
