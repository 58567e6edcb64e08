use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use shared::event::AgentEvent;
use tokio::task::JoinHandle;

use super::guest::{InsistentGuest, PATIENCE};

/// Reads a conversation's events as a browser does: whenever the stream ends it comes back with the last id
/// that it has.
pub struct Reader {
    seen: Arc<Mutex<Vec<(u64, AgentEvent)>>>,
    reading: JoinHandle<()>,
}

impl Reader {
    pub fn start(of: &InsistentGuest) -> Self {
        let seen = Arc::default();
        let reading = tokio::spawn(read(of.clone(), Arc::clone(&seen)));
        Self { seen, reading }
    }

    /// All events up to this one, as they came.
    pub async fn up_to(self, last: u64) -> Vec<(u64, AgentEvent)> {
        let since = Instant::now();
        loop {
            let seen = self.seen.lock().unwrap().clone();
            if seen.last().is_some_and(|(id, _)| *id >= last) {
                return seen.into_iter().filter(|(id, _)| *id <= last).collect();
            }
            assert!(since.elapsed() < PATIENCE, "the reader never saw event {last}: {seen:#?}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

async fn read(of: InsistentGuest, seen: Arc<Mutex<Vec<(u64, AgentEvent)>>>) {
    loop {
        let last = seen.lock().unwrap().last().map(|(id, _): &(u64, AgentEvent)| id.to_string());
        let headers: Vec<_> = last.iter().map(|id| ("last-event-id", id.as_str())).collect();
        if let Ok(mut listener) = of.guest.try_listen(&of.conversation, "", &headers).await {
            while let Some(event) = listener.next().await {
                seen.lock().unwrap().push(event);
            }
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
