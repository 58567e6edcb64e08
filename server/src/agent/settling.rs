//! Looks into effects of which it is open how they stand: those that nobody knows of, and those that
//! somebody else has taken on and not finished. In every process, and by `truthtable reconcile`; several
//! may do it at once.

use std::sync::Arc;
use std::time::Duration;

use futures::stream::{self, StreamExt};
use serde_json::Value;
use shared::error_code::ErrorCode;
use shared::event::{AgentEvent, ToolErrorKind};
use shared::tools::ToolName;

use super::consequences::{self, EventsByConversation};
pub use super::leaving::LOOK_TIMEOUT;
use super::leaving::{after, claim_of, look, no_effect};
use super::planning::json;
use super::wording;
use crate::db;
use crate::fault::fault_point;
use crate::ids::Ids;
use crate::store::{EffectRow, EffectStatus, EndedAs, NextLook, Store, WriteTx};
use crate::tools::contract::{
    Answer, Came, Claim, Consequences, Doing, DoneElsewhere, LookUp, Outside, Standing, Updated, WriteTool,
};

/// Effects that are looked into at the same time.
const AT_ONCE: usize = 8;

/// The longest interval between two looks.
const LONGEST: Duration = Duration::from_secs(3600);

/// On whose behalf it is looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looker {
    /// A server, when it is due; the next time is due later and later.
    Server,
    /// An operator, at any time; when servers look stays as it is.
    Operator,
}

/// Looks into what is open.
#[derive(Clone)]
pub struct Settler {
    pub store: Store,
    pub outside: Outside,
    pub ids: Arc<dyn Ids>,
    pub looker: Looker,
    /// The first interval between two looks; each further one is twice as long.
    pub look_again: Duration,
    /// What is not there so long after it was last sent does not arrive any more.
    pub give_up: Duration,
}

/// What a look has brought.
#[derive(Clone, Debug, PartialEq)]
pub enum Looked {
    /// It is known now what came of it.
    Settled { effect: EffectRow, output: Option<Value> },
    /// Nothing new.
    Open(EffectRow),
    /// Somebody else was faster.
    TakenBySomebodyElse,
}

impl Settler {
    /// Looks into what is due; how many effects that were.
    ///
    /// # Errors
    /// Where the database does not work.
    pub async fn look_into_due(&self) -> Result<usize, db::Error> {
        let due = self.store.effects_to_look_into(100).await?;
        let count = due.len();
        stream::iter(due)
            .for_each_concurrent(AT_ONCE, |effect| async {
                let key = effect.key();
                if let Err(error) = self.look_into(effect).await {
                    tracing::error!(effect.key = key, "looking into an effect: {error}");
                }
            })
            .await;
        Ok(count)
    }

    /// Looks into one effect now.
    ///
    /// # Errors
    /// Where the database does not work.
    pub async fn look_into(&self, effect: EffectRow) -> Result<Looked, db::Error> {
        let next = match self.looker {
            Looker::Server => NextLook::In(self.interval(effect.server_looks)),
            Looker::Operator => NextLook::AsPlanned,
        };
        let mut tx = self.store.begin().await?;
        if !tx.begin_look(&effect, next).await? {
            return Ok(Looked::TakenBySomebodyElse);
        }
        tx.commit().await?;
        let effect = EffectRow { looks: effect.looks + 1, ..effect };
        let looked = match ToolName::parse(&effect.tool) {
            Some(name) => shared::with_tool!(
                name,
                read R => Err(no_effect::<R>()),
                write W => self.ask::<W>(effect, next).await,
            ),
            // Its tool is gone: only an operator can tell.
            None => Ok(Looked::Open(effect)),
        }?;
        match looked {
            Looked::Open(effect) => self.found_nothing_new(effect).await,
            Looked::Settled { .. } | Looked::TakenBySomebodyElse => Ok(looked),
        }
    }

    /// Lets those who wait for this look know that it is over.
    async fn found_nothing_new(&self, effect: EffectRow) -> Result<Looked, db::Error> {
        let mut tx = self.store.begin().await?;
        let ended = tx.end_look(&effect).await?;
        tx.commit().await?;
        Ok(if ended { Looked::Open(effect) } else { Looked::TakenBySomebodyElse })
    }

    fn interval(&self, looks: i64) -> Duration {
        let doublings = u32::try_from(looks).unwrap_or(u32::MAX).min(20);
        self.look_again.saturating_mul(1 << doublings).min(LONGEST)
    }

