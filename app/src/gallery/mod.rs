//! Every card in every state, for designers and for tests.

pub mod fixtures;
mod page;
mod wish;

pub use page::{GalleryData, gallery_shell};
pub use wish::{Motion, TextSize, Theme, Width, Wish};
