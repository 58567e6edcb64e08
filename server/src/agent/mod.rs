//! The agent loop: takes messages and decisions, runs what was agreed to, decides when to stop.
//!
//! **Invariants:** it knows no HTTP and no provider. Whatever it does is in the database before
//! anybody hears of it; a worker holds nothing in memory that a restart would miss.

mod approval;
mod calls;
pub(crate) mod consequences;
mod effects;
mod ending;
mod limits;
mod messages;
mod planning;
mod reads;
mod server_line;
mod stop;
mod turn;
mod wording;
mod worker;

use crate::db;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono_tz::Tz;
use shared::ids::RunId;
use shared::tools::ToolName;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use approval::DecideError;
pub use limits::Limits;
pub use messages::{RetryError, SendError};

use crate::clock::Clock;
use crate::freeze::Freeze;
use crate::ids::Ids;
use crate::model::Model;
use crate::store::Store;
use crate::weather::Weather;

/// What the loop works with; all of it passed in.
pub struct Services {
    pub store: Store,
    pub model: Arc<dyn Model>,
    pub weather: Arc<dyn Weather>,
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

#[derive(Clone)]
pub struct Agent {
    services: Arc<Services>,
    workers: Arc<Workers>,
}

/// The runs at work in this process.
#[derive(Default)]
struct Workers {
    tasks: TaskTracker,
    stops: Mutex<HashMap<RunId, CancellationToken>>,
    /// No further runs are looked for.
    stopping: CancellationToken,
}

impl Workers {
    fn stops(&self) -> MutexGuard<'_, HashMap<RunId, CancellationToken>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How often expired questions and runs without a worker are looked for. Questions are looked at before
/// every read and decision too.
const SWEEP_EVERY: Duration = Duration::from_secs(2);

impl Agent {
    pub fn new(services: Services) -> Self {
        Self { services: Arc::new(services), workers: Arc::default() }
    }

    /// Takes up what an earlier process left, and starts looking for expired questions.
    pub async fn start(&self) -> Result<(), db::Error> {
        let services = &self.services;
        services.store.requeue_running(services.clock.now()).await?;
        let agent = self.clone();
        tokio::spawn(async move {
            let mut tick = tokio::time::interval(SWEEP_EVERY);
            loop {
                tokio::select! {
                    () = agent.workers.stopping.cancelled() => return,
                    _ = tick.tick() => {}
                }
                if let Err(error) = agent.sweep().await {
                    tracing::error!("looking for expired approvals and queued runs: {error}");
                }
            }
        });
        Ok(())
    }

    async fn sweep(&self) -> Result<(), db::Error> {
        self.expire_due().await?;
        // Waking a run that has a worker already does nothing: only one claims it.
        for run in self.services.store.queued_runs().await? {
            self.wake(run);
        }
        Ok(())
    }

    /// Waits for the runs at work to end or park, at most for the given time.
    pub async fn finish(&self, at_most: Duration) {
        self.workers.stopping.cancel();
        self.workers.tasks.close();
        let _ = tokio::time::timeout(at_most, self.workers.tasks.wait()).await;
    }

    /// Gives a queued run to a worker of its own.
    fn wake(&self, run: RunId) {
        let agent = self.clone();
        self.workers.tasks.spawn(worker::work(agent, run));
    }
}
