//! Asks, proposes, and tells what the results say.

use super::super::dialogue::{Manner, book, tell};

pub const MANNER: Manner =
    Manner { takes_the_first: false, instead_of_tools: None, book, after_booking: tell };
