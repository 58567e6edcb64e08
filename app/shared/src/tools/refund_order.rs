use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{RefundFailure, RefundReceiver, RefundStatus, Tool, ToolEffect, canonical_order_id};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct RefundOrder;

/// Ask for an order's money back, all that is left of it or a part. Call it only when the user wants a
/// refund of this very order; take the orderId from getOrder or from the user. The user is asked to
/// confirm first: do not ask for a confirmation yourself. A result with the status `submitted` means that
/// the refund was asked for: never say that the money is back before the status is `succeeded`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefundOrderInput {
    /// The order's number, for example: DH-7K2Q4
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 40)))]
    pub order_id: String,
    /// In whole đồng. Leave it out to refund all that is left.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1_000_000_000)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    /// Why, in the user's own words.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 300)))]
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RefundOrderPreview {
    pub order_id: String,
    pub restaurant_name: String,
    /// How it was paid, which is where the money goes.
    pub payee: String,
    /// Whole đồng, as are all of these.
    pub total: u64,
    pub refunded: u64,
    pub left: u64,
    /// What a yes would refund.
    pub amount: u64,
}

/// A refund, as it stands. A receipt is drawn from it where it has succeeded, and from nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    pub refund_id: String,
    /// What guests and operators call it; outputs of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub order_id: String,
    pub restaurant_name: String,
    pub payee: String,
    /// Whole đồng.
    pub amount: u64,
    pub status: RefundStatus,
    pub created_at: DateTime<Utc>,
    /// When it succeeded or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<DateTime<Utc>>,
    /// Where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<RefundFailure>,
    pub receiver: RefundReceiver,
}

impl Tool for RefundOrder {
    const NAME: &'static str = "refundOrder";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(20);

    type Input = RefundOrderInput;
    type Preview = RefundOrderPreview;
    type Output = Refund;

    fn business_key(input: &RefundOrderInput, _: &UserId, _: u64) -> Option<String> {
        Some(format!("refund:{}", canonical_order_id(&input.order_id)))
    }

    /// An absent amount asks for what the other one does.
    fn same_request(one: &RefundOrderInput, other: &RefundOrderInput) -> bool {
        match (one.amount, other.amount) {
            (Some(one), Some(other)) => one == other,
            (None, _) | (_, None) => true,
        }
    }
}
