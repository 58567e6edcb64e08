//! Effects that leave for somebody else: asked for when their claim is committed, outside of any
//! transaction, and recorded when it is known what came of them.
//!
//! **Invariants:** what may have been done is never sent a second time by the process that sent it;
//! another one sends it again only when the other side has said that it is not there, and then under the
//! same key. What nobody knows is told as unknown, and looked into by `settling`.

use std::time::{Duration, Instant};

use shared::event::AgentEvent;
use shared::tools::ToolName;

use super::planning::{from_json, json};
use super::worker::{Worker, WorkerError};
use super::{calls, wording};
use crate::db;
use crate::fault::fault_point;
use crate::store::{CallRow, EffectRow, EffectStatus, EndedAs, NextLook, WriteTx};
use crate::tools::contract::{
    Answer, Came, Claim, Doing, DoneElsewhere, LookUp, NoEffect, Outside, ReadTool, Refused, Standing,
    WriteTool,
};

/// How long one look may take.
pub const LOOK_TIMEOUT: Duration = Duration::from_secs(5);

/// The pauses before each look after a lost answer, in tenths of the first interval between looks.
const PAUSES: [u32; 3] = [1, 3, 9];

/// The run waits meanwhile, and a guest for it.
const LONGEST_INTERVAL: Duration = Duration::from_secs(2);

/// What is known of an effect that left.
enum Outcome<O> {
    Answered(Answer<O>),
    NotDone { refused: Refused, log: String },
    Unknown,
}

impl Worker {
    /// Sends a claimed effect, once, and records what comes of it.
    pub async fn carry_out<W: WriteTool>(
        &mut self,
        call: &CallRow,
        way: &dyn DoneElsewhere<W>,
        effect: EffectRow,
    ) -> Result<(), WorkerError> {
        let claim = claim_of::<W>(&effect)?;
        let outside = self.services().outside();
        let outcome = match send(way, &outside, &claim, self.latest()).await {
            Ok(answer) => Outcome::Answered(answer),
            Err(NoEffect::NotDone { refused, log }) => Outcome::NotDone { refused, log },
            Err(NoEffect::NoAnswer(why)) => {
                tracing::warn!(run.id = %self.run.id, effect.key = claim.key, "no answer: {why}");
                match self.look_a_few_times(way, &outside, &claim).await {
                    LookUp::Found(answer) => Outcome::Answered(answer),
                    // It may still be on its way.
                    LookUp::NotThere | LookUp::NoAnswer(_) => Outcome::Unknown,
                }
            }
        };
        self.record_outcome(call, way, &effect, &claim, outcome).await
    }

    /// Goes on with a call whose effect another worker, or this process before its end, has sent or was
    /// about to send.
    pub async fn resume_started(&mut self, call: &CallRow) -> Result<(), WorkerError> {
        let effect = {
            let mut tx = self.begin().await?;
            tx.effect_of_call(&call.id).await?.filter(|effect| effect.status == EffectStatus::Claimed)
        };
        let tool = ToolName::parse(&call.name);
        match (effect, tool) {
            (Some(effect), Some(name)) => shared::with_tool!(
                name,
                read R => Err(no_effect::<R>().into()),
                write W => self.resume::<W>(call, effect).await,
            ),
            // The tool is gone, or its claim: it is left to whoever looks into it.
            (None, _) | (_, None) => {
                let now = self.services().clock.now();
                let mut tx = self.begin().await?;
                let event = leave_unknown(&mut tx, call, Duration::ZERO).await?;
                tx.append(&self.run.conversation, now, &[event]).await?;
                tx.commit().await?;
                Ok(())
            }
        }
    }

