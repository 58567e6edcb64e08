use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::sync::OnceLock;

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

/// A PostgreSQL of a test's own, for tests that stop it; gone when dropped, or with the test's process.
pub struct Postgres {
    script: Child,
    orders: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// The superuser's, without a database's name.
    url: String,
}

/// A fresh database, dropped with the value.
#[derive(Debug)]
pub struct PostgresDatabase {
    postgres_url: String,
    name: String,
}

impl Postgres {
    pub fn start() -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/postgres.sh");
        let mut script =
            Command::new(script).arg("serve").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let orders = script.stdin.take();
        let mut answers = BufReader::new(script.stdout.take().unwrap());
        let url = line(&mut answers);
        assert!(
            url.starts_with("postgres://"),
            "this test needs PostgreSQL: install it (Debian: apt-get install postgresql), or set \
             TRUTHTABLE_TEST_POSTGRES to the URL of one, without a database's name"
        );
        Self { script, orders, answers, url }
    }

    /// A fresh database in it.
    pub fn database(&self) -> PostgresDatabase {
        PostgresDatabase::create(&self.url)
    }

    /// Ends every connection; it can be started again.
    pub fn stop(&mut self) {
        self.order("stop");
    }

    /// Ends at once without writing anything down, as after a loss of power; it can be started again.
    pub fn crash(&mut self) {
        self.order("crash");
    }

    /// At the same address, with what it held.
    pub fn start_again(&mut self) {
        self.order("start");
    }

    fn order(&mut self, order: &str) {
        writeln!(self.orders.as_ref().unwrap(), "{order}").unwrap();
        assert_eq!(line(&mut self.answers), "done", "{order}");
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.orders.take());
        let _ = self.script.wait();
    }
}

impl PostgresDatabase {
    /// In the PostgreSQL that all tests share: the one in `TRUTHTABLE_TEST_POSTGRES`, or one that this
    /// process starts for itself.
    pub fn fresh() -> Self {
        static OWN: OnceLock<Postgres> = OnceLock::new();
        match std::env::var("TRUTHTABLE_TEST_POSTGRES") {
            Ok(url) if !url.is_empty() => Self::create(url.trim_end_matches('/')),
            _ => OWN.get_or_init(Postgres::start).database(),
        }
    }

    fn create(postgres_url: &str) -> Self {
        let name = format!("tt_{}", uuid::Uuid::now_v7().simple());
        run(postgres_url, format!("CREATE DATABASE {name}")).expect("a database of the test's own");
        Self { postgres_url: postgres_url.to_owned(), name }
    }

    pub fn url(&self) -> String {
        format!("{}/{}", self.postgres_url, self.name)
    }
}

impl Drop for PostgresDatabase {
    fn drop(&mut self) {
        // Its PostgreSQL may be gone already.
        let _ = run(&self.postgres_url, format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}

fn line(answers: &mut impl BufRead) -> String {
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

/// On a thread of its own: a test's runtime may not be blocked on, and a drop cannot wait otherwise.
fn run(postgres_url: &str, sql: String) -> Result<(), sqlx::Error> {
    let options = PgConnectOptions::from_str(postgres_url)?.database("postgres").disable_statement_logging();
    let running = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let mut connection = PgConnection::connect_with(&options).await?;
            sqlx::query(AssertSqlSafe(sql)).execute(&mut connection).await?;
            connection.close().await
        })
    });
    running.join().expect("the thread does not panic")
}
