//! A button that puts a reference on the clipboard.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::context::use_cards;
use crate::i18n::{texts, use_lang};

/// The button; nothing where the browser lets no page copy.
pub fn copy_button(text: String) -> AnyView {
    let lang = use_lang();
    let ready = use_cards().ready;
    let copied = RwSignal::new(false);
    let text = StoredValue::new(text);
    let copy = move |_| {
        let text = text.get_value();
        spawn_local(async move {
            let _ = copied.try_set(put(&text).await);
        });
    };
    let words = move || {
        let lang = lang.get();
        if copied.get() { texts::copied(lang) } else { texts::copy(lang) }
    };
    // Known after hydration only.
    (move || {
        (ready.get() && can_copy()).then(|| {
            view! {
                <button class="button button--quiet" type="button" on:click=copy>
                    {words}
                </button>
                <span class="visually-hidden" role="status">
                    {move || copied.get().then(|| texts::copied(lang.get()))}
                </span>
            }
        })
    })
    .into_any()
}

/// Whether text can be put on the clipboard: browsers offer it to secure pages only, and elsewhere is none.
fn can_copy() -> bool {
    cfg!(target_arch = "wasm32") && window().is_secure_context()
}

/// True where it has worked.
async fn put(text: &str) -> bool {
    can_copy() && window().navigator().clipboard().write_text(text).await.is_ok()
}
