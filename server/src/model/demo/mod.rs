//! The demo model: a scripted model that is a real HTTP server and speaks Anthropic's Messages API with
//! streaming, so that the product's default path runs through the real adapter.
//!
//! **Invariant:** its answer is a pure function of the request. It has no clock (the time is what the
//! last server line says), no randomness and no memory: the dialogue is read anew from the history.
//!
//! Request → [`rules`] (refuses what the real API refuses) → [`conversation`] (who said what) →
//! [`nlu`] (what a text means) → [`frame`], [`plan`], [`errand`] and [`orders`] (what shall be done) → [`dialogue`]
//! and [`personas`] (the turn) → [`stream`].

mod conversation;
mod dialogue;
mod errand;
mod error;
mod frame;
mod heard;
mod http;
mod news;
mod nlu;
mod orders;
mod persona;
mod personas;
mod plan;
mod reply;
mod request;
mod rules;
mod stream;
#[cfg(test)]
mod tests;
mod words;

use axum::serve::ListenerExt;

pub use http::router;
pub use persona::Persona;

/// Serves the demo model on the listener until the future is dropped. `pace` 1.0 is a human pace; 0 is
/// as fast as possible.
pub async fn serve(listener: tokio::net::TcpListener, pace: f64) -> std::io::Result<()> {
    // Small events must not wait for more of them.
    let listener = listener.tap_io(|connection| {
        if let Err(error) = connection.set_nodelay(true) {
            tracing::debug!(%error, "the demo model's connection keeps its delay");
        }
    });
    axum::serve(listener, router(pace)).await
}
