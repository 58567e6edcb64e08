//! The provider's errors: which may pass by themselves, and what the log may say about them.

use std::time::Duration;

use chrono::Utc;
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::timeout;

use super::{RETRIES, retry};
use crate::model::ModelError;

/// An error's body is a few hundred bytes; of a stranger's page no more than this is read.
const MAX_BODY: usize = 64 * 1024;

/// Characters of the provider's message that the log gets.
const MAX_MESSAGE: usize = 500;

/// Limits that a person must raise: they answer 429, but waiting does not help. Anthropic's two, OpenAI's two.
const SPEND_LIMITS: [&str; 4] = [
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "insufficient_quota",
    "billing_hard_limit_reached",
];

/// OpenAI's code for a conversation that does not fit; Anthropic has none.
const CONTEXT_FULL: &str = "context_length_exceeded";

/// Groq's code for a call that its parser could not read: another answer may be better, a third is unlikely to.
/// https://console.groq.com/docs/tool-use
const CALL_UNREADABLE: &str = "tool_use_failed";

/// Why an attempt gave no turn.
pub struct Failure {
    pub error: ModelError,
    /// After how many retries a call that failed like this is given up; more than none only where nothing of
    /// an answer was shown, and the next attempt may go better.
    pub retries: u32,
    /// As the provider asked.
    pub wait: Option<Duration>,
}

impl Failure {
    pub fn transient(why: String) -> Self {
        Self { error: ModelError::Unavailable(why), retries: RETRIES, wait: None }
    }

    pub fn last(error: ModelError) -> Self {
        Self { error, retries: 0, wait: None }
    }
}

/// The `error` member of the provider's answer, made fit for the log.
#[derive(Default)]
pub struct ProviderError {
    kind: String,
    code: String,
    message: String,
}

impl ProviderError {
    /// `secret` is taken out wherever the provider repeats it.
    pub fn new(error: &Value, secret: &str) -> Self {
        let words = error.as_str().or_else(|| error.get("message")?.as_str());
        let text = |pointer| {
            let text = error.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
            for_log(text, secret)
        };
        Self {
            kind: text("/type"),
            code: match error.get("code") {
                Some(Value::Number(code)) => code.to_string(),
                Some(_) => text("/code"),
                None => text("/details/error_code"),
            },
            // Where the words stand elsewhere (`detail` of a server in Python), all of it is told.
            message: for_log(words.unwrap_or(&error.to_string()), secret),
        }
    }

    pub fn describe(&self, status: Option<StatusCode>, request_id: &str) -> String {
        let status = status.map(|status| status.as_u16().to_string()).unwrap_or_default();
        let words = [status.as_str(), &self.kind, &self.code].into_iter().filter(|word| !word.is_empty());
        let words = words.collect::<Vec<_>>().join(" ");
        let words = if words.is_empty() { "error" } else { &words };
        format!("{words}, request-id {request_id}: {}", self.message)
    }

    fn is_spend_limit(&self) -> bool {
        SPEND_LIMITS.iter().any(|limit| self.code == *limit || self.kind == *limit)
    }

    /// A status in place of a code, as some compatible servers have it.
    fn status(&self) -> Option<StatusCode> {
        self.code.parse().ok()
    }

    /// Where there is no code for it, the message is all there is, in the words of Anthropic or of a
    /// compatible server.
    fn is_context_full(&self) -> bool {
        if self.code == CONTEXT_FULL {
            return true;
        }
        let message = self.message.to_lowercase();
        message.contains("prompt is too long")
            || message.contains("maximum context length")
            // Gemini's.
            || message.contains("input token count") && message.contains("exceeds")
            || message.contains("context")
                && ["exceed", "too long", "too large"].iter().any(|word| message.contains(word))
    }
}

/// Reads an answer that is not 2xx, for at most `patience`.
pub async fn read(mut response: Response, patience: Duration, secret: &str) -> Failure {
    let status = response.status();
    let request_id = request_id(&response);
    let should_retry = retry::asked_to_retry(response.headers());
    let wait = retry::asked_wait(response.headers(), Utc::now());

    let mut body = Vec::new();
    // The status alone is answer enough: a body that breaks or hangs is read as far as it came.
    let _ = timeout(patience, async {
        while let Ok(Some(chunk)) = response.chunk().await {
            let room = MAX_BODY - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if body.len() == MAX_BODY {
                break;
            }
        }
    })
    .await;
    let error = match serde_json::from_slice::<Value>(&body) {
        Ok(json) => {
            // Gemini's compatible endpoint puts its error into a list.
            let json = json.get(0).unwrap_or(&json);
            ProviderError::new(json.get("error").unwrap_or(json), secret)
        }
        Err(_) => ProviderError {
            message: for_log(&String::from_utf8_lossy(&body), secret),
            ..ProviderError::default()
        },
    };

    let told = error.describe(Some(status), &request_id);
    if error.is_spend_limit() {
        return Failure::last(ModelError::Rejected(told));
    }
    let full = status == StatusCode::BAD_REQUEST && error.is_context_full();
    let retries = match should_retry {
        Some(true) => RETRIES,
        Some(false) => 0,
        None if is_transient(status) => RETRIES,
        None if error.code == CALL_UNREADABLE => 1,
        None => 0,
    };
    Failure { error: sort(is_transient(status), full, told), retries, wait }
}

fn is_transient(status: StatusCode) -> bool {
    matches!(status.as_u16(), 408 | 409 | 429) || status.is_server_error()
}

/// An `error` event before anything else: with HTTP 200, hence known by its type or code alone.
pub fn first_event(error: &ProviderError, request_id: &str) -> Failure {
    let told = error.describe(None, request_id);
    let permanent = error.is_spend_limit()
        || matches!(
            error.kind.as_str(),
            "invalid_request_error"
                | "authentication_error"
                | "billing_error"
                | "permission_error"
                | "not_found_error"
                | "request_too_large"
        )
        || error.status().is_some_and(|status| !is_transient(status));
    let full = !error.is_spend_limit() && error.is_context_full() && (permanent || error.kind.is_empty());
    let retries = if permanent || full { 0 } else { RETRIES };
    Failure { error: sort(!permanent, full, told), retries, wait: None }
}

fn sort(transient: bool, context_full: bool, told: String) -> ModelError {
    if context_full {
        ModelError::ContextFull(told)
    } else if transient {
        ModelError::Unavailable(told)
    } else {
        ModelError::Rejected(told)
    }
}

/// The provider's name for this exchange, to be quoted to its support.
pub fn request_id(response: &Response) -> String {
    let header = |name| response.headers().get(name);
    let id = header("request-id").or_else(|| header("x-request-id")).and_then(|value| value.to_str().ok());
    for_log(id.unwrap_or("unknown"), "")
}

/// One line of bounded length, without the key.
fn for_log(text: &str, secret: &str) -> String {
    // A short key ("x", for a local server) is no secret, and its letters are in every message.
    let text = if secret.len() < 8 { text.to_owned() } else { text.replace(secret, "[key]") };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MAX_MESSAGE).collect()
}
