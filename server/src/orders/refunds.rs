//! What was asked for of an order's money: our own rows, which live as long as the order.

use chrono::{DateTime, Utc};
use shared::ids::ToolCallId;
use shared::tools::{OrderRefund, OrderRefundStatus, RefundFailure, RefundReceiver, RefundStatus};

use super::{moment, money, stored};
use crate::db::{self, Connection, Row};
use crate::refunds::{kind_of, kind_text};
use crate::restaurants::bookings::letters;

/// How far a refund has come, as far as we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefundState {
    /// About to be asked for, or asked for a moment ago.
    Claimed,
    /// Asked for, and nobody knows yet what came of it.
    Unknown,
    Submitted,
    Succeeded,
    /// For good; it was never done, or it was taken back.
    Failed,
}

impl RefundState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Unknown => "unknown",
            Self::Submitted => "submitted",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// As guests hear of it. One that is just being asked for is one of which nobody knows.
    fn listed(self) -> OrderRefundStatus {
        match self {
            Self::Claimed | Self::Unknown => OrderRefundStatus::Unknown,
            Self::Submitted => OrderRefundStatus::Submitted,
            Self::Succeeded => OrderRefundStatus::Succeeded,
            Self::Failed => OrderRefundStatus::Failed,
        }
    }

    /// Whether its amount is not to be given again.
    pub fn holds_money(self) -> bool {
        match self {
            Self::Claimed | Self::Unknown | Self::Submitted | Self::Succeeded => true,
            Self::Failed => false,
        }
    }
}

impl From<RefundStatus> for RefundState {
    fn from(status: RefundStatus) -> Self {
        match status {
            RefundStatus::Submitted => Self::Submitted,
            RefundStatus::Succeeded => Self::Succeeded,
            RefundStatus::Failed => Self::Failed,
        }
    }
}

/// What guests and operators call a refund: `R-` and eight of the letters of which a booking's reference is
/// made. `id`: the row's.
pub fn reference(id: &str) -> String {
    format!("R-{}", letters(id, 0, REFERENCE_LETTERS))
}

/// Of some hundred thousand refunds hardly two have the same ones; nothing is decided by them.
const REFERENCE_LETTERS: usize = 8;

/// A refund as the table has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRow {
    pub id: String,
    pub order_number: String,
    /// Whole đồng.
    pub amount: u64,
    /// How the order was paid when the refund was claimed, which is where it goes.
    pub payee: String,
    /// The payment at the receiver as it was then, where it knows one.
    pub payment_reference: Option<String>,
    pub state: RefundState,
    pub receiver: RefundReceiver,
    /// The business key with its generation, as it goes down to the receiver.
    pub key: String,
    /// What the receiver calls it; none before it has answered.
    pub receiver_reference: Option<String>,
    pub failure: Option<RefundFailure>,
    pub tool_call: ToolCallId,
    pub created_at: DateTime<Utc>,
    pub settled_at: Option<DateTime<Utc>>,
}

impl RefundRow {
    /// As its order lists it; none where no receiver has ever taken it and none can have.
    pub fn listed(&self) -> Option<OrderRefund> {
        let was_never_done = self.state == RefundState::Failed && self.receiver_reference.is_none();
        (!was_never_done).then(|| OrderRefund {
            refund_id: self.id.clone(),
            reference: Some(reference(&self.id)),
            amount: self.amount,
            status: self.state.listed(),
            created_at: self.created_at,
        })
    }
}

/// The sum of what is not to be given again, the unknown included.
pub fn held(refunds: &[RefundRow]) -> u64 {
    refunds.iter().filter(|refund| refund.state.holds_money()).map(|refund| refund.amount).sum()
}

/// The sum of what a receiver has taken or done.
pub fn refunded(refunds: &[RefundRow]) -> u64 {
    let counts = |refund: &&RefundRow| match refund.state {
        RefundState::Submitted | RefundState::Succeeded => true,
        RefundState::Claimed | RefundState::Unknown | RefundState::Failed => false,
    };
    refunds.iter().filter(counts).map(|refund| refund.amount).sum()
}

const COLUMNS: &str = "id, order_number, amount, payee, payment_reference, status, receiver, key, \
     receiver_reference, failure, tool_call_id, created_at, settled_at";

