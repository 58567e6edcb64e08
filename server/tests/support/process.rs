use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{DatabaseKind, Home, PATIENCE, Relay};

/// A running `truthtable`; killed when dropped.
pub struct Server {
    pub url: String,
    child: Child,
    home: Home,
    folder: TempDir,
    settings: Vec<(String, String)>,
    /// Where its log goes, in the folder, instead of the test's own stderr.
    log: Option<PathBuf>,
    /// Before the demo model, where it is that.
    relay: Option<Relay>,
}

impl Server {
    /// With the demo model at full speed and a database of its own; `settings` on top.
    pub fn start(settings: &[(&str, &str)]) -> Self {
        Self::start_on(DatabaseKind::of_this_run(), settings)
    }

    pub fn start_on(kind: DatabaseKind, settings: &[(&str, &str)]) -> Self {
        Self::start_at(&Home::fresh(kind), settings)
    }

    /// On a database that others may use too.
    pub fn start_at(home: &Home, settings: &[(&str, &str)]) -> Self {
        Self::launch(home.clone(), settings, false)
    }

    /// The same, where it may end before it serves: then [`Server::ended`] tells how, and the URL is empty.
    pub fn start_or_end(home: &Home, settings: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = owned(settings);
        let (child, url) = try_spawn(home, &[], &settings, "127.0.0.1:0", None);
        let url = url.unwrap_or_default();
        Self { url, child, home: home.clone(), folder, settings, log: None, relay: None }
    }

    /// One more on the other's database.
    pub fn start_beside(other: &Self, settings: &[(&str, &str)]) -> Self {
        Self::start_at(&other.home, settings)
    }

    /// Keeps what it writes to stderr, for [`Server::log`].
    pub fn start_logged(settings: &[(&str, &str)]) -> Self {
        Self::launch(Home::fresh(DatabaseKind::of_this_run()), settings, true)
    }

    /// The demo model alone, as a program of its own.
    pub fn demo_model() -> Self {
        let (home, folder) = (Home::fresh(DatabaseKind::Sqlite), tempfile::tempdir().unwrap());
        let (child, url) = spawn(&home, &["demo-model", "--port", "0"], &[], "127.0.0.1:0", None);
        let relay = Relay::before(&url);
        let url = relay.serving.url.clone();
        Self { url, child, home, folder, settings: Vec::new(), log: None, relay: Some(relay) }
    }

    fn launch(home: Home, settings: &[(&str, &str)], logged: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let log = logged.then(|| folder.path().join("log"));
        let settings = owned(settings);
        let (child, url) = spawn(&home, &[], &settings, "127.0.0.1:0", log.as_deref());
        Self { url, child, home, folder, settings, log, relay: None }
    }

    /// What it has written to stderr so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log.as_ref().expect("started with `start_logged`")).unwrap()
    }

    pub fn home(&self) -> &Home {
        &self.home
    }

    pub fn database_url(&self) -> String {
        self.home.database_url()
    }

    /// Kills it without warning, and starts it again at the same address on the same database.
    pub fn restart(&mut self) {
        self.kill();
        let addr = self.url.strip_prefix("http://").unwrap().to_owned();
        (self.child, self.url) = spawn(&self.home, &[], &self.settings, &addr, self.log.as_deref());
    }

    /// As [`Server::restart`], with these settings on top; it may end again before it serves.
    pub fn restart_with(&mut self, settings: &[(&str, &str)]) {
        self.kill();
        // The last of a name counts.
        self.settings.extend(owned(settings));
        let addr = self.url.strip_prefix("http://").unwrap_or("127.0.0.1:0").to_owned();
        let (child, url) = try_spawn(&self.home, &[], &self.settings, &addr, self.log.as_deref());
        self.child = child;
        self.url = url.unwrap_or_else(|| std::mem::take(&mut self.url));
    }

    /// How it has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap()
    }

    /// SIGKILL.
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
        self.signal("TERM");
        self.child.wait().unwrap()
    }

    /// SIGSTOP: it stands still in the middle of whatever it does, its connections open.
    pub fn pause(&self) {
        self.signal("STOP");
        let since = Instant::now();
        while !self.stands_still() {
            assert!(since.elapsed() < PATIENCE, "it does not stand still");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// SIGCONT: it goes on where it stood, and does not know that time has passed.
    pub fn resume(&self) {
        self.signal("CONT");
    }

    fn stands_still(&self) -> bool {
        let mut threads = std::fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        threads.all(|thread| {
            // `pid (name) state …`; a thread that has ended meanwhile is looked at again, with all others.
            let stat = std::fs::read_to_string(thread.unwrap().path().join("stat"));
            stat.is_ok_and(|stat| stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T')))
        })
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([format!("-{name}"), self.pid().to_string()]).status();
        assert!(status.unwrap().success(), "SIG{name} did not reach it");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn owned(settings: &[(&str, &str)]) -> Vec<(String, String)> {
    settings.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

fn spawn(
    home: &Home,
    arguments: &[&str],
    settings: &[(String, String)],
    addr: &str,
    log: Option<&Path>,
) -> (Child, String) {
    let (child, url) = try_spawn(home, arguments, settings, addr, log);
    (child, url.expect("the server did not start"))
}

/// The URL is there when it serves.
fn try_spawn(
    home: &Home,
    arguments: &[&str],
    settings: &[(String, String)],
    addr: &str,
    log: Option<&Path>,
) -> (Child, Option<String>) {
    let stderr = match log {
        Some(log) => OpenOptions::new().create(true).append(true).open(log).unwrap().into(),
        None => Stdio::inherit(),
    };
    let demo_pace = settings.iter().rfind(|(name, _)| name == "TRUTHTABLE_DEMO_PACE");
    let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
        .args(arguments)
        .env_clear()
        .env("TRUTHTABLE_ADDR", addr)
        .env("DATABASE_URL", home.database_url())
        .env("TRUTHTABLE_DEMO_PACE", "0")
        .env("TRUTHTABLE_DEMO_URL", home.demo_model().url(demo_pace.map_or("0", |(_, pace)| pace)))
        .env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or("warn".to_owned()))
        .envs(settings.iter().map(|(name, value)| (name.as_str(), value.as_str())))
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim();
    assert!(url.is_empty() || url.starts_with("http://"), "no URL: {line:?}");
    let url = (!url.is_empty()).then(|| url.to_owned());
    (child, url)
}
