//! The adapter for OpenAI's Responses API. What its events become is in `transcripts`; here is what is sent, what
//! is kept to be sent back, and what becomes of failures.

#[path = "openai_responses_adapter/errors.rs"]
mod errors;
#[path = "openai_responses_adapter/kept.rs"]
mod kept;
#[path = "openai_responses_adapter/recorded.rs"]
mod recorded;
#[path = "openai_responses_adapter/request.rs"]
mod request;
mod support;
