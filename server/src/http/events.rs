//! A conversation's events as SSE: from rows, from any point on, for as long as the reader stays.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::Stream;
use serde::Deserialize;
use shared::ids::ConversationId;

use super::AppState;
use super::problem::ApiError;
use super::session::Guest;
use crate::store::{Follower, StoredEvent};

/// Rows are looked at this often even if nobody was woken.
const LOOK_EVERY: Duration = Duration::from_secs(10);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const ROWS_AT_ONCE: usize = 500;

#[derive(Deserialize)]
pub struct From {
    after: Option<String>,
}

pub async fn stream(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let id = guest.owned(&state, id).await?;
    let last_event_id = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let after = match last_event_id.or(from.after.as_deref()) {
        None | Some("") => 0,
        Some(text) => text.parse().map_err(|_| {
            let title = "Last-Event-ID and ?after= take a number, the id of the last event seen.";
            ApiError::new(StatusCode::BAD_REQUEST, "invalid-event-id", title)
        })?,
    };
    let events = Sse::new(follow(state, id, after))
        .keep_alive(KeepAlive::new().interval(KEEP_ALIVE).text("still here"));
    // Proxies must pass events on as they come.
    Ok(([(HeaderName::from_static("x-accel-buffering"), "no")], events).into_response())
}

/// One reader: where it stands, and what it has but did not send.
struct Reader {
    state: AppState,
    id: ConversationId,
    after: u64,
    events: Arc<[StoredEvent]>,
    /// Whether there may be rows that it does not know of.
    looks: bool,
    follower: Follower,
}

fn follow(state: AppState, id: ConversationId, after: u64) -> impl Stream<Item = Result<Event, Infallible>> {
    // Followed before the first look, so that nothing falls between.
    let follower = state.store.follow(&id);
    let reader = Reader { state, id, after, events: Arc::default(), looks: true, follower };
    futures::stream::unfold(reader, |mut reader| async move {
        let event = reader.next().await?;
        Some((Ok(event), reader))
    })
}

impl Reader {
    /// The next event; none where the stream ends, and the browser comes back with the last id that
    /// it has.
    async fn next(&mut self) -> Option<Event> {
        loop {
            // In order; some of them may have been sent already.
            let unsent = self.events.partition_point(|event| event.seq <= self.after);
            if let Some(event) = self.events.get(unsent) {
                self.after = event.seq;
                return Some(Event::default().id(event.seq.to_string()).data(&event.body));
            }
            if self.looks {
                match self.state.store.events_after(&self.id, self.after, ROWS_AT_ONCE).await {
                    Ok(rows) => {
                        // Where it is full there may be more.
                        self.looks = rows.len() == ROWS_AT_ONCE;
                        self.events = rows.into();
                    }
                    Err(error) => {
                        tracing::error!(conversation.id = %self.id, "reading events: {error}");
                        return None;
                    }
                }
                continue;
            }
            tokio::select! {
                () = self.state.shutdown.cancelled() => return None,
                events = self.follower.woken() => self.take(events),
                () = tokio::time::sleep(LOOK_EVERY) => self.looks = true,
            }
        }
    }

    /// Takes what a commit appended, where it goes on from what this reader has.
    fn take(&mut self, events: Arc<[StoredEvent]>) {
        match events.first() {
            Some(first) if first.seq <= self.after + 1 => self.events = events,
            Some(_) | None => self.looks = true,
        }
    }
}
