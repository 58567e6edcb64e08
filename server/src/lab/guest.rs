//! The guest of the lab: speaks with the server over HTTP as a browser does, and agrees to everything.

use std::time::Duration;

use reqwest::header::{COOKIE, SET_COOKIE};
use serde_json::{Value, json};
use shared::ids::ConversationId;

use super::LabError;

/// How long the guest waits for a run to park or end.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(10);

pub struct Guest {
    client: reqwest::Client,
    url: String,
    cookie: String,
    pub conversation: ConversationId,
}

/// Where a run has come to when nothing more happens by itself.
pub enum Rest {
    /// Forms wait for the guest.
    Asks(Vec<Form>),
    /// Its status.
    Ended(String),
}

pub struct Form {
    tool_call: String,
    approval: String,
}

impl Guest {
    /// A new guest with a session and a conversation.
    pub async fn arrive(url: &str) -> Result<Self, LabError> {
        // A kept connection would be a dead one after the server was killed.
        let client = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build();
        let client = client.map_err(|error| LabError::Http(error.to_string()))?;
        let conversation = ConversationId(String::new());
        let mut guest = Self { client, url: url.to_owned(), cookie: String::new(), conversation };
        let answer = guest.send(guest.client.post(guest.at("")).json(&json!({}))).await?;
        let cookie = answer.headers().get(SET_COOKIE).and_then(|cookie| cookie.to_str().ok());
        guest.cookie = cookie.and_then(|cookie| cookie.split(';').next()).unwrap_or_default().to_owned();
        let body = json_of(answer).await?;
        guest.conversation = ConversationId(text(&body["conversationId"])?);
        Ok(guest)
    }

    /// The server has another address now.
    pub fn moved(&mut self, url: &str) {
        url.clone_into(&mut self.url);
    }

    pub async fn say(&self, words: &str, message_id: &str) -> Result<(), LabError> {
        let url = self.at(&format!("/{}/messages", self.conversation.as_str()));
        let body = json!({ "clientMessageId": message_id, "text": words });
        self.send(self.client.post(url).json(&body)).await.map(drop)
    }

    /// Agrees to a form.
    pub async fn agree(&self, form: &Form) -> Result<(), LabError> {
        let url = self.at(&format!("/{}/approvals/{}", self.conversation.as_str(), form.tool_call));
        let body = json!({ "approved": true, "approvalId": form.approval });
        self.send(self.client.post(url).json(&body)).await.map(drop)
    }

    /// Waits until the run asks or has ended.
    pub async fn rest(&self) -> Result<Rest, LabError> {
        let resting = async {
            loop {
                let view = self.view().await?;
                match view["run"]["status"].as_str() {
                    None | Some("queued" | "running") => tokio::time::sleep(PAUSE).await,
                    Some("awaiting-approval") => return forms(&view).map(Rest::Asks),
                    Some(ended) => return Ok(Rest::Ended(ended.to_owned())),
                }
            }
        };
        let rest = tokio::time::timeout(PATIENCE, resting).await;
        rest.unwrap_or(Err(LabError::StoodStill("a run to come to its end")))
    }

    async fn view(&self) -> Result<Value, LabError> {
        let url = self.at(&format!("/{}", self.conversation.as_str()));
        json_of(self.send(self.client.get(url)).await?).await
    }

    fn at(&self, path: &str) -> String {
        format!("{}/api/conversations{path}", self.url)
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, LabError> {
        let answer =
            request.header(COOKIE, &self.cookie).send().await.and_then(|sent| sent.error_for_status());
        answer.map_err(|error| LabError::Http(error.to_string()))
    }
}

async fn json_of(answer: reqwest::Response) -> Result<Value, LabError> {
    answer.json().await.map_err(|error| LabError::Http(error.to_string()))
}

fn text(value: &Value) -> Result<String, LabError> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| LabError::Http("its answer is not as agreed".to_owned()))
}

/// What waits for the guest.
fn forms(view: &Value) -> Result<Vec<Form>, LabError> {
    let messages = view["messages"].as_array().into_iter().flatten();
    let parts = messages.flat_map(|message| message["parts"].as_array().into_iter().flatten());
    parts
        .filter(|part| part["state"] == "approval-requested")
        .map(|part| {
            let approval = text(&part["approval"]["approvalId"])?;
            Ok(Form { tool_call: text(&part["toolCallId"])?, approval })
        })
        .collect()
}
