use std::time::Duration;

use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Serialize};

use super::{NoPreview, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct FindTables;

/// Find restaurants in a city that have free tables around a time. Call it before createBooking, as
/// soon as the city, the date and time, and the party size are known; it gives the restaurantId that
/// createBooking needs. It books nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FindTablesInput {
    /// City name as the user said it, for example: Hà Nội
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub city: String,
    /// The wanted time, RFC 3339 with offset, for example: 2026-12-05T19:00:00+07:00
    pub starts_at: DateTime<FixedOffset>,
    /// How many people.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 20)))]
    pub party_size: u8,
    /// Only where the user asked for one, for example: Vietnamese, seafood, vegetarian
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 60)))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuisine: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FindTablesOutput {
    /// The city that was taken, by its own name.
    pub city: String,
    /// The wanted time, by the restaurants' clock.
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: u8,
    /// Those with a free time, the closest to the wanted time first.
    pub restaurants: Vec<TableOption>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TableOption {
    pub restaurant_id: String,
    pub name: String,
    pub address: String,
    pub cuisine: String,
    /// How to reach a person there, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<String>,
    /// In order; by the restaurant's clock.
    pub free_times: Vec<DateTime<FixedOffset>>,
}

impl Tool for FindTables {
    const NAME: &'static str = "findTables";
    const EFFECT: ToolEffect = ToolEffect::Read;
    const NEEDS_APPROVAL: bool = false;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = FindTablesInput;
    type Preview = NoPreview;
    type Output = FindTablesOutput;

    fn business_key(_: &FindTablesInput, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &FindTablesInput, other: &FindTablesInput) -> bool {
        one == other
    }
}
