//! Anthropic's Messages API, streamed; also as compatible servers speak it.

mod assemble;
mod refusal;
mod request;
mod retry;
mod stream;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use reqwest::Url;
use reqwest::header::HeaderValue;
use tokio::sync::mpsc;
use tokio::time::timeout;

use self::refusal::Failure;
use super::{Model, ModelError, ModelEvent, ModelRequest, ModelTurn};
use crate::ids::Ids;
use crate::outbound;

/// The adapter's name: whose opaque blocks are sent back.
pub const PROTOCOL: &str = "anthropic";

/// The version of the API that this adapter was written for; the vendor changes within one only by
/// addition.
const API_VERSION: &str = "2026-10-21";

/// How often a failed call is made again.
const RETRIES: u32 = 2;

/// How one provider is reached.
#[derive(Clone)]
pub struct AnthropicSettings {
    /// Without `/v1`, as the official SDKs take it.
    pub base_url: String,
    pub api_key: String,
    /// Most tokens of one answer.
    pub max_tokens: u32,
    /// `low`, `medium`, `high`, … as the model knows them; unset: the model's own default.
    pub effort: Option<String>,
    pub timeouts: Timeouts,
}

/// By hand, so that the key cannot get into a log.
impl fmt::Debug for AnthropicSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, api_key: _, max_tokens, effort, timeouts } = self;
        f.debug_struct("AnthropicSettings")
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

/// Why the adapter cannot be set up; told at the start of the server.
#[derive(Debug, thiserror::Error)]
pub enum AnthropicSetupError {
    #[error("the model's base URL is not an http or https address")]
    BaseUrl,
    #[error("the API key holds characters that no HTTP header may hold")]
    ApiKey,
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

/// A model behind the Messages API.
pub struct Anthropic {
    client: reqwest::Client,
    address: Url,
    key: HeaderValue,
    settings: AnthropicSettings,
    ids: Arc<dyn Ids>,
}

impl Anthropic {
    /// Checks the settings; calls nobody.
    ///
    /// # Errors
    /// A base URL that is none, a key that does not fit into a header, no usable TLS roots (only
    /// where the base URL is https).
    pub fn new(settings: AnthropicSettings, ids: Arc<dyn Ids>) -> Result<Self, AnthropicSetupError> {
        let base = Url::parse(&settings.base_url).map_err(|_| AnthropicSetupError::BaseUrl)?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(AnthropicSetupError::BaseUrl);
        }
        let address = Url::parse(&format!("{}/v1/messages", base.as_str().trim_end_matches('/')))
            .map_err(|_| AnthropicSetupError::BaseUrl)?;
        let mut key = HeaderValue::from_str(&settings.api_key).map_err(|_| AnthropicSetupError::ApiKey)?;
        key.set_sensitive(true);

        let client = outbound::client(&address).connect_timeout(settings.timeouts.connect);
        let client = client.build().map_err(|error| AnthropicSetupError::Client(error.to_string()))?;
        Ok(Self { client, address, key, settings, ids })
    }

    async fn attempts(
        &self,
        body: Vec<u8>,
        events: &mpsc::Sender<ModelEvent>,
        begun: &AtomicBool,
    ) -> Result<ModelTurn, ModelError> {
        let mut retries = 0;
        loop {
            let failure = match self.attempt(body.clone(), events, begun).await {
                Ok(turn) => return Ok(turn),
                Err(failure) => failure,
            };
            if !failure.retry || retries == RETRIES {
                return Err(failure.error);
            }
            begun.store(false, Ordering::Relaxed);
            let wait = failure.wait.unwrap_or_else(|| retry::backoff(retries));
            retries += 1;
            tracing::warn!(attempt = retries, ?wait, error = %failure.error, "the model is called again");
            stream::show(events, ModelEvent::Retrying { attempt: retries }).await;
            tokio::time::sleep(wait).await;
        }
    }

    async fn attempt(
        &self,
        body: Vec<u8>,
        events: &mpsc::Sender<ModelEvent>,
        begun: &AtomicBool,
    ) -> Result<ModelTurn, Failure> {
        let started = Instant::now();
        let first_byte = self.settings.timeouts.first_byte;
        let call = self
            .client
            .post(self.address.clone())
            .header("x-api-key", self.key.clone())
            .header("anthropic-version", API_VERSION)
            .header("content-type", "application/json")
            .body(body)
            .send();
        let response = match timeout(first_byte, call).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(Failure::transient(stream::chain(error.without_url()))),
            Err(_) => return Err(Failure::transient(format!("no answer within {first_byte:?}"))),
        };
        if !response.status().is_success() {
            let left = first_byte.saturating_sub(started.elapsed());
            return Err(refusal::read(response, left, &self.settings.api_key).await);
        }
        let patience = stream::Patience {
            first_byte: first_byte.saturating_sub(started.elapsed()),
            between_chunks: self.settings.timeouts.between_chunks,
        };
        stream::read(response, patience, &self.settings.api_key, self.ids.as_ref(), events, begun).await
    }
}

#[async_trait]
impl Model for Anthropic {
    async fn turn(
        &self,
        request: ModelRequest,
        events: mpsc::Sender<ModelEvent>,
    ) -> Result<ModelTurn, ModelError> {
        let body = serde_json::to_vec(&request::body(&self.settings, &request))
            .map_err(|error| ModelError::Rejected(format!("the request is no JSON: {error}")))?;
        let begun = AtomicBool::new(false);
        let whole = self.settings.timeouts.whole;
        match timeout(whole, self.attempts(body, &events, &begun)).await {
            Ok(outcome) => outcome,
            Err(_) if begun.load(Ordering::Relaxed) => {
                Err(ModelError::Interrupted(format!("not complete within {whole:?}")))
            }
            Err(_) => Err(ModelError::Unavailable(format!("no answer within {whole:?}"))),
        }
    }
}
