//! What a run costs: the model calls one tool, its arguments in 11 deltas, then answers in 200; clients read
//! the events to the end. On SQLite and PostgreSQL, beside a bare axum server that sends the same bytes.
//!
//! `cargo bench -p server --bench throughput`
//!
//! CPU time is that of the server's process alone: model, clients and database are processes of their own.
//! They share the machine, so runs a second say what one machine does with all of them on it.

mod support;

use std::process::ExitCode;
use std::time::Duration;

use reqwest::Client;
use shared::event::AgentEvent;
use shared::ids::ToolCallId;
use support::{
    ARGUMENT_DELTAS, Bare, Conversation, Cpu, Crowd, Database, ScriptedModel, Served, TEXT_DELTAS,
    Unavailable, asking_for, cores, deltas, played_a_part, read, run_all,
};

const CLIENTS: [usize; 3] = [1, 16, 64];
/// With each number of clients; a multiple of each.
const RUNS: usize = 640;
/// Before anything is measured.
const WARM_UP: usize = 128;

/// CPU-seconds that are wanted for 1,000 runs, at most.
const WANTED: f64 = 1.5;

/// A line of the table; seconds are those of all runs.
struct Measured {
    clients: usize,
    took: Duration,
    run: Cpu,
    conversations: Cpu,
    database: Option<Cpu>,
}

impl Measured {
    fn print(&self, bare: Option<&Measured>) {
        let each = |cpu: Cpu| cpu / RUNS as f64 * 1000.0;
        let rate = RUNS as f64 / self.took.as_secs_f64();
        print!(
            "  {:>2} clients: {rate:>6.0} runs a second; CPU-seconds for 1,000: {:.2} the run",
            self.clients,
            each(self.run)
        );
        if let Some(bare) = bare {
            print!(" ({:.1} x bare)", self.run / bare.run);
        }
        print!(", {:.2} making its conversation", each(self.conversations));
        if let Some(database) = self.database {
            print!("; the database's own processes {:.2}", each(database));
        }
        println!();
    }
}

/// The same from whoever answers at `url`.
async fn measure(
    url: &str,
    clients: usize,
    calls: usize,
    cpu: impl Fn() -> Cpu,
    database: impl Fn() -> Option<Cpu>,
) -> Measured {
    let crowd = Crowd::arrive(url, clients, RUNS).await;
    let (before, database_before) = (cpu(), database());
    let mut conversations = crowd.open().await;
    let opened = cpu();
    let took = run_all(&mut conversations, &asking_for(calls), calls).await;
    let database = database_before.zip(database()).map(|(before, after)| after - before);
    Measured { clients, took, run: cpu() - opened, conversations: opened - before, database }
}

async fn warm_up(url: &str) {
    let mut conversations = Crowd::arrive(url, 16, WARM_UP).await.open().await;
    run_all(&mut conversations, &asking_for(1), 1).await;
}

/// What a run sends, as a reader gets it who came after the message.
async fn transcript(url: &str) -> String {
    let mut conversations = Crowd::arrive(url, 1, 1).await.open().await;
    let conversation: &mut Conversation = &mut conversations[0][0];
    let transcript = conversation.run(&asking_for(1)).await;
    transcript.assert_done(1);
    println!(
        "A run as it is sent, with {ARGUMENT_DELTAS} deltas of arguments and {TEXT_DELTAS} of text, those of \
         60 ms joined: {} events, {} bytes",
        transcript.events().count(),
        transcript.text().len()
    );
    transcript.text().to_owned()
}

async fn measure_server(database: &Database, model: &ScriptedModel, bare: &[Measured]) -> bool {
    println!("{}", database.name());
    let Some(server) = Served::start(database, model) else {
        println!("  the server does not start on it");
        return false;
    };
    warm_up(server.url()).await;
    for (clients, bare) in CLIENTS.into_iter().zip(bare) {
        let measured = measure(server.url(), clients, 1, || server.cpu(), || database.cpu()).await;
        measured.print(Some(bare));
    }
    true
}

async fn measure_bare(events: &str) -> Vec<Measured> {
    println!("A bare axum server: the same requests, the same bytes");
    let bare = Bare::start(events);
    warm_up(bare.url()).await;
    let mut all = Vec::new();
    for clients in CLIENTS {
        let measured = measure(bare.url(), clients, 1, || bare.cpu(), || None).await;
        measured.print(None);
        all.push(measured);
    }
    all
}

/// The same deltas one by one, in the answer to a single request: what the figures from elsewhere are for.
async fn measure_single_request() {
    let (arguments, text) = deltas();
    let tool_call_id = ToolCallId("call".to_owned());
    let arguments = arguments.into_iter().map(|delta| AgentEvent::ToolInputDelta {
        tool_call_id: tool_call_id.clone(),
        input_text_delta: delta,
    });
    let text = text.into_iter().map(|text| AgentEvent::TextDelta { text });
    let mut events: String = arguments
        .chain(text)
        .map(|event| format!("data: {}\n\n", serde_json::to_string(&event).expect("JSON")))
        .collect();
    events.push_str("data: {\"type\":\"run-finished\"}\n\n");
    let bare = Bare::start(&events);
    println!(
        "A bare axum server, one request, every delta an event of its own: {} events, {} bytes",
        events.matches("\n\n").count(),
        events.len()
    );
    let client = Client::new();
    let url = format!("{}/chat", bare.url());
    for _ in 0..WARM_UP {
        read(client.post(&url)).await;
    }
    for clients in CLIENTS {
        let before = bare.cpu();
        let started = std::time::Instant::now();
        let one_client = || async {
            for _ in 0..RUNS / clients {
                read(client.post(&url)).await;
            }
        };
        futures::future::join_all((0..clients).map(|_| one_client())).await;
        println!(
            "  {clients:>2} clients: {:>6.0} answers a second; CPU-seconds for 1,000: {:.2}",
            RUNS as f64 / started.elapsed().as_secs_f64(),
            (bare.cpu() - before) / RUNS as f64 * 1000.0
        );
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    if played_a_part().await {
        return ExitCode::SUCCESS;
    }
    println!("{} cores, shared by server, model, clients and database; {RUNS} runs a line", cores());
    let model = ScriptedModel::start();
    let sqlite = Database::sqlite();
    let events = {
        let server = Served::start(&sqlite, &model).expect("the server");
        transcript(server.url()).await
    };
    measure_single_request().await;
    let bare = measure_bare(&events).await;
    let mut everywhere = measure_server(&sqlite, &model, &bare).await;
    match Database::postgres() {
        Ok(postgres) => everywhere &= measure_server(&postgres, &model, &bare).await,
        Err(Unavailable(why)) => println!("PostgreSQL: not measured: {why}"),
    }
    println!(
        "For orientation, CPU-seconds for 1,000 such runs on 2 cores, without loop, validation and commits: AI \
         SDK v7 on Node 12 to 22, TanStack AI 6.7, bare axum 0.22. Wanted here, with all three: at most {WANTED}."
    );
    if everywhere { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
