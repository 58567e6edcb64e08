//! The tools that run on the server: one file each, beside their shared contract.

pub mod arguments;
pub mod contract;
mod create_booking;
mod find_tables;
mod get_weather;
pub mod schema;
