use std::path::PathBuf;

use server::db::{self, AssertSqlSafe, Dialect, Pool};

use super::{Home, Server};

/// The server's database, seen past the server.
pub struct Database {
    pool: Pool,
    url: String,
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

impl Home {
    pub async fn database(&self) -> Database {
        let url = self.database_url();
        Database { pool: Pool::of(&url, 1).unwrap(), url }
    }
}

impl Server {
    pub async fn database(&self) -> Database {
        self.home().database().await
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

    /// From now on no row can be added to the table.
    pub async fn refuse_rows_of(&self, table: &str, reason: &str) {
        let refusing = match self.pool.dialect() {
            Dialect::Sqlite => vec![format!(
                "CREATE TRIGGER refusing BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, '{reason}'); END"
            )],
            Dialect::Postgres => vec![
                format!(
                    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql \
                     AS 'BEGIN RAISE EXCEPTION ''{reason}''; END'"
                ),
                format!(
                    "CREATE TRIGGER refusing BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
                ),
            ],
        };
        for sql in refusing {
            self.execute_owned(sql).await;
        }
    }

    /// All that is stored: on SQLite the bytes of its files, deleted rows too.
    pub async fn everything(&self) -> Vec<u8> {
        match self.pool.dialect() {
            Dialect::Sqlite => {
                let file = PathBuf::from(self.url.strip_prefix("sqlite://").unwrap());
                let files = std::fs::read_dir(file.parent().unwrap()).unwrap();
                files.flat_map(|file| std::fs::read(file.unwrap().path()).unwrap()).collect()
            }
            Dialect::Postgres => {
                let tables = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'public'";
                let mut bytes = Vec::new();
                for table in self.texts(tables).await {
                    let rows = self.texts_owned(format!("SELECT CAST(one AS TEXT) FROM {table} one")).await;
                    bytes.extend(rows.concat().into_bytes());
                }
                bytes
            }
        }
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
