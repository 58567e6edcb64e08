//! Truthtable's server. The arrows between its rooms point one way:
//! http -> agent -> (model, tools, store) -> domain.

pub mod agent;
pub mod clock;
pub mod http;
pub mod ids;
pub mod model;
mod outbound;
pub mod restaurants;
pub mod serve;
pub mod settings;
pub mod store;
pub mod tools;
pub mod weather;
