//! Reads one streamed answer to its end.

use std::error::Error;
use std::future::ready;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use futures::FutureExt;
use futures::stream::{Stream, StreamExt, TryStreamExt, iter, try_unfold};
use reqwest::Response;
use sse_stream::SseByteStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::failure::{self, Failure, ProviderError};
use super::gulps::{Break, Gulps, Patience};
use super::{Assembly, Progress};
use crate::ids::Ids;
use crate::model::{ModelError, ModelEvent, ModelTurn};

/// The largest event, in bytes; the decoder itself has no limit.
const MAX_EVENT: usize = 1024 * 1024;

/// The largest answer, in bytes on the wire: far beyond any output limit.
const MAX_ANSWER: usize = 32 * MAX_EVENT;

/// How long the end of a stream may come after the end of its message, when nobody needs what is in between.
const REST_UNREAD: Duration = Duration::from_millis(20);

/// How long usage may come after a turn that is proved complete.
const REST: Duration = Duration::from_secs(1);

/// Returns the turn once it is proved complete. Sets `begun` with the first byte: until then another
/// attempt loses nothing.
///
/// # Errors
/// Everything else, also with HTTP 200.
pub async fn read<A: Assembly>(
    response: Response,
    assembly: A,
    patience: Patience,
    secret: &str,
    ids: &dyn Ids,
    events: &mpsc::Sender<ModelEvent>,
    begun: &AtomicBool,
) -> Result<ModelTurn, Failure> {
    let request_id = failure::request_id(&response);
    let hurry = Arc::new(AtomicBool::new(false));
    let gulps = Gulps::new(response, patience, hurry.clone());
    let chunks = try_unfold(gulps, |mut gulps| async move {
        Ok(gulps.next().await?.map(|gulp| (Bytes::from(gulp), gulps)))
    });
    follow(chunks, assembly, &request_id, secret, ids, events, begun, &hurry).await
}

/// The same with bytes that are there already.
///
/// # Errors
/// As [`read`].
pub async fn recorded<A: Assembly>(
    pieces: Vec<Bytes>,
    assembly: A,
    secret: &str,
    ids: &dyn Ids,
    events: &mpsc::Sender<ModelEvent>,
) -> Result<ModelTurn, Failure> {
    let chunks = iter(pieces).map(Ok);
    let (begun, hurry) = Default::default();
    follow(chunks, assembly, "recorded", secret, ids, events, &begun, &hurry).await
}

#[expect(clippy::too_many_arguments, reason = "what a stream is read with, told apart by its types")]
async fn follow<A: Assembly>(
    chunks: impl Stream<Item = Result<Bytes, Break>>,
    mut assembly: A,
    request_id: &str,
    secret: &str,
    ids: &dyn Ids,
    events: &mpsc::Sender<ModelEvent>,
    begun: &AtomicBool,
    hurry: &AtomicBool,
) -> Result<ModelTurn, Failure> {
    let (since_event, in_all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let chunks = chunks.and_then(|chunk| {
        begun.store(true, Ordering::Relaxed);
        let grown = |counter: &AtomicUsize| counter.fetch_add(chunk.len(), Ordering::Relaxed) + chunk.len();
        ready(if grown(&since_event) > MAX_EVENT {
            Err(Break::TooLarge("an event"))
        } else if grown(&in_all) > MAX_ANSWER {
            Err(Break::TooLarge("the answer"))
        } else {
            Ok(chunk)
        })
    });
    let cut = |why: String| {
        let why = format!("{why} (request-id {request_id})");
        if begun.load(Ordering::Relaxed) {
            Failure::last(ModelError::Interrupted(why))
        } else {
            Failure::transient(why)
        }
    };

    let mut decoder = pin!(SseByteStream::new(chunks));
    let mut shown = Vec::new();
    let mut settled = false;
    loop {
        let next = match decoder.next().now_or_never() {
            Some(next) => next,
            None => {
                // What this gulp held goes on before the next one is waited for.
                show(events, &mut shown).await;
                match settled {
                    true => timeout(REST, decoder.next()).await.unwrap_or(None),
                    false => decoder.next().await,
                }
            }
        };
        let event = match next {
            Some(Ok(event)) => event,
            Some(Err(error)) if !settled => {
                show(events, &mut shown).await;
                return Err(cut(error.to_string()));
            }
            Some(Err(_)) | None => {
                show(events, &mut shown).await;
                return assembly.end().map_err(|broken| cut(broken.to_string()));
            }
        };
        since_event.store(0, Ordering::Relaxed);
        let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
        match assembly.add(event.event.as_deref(), &data, ids, &mut shown) {
            Ok(Progress::Going) => {}
            Ok(Progress::Settled) => settled = true,
            Ok(Progress::Complete(turn)) => {
                show(events, &mut shown).await;
                // Read to its end, a connection can be used again. Nobody waits long for that.
                hurry.store(true, Ordering::Relaxed);
                let rest = async { while decoder.next().await.is_some() {} };
                let _ = timeout(REST_UNREAD, rest).await;
                return Ok(turn);
            }
            Ok(Progress::Error(error)) => {
                show(events, &mut shown).await;
                let error = ProviderError::new(&error, secret);
                return Err(if assembly.is_untouched() {
                    failure::first_event(&error, request_id)
                } else {
                    Failure::last(ModelError::Interrupted(error.describe(None, request_id)))
                });
            }
            Err(broken) => {
                show(events, &mut shown).await;
                return Err(cut(broken.to_string()));
            }
        }
    }
}

/// Sends on what may be shown, neighbouring deltas as one. Nobody may be looking any more: the turn goes on for
/// the record.
async fn show(events: &mpsc::Sender<ModelEvent>, shown: &mut Vec<ModelEvent>) {
    let mut before: Option<ModelEvent> = None;
    for event in shown.drain(..) {
        before = match before.take() {
            None => Some(event),
            Some(mut before) => match before.join(event) {
                Ok(()) => Some(before),
                Err(event) => {
                    let _ = events.send(before).await;
                    Some(event)
                }
            },
        };
    }
    if let Some(last) = before {
        let _ = events.send(last).await;
    }
}

/// An error with its causes: the client's own words name only the outermost.
pub fn chain(error: impl Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
