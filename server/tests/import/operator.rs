use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use server::db::{self, Pool};
use tempfile::TempDir;

use crate::support::{DatabaseKind, Home};

/// Someone with a file and a database, in a folder of their own.
pub struct Operator {
    pub folder: TempDir,
    database_url: String,
    /// Kept as long as the operator.
    _home: Option<Home>,
}

/// What the command said and how it ended.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Said {
    #[track_caller]
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// What `--json` printed.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Operator {
    pub fn new() -> Self {
        let home = Home::fresh(DatabaseKind::of_this_run());
        Self { _home: Some(home.clone()), ..Self::of(home.database_url()) }
    }

    /// With a SQLite database, whatever others run on, where there is something to say of its file.
    pub fn with_file() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database_url = format!("sqlite://{}/data/truthtable.db", folder.path().display());
        Self { folder, database_url, _home: None }
    }

    /// With the database of a server.
    pub fn of(database_url: String) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), database_url, _home: None }
    }

    pub fn database_file(&self) -> PathBuf {
        self.database_url.strip_prefix("sqlite://").unwrap().into()
    }

    /// `truthtable import …`, with these bytes as standard input.
    pub fn run(&self, arguments: &[&str], stdin: &[u8]) -> Said {
        let mut child = Command::new(env!("CARGO_BIN_EXE_truthtable"))
            .env_clear()
            .env("DATABASE_URL", &self.database_url)
            .current_dir(self.folder.path())
            .arg("import")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // It may end without having read.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        Said {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Imports these restaurants.
    pub fn import(&self, restaurants: &[Value], options: &[&str]) -> Said {
        let file = json!({ "restaurants": restaurants }).to_string();
        self.run(&[&["-"], options].concat(), file.as_bytes())
    }

    /// The same with `--json`.
    #[track_caller]
    pub fn imported(&self, restaurants: &[Value], options: &[&str]) -> Value {
        self.import(restaurants, &[&["--json"], options].concat()).expect(0).json()
    }

    pub async fn database(&self) -> Pool {
        Pool::of(&self.database_url, 1).unwrap()
    }

    /// Every row of every table that an import may touch, and the version of the tables.
    pub async fn dump(&self) -> Vec<String> {
        let pool = self.database().await;
        let mut rows = Vec::new();
        for sql in [
            "SELECT id || '|' || name || '|' || city || '|' || address || '|' || cuisine || '|' || contact \
             || '|' || time_zone || '|' || seats FROM restaurants ORDER BY id",
            "SELECT restaurant_id || '|' || weekday || '|' || opens || '|' || closes FROM opening_hours \
             ORDER BY restaurant_id, weekday, opens",
            "SELECT restaurant_id || '|' || first_day || '|' || last_day || '|' || COALESCE(reason, '-') \
             FROM closed_days ORDER BY restaurant_id, first_day",
            "SELECT id || '|' || status || '|' || starts_at FROM bookings ORDER BY id",
            "SELECT 'version ' || MAX(version) FROM _sqlx_migrations",
        ] {
            let found: Vec<String> = db::query_scalar(sql).fetch_all(&pool).await.unwrap();
            rows.extend(found);
        }
        pool.close().await;
        rows
    }

    /// A booking that somebody made, so many minutes from now.
    pub async fn booked(&self, id: &str, restaurant: &str, party: i64, starts_at: i64, status: &str) {
        let pool = self.database().await;
        db::query("INSERT INTO users (id, created_at) VALUES ('guest', 0) ON CONFLICT DO NOTHING")
            .execute(&pool)
            .await
            .unwrap();
        db::query(
            "INSERT INTO bookings (id, reference, user_id, restaurant_id, tool_call_id, party_size, \
             starts_at, ends_at, status, created_at) VALUES ($1, $1, 'guest', $2, 'call', $3, $4, $5, $6, 0)",
        )
        .bind(id)
        .bind(restaurant)
        .bind(party)
        .bind(starts_at)
        .bind(starts_at + 2 * 60 * 60 * 1000)
        .bind(status)
        .execute(&pool)
        .await
        .unwrap();
        pool.close().await;
    }
}

/// A restaurant with nothing special: open every day from 10:00 to 22:00, 40 seats.
pub fn restaurant(id: &str) -> Value {
    json!({
        "id": id,
        "name": "Bến Thuyền",
        "city": "Vũng Tàu",
        "address": "12 Đường Sóng Vỗ",
        "cuisine": "Hải sản",
        "contact": "0254 5550 112",
        "timeZone": "Asia/Ho_Chi_Minh",
        "seats": 40,
        "hours": [{ "weekdays": every_day(), "opens": "10:00", "closes": "22:00" }],
    })
}

pub fn every_day() -> Value {
    json!(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
}

/// The same restaurant with other fields; `null` leaves one out.
pub fn with(mut restaurant: Value, fields: Value) -> Value {
    for (name, value) in fields.as_object().unwrap() {
        if value.is_null() {
            restaurant.as_object_mut().unwrap().remove(name);
        } else {
            restaurant[name] = value.clone();
        }
    }
    restaurant
}
