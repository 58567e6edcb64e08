//! One worker drives one run until it parks or ends.

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
use super::lease::Lease;
use super::planning::writes;
use super::reads::Reading;
use super::spending::Spending;
use super::turn::Told;
use super::{Agent, AtWork, Services};
use crate::db;
use crate::fault::fault_point;
use crate::store::{CallRow, CallState, RunRow, WriteTx};

pub struct Worker {
    pub agent: Agent,
    pub run: RunRow,
    pub signals: Signals,
    /// Calls of the turn under way: on the screen, not stored as calls yet.
    pub streaming: Vec<ToolCallId>,
    /// Events that were not committed yet: they go with whatever is committed next.
    pub pending: Vec<AgentEvent>,
    pub spending: Spending,
    /// Whether the model call of the step to come is announced already.
    pub step_begun: bool,
    /// The turn's calls as this worker's last commit left them, where it goes on with them at once. A decision
    /// that has come since then is seen before the run parks.
    calls: Option<Vec<CallRow>>,
    /// What the model is told, once it was read: until the run is left nobody else adds to it.
    pub told: Option<Told>,
    started: Instant,
    worked_before: Duration,
    _here: AtWork,
}

/// What reaches a worker from outside while it works.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    /// The guest wants it to stop.
    pub stop: CancellationToken,
    /// The run is no longer this worker's, or it was not able to say that it still lives.
    pub lost: CancellationToken,
    /// The process ends: whatever is not done by now is for another one.
    pub hand_back: CancellationToken,
}

/// Pick-ups of a run that brought it no further; with one more it has failed.
const PICKUPS: u32 = 3;

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Another worker has the run, or it has ended: this one stops at once.
    #[error("the run belongs to another worker")]
    LostRun,
    /// The process ends before the run does: another one goes on with it.
    #[error("the process ends")]
    HandBack,
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

/// Claims a run and drives it on a task of its own; `id`: a certain one, else the one that has waited
/// longest. False where there is none to claim.
pub async fn take(agent: &Agent, id: Option<&RunId>) -> bool {
    match Worker::claim(agent.clone(), id, signals(agent)).await {
        Ok(Some(worker)) => {
            start(worker);
            true
        }
        Ok(None) => false,
        Err(error) => {
            tracing::error!("claiming a run: {error}");
            false
        }
    }
}

/// Claims a new run in the transaction that stores it, for a worker that is started after its commit; none where
/// this process takes no further runs: it stays for another one.
pub async fn take_new(agent: &Agent, tx: &mut WriteTx, id: &RunId) -> Result<Option<Worker>, db::Error> {
    if agent.workers.stopping.is_cancelled() {
        return Ok(None);
    }
    Worker::claim_in(agent.clone(), tx, Some(id), signals(agent)).await
}

/// Gives a claimed run's worker a task of its own.
pub fn start(worker: Worker) {
    worker.agent.workers.tasks.clone().spawn(work(worker));
}

fn signals(agent: &Agent) -> Signals {
    Signals { hand_back: agent.workers.hand_back.clone(), ..Signals::default() }
}

