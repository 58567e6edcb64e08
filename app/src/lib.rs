//! The page: rendered on the server, then live in the browser.
//!
//! Arrows: chat -> cards -> shared. A card knows nothing of the network; the chat draws no tool.

pub mod cards;
pub mod chat;
pub mod gallery;
pub mod i18n;
mod page;
pub mod prose;
mod trouble;

pub use page::{App, PageData, shell};
pub use trouble::Trouble;

/// Takes over the page that the server has rendered.
#[cfg(feature = "hydrate")]
pub fn hydrate() {
    // A panic would otherwise say nothing but `unreachable`.
    std::panic::set_hook(Box::new(|panic| leptos::logging::error!("{panic}")));
    leptos::mount::hydrate_body(App);
}
