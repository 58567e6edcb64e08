//! Sees what goes over the wire, byte by byte, for whoever records it.

use std::sync::Arc;

use futures::StreamExt;
use reqwest::header::HeaderMap;
use reqwest::{Body, Response, Url};

/// Hears of every attempt of every call.
pub trait Tap: Send + Sync {
    /// A request leaves. The headers hold the key, marked as sensitive.
    fn sent(&self, address: &Url, headers: &HeaderMap, body: &[u8]) -> Box<dyn TappedAnswer>;
}

/// Hears of one answer, until it is dropped.
pub trait TappedAnswer: Send {
    fn head(&mut self, status: u16, headers: &HeaderMap);
    /// A piece of the body, as it came from the connection.
    fn chunk(&mut self, bytes: &[u8]);
    /// The body has come to its end; without this it broke, or nobody read on.
    fn end(&mut self);
}

/// A tap, where there is one.
#[derive(Clone, Default)]
pub struct MaybeTap(pub Option<Arc<dyn Tap>>);

impl MaybeTap {
    pub fn sent(&self, address: &Url, headers: &HeaderMap, body: &[u8]) -> Option<Box<dyn TappedAnswer>> {
        self.0.as_ref().map(|tap| tap.sent(address, headers, body))
    }
}

/// The same answer, whose bytes pass by the tap when they are read.
pub fn pass_by(response: Response, tapped: Option<Box<dyn TappedAnswer>>) -> Response {
    let Some(mut tapped) = tapped else { return response };
    tapped.head(response.status().as_u16(), response.headers());
    let (status, headers) = (response.status(), response.headers().clone());
    let bytes = response.bytes_stream().map(Some).chain(futures::stream::iter([None]));
    let seen = bytes.filter_map(move |chunk| {
        match &chunk {
            Some(Ok(bytes)) => tapped.chunk(bytes),
            Some(Err(_)) => {}
            None => tapped.end(),
        }
        std::future::ready(chunk)
    });
    let mut passed = axum::http::Response::new(Body::wrap_stream(seen));
    *passed.status_mut() = status;
    *passed.headers_mut() = headers;
    passed.into()
}
