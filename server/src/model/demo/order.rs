//! Orders and refunds, in the shape in which the demo model reads them from JSON: what it was not told of
//! it does not need, and what is added later it passes over.

use std::time::Duration;

use chrono::{DateTime, FixedOffset, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shared::ids::UserId;
use shared::tools::{NoPreview, Tool, ToolEffect};

#[derive(Clone, Debug, PartialEq)]
pub struct GetOrder;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetOrderInput {
    /// Its number, or [`Self::LATEST`].
    pub order_id: String,
}

impl GetOrderInput {
    /// In place of a number: the guest's newest order.
    pub const LATEST: &'static str = "latest";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetOrderOutput {
    pub order_id: String,
    pub restaurant_name: String,
    pub placed_at: DateTime<FixedOffset>,
    pub items: Vec<OrderItem>,
    pub total: u64,
    pub status: OrderStatus,
    pub payee: String,
    pub refunds: Vec<OrderRefund>,
    pub refunded: u64,
    pub left: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderItem {
    pub name: String,
    pub quantity: u32,
    pub unit_price: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderStatus {
    Preparing,
    Delivered,
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderRefund {
    pub refund_id: String,
    pub amount: u64,
    pub status: RefundStatus,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RefundStatus {
    /// Asked for; the money is not back.
    Submitted,
    Succeeded,
    Failed,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RefundOrder;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefundOrderInput {
    pub order_id: String,
    /// In whole đồng; none: what is left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<u64>,
    pub reason: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refund {
    pub refund_id: String,
    pub order_id: String,
    pub restaurant_name: String,
    /// Where the money goes.
    pub payee: String,
    pub amount: u64,
    pub status: RefundStatus,
    pub created_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_reason: Option<RefundFailure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RefundFailure {
    CardLost,
    CardExpired,
    InsufficientFunds,
    Declined,
    Disputed,
    #[serde(other)]
    Other,
}

impl Tool for GetOrder {
    const NAME: &'static str = "getOrder";
    const EFFECT: ToolEffect = ToolEffect::Read;
    const NEEDS_APPROVAL: bool = false;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = GetOrderInput;
    type Preview = NoPreview;
    type Output = GetOrderOutput;

    fn business_key(_: &GetOrderInput, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &GetOrderInput, other: &GetOrderInput) -> bool {
        one == other
    }
}

impl Tool for RefundOrder {
    const NAME: &'static str = "refundOrder";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(20);

    type Input = RefundOrderInput;
    type Preview = NoPreview;
    type Output = Refund;

    fn business_key(input: &RefundOrderInput, _: &UserId, _: u64) -> Option<String> {
        Some(format!("refund:{}", input.order_id))
    }

    fn same_request(one: &RefundOrderInput, other: &RefundOrderInput) -> bool {
        one.amount == other.amount
    }
}
