//! The server's routes, as functions. Runs in the browser only.

use gloo_net::http::{Request, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use shared::api::{
    ConversationCreated, ConversationList, ConversationSummary, Decided, Decision, DecisionRequest,
    FieldError, HandoverRequest, HandoverSent, NewConversation, NewMessage, Problem, RunAccepted,
    ServiceStatus,
};
use shared::ids::{ClientMessageId, ConversationId, RunId};
use shared::wire::ByValue;

use super::browser;
use crate::cards::context::{Decide, DecideAnswer};
use crate::trouble::Trouble;

/// `POST /api/conversations`.
pub async fn new_conversation(persona: Option<String>) -> Result<ConversationId, Trouble> {
    let created: ConversationCreated = post("/api/conversations", &NewConversation { persona }).await?;
    Ok(created.conversation_id)
}

/// `GET /api/conversations`, newest first.
pub async fn conversations() -> Result<Vec<ConversationSummary>, Trouble> {
    let list: ConversationList = answer(Request::get("/api/conversations").build()).await?;
    Ok(list.conversations)
}

/// `POST …/messages`. The same `client_message_id` again is the same message.
pub async fn send_message(
    conversation: &ConversationId,
    client_message_id: ClientMessageId,
    text: String,
) -> Result<RunId, Trouble> {
    let path = format!("/api/conversations/{conversation}/messages");
    let accepted: RunAccepted = post(&path, &NewMessage { client_message_id, text }).await?;
    Ok(accepted.run_id)
}

/// `POST …/stop`.
pub async fn stop(conversation: &ConversationId) -> Result<(), Trouble> {
    send(Request::post(&format!("/api/conversations/{conversation}/stop")).build()).await.map(drop)
}

/// `POST …/retry`.
pub async fn retry(conversation: &ConversationId) -> Result<RunId, Trouble> {
    let request = Request::post(&format!("/api/conversations/{conversation}/retry")).build();
    let accepted: RunAccepted = answer(request).await?;
    Ok(accepted.run_id)
}

/// `POST …/approvals/{toolCallId}`.
pub async fn decide(conversation: &ConversationId, decide: &Decide) -> DecideAnswer {
    let path = format!("/api/conversations/{conversation}/approvals/{}", decide.tool_call_id);
    let request = DecisionRequest {
        approved: decide.approved,
        edited_input: decide.edited_input.clone(),
        approval_id: Some(decide.approval_id.clone()),
    };
    let wanted = if decide.approved { Decision::Approved } else { Decision::Declined };
    let response = match Request::post(&path).json(&request) {
        Ok(request) => fetch(Ok(request)).await,
        Err(_) => return DecideAnswer::Failed(Trouble::Failed { request_id: None }),
    };
    let response = match response {
        Ok(response) => response,
        Err(trouble) => return DecideAnswer::Failed(trouble),
    };
    let stands = |decision: Decision| {
        if decision == wanted { DecideAnswer::Taken } else { DecideAnswer::Standing(decision) }
    };
    match response.status() {
        200..=299 => match read::<Decided>(response).await {
            Some(decided) => stands(decided.decision),
            // It was taken; the events tell the rest.
            None => DecideAnswer::Taken,
        },
        409 => match problem(response).await.and_then(|problem| problem.decision) {
            Some(decision) => stands(decision),
            None => DecideAnswer::Changed,
        },
        422 => match problem(response).await {
            Some(problem) if !problem.errors.is_empty() => DecideAnswer::Invalid(problem.errors),
            Some(_) | None => DecideAnswer::Failed(Trouble::NotAccepted),
        },
        _ => DecideAnswer::Failed(trouble_of(response).await),
    }
}

/// `GET /api/status`.
pub async fn status() -> Result<ServiceStatus, Trouble> {
    answer(Request::get("/api/status").build()).await
}

/// Why a conversation was not sent to a person.
pub enum NotHandedOver {
    Invalid(Vec<FieldError>),
    Failed(Trouble),
}

/// `POST …/handovers`.
pub async fn hand_over(
    conversation: &ConversationId,
    request: &HandoverRequest,
) -> Result<HandoverSent, NotHandedOver> {
    let path = format!("/api/conversations/{conversation}/handovers");
    let response = fetch(RequestBuilder::json(Request::post(&path), request)).await;
    let response = response.map_err(NotHandedOver::Failed)?;
    match response.status() {
        200..=299 => {
            let sent = read(response).await;
            sent.ok_or(NotHandedOver::Failed(Trouble::Failed { request_id: None }))
        }
        422 => Err(match problem(response).await {
            Some(problem) if !problem.errors.is_empty() => NotHandedOver::Invalid(problem.errors),
            Some(_) | None => NotHandedOver::Failed(Trouble::NotAccepted),
        }),
        _ => Err(NotHandedOver::Failed(trouble_of(response).await)),
    }
}

async fn post<Body: Serialize, Answer: DeserializeOwned>(path: &str, body: &Body) -> Result<Answer, Trouble> {
    answer(RequestBuilder::json(Request::post(path), body)).await
}

async fn answer<Answer: DeserializeOwned>(
    request: Result<Request, gloo_net::Error>,
) -> Result<Answer, Trouble> {
    let response = send(request).await?;
    read(response).await.ok_or(Trouble::Failed { request_id: None })
}

/// Sends, and takes everything but success as trouble.
async fn send(request: Result<Request, gloo_net::Error>) -> Result<Response, Trouble> {
    let response = fetch(request).await?;
    if response.ok() { Ok(response) } else { Err(trouble_of(response).await) }
}

async fn fetch(request: Result<Request, gloo_net::Error>) -> Result<Response, Trouble> {
    let request = request.map_err(|_| Trouble::Failed { request_id: None })?;
    if !browser::is_online() {
        return Err(Trouble::Unreachable);
    }
    request.send().await.map_err(|_| Trouble::Unreachable)
}

async fn problem(response: Response) -> Option<Problem> {
    read(response).await
}

/// `None`: the body is something else.
async fn read<T: DeserializeOwned>(response: Response) -> Option<T> {
    let ByValue(read) = response.json().await.ok()?;
    Some(read)
}

async fn trouble_of(response: Response) -> Trouble {
    let status = response.status();
    match status {
        409 => Trouble::RunActive,
        429 => match problem(response).await {
            Some(problem) if problem.r#type == "daily-budget" => Trouble::DayUsedUp,
            Some(_) | None => Trouble::TooMany,
        },
        404 => Trouble::Gone,
        400 | 413 | 415 | 422 => Trouble::NotAccepted,
        503 => match problem(response).await {
            Some(problem) if problem.r#type == "frozen" => Trouble::Paused,
            Some(_) | None => Trouble::Unreachable,
        },
        // A proxy without a server behind it.
        502 | 504 => Trouble::Unreachable,
        _ => Trouble::Failed { request_id: problem(response).await.map(|problem| problem.request_id) },
    }
}
