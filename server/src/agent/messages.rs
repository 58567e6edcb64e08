//! A guest's message starts a run; a retry starts another one for the same message.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use shared::event::{AgentEvent, CancelReason};
use shared::ids::{ClientMessageId, ConversationId, MessageId, RunId, UserId};
use shared::run::{RunPhase, RunStatus};

use super::Agent;
use super::ending::end_run;
use super::server_line::server_line;
use super::worker;
use crate::db;
use crate::fault::fault_point;
use crate::model::ModelMessage;
use crate::store::{NewRun, WriteTx};

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("a run is queued or running")]
    RunActive,
    #[error("too many runs of this guest at once")]
    TooManyRuns,
    #[error("too many messages of this guest in a short time")]
    TooOften { wait: Duration },
    #[error("the guest's tokens of today are used up")]
    DailyBudget { wait: Duration },
    #[error(transparent)]
    Store(#[from] db::Error),
}

#[derive(Debug, thiserror::Error)]
pub enum RetryError {
    #[error("a run is queued, running or waiting")]
    RunActive,
    #[error("too many runs of this guest at once")]
    TooManyRuns,
    #[error("too many messages of this guest in a short time")]
    TooOften { wait: Duration },
    #[error("the guest's tokens of today are used up")]
    DailyBudget { wait: Duration },
    /// No run yet, or the last one has answered.
    #[error("nothing to try again")]
    NothingToRetry,
    #[error(transparent)]
    Store(#[from] db::Error),
}

const MINUTE: TimeDelta = TimeDelta::minutes(1);

/// A conversation is named after the start of its first message.
const TITLE_CHARS: usize = 60;

impl Agent {
    /// Stores the message and starts its run; the same message again gets the same run. Questions that
    /// wait are superseded.
    pub async fn send_message(
        &self,
        user: &UserId,
        conversation: &ConversationId,
        client_message: &ClientMessageId,
        text: &str,
    ) -> Result<RunId, SendError> {
        let services = &self.services;
        let mut tx = services.store.begin().await?;
        tx.lock_guest(user).await?;
        let now = services.clock.now();
        if let Some(run) = tx.run_of_message(conversation, client_message).await? {
            return Ok(run);
        }
        if let Some(wait) = self.too_often(&mut tx, user, now).await? {
            return Err(SendError::TooOften { wait });
        }
        if let Some(wait) = self.day_is_used_up(&mut tx, user, now).await? {
            return Err(SendError::DailyBudget { wait });
        }
        if let Some(mut run) = tx.lock_latest_run(conversation).await? {
            match run.status.phase() {
                RunPhase::Live => return Err(SendError::RunActive),
                RunPhase::Parked => {
                    let (status, reason) = (RunStatus::Cancelled, CancelReason::Superseded);
                    end_run(&mut tx, &mut run, status, reason, Vec::new(), now).await?;
                }
                RunPhase::Ended => {}
            }
        }
        if tx.live_runs_of(user).await? >= services.limits.runs_per_guest {
            return Err(SendError::TooManyRuns);
        }

        let run = self.new_run(user, conversation);
        let message_id = MessageId(services.ids.next());
        let expired = tx.expired_since_last_message(conversation).await?;
        let news = tx.take_news(conversation, &message_id).await?;
        let history = ModelMessage::User {
            server_line: server_line(now, services.time_zone, &expired, &news),
            text: text.to_owned(),
        };
        let event = AgentEvent::UserMessage {
            message_id: message_id.clone(),
            client_message_id: client_message.clone(),
            text: text.to_owned(),
        };
        tx.insert_run(&run, now).await?;
        tx.insert_user_message(conversation, client_message, &message_id, text, &run.id, now).await?;
        tx.append_history(conversation, &run.id, &history).await?;
        tx.append(conversation, now, &[event]).await?;
        tx.set_title_if_empty(conversation, &title(text)).await?;
        let worker = worker::take_new(self, &mut tx, &run.id).await?;
        fault_point!(MessageToStore);
        tx.commit().await?;
        fault_point!(MessageStored);
        if let Some(worker) = worker {
            worker::start(worker);
        }
        Ok(run.id)
    }

    /// A new run for the last user message, after one that ended without an answer.
    pub async fn retry(&self, user: &UserId, conversation: &ConversationId) -> Result<RunId, RetryError> {
        let services = &self.services;
        let mut tx = services.store.begin().await?;
        tx.lock_guest(user).await?;
        let now = services.clock.now();
        if let Some(wait) = self.too_often(&mut tx, user, now).await? {
            return Err(RetryError::TooOften { wait });
        }
        if let Some(wait) = self.day_is_used_up(&mut tx, user, now).await? {
            return Err(RetryError::DailyBudget { wait });
        }
        let last = tx.lock_latest_run(conversation).await?.ok_or(RetryError::NothingToRetry)?;
        match last.status.phase() {
            RunPhase::Live | RunPhase::Parked => return Err(RetryError::RunActive),
            RunPhase::Ended if last.status == RunStatus::Done => return Err(RetryError::NothingToRetry),
            RunPhase::Ended => {}
        }
        if tx.live_runs_of(user).await? >= services.limits.runs_per_guest {
            return Err(RetryError::TooManyRuns);
        }
        let run = self.new_run(user, conversation);
        tx.insert_run(&run, now).await?;
        let worker = worker::take_new(self, &mut tx, &run.id).await?;
        tx.commit().await?;
        if let Some(worker) = worker {
            worker::start(worker);
        }
        Ok(run.id)
    }

    /// How long the guest has to wait until they may send again; none: not at all. Counted in the database, so
    /// that it holds for all servers together.
    async fn too_often(
        &self,
        tx: &mut WriteTx,
        user: &UserId,
        now: DateTime<Utc>,
    ) -> Result<Option<Duration>, db::Error> {
        let (sent, first) = tx.runs_since(user, now - MINUTE).await?;
        if sent < self.services.limits.messages_per_minute {
            return Ok(None);
        }
        let over = first.unwrap_or(now) + MINUTE;
        Ok(Some((over - now).to_std().unwrap_or_default()))
    }

    fn new_run(&self, user: &UserId, conversation: &ConversationId) -> NewRun {
        let ids = &self.services.ids;
        NewRun {
            id: RunId(ids.next()),
            conversation: conversation.clone(),
            user: user.clone(),
            message_id: MessageId(ids.next()),
        }
    }
}

fn title(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(TITLE_CHARS) {
        Some((end, _)) => format!("{}…", one_line[..end].trim_end()),
        None => one_line,
    }
}
