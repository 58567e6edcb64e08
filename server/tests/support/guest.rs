use std::time::Duration;

use futures::StreamExt;
use reqwest::header::{COOKIE, HeaderMap, SET_COOKIE};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use shared::event::AgentEvent;
use shared::reduce::Conversation;
use sse_stream::SseStream;

use super::{Listener, PATIENCE, Server};

/// One guest with a session of their own.
#[derive(Clone)]
pub struct Guest {
    client: Client,
    url: String,
    cookie: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Value,
    pub text: String,
}

impl Answer {
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self
    }

    /// A problem of this status and type.
    pub fn expect_problem(self, status: u16, r#type: &str) -> Value {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text);
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.body["type"], r#type, "{}", self.text);
        assert_eq!(self.body["status"], status);
        assert!(!self.body["requestId"].as_str().unwrap().is_empty());
        assert!(!self.body["title"].as_str().unwrap().is_empty());
        assert_eq!(self.body["requestId"], self.headers["x-request-id"].to_str().unwrap(), "{}", self.text);
        self.body
    }
}

impl Guest {
    /// A guest with a session and a conversation.
    pub async fn with_conversation(server: &Server, persona: &str) -> (Self, String) {
        let mut guest = Self::new(server);
        let body = if persona.is_empty() { json!({}) } else { json!({ "persona": persona }) };
        let conversation = guest.converse(body).await;
        (guest, conversation)
    }

    /// A guest without a session.
    pub fn new(server: &Server) -> Self {
        // A kept connection would be a dead one after the server was killed.
        let client = Client::builder().pool_max_idle_per_host(0).build().unwrap();
        Self { client, url: server.url.clone(), cookie: String::new() }
    }

    /// The same guest, who speaks with another server.
    pub fn at(&self, server: &Server) -> Self {
        Self { url: server.url.clone(), ..self.clone() }
    }

    /// Begins a conversation; the first one begins the session.
    pub async fn converse(&mut self, body: Value) -> String {
        self.try_converse(body).await.unwrap()
    }

    /// The same, at a server that may not answer.
    pub async fn try_converse(&mut self, body: Value) -> Result<String, reqwest::Error> {
        let body = Some(body.to_string());
        let answer = self.try_request(Method::POST, "/api/conversations", body, &[]).await?.expect(200);
        if let Some(cookie) = answer.headers.get(SET_COOKIE) {
            self.cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        }
        Ok(answer.body["conversationId"].as_str().unwrap().to_owned())
    }

