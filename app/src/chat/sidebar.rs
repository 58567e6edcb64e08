//! The guest's conversations: a column on wide screens, folded behind a button on narrow ones.
//!
//! The button and the list are tied by the browser's own popover, so that both work without script and the
//! keyboard is looked after.

use leptos::prelude::*;
use shared::api::ConversationSummary;

use super::session::Session;
use crate::cards::icons::Icon;
use crate::i18n::{t, texts, use_lang, visible};

/// The list's id, for the button that opens it.
pub const LIST_ID: &str = "conversations";

#[component]
pub fn Sidebar(session: Session) -> impl IntoView {
    let empty = move || session.conversations.with(Vec::is_empty);
    view! {
        <nav class="sidebar" id=LIST_ID popover="auto" aria-label=t(texts::conversations)>
            <div class="sidebar__head">
                <h2 class="sidebar__title">{t(texts::conversations)}</h2>
                <button
                    class="button button--quiet sidebar__close"
                    type="button"
                    popovertarget=LIST_ID
                    popovertargetaction="hide"
                    aria-label=t(texts::close)
                >
                    {Icon::Close.view()}
                </button>
            </div>
            <a class="button sidebar__new" href="/">
                {Icon::Plus.view()} <span>{t(texts::new_conversation)}</span>
            </a>
            <ul class="sidebar__list">
                <For
                    each=move || session.conversations.get()
                    // A row shows what its key says; a changed title or count is a new row.
                    key=|summary| format!("{}/{}/{}", summary.conversation_id, summary.waiting, summary.title)
                    children=move |summary| view! { <Row session summary /> }
                />
            </ul>
            {move || empty().then(|| view! { <p class="sidebar__empty">{t(texts::no_conversations)}</p> })}
        </nav>
    }
}

#[component]
fn Row(session: Session, summary: ConversationSummary) -> impl IntoView {
    let lang = use_lang();
    let ConversationSummary { conversation_id, title, updated_at: _, waiting } = summary;
    let href = format!("/c/{conversation_id}");
    let current = move || {
        let is_current = session.conversation.with(|shown| shown.as_ref() == Some(&conversation_id));
        is_current.then_some("page")
    };
    let title = move || {
        if title.trim().is_empty() { texts::untitled(lang.get()).to_owned() } else { visible(&title) }
    };
    view! {
        <li>
            <a class="sidebar__link" href=href aria-current=current>
                <span class="sidebar__name"><bdi>{title}</bdi></span>
                {(waiting > 0)
                    .then(|| view! {
                        <span class="badge" data-tone="waiting">
                            {Icon::Hourglass.view()} <span>{t(texts::waits_for_you)}</span>
                        </span>
                    })}
            </a>
        </li>
    }
}
