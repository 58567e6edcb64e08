use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::support::{Answer, Guest, tool_parts};

/// How long anybody waits here: processes start in between, many of them at the same time.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How soon what got no answer is sent again.
const AGAIN: Duration = Duration::from_millis(30);

/// A guest who sends again, word for word, whatever gets no answer.
#[derive(Clone)]
pub struct InsistentGuest {
    pub guest: Guest,
    pub conversation: String,
}

impl InsistentGuest {
    /// Gives the guest a session and a conversation.
    pub async fn of(mut guest: Guest) -> Self {
        let arriving = async {
            loop {
                match guest.try_converse(json!({})).await {
                    Ok(conversation) => return conversation,
                    Err(_) => sleep(AGAIN).await,
                }
            }
        };
        let conversation = timeout(PATIENCE, arriving).await.expect("a conversation");
        Self { guest, conversation }
    }

    async fn request(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let path = format!("/api/conversations/{}{path}", self.conversation);
        let body = body.map(|body| body.to_string());
        let asking = async {
            loop {
                match self.guest.try_request(method.clone(), &path, body.clone(), &[]).await {
                    Ok(answer) => return answer,
                    Err(_) => sleep(AGAIN).await,
                }
            }
        };
        timeout(PATIENCE, asking).await.unwrap_or_else(|_| panic!("{path} was never answered"))
    }

    pub async fn view(&self) -> Value {
        self.request(Method::GET, "", None).await.expect(200).body
    }

    pub async fn until(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        let looking = async {
            loop {
                last = self.view().await;
                if wanted(&last) {
                    return last.clone();
                }
                sleep(AGAIN).await;
            }
        };
        let found = timeout(PATIENCE, looking).await;
        found.unwrap_or_else(|_| panic!("never came to it; last seen: {last:#}"))
    }

    /// One message, under one id however often it is sent.
    pub async fn send(&self, text: &str) {
        let body = json!({ "clientMessageId": uuid::Uuid::now_v7().to_string(), "text": text });
        self.request(Method::POST, "/messages", Some(body)).await.expect(202);
    }

    /// The conversation when a form waits.
    pub async fn asked(&self) -> Value {
        self.until(|view| view["run"]["status"] == "awaiting-approval").await
    }

    /// The conversation when its run has ended.
    pub async fn ended(&self) -> Value {
        let goes_on = ["queued", "running", "awaiting-approval"];
        self.until(|view| view["run"]["status"].as_str().is_some_and(|status| !goes_on.contains(&status)))
            .await
    }

    /// Decides the form that waits; a decision that was taken already, with no answer to it, is one's own.
    pub async fn decide(&self, approved: bool) {
        let view = self.view().await;
        let waiting = tool_parts(&view).find(|part| part["state"] == "approval-requested");
        let form = waiting.unwrap_or_else(|| panic!("nothing waits: {view:#}"));
        let path = format!("/approvals/{}", form["toolCallId"].as_str().unwrap());
        let body = json!({ "approved": approved, "approvalId": form["approval"]["approvalId"] });
        let answer = self.request(Method::POST, &path, Some(body)).await;
        assert!([200, 409].contains(&answer.status.as_u16()), "{}", answer.text);
        let decision = if approved { "approved" } else { "declined" };
        assert_eq!(answer.body["decision"], decision, "{}", answer.text);
    }

    pub async fn stop(&self) {
        self.request(Method::POST, "/stop", Some(json!({}))).await.expect(200);
    }
}
