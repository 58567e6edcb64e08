//! The adapter for Chat Completions against an HTTP server. What servers stream is in `transcripts.rs`.

mod openai_chat_adapter {
    mod booking;
    mod dialects;
    mod failures;
    mod provider;
    mod request;
    mod round_trip;
}
mod support;
