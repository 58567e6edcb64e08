//! What becomes of a proposed call: refused, a repetition, ready to run, or a question to a person.

use serde_json::Value;
use shared::event::AgentEvent;
use shared::event::CancelReason;
use shared::ids::{ApprovalId, ToolCallId};
use shared::tools::{NoPreview, Tool, ToolEffect, ToolName};

use super::worker::{Worker, WorkerError};
use super::{calls, wording};
use crate::db;
use crate::store::{ApprovalRow, ApprovalStatus, CallRow, CallState, EndedAs, WriteTx};
use crate::tools::arguments::Arguments;
use crate::tools::contract::{ReadTool, ToolContext, ToolFailure, WriteTool};

/// Whether the tool of that name has effects.
pub fn writes(name: &str) -> bool {
    ToolName::parse(name).is_some_and(|name| name.effect() == ToolEffect::Write)
}

impl Worker {
    /// What becomes of the turn's calls that nobody has looked at yet, in the caller's transaction.
    /// `is_frozen`: whether effects are refused at the moment.
    pub async fn plan(
        &mut self,
        tx: &mut WriteTx,
        calls: &[CallRow],
        is_frozen: bool,
    ) -> Result<(), WorkerError> {
        for call in calls.iter().filter(|call| call.state == CallState::Planned) {
            let events = self.plan_call(tx, call, is_frozen).await?;
            self.append(tx, events).await?;
        }
        Ok(())
    }

    /// Whether effects are refused at the moment; not looked at where no call has any. Before the transaction: a
    /// file may be slow.
    pub async fn is_frozen(&self, any_write: bool) -> bool {
        any_write && self.services().freeze.look().await.is_some()
    }

    async fn plan_call(
        &mut self,
        tx: &mut WriteTx,
        call: &CallRow,
        is_frozen: bool,
    ) -> Result<Vec<AgentEvent>, WorkerError> {
        // With the repetition the turn is over: nothing that comes after it is looked at.
        if !self.repeats_itself() {
            self.count_repetition(call);
        }
        if self.repeats_itself() {
            return Ok(vec![calls::cancel(tx, &call.id, CancelReason::Limit).await?]);
        }
        let Some(name) = ToolName::parse(&call.name) else {
            return self.refuse(tx, call, wording::unknown_tool(&call.name)).await;
        };
        shared::with_tool!(
            name,
            read R => self.plan_read::<R>(tx, call).await,
            write W => self.plan_write::<W>(tx, call, is_frozen).await,
        )
    }

    /// Whether the same call came as many times running as is allowed.
    pub fn repeats_itself(&self) -> bool {
        self.run.last_call_count >= self.services().limits.repeats
    }

    async fn refuse(
        &mut self,
        tx: &mut WriteTx,
        call: &CallRow,
        error: calls::CallError,
    ) -> Result<Vec<AgentEvent>, WorkerError> {
        Ok(vec![calls::fail(tx, &mut self.run, &call.id, error).await?])
    }

    fn count_repetition(&mut self, call: &CallRow) {
        // The same arguments in another order or with other blanks are the same.
        let arguments = match serde_json::from_str::<Value>(&call.arguments) {
            Ok(value) => value.to_string(),
            Err(_) => call.arguments.trim().to_owned(),
        };
        let fingerprint = format!("{} {arguments}", call.name);
        if self.run.last_call == fingerprint {
            self.run.last_call_count += 1;
        } else {
            self.run.last_call = fingerprint;
            self.run.last_call_count = 1;
        }
    }

