//! A provider of any protocol on a loopback port, and calls to it through the adapter.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Response, StatusCode};
use axum::routing::post;
use futures::StreamExt;
use futures::stream;
use serde_json::Value;
use server::ids::CountedIds;
use server::model::provider::{self, Protocol, ProviderSettings, Timeouts};
use server::model::{Model, ModelError, ModelEvent, ModelMessage, ModelRequest, ModelTurn, ToolSpec};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};

pub const KEY: &str = "sk-test-0123456789";

/// How an answer's body ends.
#[derive(Clone, Copy, PartialEq)]
pub enum End {
    Clean,
    /// The connection is torn down.
    Broken,
    /// Nothing more comes, and nothing ends.
    Silent,
}

#[derive(Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub chunks: Vec<Vec<u8>>,
    pub end: End,
    /// Told when the client has gone.
    gone: Arc<Mutex<Option<oneshot::Sender<()>>>>,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type", "text/event-stream".to_owned())],
            chunks: vec![body.into()],
            end: End::Clean,
            gone: Arc::default(),
        }
    }

    pub fn stream(body: impl Into<Vec<u8>>) -> Self {
        Self::new(200, body)
    }

    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        let body = serde_json::json!({ "type": "error", "error": { "type": kind, "message": message } });
        Self::new(status, body.to_string()).header("request-id", "req_42")
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub fn chunks(mut self, chunks: Vec<Vec<u8>>) -> Self {
        self.chunks = chunks;
        self
    }

    pub fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    pub fn on_gone(self) -> (Self, oneshot::Receiver<()>) {
        let (gone, seen) = oneshot::channel();
        *self.gone.lock().expect("not poisoned") = Some(gone);
        (self, seen)
    }

    fn into_response(self) -> Response<Body> {
        let guard = OnDrop(self.gone);
        let chunks = self.chunks.into_iter().filter(|chunk| !chunk.is_empty());
        let chunks = stream::iter(chunks.map(|chunk| Ok(Bytes::from(chunk))).collect::<Vec<_>>());
        let end = self.end;
        let end = stream::once(async move {
            // The server writes what it has when the body makes it wait; an error would drop it.
            tokio::task::yield_now().await;
            match end {
                End::Clean => None,
                End::Broken => Some(Err(std::io::Error::other("torn down"))),
                End::Silent => std::future::pending().await,
            }
        });
        let body = chunks.chain(end.filter_map(std::future::ready)).inspect(move |_| {
            let _ = &guard;
        });
        let mut response = Response::new(Body::from_stream(body));
        *response.status_mut() = StatusCode::from_u16(self.status).expect("a status");
        for (name, value) in self.headers {
            response.headers_mut().append(name, value.parse().expect("a header value"));
        }
        response
    }
}

struct OnDrop(Arc<Mutex<Option<oneshot::Sender<()>>>>);

impl Drop for OnDrop {
    fn drop(&mut self) {
        if let Some(gone) = self.0.lock().expect("not poisoned").take() {
            let _ = gone.send(());
        }
    }
}

/// What a request brought.
#[derive(Clone)]
pub struct Asked {
    pub headers: HeaderMap,
    pub raw: String,
    pub body: Value,
}

impl Asked {
    pub fn model(&self) -> &str {
        self.body["model"].as_str().expect("the model's name")
    }
}

/// `None` never answers.
type Script = dyn Fn(usize, &Asked) -> Option<Reply> + Send + Sync;

struct Shared {
    asked: Mutex<Vec<Asked>>,
    script: Box<Script>,
}

/// A provider that speaks the protocol `P`.
pub struct Provider<P> {
    pub base_url: String,
    shared: Arc<Shared>,
    protocol: PhantomData<P>,
}

impl<P: Protocol> Provider<P> {
    /// Answers request number n (from 0) as the script says.
    pub async fn scripted(script: impl Fn(usize, &Asked) -> Option<Reply> + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared { asked: Mutex::default(), script: Box::new(script) });
        let router = Router::new().route(P::PATH, post(answer)).with_state(shared.clone());
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let base_url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { base_url, shared, protocol: PhantomData }
    }

    /// The replies in order; the last one again and again.
    pub async fn replying(replies: Vec<Reply>) -> Self {
        Self::scripted(move |n, _| replies.get(n).or(replies.last()).cloned()).await
    }

    pub async fn streaming(body: impl Into<Vec<u8>>) -> Self {
        Self::replying(vec![Reply::stream(body)]).await
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().expect("not poisoned").clone()
    }

    pub fn settings(&self) -> ProviderSettings {
        settings(&self.base_url)
    }

    pub fn model(&self) -> provider::Provider<P> {
        adapter(self.settings())
    }
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    raw: String,
) -> Result<Response<Body>, Infallible> {
    let body = serde_json::from_str(&raw).expect("a JSON body");
    let asked = Asked { headers, raw, body };
    let number = {
        let mut all = shared.asked.lock().expect("not poisoned");
        all.push(asked.clone());
        all.len() - 1
    };
    match (shared.script)(number, &asked) {
        Some(reply) => Ok(reply.into_response()),
        None => std::future::pending().await,
    }
}

pub fn settings(base_url: &str) -> ProviderSettings {
    ProviderSettings {
        base_url: base_url.to_owned(),
        api_key: KEY.to_owned(),
        max_tokens: 1024,
        effort: None,
        timeouts: Timeouts::default(),
    }
}

/// Counts its ids: the calls of the first turn are `id-1`, `id-2`.
pub fn adapter<P: Protocol>(settings: ProviderSettings) -> provider::Provider<P> {
    provider::Provider::new(settings, Arc::new(CountedIds::default())).expect("good settings")
}

pub fn request(messages: Vec<ModelMessage>) -> ModelRequest {
    ModelRequest {
        model: "some-model".to_owned(),
        system: "Answer from tool results only.".into(),
        tools: Arc::new([ToolSpec {
            name: "getWeather".to_owned(),
            description: "When the guest asks for the weather.".to_owned(),
            parameters: serde_json::json!({
                "type": "object",
                "properties": { "city": { "type": "string" } },
                "required": ["city"],
            }),
        }]),
        messages,
    }
}

pub fn user(text: &str) -> ModelMessage {
    ModelMessage::User { server_line: "2026-11-30 19:00, Asia/Ho_Chi_Minh".to_owned(), text: text.to_owned() }
}

pub fn hello() -> ModelRequest {
    request(vec![user("Xin chào")])
}

pub type Outcome = Result<ModelTurn, ModelError>;

/// Makes one call and collects what it showed.
pub async fn call(model: &impl Model, request: ModelRequest) -> (Outcome, Vec<ModelEvent>) {
    let (sender, mut receiver) = mpsc::channel(4);
    let (outcome, shown) = tokio::join!(model.turn(request, sender), async {
        let mut shown = Vec::new();
        while let Some(event) = receiver.recv().await {
            shown.push(event);
        }
        shown
    });
    (outcome, shown)
}

pub async fn turn(model: &impl Model) -> Outcome {
    call(model, hello()).await.0
}

/// Many times longer than any of these calls takes.
pub const PATIENT: Duration = Duration::from_secs(60);
