//! One file a tool; here the contract that they share and the registry of all of them.

mod booking;
mod cancel_booking;
mod change_booking;
mod create_booking;
mod find_tables;
mod get_order;
mod get_weather;
mod list_bookings;
mod order;
mod refund_order;
mod registry;

use std::fmt::Debug;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use booking::{Booking, BookingStatus, Placement, to_the_minute};
pub use cancel_booking::{CancelBooking, CancelBookingInput, CancelBookingPreview};
pub use change_booking::{ChangeBooking, ChangeBookingInput, ChangeBookingPreview};
pub use create_booking::{CreateBooking, CreateBookingInput, CreateBookingPreview};
pub use find_tables::{FindTables, FindTablesInput, FindTablesOutput, TableOption};
pub use get_order::{GetOrder, GetOrderInput, GetOrderOutput, OrderItem, OrderStatus};
pub use get_weather::{
    DayForecast, GetWeather, GetWeatherInput, GetWeatherOutput, WeatherSource, WeatherSummary,
};
pub use list_bookings::{ListBookings, ListBookingsInput, ListBookingsOutput};
pub use order::{
    OrderRefund, OrderRefundStatus, RefundFailure, RefundReceiver, RefundStatus, canonical_order_id,
};
pub use refund_order::{Refund, RefundOrder, RefundOrderInput, RefundOrderPreview};
pub use registry::{ToolName, ToolPart};

use crate::ids::UserId;

/// Anything that a tool takes or gives.
#[cfg(not(feature = "schema"))]
pub trait Data: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync {}
#[cfg(not(feature = "schema"))]
impl<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync> Data for T {}

/// Anything that a tool takes or gives; with its JSON Schema.
#[cfg(feature = "schema")]
pub trait Data:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + schemars::JsonSchema + Send + Sync
{
}
#[cfg(feature = "schema")]
impl<T> Data for T where
    T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + schemars::JsonSchema + Send + Sync
{
}

/// What a call does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolEffect {
    Read,
    Write,
}

/// The contract of one tool. Its description, which the model reads, is the doc comment of `Input`.
pub trait Tool: Clone + Debug + PartialEq + Send + Sync + 'static {
    const NAME: &'static str;
    const EFFECT: ToolEffect;
    /// Whether a person must agree before it runs.
    const NEEDS_APPROVAL: bool;
    /// Running longer than this is a tool error.
    const TIMEOUT: Duration;

    /// What the model proposes.
    type Input: Data;
    /// What the server looked up about the input, so that a person can decide.
    type Preview: Data;
    type Output: Data;

    /// Names the thing done, not the attempt; none for what has no effect. `revision`: how often what the
    /// call changes was changed before; 0 where it makes something new.
    fn business_key(input: &Self::Input, user: &UserId, revision: u64) -> Option<String>;

    /// Whether two inputs under one business key ask for the same; free text never counts.
    fn same_request(one: &Self::Input, other: &Self::Input) -> bool;
}

/// The preview of a tool that has nothing to look up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NoPreview {}

/// A tool that this version does not have (any more): old conversations still open, and an invented
/// name still gets an honest card.
#[derive(Clone, Debug, PartialEq)]
pub struct Untyped;

impl Tool for Untyped {
    const NAME: &'static str = "";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = false;
    const TIMEOUT: Duration = Duration::ZERO;

    type Input = Value;
    type Preview = Value;
    type Output = Value;

    fn business_key(_: &Value, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &Value, other: &Value) -> bool {
        one == other
    }
}
