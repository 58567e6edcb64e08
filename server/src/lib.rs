//! Truthtable's server. The arrows between its rooms point one way:
//! http -> agent -> (model, tools, store) -> domain.

pub mod agent;
pub mod clock;
pub mod freeze;
pub mod handovers;
pub mod http;
pub mod ids;
pub mod model;
pub mod operator;
pub mod restaurants;
pub mod serve;
pub mod settings;
pub mod store;
pub mod text;
pub mod tools;
pub mod weather;
