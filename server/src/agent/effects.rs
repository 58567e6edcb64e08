//! The door through which every effect goes: its key is looked up, its preview must still hold, it is
//! claimed, done, and recorded. What is done in our own database is one transaction; what leaves for
//! somebody else is claimed in this one, and goes on in `leaving`.

use serde_json::Value;
use shared::event::AgentEvent;
use tokio::time::Instant;

use super::consequences::{self, EventsByConversation};
use super::planning::{Earlier, from_json, json};
use super::worker::{Worker, WorkerError};
use super::{calls, wording};
use crate::db;
use crate::fault::fault_point;
use crate::store::{
    CallRow, CallState, EffectRow, EffectStatus, EndedAs, ModelResult, NewEffect, WriteTx,
    key_with_generation,
};
use crate::tools::contract::{Doing, Done, DoneElsewhere, NewClaim, ToolFailure, WriteTool};

/// What the door found.
enum Passed<W: WriteTool> {
    Done(Done<W::Output>),
    /// It is claimed, and leaves when that is committed.
    Leaves(&'static dyn DoneElsewhere<W>),
    /// What the person agreed to no longer holds.
    AskAgain(W::Preview),
    Repeats {
        first: shared::ids::ToolCallId,
        result: ModelResult,
    },
    Conflicts(calls::CallError),
    /// Somebody else has claimed the key in this very moment.
    Raced,
}

/// How a call came through the door.
enum Through<W: WriteTool> {
    /// It ended, or it asks again.
    Settled,
    Leaves(&'static dyn DoneElsewhere<W>, Box<EffectRow>),
    Raced,
}

impl Worker {
    pub async fn run_write<W: WriteTool>(&mut self, call: &CallRow) -> Result<(), WorkerError> {
        loop {
            let begun = Instant::now();
            match self.through_the_door::<W>(call).await? {
                Through::Settled => return Ok(()),
                Through::Leaves(way, effect) => {
                    if begun.elapsed() >= self.services().limits.lease / 3 {
                        // It may have stood still in between: only the one who has the run sends.
                        drop(self.begin().await?);
                    }
                    return self.carry_out(call, way, *effect).await;
                }
                // What the other one has claimed is seen now.
                Through::Raced => {}
            }
        }
    }

    async fn through_the_door<W: WriteTool>(&mut self, call: &CallRow) -> Result<Through<W>, WorkerError> {
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        // Also what a person has agreed to before: looked at behind the wait for the database.
        if self.services().freeze.look().await.is_some() {
            drop(tx);
            return self.fail_call(call, wording::frozen(W::NAME)).await.map(|()| Through::Settled);
        }
        fault_point!(EffectToDo);
        let standing = tx.approvals_of(&call.id).await?.into_iter().next();
        let input = match (&standing, &call.proposed_input) {
            (Some(approval), _) => approval.edited_input.clone().unwrap_or_else(|| approval.input.clone()),
            (None, Some(proposed)) if !W::NEEDS_APPROVAL => proposed.clone(),
            (None, _) => return Err(WorkerError::LostRun),
        };
        let agreed_to = match standing {
            Some(approval) => {
                Some(Agreed { preview: approval.preview, edited: approval.edited_input.is_some() })
            }
            None => None,
        };

        let passed = tokio::time::timeout(W::TIMEOUT, self.pass::<W>(&mut tx, call, &input, agreed_to)).await;
        let mut elsewhere = EventsByConversation::new();
        let event = match passed {
            Ok(Ok(Passed::Done(Done { output, consequences }))) => {
                let output = json(&output)?;
                let (ids, here) = (self.services().ids.as_ref(), Some(&self.run.conversation));
                elsewhere = consequences::follow(&mut tx, consequences, ids, now, here).await?;
                let edits =
                    call.proposed_input.as_ref().and_then(|proposed| wording::edits(proposed, &input));
                tx.record_output(&call.id, &input, &output).await?;
                tx.end_call(&call.id, EndedAs::Output, &wording::output(&output, edits)).await?;
                AgentEvent::ToolOutputAvailable { tool_call_id: call.id.clone(), output }
            }
            Ok(Ok(Passed::Leaves(way))) => {
                let effect = tx.effect_of_call(&call.id).await?.ok_or(db::Error::RowNotFound)?;
                tx.start_call(&call.id, &effect.request).await?;
                tx.save_progress(&self.run, now).await?;
                fault_point!(ClaimToStore);
                tx.commit().await?;
                fault_point!(ClaimStored);
                return Ok(Through::Leaves(way, Box::new(effect)));
            }
            Ok(Ok(Passed::AskAgain(preview))) => {
                tx.set_call_state(&call.id, CallState::Waiting).await?;
                self.ask(&mut tx, call, W::NAME, input, json(&preview)?).await?
            }
            Ok(Ok(Passed::Repeats { first, result })) => {
                calls::repeat(&mut tx, &call.id, &first, result).await?
            }
            Ok(Ok(Passed::Conflicts(error))) => calls::fail(&mut tx, &mut self.run, &call.id, error).await?,
            Ok(Ok(Passed::Raced)) => return Ok(Through::Raced),
            Ok(Err(failure)) => {
                // Nothing that it may have written stays.
                drop(tx);
                let error = self.worded::<W>(&call.id, failure);
                return self.fail_call(call, error).await.map(|()| Through::Settled);
            }
            Err(_) => {
                drop(tx);
                return self.fail_call(call, wording::timed_out::<W>()).await.map(|()| Through::Settled);
            }
        };
        elsewhere.entry(self.run.conversation.clone()).or_default().push(event);
        consequences::append(&mut tx, &elsewhere, now).await?;
        tx.save_progress(&self.run, now).await?;
        fault_point!(EffectToStore);
        tx.commit().await?;
        fault_point!(EffectStored);
        Ok(Through::Settled)
    }

