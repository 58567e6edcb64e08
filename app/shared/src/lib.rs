//! What server and browser agree on: the tools, the events, the parts and the reducer.
//!
//! **Invariant:** pure. No Leptos, no axum, no SQL, no clock, no randomness; the same events give
//! the same parts everywhere.

pub mod api;
pub mod contact;
pub mod error_code;
pub mod event;
pub mod ids;
pub mod message;
pub mod outcome;
pub mod partial;
pub mod reduce;
pub mod run;
pub mod tool_call;
pub mod tools;
pub mod wire;
