//! A real database with the seeded restaurants, and the tools run as the loop runs them.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chrono::{DateTime, FixedOffset, Utc};
use server::db::{self, Pool};
use server::restaurants::load_if_empty;
use server::store::Store;
use server::tools::contract::{DoneHere, ReadTool, Refused, ToolContext, ToolFailure, WriteTool};
use server::weather::SampleWeather;
use shared::ids::{ToolCallId, UserId};
use shared::tools::{
    Booking, CreateBooking, CreateBookingInput, CreateBookingPreview, FindTables, FindTablesInput,
    FindTablesOutput,
};
use tempfile::TempDir;

/// Tuesday, ten in the morning in Vietnam.
pub const NOW: &str = "2026-12-01T10:00:00+07:00";

pub struct World {
    pub pool: Pool,
    pub now: DateTime<Utc>,
    booked: AtomicU32,
    _folder: TempDir,
}

impl World {
    pub async fn new() -> Self {
        Self::at(NOW).await
    }

    pub async fn at(now: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let url = format!("sqlite://{}", folder.path().join("domain.db").display());
        Store::open(&url).await.unwrap().close().await;
        let pool = Pool::of(&url, 8).unwrap();
        load_if_empty(&mut pool.acquire().await.unwrap()).await.unwrap();
        db::query("INSERT INTO users (id, created_at) VALUES ('guest', 0)").execute(&pool).await.unwrap();
        Self { pool, now: time(now).to_utc(), booked: AtomicU32::new(0), _folder: folder }
    }

    pub fn context(&self) -> ToolContext {
        ToolContext {
            user: UserId::from("guest"),
            tool_call_id: ToolCallId::from("call-1"),
            now: self.now,
            read: self.pool.clone(),
            weather: Arc::new(SampleWeather),
        }
    }

    pub async fn find(&self, input: FindTablesInput) -> Result<FindTablesOutput, ToolFailure> {
        FindTables::run(&self.context(), input).await
    }

    pub async fn preview(&self, input: &CreateBookingInput) -> Result<CreateBookingPreview, ToolFailure> {
        let mut connection = self.pool.acquire().await.unwrap();
        CreateBooking::preview(&mut connection, &self.context(), input).await
    }

    /// Preview and effect in one transaction, under an id that no other booking has.
    pub async fn book(&self, input: &CreateBookingInput) -> Result<Booking, ToolFailure> {
        let number = self.booked.fetch_add(1, Ordering::Relaxed);
        self.book_as(input, format!("booking-{number}")).await
    }

    pub async fn book_as(&self, input: &CreateBookingInput, id: String) -> Result<Booking, ToolFailure> {
        let cx = self.context();
        let mut transaction = self.pool.begin_write().await.unwrap();
        CreateBooking::preview(&mut transaction, &cx, input).await?;
        let output = CreateBooking.run(&mut transaction, &cx, input, id).await?.output;
        transaction.commit().await.unwrap();
        Ok(output)
    }

    /// The most seats that confirmed bookings hold at one minute, counted minute by minute.
    pub async fn most_seats_held(&self, restaurant_id: &str) -> i64 {
        let rows: Vec<(i64, i64, i64)> = db::query_as(
            "SELECT starts_at, ends_at, party_size FROM bookings WHERE restaurant_id = $1 AND status = 'confirmed'",
        )
        .bind(restaurant_id)
        .fetch_all(&self.pool)
        .await
        .unwrap();
        let first = rows.iter().map(|row| row.0).min().unwrap_or(0);
        let last = rows.iter().map(|row| row.1).max().unwrap_or(0);
        (first..last)
            .step_by(60_000)
            .map(|at| rows.iter().filter(|row| row.0 <= at && at < row.1).map(|row| row.2).sum())
            .max()
            .unwrap_or(0)
    }
}

pub fn time(text: &str) -> DateTime<FixedOffset> {
    DateTime::parse_from_rfc3339(text).unwrap()
}

pub fn booking(restaurant_id: &str, party_size: u8, starts_at: &str) -> CreateBookingInput {
    CreateBookingInput {
        restaurant_id: restaurant_id.to_owned(),
        party_size,
        starts_at: time(starts_at),
        note: None,
    }
}

pub fn search(city: &str, party_size: u8, starts_at: &str) -> FindTablesInput {
    FindTablesInput { city: city.to_owned(), starts_at: time(starts_at), party_size, cuisine: None }
}

#[track_caller]
pub fn refused<T: std::fmt::Debug>(result: Result<T, ToolFailure>) -> Refused {
    match result {
        Err(ToolFailure::Refused(refused)) => refused,
        other => panic!("expected a refusal, got {other:?}"),
    }
}
