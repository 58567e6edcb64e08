//! Who the guest is: from a random token in a cookie, stored hashed.

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use rand::TryRngCore;
use rand::rngs::OsRng;
use shared::ids::{ConversationId, UserId};
use std::net::SocketAddr;
use time::Duration;

use super::problem::ApiError;
use super::{AppState, ModelChoice};
use crate::orders;
use crate::store::hash_token;

/// The guest of the request, if there is a session.
pub struct MaybeGuest(pub Option<UserId>);

/// The guest of the request; without a session nothing is theirs, so nothing is found.
pub struct Guest(pub UserId);

const SESSION_DAYS: i64 = 90;

impl FromRequestParts<AppState> for MaybeGuest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let jar = CookieJar::from_headers(&parts.headers);
        let user = match jar.get(cookie_name(state)) {
            Some(cookie) => state.store.user_of_session(&hash_token(cookie.value())).await?,
            None => None,
        };
        let key = match (&user, parts.extensions.get::<ConnectInfo<SocketAddr>>()) {
            (Some(user), _) => user.0.clone(),
            (None, Some(ConnectInfo(peer))) => peer.ip().to_string(),
            (None, None) => String::new(),
        };
        state.rates.request(&key)?;
        Ok(Self(user))
    }
}

impl FromRequestParts<AppState> for Guest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        let MaybeGuest(user) = MaybeGuest::from_request_parts(parts, state).await?;
        user.map(Self).ok_or_else(ApiError::not_found)
    }
}

impl Guest {
    /// A conversation of this guest; another one does not exist for them.
    pub async fn owned(&self, state: &AppState, id: String) -> Result<ConversationId, ApiError> {
        let id = ConversationId(id);
        if state.store.owns(&self.0, &id).await? { Ok(id) } else { Err(ApiError::not_found()) }
    }
}

/// Makes a guest, with the cookie that names their session.
pub async fn begin(state: &AppState) -> Result<(UserId, Cookie<'static>), ApiError> {
    let token = random_hex()?;
    let user = UserId(state.ids.next());
    let now = state.clock.now();
    let mut tx = state.store.begin().await?;
    tx.insert_session(&user, &hash_token(&token), now).await?;
    match *state.model {
        ModelChoice::Demo { .. } => {
            orders::give_samples(tx.connection(), &user, state.ids.as_ref(), now).await?;
        }
        ModelChoice::Provider { .. } => {}
    }
    tx.commit().await?;
    let cookie = Cookie::build((cookie_name(state), token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(behind_tls(state))
        .max_age(Duration::days(SESSION_DAYS))
        .build();
    Ok((user, cookie))
}

/// 256 random bits as hex.
pub fn random_hex() -> Result<String, ApiError> {
    let mut bytes = [0; 32];
    OsRng.try_fill_bytes(&mut bytes).map_err(ApiError::internal)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub fn behind_tls(state: &AppState) -> bool {
    state.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
}

/// With `__Host-` a browser takes the cookie only over TLS, for this very host.
fn cookie_name(state: &AppState) -> &'static str {
    if behind_tls(state) { "__Host-truthtable_session" } else { "truthtable_session" }
}
