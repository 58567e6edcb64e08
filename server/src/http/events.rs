//! A conversation's events as SSE: from rows, from any point on, for as long as the reader stays.

use std::collections::VecDeque;
use std::convert::Infallible;
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
const ROWS_AT_ONCE: i64 = 500;

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

/// One reader: where it stands, and what it has read but not sent.
struct Reader {
    state: AppState,
    id: ConversationId,
    after: u64,
    rows: VecDeque<StoredEvent>,
    follower: Follower,
}

fn follow(state: AppState, id: ConversationId, after: u64) -> impl Stream<Item = Result<Event, Infallible>> {
    // Followed before the first look, so that nothing falls between.
    let follower = state.store.follow(&id);
    let reader = Reader { state, id, after, rows: VecDeque::new(), follower };
    futures::stream::unfold(reader, |mut reader| async move {
        let row = reader.next().await?;
        let event = Event::default().id(row.seq.to_string()).data(row.body);
        Some((Ok(event), reader))
    })
}

impl Reader {
    /// The next event; none where the stream ends, and the browser comes back with the last id that
    /// it has.
    async fn next(&mut self) -> Option<StoredEvent> {
        loop {
            if let Some(row) = self.rows.pop_front() {
                self.after = row.seq;
                return Some(row);
            }
            match self.state.store.events_after(&self.id, self.after, ROWS_AT_ONCE).await {
                Ok(rows) => self.rows = rows.into(),
                Err(error) => {
                    tracing::error!(conversation.id = %self.id, "reading events: {error}");
                    return None;
                }
            }
            if self.rows.is_empty() {
                tokio::select! {
                    () = self.state.shutdown.cancelled() => return None,
                    () = self.follower.woken() => {}
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                }
            }
        }
    }
}
