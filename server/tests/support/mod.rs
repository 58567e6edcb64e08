//! The real server as a process of its own, guests who speak HTTP with it, and a model that says what
//! a test tells it to.
#![allow(dead_code, unused_imports, reason = "each test file uses a part of it")]

mod database;
mod guest;
mod history;
mod home;
mod listener;
mod model;
mod open_meteo;
mod postgres;
mod process;
pub mod provider;
mod stage;
mod stripe;

pub use database::{Booking, Database};
pub use guest::{Answer, Guest, assistant_text, tool_parts};
pub use history::{Heard, assert_only_grows, assert_valid_request, heard, told_by_user};
pub use home::{DatabaseKind, Home};
pub use listener::Listener;
pub use model::{ScriptedModel, Turn};
pub use open_meteo::{FakeOpenMeteo, Reply, Service, forecast, place};
pub use postgres::{Postgres, PostgresDatabase};
pub use process::Server;
pub use stage::{Stage, booking, evening, json_of, of_call, weather};
pub use stripe::{FakeStripe, Post};

/// How long a test waits for a state before it fails.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(20);

/// `2026-12-05T19:00:00+07:00`, so many days after today, by the house's clock.
pub fn local_time(days_ahead: i64, hour: u32, minute: u32) -> String {
    let today = chrono::Utc::now().with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive();
    let date = today + chrono::Duration::days(days_ahead);
    format!("{date}T{hour:02}:{minute:02}:00+07:00")
}
