use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::database::Database;
use super::model::ScriptedModel;

/// CPU-seconds, in user and system mode.
pub type Cpu = f64;

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A program that prints its address and serves until it is dropped.
pub struct Part {
    child: Child,
    pub url: String,
}

impl Part {
    /// This program in another part.
    pub fn start(arguments: &[&str]) -> Self {
        let program = std::env::current_exe().expect("the path of this program");
        Self::spawn(Command::new(program).args(arguments)).expect("an address")
    }

    fn spawn(command: &mut Command) -> Option<Self> {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("a process");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let url = line.trim().to_owned();
        let part = Self { child, url };
        part.url.starts_with("http://").then_some(part)
    }

    pub fn cpu(&self) -> Cpu {
        cpu_of(self.child.id()).0
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The real server.
pub struct Served(Part);

impl Served {
    /// `None` where it did not start; it has said why.
    pub fn start(database: &Database, model: &ScriptedModel) -> Option<Self> {
        Self::start_with(database, &model.settings())
    }

    /// With these settings of its model.
    pub fn start_with(database: &Database, model: &[(&str, &str)]) -> Option<Self> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
        command
            .env_clear()
            .env("TRUTHTABLE_ADDR", "127.0.0.1:0")
            .env("DATABASE_URL", database.url())
            // Nobody is cut short for being measured.
            .envs(
                ["TRUTHTABLE_MAX_STEPS", "TRUTHTABLE_TOKEN_BUDGET", "TRUTHTABLE_DAILY_TOKENS"]
                    .map(|name| (name, "100000000")),
            )
            .env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or("error".to_owned()))
            .envs(model.iter().copied());
        Part::spawn(&mut command).map(Self)
    }

    pub fn url(&self) -> &str {
        &self.0.url
    }

    pub fn cpu(&self) -> Cpu {
        self.0.cpu()
    }
}

/// What a process has used so far, and what its children had used that have ended; counted in hundredths of a
/// second (`proc_pid_stat(5)`, fields 14 to 17).
pub fn cpu_of(pid: u32) -> (Cpu, Cpu) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("a process of this machine");
    let fields: Vec<&str> = after_name(&stat).split(' ').collect();
    let ticks = |index: usize| fields[index].parse::<f64>().expect("a number") / 100.0;
    (ticks(11) + ticks(12), ticks(13) + ticks(14))
}

/// What a process and all its children have used so far, also those that have ended.
pub fn cpu_of_family(pid: u32) -> Cpu {
    let (own, ended) = cpu_of(pid);
    own + ended + children(pid).into_iter().map(|child| cpu_of(child).0).sum::<f64>()
}

fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| parent_of(*pid) == Some(parent)).collect()
}

/// `None` where the process has ended meanwhile.
fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    after_name(&stat).split(' ').nth(1)?.parse().ok()
}

/// The name is in brackets and may hold anything.
fn after_name(stat: &str) -> &str {
    stat.rsplit_once(") ").map_or("", |(_, fields)| fields)
}
