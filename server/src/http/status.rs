//! What the house does at the moment: whether anything can be booked, and how to reach a person.

use axum::Json;
use axum::extract::State;
use shared::api::{Effects, ServiceStatus};

use super::AppState;
use super::problem::ApiError;
use super::session::MaybeGuest;

pub async fn show(
    State(state): State<AppState>,
    // Counts the request.
    MaybeGuest(_): MaybeGuest,
) -> Result<Json<ServiceStatus>, ApiError> {
    Ok(Json(of_now(&state).await))
}

pub async fn of_now(state: &AppState) -> ServiceStatus {
    let frozen = state.freeze.look().await;
    ServiceStatus {
        effects: if frozen.is_some() { Effects::Paused } else { Effects::On },
        reason: frozen.and_then(|frozen| frozen.reason),
        contact: state.contact.as_deref().map(str::to_owned),
    }
}
