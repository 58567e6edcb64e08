use sqlx::AnyPool;
use sqlx::any::AnyPoolOptions;

use super::Server;

/// The server's database, seen past the server.
pub struct Database {
    pool: AnyPool,
}

/// What the restaurant's book says.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Booking {
    pub reference: String,
    pub tool_call_id: String,
    pub restaurant_id: String,
    pub party_size: i64,
    pub status: String,
}

impl Server {
    pub async fn database(&self) -> Database {
        sqlx::any::install_default_drivers();
        let pool = AnyPoolOptions::new().max_connections(1).connect(&self.database_url()).await.unwrap();
        Database { pool }
    }
}

impl Database {
    /// The first column of every row, as text.
    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        sqlx::query_scalar(sql).fetch_all(&self.pool).await.unwrap()
    }

    /// The same, with a statement that a test has put together.
    pub async fn texts_owned(&self, sql: String) -> Vec<String> {
        sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await.unwrap()
    }

    pub async fn number(&self, sql: &'static str) -> i64 {
        sqlx::query_scalar(sql).fetch_one(&self.pool).await.unwrap()
    }

    pub async fn numbers(&self, sql: &'static str) -> Vec<i64> {
        sqlx::query_scalar(sql).fetch_all(&self.pool).await.unwrap()
    }

    /// Changes the world behind the server's back.
    pub async fn execute(&self, sql: &'static str) {
        sqlx::query(sql).execute(&self.pool).await.unwrap();
    }

    /// The same, with a statement that a test has put together.
    pub async fn execute_owned(&self, sql: String) {
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&self.pool).await.unwrap();
    }

    pub async fn bookings(&self) -> Vec<Booking> {
        let sql = "SELECT reference, tool_call_id, restaurant_id, party_size, status FROM bookings ORDER BY created_at";
        sqlx::query_as(sql).fetch_all(&self.pool).await.unwrap()
    }
}