/// Errors end here: the log gets them. Where the database was in the way the run is left for another try,
/// else it ends as `failed`.
async fn work(mut worker: Worker) {
    let run_id = worker.run.id.clone();
    let lease = Lease::of(&worker);
    let keeping = tokio::spawn(lease.keep());
    let outcome = AssertUnwindSafe(worker.drive()).catch_unwind().await;
    keeping.abort();
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err(WorkerError::LostRun)) => tracing::warn!(run.id = %run_id, "lost the run"),
        Ok(Err(WorkerError::HandBack)) => {
            // That the process ended says nothing about the run.
            worker.run.pickups = worker.run.pickups.saturating_sub(1);
            worker.hand_back().await;
        }
        Ok(Err(WorkerError::Store(error))) if error.is_passing() || error.is_unique_violation() => {
            tracing::error!(run.id = %run_id, "the run is left for another try: {error}");
            worker.hand_back().await;
        }
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
    async fn claim(agent: Agent, id: Option<&RunId>, signals: Signals) -> Result<Option<Self>, db::Error> {
        let mut tx = agent.services.store.begin().await?;
        let Some(worker) = Self::claim_in(agent, &mut tx, id, signals).await? else { return Ok(None) };
        fault_point!(RunToClaim);
        tx.commit().await?;
        fault_point!(RunClaimed);
        Ok(Some(worker))
    }

    /// Claims a run in the caller's transaction: only when that is committed the worker may work.
    async fn claim_in(
        agent: Agent,
        tx: &mut WriteTx,
        id: Option<&RunId>,
        signals: Signals,
    ) -> Result<Option<Self>, db::Error> {
        let now = agent.services.clock.now();
        let Some(run) = tx.claim_run(id, agent.services.limits.lease, now).await? else { return Ok(None) };
        // Before anybody can know that it is here.
        let here = agent.workers.at_work(&run, &signals);
        let event = AgentEvent::RunStarted { run_id: run.id.clone(), message_id: run.message_id.clone() };
        let worked_before = Duration::from_millis(run.worked_ms);
        let mut worker = Self {
            agent,
            run,
            signals,
            streaming: Vec::new(),
            pending: vec![event],
            spending: Spending::default(),
            _here: here,
            step_begun: false,
            calls: None,
            told: None,
            started: Instant::now(),
            worked_before,
        };
        worker.read_spending(tx).await?;
        worker.begin_step_if_next(tx).await?;
        worker.append(tx, Vec::new()).await?;
        Ok(Some(worker))
    }

    pub fn services(&self) -> &Services {
        &self.agent.services
    }

    /// A transaction of this worker; refused where the run is no longer its own.
    pub async fn begin(&self) -> Result<WriteTx, WorkerError> {
        let mut tx = self.services().store.begin().await?;
        let stop = tx.still_holds(&self.run).await?.ok_or(WorkerError::LostRun)?;
        if stop {
            self.signals.stop.cancel();
        }
        Ok(tx)
    }

    /// Appends events of this run's conversation, behind those that wait for a commit.
    pub async fn append(&mut self, tx: &mut WriteTx, events: Vec<AgentEvent>) -> Result<(), db::Error> {
        let mut all = std::mem::take(&mut self.pending);
        all.extend(events);
        tx.append(&self.run.conversation, self.services().clock.now(), &all).await
    }

    /// Whether this worker is still the run's, as far as it knows without asking.
    pub fn may_go_on(&self) -> Result<(), WorkerError> {
        if self.signals.lost.is_cancelled() {
            return Err(WorkerError::LostRun);
        }
        if self.signals.hand_back.is_cancelled() {
            return Err(WorkerError::HandBack);
        }
        Ok(())
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
        if self.run.pickups > PICKUPS {
            tracing::error!(run.id = %self.run.id, "taken {PICKUPS} times without coming further");
            return self.end(RunStatus::Failed, CancelReason::Interrupted).await;
        }
        self.finish_started().await?;
        loop {
            self.may_go_on()?;
            if self.stop_wanted() {
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

    /// Whether the guest wants it to stop, as far as this worker has heard.
    fn stop_wanted(&self) -> bool {
        self.signals.stop.is_cancelled() || self.run.stop_requested
    }

    /// Why there is no further model call, where a limit is reached.
    fn limit_reached(&self) -> Option<RunStatus> {
        let limits = &self.services().limits;
        if self.run.turn_step >= limits.steps {
            Some(RunStatus::StepLimit)
        } else if self.run.usage.total() >= limits.tokens || self.spending.today >= limits.daily_tokens {
            Some(RunStatus::TokenBudget)
        } else if Instant::now() >= self.deadline() {
            Some(RunStatus::TimeLimit)
        } else {
            None
        }
    }

    /// Announces the next model call in the transaction that comes before it, where there will be one, and says
    /// whether there will: then what waited for a commit and the run's progress are written too.
    async fn begin_step_if_next(&mut self, tx: &mut WriteTx) -> Result<bool, db::Error> {
        let waits = self.run.turn_step > self.run.delivered_step || self.run.pickups > PICKUPS;
        let begins = !self.stop_wanted() && !waits && self.limit_reached().is_none();
        if begins {
            self.begin_step(tx).await?;
        }
        Ok(begins)
    }

    /// One model call, unless a limit says that it was the last.
    async fn model_step(&mut self) -> Result<Flow, WorkerError> {
        match self.limit_reached() {
            Some(status) => {
                self.end(status, CancelReason::Limit).await?;
                Ok(Flow::Left)
            }
            None => self.take_turn().await,
        }
    }

    /// Brings the turn's calls as far as they go without a person; parks, or delivers the results.
    async fn advance_calls(&mut self) -> Result<Flow, WorkerError> {
        let mut calls = match self.calls.take() {
            Some(calls) => calls,
            None => self.begin().await?.calls_of_step(&self.run.id, self.run.turn_step).await?,
        };
        if calls.iter().any(|call| call.state == CallState::Planned) {
            let any_write = calls.iter().any(|call| writes(&call.name));
            let is_frozen = self.is_frozen(any_write).await;
            let mut tx = self.begin().await?;
            self.plan(&mut tx, &calls, is_frozen).await?;
            tx.save_progress(&self.run, self.services().clock.now()).await?;
            calls = tx.calls_of_step(&self.run.id, self.run.turn_step).await?;
            tx.commit().await?;
        }
        let read = match self.run_reads(&calls).await? {
            Reading::Left => return Ok(Flow::Left),
            Reading::Stopped => return Ok(Flow::GoesOn),
            Reading::Done(tx) => tx,
        };
        let approved: Vec<&CallRow> = calls.iter().filter(|call| call.state == CallState::Approved).collect();
        if approved.is_empty() {
            let tx = match read {
                Some(tx) => tx,
                None => self.begin().await?,
            };
            return self.park_or_deliver(tx).await;
        }
        if let Some(tx) = read {
            self.commit_read(tx).await?;
        }
        for call in approved {
            // Asks the row.
            drop(self.begin().await?);
            if self.stop_wanted() {
                // What has not started never starts.
                return Ok(Flow::GoesOn);
            }
            self.may_go_on()?;
            self.execute(call).await?;
        }
        let tx = self.begin().await?;
        self.park_or_deliver(tx).await
    }

    /// Before anything else, a stop too: what has left shows what came of it.
    async fn finish_started(&mut self) -> Result<(), WorkerError> {
        if self.run.turn_step <= self.run.delivered_step {
            return Ok(());
        }
        let calls = {
            let mut tx = self.begin().await?;
            tx.calls_of_step(&self.run.id, self.run.turn_step).await?
        };
        for call in calls.iter().filter(|call| call.state == CallState::Started) {
            self.may_go_on()?;
            self.resume_started(call).await?;
        }
        Ok(())
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
        self.append(&mut tx, vec![event]).await?;
        tx.save_progress(&self.run, now).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Counts again, in the transaction that decisions take too, what is still open.
    pub async fn park_or_deliver(&mut self, mut tx: WriteTx) -> Result<Flow, WorkerError> {
        self.count_time();
        let now = self.services().clock.now();
        let calls = tx.calls_of_step(&self.run.id, self.run.turn_step).await?;
        let any = |state| calls.iter().any(|call| call.state == state);
        if any(CallState::Planned) || any(CallState::Ready) || any(CallState::Approved) {
            // Not read yet, or decided while this worker was busy.
            self.append(&mut tx, Vec::new()).await?;
            tx.save_progress(&self.run, now).await?;
            tx.commit().await?;
            self.calls = Some(calls);
            return Ok(Flow::GoesOn);
        }
        let reached = if self.stop_wanted() {
            // As this transaction sees it: a run that parked after a stop would wait for whoever stopped it.
            Some((RunStatus::Cancelled, CancelReason::Stopped))
        } else if self.repeats_itself() {
            Some((RunStatus::RepeatedCall, CancelReason::Limit))
        } else if self.run.tool_errors >= self.services().limits.tool_errors {
            Some((RunStatus::TooManyToolErrors, CancelReason::Limit))
        } else {
            None
        };
        if let Some((status, reason)) = reached {
            // What still waits for a person waits no longer: nobody would hear of the decision.
            let before = std::mem::take(&mut self.pending);
            end_run(&mut tx, &mut self.run, status, reason, before, now).await?;
            fault_point!(EndToStore);
            tx.commit().await?;
            fault_point!(EndStored);
            return Ok(Flow::Left);
        }
        self.run.pickups = 0;
        if any(CallState::Waiting) {
            let event = finished(&self.run, RunStatus::AwaitingApproval);
            self.append(&mut tx, vec![event]).await?;
            tx.leave_run(&self.run, RunStatus::AwaitingApproval, now).await?;
            fault_point!(ParkingToStore);
            tx.commit().await?;
            fault_point!(Parked);
            return Ok(Flow::Left);
        }
        let results = deliver_results(&mut tx, &mut self.run, calls).await?;
        self.tell_model(results);
        if !self.begin_step_if_next(&mut tx).await? {
            self.append(&mut tx, Vec::new()).await?;
            tx.save_progress(&self.run, now).await?;
        }
        fault_point!(ResultsToDeliver);
        tx.commit().await?;
        fault_point!(ResultsDelivered);
        Ok(Flow::GoesOn)
    }

    pub async fn end(&mut self, status: RunStatus, open_calls: CancelReason) -> Result<(), WorkerError> {
        self.count_time();
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        self.record_spending(&mut tx).await?;
        // Calls of a broken turn are on the screen, but nowhere else.
        let streaming = std::mem::take(&mut self.streaming).into_iter();
        let cancelled =
            |tool_call_id| AgentEvent::ToolOutputCancelled { tool_call_id, reason: open_calls, of: None };
        let before = std::mem::take(&mut self.pending).into_iter().chain(streaming.map(cancelled)).collect();
        end_run(&mut tx, &mut self.run, status, open_calls, before, now).await?;
        fault_point!(EndToStore);
        tx.commit().await?;
        fault_point!(EndStored);
        Ok(())
    }

    async fn fail(&mut self) {
        let run_id = self.run.id.clone();
        let ended: Result<(), WorkerError> = self.end(RunStatus::Failed, CancelReason::Interrupted).await;
        if let Err(error) = ended {
            tracing::error!(run.id = %run_id, "ending a failed run: {error}");
        }
    }

    /// Leaves the run for whoever takes it next. Where that does not work its lease ends by itself.
    async fn hand_back(&mut self) {
        self.count_time();
        let now = self.services().clock.now();
        let left: Result<(), db::Error> = async {
            let mut tx = self.services().store.begin().await?;
            tx.hand_back(&self.run, now).await?;
            fault_point!(HandBackToStore);
            tx.commit().await?;
            fault_point!(HandedBack);
            Ok(())
        }
        .await;
        if let Err(error) = left {
            tracing::warn!(run.id = %self.run.id, "leaving the run: {error}");
        }
    }

    /// Waits for something that may be given up: `None` where the guest stopped it, the time is up, or this
    /// worker may not go on (see [`Worker::may_go_on`]).
    pub async fn unless_stopped<F: Future>(&self, work: F) -> Option<F::Output> {
        let Signals { stop, lost, hand_back } = &self.signals;
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            () = lost.cancelled() => None,
            () = hand_back.cancelled() => None,
            () = tokio::time::sleep_until(self.deadline()) => None,
            output = work => Some(output),
        }
    }
}
