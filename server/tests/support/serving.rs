//! Providers that serve beside the test, whatever it waits for.

use std::net::TcpListener;
use std::sync::OnceLock;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;

use super::request_rules::{Scope, Watch};

const LARGEST_BODY: usize = 32 << 20;

/// A provider on a loopback port; it serves until it is dropped.
pub struct Serving {
    pub url: String,
    task: AbortHandle,
}

impl Serving {
    pub fn start(provider: Router) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = runtime().spawn(async move {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let listener = listener.tap_io(|connection| connection.set_nodelay(true).unwrap());
            axum::serve(listener, provider).await.unwrap();
        });
        Self { url, task: task.abort_handle() }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Of no test's own: a test may stand still while its server asks the model.
fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        builder.worker_threads(1).enable_all().build().unwrap()
    })
}

/// Stands before a provider that is a program of its own, and watches what it is sent.
pub struct Relay {
    pub serving: Serving,
    watch: Watch,
}

impl Relay {
    pub fn before(base_url: &str) -> Self {
        let watch = Watch::new(Scope::Conversations);
        Self { serving: Serving::start(watch.over(relay(base_url))), watch }
    }
}

/// Asks the other one, and passes its answer on piece by piece.
fn relay(base_url: &str) -> Router {
    let way = (base_url.to_owned(), reqwest::Client::builder().no_proxy().build().unwrap());
    Router::new().fallback(pass_on).with_state(way)
}

async fn pass_on(State((base_url, client)): State<(String, reqwest::Client)>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    for of_this_connection in [header::HOST, header::CONNECTION, header::CONTENT_LENGTH] {
        parts.headers.remove(of_this_connection);
    }
    let Ok(body) = to_bytes(body, LARGEST_BODY).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let url = format!("{base_url}{}", parts.uri);
    let asked = client.request(parts.method, url).headers(parts.headers).body(body).send().await;
    let Ok(answer) = asked else { return StatusCode::BAD_GATEWAY.into_response() };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    response.headers_mut().remove(header::TRANSFER_ENCODING);
    *response.body_mut() = Body::from_stream(answer.bytes_stream());
    response
}
