use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use tempfile::TempDir;

/// A running `truthtable` with a database of its own; killed when dropped.
pub struct Server {
    pub url: String,
    child: Child,
    folder: TempDir,
    settings: Vec<(String, String)>,
    /// Where its log goes, in the folder, instead of the test's own stderr.
    log: Option<PathBuf>,
}

impl Server {
    /// With the demo model at full speed; `settings` on top.
    pub fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), settings, None)
    }

    /// The demo model alone, as a program of its own.
    pub fn demo_model() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (child, url) = spawn(&folder, &["demo-model", "--port", "0"], &[], "127.0.0.1:0", None);
        Self { url, child, folder, settings: Vec::new(), log: None }
    }

    /// Keeps what it writes to stderr, for [`Server::log`].
    pub fn start_logged(settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        Self::start_in(folder, settings, Some(log))
    }

    fn start_in(folder: TempDir, settings: &[(&str, &str)], log: Option<PathBuf>) -> Self {
        let settings: Vec<_> =
            settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let (child, url) = spawn(&folder, &[], &settings, "127.0.0.1:0", log.as_deref());
        Self { url, child, folder, settings, log }
    }

    /// What it has written to stderr so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.as_ref().expect("started with `start_logged`")).unwrap()
    }

    pub fn database_url(&self) -> String {
        database_url(&self.folder)
    }

    /// Kills it without warning, and starts it again at the same address on the same database.
    pub fn restart(&mut self) {
        self.kill();
        let addr = self.url.strip_prefix("http://").unwrap().to_owned();
        (self.child, self.url) = spawn(&self.folder, &[], &self.settings, &addr, self.log.as_deref());
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it exits with after SIGTERM.
    pub fn terminate(mut self) -> ExitStatus {
        self.stop()
    }

    /// SIGTERM, and what it exits with; [`Server::restart`] starts it again on the same database.
    pub fn stop(&mut self) -> ExitStatus {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn database_url(folder: &TempDir) -> String {
    format!("sqlite://{}/made/on/demand/truthtable.db", folder.path().display())
}

fn spawn(
    folder: &TempDir,
    arguments: &[&str],
    settings: &[(String, String)],
    addr: &str,
    log: Option<&Path>,
) -> (Child, String) {
    let stderr = match log {
        Some(log) => OpenOptions::new().create(true).append(true).open(log).unwrap().into(),
        None => Stdio::inherit(),
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
        .args(arguments)
        .env_clear()
        .env("TRUTHTABLE_ADDR", addr)
        .env("DATABASE_URL", database_url(folder))
        .env("TRUTHTABLE_DEMO_PACE", "0")
        .env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or("warn".to_owned()))
        .envs(settings.iter().map(|(name, value)| (name.as_str(), value.as_str())))
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().to_owned();
    assert!(url.starts_with("http://"), "the server did not start: {line:?}");
    (child, url)
}
