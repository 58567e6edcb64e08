use axum::extract::State;
use axum::http::StatusCode;

use super::AppState;

pub async fn alive() -> &'static str {
    "alive\n"
}

pub async fn ready(State(state): State<AppState>) -> (StatusCode, &'static str) {
    if state.store.is_ready().await {
        (StatusCode::OK, "ready\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
    }
}
