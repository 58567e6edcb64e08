//! Tokens, in our way of counting.

use serde_json::Value;
use shared::run::Usage;

use crate::model::provider::MAX_TOKENS;

/// The protocol's counts are totals: the last that comes is the one that counts. What was read from the cache is
/// part of the prompt there, and beside it with us.
pub fn counted(usage: &Value) -> Usage {
    let tokens = |pointer: &str| usage.pointer(pointer)?.as_u64().map(|tokens| tokens.min(MAX_TOKENS));
    let prompt = tokens("/prompt_tokens").unwrap_or_default();
    let cached = tokens("/prompt_tokens_details/cached_tokens");
    // DeepSeek's name for the same.
    let cached = cached.or_else(|| tokens("/prompt_cache_hit_tokens")).map(|cached| cached.min(prompt));
    Usage {
        input_tokens: prompt - cached.unwrap_or_default(),
        output_tokens: tokens("/completion_tokens").unwrap_or_default(),
        cache_read_tokens: cached,
        cache_write_tokens: None,
    }
}
