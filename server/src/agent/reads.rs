//! Tools that only read: those of one turn run at the same time.

use std::pin::Pin;

use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use shared::event::{AgentEvent, CancelReason};
use shared::ids::ToolCallId;
use shared::run::RunStatus;
use shared::tools::{Tool, ToolName};

use super::calls::{self, CallError};
use super::planning::{from_json, json};
use super::wording;
use super::worker::{Worker, WorkerError};
use crate::fault::fault_point;
use crate::store::{CallRow, CallState, EndedAs, WriteTx};
use crate::tools::contract::{ReadTool, ToolContext, ToolFailure};

type UnderWay = Pin<Box<dyn Future<Output = (CallRow, ReadOutcome)> + Send>>;

/// What became of the reads of a turn.
#[allow(clippy::large_enum_variant, reason = "it is taken apart where it is made, and kept nowhere")]
pub enum Reading {
    /// All of them have ended; the last one in a transaction that is still open.
    Done(Option<WriteTx>),
    /// The guest stopped them, or the worker may not go on.
    Stopped,
    /// The run has ended.
    Left,
}

pub struct ReadOutcome {
    input: Value,
    output: Result<Value, ReadError>,
}

enum ReadError {
    Failed(ToolFailure),
    TimedOut,
}

impl Worker {
    pub async fn run_reads(&mut self, calls: &[CallRow]) -> Result<Reading, WorkerError> {
        let mut readings: FuturesUnordered<UnderWay> = FuturesUnordered::new();
        for call in calls.iter().filter(|call| call.state == CallState::Ready) {
            let Some(name) = ToolName::parse(&call.name) else {
                self.fail_call(call, wording::switched_off(&call.name)).await?;
                continue;
            };
            let Some(input) = call.proposed_input.clone() else { continue };
            let cx = self.tool_context(&call.id);
            let call = call.clone();
            shared::with_tool!(
                name,
                read R => readings.push(Box::pin(async move { (call, read::<R>(cx, input).await) })),
                // A write is never `ready`: it asks, or is agreed to.
                write _W => drop((call, cx, input)),
            );
        }
        while !readings.is_empty() {
            match self.unless_stopped(readings.next()).await {
                Some(Some((call, outcome))) => {
                    let tx = self.record_read(&call, outcome).await?;
                    if readings.is_empty() {
                        return Ok(Reading::Done(Some(tx)));
                    }
                    fault_point!(ReadToStore);
                    self.commit_read(tx).await?;
                    fault_point!(ReadStored);
                }
                Some(None) => break,
                // The loop ends the run, and with it what is still being read.
                None if self.signals.stop.is_cancelled() => return Ok(Reading::Stopped),
                None => {
                    self.may_go_on()?;
                    self.end(RunStatus::TimeLimit, CancelReason::Limit).await?;
                    return Ok(Reading::Left);
                }
            }
        }
        Ok(Reading::Done(None))
    }

    /// A read that a person was asked about.
    pub async fn run_agreed_read<R: ReadTool>(&mut self, call: &CallRow) -> Result<(), WorkerError> {
        let Some(input) = self.approved_input(&call.id).await? else { return Err(WorkerError::LostRun) };
        let cx = self.tool_context(&call.id);
        // Stopped or out of time: the loop ends it.
        match self.unless_stopped(read::<R>(cx, input)).await {
            Some(outcome) => {
                let tx = self.record_read(call, outcome).await?;
                self.commit_read(tx).await
            }
            None => Ok(()),
        }
    }

    /// What the person agreed to: the input as it was shown, or as they made it.
    pub async fn approved_input(&self, call: &ToolCallId) -> Result<Option<Value>, WorkerError> {
        let mut tx = self.begin().await?;
        let standing = tx.approvals_of(call).await?.into_iter().next();
        Ok(standing.map(|approval| approval.edited_input.unwrap_or(approval.input)))
    }

    /// Writes what goes with a read, and commits it.
    pub async fn commit_read(&mut self, mut tx: WriteTx) -> Result<(), WorkerError> {
        self.append(&mut tx, Vec::new()).await?;
        tx.save_progress(&self.run, self.services().clock.now()).await?;
        Ok(tx.commit().await?)
    }

    /// Records what was read, in a transaction that is left open: its event waits for the commit, and so does the
    /// run's progress.
    async fn record_read(&mut self, call: &CallRow, outcome: ReadOutcome) -> Result<WriteTx, WorkerError> {
        let ReadOutcome { input, output } = outcome;
        let mut tx = self.begin().await?;
        let event = match output {
            Ok(output) => {
                let proposed = call.proposed_input.as_ref();
                let edits = proposed.and_then(|proposed| wording::edits(proposed, &input));
                tx.record_output(&call.id, &input, &output).await?;
                tx.end_call(&call.id, EndedAs::Output, &wording::output(&output, edits)).await?;
                AgentEvent::ToolOutputAvailable { tool_call_id: call.id.clone(), output }
            }
            Err(error) => {
                let error = self.read_error(call, error);
                calls::fail(&mut tx, &mut self.run, &call.id, error).await?
            }
        };
        self.pending.push(event);
        Ok(tx)
    }

    fn read_error(&self, call: &CallRow, error: ReadError) -> CallError {
        let Some(name) = ToolName::parse(&call.name) else { return wording::switched_off(&call.name) };
        shared::with_tool!(name, T => match error {
            ReadError::Failed(failure) => self.worded::<T>(&call.id, failure),
            ReadError::TimedOut => {
                tracing::error!(
                    run.id = %self.run.id,
                    tool_call.id = %call.id,
                    tool.name = T::NAME,
                    "the tool took longer than {:?}",
                    T::TIMEOUT
                );
                wording::timed_out::<T>()
            }
        })
    }
}

async fn read<R: ReadTool>(cx: ToolContext, input: Value) -> ReadOutcome {
    let run = async {
        let typed: R::Input = from_json(input.clone())?;
        let output = R::run(&cx, typed).await?;
        Ok(json(&output)?)
    };
    let output = match tokio::time::timeout(R::TIMEOUT, run).await {
        Ok(output) => output.map_err(ReadError::Failed),
        Err(_) => Err(ReadError::TimedOut),
    };
    ReadOutcome { input, output }
}
