use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::process::{Cpu, cpu_of_family};

/// Names a PostgreSQL database of one's own, which must be empty, instead of a private one.
const GIVEN: &str = "TRUTHTABLE_BENCH_POSTGRES";

/// Where a server keeps what it knows.
pub enum Database {
    Sqlite(TempDir),
    Postgres(Postgres),
}

pub enum Postgres {
    /// By somebody else, perhaps on another machine.
    Given {
        url: String,
    },
    Private(PrivatePostgres),
}

/// Why there is no PostgreSQL.
pub struct Unavailable(pub String);

impl Database {
    pub fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().expect("a folder"))
    }

    pub fn postgres() -> Result<Self, Unavailable> {
        let postgres = match std::env::var(GIVEN) {
            Ok(url) => Postgres::Given { url },
            Err(_) => Postgres::Private(PrivatePostgres::start()?),
        };
        Ok(Self::Postgres(postgres))
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            Self::Postgres(_) => "PostgreSQL",
        }
    }

    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite://{}/bench.db", folder.path().display()),
            Self::Postgres(Postgres::Given { url }) => url.clone(),
            Self::Postgres(Postgres::Private(postgres)) => {
                format!("postgres://truthtable@127.0.0.1:{}/postgres", postgres.port)
            }
        }
    }

    /// What the database's own processes have used so far, where it has some that can be looked at.
    pub fn cpu(&self) -> Option<Cpu> {
        match self {
            Self::Sqlite(_) | Self::Postgres(Postgres::Given { .. }) => None,
            Self::Postgres(Postgres::Private(postgres)) => Some(cpu_of_family(postgres.server.id())),
        }
    }
}

/// In a temporary folder on a free port, with PostgreSQL's own defaults.
pub struct PrivatePostgres {
    server: Child,
    port: u16,
    _folder: TempDir,
}

impl PrivatePostgres {
    fn start() -> Result<Self, Unavailable> {
        let programs = programs().ok_or_else(|| {
            Unavailable(format!("its programs are not found, and {GIVEN} names no database"))
        })?;
        let folder = tempfile::tempdir().expect("a folder");
        let user = user_to_run_as()?;
        if let Some((user, group)) = user {
            std::os::unix::fs::chown(folder.path(), Some(user), Some(group))
                .expect("to give the folder away");
        }
        let data = folder.path().join("data");
        let mut initdb = command(&programs.join("initdb"), user);
        initdb.args(["--no-sync", "--auth=trust", "--username=truthtable", "--encoding=UTF8", "--locale=C"]);
        let made = initdb.arg(&data).current_dir(folder.path()).stdout(Stdio::null()).status();
        if !made.is_ok_and(|status| status.success()) {
            return Err(Unavailable("initdb failed".to_owned()));
        }
        let port = free_port();
        let log = std::fs::File::create(folder.path().join("log")).expect("a log");
        let server = command(&programs.join("postgres"), user)
            .arg("-D")
            .arg(&data)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
            .args(["-p", &port.to_string()])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|error| Unavailable(format!("postgres: {error}")))?;
        let postgres = Self { server, port, _folder: folder };
        if postgres.listens() { Ok(postgres) } else { Err(Unavailable("it does not listen".to_owned())) }
    }

    fn listens(&self) -> bool {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(30) {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        // Killed outright it would leave its children behind; SIGINT closes their connections.
        let _ = Command::new("kill").args(["-INT", &self.server.id().to_string()]).status();
        let _ = self.server.wait();
    }
}

/// The folder with `initdb` and `postgres`: of the path, or the newest where Debian has them.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .map(|versions| versions.flatten().map(|version| version.path().join("bin")).collect())
        .unwrap_or_default();
    debian.sort_by_key(|folder| {
        let version = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        std::cmp::Reverse(version.and_then(|version| version.parse::<u32>().ok()))
    });
    let folders = debian.into_iter().chain(std::env::split_paths(&path));
    folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// PostgreSQL refuses to run as root: then as the user that its package makes.
fn user_to_run_as() -> Result<Option<(u32, u32)>, Unavailable> {
    let id = |arguments: &[&str]| {
        let output = Command::new("id").args(arguments).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok()
    };
    if id(&["-u"]) != Some(0) {
        return Ok(None);
    }
    match (id(&["-u", "postgres"]), id(&["-g", "postgres"])) {
        (Some(user), Some(group)) => Ok(Some((user, group))),
        (None, _) | (_, None) => {
            Err(Unavailable("it refuses to run as root, and there is no user postgres".to_owned()))
        }
    }
}

fn command(program: &Path, user: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
    command
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}
