//! One model call: shown as it comes, stored when it is proved complete.

use std::pin::pin;
use std::time::Duration;

use chrono::{DateTime, Utc};
use shared::event::{AgentEvent, CancelReason};
use shared::run::RunStatus;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use super::ending::end_run;
use super::planning::writes;
use super::worker::{Flow, Signals, Worker, WorkerError};
use crate::db;
use crate::fault::fault_point;
use crate::model::{
    AssistantBlock, ModelError, ModelEvent, ModelMessage, ModelRequest, ModelTurn, StopReason,
};
use crate::store::{CallRow, CallState, WriteTx};

/// Deltas are committed in groups, this often.
const COMMIT_EVERY: Duration = Duration::from_millis(60);
/// Deltas that are taken at once.
const AT_ONCE: usize = 64;

impl Worker {
    pub async fn take_turn(&mut self) -> Result<Flow, WorkerError> {
        let request = self.start_step().await?;
        let (sender, receiver) = mpsc::channel(256);
        let model = self.services().model.clone();
        let call = async move { model.turn(request, sender).await };
        let turn = self.follow(call, receiver).await?;
        match turn {
            Some(Ok(turn)) => {
                fault_point!(TurnComplete);
                self.take_in(turn).await
            }
            Some(Err(error)) => {
                tracing::warn!(run.id = %self.run.id, run.step = self.run.step, "model call: {error}");
                let status = match error {
                    ModelError::Interrupted(_) => RunStatus::Interrupted,
                    ModelError::Unavailable(_) | ModelError::Rejected(_) => RunStatus::Failed,
                    ModelError::ContextFull(_) => RunStatus::ContextFull,
                };
                self.end(status, CancelReason::Interrupted).await?;
                Ok(Flow::Left)
            }
            None if self.signals.stop.is_cancelled() => {
                self.end(RunStatus::Cancelled, CancelReason::Stopped).await?;
                Ok(Flow::Left)
            }
            None => {
                self.may_go_on()?;
                self.end(RunStatus::TimeLimit, CancelReason::Limit).await?;
                Ok(Flow::Left)
            }
        }
    }

    /// Announces the model call, in the caller's transaction.
    pub async fn begin_step(&mut self, tx: &mut WriteTx) -> Result<(), db::Error> {
        let step = self.run.turn_step + 1;
        // The step was begun before and its turn never stored: what was shown of it is withdrawn.
        let again = self.run.step == step;
        self.run.step = step;
        self.step_begun = true;
        self.count_time();
        let event = if again { AgentEvent::StepReset { step } } else { AgentEvent::StepStarted { step } };
        self.append(tx, vec![event]).await?;
        tx.save_progress(&self.run, self.services().clock.now()).await
    }

    async fn start_step(&mut self) -> Result<ModelRequest, WorkerError> {
        if !std::mem::take(&mut self.step_begun) {
            let mut tx = self.begin().await?;
            self.begin_step(&mut tx).await?;
            tx.commit().await?;
            self.step_begun = false;
        }
        fault_point!(StepStarted);

        let store = &self.services().store;
        let conversation = store.conversation(&self.run.conversation).await?;
        Ok(ModelRequest {
            model: conversation.model_name,
            system: conversation.prompt.system,
            tools: conversation.prompt.tools,
            messages: store.history(&self.run.conversation).await?,
        })
    }

    /// Commits what arrives, in groups, until the call is over; `None` where it was given up.
    async fn follow(
        &mut self,
        call: impl Future<Output = Result<ModelTurn, ModelError>>,
        mut receiver: mpsc::Receiver<ModelEvent>,
    ) -> Result<Option<Result<ModelTurn, ModelError>>, WorkerError> {
        let mut call = pin!(call);
        let Signals { stop, lost, hand_back } = self.signals.clone();
        let deadline = self.deadline();
        let mut given_up = pin!(async {
            tokio::select! {
                () = stop.cancelled() => {}
                () = hand_back.cancelled() => {}
                () = tokio::time::sleep_until(deadline) => {}
            }
        });
        let mut lost = pin!(lost.cancelled());
        let mut commit = interval_at(Instant::now() + COMMIT_EVERY, COMMIT_EVERY);
        commit.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut group = Group::default();
        let mut arrived = Vec::with_capacity(AT_ONCE);
        let mut open = true;
        let turn = loop {
            tokio::select! {
                () = &mut given_up => break None,
                // What came so far stays; the one who makes the step again withdraws it.
                () = &mut lost => return Err(WorkerError::LostRun),
                turn = &mut call => break Some(turn),
                count = receiver.recv_many(&mut arrived, AT_ONCE), if open => {
                    open = count > 0;
                    arrived.drain(..).for_each(|event| self.note(&mut group, event));
                }
                _ = commit.tick(), if !group.events.is_empty() => self.commit(&mut group).await?,
            }
        };
        if turn.is_some() {
            while let Ok(event) = receiver.try_recv() {
                self.note(&mut group, event);
            }
        }
        // The rest goes with what is made of the turn.
        self.pending.append(&mut group.events);
        Ok(turn)
    }

    fn note(&mut self, group: &mut Group, event: ModelEvent) {
        if let ModelEvent::ToolInputStart { tool_call_id, .. } = &event {
            self.streaming.push(tool_call_id.clone());
        }
        group.add(event, self.run.step);
    }

    async fn commit(&mut self, group: &mut Group) -> Result<(), WorkerError> {
        if group.events.is_empty() {
            return Ok(());
        }
        let mut tx = self.begin().await?;
        self.append(&mut tx, std::mem::take(&mut group.events)).await?;
        fault_point!(DeltasToStore);
        tx.commit().await?;
        fault_point!(DeltasStored);
        Ok(())
    }

