use std::time::{Duration, Instant};

use reqwest::header::COOKIE;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use shared::event::AgentEvent;
use shared::reduce::Conversation;

use crate::support::{
    DatabaseKind, Guest, PATIENCE, ScriptedModel, Server, Turn, booking, evening, local_time, tool_parts,
};

/// How long guests go on who lose their servers and their database on the way.
const MUCH_PATIENCE: Duration = Duration::from_secs(90);

/// A lease that is soon over: tests wait for it.
pub const SHORT_LEASE: (&str, &str) = ("TRUTHTABLE_LEASE_SECONDS", "3");
/// One that a busy server keeps, on a busy machine too.
pub const SAFE_LEASE: (&str, &str) = ("TRUTHTABLE_LEASE_SECONDS", "6");

/// So many servers on one fresh PostgreSQL database, all with the same model.
pub fn crew(count: usize, model: &ScriptedModel, settings: &[(&str, &str)]) -> Vec<Server> {
    let settings = [&model.settings(), settings].concat();
    let first = Server::start_on(DatabaseKind::Postgres, &settings);
    let mut crew = vec![first];
    while crew.len() < count {
        crew.push(Server::start_beside(&crew[0], &settings));
    }
    crew
}

pub fn book() -> Turn {
    Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)))
}

/// The one form that waits, approved or declined, as the page says it.
pub async fn form(guest: &Guest, conversation: &str) -> (String, String) {
    guest.waiting_call(conversation, 0).await
}

/// Every server tells the same of a conversation; what that is.
pub async fn told_by_all(crew: &[Server], guest: &Guest, conversation: &str) -> Value {
    let first = guest.at(&crew[0]).view(conversation).await;
    for server in &crew[1..] {
        assert_eq!(guest.at(server).view(conversation).await, first);
    }
    let folded = guest.at(&crew[0]).folded(conversation).await;
    assert_eq!(serde_json::to_value(&folded).unwrap(), first, "the events tell something else");
    first
}

pub fn states(view: &Value) -> Vec<&str> {
    tool_parts(view).map(|part| part["state"].as_str().unwrap()).collect()
}

pub fn apply(folded: &mut Conversation, events: impl IntoIterator<Item = (u64, AgentEvent)>) {
    for (id, event) in events {
        folded.apply(id, &event).unwrap_or_else(|refusal| panic!("{event:?}: {refusal}"));
    }
}

/// Asks the database again until it says so.
pub async fn until_row(server: &Server, sql: &'static str, wanted: i64) {
    let database = server.database().await;
    let since = Instant::now();
    while database.number(sql).await != wanted {
        assert!(since.elapsed() < PATIENCE, "it never came to {wanted}: {sql}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A model for many guests: whoever writes `Table 7` wants a table of their own; after its result it says so,
/// word by word.
pub async fn table_model(pace: Duration) -> ScriptedModel {
    ScriptedModel::answering(move |request| {
        let messages = request["messages"].as_array().unwrap();
        let last = messages.last().unwrap()["content"].to_string();
        if last.contains("tool_result") {
            return Turn::text("That is all that there is to say about it.").paced(pace);
        }
        let (_, number) = last.rsplit_once("Table ").expect("a guest who wants a table");
        let number: usize =
            number.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        let restaurant = ["hn-hien-pho-nho", "hcm-ghe-chieu", "dn-song-khuya"][number % 3];
        let mut day = 3 + number as i64;
        // On Mondays some are closed.
        if evening(day) != local_time(day, 19, 0) {
            day += 1;
        }
        Turn::call("createBooking", booking(restaurant, 2, &evening(day))).paced(pace)
    })
    .await
}

/// What somebody gets who asks until they are answered.
pub struct Heard {
    pub status: StatusCode,
    pub body: Value,
}

/// A guest whose page asks again, another server, when one does not answer.
pub struct Roamer {
    client: Client,
    cookie: String,
    urls: Vec<String>,
    turn: usize,
    pub conversation: String,
}

impl Roamer {
    pub async fn arrive(crew: &[Server], number: usize) -> Self {
        let (guest, conversation) = Guest::with_conversation(&crew[number % crew.len()], "").await;
        Self {
            client: Client::builder()
                .pool_max_idle_per_host(0)
                .timeout(Duration::from_secs(15))
                .build()
                .unwrap(),
            cookie: guest.cookie().to_owned(),
            urls: crew.iter().map(|server| server.url.clone()).collect(),
            turn: number,
            conversation,
        }
    }

    async fn ask(&mut self, method: Method, rest: &str, body: Option<Value>) -> Heard {
        let since = Instant::now();
        loop {
            assert!(since.elapsed() < MUCH_PATIENCE, "nobody answered");
            let url = format!(
                "{}/api/conversations/{}{rest}",
                self.urls[self.turn % self.urls.len()],
                self.conversation
            );
            self.turn += 1;
            let mut request = self.client.request(method.clone(), url).header(COOKIE, &self.cookie);
            if let Some(body) = &body {
                request = request.json(body);
            }
            let answered = async {
                let response = request.send().await.ok()?;
                let status = response.status();
                Some(Heard { status, body: response.json().await.ok()? })
            };
            match answered.await {
                Some(heard) if heard.status != StatusCode::SERVICE_UNAVAILABLE => return heard,
                Some(heard) => assert_eq!(heard.body["type"], "unavailable", "{:#}", heard.body),
                None => {}
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    async fn settled(&mut self) -> Value {
        let since = Instant::now();
        loop {
            let view = self.ask(Method::GET, "", None).await;
            assert_eq!(view.status, 200, "{:#}", view.body);
            if !matches!(view.body["run"]["status"].as_str(), None | Some("queued" | "running")) {
                return view.body;
            }
            assert!(since.elapsed() < MUCH_PATIENCE, "never came to an end: {:#}", view.body);
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
    }

    /// Asks for a table and confirms whatever form comes, until the run has ended.
    pub async fn book(&mut self, number: usize) -> Value {
        let message = json!({ "clientMessageId": "the one", "text": format!("Table {number}, please") });
        let sent = self.ask(Method::POST, "/messages", Some(message)).await;
        assert_eq!(sent.status, 202, "{:#}", sent.body);
        loop {
            let view = self.settled().await;
            if view["run"]["status"] != "awaiting-approval" {
                return view;
            }
            let waiting = tool_parts(&view).find(|part| part["state"] == "approval-requested");
            let waiting = waiting.unwrap_or_else(|| panic!("nothing waits: {view:#}"));
            let call = waiting["toolCallId"].as_str().unwrap();
            let body = json!({ "approved": true, "approvalId": waiting["approval"]["approvalId"] });
            let decided = self.ask(Method::POST, &format!("/approvals/{call}"), Some(body)).await;
            // An answer that was lost on the way was taken all the same.
            assert_eq!(decided.body["decision"], "approved", "{:#}", decided.body);
        }
    }
}
