//! Cross-site requests are refused; every answer carries its security headers.

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, Response, StatusCode};
use axum::middleware::Next;
use axum::response::IntoResponse;
use tower_http::csrf::{CsrfLayer, ProtectionError};

use super::problem::ApiError;

/// Refuses what another site's page sends, by `Sec-Fetch-Site` and `Origin`.
pub fn cross_site(public_url: Option<&str>) -> CsrfLayer<fn(ProtectionError) -> Response<Body>> {
    let layer = CsrfLayer::new().with_rejection_response(refuse as fn(ProtectionError) -> Response<Body>);
    match public_url.map(|url| layer.clone().add_trusted_origin(url)) {
        Some(Ok(trusting)) => trusting,
        // Checked when the settings were read.
        Some(Err(_)) | None => layer,
    }
}

fn refuse(error: ProtectionError) -> Response<Body> {
    tracing::warn!("cross-site request refused: {error}");
    ApiError::new(StatusCode::FORBIDDEN, "cross-site", "Requests from other sites are refused.")
        .into_response()
}

/// What holds for every answer; a page brings a content security policy of its own.
pub async fn headers(request: Request, next: Next) -> Response<Body> {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=()"),
    );
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; base-uri 'none'"));
    // What was answered to one guest is nobody else's; files are asked for again, and answered with 304.
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-cache"));
    response
}

/// The policy of a page with scripts of this nonce. `reload_socket`: where `cargo leptos watch` tells
/// of changes, for designers only.
pub fn page_policy(nonce: &str, reload_socket: Option<&str>) -> String {
    let reload_socket = reload_socket.unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; \
         style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self' {reload_socket}; \
         manifest-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'self'"
    )
}