fn failure_text(failure: RefundFailure) -> &'static str {
    match failure {
        RefundFailure::CardLost => "card-lost",
        RefundFailure::CardExpired => "card-expired",
        RefundFailure::InsufficientFunds => "insufficient-funds",
        RefundFailure::Declined => "declined",
        RefundFailure::Disputed => "disputed",
        RefundFailure::Other => "other",
    }
}

fn read(row: &Row) -> Result<RefundRow, db::Error> {
    let text = |column| row.try_get::<String>(column);
    let undecodable = |what: String| db::Error::Decode(what.into());
    let (state, receiver) = (text("status")?, text("receiver")?);
    let states = [
        RefundState::Claimed,
        RefundState::Unknown,
        RefundState::Submitted,
        RefundState::Succeeded,
        RefundState::Failed,
    ];
    let failure = row.try_get::<Option<String>>("failure")?;
    Ok(RefundRow {
        id: text("id")?,
        order_number: text("order_number")?,
        amount: money(row.try_get("amount")?)?,
        payee: text("payee")?,
        payment_reference: row.try_get("payment_reference")?,
        state: states
            .into_iter()
            .find(|known| known.as_str() == state)
            .ok_or_else(|| undecodable(format!("refund status {state:?}")))?,
        receiver: kind_of(&receiver).ok_or_else(|| undecodable(format!("receiver {receiver:?}")))?,
        key: text("key")?,
        receiver_reference: row.try_get("receiver_reference")?,
        failure: RefundFailure::ALL
            .into_iter()
            .find(|known| failure.as_deref() == Some(failure_text(*known))),
        tool_call: ToolCallId(text("tool_call_id")?),
        created_at: moment(row.try_get("created_at")?)?,
        settled_at: row.try_get::<Option<i64>>("settled_at")?.map(moment).transpose()?,
    })
}

/// The refunds of an order, the oldest first.
pub async fn of_order(connection: &mut Connection, number: &str) -> Result<Vec<RefundRow>, db::Error> {
    let sql = format!("SELECT {COLUMNS} FROM refunds WHERE order_number = $1 ORDER BY created_at, id");
    let rows = db::query(db::AssertSqlSafe(sql)).bind(number).fetch_all(connection).await?;
    rows.iter().map(read).collect()
}

/// The refund that was claimed under a key.
pub async fn by_key(connection: &mut Connection, key: &str) -> Result<Option<RefundRow>, db::Error> {
    let sql = format!("SELECT {COLUMNS} FROM refunds WHERE key = $1");
    let row = db::query(db::AssertSqlSafe(sql)).bind(key).fetch_optional(connection).await?;
    row.as_ref().map(read).transpose()
}

/// Records that a refund is about to be asked for.
pub async fn insert(transaction: &mut Connection, refund: &RefundRow) -> Result<(), db::Error> {
    let sql = format!(
        "INSERT INTO refunds ({COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
    );
    db::query(db::AssertSqlSafe(sql))
        .bind(&refund.id)
        .bind(&refund.order_number)
        .bind(stored(refund.amount))
        .bind(&refund.payee)
        .bind(refund.payment_reference.as_deref())
        .bind(refund.state.as_str())
        .bind(kind_text(refund.receiver))
        .bind(&refund.key)
        .bind(refund.receiver_reference.as_deref())
        .bind(refund.failure.map(failure_text))
        .bind(refund.tool_call.as_str())
        .bind(refund.created_at.timestamp_millis())
        .bind(refund.settled_at.map(|at| at.timestamp_millis()))
        .execute(transaction)
        .await?;
    Ok(())
}

/// Records how a refund stands.
pub async fn save(transaction: &mut Connection, refund: &RefundRow) -> Result<(), db::Error> {
    db::query(
        "UPDATE refunds SET status = $2, receiver_reference = $3, failure = $4, settled_at = $5 WHERE id = $1",
    )
    .bind(&refund.id)
    .bind(refund.state.as_str())
    .bind(refund.receiver_reference.as_deref())
    .bind(refund.failure.map(failure_text))
    .bind(refund.settled_at.map(|at| at.timestamp_millis()))
    .execute(transaction)
    .await?;
    Ok(())
}
