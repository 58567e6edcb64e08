//! What to try when the model did not answer, from what was really sent back.

use super::check::Outcome;
use super::judging::LARGER_CONTEXT;
use crate::model::ModelError;
use crate::model::transcript::Exchange;
use crate::settings::{ModelKind, Settings};
use crate::text::one_line;

/// Characters of the provider's words that are shown.
const SHOWN: usize = 300;

/// A call that gave no turn. `last`: the last exchange with the provider.
pub fn no_turn(error: &ModelError, last: Option<&Exchange>, settings: &Settings) -> Outcome {
    let note = one_line(&error.to_string(), SHOWN);
    Outcome::Failed { note, advice: advice(error, last, settings) }
}

fn advice(error: &ModelError, last: Option<&Exchange>, settings: &Settings) -> String {
    let answer = last.and_then(|last| last.answer.as_ref());
    let body =
        answer.map(|answer| String::from_utf8_lossy(&answer.body()).to_lowercase()).unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
    let url = settings.model_url.as_deref().unwrap_or("the provider's own");
    match (error, answer.map(|answer| answer.status)) {
        (ModelError::ContextFull(_), _) => LARGER_CONTEXT.to_owned(),
        (_, Some(401 | 403)) => {
            format!(
                "set {} to a key that this service takes, for this model too",
                key_setting(settings.model)
            )
        }
        (_, Some(404 | 400 | 422))
            if says(&["model"]) && says(&["not found", "not_found", "does not exist", "unknown model"]) =>
        {
            format!(
                "set TRUTHTABLE_MODEL_NAME to a model that is there; {:?} is not",
                settings.model_name.as_deref().unwrap_or_default()
            )
        }
        (_, Some(400 | 404 | 422 | 501)) if says(&["tool", "function call"]) => {
            "take a model that can call tools, or tell its server to let it (llama.cpp: --jinja, vLLM: \
             --enable-auto-tool-choice and --tool-call-parser)"
                .to_owned()
        }
        (_, Some(300..=399 | 404 | 405)) => {
            format!("set TRUTHTABLE_MODEL_URL to the API's base address; {}", base_url(settings, url))
        }
        (_, Some(402)) => "see to the account's balance at the provider".to_owned(),
        (ModelError::Rejected(_), Some(429)) => {
            "see to the account's limits at the provider: waiting does not help".to_owned()
        }
        (_, Some(408 | 409 | 429 | 500..=599)) => {
            "try again later: the service is busy or has a problem of its own".to_owned()
        }
        (ModelError::Rejected(_), Some(400 | 413 | 422)) => format!(
            "read what the service says; where it does not know a field, TRUTHTABLE_EFFORT may have to be left out, or \
             TRUTHTABLE_MAX_TOKENS ({}) be lower",
            settings.max_tokens
        ),
        (ModelError::Interrupted(_), Some(_)) | (ModelError::Unavailable(_), Some(200..=299)) => format!(
            "check that {url} speaks the protocol that TRUTHTABLE_MODEL names, that nothing between here and there breaks \
             long answers, and then {}",
            base_url(settings, url)
        ),
        (_, Some(_)) => format!("read what the service says; {}", base_url(settings, url)),
        (_, None) => format!(
            "check that the service runs and can be reached from this machine: nobody answered at {url}"
        ),
    }
}

fn key_setting(model: ModelKind) -> &'static str {
    match model {
        ModelKind::Demo | ModelKind::Anthropic => "ANTHROPIC_API_KEY",
    }
}

/// What the base address has to look like.
fn base_url(settings: &Settings, url: &str) -> String {
    match settings.model {
        ModelKind::Demo | ModelKind::Anthropic if url.ends_with("/v1") => {
            format!("leave /v1 out of {url}: it is put behind")
        }
        ModelKind::Demo | ModelKind::Anthropic => {
            format!("/v1/messages is put behind it, so without /v1 (it is {url})")
        }
    }
}
