use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Stripe's refunds on a loopback port: what is asked for is done at once, and succeeds, unless the test
/// says otherwise.
#[derive(Clone)]
pub struct FakeStripe {
    pub url: String,
    state: Arc<Fake>,
}

#[derive(Default)]
struct Fake {
    scripted: Mutex<VecDeque<Post>>,
    asked: Mutex<Vec<Asked>>,
    looked: Mutex<Vec<HashMap<String, String>>>,
    /// The oldest first.
    refunds: Mutex<Vec<Value>>,
    behaviour: Mutex<Behaviour>,
}

#[derive(Clone, Copy, Default)]
struct Behaviour {
    ignores_keys: bool,
    looks_fail: bool,
    /// So long each look takes.
    look_takes: Duration,
    /// Every answer to a request for a refund is lost after it was done.
    loses_answers: bool,
    most_on_a_page: Option<usize>,
}

/// A request for a refund, as it came.
#[derive(Clone, Debug)]
pub struct Asked {
    pub headers: HeaderMap,
    pub form: HashMap<String, String>,
}

/// What becomes of one request for a refund.
#[derive(Clone, Debug)]
pub enum Post {
    /// Done, with this status.
    Done(&'static str),
    /// Done, and answered so much later.
    Late(Duration),
    /// Done, and then the line is cut.
    DoneAndCut,
    /// Done, and never answered.
    DoneAndSilent,
    /// Done, and answered with this error.
    DoneAndError(u16),
    /// Not done, and never answered.
    Silent,
    /// Not done, and answered with this error: status, type, code.
    Error(u16, &'static str, &'static str),
    /// Not answered; done so much later.
    DoneLater(Duration),
}

impl FakeStripe {
    pub async fn start() -> Self {
        let state = Arc::new(Fake::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().route("/v1/refunds", get(list).post(create)).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state }
    }

    /// The settings that make a server use it.
    pub fn settings(&self) -> Vec<(&str, &str)> {
        vec![
            ("TRUTHTABLE_REFUNDS", "stripe"),
            ("STRIPE_SECRET_KEY", "sk_test_secret"),
            ("TRUTHTABLE_STRIPE_URL", &self.url),
            ("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.02"),
            ("TRUTHTABLE_GIVE_UP_SECONDS", "3"),
        ]
    }

    /// What becomes of the next requests.
    pub fn then(&self, posts: impl IntoIterator<Item = Post>) {
        self.state.scripted.lock().unwrap().extend(posts);
    }

    /// It takes every request for a new one, whatever its key.
    pub fn ignore_keys(&self) {
        self.state.behaviour.lock().unwrap().ignores_keys = true;
    }

    pub fn fail_looks(&self, fail: bool) {
        self.state.behaviour.lock().unwrap().looks_fail = fail;
    }

    pub fn slow_looks(&self, each: Duration) {
        self.state.behaviour.lock().unwrap().look_takes = each;
    }

    pub fn lose_answers(&self) {
        self.state.behaviour.lock().unwrap().loses_answers = true;
    }

    pub fn short_pages(&self, most: usize) {
        self.state.behaviour.lock().unwrap().most_on_a_page = Some(most);
    }

    /// The requests for refunds so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.state.asked.lock().unwrap().clone()
    }

    /// The queries of the looks so far.
    pub fn looked(&self) -> Vec<HashMap<String, String>> {
        self.state.looked.lock().unwrap().clone()
    }

    /// The refunds that it has made.
    pub fn refunds(&self) -> Vec<Value> {
        self.state.refunds.lock().unwrap().clone()
    }

    /// Somebody else's refund of a payment.
    pub fn add(&self, payment: &str, key: &str) {
        let mut refunds = self.state.refunds.lock().unwrap();
        let number = refunds.len();
        refunds.push(json!({
            "id": format!("re_{number}"), "object": "refund", "amount": 1, "currency": "vnd",
            "payment_intent": payment, "metadata": { "key": key }, "status": "succeeded",
        }));
    }

