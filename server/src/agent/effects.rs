//! The door through which every effect goes: claim, do and record, here in one transaction.

use serde_json::Value;
use shared::event::AgentEvent;

use super::consequences::{self, EventsByConversation};
use super::planning::{Earlier, from_json, json};
use super::worker::{Worker, WorkerError};
use super::{calls, wording};
use crate::db;
use crate::fault::fault_point;
use crate::store::{CallRow, CallState, DoneEffect, EndedAs, ModelResult, WriteTx};
use crate::tools::contract::{Done, ToolFailure, WriteTool};

/// What the door found.
enum Passed<W: WriteTool> {
    Done(Done<W::Output>),
    /// What the person agreed to no longer holds.
    AskAgain(W::Preview),
    Repeats {
        first: shared::ids::ToolCallId,
        result: ModelResult,
    },
    Conflicts,
}

impl Worker {
    pub async fn run_write<W: WriteTool>(&mut self, call: &CallRow) -> Result<(), WorkerError> {
        let now = self.services().clock.now();
        let mut tx = self.begin().await?;
        // Also what a person has agreed to before: looked at behind the wait for the database.
        if self.services().freeze.look().await.is_some() {
            drop(tx);
            return self.fail_call(call, wording::frozen(W::NAME)).await;
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
            Ok(Ok(Passed::AskAgain(preview))) => {
                tx.set_call_state(&call.id, CallState::Waiting).await?;
                self.ask(&mut tx, call, W::NAME, input, json(&preview)?).await?
            }
            Ok(Ok(Passed::Repeats { first, result })) => {
                calls::repeat(&mut tx, &call.id, &first, result).await?
            }
            Ok(Ok(Passed::Conflicts)) => {
                calls::fail(&mut tx, &mut self.run, &call.id, wording::conflicts_with_earlier()).await?
            }
            Ok(Err(failure)) => {
                // Nothing that it may have written stays.
                drop(tx);
                let error = self.worded::<W>(&call.id, failure);
                return self.fail_call(call, error).await;
            }
            Err(_) => {
                drop(tx);
                return self.fail_call(call, wording::timed_out::<W>()).await;
            }
        };
        elsewhere.entry(self.run.conversation.clone()).or_default().push(event);
        consequences::append(&mut tx, &elsewhere, now).await?;
        tx.save_progress(&self.run, now).await?;
        fault_point!(EffectToStore);
        tx.commit().await?;
        fault_point!(EffectStored);
        Ok(())
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
                Earlier::Other => return Ok(Passed::Conflicts),
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
        let done = W::run(tx.connection(), &cx, &typed, ids.next()).await?;
        fault_point!(EffectDone);
        if let Some(key) = &key {
            let effect = DoneEffect {
                id: &ids.next(),
                tool: W::NAME,
                business_key: key,
                tool_call: &call.id,
                request: input,
                output: &json(&done.output)?,
            };
            tx.insert_done_effect(&effect, cx.now).await?;
        }
        Ok(Passed::Done(done))
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
            return Ok(Earlier::Other);
        }
        let first = effect.output.map(|output| wording::output(&output, None));
        let result = wording::repeated(first.as_ref(), Some(EndedAs::Output));
        Ok(Earlier::Same { call: effect.tool_call, result })
    }
}

/// What the person was shown, and whether they changed the arguments.
struct Agreed {
    preview: Value,
    edited: bool,
}