    /// Takes a complete turn in: its calls are stored before any of them is looked at.
    async fn take_in(&mut self, turn: ModelTurn) -> Result<Flow, WorkerError> {
        self.run.usage = self.run.usage + turn.usage;
        let has_calls = turn.calls().next().is_some();
        let ended = match turn.stop {
            StopReason::ToolUse if has_calls => None,
            StopReason::Pause if !has_calls => None,
            StopReason::ToolUse | StopReason::EndTurn if !has_calls => Some(RunStatus::Done),
            // Calls in a turn that did not end by asking for tools: the stream cannot be trusted.
            StopReason::EndTurn | StopReason::ToolUse | StopReason::Pause => Some(RunStatus::Interrupted),
            StopReason::MaxTokens => Some(RunStatus::Truncated),
            StopReason::Refusal => Some(RunStatus::Refused),
            StopReason::ContextFull => Some(RunStatus::ContextFull),
            StopReason::Malformed | StopReason::Unknown => Some(RunStatus::Failed),
        };
        match ended {
            None => {
                let now = self.services().clock.now();
                let any_write = turn.calls().any(|call| writes(&call.name));
                let is_frozen = self.is_frozen(any_write).await;
                let mut tx = self.begin().await?;
                let calls = self.store_turn(&mut tx, turn, now).await?;
                self.streaming.clear();
                if calls.is_empty() {
                    self.append(&mut tx, Vec::new()).await?;
                    tx.save_progress(&self.run, now).await?;
                    tx.commit().await?;
                    return Ok(Flow::GoesOn);
                }
                self.plan(&mut tx, &calls, is_frozen).await?;
                fault_point!(TurnToStore);
                let flow = self.park_or_deliver(tx).await?;
                fault_point!(TurnStored);
                Ok(flow)
            }
            Some(RunStatus::Done) => {
                // One transaction: an answer that is stored is never asked for again.
                let now = self.services().clock.now();
                let mut tx = self.begin().await?;
                self.store_turn(&mut tx, turn, now).await?;
                let before = std::mem::take(&mut self.pending);
                let reason = CancelReason::Interrupted;
                end_run(&mut tx, &mut self.run, RunStatus::Done, reason, before, now).await?;
                fault_point!(AnswerToStore);
                tx.commit().await?;
                fault_point!(AnswerStored);
                Ok(Flow::Left)
            }
            Some(status) => {
                let reason = if status == RunStatus::Truncated {
                    CancelReason::Limit
                } else {
                    CancelReason::Interrupted
                };
                self.end(status, reason).await?;
                Ok(Flow::Left)
            }
        }
    }

    /// The calls of the turn, as they are stored.
    async fn store_turn(
        &mut self,
        tx: &mut WriteTx,
        turn: ModelTurn,
        now: DateTime<Utc>,
    ) -> Result<Vec<CallRow>, WorkerError> {
        let calls: Vec<_> = turn.calls().collect();
        self.run.pickups = 0;
        self.run.turn_step = self.run.step;
        if calls.is_empty() {
            self.run.delivered_step = self.run.step;
        }
        self.count_time();
        let says_something = turn.blocks.iter().any(|block| match block {
            AssistantBlock::Text { text } => !text.trim().is_empty(),
            AssistantBlock::ToolCall { .. } | AssistantBlock::Opaque { .. } => true,
        });
        if says_something {
            let message = ModelMessage::Assistant { blocks: turn.blocks };
            tx.append_history(&self.run.conversation, &self.run.id, &message).await?;
        }
        let mut rows = Vec::with_capacity(calls.len());
        for (position, call) in (0..).zip(calls) {
            let row = CallRow {
                id: call.tool_call_id,
                run: self.run.id.clone(),
                step: self.run.step,
                position,
                name: call.name,
                arguments: call.arguments,
                proposed_input: None,
                state: CallState::Planned,
                ended_as: None,
                business_key: None,
                result: None,
            };
            tx.insert_call(&self.run.conversation, &row, now).await?;
            rows.push(row);
        }
        Ok(rows)
    }
}

/// Events to be committed together; neighbouring deltas of one part become one.
#[derive(Default)]
struct Group {
    events: Vec<AgentEvent>,
}

impl Group {
    fn add(&mut self, event: ModelEvent, step: u32) {
        match (self.events.last_mut(), event) {
            (Some(AgentEvent::TextDelta { text }), ModelEvent::TextDelta(delta))
            | (Some(AgentEvent::ReasoningDelta { text }), ModelEvent::ReasoningDelta(delta)) => {
                text.push_str(&delta);
            }
            (
                Some(AgentEvent::ToolInputDelta { tool_call_id: open, input_text_delta }),
                ModelEvent::ToolInputDelta { tool_call_id, delta },
            ) if *open == tool_call_id => input_text_delta.push_str(&delta),
            (_, ModelEvent::TextDelta(text)) => self.events.push(AgentEvent::TextDelta { text }),
            (_, ModelEvent::ReasoningDelta(text)) => self.events.push(AgentEvent::ReasoningDelta { text }),
            (_, ModelEvent::ToolInputStart { tool_call_id, name }) => {
                self.events.push(AgentEvent::ToolInputStart { tool_call_id, tool_name: name });
            }
            (_, ModelEvent::ToolInputDelta { tool_call_id, delta }) => {
                self.events.push(AgentEvent::ToolInputDelta { tool_call_id, input_text_delta: delta });
            }
            (_, ModelEvent::Retrying { attempt }) => {
                self.events.push(AgentEvent::ModelRetrying { step, attempt });
            }
        }
    }
}
