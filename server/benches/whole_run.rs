//! A whole run through HTTP, with the demo model at pace 0: a guest arrives, speaks, decides, and reads the
//! events to the end. Beside it, in the same run, the same requests and the same bytes from an axum server
//! that does nothing else.
//!
//! `cargo bench -p server --bench whole_run`

use std::convert::Infallible;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use futures::StreamExt;
use futures::future::join_all;
use reqwest::header::{COOKIE, SET_COOKIE};
use serde_json::{Value, json};
use sse_stream::SseStream;

const RUNS: usize = 120;
const CLIENTS: usize = 16;

/// What a guest says, and to which persona.
#[derive(Clone, Copy)]
struct Story {
    name: &'static str,
    persona: &'static str,
    text: fn(usize) -> String,
}

const STORIES: [Story; 2] = [
    Story {
        name: "a question with one tool call",
        persona: "helpful",
        text: |_| "Thời tiết Đà Lạt hôm nay?".to_owned(),
    },
    Story {
        name: "a booking with two tool calls and a decision",
        // Takes the first table that it finds.
        persona: "liar",
        text: |number| {
            let day = chrono::Utc::now() + chrono::Duration::days(2 + (number % 60) as i64);
            format!("Đặt bàn ở Đà Lạt cho 2 người lúc 19:00 ngày {}", day.format("%d/%m/%Y"))
        },
    },
];

/// One guest, from arriving to the end of the run; what was read of the events.
async fn run(client: &reqwest::Client, url: &str, story: Story, number: usize) -> String {
    let body = json!({ "persona": story.persona });
    let answer = client.post(format!("{url}/api/conversations")).json(&body).send().await.expect("an answer");
    let cookie = answer.headers()[SET_COOKIE]
        .to_str()
        .expect("a cookie")
        .split(';')
        .next()
        .unwrap_or_default()
        .to_owned();
    let body: Value = answer.json().await.expect("JSON");
    let path = format!("{url}/api/conversations/{}", body["conversationId"].as_str().expect("an id"));
    let events = client.get(format!("{path}/events")).header(COOKIE, &cookie);
    let message = json!({ "clientMessageId": format!("m-{number}"), "text": (story.text)(number) });
    let sent = client.post(format!("{path}/messages")).header(COOKIE, &cookie).json(&message).send();
    assert_eq!(sent.await.expect("an answer").status(), StatusCode::ACCEPTED);

    let mut stream = SseStream::from_bytes_stream(events.send().await.expect("events").bytes_stream());
    let mut read = String::new();
    while let Some(event) = stream.next().await {
        let event = event.expect("an event");
        let (Some(id), Some(data)) = (event.id, event.data) else { continue };
        read.push_str(&format!("id: {id}\ndata: {data}\n\n"));
        let event: Value = serde_json::from_str(&data).expect("JSON");
        match event["type"].as_str() {
            Some("tool-approval-requested") => {
                let call = event["toolCallId"].as_str().expect("an id");
                let body = json!({ "approved": true, "approvalId": event["approvalId"] });
                let decided = client
                    .post(format!("{path}/approvals/{call}"))
                    .header(COOKIE, &cookie)
                    .json(&body)
                    .send();
                assert_eq!(decided.await.expect("an answer").status(), StatusCode::OK);
            }
            Some("run-finished") if event["status"] != "awaiting-approval" => {
                assert_eq!(event["status"], "done", "{read}");
                return read;
            }
            _ => {}
        }
    }
    panic!("the events ended early: {read}");
}

/// Says what was said before, and nothing else.
async fn bare(events: String) -> String {
    let events = Arc::new(events);
    let router = Router::new().fallback(move |method: Method, uri: Uri, _: Bytes| {
        let events = events.clone();
        async move { answer(&method, uri.path(), &events) }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    // As the real one: small answers must not wait for more of them.
    let listener = listener.tap_io(|connection| connection.set_nodelay(true).expect("no delay"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

fn answer(method: &Method, path: &str, events: &str) -> Response {
    if *method == Method::GET {
        let each: Vec<_> =
            events.split_inclusive("\n\n").map(str::to_owned).map(Ok::<_, Infallible>).collect();
        let body = Body::from_stream(futures::stream::iter(each));
        return ([(CONTENT_TYPE, "text/event-stream")], body).into_response();
    }
    if path.ends_with("/messages") {
        return (StatusCode::ACCEPTED, Json(json!({ "runId": "r" }))).into_response();
    }
    ([(SET_COOKIE, "session=s; Path=/")], Json(json!({ "conversationId": "c", "decision": "approved" })))
        .into_response()
}

/// The median time of a run by itself, and runs a second with many clients at once.
async fn measure(client: &reqwest::Client, url: &str, story: Story) -> (Duration, f64) {
    let mut times = Vec::with_capacity(RUNS);
    for number in 0..RUNS {
        let started = Instant::now();
        run(client, url, story, number).await;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    let started = Instant::now();
    let one_client = |first: usize| async move {
        for number in (first..RUNS).step_by(CLIENTS) {
            run(client, url, story, number).await;
        }
    };
    join_all((0..CLIENTS).map(one_client)).await;
    (times[RUNS / 2], RUNS as f64 / started.elapsed().as_secs_f64())
}

/// The real server, with a database of its own.
struct Served {
    child: Child,
    url: String,
    _folder: tempfile::TempDir,
}

impl Served {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let database = format!("sqlite://{}/bench.db", folder.path().display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
            .env_clear()
            .envs([("TRUTHTABLE_ADDR", "127.0.0.1:0"), ("TRUTHTABLE_DEMO_PACE", "0"), ("RUST_LOG", "error")])
            .env("DATABASE_URL", database)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("its address");
        Self { child, url: line.trim().to_owned(), _folder: folder }
    }
}

impl Served {
    /// What the process has used so far; none where there is no /proc. In user and system mode, counted in
    /// hundredths of a second (proc_pid_stat(5), fields 14 and 15).
    fn cpu_seconds(&self) -> Option<f64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        let fields: Vec<&str> = stat.rsplit(") ").next()?.split(' ').collect();
        let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
        Some((ticks(11)? + ticks(12)?) / 100.0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn main() {
    let server = Served::start();
    let client = reqwest::Client::new();
    for story in STORIES {
        let events = run(&client, &server.url, story, 0).await;
        let bare_url = bare(events.clone()).await;
        let (bare_time, bare_rate) = measure(&client, &bare_url, story).await;
        let before = server.cpu_seconds();
        let (time, rate) = measure(&client, &server.url, story).await;
        let cpu = before.zip(server.cpu_seconds()).map(|(before, after)| after - before);
        let ratio = time.as_secs_f64() / bare_time.as_secs_f64();
        println!("{}: {} events, {} bytes", story.name, events.matches("\n\n").count(), events.len());
        println!("  alone: {time:.2?} a run, {ratio:.1} x a bare server ({bare_time:.2?})");
        println!(
            "  {CLIENTS} at once: {rate:.0} runs a second; a bare server {bare_rate:.0}, {:.1} x",
            bare_rate / rate
        );
        if let Some(seconds) = cpu {
            let each = seconds / (2 * RUNS) as f64 * 1000.0;
            println!("  the server and its demo model: {each:.2} CPU-seconds for 1,000 runs");
        }
    }
}
