//! The view follows the end of the conversation while the reader is there, and leaves them alone otherwise.

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{ResizeObserver, ScrollBehavior, ScrollToOptions};

use super::session::Session;

/// So close to the end counts as being there.
const NEAR: f64 = 80.0;

/// Watches the reader, and the page's height, for the page's whole life. In the browser only.
pub fn watch(session: Session) {
    let linked_to_a_card = window().location().hash().is_ok_and(|hash| !hash.is_empty());
    set_following(session, !linked_to_a_card);

    let last = Rc::new(Cell::new(position()));
    let keep_up = {
        let last = Rc::clone(&last);
        move || {
            // The start page is read from its top.
            let is_empty = session.thread.messages.with_untracked(Vec::is_empty);
            if session.following.get_untracked() && !is_empty {
                to_end(ScrollBehavior::Instant);
            } else if !is_empty {
                set_following(session, is_near_end());
            }
            // A page that has become shorter has moved the view by itself: that was not the reader.
            last.set(position());
        }
    };
    // Whoever sends a message goes to the end: a scroll of before, which the browser tells of only now,
    // does not call them back.
    Effect::new({
        let last = Rc::clone(&last);
        move |_| {
            if session.following.get() {
                last.set(position());
            }
        }
    });
    let _handle = window_event_listener(ev::scroll, move |_| {
        let now = position();
        let went_up = now < last.replace(now);
        // Only the reader goes up. Where the end has moved away below, the page has grown since, and whoever
        // follows is taken along.
        if is_near_end() {
            set_following(session, true);
        } else if went_up {
            set_following(session, false);
        }
    });
    let _handle = window_event_listener(ev::resize, {
        let keep_up = keep_up.clone();
        move |_| keep_up()
    });
    // Told of each change of height before it is drawn, and once at the start.
    let changed = Closure::<dyn Fn()>::new(keep_up);
    if let (Ok(observer), Some(body)) =
        (ResizeObserver::new(changed.as_ref().unchecked_ref()), document().body())
    {
        observer.observe(&body);
    }
    changed.forget();
}

/// To the end, because the reader asked for it.
pub fn jump(session: Session) {
    session.following.set(true);
    to_end(ScrollBehavior::Auto);
}

fn set_following(session: Session, follows: bool) {
    if session.following.get_untracked() != follows {
        session.following.set(follows);
    }
}

/// Where the view's upper edge is, in CSS pixels.
fn position() -> f64 {
    window().scroll_y().unwrap_or(0.0)
}

fn is_near_end() -> bool {
    let Some(root) = document().document_element() else { return true };
    f64::from(root.scroll_height()) - (position() + f64::from(root.client_height())) <= NEAR
}

fn to_end(behavior: ScrollBehavior) {
    let Some(root) = document().document_element() else { return };
    let options = ScrollToOptions::new();
    options.set_top(f64::from(root.scroll_height()));
    options.set_behavior(behavior);
    window().scroll_to_with_scroll_to_options(&options);
}
