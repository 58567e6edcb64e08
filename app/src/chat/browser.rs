//! The few things that only a browser has. Called from effects and event handlers.

use chrono::{DateTime, Utc};
use leptos::ev;
use leptos::prelude::*;
use shared::ids::ConversationId;
use wasm_bindgen::{JsCast, JsValue};

use crate::i18n::Lang;

/// The guest's clock, which may be wrong.
pub fn now() -> DateTime<Utc> {
    // Milliseconds since 1970: far below where a double loses whole numbers.
    #[allow(clippy::cast_possible_truncation)]
    let milliseconds = js_sys::Date::now() as i64;
    DateTime::from_timestamp_millis(milliseconds).unwrap_or_default()
}

/// Whether the browser has any network; true says nothing about the server.
pub fn is_online() -> bool {
    window().navigator().on_line()
}

/// Whether the page is in a tab that nobody sees.
pub fn is_hidden() -> bool {
    document().visibility_state() == web_sys::VisibilityState::Hidden
}

/// A button that somebody pressed by the keyboard is about to be locked or to vanish: their place moves to
/// the element with this id, or it would be lost. Nothing happens for a mouse or a finger, where focus would
/// bring up an on-screen keyboard.
pub fn keep_keyboard_place(id: &str) {
    let document = document();
    let by_keyboard = document.active_element().is_some_and(|element| {
        element.tag_name() == "BUTTON" && element.matches(":focus-visible").unwrap_or(false)
    });
    let place =
        document.get_element_by_id(id).and_then(|place| place.dyn_into::<web_sys::HtmlElement>().ok());
    if let (true, Some(place)) = (by_keyboard, place) {
        let _ = place.focus();
    }
}

/// Makes the new conversation's address that of the page, without loading it.
pub fn push_conversation(conversation: &ConversationId) {
    if let Ok(history) = window().history() {
        let path = format!("/c/{conversation}");
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&path));
    }
}

/// Back and forward between pages whose address was pushed: the server knows what is there.
pub fn reload_when_history_leaves(shown: impl Fn() -> Option<ConversationId> + 'static) {
    let _handle = window_event_listener(ev::popstate, move |_| {
        let location = window().location();
        let shown = shown().map_or_else(|| "/".to_owned(), |conversation| format!("/c/{conversation}"));
        // A jump to a card of the same page fires this event as well.
        if location.pathname().is_ok_and(|path| path != shown) {
            let _ = location.reload();
        }
    });
}

/// Keeps the choice of the language for the next page.
pub fn remember_lang(lang: Lang) {
    let document = document();
    if let Some(html) = document.document_element() {
        let _ = html.set_attribute("lang", lang.tag());
    }
    let location = window().location();
    let secure = if location.protocol().is_ok_and(|protocol| protocol == "https:") { "; Secure" } else { "" };
    let cookie = format!("truthtable_lang={}; Path=/; Max-Age=31536000; SameSite=Lax{secure}", lang.tag());
    if let Ok(document) = document.dyn_into::<web_sys::HtmlDocument>() {
        let _ = document.set_cookie(&cookie);
    }
    // A `?lang=` in the address would win over the cookie at the next load.
    if location.search().is_ok_and(|search| search.contains("lang="))
        && let (Ok(path), Ok(hash), Ok(history)) = (location.pathname(), location.hash(), window().history())
    {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{path}{hash}")));
    }
}
