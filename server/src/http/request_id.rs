//! Each request has an id: in its log lines, in its answer's header, in its problem.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use super::AppState;

#[derive(Clone, Debug)]
pub struct RequestId(pub String);

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

pub async fn give(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = state.ids.next();
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!(
        "request",
        request.id = %id,
        http.method = %request.method(),
        url.path = request.uri().path()
    );
    let mut response = next.run(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(HEADER, value);
    }
    response
}
