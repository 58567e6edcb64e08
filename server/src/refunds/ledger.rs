//! The receiver in our own database: it pays back at once, and once a key.

use std::sync::Arc;

use async_trait::async_trait;
use shared::tools::{RefundReceiver as Kind, RefundStatus};

use super::{Answer, LookUp, NoRefund, RefundReceiver, RefundRequest};
use crate::clock::Clock;
use crate::db::{self, Pool};
use crate::fault::fault_point;
use crate::ids::Ids;

/// Its transactions are its own: it stands for somebody whom no transaction of ours reaches.
pub struct Ledger {
    pool: Pool,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl Ledger {
    /// `pool`: for writing.
    pub fn new(pool: Pool, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self { pool, clock, ids }
    }

    /// The first result of the key; the request makes it where there is none.
    async fn first(&self, request: &RefundRequest) -> Result<Answer, db::Error> {
        let mut transaction = self.pool.begin_write().await?;
        db::query(
            "INSERT INTO ledger_refunds (key, id, order_number, amount, created_at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING",
        )
        .bind(&request.key)
        .bind(self.ids.next())
        .bind(&request.order)
        .bind(i64::try_from(request.amount).unwrap_or(i64::MAX))
        .bind(self.clock.now().timestamp_millis())
        .execute(&mut *transaction)
        .await?;
        let stands = find(&mut transaction, &request.key).await?.ok_or(db::Error::RowNotFound)?;
        fault_point!(LedgerToCommit);
        transaction.commit().await?;
        fault_point!(LedgerCommitted);
        Ok(stands)
    }
}

#[async_trait]
impl RefundReceiver for Ledger {
    fn kind(&self) -> Kind {
        Kind::Ledger
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Answer, NoRefund> {
        match self.first(request).await {
            Ok(first) if first.amount == request.amount => Ok(first),
            Ok(first) => Err(NoRefund::Rejected {
                code: Some("idempotency_error".to_owned()),
                message: format!("the key {} is of a refund of {} đồng", request.key, first.amount),
            }),
            // It may have been committed.
            Err(error) => Err(NoRefund::NoAnswer(error.to_string())),
        }
    }

    async fn look_up(&self, request: &RefundRequest) -> LookUp {
        let found = async { find(&mut *self.pool.acquire().await?, &request.key).await };
        match found.await {
            Ok(Some(answer)) => LookUp::Found(answer),
            Ok(None) => LookUp::NotThere,
            Err(error) => LookUp::NoAnswer(error.to_string()),
        }
    }
}

async fn find(connection: &mut db::Connection, key: &str) -> Result<Option<Answer>, db::Error> {
    let row: Option<(String, i64)> = db::query_as("SELECT id, amount FROM ledger_refunds WHERE key = $1")
        .bind(key)
        .fetch_optional(connection)
        .await?;
    let Some((reference, amount)) = row else { return Ok(None) };
    let amount = u64::try_from(amount).map_err(|error| db::Error::Decode(Box::new(error)))?;
    Ok(Some(Answer { reference, amount, status: RefundStatus::Succeeded, failure: None }))
}
