//! A person's decision: taken once, checked again, and the run goes on.

use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::api::{Decision, DecisionRequest, FieldError};
use shared::event::{AgentEvent, CancelReason};
use shared::ids::{ConversationId, RunId, ToolCallId, UserId};
use shared::run::{RunPhase, RunStatus};
use shared::tools::{Tool, ToolEffect, ToolName};

use super::ending::end_run;
use super::planning::{from_json, json};
use super::{Agent, calls, wording};
use crate::db;
use crate::fault::fault_point;
use crate::store::{ApprovalRow, ApprovalStatus, CallRow, CallState, EndedAs, RunRow, WriteTx};
use crate::tools::arguments::Arguments;
use crate::tools::contract::{Refused, ToolContext, ToolFailure, WriteTool};

#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// No such call of this guest, or it never asked.
    #[error("no such question")]
    NotFound,
    /// Decided, expired, superseded or stopped before: this decision stands.
    #[error("decided already")]
    Standing(Decision),
    /// It was asked again meanwhile; the answer was to an earlier question.
    #[error("asked again meanwhile")]
    AskedAgain,
    /// The edit does not fit; the call still waits.
    #[error("the edited input is not usable")]
    InvalidEdit(Vec<FieldError>),
    /// The tool is switched off or gone; nothing runs.
    #[error("the tool is not available")]
    ToolUnavailable,
    /// Effects are refused at the moment; the call still waits.
    #[error("effects are frozen")]
    Frozen,
    #[error(transparent)]
    Store(#[from] db::Error),
}

impl Agent {
    pub async fn decide(
        &self,
        user: &UserId,
        conversation: &ConversationId,
        call_id: &ToolCallId,
        request: DecisionRequest,
    ) -> Result<Decision, DecideError> {
        self.expire_due().await?;
        let services = &self.services;
        let mut tx = services.store.begin().await?;
        let of = tx.call(conversation, call_id).await?.ok_or(DecideError::NotFound)?.run;
        let mut run = tx.lock_run(&of).await?;
        // Read when it is this decision's turn: the wait for it counts against the question's time.
        let now = services.clock.now();
        let call = tx.call(conversation, call_id).await?.ok_or(DecideError::NotFound)?;
        let approvals = tx.approvals_of(call_id).await?;
        let asked_before = approvals.len() > 1;
        let standing = approvals.into_iter().next().filter(|approval| approval.user == *user);
        let standing = standing.ok_or(DecideError::NotFound)?;
        match &request.approval_id {
            Some(id) if *id != standing.id => return Err(DecideError::AskedAgain),
            None if asked_before => return Err(DecideError::AskedAgain),
            Some(_) | None => {}
        }
        match standing.status {
            ApprovalStatus::Decided(decision) => return Err(DecideError::Standing(decision)),
            ApprovalStatus::Pending if standing.expires_at <= now => {
                drop(tx);
                self.expire_due().await?;
                return Err(DecideError::Standing(Decision::Expired));
            }
            ApprovalStatus::Pending => {}
        }

        let Some(name) = ToolName::parse(&call.name) else {
            tx.decide(&standing.id, Decision::Stopped, None, now).await?;
            let event = calls::fail(&mut tx, &mut run, call_id, wording::switched_off(&call.name)).await?;
            tx.append(conversation, now, &[event]).await?;
            tx.save_progress(&run, now).await?;
            self.resume(tx, &run, now).await?;
            return Err(DecideError::ToolUnavailable);
        };

        if request.approved && name.effect() == ToolEffect::Write && services.freeze.look().await.is_some() {
            return Err(DecideError::Frozen);
        }
        let decision = if request.approved {
            let edited = match request.edited_input {
                Some(edited) => {
                    let cx = self.context(user, call_id, now);
                    shared::with_tool!(
                        name,
                        read R => self.checked::<R>(&edited)?,
                        write W => self.checked_in_domain::<W>(&mut tx, &cx, &edited).await?,
                    )
                    // What was not changed is not an edit.
                    .filter(|edited| *edited != standing.input)
                }
                None => None,
            };
            self.approve(&mut tx, &call, &standing, edited, now).await?
        } else {
            self.decline(&mut tx, &call, &standing, now).await?
        };
        self.resume(tx, &run, now).await?;
        Ok(decision)
    }

    async fn approve(
        &self,
        tx: &mut WriteTx,
        call: &CallRow,
        standing: &ApprovalRow,
        edited: Option<Value>,
        now: DateTime<Utc>,
    ) -> Result<Decision, DecideError> {
        if !tx.decide(&standing.id, Decision::Approved, edited.as_ref(), now).await? {
            return Err(DecideError::NotFound);
        }
        tx.set_call_state(&call.id, CallState::Approved).await?;
        let event = AgentEvent::ToolApprovalResponded {
            tool_call_id: call.id.clone(),
            approved: true,
            input: edited,
        };
        tx.append(&standing.conversation, now, &[event]).await?;
        Ok(Decision::Approved)
    }

    async fn decline(
        &self,
        tx: &mut WriteTx,
        call: &CallRow,
        standing: &ApprovalRow,
        now: DateTime<Utc>,
    ) -> Result<Decision, DecideError> {
        if !tx.decide(&standing.id, Decision::Declined, None, now).await? {
            return Err(DecideError::NotFound);
        }
        tx.end_call(&call.id, EndedAs::Denied, &wording::denied()).await?;
        let events = [
            AgentEvent::ToolApprovalResponded { tool_call_id: call.id.clone(), approved: false, input: None },
            AgentEvent::ToolOutputDenied { tool_call_id: call.id.clone() },
        ];
        tx.append(&standing.conversation, now, &events).await?;
        Ok(Decision::Declined)
    }

