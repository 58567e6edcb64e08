//! The guest stops a run: what has not started never starts, what has started shows its outcome.

use std::time::Duration;

use shared::event::CancelReason;
use shared::ids::ConversationId;
use shared::run::{RunPhase, RunStatus};

use super::Agent;
use super::ending::end_run;
use crate::db;
use crate::fault::fault_point;

/// How long the answer waits for the worker to come to its end.
const WAIT_FOR_END: Duration = Duration::from_secs(10);

impl Agent {
    /// Stops the conversation's run, if one lives, and waits for its end.
    pub async fn stop(&self, conversation: &ConversationId) -> Result<(), db::Error> {
        let store = &self.services.store;
        let now = self.services.clock.now();
        let mut follower = store.follow(conversation);
        let mut tx = store.begin().await?;
        let Some(mut run) = tx.lock_latest_run(conversation).await? else { return Ok(()) };
        match run.status.phase() {
            RunPhase::Ended => return Ok(()),
            RunPhase::Parked => {
                let (status, reason) = (RunStatus::Cancelled, CancelReason::Stopped);
                end_run(&mut tx, &mut run, status, reason, Vec::new(), now).await?;
                fault_point!(StopToStore);
                tx.commit().await?;
                fault_point!(StopStored);
                return Ok(());
            }
            RunPhase::Live => {
                tx.request_stop(&run.id).await?;
                fault_point!(StopToStore);
                tx.commit().await?;
                fault_point!(StopStored);
            }
        }
        self.workers.stop(&run.id);
        let ended = async {
            loop {
                match store.latest_run(conversation).await? {
                    Some(latest) if latest.id == run.id && latest.status.phase() == RunPhase::Live => {
                        follower.woken().await;
                    }
                    Some(_) | None => return Ok(()),
                }
            }
        };
        // A write under way may take longer; its outcome follows by events.
        tokio::time::timeout(WAIT_FOR_END, ended).await.unwrap_or(Ok(()))
    }
}
