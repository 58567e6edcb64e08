//! Processes that the lab starts: this very program, with other arguments.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::LabError;

/// How long one may take to say its address.
const TO_START: Duration = Duration::from_secs(60);

/// A process that serves; killed when dropped.
pub struct Serving {
    pub url: String,
    child: Child,
}

/// What to start.
pub struct Start<'a> {
    /// For whoever reads why it did not start.
    pub what: &'static str,
    pub arguments: &'a [String],
    /// Its whole environment.
    pub settings: &'a [(&'static str, String)],
    /// Its folder, where its relative paths begin.
    pub folder: &'a Path,
    pub log: PathBuf,
}

impl Serving {
    /// Starts it and waits for its address.
    pub async fn start(start: Start<'_>) -> Result<Self, LabError> {
        let failed = |why: String| LabError::Start { what: start.what, why };
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let log = OpenOptions::new().create(true).append(true).open(&start.log);
        let log = log.map_err(|source| LabError::Folder { path: start.log.clone(), source })?;
        let mut child = Command::new(program)
            .args(start.arguments)
            .env_clear()
            .env("RUST_LOG", "warn")
            .envs(start.settings.iter().map(|(name, value)| (name, value)))
            .current_dir(start.folder)
            // It ends with this pipe, should the lab itself be killed.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let stdout = child.stdout.take();
        let mut serving = Self { url: String::new(), child };
        let address = tokio::task::spawn_blocking(move || {
            let mut line = String::new();
            stdout.map(|stdout| BufReader::new(stdout).read_line(&mut line)).transpose().map(|_| line)
        });
        let said = match tokio::time::timeout(TO_START, address).await {
            Ok(Ok(Ok(line))) => line.trim().to_owned(),
            Ok(Ok(Err(error))) => return Err(failed(error.to_string())),
            Ok(Err(error)) => return Err(failed(error.to_string())),
            Err(_) => return Err(failed(format!("it said nothing for {} seconds", TO_START.as_secs()))),
        };
        if !said.starts_with("http://") {
            return Err(failed(last_line(&start.log)));
        }
        serving.url = said;
        Ok(serving)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// SIGKILL: it does nothing more, not even the next instruction. Returns when it is gone.
    pub fn kill(&mut self) {
        // Both fail only where it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Ends this process when its standard input does: when whoever started it is gone.
pub fn end_with_stdin() {
    std::thread::spawn(|| {
        let mut nothing = [0];
        while std::io::stdin().read(&mut nothing).is_ok_and(|count| count > 0) {}
        std::process::exit(0);
    });
}

/// Why it ended, as it said itself.
fn last_line(log: &Path) -> String {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    let why = last.map_or("it ended without a word", |line| line.trim_start_matches("truthtable: "));
    crate::text::one_line(why, 300)
}
