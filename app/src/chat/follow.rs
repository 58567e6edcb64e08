//! The view follows the end of the conversation while the reader is there, and leaves them alone otherwise.

use leptos::ev;
use leptos::prelude::*;
use web_sys::{ScrollBehavior, ScrollToOptions};

use super::session::Session;

/// So close to the end counts as being there.
const NEAR: f64 = 80.0;

/// Watches the reader. In the browser only.
pub fn watch(session: Session) {
    let _handle = window_event_listener(ev::scroll, move |_| note(session));
    let _handle = window_event_listener(ev::resize, move |_| keep_up(session));
    let linked_to_a_card = window().location().hash().is_ok_and(|hash| !hash.is_empty());
    if linked_to_a_card {
        request_animation_frame(move || note(session));
    } else {
        request_animation_frame(|| to_end(ScrollBehavior::Instant));
    }
}

/// After the page has grown.
pub fn keep_up(session: Session) {
    request_animation_frame(move || {
        if session.following.get_untracked() {
            to_end(ScrollBehavior::Instant);
        } else {
            note(session);
        }
    });
}

/// To the end, because the reader asked for it.
pub fn jump(session: Session) {
    session.following.set(true);
    to_end(ScrollBehavior::Auto);
}

/// Only the reader moves the view up: where it is further from the end without that, the page has grown.
fn note(session: Session) {
    let top = window().scroll_y().unwrap_or(0.0);
    let moved_up = top < session.seen_top.get_value();
    session.seen_top.set_value(top);
    let following = session.following.get_untracked();
    let follows = distance_to_end() <= NEAR || (following && !moved_up);
    if following != follows {
        session.following.set(follows);
    }
}

fn distance_to_end() -> f64 {
    let Some(root) = document().document_element() else { return 0.0 };
    let seen = window().scroll_y().unwrap_or(0.0) + f64::from(root.client_height());
    f64::from(root.scroll_height()) - seen
}

fn to_end(behavior: ScrollBehavior) {
    let Some(root) = document().document_element() else { return };
    let options = ScrollToOptions::new();
    options.set_top(f64::from(root.scroll_height()));
    options.set_behavior(behavior);
    window().scroll_to_with_scroll_to_options(&options);
}
