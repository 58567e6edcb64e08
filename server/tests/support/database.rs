use server::db::{self, AssertSqlSafe, Pool};

use super::Server;

/// The server's database, seen past the server.
pub struct Database {
    pool: Pool,
}

/// What the restaurant's book says.
#[derive(Clone, Debug, PartialEq)]
pub struct Booking {
    pub reference: String,
    pub tool_call_id: String,
    pub restaurant_id: String,
    pub party_size: i64,
    pub status: String,
}

impl Server {
    pub async fn database(&self) -> Database {
        Database { pool: Pool::of(&self.database_url(), 1).unwrap() }
    }
}

impl Database {
    /// The first column of every row, as text.
    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        db::query_scalar(sql).fetch_all(&self.pool).await.unwrap()
    }

    /// The same, with a statement that a test has put together.
    pub async fn texts_owned(&self, sql: String) -> Vec<String> {
        db::query_scalar(AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap()
    }

    pub async fn number(&self, sql: &'static str) -> i64 {
        db::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    pub async fn numbers(&self, sql: &'static str) -> Vec<i64> {
        db::query_scalar(sql).fetch_all(&self.pool).await.unwrap()
    }

    /// Changes the world behind the server's back.
    pub async fn execute(&self, sql: &'static str) {
        db::query(sql).execute(&self.pool).await.unwrap();
    }

    /// The same, with a statement that a test has put together.
    pub async fn execute_owned(&self, sql: String) {
        db::query(AssertSqlSafe(sql)).execute(&self.pool).await.unwrap();
    }

    pub async fn bookings(&self) -> Vec<Booking> {
        let sql = "SELECT reference, tool_call_id, restaurant_id, party_size, status FROM bookings ORDER BY created_at";
        let rows: Vec<(String, String, String, i64, String)> =
            db::query_as(sql).fetch_all(&self.pool).await.unwrap();
        let booking = |(reference, tool_call_id, restaurant_id, party_size, status)| Booking {
            reference,
            tool_call_id,
            restaurant_id,
            party_size,
            status,
        };
        rows.into_iter().map(booking).collect()
    }
}
