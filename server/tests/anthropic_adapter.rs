//! The adapter for Anthropic's Messages API against an HTTP server that answers as recorded.

#[path = "anthropic_adapter/completeness.rs"]
mod completeness;
#[path = "anthropic_adapter/errors.rs"]
mod errors;
#[path = "anthropic_adapter/provider.rs"]
mod provider;
#[path = "anthropic_adapter/recorded.rs"]
mod recorded;
#[path = "anthropic_adapter/request.rs"]
mod request;
#[path = "anthropic_adapter/stream.rs"]
mod stream;
mod support;
