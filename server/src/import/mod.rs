//! `truthtable import`: an operator's restaurants, from a file into the database.

mod apply;
mod changes;
mod characters;
pub mod check;
mod conflicts;
mod located;
mod options;
mod orders;
mod report;
mod schema;

use crate::db;
use std::io::{Read, Write};
use std::path::Path;
use std::process::ExitCode;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;

use apply::apply;
use check::{Contents, Problem};
use orders::{OrderRefused, OrdersError};
use report::{Outcome, Report, Summary, counted};

use crate::ids::Ids;
use crate::store::{OpenError, Store, WriteTx};

pub use options::{ABOUT, ImportOptions};
pub use schema::file_schema;

/// More bytes than any file of restaurants has.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

const REFUSED: u8 = 1;
const NOT_POSSIBLE: u8 = 2;

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
enum ImportError {
    #[error("import which file? Name a FILE.json, or - for standard input (import --help tells more)")]
    NoFile,
    #[error("{file} cannot be read: {source}")]
    Unreadable { file: String, source: std::io::Error },
    #[error("{0} has more than {MAX_BYTES} bytes")]
    TooLarge(String),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database does not work: {0}")]
    Database(#[from] db::Error),
    #[error(transparent)]
    Order(#[from] OrderRefused),
}

impl From<OrdersError> for ImportError {
    fn from(error: OrdersError) -> Self {
        match error {
            OrdersError::Refused(refused) => Self::Order(refused),
            OrdersError::Database(error) => Self::Database(error),
        }
    }
}

/// Runs the command and says on stdout what happened, on stderr what was wrong. `now`: bookings from
/// then on count.
pub async fn run(options: &ImportOptions, database_url: &str, ids: &dyn Ids, now: DateTime<Utc>) -> ExitCode {
    if options.schema {
        print_json(&file_schema());
        return ExitCode::SUCCESS;
    }
    let Some(file) = options.file.as_deref() else {
        return not_possible(&ImportError::NoFile);
    };
    let name = if is_stdin(file) { "standard input".to_owned() } else { printable(&file.to_string_lossy()) };
    let bytes = match read(file, &name) {
        Ok(bytes) => bytes,
        Err(error) => return not_possible(&error),
    };
    let contents = match check::read(&bytes) {
        Ok(contents) => contents,
        Err(problems) => return refuse(&name, &problems, options),
    };
    match import(&contents, options, database_url, ids, now).await {
        Ok((outcome, summary)) => told(&name, outcome, &summary, options),
        Err(ImportError::Order(refused)) => refuse_order(&name, &refused, options),
        Err(error) => not_possible(&error),
    }
}

async fn import(
    contents: &Contents,
    options: &ImportOptions,
    database_url: &str,
    ids: &dyn Ids,
    now: DateTime<Utc>,
) -> Result<(Outcome, Summary), ImportError> {
    let refused = |summary: &Summary| options.fail_on_conflict && !summary.conflicts.is_empty();
    if options.dry_run {
        let mut rehearsal = Store::rehearse(database_url).await?;
        let summary = applied(rehearsal.transaction(), contents, options, ids, now).await?;
        rehearsal.end().await?;
        let outcome = if refused(&summary) { Outcome::Refused } else { Outcome::DryRun };
        return Ok((outcome, summary));
    }
    let store = Store::open(database_url).await?;
    let mut tx = store.begin().await?;
    let summary = applied(&mut tx, contents, options, ids, now).await?;
    let outcome = if refused(&summary) {
        drop(tx);
        Outcome::Refused
    } else {
        tx.commit().await?;
        Outcome::Imported
    };
    store.close().await;
    Ok((outcome, summary))
}

async fn applied(
    tx: &mut WriteTx,
    contents: &Contents,
    options: &ImportOptions,
    ids: &dyn Ids,
    now: DateTime<Utc>,
) -> Result<Summary, ImportError> {
    let mut summary = apply(tx, &contents.restaurants, options.remove_others, ids, now).await?;
    summary.orders = orders::apply(tx.connection(), &contents.orders).await?;
    Ok(summary)
}

fn refuse_order(name: &str, refused: &OrderRefused, options: &ImportOptions) -> ExitCode {
    eprintln!("truthtable: {name}: {refused}; nothing was changed");
    if options.json {
        let error = json!({ "path": "/orders", "message": refused.to_string() });
        print_json(&json!({ "outcome": Outcome::Refused, "errors": [error] }));
    }
    ExitCode::from(REFUSED)
}

fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn read(file: &Path, name: &str) -> Result<Vec<u8>, ImportError> {
    let unreadable = |source| ImportError::Unreadable { file: name.to_owned(), source };
    let mut bytes = Vec::new();
    let limit = MAX_BYTES + 1;
    if is_stdin(file) {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    } else {
        let opened = std::fs::File::open(file).map_err(unreadable)?;
        opened.take(limit).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if bytes.len() as u64 > MAX_BYTES {
        return Err(ImportError::TooLarge(name.to_owned()));
    }
    Ok(bytes)
}

fn not_possible(error: &ImportError) -> ExitCode {
    eprintln!("truthtable: {error}");
    ExitCode::from(NOT_POSSIBLE)
}

fn refuse(name: &str, problems: &[Problem], options: &ImportOptions) -> ExitCode {
    let count = i64::try_from(problems.len()).unwrap_or(i64::MAX);
    eprintln!("truthtable: {name} has {}; nothing was changed", counted(count, "error"));
    for Problem { path, line, column, message } in problems {
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        eprintln!("line {line}, column {column}: {path}{message}");
    }
    if options.json {
        print_json(&json!({ "outcome": Outcome::Refused, "errors": problems }));
    }
    ExitCode::from(REFUSED)
}

fn told(name: &str, outcome: Outcome, summary: &Summary, options: &ImportOptions) -> ExitCode {
    let report = Report { outcome, summary };
    if options.json {
        print_json(&report);
    } else {
        print(&report.text(name));
    }
    let conflicts = match summary.conflicts.len() {
        0 => return ExitCode::SUCCESS,
        1 => "1 booking does not fit".to_owned(),
        count => format!("{count} bookings do not fit"),
    };
    match outcome {
        Outcome::Imported => eprintln!("truthtable: warning: imported, but {conflicts} (see above)"),
        Outcome::DryRun => eprintln!("truthtable: warning: {conflicts} (see above)"),
        Outcome::Refused => {
            eprintln!("truthtable: {conflicts} (see above); nothing was changed");
            return ExitCode::from(REFUSED);
        }
    }
    ExitCode::SUCCESS
}

fn print_json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => print(&format!("{text}\n")),
        Err(error) => tracing::error!("the result cannot be written as JSON: {error}"),
    }
}

/// Whoever stops reading has read enough.
fn print(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}

fn printable(name: &str) -> String {
    name.replace(char::is_control, "\u{fffd}")
}
