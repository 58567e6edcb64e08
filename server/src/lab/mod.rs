//! `truthtable lab`: shows, with real processes that are killed, when money is paid back twice and when not.
//!
//! The parent ([`run()`]) starts this program again: as the demo model, and as a server ([`serve_with_provider`])
//! whose receiver of refunds is the lab's. It plays the guest, kills the server, and counts at the provider.

mod cases;
mod child;
mod counter;
mod guest;
mod options;
mod provider;
mod receiver;
mod report;
mod run;

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::signal::unix::{SignalKind, signal};

use cases::{CASES, Case, Seen};
use child::{Serving, Start};
use provider::Provider;
use receiver::LabReceiver;

use crate::db;
use crate::ids::RandomIds;
use crate::serve::{StartError, serve_with};
use crate::settings::Settings;
use crate::store::OpenError;

pub use child::end_with_stdin;
pub use options::{ABOUT, LabOptions, LabServerOptions};

const DIFFERENT: u8 = 1;
const NOT_POSSIBLE: u8 = 2;
/// Shells tell of a command that a signal has ended with this and the signal's number.
const SIGNALLED: i32 = 128;

/// Why there is no result: one sentence.
#[derive(Debug, thiserror::Error)]
enum LabError {
    #[error("{} cannot be used: {source}", path.display())]
    Folder { path: PathBuf, source: std::io::Error },
    #[error("{}: the folder to keep things in must be new or empty", .0.display())]
    NotEmpty(PathBuf),
    #[error("{}: a path of UTF-8 without a question mark is wanted", .0.display())]
    FolderName(PathBuf),
    #[error("the lab's {what} did not start: {why}")]
    Start { what: &'static str, why: String },
    #[error("the lab waited in vain for {0}")]
    StoodStill(&'static str),
    #[error("the lab's server cannot be spoken with: {0}")]
    Http(String),
    #[error("the case went another way: {0}")]
    NotAsPlanned(String),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database does not work: {0}")]
    Database(#[from] db::Error),
    #[error("cannot listen for signals: {0}")]
    Signals(std::io::Error),
    #[error("the output cannot be written: {0}")]
    Output(std::io::Error),
}

/// Runs the cases and says on stdout what happened.
pub async fn run(options: &LabOptions) -> ExitCode {
    let done = tokio::select! {
        done = play(options) => done,
        // What was started ends with what is dropped here.
        stopped = interrupted() => stopped,
    };
    done.unwrap_or_else(|error| {
        eprintln!("truthtable: {error}");
        ExitCode::from(NOT_POSSIBLE)
    })
}

/// The server of a case: the product, but for who pays.
///
/// # Errors
/// Where it cannot start.
pub async fn serve_with_provider(settings: Settings, options: &LabServerOptions) -> Result<(), StartError> {
    end_with_stdin();
    let receiver = LabReceiver {
        provider: Provider::open(&options.provider).await?,
        key: options.key,
        temper: options.temper,
        ids: Arc::new(RandomIds),
    };
    serve_with(settings, Some(Arc::new(receiver))).await
}

async fn play(options: &LabOptions) -> Result<ExitCode, LabError> {
    let (folder, _temporary) = folder(options)?;
    // Serves until it is dropped.
    let own_model;
    let model_url = match &options.model {
        Some(url) => url,
        None => {
            own_model = demo_model(&folder).await?;
            &own_model.url
        }
    };
    let cases: Vec<Case> =
        CASES.into_iter().filter(|case| options.case.is_none_or(|name| name == case.name)).collect();
    if !options.json {
        say(&report::introduction())?;
    }
    let mut all: Vec<Seen> = Vec::new();
    for case in cases {
        let own = folder.join(case.name.as_str());
        std::fs::create_dir(&own).map_err(|source| LabError::Folder { path: own.clone(), source })?;
        let seen = run::run(case, options.strategy.unwrap_or(case.key), &own, model_url).await?;
        say(&if options.json { report::json_line(&seen)? } else { report::story(&seen) })?;
        all.push(seen);
    }
    if !options.json {
        say(&report::conclusion(&all, options.keep.as_deref().map(|_| folder.as_path())))?;
    }
    let differences: Vec<String> = all.iter().flat_map(Seen::differences).collect();
    for difference in &differences {
        eprintln!("truthtable: {difference}");
    }
    Ok(if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(DIFFERENT) })
}

/// Where the databases are: a temporary folder goes when its value does.
fn folder(options: &LabOptions) -> Result<(PathBuf, Option<TempDir>), LabError> {
    let Some(path) = &options.keep else {
        let temporary =
            tempfile::tempdir().map_err(|source| LabError::Folder { path: std::env::temp_dir(), source })?;
        return Ok((temporary.path().to_owned(), Some(temporary)));
    };
    let failed = |source| LabError::Folder { path: path.clone(), source };
    std::fs::create_dir_all(path).map_err(failed)?;
    if std::fs::read_dir(path).map_err(failed)?.next().is_some() {
        return Err(LabError::NotEmpty(path.clone()));
    }
    let path = path.canonicalize().map_err(failed)?;
    // It becomes a part of a database's URL, where a question mark ends the path.
    match path.to_str() {
        Some(text) if !text.contains('?') => Ok((path, None)),
        Some(_) | None => Err(LabError::FolderName(path)),
    }
}

async fn demo_model(folder: &Path) -> Result<Serving, LabError> {
    let arguments = ["demo-model", "--port=0", "--end-with-stdin"].map(str::to_owned);
    Serving::start(Start {
        what: "demo model",
        arguments: &arguments,
        settings: &[("TRUTHTABLE_DEMO_PACE", "0".to_owned())],
        folder,
        log: folder.join("model.log"),
    })
    .await
}

/// Waits for a signal that asks it to end.
async fn interrupted() -> Result<ExitCode, LabError> {
    let of = |kind| signal(kind).map_err(LabError::Signals);
    let (mut interrupt, mut terminate) = (of(SignalKind::interrupt())?, of(SignalKind::terminate())?);
    let mut hangup = of(SignalKind::hangup())?;
    let by = tokio::select! {
        _ = interrupt.recv() => SignalKind::interrupt(),
        _ = terminate.recv() => SignalKind::terminate(),
        _ = hangup.recv() => SignalKind::hangup(),
    };
    let status = u8::try_from(SIGNALLED + by.as_raw_value()).unwrap_or(NOT_POSSIBLE);
    Ok(ExitCode::from(status))
}

fn say(text: &str) -> Result<(), LabError> {
    let mut out = std::io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads, `head` for example, has seen enough; how it ends is still told by the exit status.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(LabError::Output),
    }
}
