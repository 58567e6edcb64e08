//! What every protocol's adapter has in common: how a provider is reached, when a call is made again, how
//! an answer is read. What an adapter knows alone is its [`Protocol`] and its [`Assembly`].

mod failure;
mod gulps;
mod io;
mod names;
mod retry;
mod stream;
pub mod strict;
mod tap;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use axum::body::Bytes;
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::time::timeout;

use self::failure::Failure;
use self::gulps::Patience;
use self::io::IoThread;
pub use self::names::{CallNames, tool_name};
pub use self::tap::{MaybeTap, Tap, TappedAnswer};
use super::{Model, ModelError, ModelEvent, ModelRequest, ModelTurn};
use crate::ids::Ids;
use crate::outbound;

/// How often a failed call is made again.
const RETRIES: u32 = 2;

/// More tokens than any window holds: keeps sums of a stranger's numbers from overflowing.
pub const MAX_TOKENS: u64 = u32::MAX as u64;

/// What one protocol says about requests and answers.
pub trait Protocol: Send + Sync + 'static {
    /// The adapter's name: whose opaque blocks are sent back.
    const NAME: &'static str;
    /// Where calls go, behind the base URL.
    const PATH: &'static str;
    type Assembly: Assembly;

    fn new(settings: &ProviderSettings) -> Self;

    /// The headers beside the content's type. The key's value is marked as sensitive already; `None`: there
    /// is none, as with a server on one's own machine.
    fn headers(&self, key: Option<HeaderValue>) -> Vec<(HeaderName, HeaderValue)>;

    /// The body of one call. The same history gives the same bytes, and a longer one the same bytes first.
    ///
    /// # Errors
    /// What cannot be written as JSON.
    fn body(&self, settings: &ProviderSettings, request: &ModelRequest)
    -> Result<Vec<u8>, serde_json::Error>;

    /// What the answer's events are gathered in.
    fn assembly(&self, request: &ModelRequest) -> Self::Assembly;
}

/// Events to a turn. The protocol's proof of completeness is checked here and nowhere else.
pub trait Assembly: Send {
    /// Why the events contradict the protocol, for the log.
    type Broken: fmt::Display + Send;

    /// Nothing of an answer has come yet.
    fn is_untouched(&self) -> bool;

    /// Takes the next event: its name, where it has one, and its data, which is not empty. What may be shown
    /// of it goes to `shown`.
    ///
    /// # Errors
    /// Data that is no JSON, an event that lacks what the protocol says it has, or that does not fit to those
    /// before it: what they add up to cannot be known.
    fn add(
        &mut self,
        name: Option<&str>,
        data: &str,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<Progress, Self::Broken>;

    /// The turn, where the bytes have ended and what came before proves it complete.
    ///
    /// # Errors
    /// It does not.
    fn end(&mut self) -> Result<ModelTurn, Self::Broken>;
}

/// What an event leads to.
pub enum Progress {
    Going,
    /// The turn is proved complete; only what is no part of it (usage, the mark of the end) may follow.
    Settled,
    Complete(ModelTurn),
    /// The provider's error, unread.
    Error(Value),
}

/// How one provider is reached.
#[derive(Clone)]
pub struct ProviderSettings {
    /// As the protocol's official SDKs take it.
    pub base_url: String,
    /// Empty: none is sent.
    pub api_key: String,
    /// Most tokens of one answer.
    pub max_tokens: u32,
    /// `low`, `medium`, `high`, … as the model knows them; unset: the model's own default.
    pub effort: Option<String>,
    pub timeouts: Timeouts,
    /// Sees what goes over the wire.
    pub tap: MaybeTap,
}

/// By hand, so that the key cannot get into a log.
impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, api_key: _, max_tokens, effort, timeouts, tap: _ } = self;
        f.debug_struct("ProviderSettings")
            .field("base_url", base_url)
            .field("max_tokens", max_tokens)
            .field("effort", effort)
            .field("timeouts", timeouts)
            .finish_non_exhaustive()
    }
}

/// How long a call may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands; of one attempt.
    pub connect: Duration,
    /// From the start of an attempt until the first byte of the answer.
    pub first_byte: Duration,
    pub between_chunks: Duration,
    /// Over all attempts and waits.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(60),
            between_chunks: Duration::from_secs(60),
            whole: Duration::from_secs(600),
        }
    }
}

/// Why an adapter cannot be set up; told at the start of the server.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("the model's base URL is not an http or https address")]
    BaseUrl,
    #[error("the API key holds characters that no HTTP header may hold")]
    ApiKey,
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

/// A model behind one protocol.
pub struct Provider<P> {
    exchange: Arc<Exchange<P>>,
    io: IoThread,
}

/// What a call needs.
struct Exchange<P> {
    client: reqwest::Client,
    address: Url,
    headers: HeaderMap,
    settings: ProviderSettings,
    ids: Arc<dyn Ids>,
    protocol: P,
}

