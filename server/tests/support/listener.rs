use std::pin::Pin;

use futures::{Stream, StreamExt};
use reqwest::Response;
use reqwest::header::HeaderMap;
use shared::event::AgentEvent;
use sse_stream::{Sse, SseStream};

use super::PATIENCE;

/// One reader of a conversation's stream, event by event.
pub struct Listener {
    pub headers: HeaderMap,
    messages: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
}

impl Listener {
    pub fn new(response: Response) -> Self {
        assert_eq!(response.status(), 200);
        let headers = response.headers().clone();
        assert_eq!(headers["content-type"], "text/event-stream");
        Self { headers, messages: Box::pin(SseStream::from_bytes_stream(response.bytes_stream())) }
    }

    /// The next event with its id; none where the server has ended the stream.
    pub async fn next(&mut self) -> Option<(u64, AgentEvent)> {
        tokio::time::timeout(PATIENCE, self.next_however_late()).await.expect("no further event came")
    }

    /// The same, for a reader who stays where nothing may happen for long.
    pub async fn next_however_late(&mut self) -> Option<(u64, AgentEvent)> {
        loop {
            let message = self.messages.next().await?.ok()?;
            assert!(message.event.is_none(), "events have no `event:` line");
            // A comment keeps the stream open and is no event.
            let (Some(id), Some(data)) = (message.id, message.data) else { continue };
            return Some((id.parse().unwrap(), serde_json::from_str(&data).unwrap()));
        }
    }

    /// The events up to the first that is as wanted.
    pub async fn until(&mut self, wanted: impl Fn(&AgentEvent) -> bool) -> Vec<(u64, AgentEvent)> {
        let mut seen = Vec::new();
        loop {
            let next = self.next().await.unwrap_or_else(|| panic!("the stream ended; seen: {seen:#?}"));
            seen.push(next);
            if seen.last().is_some_and(|(_, event)| wanted(event)) {
                return seen;
            }
        }
    }
}
