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
    /// Whole đồng.
    pub amount: u64,
    pub status: RefundStatus,
    pub created_at: DateTime<Utc>,
}