    async fn plan_read<R: ReadTool>(
        &mut self,
        tx: &mut WriteTx,
        call: &CallRow,
    ) -> Result<Vec<AgentEvent>, WorkerError> {
        let input = match Arguments::get().parse::<R>(&call.arguments) {
            Ok(input) => input,
            Err(invalid) => {
                return self.refuse(tx, call, wording::invalid_arguments(R::NAME, &invalid)).await;
            }
        };
        let input = json(&input)?;
        let asks =
            R::NEEDS_APPROVAL || self.services().ask_also.iter().any(|asked| asked.as_str() == R::NAME);
        let mut events =
            vec![AgentEvent::ToolInputAvailable { tool_call_id: call.id.clone(), input: input.clone() }];
        let state = if asks {
            events.push(self.ask(tx, call, R::NAME, input.clone(), json(&NoPreview {})?).await?);
            CallState::Waiting
        } else {
            CallState::Ready
        };
        tx.set_call_planned(&call.id, &input, None, state).await?;
        Ok(events)
    }

    async fn plan_write<W: WriteTool>(
        &mut self,
        tx: &mut WriteTx,
        call: &CallRow,
        is_frozen: bool,
    ) -> Result<Vec<AgentEvent>, WorkerError> {
        // Nothing is asked that could not be done, nor are arguments to be mended for it.
        let typed = match Arguments::get().parse::<W>(&call.arguments) {
            Ok(input) => input,
            Err(_) if is_frozen => return self.refuse(tx, call, wording::frozen(W::NAME)).await,
            Err(invalid) => {
                return self.refuse(tx, call, wording::invalid_arguments(W::NAME, &invalid)).await;
            }
        };
        let input = json(&typed)?;
        let cx = self.tool_context(&call.id);
        let revision = W::revision(tx.connection(), &cx, &typed).await?;
        let key = W::business_key(&typed, &self.run.user, revision);
        let mut events =
            vec![AgentEvent::ToolInputAvailable { tool_call_id: call.id.clone(), input: input.clone() }];

        // The key is looked up before the domain is asked: a repetition is a repetition also when the
        // restaurant has closed meanwhile.
        let earlier = match &key {
            Some(key) => self.earlier::<W>(tx, key, &typed).await?,
            None => Earlier::None,
        };
        let state = match earlier {
            Earlier::Same { call: first, result } => {
                events.push(calls::repeat(tx, &call.id, &first, result).await?);
                CallState::Ended
            }
            Earlier::Other(error) => {
                events.push(calls::fail(tx, &mut self.run, &call.id, error).await?);
                CallState::Ended
            }
            Earlier::None if is_frozen => {
                let error = wording::frozen(W::NAME);
                events.push(calls::fail(tx, &mut self.run, &call.id, error).await?);
                CallState::Ended
            }
            Earlier::None => match self.look_at::<W>(tx, &cx, &typed).await? {
                Ok(preview) if W::NEEDS_APPROVAL => {
                    events.push(self.ask(tx, call, W::NAME, input.clone(), json(&preview)?).await?);
                    CallState::Waiting
                }
                Ok(_) => CallState::Approved,
                Err(failure) => {
                    let error = self.worded::<W>(&call.id, failure).before_running();
                    events.push(calls::fail(tx, &mut self.run, &call.id, error).await?);
                    CallState::Ended
                }
            },
        };
        tx.set_call_planned(&call.id, &input, key.as_deref(), state).await?;
        Ok(events)
    }

    /// The preview; where a statement of it fails the transaction goes on.
    async fn look_at<W: WriteTool>(
        &self,
        tx: &mut WriteTx,
        cx: &ToolContext,
        input: &W::Input,
    ) -> Result<Result<W::Preview, ToolFailure>, WorkerError> {
        tx.savepoint().await?;
        let preview = W::preview(tx.connection(), cx, input).await;
        match &preview {
            Ok(_) => tx.release_savepoint().await?,
            Err(_) => tx.back_to_savepoint().await?,
        }
        Ok(preview)
    }

