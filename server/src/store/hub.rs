//! Wakes whoever waits for a commit: readers of a conversation, workers to be stopped, and whoever looks
//! for runs. Readers of a conversation get the last commit's events with it; whoever missed one before reads
//! rows, as everybody else does: a lost wake-up costs time, not truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared::ids::{ConversationId, RunId};
use tokio::sync::{Notify, broadcast, watch};

use super::events::StoredEvent;
use super::notices::Notices;

/// Stops that a slow listener may be behind with; whoever misses one finds it in the run's row.
const STOPS_KEPT: usize = 256;

pub struct Hub {
    conversations: Mutex<HashMap<ConversationId, watch::Sender<Latest>>>,
    stops: broadcast::Sender<RunId>,
    queued: Notify,
}

/// What the last commit appended to a conversation.
#[derive(Default)]
struct Latest {
    /// The sequence number of its last event.
    seq: u64,
    /// In order. None where another process has committed them: they are read from the rows.
    events: Arc<[StoredEvent]>,
}

/// One reader; leaving takes its place in the hub away when it was the last.
pub struct Follower {
    hub: Arc<Hub>,
    conversation: ConversationId,
    latest: watch::Receiver<Latest>,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            conversations: Mutex::default(),
            stops: broadcast::channel(STOPS_KEPT).0,
            queued: Notify::new(),
        }
    }
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, watch::Sender<Latest>>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn follow(self: &Arc<Self>, conversation: &ConversationId) -> Follower {
        let mut conversations = self.lock();
        let sender = conversations.entry(conversation.clone()).or_default();
        let latest = sender.subscribe();
        Follower { hub: self.clone(), conversation: conversation.clone(), latest }
    }

    pub fn stops(&self) -> broadcast::Receiver<RunId> {
        self.stops.subscribe()
    }

    /// Returns after somebody has left a run for others.
    pub async fn queued(&self) {
        self.queued.notified().await;
    }

    /// Passes on what a commit of this process appended.
    pub fn tell_events(&self, conversation: &ConversationId, events: Vec<StoredEvent>) {
        let Some(seq) = events.last().map(|event| event.seq) else { return };
        if let Some(sender) = self.lock().get(conversation) {
            note(sender, Latest { seq, events: events.into() });
        }
    }

    /// Passes on what a commit changed.
    pub fn tell(&self, notices: &Notices) {
        let Notices { events, stops, queued, all } = notices;
        if *all {
            return self.wake_all();
        }
        if !events.is_empty() {
            let conversations = self.lock();
            for (conversation, seq) in events {
                if let Some(sender) = conversations.get(conversation) {
                    note(sender, Latest { seq: *seq, events: Arc::default() });
                }
            }
        }
        for run in stops {
            // Nobody listens where nothing runs.
            let _ = self.stops.send(run.clone());
        }
        if *queued {
            self.queued.notify_one();
        }
    }

    /// Everybody looks at the rows again.
    pub fn wake_all(&self) {
        for sender in self.lock().values() {
            // What came before is not known.
            sender.send_modify(|latest| latest.events = Arc::default());
        }
        self.queued.notify_one();
    }
}

/// Two commits may be told of in another order than they were made, and one of this process comes back from
/// the database: an older one wakes nobody, since whoever sees the newer one has missed it and reads rows.
fn note(sender: &watch::Sender<Latest>, latest: Latest) {
    sender.send_if_modified(|known| {
        let is_newer = latest.seq > known.seq;
        if is_newer {
            *known = latest;
        }
        is_newer
    });
}

impl Follower {
    /// Returns after the next commit that appended events, with them, as far as they are known without reading
    /// rows.
    pub async fn woken(&mut self) -> Arc<[StoredEvent]> {
        // The sender lives as long as a follower does.
        let _ = self.latest.changed().await;
        self.latest.borrow_and_update().events.clone()
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let mut conversations = self.hub.lock();
        let last = conversations.get(&self.conversation).is_some_and(|sender| sender.receiver_count() <= 1);
        if last {
            conversations.remove(&self.conversation);
        }
    }
}
