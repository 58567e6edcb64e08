//! The product against somebody else's mock of a provider, which breaks what it is told to break and judges how we
//! take it. It does not judge what it is sent: that is done by the relay before it.

mod support;

mod llmock {
    mod broken_calls;
    mod broken_streams;
    mod busy_providers;
    mod mock;
    mod protocol;
    mod scene;
}