    /// Commits; where the decision leaves a parked run something to do, it is queued with it.
    async fn resume(&self, mut tx: WriteTx, run: &RunRow, now: DateTime<Utc>) -> Result<(), db::Error> {
        let queued = match run.status.phase() {
            RunPhase::Parked => {
                let calls = tx.calls_of_step(&run.id, run.turn_step).await?;
                let waits = calls.iter().any(|call| call.state == CallState::Waiting);
                let agreed = calls.iter().any(|call| call.state == CallState::Approved);
                agreed || !waits
            }
            // Its worker counts again before it parks.
            RunPhase::Live | RunPhase::Ended => false,
        };
        if queued {
            tx.set_run_status(&run.id, RunStatus::Queued, now).await?;
        }
        fault_point!(DecisionToStore);
        tx.commit().await?;
        fault_point!(DecisionStored);
        if queued {
            self.wake(run.id.clone());
        }
        Ok(())
    }

    fn context(&self, user: &UserId, call: &ToolCallId, now: DateTime<Utc>) -> ToolContext {
        ToolContext {
            user: user.clone(),
            tool_call_id: call.clone(),
            now,
            read: self.services.store.reader().clone(),
            weather: self.services.weather.clone(),
        }
    }

    fn checked<T: Tool>(&self, edited: &Value) -> Result<Option<Value>, DecideError> {
        let input = Arguments::get().parse_value::<T>(edited);
        let input = input.map_err(|invalid| DecideError::InvalidEdit(invalid.errors))?;
        Ok(Some(json(&input)?))
    }

    async fn checked_in_domain<W: WriteTool>(
        &self,
        tx: &mut WriteTx,
        cx: &ToolContext,
        edited: &Value,
    ) -> Result<Option<Value>, DecideError> {
        let input = Arguments::get().parse_value::<W>(edited);
        let input = input.map_err(|invalid| DecideError::InvalidEdit(invalid.errors))?;
        let revision = W::revision(tx.connection(), cx, &input).await?;
        if let Some(key) = W::business_key(&input, &cx.user, revision)
            && let Some(effect) = tx.live_effect(W::NAME, &key).await?
            && effect.user == cx.user
        {
            let output: Option<W::Output> = effect.output.map(from_json).transpose()?;
            let refused = W::conflict(&from_json(effect.request)?, output.as_ref());
            return Err(DecideError::InvalidEdit(vec![field_error(refused)]));
        }
        match W::preview(tx.connection(), cx, &input).await {
            Ok(_) => Ok(Some(json(&input)?)),
            Err(ToolFailure::Refused(refused)) => Err(DecideError::InvalidEdit(vec![field_error(refused)])),
            Err(ToolFailure::Failed(error) | ToolFailure::TimedOut(error)) => {
                Err(DecideError::Store(db::Error::Protocol(error.to_string())))
            }
        }
    }

    /// Lets questions whose time is up expire. Runs before every read and decision, and now and then.
    pub async fn expire_due(&self) -> Result<(), db::Error> {
        let services = &self.services;
        loop {
            let now = services.clock.now();
            let mut any = false;
            for run in services.store.runs_with_expired(now).await? {
                match self.expire_of(&run, now).await {
                    Ok(()) => any = true,
                    // A row that cannot be read keeps nobody else from theirs.
                    Err(error @ db::Error::Decode(_)) => {
                        tracing::error!(run.id = %run, "letting questions expire: {error}");
                    }
                    Err(error) => return Err(error),
                }
            }
            if !any {
                return Ok(());
            }
        }
    }

    /// Lets the questions of one run expire.
    async fn expire_of(&self, run: &RunId, now: DateTime<Utc>) -> Result<(), db::Error> {
        let mut tx = self.services.store.begin().await?;
        let mut run = tx.lock_run(run).await?;
        let expired = tx.expired_approvals(&run.id, now).await?;
        if expired.is_empty() {
            // Somebody else was faster.
            return Ok(());
        }
        for approval in expired {
            tx.decide(&approval.id, Decision::Expired, None, now).await?;
            let event = calls::cancel(&mut tx, &approval.tool_call, CancelReason::Expired).await?;
            tx.append(&approval.conversation, now, &[event]).await?;
        }
        let mut queued = false;
        if run.status.phase() == RunPhase::Parked {
            let calls = tx.calls_of_step(&run.id, run.turn_step).await?;
            if calls.iter().all(|call| call.state == CallState::Ended) {
                queued = tx.guest_decided_any(&run.id, run.turn_step).await?;
                if queued {
                    tx.set_run_status(&run.id, RunStatus::Queued, now).await?;
                } else {
                    // Nobody is there: no further model call.
                    let (status, reason) = (RunStatus::Cancelled, CancelReason::Expired);
                    end_run(&mut tx, &mut run, status, reason, Vec::new(), now).await?;
                }
            }
        }
        fault_point!(ExpiryToStore);
        tx.commit().await?;
        fault_point!(ExpiryStored);
        if queued {
            self.wake(run.id);
        }
        Ok(())
    }
}

fn field_error(refused: Refused) -> FieldError {
    FieldError {
        path: refused.path.to_owned(),
        code: refused.code,
        params: (!refused.params.is_empty()).then_some(refused.params),
        message: refused.message,
    }
}