    /// All refunds go on to this status.
    pub fn settle(&self, status: &str, failure: Option<&str>) {
        for refund in self.state.refunds.lock().unwrap().iter_mut() {
            refund["status"] = json!(status);
            refund["failure_reason"] = json!(failure);
        }
    }
}

impl Fake {
    fn perform(&self, asked: &Asked, status: &str) -> Value {
        let key = asked.headers["idempotency-key"].to_str().unwrap().to_owned();
        let mut refunds = self.refunds.lock().unwrap();
        let first = refunds.iter().find(|refund| refund["idempotency_key"] == key);
        if let Some(first) = first.filter(|_| !self.behaviour.lock().unwrap().ignores_keys) {
            return first.clone();
        }
        let number = refunds.len();
        let refund = json!({
            "id": format!("re_{number}"), "object": "refund", "currency": "vnd", "status": status,
            "amount": asked.form["amount"].parse::<u64>().unwrap(),
            "payment_intent": asked.form["payment_intent"], "reason": asked.form["reason"],
            "metadata": { "key": asked.form["metadata[key]"], "order": asked.form["metadata[order]"] },
            "idempotency_key": key,
        });
        refunds.push(refund.clone());
        refund
    }
}

fn error(status: u16, kind: &str, code: &str) -> Response {
    let body = json!({ "error": { "type": kind, "code": code, "message": "scripted trouble" } });
    (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response()
}

async fn create(State(fake): State<Arc<Fake>>, headers: HeaderMap, body: String) -> Response {
    let url = reqwest::Url::parse(&format!("http://form/?{body}")).unwrap();
    let form = url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let asked = Asked { headers, form };
    fake.asked.lock().unwrap().push(asked.clone());
    let scripted = fake.scripted.lock().unwrap().pop_front();
    let loses = fake.behaviour.lock().unwrap().loses_answers;
    match scripted.unwrap_or(if loses { Post::DoneAndCut } else { Post::Done("succeeded") }) {
        Post::Done(status) => axum::Json(fake.perform(&asked, status)).into_response(),
        Post::Late(delay) => {
            let refund = fake.perform(&asked, "succeeded");
            tokio::time::sleep(delay).await;
            axum::Json(refund).into_response()
        }
        Post::DoneAndCut => {
            fake.perform(&asked, "succeeded");
            let cut = futures::stream::iter([Ok("{\"id\": "), Err(std::io::Error::other("cut"))]);
            (StatusCode::OK, Body::from_stream(cut)).into_response()
        }
        Post::DoneAndSilent => {
            fake.perform(&asked, "succeeded");
            std::future::pending().await
        }
        Post::DoneAndError(status) => {
            fake.perform(&asked, "succeeded");
            error(status, "api_error", "")
        }
        Post::Silent => std::future::pending().await,
        Post::Error(status, kind, code) => error(status, kind, code),
        Post::DoneLater(delay) => {
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                fake.perform(&asked, "succeeded");
            });
            let cut = futures::stream::iter([Ok("{"), Err(std::io::Error::other("cut"))]);
            (StatusCode::OK, Body::from_stream(cut)).into_response()
        }
    }
}

async fn list(State(fake): State<Arc<Fake>>, Query(query): Query<HashMap<String, String>>) -> Response {
    fake.looked.lock().unwrap().push(query.clone());
    let behaviour = *fake.behaviour.lock().unwrap();
    tokio::time::sleep(behaviour.look_takes).await;
    if behaviour.looks_fail {
        return error(500, "api_error", "");
    }
    let mut found: Vec<Value> = fake.refunds();
    found.retain(|refund| refund["payment_intent"] == query["payment_intent"]);
    found.reverse();
    if let Some(after) = query.get("starting_after") {
        let place = found.iter().position(|refund| refund["id"] == *after).unwrap();
        found.drain(..=place);
    }
    let most = behaviour.most_on_a_page.unwrap_or(query["limit"].parse().unwrap());
    let has_more = found.len() > most;
    found.truncate(most);
    axum::Json(json!({ "object": "list", "url": "/v1/refunds", "has_more": has_more, "data": found }))
        .into_response()
}

impl Fake {
    fn refunds(&self) -> Vec<Value> {
        self.refunds.lock().unwrap().clone()
    }
}
