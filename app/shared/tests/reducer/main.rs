//! The reducer: whatever comes, the screen never shows what did not happen.

mod events;
mod fold;
mod matrix;
mod outcome;
mod planted;
mod properties;
mod wire;
