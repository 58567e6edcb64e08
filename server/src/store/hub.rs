//! Wakes whoever waits for a commit: readers of a conversation, workers to be stopped, and whoever looks
//! for runs. They always read rows: a lost wake-up costs time, not truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared::ids::{ConversationId, RunId};
use tokio::sync::{Notify, broadcast, watch};

use super::notices::Notices;

/// Stops that a slow listener may be behind with; whoever misses one finds it in the run's row.
const STOPS_KEPT: usize = 256;

pub struct Hub {
    conversations: Mutex<HashMap<ConversationId, watch::Sender<u64>>>,
    stops: broadcast::Sender<RunId>,
    queued: Notify,
}

/// One reader; leaving takes its place in the hub away when it was the last.
pub struct Follower {
    hub: Arc<Hub>,
    conversation: ConversationId,
    newest: watch::Receiver<u64>,
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
    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, watch::Sender<u64>>> {
        self.conversations.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn follow(self: &Arc<Self>, conversation: &ConversationId) -> Follower {
        let mut conversations = self.lock();
        let sender = conversations.entry(conversation.clone()).or_insert_with(|| watch::channel(0).0);
        let newest = sender.subscribe();
        Follower { hub: self.clone(), conversation: conversation.clone(), newest }
    }

    pub fn stops(&self) -> broadcast::Receiver<RunId> {
        self.stops.subscribe()
    }

    /// Returns after somebody has left a run for others.
    pub async fn queued(&self) {
        self.queued.notified().await;
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
                    sender.send_replace(*seq);
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
            sender.send_modify(|_| {});
        }
        self.queued.notify_one();
    }
}

impl Follower {
    /// Returns after the next commit that appended events.
    pub async fn woken(&mut self) {
        // The sender lives as long as a follower does.
        let _ = self.newest.changed().await;
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
