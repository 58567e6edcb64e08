//! Keeps a run for its worker, on a task of its own: whatever the worker waits for, its lease goes on.

use std::time::Duration;

use shared::ids::RunId;
use tokio::time::{Instant, sleep};

use super::worker::{Signals, Worker};
use crate::store::Store;

/// How soon a renewal that did not reach the database is tried again.
const AGAIN: Duration = Duration::from_millis(250);

pub struct Lease {
    store: Store,
    run: RunId,
    epoch: i64,
    length: Duration,
    signals: Signals,
}

impl Lease {
    pub fn of(worker: &Worker) -> Self {
        let services = worker.services();
        Self {
            store: services.store.clone(),
            run: worker.run.id.clone(),
            epoch: worker.run.epoch,
            length: services.limits.lease,
            signals: worker.signals.clone(),
        }
    }

    /// Renews until the run is somebody else's. A process that stood still for longer than the lease sees it
    /// here, or at the next thing that it writes: every write asks whether the run is still its own.
    pub async fn keep(self) {
        let mut renewed = Instant::now();
        let mut pause = self.length / 3;
        loop {
            sleep(pause).await;
            let asked = Instant::now();
            match self.store.renew_lease(&self.run, self.epoch, self.length).await {
                Ok(Some(stop)) => {
                    if stop {
                        self.signals.stop.cancel();
                    }
                    (renewed, pause) = (asked, self.length / 3);
                }
                Ok(None) => return self.signals.lost.cancel(),
                Err(error) => {
                    tracing::warn!(run.id = %self.run, "renewing a lease: {error}");
                    if renewed.elapsed() >= self.length {
                        return self.signals.lost.cancel();
                    }
                    pause = AGAIN;
                }
            }
        }
    }
}
