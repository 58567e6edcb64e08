use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use server::fault::Point;
use tempfile::TempDir;

use crate::support::{Home, Server};

/// Where a process is told to die, and the proof that it did.
pub struct Fault {
    point: Point,
    /// At the n-th time that it comes there.
    nth: u32,
    folder: TempDir,
}

impl Fault {
    pub fn new(point: Point, nth: u32) -> Self {
        Self { point, nth, folder: tempfile::tempdir().unwrap() }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("struck")
    }

    /// Lets the server die of one of them, or of none.
    fn settings(fault: Option<&Self>) -> [(&'static str, String); 2] {
        let at = fault.map(|fault| format!("{}:{}", fault.point.name(), fault.nth));
        let file = fault.map(|fault| fault.file().to_str().unwrap().to_owned());
        [("TRUTHTABLE_FAULT", at.unwrap_or_default()), ("TRUTHTABLE_FAULT_FILE", file.unwrap_or_default())]
    }
}

/// A server that dies of one fault after the other.
pub struct MortalServer<'a> {
    pub server: Server,
    faults: &'a [Fault],
    died: usize,
}

/// How long a fault that has been reached takes to end the process.
const DYING: Duration = Duration::from_millis(500);

impl<'a> MortalServer<'a> {
    pub fn start(home: &Home, settings: &[(&str, &str)], faults: &'a [Fault]) -> Self {
        let fault = Fault::settings(faults.first());
        let fault = fault.each_ref().map(|(name, value)| (*name, value.as_str()));
        let server = Server::start_or_end(home, &[settings, &fault].concat());
        let mut started = Self { server, faults, died: 0 };
        while started.server.url.is_empty() {
            started.start_again_if_dead();
        }
        started
    }

    /// Starts it again whenever it has died, until all faults have struck or the story is over.
    pub async fn keep_starting(&mut self, is_over: &AtomicBool) {
        let mut over_since = None;
        while self.has_faults_left() {
            self.start_again_if_dead();
            let is_over = is_over.load(Ordering::SeqCst);
            if is_over && over_since.get_or_insert_with(Instant::now).elapsed() > DYING {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    pub fn has_faults_left(&self) -> bool {
        self.died < self.faults.len()
    }

    fn start_again_if_dead(&mut self) {
        let Some(status) = self.server.ended() else { return };
        assert_eq!(status.signal(), Some(9), "it was not killed: {status}");
        let fault = self.faults.get(self.died).expect("it has nothing left to die of");
        let at = std::fs::read_to_string(fault.file()).expect("a fault that has struck");
        assert_eq!(at, fault.point.name(), "it died somewhere else");
        self.died += 1;
        let next = Fault::settings(self.faults.get(self.died));
        self.server.restart_with(&next.each_ref().map(|(name, value)| (*name, value.as_str())));
    }
}
