use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;

use super::AppState;
use super::problem::Said;

pub async fn alive() -> &'static str {
    "alive\n"
}

pub async fn ready(State(state): State<AppState>) -> (StatusCode, Extension<Said>, &'static str) {
    if state.store.is_ready().await {
        (StatusCode::OK, Extension(Said), "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, Extension(Said), "the database does not answer\n")
    }
}
