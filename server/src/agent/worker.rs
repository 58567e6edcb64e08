//! One worker drives one run until it parks or ends.

use crate::db;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures::FutureExt;
use shared::event::{AgentEvent, CancelReason};
use shared::ids::{RunId, ToolCallId};
use shared::run::RunStatus;
use shared::tools::ToolName;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::ending::{deliver_results, end_run, finished};
use super::{Agent, Services};
use crate::store::{CallRow, CallState, RunRow, WriteTx};

pub struct Worker {
    pub agent: Agent,
    pub run: RunRow,
    /// The guest wants it to stop.
    pub stop: CancellationToken,
    /// Calls of the turn under way: on the screen, not stored as calls yet.
    pub streaming: Vec<ToolCallId>,
    started: Instant,
    worked_before: Duration,
}

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Another worker has the run, or it has ended: this one stops at once.
    #[error("the run belongs to another worker")]
    LostRun,
    #[error(transparent)]
    Store(#[from] db::Error),
}

/// Whether the worker goes on with the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoesOn,
    /// Parked or ended.
    Left,
}

/// Claims a queued run and drives it. Errors end here: the log gets them, the run ends as `failed`.
pub async fn work(agent: Agent, run_id: RunId) {
    let stop = CancellationToken::new();
    let mut worker = match Worker::claim(agent.clone(), &run_id, stop.clone()).await {
        Ok(Some(worker)) => worker,
        Ok(None) => return,
        Err(error) => return tracing::error!(run.id = %run_id, "claiming a run: {error}"),
    };
    agent.workers.stops().insert(run_id.clone(), stop);
    let outcome = AssertUnwindSafe(worker.drive()).catch_unwind().await;
    agent.workers.stops().remove(&run_id);
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(WorkerError::LostRun)) => tracing::warn!(run.id = %run_id, "lost the run"),
        Ok(Err(WorkerError::Store(error))) => {
            tracing::error!(run.id = %run_id, "run failed: {error}");
            worker.fail().await;
        }
        Err(_) => {
            tracing::error!(run.id = %run_id, "run failed: the worker panicked");
            worker.fail().await;
        }
    }
}

impl Worker {
    async fn claim(agent: Agent, run_id: &RunId, stop: CancellationToken) -> Result<Option<Self>, db::Error> {
        let now = agent.services.clock.now();
        let mut tx = agent.services.store.begin().await?;
        let Some(run) = tx.claim_run(run_id, now).await? else { return Ok(None) };
        let event = AgentEvent::RunStarted { run_id: run.id.clone(), message_id: run.message_id.clone() };
        tx.append(&run.conversation, now, &[event]).await?;
        tx.commit().await?;
        let worked_before = Duration::from_millis(run.worked_ms);
        let started = Instant::now();
        Ok(Some(Self { agent, run, stop, streaming: Vec::new(), started, worked_before }))
    }

    pub fn services(&self) -> &Services {
        &self.agent.services
    }

    /// A transaction of this worker; refused where the run is no longer its own.
    pub async fn begin(&self) -> Result<WriteTx, WorkerError> {
        let mut tx = self.services().store.begin().await?;
        if !tx.still_holds(&self.run).await? {
            return Err(WorkerError::LostRun);
        }
        Ok(tx)
    }

    /// When the run's time is up.
    pub fn deadline(&self) -> Instant {
        self.started + self.services().limits.work.saturating_sub(self.worked_before)
    }

    pub fn count_time(&mut self) {
        let worked = self.worked_before + self.started.elapsed();
        self.run.worked_ms = u64::try_from(worked.as_millis()).unwrap_or(u64::MAX);
    }

    async fn drive(&mut self) -> Result<(), WorkerError> {
        loop {
            if self.stop_wanted().await? {
                return self.end(RunStatus::Cancelled, CancelReason::Stopped).await;
            }
            let flow = if self.run.turn_step > self.run.delivered_step {
                self.advance_calls().await?
            } else {
                self.model_step().await?
            };
            match flow {
                Flow::GoesOn => {}
                Flow::Left => return Ok(()),
            }
        }
    }

    async fn stop_wanted(&self) -> Result<bool, WorkerError> {
        if self.stop.is_cancelled() {
            return Ok(true);
        }
        // A stop may have come before this worker could be told.
        Ok(self
            .services()
            .store
            .latest_run(&self.run.conversation)
            .await?
            .is_some_and(|run| run.id == self.run.id && run.stop_requested))
    }

