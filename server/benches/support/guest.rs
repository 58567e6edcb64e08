use std::time::{Duration, Instant};

use futures::future::join_all;
use reqwest::header::{COOKIE, SET_COOKIE};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};

/// A guest may send 30 messages a minute.
const MESSAGES_EACH: usize = 25;

/// What a reader got, to the end of the run, byte for byte.
pub struct Transcript(Vec<u8>);

impl Transcript {
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.0).expect("UTF-8")
    }

    /// Each with the blank line that ends it.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.text().split_inclusive("\n\n").filter(|event| event.contains("data: "))
    }

    /// The sequence number of the last event.
    pub fn last_id(&self) -> u64 {
        let id = self.text().lines().filter_map(|line| line.strip_prefix("id: ")).next_back();
        id.and_then(|id| id.parse().ok()).expect("an event with a number")
    }

    /// Nothing was refused or left out on the way.
    pub fn assert_done(&self, calls: usize) {
        let text = self.text();
        assert_eq!(text.matches(r#""type":"tool-output-available""#).count(), calls, "{text}");
        assert!(text.contains(r#""status":"done""#), "{text}");
    }
}

/// A guest's conversation, and how far its events were read.
pub struct Conversation {
    client: Client,
    cookie: String,
    url: String,
    pub read_to: u64,
    messages: usize,
}

impl Conversation {
    /// Sends a message and reads the events to the end of its run.
    pub async fn run(&mut self, text: &str) -> Transcript {
        self.send(text).await;
        let events = self.client.get(format!("{}/events?after={}", self.url, self.read_to));
        let transcript = read(events.header(COOKIE, &self.cookie)).await;
        self.read_to = transcript.last_id();
        transcript
    }

    /// Sends a message.
    pub async fn send(&mut self, text: &str) {
        let body = json!({ "clientMessageId": format!("m-{}", self.messages), "text": text });
        self.messages += 1;
        let message =
            self.client.post(format!("{}/messages", self.url)).header(COOKIE, &self.cookie).json(&body);
        let sent = message.send().await.expect("an answer");
        assert_eq!(sent.status(), StatusCode::ACCEPTED, "{:?}", sent.text().await);
    }

    /// The events, from the first on, as the server at `server` sends them.
    pub async fn events_at(&self, server: &str) -> Response {
        let (_, path) = self.url.split_once("/api/").expect("a path of the API");
        let events = self.client.get(format!("{server}/api/{path}/events")).header(COOKIE, &self.cookie);
        let events = events.send().await.expect("an answer");
        assert_eq!(events.status(), StatusCode::OK);
        events
    }

    /// What a page asks for that shows the conversation; its size.
    pub async fn view(&self) -> usize {
        let answer = self.client.get(&self.url).header(COOKIE, &self.cookie).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        answer.bytes().await.expect("a body").len()
    }
}

/// Reads events until a run has finished. The answer would go on; the reader leaves.
pub async fn read(request: RequestBuilder) -> Transcript {
    const END: &[u8] = br#""type":"run-finished""#;
    let mut answer = request.send().await.expect("events");
    let mut read = Vec::new();
    let mut looked_to = 0;
    while let Some(chunk) = answer.chunk().await.expect("a chunk") {
        read.extend_from_slice(&chunk);
        if !read[looked_to..].windows(END.len()).any(|window| window == END) {
            looked_to = read.len().saturating_sub(END.len());
        } else if read.ends_with(b"\n\n") {
            return Transcript(read);
        }
    }
    panic!("the events ended early: {}", String::from_utf8_lossy(&read));
}

/// Clients that come at once, each with enough guests of its own.
pub struct Crowd {
    client: Client,
    url: String,
    /// By client: cookies.
    guests: Vec<Vec<String>>,
    /// Of one client.
    runs: usize,
}

impl Crowd {
    /// For so many messages in all.
    pub async fn arrive(url: &str, clients: usize, messages: usize) -> Self {
        let client = Client::new();
        let runs = messages / clients;
        let mut guests = Vec::with_capacity(clients);
        for _ in 0..clients {
            let mut own = Vec::new();
            while own.len() < runs.div_ceil(MESSAGES_EACH) {
                own.push(arrive(&client, url).await);
            }
            guests.push(own);
        }
        Self { client, url: url.to_owned(), guests, runs }
    }

    /// A conversation for each message, by client.
    pub async fn open(&self) -> Vec<Vec<Conversation>> {
        let clients = self.guests.iter().map(|guests| async move {
            let mut conversations = Vec::with_capacity(self.runs);
            for cookie in guests.iter().cycle().take(self.runs) {
                conversations.push(self.open_one(cookie).await);
            }
            conversations
        });
        join_all(clients).await
    }

    async fn open_one(&self, cookie: &str) -> Conversation {
        let new = self.client.post(format!("{}/api/conversations", self.url)).header(COOKIE, cookie);
        let answer = new.json(&json!({})).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        let body: Value = answer.json().await.expect("JSON");
        let id = body["conversationId"].as_str().expect("an id");
        Conversation {
            client: self.client.clone(),
            cookie: cookie.to_owned(),
            url: format!("{}/api/conversations/{id}", self.url),
            read_to: 0,
            messages: 0,
        }
    }
}

/// The cookie of a new guest.
async fn arrive(client: &Client, url: &str) -> String {
    let answer = loop {
        let new = client.post(format!("{url}/api/conversations")).json(&json!({}));
        let answer = new.send().await.expect("an answer");
        // Many come from one address here.
        if answer.status() != StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    };
    let cookie = answer.headers()[SET_COOKIE].to_str().expect("a cookie");
    cookie.split(';').next().unwrap_or_default().to_owned()
}

/// One message in each conversation, the clients at once, each of them one after the other.
pub async fn run_all(clients: &mut [Vec<Conversation>], text: &str, calls: usize) -> Duration {
    let started = Instant::now();
    let clients = clients.iter_mut().map(|conversations| async move {
        for conversation in conversations {
            conversation.run(text).await.assert_done(calls);
        }
    });
    join_all(clients).await;
    started.elapsed()
}