    async fn ask<W: WriteTool>(&self, effect: EffectRow, next: NextLook) -> Result<Looked, db::Error> {
        let Doing::Elsewhere(way) = W::doing() else { return Ok(Looked::Open(effect)) };
        let claim = claim_of::<W>(&effect)?;
        match look(way, &self.outside, &claim).await {
            LookUp::Found(answer) => {
                let output = json(&answer.output)?;
                match (effect.status, answer.standing) {
                    // As it was.
                    (EffectStatus::Done, Standing::Open) => Ok(Looked::Open(effect)),
                    (EffectStatus::Unknown | EffectStatus::Done, _) => {
                        self.record_answer(way, effect, &claim, &answer, output, next).await
                    }
                    (EffectStatus::Claimed | EffectStatus::Failed | EffectStatus::Released, _) => {
                        Ok(Looked::TakenBySomebodyElse)
                    }
                }
            }
            LookUp::NotThere if self.is_not_there_for_good(&effect) => {
                self.record_not_done(way, effect, &claim).await
            }
            LookUp::NotThere => Ok(Looked::Open(effect)),
            LookUp::NoAnswer(why) => {
                tracing::warn!(effect.key = claim.key, "looked in vain: {why}");
                Ok(Looked::Open(effect))
            }
        }
    }

    /// What was never there: what has been seen there once is not given up.
    fn is_not_there_for_good(&self, effect: &EffectRow) -> bool {
        effect.status == EffectStatus::Unknown && effect.asked_ago >= self.give_up
    }

    async fn record_answer<W: WriteTool>(
        &self,
        way: &dyn DoneElsewhere<W>,
        effect: EffectRow,
        claim: &Claim<W>,
        answer: &Answer<W::Output>,
        output: Value,
        next: NextLook,
    ) -> Result<Looked, db::Error> {
        let mut tx = self.store.begin().await?;
        let (to, next) = after(answer.standing, next);
        if !tx.advance_effect(&effect, to, Some(&output), next).await? {
            return Ok(Looked::TakenBySomebodyElse);
        }
        way.record(tx.connection(), claim, Came::Answered(answer)).await?;
        let news = way.news(claim, Some(&answer.output));
        if effect.status == EffectStatus::Unknown {
            tx.settle_call(&effect.tool_call, EndedAs::Output, Some(&output)).await?;
            let event = AgentEvent::ToolOutputAvailable {
                tool_call_id: effect.tool_call.clone(),
                output: output.clone(),
            };
            self.tell(&mut tx, &effect, event, &news).await?;
        } else {
            let updated = Updated {
                tool_call: effect.tool_call.clone(),
                output: output.clone(),
                news,
                in_result: false,
            };
            let consequences = Consequences { updated: vec![updated], ..Consequences::default() };
            let now = self.outside.clock.now();
            let events = consequences::follow(&mut tx, consequences, self.ids.as_ref(), now, None).await?;
            consequences::append(&mut tx, &events, now).await?;
        }
        fault_point!(SettlementToStore);
        tx.commit().await?;
        fault_point!(SettlementStored);
        tracing::info!(effect.key = claim.key, "it is known now what came of it");
        Ok(Looked::Settled { effect, output: Some(output) })
    }

    async fn record_not_done<W: WriteTool>(
        &self,
        way: &dyn DoneElsewhere<W>,
        effect: EffectRow,
        claim: &Claim<W>,
    ) -> Result<Looked, db::Error> {
        let mut tx = self.store.begin().await?;
        if !tx.advance_effect(&effect, EffectStatus::Failed, None, NextLook::Never).await? {
            return Ok(Looked::TakenBySomebodyElse);
        }
        way.record(tx.connection(), claim, Came::NotDone).await?;
        tx.settle_call(&effect.tool_call, EndedAs::Error, None).await?;
        let event = AgentEvent::ToolOutputError {
            tool_call_id: effect.tool_call.clone(),
            kind: ToolErrorKind::Tool,
            code: ErrorCode::ReceiverUnavailable,
            params: None,
            error_text: wording::NEVER_ARRIVED.to_owned(),
        };
        let news = way.news(claim, None);
        self.tell(&mut tx, &effect, event, &news).await?;
        fault_point!(SettlementToStore);
        tx.commit().await?;
        fault_point!(SettlementStored);
        tracing::warn!(effect.key = claim.key, "it was never done");
        Ok(Looked::Settled { effect, output: None })
    }

    async fn tell(
        &self,
        tx: &mut WriteTx,
        effect: &EffectRow,
        event: AgentEvent,
        news: &str,
    ) -> Result<(), db::Error> {
        let now = self.outside.clock.now();
        tx.insert_news(&self.ids.next(), &effect.conversation, news, now).await?;
        let events = EventsByConversation::from([(effect.conversation.clone(), vec![event])]);
        consequences::append(tx, &events, now).await
    }
}
