//! The model's prose: Markdown, drawn as nodes. A stranger's text: it never becomes markup of its own, loads
//! nothing, and links only where a guest can see where to.

mod document;
mod link;
mod view;

use leptos::prelude::*;

pub use document::{Align, Block, Inline, parse};
pub use link::{Link, Target};

use crate::i18n::visible;

/// A text that may still grow. What has not changed since the last drawing is not drawn again; what is on the
/// screen is always what the whole text gives.
#[component]
pub fn Prose(text: ArcRwSignal<String>) -> impl IntoView {
    let blocks = Memo::new(move |_| text.with(|text| parse(&visible(text))));
    let numbered = move || blocks.get().into_iter().enumerate().collect::<Vec<_>>();
    view! {
        <div class="message__text prose" dir="auto">
            // Blocks are told apart by what is in them: one that has changed is another one.
            <For each=numbered key=Clone::clone children=|(_, block)| view::block(&block) />
        </div>
    }
}
