//! What the tools of orders share: how an order's number is written and how its refunds stand.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// An order's number as the record writes it, however a guest or a model did: `dh-7k2q4 ` is `DH-7K2Q4`.
pub fn canonical_order_id(text: &str) -> String {
    text.trim().to_ascii_uppercase()
}

/// How far a refund has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RefundStatus {
    /// Asked for: the money is not back yet.
    Submitted,
    /// The money is back.
    Succeeded,
    /// For good: the money does not come back this way.
    Failed,
}

/// How a refund stands in the list of its order, where one of an unknown outcome stands too: it holds its amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderRefundStatus {
    /// Asked for: the money is not back yet.
    Submitted,
    /// The money is back.
    Succeeded,
    /// For good: the money does not come back this way.
    Failed,
    /// Nobody knows yet whether it was done: it is being looked into.
    Unknown,
}

impl OrderRefundStatus {
    /// What its receiver has said of it; none where nobody knows.
    pub fn told(self) -> Option<RefundStatus> {
        match self {
            Self::Submitted => Some(RefundStatus::Submitted),
            Self::Succeeded => Some(RefundStatus::Succeeded),
            Self::Failed => Some(RefundStatus::Failed),
            Self::Unknown => None,
        }
    }
}

impl From<RefundStatus> for OrderRefundStatus {
    fn from(status: RefundStatus) -> Self {
        match status {
            RefundStatus::Submitted => Self::Submitted,
            RefundStatus::Succeeded => Self::Succeeded,
            RefundStatus::Failed => Self::Failed,
        }
    }
}

/// Why a refund failed after it had been submitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RefundFailure {
    /// The card was reported lost or stolen.
    CardLost,
    CardExpired,
    /// The house's account does not hold enough.
    InsufficientFunds,
    /// The guest's bank did not take it.
    Declined,
    /// The payment is disputed at the bank: the money comes back that way, if at all.
    Disputed,
    Other,
}

impl RefundFailure {
    pub const ALL: [Self; 6] = [
        Self::CardLost,
        Self::CardExpired,
        Self::InsufficientFunds,
        Self::Declined,
        Self::Disputed,
        Self::Other,
    ];
}

/// Who moves the money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RefundReceiver {
    /// This server's own database.
    Ledger,
    Stripe,
}

/// A refund as its order lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderRefund {
    pub refund_id: String,
    /// What guests and operators call it; outputs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Whole đồng.
    pub amount: u64,
    pub status: OrderRefundStatus,
    pub created_at: DateTime<Utc>,
}
