//! What these stories share: guests who act by one proposed call and one press.

use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Stage, Turn, tool_parts};

/// One guest in one conversation.
#[derive(Clone, Copy)]
pub struct Seat<'a> {
    pub model: &'a ScriptedModel,
    pub guest: &'a Guest,
    pub conversation: &'a str,
}

impl Stage {
    pub fn seat(&self) -> Seat<'_> {
        Seat { model: &self.model, guest: &self.guest, conversation: &self.conversation }
    }
}

impl Seat<'_> {
    /// The model proposes one call; what becomes of it before anybody decides.
    pub async fn propose(self, tool: &str, arguments: Value) -> Value {
        // Whatever comes back, the model says "Done."
        self.model.then([Turn::call(tool, arguments)]);
        self.last(&self.guest.say(self.conversation, &self.words()).await)
    }

    /// A conversation is known by its first words.
    fn words(self) -> String {
        format!("Please, in {}", self.conversation)
    }

    /// Agrees to the form that waits.
    pub async fn agree(self) -> Value {
        let (call, approval) = self.guest.waiting_call(self.conversation, 0).await;
        let body = json!({ "approved": true, "approvalId": approval });
        self.guest.decide(self.conversation, &call, body).await.expect(200);
        self.last(&self.guest.settled(self.conversation).await)
    }

    /// Proposed and agreed to.
    pub async fn act(self, tool: &str, arguments: Value) -> Value {
        let asked = self.propose(tool, arguments).await;
        assert_eq!(asked["state"], "approval-requested", "{asked:#}");
        self.agree().await
    }

    /// A part as it stands now.
    pub async fn part(self, call: &Value) -> Value {
        let view = self.guest.view(self.conversation).await;
        let mut parts = tool_parts(&view);
        parts.find(|part| part["toolCallId"] == *call).unwrap_or_else(|| panic!("{view:#}")).clone()
    }

    fn last(self, view: &Value) -> Value {
        tool_parts(view).last().expect("a call").clone()
    }
}

/// The output of a call that must have one.
#[track_caller]
pub fn output(part: &Value) -> &Value {
    assert_eq!(part["state"], "output-available", "{part:#}");
    &part["output"]
}

#[track_caller]
pub fn assert_failed(part: &Value, code: &str) {
    let found = (&part["state"], &part["kind"], &part["code"]);
    assert_eq!(found, (&json!("output-error"), &json!("input"), &json!(code)), "{part:#}");
}

pub fn cancel(booking: &Value) -> Value {
    json!({ "bookingId": booking["bookingId"] })
}

/// The last line of what a model was told by the server before a guest's words.
pub fn last_server_lines(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap();
    let spoken = messages.iter().rev().find(|message| {
        message["role"] == "user"
            && message["content"][0]["text"].as_str().is_some_and(|text| text.starts_with("[server:"))
    });
    spoken.expect("a message of the guest")["content"][0]["text"].as_str().unwrap().to_owned()
}