    async fn resume<W: WriteTool>(&mut self, call: &CallRow, effect: EffectRow) -> Result<(), WorkerError> {
        let Doing::Elsewhere(way) = W::doing() else {
            return Err(db::Error::Protocol(format!("{} does not leave", W::NAME)).into());
        };
        let claim = claim_of::<W>(&effect)?;
        let outside = self.services().outside();
        let outcome = match self.look_a_few_times(way, &outside, &claim).await {
            LookUp::Found(answer) => Outcome::Answered(answer),
            LookUp::NoAnswer(_) => Outcome::Unknown,
            // While effects are frozen none is sent; whether an earlier one still arrives is seen later.
            LookUp::NotThere if self.services().freeze.look().await.is_some() => Outcome::Unknown,
            LookUp::NotThere => {
                let mut tx = self.begin().await?;
                tx.note_asked(&effect.id).await?;
                fault_point!(SecondSendToStore);
                tx.commit().await?;
                fault_point!(SecondSendStored);
                self.send_again(way, &outside, &claim).await
            }
        };
        self.record_outcome(call, way, &effect, &claim, outcome).await
    }

    /// Until when this worker may send without looking once more whether the run is its own.
    fn latest(&self) -> Instant {
        Instant::now() + self.services().limits.lease / 3
    }

    async fn send_again<W: WriteTool>(
        &self,
        way: &dyn DoneElsewhere<W>,
        outside: &Outside,
        claim: &Claim<W>,
    ) -> Outcome<W::Output> {
        let not_done = match send(way, outside, claim, self.latest()).await {
            Ok(answer) => return Outcome::Answered(answer),
            Err(NoEffect::NotDone { refused, log }) => Some((refused, log)),
            Err(NoEffect::NoAnswer(why)) => {
                tracing::warn!(run.id = %self.run.id, effect.key = claim.key, "no answer: {why}");
                None
            }
        };
        // A no may be because the first one has arrived meanwhile.
        match (self.look_a_few_times(way, outside, claim).await, not_done) {
            (LookUp::Found(answer), _) => Outcome::Answered(answer),
            (LookUp::NotThere, Some((refused, log))) => Outcome::NotDone { refused, log },
            (LookUp::NotThere, None) | (LookUp::NoAnswer(_), _) => Outcome::Unknown,
        }
    }

    async fn look_a_few_times<W: WriteTool>(
        &self,
        way: &dyn DoneElsewhere<W>,
        outside: &Outside,
        claim: &Claim<W>,
    ) -> LookUp<W::Output> {
        let mut last = LookUp::NoAnswer(String::new());
        let interval = self.services().limits.look_again.min(LONGEST_INTERVAL);
        for tenths in PAUSES {
            tokio::time::sleep(interval / 10 * tenths).await;
            last = look(way, outside, claim).await;
            match &last {
                LookUp::Found(_) => return last,
                LookUp::NotThere => {}
                LookUp::NoAnswer(why) => {
                    tracing::warn!(run.id = %self.run.id, effect.key = claim.key, "looked in vain: {why}");
                }
            }
        }
        last
    }

    async fn record_outcome<W: WriteTool>(
        &mut self,
        call: &CallRow,
        way: &dyn DoneElsewhere<W>,
        effect: &EffectRow,
        claim: &Claim<W>,
        outcome: Outcome<W::Output>,
    ) -> Result<(), WorkerError> {
        fault_point!(OutcomeKnown);
        let now = self.services().clock.now();
        let first_look = self.services().limits.look_again;
        let mut tx = self.begin().await?;
        let event = match outcome {
            Outcome::Answered(answer) => {
                let output = json(&answer.output)?;
                let (to, next) = after(answer.standing, NextLook::In(first_look));
                advance(&mut tx, effect, to, Some(&output), next).await?;
                way.record(tx.connection(), claim, Came::Answered(&answer)).await?;
                let approved = tx.approvals_of(&call.id).await?.into_iter().next();
                let edited = approved.and_then(|approval| approval.edited_input);
                let edits = match (&call.proposed_input, &edited) {
                    (Some(proposed), Some(edited)) => wording::edits(proposed, edited),
                    (_, None) | (None, _) => None,
                };
                tx.record_output(&call.id, &effect.request, &output).await?;
                tx.end_call(&call.id, EndedAs::Output, &wording::output(&output, edits)).await?;
                AgentEvent::ToolOutputAvailable { tool_call_id: call.id.clone(), output }
            }
            Outcome::NotDone { refused, log } => {
                tracing::warn!(run.id = %self.run.id, effect.key = claim.key, "not done: {log}");
                advance(&mut tx, effect, EffectStatus::Failed, None, NextLook::Never).await?;
                way.record(tx.connection(), claim, Came::NotDone).await?;
                calls::fail(&mut tx, &mut self.run, &call.id, wording::not_done(refused)).await?
            }
            Outcome::Unknown => {
                tracing::error!(run.id = %self.run.id, effect.key = claim.key, "it is not known what came of it");
                leave_unknown(&mut tx, call, first_look).await?
            }
        };
        tx.append(&self.run.conversation, now, &[event]).await?;
        tx.save_progress(&self.run, now).await?;
        fault_point!(OutcomeToStore);
        tx.commit().await?;
        fault_point!(OutcomeStored);
        Ok(())
    }
}