    /// What an earlier call has made of a business key: a live effect, or a question for this user
    /// message that waits or was declined.
    pub async fn earlier<W: WriteTool>(
        &self,
        tx: &mut WriteTx,
        key: &str,
        input: &W::Input,
    ) -> Result<Earlier, WorkerError> {
        match self.live::<W>(tx, key, input).await? {
            Earlier::None => {}
            found @ (Earlier::Same { .. } | Earlier::Other(_)) => return Ok(found),
        }
        for earlier in tx.calls_with_key(&self.run.conversation, key).await? {
            let Some(proposed) = earlier.proposed_input.clone() else { continue };
            let same = W::same_request(&from_json(proposed)?, input);
            match (earlier.state, earlier.ended_as) {
                (CallState::Waiting | CallState::Approved | CallState::Started, _) if !same => {
                    return Ok(Earlier::Other(wording::conflicts_with_earlier()));
                }
                (CallState::Waiting | CallState::Approved | CallState::Started, _)
                | (CallState::Ended, Some(EndedAs::Denied))
                    if same =>
                {
                    let result = wording::repeated(earlier.result.as_ref(), earlier.ended_as);
                    return Ok(Earlier::Same { call: earlier.id, result });
                }
                // Ended without an effect, or declined and now something else: it may be asked.
                (
                    CallState::Planned
                    | CallState::Ready
                    | CallState::Waiting
                    | CallState::Approved
                    | CallState::Started
                    | CallState::Ended,
                    _,
                ) => {}
            }
        }
        Ok(Earlier::None)
    }

    /// Puts a question to the person.
    pub async fn ask(
        &self,
        tx: &mut WriteTx,
        call: &CallRow,
        tool: &str,
        input: Value,
        preview: Value,
    ) -> Result<AgentEvent, WorkerError> {
        let services = self.services();
        let now = services.clock.now();
        let approval = ApprovalRow {
            id: ApprovalId(services.ids.next()),
            tool_call: call.id.clone(),
            conversation: self.run.conversation.clone(),
            run: self.run.id.clone(),
            user: self.run.user.clone(),
            tool: tool.to_owned(),
            input,
            preview: preview.clone(),
            status: ApprovalStatus::Pending,
            edited_input: None,
            expires_at: now + services.limits.approval,
        };
        tx.insert_approval(&approval, now).await?;
        Ok(AgentEvent::ToolApprovalRequested {
            tool_call_id: call.id.clone(),
            approval_id: approval.id,
            expires_at: approval.expires_at,
            preview,
        })
    }

    pub fn tool_context(&self, call: &ToolCallId) -> ToolContext {
        let services = self.services();
        ToolContext {
            user: self.run.user.clone(),
            tool_call_id: call.clone(),
            now: services.clock.now(),
            read: services.store.reader().clone(),
            weather: services.weather.clone(),
        }
    }

    /// A failure in words; the log gets all of it.
    pub fn worded<T: Tool>(&self, call: &ToolCallId, failure: ToolFailure) -> calls::CallError {
        match failure {
            ToolFailure::Refused(refused) => wording::refused(refused),
            ToolFailure::Failed(error) => {
                tracing::error!(
                    run.id = %self.run.id,
                    tool_call.id = %call,
                    tool.name = T::NAME,
                    error = format!("{error:?}"),
                    "tool failed: {error}"
                );
                wording::failed::<T>()
            }
            ToolFailure::TimedOut(error) => {
                tracing::error!(
                    run.id = %self.run.id,
                    tool_call.id = %call,
                    tool.name = T::NAME,
                    error = format!("{error:?}"),
                    "tool took too long: {error}"
                );
                wording::timed_out::<T>()
            }
        }
    }
}

pub enum Earlier {
    None,
    /// The same request: its outcome stands.
    Same {
        call: ToolCallId,
        result: crate::store::ModelResult,
    },
    /// The same key, another request: why it cannot be.
    Other(calls::CallError),
}

/// Our own types always serialise; a failure is one of the database's encoding.
pub fn json<T: serde::Serialize>(value: &T) -> Result<Value, db::Error> {
    serde_json::to_value(value).map_err(|error| db::Error::Encode(error.into()))
}

/// What was stored by this version or an earlier one.
pub fn from_json<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, db::Error> {
    serde_json::from_value(value).map_err(|error| db::Error::Decode(error.into()))
}
