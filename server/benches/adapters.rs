//! What each adapter costs, beside a client that reads the same bytes and does nothing with them; and how much
//! memory a long answer takes.
//!
//! `cargo bench -p server --bench adapters`
//!
//! CPU time is that of this process alone; the provider is one of its own. An adapter is a line of `WIRES`.

mod support;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use server::ids::RandomIds;
use server::model::anthropic::Anthropic;
use server::model::provider::{MaybeTap, ProviderSettings, Timeouts};
use server::model::{AssistantBlock, Model, ModelMessage, ModelRequest};
use support::{Cpu, Part, cpu_of};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

const PART: &str = "play-provider";

/// Deltas of an answer whose CPU time is measured, and how many such answers: /proc counts in hundredths of a
/// second.
const DELTAS: usize = 1_000;
const ANSWERS: usize = 600;
const WARM_UP: usize = 50;
const WORD: &str = "nhiều mây ";

/// An answer whose memory is measured, in deltas of this text.
const LONG_DELTAS: usize = 10_000;
const LONG_DELTA: usize = 1_000;

/// One protocol.
struct Wire {
    name: &'static str,
    path: &'static str,
    /// What comes before the deltas, one delta, what comes after them.
    before: fn() -> Vec<Value>,
    delta: fn(&str) -> Value,
    after: fn() -> Vec<Value>,
    model: fn(ProviderSettings) -> Arc<dyn Model>,
}

const WIRES: [Wire; 1] = [Wire {
    name: "anthropic",
    path: "/v1/messages",
    before: || {
        vec![
            json!({ "type": "message_start", "message": { "id": "msg", "usage": { "input_tokens": 100, "output_tokens": 1 } } }),
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        ]
    },
    delta: |text| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": text } }),
    after: || {
        vec![
            json!({ "type": "content_block_stop", "index": 0 }),
            json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 20 } }),
            json!({ "type": "message_stop" }),
        ]
    },
    model: |settings| Arc::new(Anthropic::new(settings, Arc::new(RandomIds)).expect("good settings")),
}];

impl Wire {
    /// An answer's events, each as it is on the wire.
    fn answer(&self, deltas: usize, text: &str) -> Vec<Bytes> {
        let deltas = std::iter::repeat_n((self.delta)(text), deltas);
        let events = (self.before)().into_iter().chain(deltas).chain((self.after)());
        let frame = |event: Value| match event["type"].as_str() {
            Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
            None => format!("data: {event}\n\n"),
        };
        events.map(|event| frame(event).into()).collect()
    }
}

/// Answers at `/short` and `/long`, for whichever protocol has its path behind it.
async fn serve() {
    let mut router = Router::new();
    for wire in WIRES {
        let short = wire.answer(DELTAS, WORD);
        let long = wire.answer(LONG_DELTAS, &"a".repeat(LONG_DELTA));
        for (length, events) in [("short", short), ("long", long)] {
            let answer = move || std::future::ready(streamed(events.clone()));
            router = router.route(&format!("/{length}{}", wire.path), post(answer));
        }
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("http://{}", listener.local_addr().expect("an address"));
    axum::serve(listener, router).await.expect("a server");
}

fn streamed(events: Vec<Bytes>) -> Response {
    let events = futures::stream::iter(events.into_iter().map(Ok::<_, Infallible>));
    ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response()
}

/// Reads an answer and does nothing with it; its bytes.
async fn read(client: &reqwest::Client, url: &str) -> usize {
    let mut response = client.post(url).body("{}").send().await.expect("an answer");
    let mut bytes = 0;
    while let Some(chunk) = response.chunk().await.expect("a whole answer") {
        bytes += chunk.len();
    }
    bytes
}

/// Makes a call and drops what is shown on the way; the turn's text, in bytes.
async fn call(model: &dyn Model) -> usize {
    let request = ModelRequest {
        model: "scripted".to_owned(),
        system: "".into(),
        tools: Arc::new([]),
        messages: vec![ModelMessage::User { server_line: "now".to_owned(), text: "Hello".to_owned() }],
    };
    let (sender, mut receiver) = mpsc::channel(256);
    let shown = async { while receiver.recv().await.is_some() {} };
    let (turn, ()) = tokio::join!(model.turn(request, sender), shown);
    let turn = turn.expect("a whole turn");
    let texts = turn.blocks.iter().map(|block| match block {
        AssistantBlock::Text { text } => text.len(),
        AssistantBlock::ToolCall { .. } | AssistantBlock::Opaque { .. } => 0,
    });
    texts.sum()
}

fn cpu() -> Cpu {
    cpu_of(std::process::id()).0
}

/// Forgets the peak of this process's memory; what it uses now, and what it has used at most since then, in kB.
fn memory(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("a number")
}

fn forget_peak() {
    std::fs::write("/proc/self/clear_refs", "5").expect("a kernel that forgets peaks");
}

/// By how many kB the peak lies above what was used before.
async fn growth(work: impl Future<Output = usize>) -> f64 {
    forget_peak();
    let before = memory("VmRSS");
    work.await;
    memory("VmHWM") - before
}

fn settings(base_url: String) -> ProviderSettings {
    ProviderSettings {
        base_url,
        api_key: "x".to_owned(),
        max_tokens: 4096,
        effort: None,
        timeouts: Timeouts::default(),
        tap: MaybeTap::default(),
    }
}

async fn measure(wire: &Wire, provider: &str) {
    let client = reqwest::Client::new();
    let (short, long) = (format!("{provider}/short"), format!("{provider}/long"));
    let model = (wire.model)(settings(short.clone()));
    let url = format!("{short}{}", wire.path);

    for _ in 0..WARM_UP {
        assert_eq!(call(model.as_ref()).await, DELTAS * WORD.len());
        read(&client, &url).await;
    }
    let before = cpu();
    let mut bytes = 0;
    for _ in 0..ANSWERS {
        bytes = read(&client, &url).await;
    }
    let nothing = cpu() - before;
    let before = cpu();
    for _ in 0..ANSWERS {
        call(model.as_ref()).await;
    }
    let adapter = cpu() - before;
    let each = |cpu: Cpu| cpu / (ANSWERS * DELTAS) as f64 * 1_000.0 * 1_000.0;
    println!("{}: {DELTAS} deltas in {bytes} bytes", wire.name);
    println!(
        "  CPU for 1,000 deltas: {:.2} ms; reading the same bytes and doing nothing: {:.2} ms ({:.1} x)",
        each(adapter),
        each(nothing),
        adapter / nothing
    );

    let url = format!("{long}{}", wire.path);
    let nothing = growth(read(&client, &url)).await;
    let model = (wire.model)(settings(long));
    let adapter = growth(call(model.as_ref())).await;
    let text = (LONG_DELTAS * LONG_DELTA) as f64 / 1024.0;
    println!(
        "  peak memory of an answer of {:.1} MB: {:+.1} MB ({:.1} x its text); reading only: {:+.1} MB",
        text / 1024.0,
        adapter / 1024.0,
        adapter / text,
        nothing / 1024.0
    );
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if std::env::args().nth(1).as_deref() == Some(PART) {
        return serve().await;
    }
    let provider = Part::start(&[PART]);
    for wire in &WIRES {
        measure(wire, &provider.url).await;
    }
}
