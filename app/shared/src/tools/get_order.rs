use std::time::Duration;

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};

use super::{NoPreview, OrderRefund, Tool, ToolEffect, canonical_order_id};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct GetOrder;

/// Look up one of the user's own orders: what was ordered, what it cost, how it stands, and what of it
/// was refunded. Call it when the user asks about an order, and before refundOrder. Where they name no
/// number give `latest`. It changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetOrderInput {
    /// The order's number as the user said it, for example: DH-7K2Q4; or the word latest for their newest
    /// order.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 40)))]
    pub order_id: String,
}

impl GetOrderInput {
    /// In place of a number: the user's newest order.
    pub const LATEST: &'static str = "latest";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetOrderOutput {
    /// The order's number, as the guest knows it.
    pub order_id: String,
    pub restaurant_name: String,
    /// By the restaurant's clock.
    pub placed_at: DateTime<FixedOffset>,
    pub items: Vec<OrderItem>,
    /// Whole đồng.
    pub total: u64,
    pub status: OrderStatus,
    /// How it was paid, which is where a refund goes, for example: Visa •••• 4242
    pub payee: String,
    /// The oldest first.
    pub refunds: Vec<OrderRefund>,
    /// Whole đồng: the sum of the refunds that were submitted or have succeeded.
    pub refunded: u64,
    /// Whole đồng: what can still be refunded. What a refund of an unknown outcome may have given back
    /// cannot.
    pub left: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OrderItem {
    pub name: String,
    pub quantity: u32,
    /// Whole đồng for one.
    pub unit_price: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OrderStatus {
    Preparing,
    Delivered,
    Cancelled,
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
        canonical_order_id(&one.order_id) == canonical_order_id(&other.order_id)
    }
}
