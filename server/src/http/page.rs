//! The page, rendered from the record; live from there on.

use app::{PageData, shell};
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use leptos::config::Env;
use leptos::context::provide_context;
use leptos::nonce::Nonce;
use serde::Deserialize;
use shared::ids::{ConversationId, UserId};
use shared::reduce::Conversation;

use super::problem::ApiError;
use super::session::{MaybeGuest, random_hex};
use super::{AppState, ModelChoice, handovers, language, security, status};
use crate::model::demo::Persona;

#[derive(Default, Deserialize)]
pub struct Asked {
    lang: Option<String>,
    persona: Option<String>,
}

/// Vietnam's offset: the house's clock, for "today" on the page.
const HOUSE_OFFSET_MINUTES: i32 = 7 * 60;

pub async fn home(
    State(state): State<AppState>,
    MaybeGuest(user): MaybeGuest,
    asked: Result<Query<Asked>, QueryRejection>,
    request: Request,
) -> Result<Response<Body>, ApiError> {
    let asked = understood(asked);
    let data = page_data(&state, user.as_ref(), &asked, request.headers()).await?;
    render(&state, StatusCode::OK, data, asked.lang.as_deref(), request).await
}

pub async fn conversation(
    State(state): State<AppState>,
    MaybeGuest(user): MaybeGuest,
    Path(id): Path<String>,
    asked: Result<Query<Asked>, QueryRejection>,
    request: Request,
) -> Result<Response<Body>, ApiError> {
    let asked = understood(asked);
    let mut data = page_data(&state, user.as_ref(), &asked, request.headers()).await?;
    let id = ConversationId(id);
    let owned = match &user {
        Some(user) => state.store.owns(user, &id).await?,
        None => false,
    };
    if !owned {
        data.not_found = true;
        return render(&state, StatusCode::NOT_FOUND, data, asked.lang.as_deref(), request).await;
    }
    data.conversation = state.store.view(&id).await?;
    let run = data.conversation.run.as_ref().map(|run| &run.run_id);
    data.handover = handovers::of_conversation(&state, &id, run).await?;
    data.conversation_id = Some(id);
    render(&state, StatusCode::OK, data, asked.lang.as_deref(), request).await
}

pub async fn not_found(
    State(state): State<AppState>,
    MaybeGuest(user): MaybeGuest,
    asked: Result<Query<Asked>, QueryRejection>,
    request: Request,
) -> Result<Response<Body>, ApiError> {
    let asked = understood(asked);
    let mut data = page_data(&state, user.as_ref(), &asked, request.headers()).await?;
    data.not_found = true;
    render(&state, StatusCode::NOT_FOUND, data, asked.lang.as_deref(), request).await
}

/// A query that makes no sense asks for nothing.
fn understood(asked: Result<Query<Asked>, QueryRejection>) -> Asked {
    asked.map(|Query(asked)| asked).unwrap_or_default()
}

async fn page_data(
    state: &AppState,
    user: Option<&UserId>,
    asked: &Asked,
    headers: &HeaderMap,
) -> Result<PageData, ApiError> {
    state.agent.expire_due().await?;
    let conversations = match user {
        Some(user) => state.store.conversations_of(user).await?,
        None => Vec::new(),
    };
    let demo_model = match state.model.as_ref() {
        ModelChoice::Demo { .. } => true,
        ModelChoice::Provider { .. } => false,
    };
    let persona = asked.persona.as_deref().and_then(Persona::parse);
    Ok(PageData {
        lang: language::choose(asked.lang.as_deref(), &CookieJar::from_headers(headers), headers),
        conversation_id: None,
        conversation: Conversation::default(),
        handover: None,
        conversations,
        demo_model,
        status: status::of_now(state).await,
        persona: persona.filter(|_| demo_model).map(|persona| persona.as_str().to_owned()),
        time_zone_offset_minutes: HOUSE_OFFSET_MINUTES,
        now: state.clock.now(),
        not_found: false,
    })
}

async fn render(
    state: &AppState,
    status: StatusCode,
    data: PageData,
    chosen_lang: Option<&str>,
    request: Request,
) -> Result<Response<Body>, ApiError> {
    let nonce = random_hex()?;
    let options = state.leptos.clone();
    let page = leptos_axum::render_app_to_stream_in_order_with_context(
        {
            let nonce = nonce.clone();
            move || {
                provide_context(data.clone());
                provide_context(Nonce::from_value(nonce.clone()));
            }
        },
        move || shell(options.clone()),
    );
    let mut response = page(request).await.into_response();
    *response.status_mut() = status;
    let reload_socket = match state.leptos.env {
        Env::DEV => Some(format!("ws://{}:{}", state.leptos.site_addr.ip(), state.leptos.reload_port)),
        Env::PROD => None,
    };
    let policy = security::page_policy(&nonce, reload_socket.as_deref());
    let policy = HeaderValue::from_str(&policy).map_err(ApiError::internal)?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    match chosen_lang.filter(|text| language::parse(text).is_some()) {
        Some(lang) => {
            let cookie =
                Cookie::build((language::COOKIE, lang.to_owned())).path("/").same_site(SameSite::Lax);
            Ok((CookieJar::new().add(cookie.permanent()), response).into_response())
        }
        None => Ok(response),
    }
}