impl<P: Protocol> Provider<P> {
    /// Checks the settings; calls nobody.
    ///
    /// # Errors
    /// A base URL that is none, a key that does not fit into a header, no usable TLS roots (only
    /// where the base URL is https).
    pub fn new(settings: ProviderSettings, ids: Arc<dyn Ids>) -> Result<Self, SetupError> {
        let base = Url::parse(&settings.base_url).map_err(|_| SetupError::BaseUrl)?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(SetupError::BaseUrl);
        }
        let address = Url::parse(&format!("{}{}", base.as_str().trim_end_matches('/'), P::PATH))
            .map_err(|_| SetupError::BaseUrl)?;
        let key = if settings.api_key.is_empty() { None } else { Some(sensitive(&settings.api_key)?) };
        let protocol = P::new(&settings);
        let mut headers: HeaderMap = protocol.headers(key).into_iter().collect();
        headers.insert("content-type", HeaderValue::from_static("application/json"));

        let client = outbound::client(&address).connect_timeout(settings.timeouts.connect);
        let client = client.build().map_err(|error| SetupError::Client(error.to_string()))?;
        let io = IoThread::start().map_err(|error| SetupError::Client(error.to_string()))?;
        let exchange = Exchange { client, address, headers, settings, ids, protocol };
        Ok(Self { exchange: Arc::new(exchange), io })
    }

    /// Reads an answer that is there already, such as a recorded one, as one that comes: piece by piece.
    ///
    /// # Errors
    /// As [`Model::turn`]; nothing is tried again.
    pub async fn read(
        &self,
        request: &ModelRequest,
        pieces: Vec<Bytes>,
        events: &mpsc::Sender<ModelEvent>,
    ) -> Result<ModelTurn, ModelError> {
        let Exchange { settings, ids, protocol, .. } = self.exchange.as_ref();
        let assembly = protocol.assembly(request);
        let turn = stream::recorded(pieces, assembly, &settings.api_key, ids.as_ref(), events).await;
        turn.map_err(|failure| failure.error)
    }
}

impl<P: Protocol> Exchange<P> {
    async fn turn(
        &self,
        request: ModelRequest,
        events: mpsc::Sender<ModelEvent>,
    ) -> Result<ModelTurn, ModelError> {
        let body = self
            .protocol
            .body(&self.settings, &request)
            .map_err(|error| ModelError::Rejected(format!("the request is no JSON: {error}")))?;
        let begun = AtomicBool::new(false);
        let whole = self.settings.timeouts.whole;
        match timeout(whole, self.attempts(&request, Bytes::from(body), &events, &begun)).await {
            Ok(outcome) => outcome,
            Err(_) if begun.load(Ordering::Relaxed) => {
                Err(ModelError::Interrupted(format!("not complete within {whole:?}")))
            }
            Err(_) => Err(ModelError::Unavailable(format!("no answer within {whole:?}"))),
        }
    }

    async fn attempts(
        &self,
        request: &ModelRequest,
        body: Bytes,
        events: &mpsc::Sender<ModelEvent>,
        begun: &AtomicBool,
    ) -> Result<ModelTurn, ModelError> {
        let mut retries = 0;
        loop {
            let failure = match self.attempt(request, body.clone(), events, begun).await {
                Ok(turn) => return Ok(turn),
                Err(failure) => failure,
            };
            if retries >= failure.retries {
                return Err(failure.error);
            }
            begun.store(false, Ordering::Relaxed);
            let wait = failure.wait.unwrap_or_else(|| retry::backoff(retries));
            retries += 1;
            tracing::warn!(attempt = retries, ?wait, error = %failure.error, "the model is called again");
            // Nobody may be looking any more: the turn goes on for the record.
            let _ = events.send(ModelEvent::Retrying { attempt: retries }).await;
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(
        &self,
        request: &ModelRequest,
        body: Bytes,
        events: &mpsc::Sender<ModelEvent>,
        begun: &AtomicBool,
    ) -> Result<ModelTurn, Failure> {
        let started = Instant::now();
        let first_byte = self.settings.timeouts.first_byte;
        let tapped = self.settings.tap.sent(&self.address, &self.headers, &body);
        let call = self.client.post(self.address.clone()).headers(self.headers.clone()).body(body).send();
        let response = match timeout(first_byte, call).await {
            Ok(Ok(response)) => tap::pass_by(response, tapped),
            Ok(Err(error)) => return Err(Failure::transient(stream::chain(error.without_url()))),
            Err(_) => return Err(Failure::transient(format!("no answer within {first_byte:?}"))),
        };
        if !response.status().is_success() {
            let left = first_byte.saturating_sub(started.elapsed());
            return Err(failure::read(response, left, &self.settings.api_key).await);
        }
        let patience = Patience {
            first_byte: first_byte.saturating_sub(started.elapsed()),
            between_chunks: self.settings.timeouts.between_chunks,
        };
        let assembly = self.protocol.assembly(request);
        stream::read(response, assembly, patience, &self.settings.api_key, self.ids.as_ref(), events, begun)
            .await
    }
}

fn sensitive(key: &str) -> Result<HeaderValue, SetupError> {
    let mut key = HeaderValue::from_str(key).map_err(|_| SetupError::ApiKey)?;
    key.set_sensitive(true);
    Ok(key)
}

#[async_trait]
impl<P: Protocol> Model for Provider<P> {
    async fn turn(
        &self,
        request: ModelRequest,
        events: mpsc::Sender<ModelEvent>,
    ) -> Result<ModelTurn, ModelError> {
        let exchange = self.exchange.clone();
        let turn = self.io.run(async move { exchange.turn(request, events).await }).await;
        turn.unwrap_or_else(|| {
            Err(ModelError::Unavailable("the thread for the provider has ended".to_owned()))
        })
    }
}
