//! The bytes of an answer, taken in gulps: whatever has gathered since the last one.

use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use futures::FutureExt;
use reqwest::Response;
use tokio::time::{Instant, sleep_until, timeout};

use super::stream::chain;

/// No two gulps are closer than this: what comes meanwhile waits in the system's buffers, where it costs
/// nothing. Far below what a reader could see; readers get what is committed, every 60 ms.
const PAUSE: Duration = Duration::from_millis(12);

/// Bytes of one gulp, about. Less than the largest event.
const LARGEST: usize = 256 * 1024;

/// How long to wait for the next bytes.
#[derive(Clone, Copy)]
pub struct Patience {
    pub first_byte: Duration,
    pub between_chunks: Duration,
}

/// Why no more bytes come.
#[derive(Debug, thiserror::Error)]
pub enum Break {
    #[error("nothing came for {0:?}")]
    Silence(Duration),
    #[error("the connection broke: {0}")]
    Connection(String),
    #[error("{0} is too large")]
    TooLarge(&'static str),
}

pub struct Gulps {
    response: Response,
    patience: Patience,
    last: Option<Instant>,
    /// Whether the rest is wanted at once.
    hurry: Arc<AtomicBool>,
    /// How it ended, seen while the gulp before was taken.
    end: Option<Result<(), Break>>,
}

impl Gulps {
    pub fn new(response: Response, patience: Patience, hurry: Arc<AtomicBool>) -> Self {
        Self { response, patience, last: None, hurry, end: None }
    }

    /// The next gulp; none at the proper end of the body.
    ///
    /// # Errors
    /// Silence for longer than there is patience, a broken connection.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Break> {
        if let Some(end) = self.end.take() {
            return end.map(|()| None);
        }
        let wait = match self.last {
            None => self.patience.first_byte,
            Some(last) => {
                if !self.hurry.load(Ordering::Relaxed) {
                    sleep_until(last + PAUSE).await;
                }
                self.patience.between_chunks
            }
        };
        let mut gulp = match timeout(wait, self.response.chunk()).await {
            Ok(Ok(Some(chunk))) => Vec::from(chunk),
            Ok(Ok(None)) => return Ok(None),
            Ok(Err(error)) => return Err(Break::Connection(chain(error.without_url()))),
            Err(_) => return Err(Break::Silence(wait)),
        };
        while gulp.len() < LARGEST {
            // The connection's task has its turn: it hands over one piece at a time.
            let_others_run().await;
            match self.response.chunk().now_or_never() {
                Some(Ok(Some(chunk))) => gulp.extend_from_slice(&chunk),
                Some(Ok(None)) => {
                    self.end = Some(Ok(()));
                    break;
                }
                Some(Err(error)) => {
                    self.end = Some(Err(Break::Connection(chain(error.without_url()))));
                    break;
                }
                None => break,
            }
        }
        self.last = Some(Instant::now());
        Ok(Some(gulp))
    }
}

/// The tasks that wait on this thread run first. Unlike `yield_now`, it asks the system for nothing new: that
/// would be once for every piece.
async fn let_others_run() {
    let mut have_run = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut have_run, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
