//! The routes, and what stands around them: session, limits, headers, problems.

mod approvals;
mod body;
mod conversations;
mod events;
mod gallery;
mod handovers;
mod health;
mod language;
mod messages;
mod page;
mod problem;
mod rate;
mod request_id;
mod security;
mod session;
mod status;
mod tools;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use leptos::prelude::LeptosOptions;
use tokio_util::sync::CancellationToken;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;
use tower_http::timeout::RequestBodyTimeoutLayer;

use crate::agent::Agent;
use crate::clock::Clock;
use crate::freeze::Freeze;
use crate::ids::Ids;
use crate::store::Store;
use problem::ApiError;
pub use rate::Rates;

/// Bytes of a request's body: a message of 4,000 characters and an edited form fit many times.
const BODY_LIMIT: usize = 64 * 1024;

/// How long a body may pause on its way.
const BODY_PATIENCE: Duration = Duration::from_secs(15);

#[derive(Clone)]
pub struct AppState {
    pub agent: Agent,
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub rates: Arc<Rates>,
    pub model: Arc<ModelChoice>,
    /// Whether effects are refused at the moment.
    pub freeze: Arc<dyn Freeze>,
    /// How guests reach a person of the house, in one line.
    pub contact: Option<Arc<str>>,
    /// As browsers see it, where a proxy stands before us: `https://host`.
    pub public_url: Option<Arc<str>>,
    pub leptos: LeptosOptions,
    /// Whether designers' pages are there.
    pub gallery: bool,
    /// Ends the event streams, so that browsers reconnect elsewhere.
    pub shutdown: CancellationToken,
}

/// Which model a new conversation speaks with.
#[derive(Clone, Debug)]
pub enum ModelChoice {
    /// The demo model; the name is `demo/<persona>` where a conversation does not choose one.
    Demo {
        name: String,
    },
    Provider {
        name: String,
    },
}

pub fn router(state: AppState) -> Router {
    // Leptos spawns while it renders. Set already is as good.
    let _ = any_spawner::Executor::init_tokio();
    let api = Router::new()
        .route("/conversations", get(conversations::list).post(conversations::create))
        .route("/conversations/{id}", get(conversations::show))
        .route("/conversations/{id}/messages", post(messages::send))
        .route("/conversations/{id}/events", get(events::stream))
        .route("/conversations/{id}/approvals/{tool_call}", post(approvals::decide))
        .route("/conversations/{id}/stop", post(messages::stop))
        .route("/conversations/{id}/retry", post(messages::retry))
        .route("/conversations/{id}/handovers", post(handovers::send))
        .route("/status", get(status::show))
        .route("/tools", get(tools::list))
        .fallback(async || ApiError::not_found());

    let site = ServeDir::new(state.leptos.site_root.as_ref());
    Router::new()
        .nest("/api", api)
        .route("/", get(page::home))
        .route("/c/{id}", get(page::conversation))
        .route("/gallery", get(gallery::overview))
        .route("/gallery/{name}", get(gallery::specimen))
        .route("/healthz", get(health::alive))
        .route("/readyz", get(health::ready))
        .nest_service(
            "/pkg",
            ServeDir::new(format!("{}/{}", state.leptos.site_root, state.leptos.site_pkg_dir)),
        )
        .fallback_service(site.fallback(get(page::not_found).with_state(state.clone())))
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .layer(CompressionLayer::new())
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(RequestBodyTimeoutLayer::new(BODY_PATIENCE))
        .layer(security::cross_site(state.public_url.as_deref()))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(state.clone(), problem::finish))
        .layer(from_fn(security::headers))
        .layer(from_fn_with_state(state.clone(), request_id::give))
        .with_state(state)
}
