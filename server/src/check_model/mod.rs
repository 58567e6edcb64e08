//! `truthtable check-model`: whether the configured model works here.
//!
//! It speaks through the adapter that the settings choose, with the prompt and the tools of the server. Nothing is
//! run: results are made up here.

mod advice;
mod asking;
mod check;
mod judging;
mod options;
mod probing;
mod report;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::ValueEnum;
use tokio::time::Instant;

pub use options::{ABOUT, CheckOptions};

use asking::Asker;
use probing::Prober;
use report::Report;

use crate::clock::{Clock, SystemClock};
use crate::configured_model::{ConfiguredModelError, configured_model};
use crate::http::ModelChoice;
use crate::ids::RandomIds;
use crate::model::provider::MaybeTap;
use crate::model::transcript::{self, Recorder};
use crate::settings::{ModelKind, Settings};

const DOES_NOT_WORK: u8 = 1;
const NOT_POSSIBLE: u8 = 2;

/// Why nothing could be said: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
enum CheckError {
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Model(#[from] ConfiguredModelError),
    #[error("{file} cannot be written: {source}", file = .file.display())]
    Record { file: PathBuf, source: std::io::Error },
    #[error("the result cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// Runs the command and says on stdout what it found.
pub async fn run(settings: &Settings, options: &CheckOptions) -> ExitCode {
    let told = async {
        let report = check(settings, options).await?;
        let text = if options.json { report.as_json()? } else { report.as_text() };
        Ok::<_, CheckError>((text, report.works()))
    };
    match told.await {
        Ok((text, works)) => {
            // Whoever reads, `head` for example, may have seen enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
            if works { ExitCode::SUCCESS } else { ExitCode::from(DOES_NOT_WORK) }
        }
        Err(error) => {
            eprintln!("truthtable: {error}");
            ExitCode::from(NOT_POSSIBLE)
        }
    }
}

async fn check(settings: &Settings, options: &CheckOptions) -> Result<Report, CheckError> {
    settings.check().map_err(CheckError::Settings)?;
    if let Some(file) = &options.record {
        // Before anything is paid for.
        keep(file, "")?;
    }
    let recorder = Arc::new(Recorder::new(key(settings)));
    let tap = MaybeTap(Some(recorder.clone()));
    let (model, choice) = configured_model(settings, Arc::new(RandomIds), tap).await?;
    let name = match choice {
        ModelChoice::Demo { name } | ModelChoice::Provider { name } => name,
    };
    let begun = Instant::now();
    let mut prober = Prober {
        asker: Asker::new(model, name.clone(), SystemClock.now()),
        settings,
        recorder: &recorder,
        deadline: begun + options.deadline(),
        seconds: options.seconds,
        found: Vec::new(),
    };
    prober.probe().await;
    if let Some(file) = &options.record {
        keep(file, &transcript::write(&recorder.exchanges())?)?;
    }
    let protocol = settings.model.to_possible_value().map(|value| value.get_name().to_owned());
    Ok(Report {
        protocol: protocol.unwrap_or_default(),
        model: name,
        seconds: begun.elapsed().as_secs_f64(),
        found: prober.found,
    })
}

/// What must not be in a recording; the demo model's key is no secret.
fn key(settings: &Settings) -> &str {
    match settings.model {
        ModelKind::Demo => "",
        ModelKind::Anthropic => settings.anthropic_api_key.as_deref().unwrap_or_default(),
    }
}

fn keep(file: &PathBuf, text: &str) -> Result<(), CheckError> {
    std::fs::write(file, text).map_err(|source| CheckError::Record { file: file.clone(), source })
}
