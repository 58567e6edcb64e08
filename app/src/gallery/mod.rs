//! Every card in every state.

pub mod fixtures;
