//! Asks, proposes, and tells what the results say.

use super::super::dialogue::{HONEST, Manner};

pub const MANNER: Manner = HONEST;
