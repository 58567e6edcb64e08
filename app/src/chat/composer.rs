//! Where the guest writes. Nothing typed is ever thrown away by a failure.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use shared::run::RunPhase;

use super::session::{Failed, LONGEST_MESSAGE, Session};
use crate::cards::icons::Icon;
use crate::i18n::{t, texts, use_lang, words};

/// The text field's id, for the skip link.
pub const FIELD_ID: &str = "message";

/// From here on the counter is shown.
const COUNTED_FROM: usize = LONGEST_MESSAGE - 400;

/// What a key code says while an input method is still composing, in browsers that do not say it otherwise.
const COMPOSING: u32 = 229;

#[component]
pub fn Composer(session: Session) -> impl IntoView {
    let lang = use_lang();
    let field = NodeRef::<html::Textarea>::new();

    // The field is the browser's own, so that what was typed before hydration stays. From then on it and
    // the draft follow each other.
    Effect::new(move |seen: Option<bool>| {
        let draft = session.draft.get();
        let Some(field) = field.get() else { return seen.unwrap_or(false) };
        let typed = field.value();
        if seen != Some(true) && draft.is_empty() && !typed.is_empty() {
            session.draft.set(typed);
        } else if typed != draft {
            field.set_value(&draft);
        }
        true
    });

    let length = Memo::new(move |_| session.draft.with(|draft| draft.trim().chars().count()));
    let too_long = move || length.get() > LONGEST_MESSAGE;
    let cannot_send = move || !session.ready.get() || session.busy() || length.get() == 0 || too_long();

    let send = move || {
        if !untrack(cannot_send) {
            session.send(session.draft.get_untracked());
            if let Some(field) = field.get_untracked() {
                let _ = field.focus();
            }
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let composing = event.is_composing() || event.key_code() == COMPOSING;
        if event.key() == "Enter" && !event.shift_key() && !composing {
            event.prevent_default();
            send();
        }
    };

    let hint = move || {
        let lang = lang.get();
        if !session.ready.get() {
            texts::composer_loading(lang)
        } else if too_long() {
            texts::message_too_long(lang)
        } else if session.sending.get() {
            texts::sending(lang)
        } else {
            match session.thread.phase() {
                Some(RunPhase::Live) => texts::composer_busy(lang),
                Some(RunPhase::Parked) => texts::composer_supersedes(lang),
                Some(RunPhase::Ended) | None => texts::composer_help(lang),
            }
        }
    };
    // What the keys do is of no use where there are none.
    let is_about_keys = move || {
        let lang = lang.get();
        hint() == texts::composer_help(lang)
    };
    let counter = move || {
        (length.get() >= COUNTED_FROM).then(|| {
            let left =
                i64::try_from(LONGEST_MESSAGE).unwrap_or(0) - i64::try_from(length.get()).unwrap_or(i64::MAX);
            words::characters_left(lang.get(), left)
        })
    };

    view! {
        <form
            class="composer"
            on:submit=move |event| {
                event.prevent_default();
                send();
            }
        >
            {move || session.failed.get().map(|failed| view! { <FailedNotice session failed /> })}
            <div class="composer__box">
                <label class="visually-hidden" for=FIELD_ID>{t(texts::your_message)}</label>
                <textarea
                    node_ref=field
                    class="composer__field"
                    id=FIELD_ID
                    name="text"
                    rows="1"
                    dir="auto"
                    enterkeyhint="send"
                    placeholder=t(texts::message_placeholder)
                    aria-describedby="composer-hint"
                    aria-invalid=move || too_long().then_some("true")
                    on:input=move |event| session.draft.set(event_target_value(&event))
                    on:keydown=on_key
                ></textarea>
                <div class="composer__buttons">
                    {move || session.thread.is_live().then(|| view! { <StopButton session /> })}
                    <button
                        class="button button--primary composer__send"
                        type="submit"
                        aria-label=t(texts::send)
                        aria-describedby="composer-hint"
                        disabled=cannot_send
                    >
                        {Icon::Send.view()}
                    </button>
                </div>
            </div>
            <p class="composer__foot">
                <span id="composer-hint" class="composer__hint" class:composer__hint--keys=is_about_keys>
                    {hint}
                </span>
                <span class="composer__counter" class:composer__counter--over=too_long>{counter}</span>
            </p>
        </form>
    }
}

#[component]
fn StopButton(session: Session) -> impl IntoView {
    let lang = use_lang();
    let words = move || {
        let lang = lang.get();
        if session.stopping.get() { texts::stopping(lang) } else { texts::stop(lang) }
    };
    view! {
        <button
            class="button composer__stop"
            type="button"
            disabled=move || !session.ready.get() || session.stopping.get()
            on:click=move |_| session.stop()
        >
            {Icon::Stop.view()}
            <span>{words}</span>
        </button>
    }
}

/// What did not work, in plain words, with a way on.
#[component]
fn FailedNotice(session: Session, failed: Failed) -> impl IntoView {
    let lang = use_lang();
    let Failed { trouble, what } = failed;
    view! {
        <div class="notice notice--trouble" role="alert">
            <p>{move || trouble.words(lang.get())}</p>
            <div class="notice__buttons">
                <button class="button" type="button" on:click=move |_| session.try_again(what)>
                    {t(texts::try_again)}
                </button>
                <button class="button button--quiet" type="button" on:click=move |_| session.failed.set(None)>
                    {t(texts::dismiss)}
                </button>
            </div>
        </div>
    }
}
