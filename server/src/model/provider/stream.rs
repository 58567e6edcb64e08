//! Reads one streamed answer to its end.

use std::error::Error;
use std::future::ready;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures::stream::{StreamExt, TryStreamExt, try_unfold};
use reqwest::Response;
use sse_stream::SseByteStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::failure::{self, Failure, ProviderError};
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

/// How long to wait for the next bytes.
pub struct Patience {
    pub first_byte: Duration,
    pub between_chunks: Duration,
}

/// Why no more bytes come.
#[derive(Debug, thiserror::Error)]
enum Break {
    #[error("nothing came for {0:?}")]
    Silence(Duration),
    #[error("the connection broke: {0}")]
    Connection(String),
    #[error("{0} is too large")]
    TooLarge(&'static str),
}

/// Returns the turn once it is proved complete. Sets `begun` with the first byte: until then another
/// attempt loses nothing.
///
/// # Errors
/// Everything else, also with HTTP 200.
pub async fn read<A: Assembly>(
    response: Response,
    mut assembly: A,
    patience: Patience,
    secret: &str,
    ids: &dyn Ids,
    events: &mpsc::Sender<ModelEvent>,
    begun: &AtomicBool,
) -> Result<ModelTurn, Failure> {
    let request_id = failure::request_id(&response);
    let (since_event, in_all) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let chunks = try_unfold((response, patience.first_byte), |(mut response, wait)| async move {
        match timeout(wait, response.chunk()).await {
            Ok(Ok(chunk)) => Ok(chunk.map(|chunk| (chunk, (response, patience.between_chunks)))),
            Ok(Err(error)) => Err(Break::Connection(chain(error.without_url()))),
            Err(_) => Err(Break::Silence(wait)),
        }
    })
    .and_then(|chunk| {
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
        let next =
            if settled { timeout(REST, decoder.next()).await.unwrap_or(None) } else { decoder.next().await };
        let event = match next {
            Some(Ok(event)) => event,
            Some(Err(error)) if !settled => return Err(cut(error.to_string())),
            Some(Err(_)) | None => return assembly.end().map_err(|broken| cut(broken.to_string())),
        };
        since_event.store(0, Ordering::Relaxed);
        let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
        let progress = assembly.add(event.event.as_deref(), &data, ids, &mut shown);
        for event in shown.drain(..) {
            show(events, event).await;
        }
        match progress {
            Ok(Progress::Going) => {}
            Ok(Progress::Settled) => settled = true,
            Ok(Progress::Complete(turn)) => {
                // Read to its end, a connection can be used again. Nobody waits long for that.
                let rest = async { while decoder.next().await.is_some() {} };
                let _ = timeout(REST_UNREAD, rest).await;
                return Ok(turn);
            }
            Ok(Progress::Error(error)) => {
                let error = ProviderError::new(&error, secret);
                return Err(if assembly.is_untouched() {
                    failure::first_event(&error, &request_id)
                } else {
                    Failure::last(ModelError::Interrupted(error.describe(None, &request_id)))
                });
            }
            Err(broken) => return Err(cut(broken.to_string())),
        }
    }
}

/// Nobody may be looking any more: the turn goes on for the record.
pub async fn show(events: &mpsc::Sender<ModelEvent>, event: ModelEvent) {
    let _ = events.send(event).await;
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
