//! Truthtable's server. The arrows between its rooms point one way:
//! http -> agent -> (model, tools, store) -> domain. The command `import` stands beside http.

pub mod agent;
pub mod check_model;
pub mod clock;
pub mod configured_model;
pub mod db;
pub mod fault;
pub mod freeze;
pub mod handovers;
pub mod http;
pub mod ids;
pub mod import;
pub mod lab;
pub mod model;
pub mod operator;
pub mod orders;
mod outbound;
pub mod prompt;
pub mod reconcile;
pub mod refunds;
pub mod restaurants;
pub mod serve;
pub mod settings;
pub mod store;
pub mod text;
pub mod tools;
pub mod weather;