    /// One model call, unless a limit says that it was the last.
    async fn model_step(&mut self) -> Result<Flow, WorkerError> {
        let limits = &self.services().limits;
        let reached = if self.run.turn_step >= limits.steps {
            Some(RunStatus::StepLimit)
        } else if self.run.usage.total() >= limits.tokens {
            Some(RunStatus::TokenBudget)
        } else if Instant::now() >= self.deadline() {
            Some(RunStatus::TimeLimit)
        } else {
            None
        };
        match reached {
            Some(status) => {
                self.end(status, CancelReason::Limit).await?;
                Ok(Flow::Left)
            }
            None => self.take_turn().await,
        }
    }

    /// Brings the turn's calls as far as they go without a person; parks, or delivers the results.
    async fn advance_calls(&mut self) -> Result<Flow, WorkerError> {
        let calls = {
            let mut tx = self.begin().await?;
            tx.calls_of_step(&self.run.id, self.run.turn_step).await?
        };
        for call in calls.iter().filter(|call| call.state == CallState::Planned) {
            self.plan(call).await?;
        }

        let calls = {
            let mut tx = self.begin().await?;
            tx.calls_of_step(&self.run.id, self.run.turn_step).await?
        };
        if self.run_reads(&calls).await? == Flow::Left {
            return Ok(Flow::Left);
        }
        for call in calls.iter().filter(|call| call.state == CallState::Approved) {
            if self.stop_wanted().await? {
                // What has not started never starts.
                return Ok(Flow::GoesOn);
            }
            self.execute(call).await?;
        }
        self.park_or_deliver().await
    }

    async fn execute(&mut self, call: &CallRow) -> Result<(), WorkerError> {
        let Some(name) = ToolName::parse(&call.name) else {
            return self.fail_call(call, super::wording::switched_off(&call.name)).await;
        };
        shared::with_tool!(
            name,
            read R => self.run_agreed_read::<R>(call).await,
            write W => self.run_write::<W>(call).await,
        )
    }

    pub async fn fail_call(
        &mut self,
        call: &CallRow,
        error: super::calls::CallError,
    ) -> Result<(), WorkerError> {
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        let event = super::calls::fail(&mut tx, &mut self.run, &call.id, error).await?;
        tx.append(&self.run.conversation, now, &[event]).await?;
        tx.save_progress(&self.run, now).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Counts again, in the transaction that decisions take too, what is still open.
    async fn park_or_deliver(&mut self) -> Result<Flow, WorkerError> {
        self.count_time();
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        let calls = tx.calls_of_step(&self.run.id, self.run.turn_step).await?;
        let any = |state| calls.iter().any(|call| call.state == state);
        if any(CallState::Planned) || any(CallState::Ready) || any(CallState::Approved) {
            // Decided while this worker was busy.
            return Ok(Flow::GoesOn);
        }
        let reached = if self.repeats_itself() {
            Some(RunStatus::RepeatedCall)
        } else if self.run.tool_errors >= self.services().limits.tool_errors {
            Some(RunStatus::TooManyToolErrors)
        } else {
            None
        };
        if let Some(status) = reached {
            // What still waits for a person waits no longer: nobody would hear of the decision.
            let reason = CancelReason::Limit;
            end_run(&mut tx, &mut self.run, status, reason, &[], now).await?;
            tx.commit().await?;
            return Ok(Flow::Left);
        }
        if any(CallState::Waiting) {
            let event = finished(&self.run, RunStatus::AwaitingApproval);
            tx.append(&self.run.conversation, now, &[event]).await?;
            tx.save_progress(&self.run, now).await?;
            tx.set_run_status(&self.run.id, RunStatus::AwaitingApproval, now).await?;
            tx.commit().await?;
            return Ok(Flow::Left);
        }
        deliver_results(&mut tx, &mut self.run).await?;
        tx.save_progress(&self.run, now).await?;
        tx.commit().await?;
        Ok(Flow::GoesOn)
    }

    pub async fn end(&mut self, status: RunStatus, open_calls: CancelReason) -> Result<(), WorkerError> {
        self.count_time();
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        let streaming = std::mem::take(&mut self.streaming);
        end_run(&mut tx, &mut self.run, status, open_calls, &streaming, now).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn fail(&mut self) {
        let run_id = self.run.id.clone();
        let ended: Result<(), WorkerError> = self.end(RunStatus::Failed, CancelReason::Interrupted).await;
        if let Err(error) = ended {
            tracing::error!(run.id = %run_id, "ending a failed run: {error}");
        }
    }

    /// Waits for something that may be given up: `None` where the guest stopped it or the time is up.
    pub async fn unless_stopped<F: Future>(&self, work: F) -> Option<F::Output> {
        tokio::select! {
            biased;
            () = self.stop.cancelled() => None,
            () = tokio::time::sleep_until(self.deadline()) => None,
            output = work => Some(output),
        }
    }
}
