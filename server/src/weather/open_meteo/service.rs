//! One of Open-Meteo's services over HTTP: a question, an answer in JSON, or why there is none.

use std::time::Duration;

use reqwest::{Client, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::text::clean;
use super::{OpenMeteoSetupError, Timeouts};
use crate::outbound;

/// Ten places or eight days are a few kilobytes.
const MAX_BODY: usize = 256 * 1024;

/// Characters of a stranger's text that the log gets.
const MAX_REASON: usize = 300;

/// Before the second and last attempt.
const PAUSE: Duration = Duration::from_millis(200);

pub struct Service {
    client: Client,
    endpoint: Url,
}

/// Why there is no answer; for the log.
#[derive(Debug, thiserror::Error)]
#[error("{endpoint}: {why}")]
pub struct Failure {
    /// Host and path alone: no name and password, no question.
    pub endpoint: String,
    pub why: Why,
}

#[derive(Debug, thiserror::Error)]
pub enum Why {
    /// It was not reached, or the connection broke.
    #[error("{0}")]
    Connection(String),
    #[error("no complete answer in time")]
    TimedOut,
    /// Also where it redirects: nobody follows.
    #[error("it answered {status}: {reason:?}")]
    Status { status: StatusCode, reason: String },
    #[error("its answer is longer than {MAX_BODY} bytes")]
    TooLarge,
    #[error("its answer cannot be used: {0}")]
    Malformed(String),
}

impl Why {
    /// Whether another attempt may go better and harms nobody: what was asked for too often is not
    /// asked for again, and what took all the time has left none.
    fn may_pass(&self) -> bool {
        match self {
            Self::Connection(_) => true,
            Self::Status { status, .. } => status.is_server_error(),
            Self::TimedOut | Self::TooLarge | Self::Malformed(_) => false,
        }
    }
}

impl Service {
    /// # Errors
    /// A base address that is none, no usable TLS roots.
    pub fn new(base: &str, path: &str, timeouts: Timeouts) -> Result<Self, OpenMeteoSetupError> {
        let endpoint = Url::parse(&format!("{}{path}", base.trim_end_matches('/'))).ok();
        let endpoint = endpoint
            .filter(|endpoint| matches!(endpoint.scheme(), "http" | "https"))
            .ok_or_else(|| OpenMeteoSetupError::Address(base.to_owned()))?;
        let client = outbound::client(&endpoint).connect_timeout(timeouts.connect).timeout(timeouts.whole);
        let client = client.build().map_err(|error| OpenMeteoSetupError::Client(error.to_string()))?;
        Ok(Self { client, endpoint })
    }

    /// The address of one question; also what it is remembered by.
    pub fn address(&self, query: &[(&str, String)]) -> Url {
        let mut address = self.endpoint.clone();
        address.query_pairs_mut().extend_pairs(query);
        address
    }

    /// Asks, at most twice.
    ///
    /// # Errors
    /// Everything but an answer of this shape.
    pub async fn get<T: DeserializeOwned>(&self, address: &Url) -> Result<T, Failure> {
        match self.ask(address).await {
            Err(why) if why.may_pass() => {
                tracing::warn!(endpoint = self.name(), "Open-Meteo is asked again: {why}");
                tokio::time::sleep(PAUSE).await;
                self.ask(address).await
            }
            outcome => outcome,
        }
        .map_err(|why| self.failure(why))
    }

    pub fn malformed(&self, why: impl Into<String>) -> Failure {
        self.failure(Why::Malformed(why.into()))
    }

    fn failure(&self, why: Why) -> Failure {
        Failure { endpoint: self.name(), why }
    }

    fn name(&self) -> String {
        format!("{}{}", self.endpoint.origin().ascii_serialization(), self.endpoint.path())
    }

    async fn ask<T: DeserializeOwned>(&self, address: &Url) -> Result<T, Why> {
        let response = self.client.get(address.clone()).send().await.map_err(broken)?;
        let status = response.status();
        let body = match body(response).await {
            Ok(body) => body,
            // The status alone is answer enough.
            Err(_) if !status.is_success() => Vec::new(),
            Err(why) => return Err(why),
        };
        let json: Result<Value, _> = serde_json::from_slice(&body);
        if !status.is_success() {
            let reason = json.ok().and_then(|json| reason(&json));
            let reason = reason.unwrap_or_else(|| clean(&String::from_utf8_lossy(&body), MAX_REASON));
            return Err(Why::Status { status, reason });
        }
        let json = json.map_err(|error| malformed(&error))?;
        // A list would be taken for an object's fields in their order.
        if !json.is_object() || json["error"] == true {
            let reason = reason(&json).unwrap_or_else(|| "it is no JSON object".to_owned());
            return Err(Why::Malformed(reason));
        }
        serde_json::from_value(json).map_err(|error| malformed(&error))
    }
}

/// What `{"error": true, "reason": …}` says. It repeats what was asked.
fn reason(json: &Value) -> Option<String> {
    json.get("reason").and_then(Value::as_str).map(|reason| clean(reason, MAX_REASON))
}

async fn body(mut response: Response) -> Result<Vec<u8>, Why> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(Why::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn broken(error: reqwest::Error) -> Why {
    if error.is_timeout() && !error.is_connect() {
        return Why::TimedOut;
    }
    // The client's own words name only the outermost; the address holds what the guest wrote.
    let error = error.without_url();
    let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    Why::Connection(causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}")))
}

/// Such an error may quote the answer.
fn malformed(error: &serde_json::Error) -> Why {
    Why::Malformed(clean(&error.to_string(), MAX_REASON))
}
