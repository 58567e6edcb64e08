//! What the provider tells beside the answer: its errors, and what it counted.

use serde_json::{Value, json};
use shared::run::Usage;

use crate::model::provider::MAX_TOKENS;

/// Codes of failures that would come again. https://developers.openai.com/api/reference/resources/responses
const PERMANENT: [&str; 6] = [
    "bio_policy",
    "context_length_exceeded",
    "data_residency_mismatch",
    "invalid_prompt",
    "misalignment_policy_violation",
    "model_not_found",
];

/// The provider's error, in the form that the other protocols have: here it stands at the top of its event, or,
/// of servers that took over the other form, below `error`.
pub fn error(told: Value) -> Value {
    let told = match told.get("error") {
        Some(nested @ Value::Object(_)) => nested,
        Some(_) | None => &told,
    };
    let code = told["code"].as_str().unwrap_or_default();
    let kind = match told["type"].as_str() {
        Some("error") | None if PERMANENT.contains(&code) => "invalid_request_error",
        Some("error") | None => "",
        Some(kind) => kind,
    };
    json!({ "type": kind, "code": told["code"], "message": told["message"] })
}

/// Here what was read from the cache and what was written to it is part of the input.
pub fn usage(told: &Value) -> Usage {
    let tokens = |pointer: &str| {
        let tokens = told.pointer(pointer).and_then(Value::as_u64);
        tokens.map(|tokens| tokens.min(MAX_TOKENS))
    };
    let input = tokens("/input_tokens").unwrap_or_default();
    let read = tokens("/input_tokens_details/cached_tokens").map(|read| read.min(input));
    let rest = input - read.unwrap_or_default();
    let written = tokens("/input_tokens_details/cache_write_tokens").map(|written| written.min(rest));
    Usage {
        input_tokens: rest - written.unwrap_or_default(),
        output_tokens: tokens("/output_tokens").unwrap_or_default(),
        cache_read_tokens: read,
        cache_write_tokens: written,
    }
}
