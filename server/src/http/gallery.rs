//! The designers' gallery: pages without script, without a session and without a guest's data.

use app::gallery::{GalleryData, Motion, TextSize, Theme, Width, Wish, gallery_shell};
use app::i18n::Lang;
use axum::extract::{Path, Query, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::{Html, IntoResponse, Response};
use leptos::prelude::{Owner, RenderHtml};
use serde::Deserialize;

use super::AppState;
use super::problem::ApiError;

#[derive(Default, Deserialize)]
pub struct Asked {
    tool: Option<String>,
    state: Option<String>,
    lang: Option<String>,
    theme: Option<String>,
    width: Option<String>,
    text: Option<String>,
    motion: Option<String>,
}

/// No script at all; specimens may stand in frames of the gallery itself.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; frame-src 'self'; \
     frame-ancestors 'self'; base-uri 'none'; form-action 'self'",
);

pub async fn overview(
    State(state): State<AppState>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    render(&state, GalleryData { wish: asked.into(), specimen: None })
}

pub async fn specimen(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    render(&state, GalleryData { wish: asked.into(), specimen: Some(name) })
}

fn render(state: &AppState, data: GalleryData) -> Result<Response, ApiError> {
    if !state.gallery || !data.exists() {
        return Err(ApiError::not_found());
    }
    let page = Owner::new().with(|| gallery_shell(&state.leptos, &data).to_html());
    Ok(([(CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response())
}

impl From<Asked> for Wish {
    fn from(asked: Asked) -> Self {
        let some = |text: Option<String>| text.filter(|text| !text.is_empty());
        Self {
            lang: asked.lang.as_deref().and_then(Lang::parse).unwrap_or_default(),
            theme: Theme::read(asked.theme.as_deref()),
            width: Width::read(asked.width.as_deref()),
            text: TextSize::read(asked.text.as_deref()),
            motion: Motion::read(asked.motion.as_deref()),
            tool: some(asked.tool),
            state: some(asked.state),
        }
    }
}
