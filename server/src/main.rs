//! `truthtable`: reads its settings and runs what they ask for.

use std::io::IsTerminal;
use std::process::ExitCode;

use server::clock::{Clock, SystemClock};
use server::ids::RandomIds;
use server::serve::{serve, serve_demo_model};
use server::settings::{self, Command};
use server::{check_model, import, lab, operator, reconcile};
use tracing_subscriber::EnvFilter;

/// A run makes thousands of small allocations on one thread that are freed on another.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The command line or a setting is wrong: nothing was begun. Other reasons not to start are 1.
const WRONG_USAGE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    // The log goes to stderr; stdout has the address alone.
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(is_colourful())
        .init();

    #[cfg(feature = "fault-points")]
    if let Err(sentence) = server::fault::arm() {
        return refuse(&sentence);
    }
    let command = match settings::read() {
        Ok(command) => command,
        Err(sentence) => {
            eprintln!("truthtable: {sentence}");
            return ExitCode::from(WRONG_USAGE);
        }
    };
    let done = match command {
        Command::Serve(settings) => serve(*settings).await.map_err(|error| error.to_string()),
        Command::DemoModel { port, pace, ends_with_stdin } => {
            if ends_with_stdin {
                lab::end_with_stdin();
            }
            serve_demo_model(port, pace).await.map_err(|error| error.to_string())
        }
        Command::Import { options, database_url } => {
            return import::run(&options, &database_url, &RandomIds, SystemClock.now()).await;
        }
        Command::CheckModel { settings, options } => return check_model::run(&settings, &options).await,
        Command::Handovers { database_url, wanted } => {
            operator::handovers(&database_url, wanted, &SystemClock, &mut std::io::stdout())
                .await
                .map_err(|error| error.to_string())
        }
        Command::Lab(options) => return lab::run(&options).await,
        Command::LabServer { settings, options } => {
            lab::serve_with_provider(*settings, &options).await.map_err(|error| error.to_string())
        }
        Command::Reconcile { settings, wanted } => return reconcile::run(&settings, wanted).await,
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => refuse(&sentence),
    }
}

/// Whether the log is read by a person at a terminal who has not asked for plain text (<https://no-color.org>).
fn is_colourful() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn refuse(sentence: &str) -> ExitCode {
    eprintln!("truthtable: {sentence}");
    ExitCode::FAILURE
}
