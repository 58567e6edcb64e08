//! The format in which an operator writes orders down, beside the restaurants of `truthtable import`.

use chrono::{DateTime, FixedOffset};
use chrono_tz::Tz;
use schemars::JsonSchema;
use serde::Deserialize;
use shared::ids::UserId;
use shared::tools::{OrderItem, OrderStatus};

use super::Order;
use crate::restaurants::file::time_zone;

/// What an order's number looks like: guests read it out.
pub const NUMBER_PATTERN: &str = "^DH-[A-HJKMNP-Z2-9]{5}$";
/// A moment with its offset.
pub const MOMENT_PATTERN: &str =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$";

/// One order of a guest.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[schemars(title = "Order")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderEntry {
    /// As the guest knows it: DH- and five of the letters and digits that are not taken for others. The
    /// next import finds the order by it.
    #[schemars(regex(pattern = NUMBER_PATTERN), example = "DH-7K2Q4")]
    pub number: String,
    /// Whose it is: the id of a guest who has been here. It stays theirs.
    #[schemars(length(min = 1, max = 64), example = "0198f3c2-6a51-7cc3-98c4-dc0c0c07398f")]
    pub user_id: String,
    /// Where it was ordered, as guests know it.
    #[schemars(length(min = 1, max = 200), example = "Biển Xanh")]
    pub restaurant_name: String,
    /// The IANA name of the time zone by whose clock it was placed.
    #[schemars(with = "String", length(min = 1, max = 64), example = "Asia/Ho_Chi_Minh")]
    #[serde(deserialize_with = "time_zone")]
    pub time_zone: Tz,
    /// When it was placed: RFC 3339 with an offset.
    #[schemars(with = "String", regex(pattern = MOMENT_PATTERN), example = "2026-11-30T18:40:00+07:00")]
    pub placed_at: DateTime<FixedOffset>,
    /// How it stands.
    #[schemars(example = &"delivered")]
    pub status: OrderStatus,
    /// What was ordered.
    #[schemars(length(min = 1, max = 200))]
    pub items: Vec<OrderItemEntry>,
    /// What the guest paid, in whole đồng: with delivery, less discounts.
    #[schemars(range(min = 0, max = 1_000_000_000), example = 265_000)]
    pub total: u64,
    /// How it was paid, which is where a refund goes. Guests read it.
    #[schemars(length(min = 1, max = 100), example = "Visa •••• 4242")]
    pub payee: String,
    /// Stripe's payment intent; without one Stripe cannot refund it.
    #[schemars(with = "String", length(min = 1, max = 255), example = &"pi_3Nxyz")]
    #[serde(default)]
    pub payment_intent: Option<String>,
}

/// Some of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(title = "Item of an order")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderItemEntry {
    /// As the bill names it.
    #[schemars(length(min = 1, max = 200), example = "Lẩu hải sản")]
    pub name: String,
    /// How many.
    #[schemars(range(min = 1, max = 1000), example = 2)]
    pub quantity: u32,
    /// For one, in whole đồng.
    #[schemars(range(min = 0, max = 1_000_000_000), example = 120_000)]
    pub unit_price: u64,
}

impl From<OrderEntry> for Order {
    fn from(entry: OrderEntry) -> Self {
        let item = |OrderItemEntry { name, quantity, unit_price }| OrderItem { name, quantity, unit_price };
        Self {
            number: entry.number,
            user: UserId(entry.user_id),
            restaurant_name: entry.restaurant_name,
            time_zone: entry.time_zone,
            status: entry.status,
            total: entry.total,
            payee: entry.payee,
            payment_reference: entry.payment_intent,
            // As exact as the database keeps it.
            placed_at: DateTime::from_timestamp_millis(entry.placed_at.timestamp_millis())
                .unwrap_or_default(),
            items: entry.items.into_iter().map(item).collect(),
        }
    }
}
