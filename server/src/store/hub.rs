//! Wakes the readers of a conversation. They always read rows: a lost wake-up costs time, not truth.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shared::ids::ConversationId;
use tokio::sync::watch;

#[derive(Default)]
pub struct Hub {
    conversations: Mutex<HashMap<ConversationId, watch::Sender<u64>>>,
}

/// One reader; leaving takes its place in the hub away when it was the last.
pub struct Follower {
    hub: Arc<Hub>,
    conversation: ConversationId,
    newest: watch::Receiver<u64>,
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

    pub fn wake(&self, conversation: &ConversationId, seq: u64) {
        if let Some(sender) = self.lock().get(conversation) {
            sender.send_replace(seq);
        }
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