    /// As it stands in the `cookie` header: `name=token`.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Nothing but what is given, and the session's cookie.
    pub async fn raw(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if !self.cookie.is_empty() {
            request = request.header(COOKIE, &self.cookie);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        answer(request.send().await.unwrap()).await.unwrap()
    }

    /// Opens the conversation's stream: `query` is `?after=3` or nothing.
    pub async fn listen(&self, conversation: &str, query: &str, headers: &[(&str, &str)]) -> Listener {
        self.try_listen(conversation, query, headers).await.unwrap()
    }

    /// The same, at a server that may not answer.
    pub async fn try_listen(
        &self,
        conversation: &str,
        query: &str,
        headers: &[(&str, &str)],
    ) -> Result<Listener, reqwest::Error> {
        let url = format!("{}/api/conversations/{conversation}/events{query}", self.url);
        let mut request = self.client.get(url).header(COOKIE, &self.cookie);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Ok(Listener::new(request.send().await?))
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.request(Method::POST, path, Some(body.to_string()), &[]).await
    }

    pub async fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Answer {
        self.try_request(method, path, body, headers).await.unwrap()
    }

    /// The same, at a server that may not answer.
    pub async fn try_request(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
        headers: &[(&str, &str)],
    ) -> Result<Answer, reqwest::Error> {
        let mut request = self.client.request(method, format!("{}{path}", self.url));
        if !self.cookie.is_empty() {
            request = request.header(COOKIE, &self.cookie);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.send().await?).await
    }

    /// Sends a message and returns the run's id.
    pub async fn send(&self, conversation: &str, text: &str) -> String {
        let answer = self.try_send(conversation, &uuid::Uuid::now_v7().to_string(), text).await.expect(202);
        answer.body["runId"].as_str().unwrap().to_owned()
    }

    pub async fn try_send(&self, conversation: &str, client_message_id: &str, text: &str) -> Answer {
        let body = json!({ "clientMessageId": client_message_id, "text": text });
        self.post(&format!("/api/conversations/{conversation}/messages"), body).await
    }

    pub async fn view(&self, conversation: &str) -> Value {
        self.get(&format!("/api/conversations/{conversation}")).await.expect(200).body
    }

    pub async fn decide(&self, conversation: &str, tool_call: &str, body: Value) -> Answer {
        self.post(&format!("/api/conversations/{conversation}/approvals/{tool_call}"), body).await
    }

    /// Sends a message and waits until its run has parked or ended.
    pub async fn say(&self, conversation: &str, text: &str) -> Value {
        self.send(conversation, text).await;
        self.settled(conversation).await
    }

    /// The conversation when its run is neither queued nor at work.
    pub async fn settled(&self, conversation: &str) -> Value {
        self.until(conversation, |view| {
            let status = view["run"]["status"].as_str().unwrap_or("queued");
            status != "queued" && status != "running"
        })
        .await
    }

    /// Asks again until the view is as wanted.
    pub async fn until(&self, conversation: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut last = Value::Null;
        let found = tokio::time::timeout(PATIENCE, async {
            loop {
                last = self.view(conversation).await;
                if wanted(&last) {
                    return last.clone();
                }
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        })
        .await;
        found.unwrap_or_else(|_| panic!("never came to it; last seen: {last:#}"))
    }

    /// The events after an id, as (id, event), until one is as wanted.
    pub async fn events_until(
        &self,
        conversation: &str,
        after: u64,
        wanted: impl Fn(&AgentEvent) -> bool,
    ) -> Vec<(u64, AgentEvent)> {
        let mut events = Vec::new();
        let reading = async {
            let url = format!("{}/api/conversations/{conversation}/events?after={after}", self.url);
            let response = self.client.get(url).header(COOKIE, &self.cookie).send().await.unwrap();
            assert_eq!(response.status(), 200);
            assert_eq!(response.headers()["content-type"], "text/event-stream");
            let mut stream = SseStream::from_bytes_stream(response.bytes_stream());
            while let Some(message) = stream.next().await {
                let message = message.unwrap();
                let (Some(id), Some(data)) = (message.id, message.data) else { continue };
                assert!(message.event.is_none(), "events have no `event:` line");
                let event: AgentEvent = serde_json::from_str(&data).unwrap();
                let last = wanted(&event);
                events.push((id.parse().unwrap(), event));
                if last {
                    return;
                }
            }
            panic!("the stream ended");
        };
        if tokio::time::timeout(PATIENCE, reading).await.is_err() {
            panic!("the wanted event never came; seen: {events:#?}");
        }
        events
    }

    /// What a reader sees who folds the events from the first on.
    pub async fn folded(&self, conversation: &str) -> Conversation {
        let view = self.view(conversation).await;
        let last = view["lastEventId"].as_u64().unwrap();
        let mut folded = Conversation::default();
        if last == 0 {
            return folded;
        }
        let seen = std::cell::Cell::new(0);
        let events = self
            .events_until(conversation, 0, |_| {
                seen.set(seen.get() + 1);
                seen.get() == last
            })
            .await;
        for (id, event) in events {
            folded.apply(id, &event).unwrap_or_else(|refusal| panic!("{event:?}: {refusal}"));
        }
        folded
    }

    /// The id of the waiting call number `index` of the conversation.
    pub async fn waiting_call(&self, conversation: &str, index: usize) -> (String, String) {
        let view = self.view(conversation).await;
        let waiting: Vec<_> =
            tool_parts(&view).filter(|part| part["state"] == "approval-requested").collect();
        let part = waiting.get(index).unwrap_or_else(|| panic!("nothing waits: {view:#}"));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&part["toolCallId"]), text(&part["approval"]["approvalId"]))
    }
}

async fn answer(response: reqwest::Response) -> Result<Answer, reqwest::Error> {
    let (status, headers) = (response.status(), response.headers().clone());
    let text = response.text().await?;
    let body = serde_json::from_str(&text).unwrap_or(Value::Null);
    Ok(Answer { status, headers, body, text })
}

/// The tool parts of a conversation, in order.
pub fn tool_parts(view: &Value) -> impl Iterator<Item = &Value> {
    let messages = view["messages"].as_array().into_iter().flatten();
    messages
        .flat_map(|message| message["parts"].as_array().into_iter().flatten())
        .filter(|part| part["type"].as_str().is_some_and(|kind| kind.starts_with("tool-")))
}

/// A page without its scripts, where its data stands a second time, and without the marks that the framework leaves
/// between texts.
pub fn markup(page: &str) -> String {
    let mut pieces = page.split("<script");
    let mut markup = pieces.next().unwrap().to_owned();
    for piece in pieces {
        markup.push_str(piece.split_once("</script>").map_or("", |(_, after)| after));
    }
    markup.replace("<!---->", "").replace("<!>", "")
}

/// All the assistant's words.
pub fn assistant_text(view: &Value) -> String {
    let messages = view["messages"].as_array().into_iter().flatten();
    messages
        .filter(|message| message["role"] == "assistant")
        .flat_map(|message| message["parts"].as_array().into_iter().flatten())
        .filter(|part| part["type"] == "text")
        .filter_map(|part| part["text"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}