    async fn pass<W: WriteTool>(
        &self,
        tx: &mut WriteTx,
        call: &CallRow,
        input: &Value,
        agreed_to: Option<Agreed>,
    ) -> Result<Passed<W>, ToolFailure> {
        let cx = self.tool_context(&call.id);
        let typed: W::Input = from_json(input.clone())?;
        W::lock(tx.connection(), &cx, &typed).await?;
        let revision = W::revision(tx.connection(), &cx, &typed).await?;
        let key = W::business_key(&typed, &self.run.user, revision);
        if let Some(key) = &key {
            match self.live::<W>(tx, key, &typed).await? {
                Earlier::Same { call: first, result } => return Ok(Passed::Repeats { first, result }),
                Earlier::Other(error) => return Ok(Passed::Conflicts(error)),
                Earlier::None => {}
            }
            // An edit may have made another thing of it.
            tx.set_business_key(&call.id, Some(key)).await?;
        }
        let preview = W::preview(tx.connection(), &cx, &typed).await?;
        if let Some(agreed) = agreed_to {
            let approved: W::Preview = from_json(agreed.preview)?;
            if !W::preview_holds(&approved, &preview, agreed.edited) {
                return Ok(Passed::AskAgain(preview));
            }
        }
        let ids = &self.services().ids;
        let (effect_id, new_id) = (ids.next(), ids.next());
        let claimed = |key| NewEffect {
            id: &effect_id,
            tool: W::NAME,
            business_key: key,
            tool_call: &call.id,
            request: input,
            output: None,
        };
        match (W::doing(), &key) {
            (Doing::Here(way), key) => {
                let done = way.run(tx.connection(), &cx, &typed, new_id).await?;
                fault_point!(EffectDone);
                if let Some(key) = key {
                    let output = json(&done.output)?;
                    let effect = NewEffect { output: Some(&output), ..claimed(key) };
                    match tx.insert_effect(&effect, cx.now).await {
                        Err(error) if error.is_unique_violation() => return Ok(Passed::Raced),
                        inserted => inserted?,
                    };
                }
                Ok(Passed::Done(done))
            }
            (Doing::Elsewhere(way), Some(key)) => {
                let generation = match tx.insert_effect(&claimed(key), cx.now).await {
                    Err(error) if error.is_unique_violation() => return Ok(Passed::Raced),
                    inserted => inserted?,
                };
                let receivers = &self.services().receivers;
                let new = NewClaim { new_id, key: &key_with_generation(key, generation), receivers };
                let resolved = way.claim(tx.connection(), &cx, &typed, new).await?;
                tx.set_effect_request(&effect_id, &json(&resolved)?).await?;
                Ok(Passed::Leaves(way))
            }
            (Doing::Elsewhere(_), None) => {
                let error = db::Error::Protocol(format!("{} leaves without a key", W::NAME));
                Err(ToolFailure::Failed(Box::new(error)))
            }
        }
    }

    /// The live effect of a key, seen from a new request.
    pub async fn live<W: WriteTool>(
        &self,
        tx: &mut WriteTx,
        key: &str,
        input: &W::Input,
    ) -> Result<Earlier, db::Error> {
        let effect = tx.live_effect(W::NAME, key).await?;
        // Somebody else's thing does not exist: the domain says so.
        let Some(effect) = effect.filter(|effect| effect.user == self.run.user) else {
            return Ok(Earlier::None);
        };
        let request: W::Input = from_json(effect.request)?;
        if !W::same_request(&request, input) {
            let output: Option<W::Output> = effect.output.map(from_json).transpose()?;
            return Ok(Earlier::Other(wording::conflicts(W::conflict(&request, output.as_ref()))));
        }
        let first = effect.output.map(|output| wording::output(&output, None));
        let ended_as = match effect.status {
            EffectStatus::Claimed | EffectStatus::Unknown => EndedAs::Unknown,
            EffectStatus::Done | EffectStatus::Failed | EffectStatus::Released => EndedAs::Output,
        };
        let result = wording::repeated(first.as_ref(), Some(ended_as));
        Ok(Earlier::Same { call: effect.tool_call, result })
    }
}

/// What the person was shown, and whether they changed the arguments.
struct Agreed {
    preview: Value,
    edited: bool,
}
