//! The real server, its database and its model, each a process of its own, so that what is measured is the
//! server alone; and guests who send messages and read events.
#![allow(dead_code, unused_imports, reason = "each benchmark uses a part of it")]

mod bare;
mod database;
mod guest;
mod model;
mod process;

pub use bare::Bare;
pub use database::{Database, Unavailable};
pub use guest::{Conversation, Crowd, Transcript, read, run_all};
pub use model::{ARGUMENT_DELTAS, ScriptedModel, TEXT_DELTAS, asking_for, deltas};
pub use process::{Cpu, Part, Served, cores, cpu_of};

/// What the benchmark's own program becomes when it is started for a part of its own. `false`: nothing, it
/// shall measure.
pub async fn played_a_part() -> bool {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(model::PART) => model::serve().await,
        Some(bare::PART) => bare::serve(arguments.get(1).expect("the file with the events")).await,
        // Cargo says `--bench`.
        Some(_) | None => return false,
    }
    true
}

/// The slope of a straight line through the logarithms: the exponent `e` in `cost ~ size^e`.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(size, cost)| (size.ln(), cost.ln())).collect();
    let count = logs.len() as f64;
    let middle_x = logs.iter().map(|(x, _)| x).sum::<f64>() / count;
    let middle_y = logs.iter().map(|(_, y)| y).sum::<f64>() / count;
    let above: f64 = logs.iter().map(|(x, y)| (x - middle_x) * (y - middle_y)).sum();
    let below: f64 = logs.iter().map(|(x, _)| (x - middle_x).powi(2)).sum();
    above / below
}
