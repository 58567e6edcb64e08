use std::borrow::Cow;
use std::future::Future;
use std::marker::PhantomData;

use super::{Connection, Error, FromRow, FromValue, Pool, Result, Row};

/// A value of a statement or a column; nothing knows its type too, since PostgreSQL wants to hear it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Text(Option<String>),
    Int(Option<i64>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::Text(Some(text.clone()))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        Self::Text(text.map(str::to_owned))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(Some(number))
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Self {
        Self::Int(number)
    }
}

/// A statement that was put together while running. The name is the promise: nothing of it comes from
/// outside.
#[derive(Clone, Debug)]
pub struct AssertSqlSafe(pub String);

impl From<AssertSqlSafe> for Cow<'static, str> {
    fn from(sql: AssertSqlSafe) -> Self {
        Cow::Owned(sql.0)
    }
}

/// A statement with its values.
#[derive(Clone, Debug)]
pub struct Query {
    pub(super) sql: Cow<'static, str>,
    pub(super) values: Vec<Value>,
}

/// A statement whose rows are read as `T`.
pub struct QueryAs<T>(Query, PhantomData<fn() -> T>);

/// A statement of whose rows the first column is read as `T`.
pub struct QueryScalar<T>(Query, PhantomData<fn() -> T>);

/// `sql`: a text of the program's own, or one in [`AssertSqlSafe`].
pub fn query(sql: impl Into<Cow<'static, str>>) -> Query {
    Query { sql: sql.into(), values: Vec::new() }
}

pub fn query_as<T: FromRow>(sql: impl Into<Cow<'static, str>>) -> QueryAs<T> {
    QueryAs(query(sql), PhantomData)
}

pub fn query_scalar<T: FromValue>(sql: impl Into<Cow<'static, str>>) -> QueryScalar<T> {
    QueryScalar(query(sql), PhantomData)
}

/// What a statement without rows did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    rows_affected: u64,
}

impl Outcome {
    pub(super) fn new(rows_affected: u64) -> Self {
        Self { rows_affected }
    }

    pub fn rows_affected(self) -> u64 {
        self.rows_affected
    }
}

/// Something that runs statements: a connection, a transaction, or a pool, which takes any connection.
pub trait Executor: Send {
    fn rows(self, query: Query) -> impl Future<Output = Result<Vec<Row>>> + Send;
    fn run(self, query: Query) -> impl Future<Output = Result<Outcome>> + Send;
}

impl Executor for &mut Connection {
    async fn rows(self, query: Query) -> Result<Vec<Row>> {
        match self {
            Connection::Sqlite(connection) => connection.rows(&query).await,
            Connection::Postgres(connection) => super::postgres::rows(connection.get(), query).await,
        }
    }

    async fn run(self, query: Query) -> Result<Outcome> {
        match self {
            Connection::Sqlite(connection) => connection.run(&query).await,
            Connection::Postgres(connection) => super::postgres::run(connection.get(), query).await,
        }
    }
}

impl Executor for &Pool {
    async fn rows(self, query: Query) -> Result<Vec<Row>> {
        self.acquire().await?.rows(query).await
    }

    async fn run(self, query: Query) -> Result<Outcome> {
        self.acquire().await?.run(query).await
    }
}

impl Query {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub async fn execute(self, executor: impl Executor) -> Result<Outcome> {
        executor.run(self).await
    }

    pub async fn fetch_all(self, executor: impl Executor) -> Result<Vec<Row>> {
        executor.rows(self).await
    }

    pub async fn fetch_optional(self, executor: impl Executor) -> Result<Option<Row>> {
        Ok(executor.rows(self).await?.into_iter().next())
    }

    pub async fn fetch_one(self, executor: impl Executor) -> Result<Row> {
        self.fetch_optional(executor).await?.ok_or(Error::RowNotFound)
    }
}

impl<T: FromRow> QueryAs<T> {
    pub fn bind(self, value: impl Into<Value>) -> Self {
        Self(self.0.bind(value), PhantomData)
    }

    pub async fn fetch_all(self, executor: impl Executor) -> Result<Vec<T>> {
        self.0.fetch_all(executor).await?.iter().map(T::from_row).collect()
    }

    pub async fn fetch_optional(self, executor: impl Executor) -> Result<Option<T>> {
        self.0.fetch_optional(executor).await?.as_ref().map(T::from_row).transpose()
    }

    pub async fn fetch_one(self, executor: impl Executor) -> Result<T> {
        T::from_row(&self.0.fetch_one(executor).await?)
    }
}

impl<T: FromValue> QueryScalar<T> {
    pub fn bind(self, value: impl Into<Value>) -> Self {
        Self(self.0.bind(value), PhantomData)
    }

    pub async fn fetch_all(self, executor: impl Executor) -> Result<Vec<T>> {
        self.0.fetch_all(executor).await?.iter().map(|row| row.at(0)).collect()
    }

    pub async fn fetch_optional(self, executor: impl Executor) -> Result<Option<T>> {
        self.0.fetch_optional(executor).await?.map(|row| row.at(0)).transpose()
    }

    pub async fn fetch_one(self, executor: impl Executor) -> Result<T> {
        self.0.fetch_one(executor).await?.at(0)
    }
}
