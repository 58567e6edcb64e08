//! How the cost of a run grows with its steps, and with what its conversation holds already.
//!
//! `cargo bench -p server --bench growth`
//!
//! Costs are CPU time of the server's process alone. The exponent is the slope in logarithms: 1 is a cost that
//! grows as the number does, 2 as its square.

mod support;

use std::process::ExitCode;

use futures::future::join_all;
use support::{
    Conversation, Cpu, Crowd, Database, ScriptedModel, Served, Unavailable, asking_for, exponent,
    played_a_part, run_all,
};

/// The exponent that is wanted, at most.
const WANTED: f64 = 1.2;
const AT_ONCE: usize = 8;

/// Steps with a tool call, before the one with the answer; and how many runs are measured.
const STEPS: [(usize, usize); 4] = [(1, 640), (4, 320), (16, 160), (64, 64)];

/// Earlier messages, the steps of each, and in how many conversations.
const EARLIER: [(usize, usize, usize); 5] = [(1, 1, 64), (1, 4, 64), (1, 16, 64), (1, 64, 32), (4, 64, 16)];
/// Further messages in all conversations, each with one tool call.
const MESSAGES: usize = 128;
/// How often each conversation is looked at.
const VIEWS: usize = 16;

async fn steps(server: &Served) {
    println!("  CPU time of a run, by its steps with a tool call:");
    let mut points = Vec::new();
    for (steps, runs) in STEPS {
        let mut conversations = Crowd::arrive(server.url(), AT_ONCE, runs).await.open().await;
        let before = server.cpu();
        run_all(&mut conversations, &asking_for(steps), steps).await;
        let each = (server.cpu() - before) / runs as f64;
        points.push((steps as f64, each));
        println!("    {steps:>4}: {:>8.2} ms, {:.2} ms a step", each * 1e3, each * 1e3 / steps as f64);
    }
    print_exponent(&points);
}

/// What conversations that hold something already cost.
struct Cost {
    /// Mean, over the messages.
    events: f64,
    message: Cpu,
    view: Cpu,
}

async fn cost_after(server: &Served, messages: usize, steps: usize, conversations: usize) -> Cost {
    let further = MESSAGES / conversations;
    let crowd = Crowd::arrive(server.url(), conversations, conversations).await;
    let mut conversations: Vec<Conversation> = crowd.open().await.into_iter().flatten().collect();
    join_all(conversations.iter_mut().map(|conversation| async move {
        for _ in 0..messages {
            conversation.run(&asking_for(steps)).await.assert_done(steps);
        }
    }))
    .await;

    let before = server.cpu();
    let views = conversations.iter().map(|conversation| async move {
        for _ in 0..VIEWS {
            assert!(conversation.view().await > 0);
        }
    });
    join_all(views).await;
    let viewed = server.cpu();
    let events = conversations.iter_mut().map(|conversation| async move {
        let mut events = 0;
        for _ in 0..further {
            events += conversation.read_to;
            conversation.run(&asking_for(1)).await.assert_done(1);
        }
        events
    });
    let events: u64 = join_all(events).await.into_iter().sum();
    Cost {
        events: events as f64 / MESSAGES as f64,
        message: (server.cpu() - viewed) / MESSAGES as f64,
        view: (viewed - before) / (conversations.len() * VIEWS) as f64,
    }
}

async fn earlier(server: &Served) {
    println!("  CPU time in a conversation, by the events that it holds:");
    let (mut messages, mut views) = (Vec::new(), Vec::new());
    for (earlier, steps, conversations) in EARLIER {
        let cost = cost_after(server, earlier, steps, conversations).await;
        println!(
            "    {:>6.0}: {:>7.2} ms a further run with one tool call; {:>6.2} ms to show it all",
            cost.events,
            cost.message * 1e3,
            cost.view * 1e3
        );
        messages.push((cost.events, cost.message));
        views.push((cost.events, cost.view));
    }
    print!("    a further run:");
    print_exponent(&messages);
    print!("    to show it:   ");
    print_exponent(&views);
}

fn print_exponent(points: &[(f64, f64)]) {
    let last = exponent(&points[points.len() - 2..]);
    println!("    exponent {:.2}, at the end {last:.2} (wanted: at most {WANTED})", exponent(points));
}

async fn measure(database: &Database, model: &ScriptedModel) -> bool {
    println!("{}", database.name());
    let Some(server) = Served::start(database, model) else {
        println!("  the server does not start on it");
        return false;
    };
    let mut warm_up = Crowd::arrive(server.url(), AT_ONCE, 80).await.open().await;
    run_all(&mut warm_up, &asking_for(1), 1).await;
    steps(&server).await;
    earlier(&server).await;
    true
}

#[tokio::main]
async fn main() -> ExitCode {
    if played_a_part().await {
        return ExitCode::SUCCESS;
    }
    let model = ScriptedModel::start();
    let mut everywhere = measure(&Database::sqlite(), &model).await;
    match Database::postgres() {
        Ok(postgres) => everywhere &= measure(&postgres, &model).await,
        Err(Unavailable(why)) => println!("PostgreSQL: not measured: {why}"),
    }
    if everywhere { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
