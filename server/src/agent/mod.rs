//! The agent loop: takes messages and decisions, runs what was agreed to, decides when to stop.
//!
//! **Invariants:** it knows no HTTP and no provider. Whatever it does is in the database before
//! anybody hears of it; a worker holds nothing in memory that a restart would miss.

mod approval;
mod calls;
pub(crate) mod consequences;
mod effects;
mod ending;
mod lease;
mod leaving;
mod limits;
mod messages;
mod planning;
mod reads;
pub(crate) mod server_line;
pub mod settling;
mod spending;
mod stop;
mod turn;
mod wording;
mod worker;

use crate::db::{self, Dialect};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono_tz::Tz;
use shared::ids::RunId;
use shared::tools::ToolName;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use approval::DecideError;
pub use limits::Limits;
pub use messages::{RetryError, SendError};

use settling::{Looker, Settler};
use worker::Signals;

use crate::clock::Clock;
use crate::freeze::Freeze;
use crate::ids::Ids;
use crate::model::Model;
use crate::refunds::Receivers;
use crate::store::{RunRow, Store};
use crate::tools::contract::Outside;
use crate::weather::Weather;

/// What the loop works with; all of it passed in.
pub struct Services {
    pub store: Store,
    pub model: Arc<dyn Model>,
    pub weather: Arc<dyn Weather>,
    /// Who moves the money of refunds.
    pub receivers: Receivers,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub limits: Limits,
    /// Whether effects are refused at the moment.
    pub freeze: Arc<dyn Freeze>,
    /// Tools that ask although they need not.
    pub ask_also: Vec<ToolName>,
    /// The house's time zone, for the server's line.
    pub time_zone: Tz,
}

impl Services {
    /// What effects that leave may ask and read.
    fn outside(&self) -> Outside {
        Outside {
            read: self.store.reader().clone(),
            receivers: self.receivers.clone(),
            clock: self.clock.clone(),
        }
    }
}

#[derive(Clone)]
pub struct Agent {
    services: Arc<Services>,
    workers: Arc<Workers>,
}

/// The runs at work in this process.
#[derive(Default)]
struct Workers {
    tasks: TaskTracker,
    stops: Mutex<HashMap<RunId, Stop>>,
    /// No further runs are taken.
    stopping: CancellationToken,
    /// The runs at work are left to other processes.
    hand_back: CancellationToken,
}

impl Workers {
    fn stops(&self) -> MutexGuard<'_, HashMap<RunId, Stop>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a worker is told to stop, and in which of its run's epochs it is one.
struct Stop {
    epoch: i64,
    signal: CancellationToken,
}

/// A run that is at work in this process, as long as this lives.
struct AtWork {
    run: RunId,
    epoch: i64,
    workers: Arc<Workers>,
}

impl Workers {
    /// From now on a stop reaches the run.
    fn at_work(self: &Arc<Self>, run: &RunRow, signals: &Signals) -> AtWork {
        self.stops().insert(run.id.clone(), Stop { epoch: run.epoch, signal: signals.stop.clone() });
        AtWork { run: run.id.clone(), epoch: run.epoch, workers: self.clone() }
    }

    /// Tells the run's worker, where it is one of this process.
    fn stop(&self, run: &RunId) {
        if let Some(stop) = self.stops().get(run) {
            stop.signal.cancel();
        }
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        let mut stops = self.workers.stops();
        // The run may have a new worker in this process.
        if stops.get(&self.run).is_some_and(|stop| stop.epoch == self.epoch) {
            stops.remove(&self.run);
        }
    }
}

/// How long the runs at work have to be left to another process.
const HAND_BACK_WITHIN: Duration = Duration::from_secs(30);

/// How often expired questions and runs without a worker are looked for. Questions are looked at before
/// every read and decision too.
const SWEEP_EVERY: Duration = Duration::from_secs(2);

impl Agent {
    pub fn new(services: Services) -> Self {
        Self { services: Arc::new(services), workers: Arc::default() }
    }

    /// Starts looking for runs that nobody works on, and for expired questions.
    ///
    /// # Errors
    /// Where the database does not work.
    pub async fn start(&self) -> Result<(), db::Error> {
        let services = &self.services;
        match services.store.dialect() {
            // The only server: nobody else holds what an earlier process left.
            Dialect::Sqlite => services.store.requeue_running(services.clock.now()).await?,
            Dialect::Postgres => {}
        }
        let agent = self.clone();
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(SWEEP_EVERY);
            loop {
                tokio::select! {
                    () = agent.workers.stopping.cancelled() => return,
                    () = agent.services.store.run_left() => {}
                    _ = tick.tick() => {}
                }
                if let Err(error) = agent.sweep().await {
                    tracing::error!("looking for expired approvals and runs to take: {error}");
                }
            }
        });
        tokio::spawn(self.clone().pass_stops_on());
        tokio::spawn(self.clone().look_into_open_effects());
        Ok(())
    }

    /// Asks how effects stand that somebody else has taken on, or that nobody knows of.
    async fn look_into_open_effects(self) {
        let Services { limits, store, ids, .. } = self.services.as_ref();
        let settler = Settler {
            store: store.clone(),
            outside: self.services.outside(),
            ids: ids.clone(),
            looker: Looker::Server,
            look_again: limits.look_again,
            give_up: limits.give_up,
        };
        let mut tick = tokio::time::interval(limits.look_again.min(SWEEP_EVERY));
        loop {
            tokio::select! {
                () = self.workers.stopping.cancelled() => return,
                _ = tick.tick() => {}
            }
            if let Err(error) = settler.look_into_due().await {
                tracing::error!("looking for open effects: {error}");
            }
        }
    }

    async fn sweep(&self) -> Result<(), db::Error> {
        self.expire_due().await?;
        if self.services.store.any_run_to_take().await? {
            let agent = self.clone();
            self.workers.tasks.spawn(async move {
                // One after the other is claimed, each has a task of its own.
                while !agent.workers.stopping.is_cancelled() && worker::take(&agent, None).await {}
            });
        }
        Ok(())
    }

    /// Stops that were taken by other servers.
    async fn pass_stops_on(self) {
        let mut stops = self.services.store.stops();
        loop {
            let stopped = tokio::select! {
                () = self.workers.hand_back.cancelled() => return,
                stopped = stops.recv() => stopped,
            };
            match stopped {
                Ok(run) => self.workers.stop(&run),
                // Whatever was missed is in the run's row, and seen with the next renewal of its lease.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Takes no further runs, and waits for those at work to end or park. What is not done in time is left to
    /// another process.
    pub async fn finish(&self, at_most: Duration) {
        self.workers.stopping.cancel();
        self.workers.tasks.close();
        if tokio::time::timeout(at_most, self.workers.tasks.wait()).await.is_err() {
            self.workers.hand_back.cancel();
            // An effect under way is not broken off: it ends by its own time limit.
            let _ = tokio::time::timeout(HAND_BACK_WITHIN, self.workers.tasks.wait()).await;
        }
    }

    /// Gives a queued run to a worker of its own.
    fn wake(&self, run: RunId) {
        if self.workers.stopping.is_cancelled() {
            return;
        }
        let agent = self.clone();
        self.workers.tasks.spawn(async move { worker::take(&agent, Some(&run)).await });
    }
}
