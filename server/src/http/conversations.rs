use std::sync::OnceLock;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use shared::api::{ConversationCreated, ConversationList, ConversationView, FieldError, NewConversation};
use shared::error_code::ErrorCode;
use shared::ids::{ConversationId, UserId};

use super::body::JsonBody;
use super::problem::ApiError;
use super::session::{self, Guest, MaybeGuest};
use super::{AppState, ModelChoice, handovers};
use crate::model::demo::Persona;
use crate::prompt;
use crate::store::{ConversationRow, Prompt};

pub async fn create(
    State(state): State<AppState>,
    MaybeGuest(user): MaybeGuest,
    jar: CookieJar,
    JsonBody(new): JsonBody<NewConversation>,
) -> Result<Response, ApiError> {
    let model_name = model_name(&state.model, new.persona.as_deref())?;
    let (user, jar) = match user {
        Some(user) => (user, jar),
        None => {
            let (user, cookie) = session::begin(&state).await?;
            (user, jar.add(cookie))
        }
    };
    let conversation_id = create_for(&state, &user, model_name).await?;
    Ok((jar, Json(ConversationCreated { conversation_id })).into_response())
}

async fn create_for(state: &AppState, user: &UserId, model_name: String) -> Result<ConversationId, ApiError> {
    let conversation = ConversationRow {
        id: ConversationId(state.ids.next()),
        user: user.clone(),
        title: String::new(),
        model_name,
        prompt: told()?,
    };
    state.store.create_conversation(&conversation, state.clock.now()).await?;
    Ok(conversation.id)
}

/// What models are told by this version of the program.
fn told() -> Result<Prompt, ApiError> {
    static PROMPT: OnceLock<Prompt> = OnceLock::new();
    if let Some(prompt) = PROMPT.get() {
        return Ok(prompt.clone());
    }
    let prompt = Prompt::new(prompt::SYSTEM, prompt::tools())?;
    Ok(PROMPT.get_or_init(|| prompt).clone())
}

fn model_name(model: &ModelChoice, persona: Option<&str>) -> Result<String, ApiError> {
    match (model, persona) {
        (ModelChoice::Demo { name } | ModelChoice::Provider { name }, None) => Ok(name.clone()),
        (ModelChoice::Demo { .. }, Some(persona)) => match Persona::parse(persona) {
            Some(persona) => Ok(format!("demo/{}", persona.as_str())),
            None => {
                let known: Vec<&str> = Persona::ALL.iter().map(|persona| persona.as_str()).collect();
                Err(invalid_persona(format!("no such persona; there are: {}", known.join(", "))))
            }
        },
        (ModelChoice::Provider { .. }, Some(_)) => {
            Err(invalid_persona("personas are the demo model's; another model is set".to_owned()))
        }
    }
}

fn invalid_persona(message: String) -> ApiError {
    let error =
        FieldError { path: "/persona".to_owned(), code: ErrorCode::InvalidInput, params: None, message };
    ApiError::invalid("invalid-persona", "There is no such persona.", vec![error])
}

pub async fn list(
    State(state): State<AppState>,
    MaybeGuest(user): MaybeGuest,
) -> Result<Json<ConversationList>, ApiError> {
    state.agent.expire_due().await?;
    let conversations = match user {
        Some(user) => state.store.conversations_of(&user).await?,
        None => Vec::new(),
    };
    Ok(Json(ConversationList { conversations }))
}

pub async fn show(
    State(state): State<AppState>,
    guest: Guest,
    Path(id): Path<String>,
) -> Result<Json<ConversationView>, ApiError> {
    let id = guest.owned(&state, id).await?;
    state.agent.expire_due().await?;
    let conversation = state.store.view(&id).await?;
    let run = conversation.run.as_ref().map(|run| &run.run_id);
    let handover = handovers::of_conversation(&state, &id, run).await?;
    Ok(Json(ConversationView { conversation, handover }))
}
