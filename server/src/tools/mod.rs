//! The tools that run on the server: one file each, beside their shared contract.

pub mod arguments;
pub(crate) mod booking_changes;
mod cancel_booking;
mod change_booking;
pub mod contract;
mod create_booking;
mod find_tables;
mod get_order;
mod get_weather;
mod list_bookings;
mod refund_order;
pub mod schema;
mod table;