async fn advance(
    tx: &mut WriteTx,
    effect: &EffectRow,
    to: EffectStatus,
    output: Option<&serde_json::Value>,
    next: NextLook,
) -> Result<(), WorkerError> {
    match tx.advance_effect(effect, to, output, next).await? {
        true => Ok(()),
        // Somebody else has recorded it: so the run is somebody else's too.
        false => Err(WorkerError::LostRun),
    }
}

/// How an effect stands after an answer, and when to ask again.
pub fn after(standing: Standing, next: NextLook) -> (EffectStatus, NextLook) {
    match standing {
        Standing::Open => (EffectStatus::Done, next),
        Standing::Done => (EffectStatus::Done, NextLook::Never),
        Standing::Failed => (EffectStatus::Failed, NextLook::Never),
    }
}

/// Ends a started call of which nobody knows what came, and leaves its effect to whoever looks into it, so
/// long from now.
pub async fn leave_unknown(
    tx: &mut WriteTx,
    call: &CallRow,
    look_in: Duration,
) -> Result<AgentEvent, db::Error> {
    let effect = tx.effect_of_call(&call.id).await?;
    if let Some(effect) = effect.filter(|effect| effect.status == EffectStatus::Claimed) {
        tx.advance_effect(&effect, EffectStatus::Unknown, None, NextLook::In(look_in)).await?;
        if let Some(name) = ToolName::parse(&effect.tool) {
            shared::with_tool!(
                name,
                read R => Err(no_effect::<R>()),
                write W => note_unknown::<W>(tx, &effect).await,
            )?;
        }
    }
    calls::unknown(tx, &call.id).await
}

async fn note_unknown<W: WriteTool>(tx: &mut WriteTx, effect: &EffectRow) -> Result<(), db::Error> {
    match W::doing() {
        Doing::Elsewhere(way) => {
            let claim = claim_of::<W>(effect)?;
            way.record(tx.connection(), &claim, Came::Unknown).await
        }
        Doing::Here(_) => Ok(()),
    }
}

/// A read has none: only a row that somebody has tampered with comes here.
pub fn no_effect<R: ReadTool>() -> db::Error {
    db::Error::Protocol(format!("an effect of {}, which has none", R::NAME))
}

pub fn claim_of<W: WriteTool>(effect: &EffectRow) -> Result<Claim<W>, db::Error> {
    Ok(Claim { key: effect.key(), request: from_json(effect.request.clone())? })
}

async fn send<W: WriteTool>(
    way: &dyn DoneElsewhere<W>,
    outside: &Outside,
    claim: &Claim<W>,
    latest: Instant,
) -> Result<Answer<W::Output>, NoEffect> {
    match tokio::time::timeout(W::TIMEOUT, way.send(outside, claim, latest)).await {
        Ok(sent) => sent,
        Err(_) => Err(NoEffect::NoAnswer(format!("none within {:?}", W::TIMEOUT))),
    }
}

pub async fn look<W: WriteTool>(
    way: &dyn DoneElsewhere<W>,
    outside: &Outside,
    claim: &Claim<W>,
) -> LookUp<W::Output> {
    match tokio::time::timeout(LOOK_TIMEOUT, way.look_up(outside, claim)).await {
        Ok(found) => found,
        Err(_) => LookUp::NoAnswer(format!("none within {LOOK_TIMEOUT:?}")),
    }
}
