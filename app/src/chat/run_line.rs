//! How the latest run stands: at work, busy, or ended without an answer.

use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::run::{RunPhase, RunStatus};

use super::browser;
use super::session::Session;
use crate::i18n::{t, texts, use_lang, words};

/// Whether asking the same question again may help.
fn worth_retrying(status: RunStatus) -> bool {
    match status {
        RunStatus::Interrupted
        | RunStatus::Failed
        | RunStatus::StepLimit
        | RunStatus::TooManyToolErrors
        | RunStatus::RepeatedCall
        | RunStatus::TokenBudget
        | RunStatus::TimeLimit
        | RunStatus::Truncated => true,
        RunStatus::Queued
        | RunStatus::Running
        | RunStatus::AwaitingApproval
        | RunStatus::Done
        | RunStatus::ContextFull
        | RunStatus::Refused
        | RunStatus::Cancelled => false,
    }
}

/// Whether the guest was left alone with a problem, so that a person is offered.
fn needs_a_person(status: RunStatus) -> bool {
    match status {
        RunStatus::Queued
        | RunStatus::Running
        | RunStatus::AwaitingApproval
        | RunStatus::Done
        | RunStatus::Cancelled => false,
        RunStatus::StepLimit
        | RunStatus::TooManyToolErrors
        | RunStatus::RepeatedCall
        | RunStatus::TokenBudget
        | RunStatus::TimeLimit
        | RunStatus::ContextFull
        | RunStatus::Truncated
        | RunStatus::Refused
        | RunStatus::Interrupted
        | RunStatus::Failed => true,
    }
}

#[component]
pub fn RunLine(session: Session) -> impl IntoView {
    let run = session.thread.run;
    let shown = Memo::new(move |_| run.with(|run| run.as_ref().map(|run| (run.status, run.run_id.clone()))));
    view! {
        <div class="run">
            {move || {
                let starting = session.is_starting();
                match shown.get() {
                    Some((status, run_id)) => match status.phase() {
                        RunPhase::Live => working(session),
                        _ if starting => working(session),
                        RunPhase::Parked => ().into_any(),
                        RunPhase::Ended => ended(session, status, run_id.to_string()),
                    },
                    None if starting => working(session),
                    None => ().into_any(),
                }
            }}
        </div>
    }
}

fn working(session: Session) -> AnyView {
    let lang = use_lang();
    let retrying = session.thread.retrying;
    view! {
        <p class="run__working" class:run__working--retrying=move || retrying.get()>
            <span class="dots" aria-hidden="true">
                <span></span>
                <span></span>
                <span></span>
            </span>
            <span>
                {move || {
                    let lang = lang.get();
                    if retrying.get() { texts::model_retrying(lang) } else { texts::working(lang) }
                }}
            </span>
        </p>
    }
    .into_any()
}

fn ended(session: Session, status: RunStatus, run_id: String) -> AnyView {
    let lang = use_lang();
    let Some(_) = words::run_status(lang.get_untracked(), status) else { return ().into_any() };
    let said = move || words::run_status(lang.get(), status).unwrap_or_default();
    let retry = worth_retrying(status).then(|| {
        view! {
            <button
                class="button"
                type="button"
                disabled=move || !session.ready.get() || session.busy()
                on:click=move |_| session.retry()
            >
                {t(texts::ask_again)}
            </button>
        }
    });
    let help = needs_a_person(status).then(|| view! { <p class="run__help">{t(texts::ask_a_person)}</p> });
    view! {
        <div class="run__ended" data-run-status=status.as_str()>
            <p class="run__words">{said}</p>
            {help}
            <div class="run__foot">
                <span class="run__reference">
                    {t(texts::run_reference)} " " <code class="code">{run_id.clone()}</code>
                </span>
                <CopyButton session text=run_id />
                {retry}
            </div>
        </div>
    }
    .into_any()
}

#[component]
fn CopyButton(session: Session, text: String) -> impl IntoView {
    let lang = use_lang();
    let copied = RwSignal::new(false);
    let text = StoredValue::new(text);
    let copy = move |_| {
        let text = text.get_value();
        spawn_local(async move {
            let _ = copied.try_set(browser::copy(&text).await);
        });
    };
    let words = move || {
        let lang = lang.get();
        if copied.get() { texts::copied(lang) } else { texts::copy(lang) }
    };
    // Only where the browser lets the page copy; known after hydration.
    move || {
        (session.ready.get() && browser::can_copy()).then(|| {
            view! {
                <button class="button button--quiet" type="button" on:click=copy>
                    {words}
                </button>
                <span class="visually-hidden" role="status">
                    {move || copied.get().then(|| texts::copied(lang.get()))}
                </span>
            }
        })
    }
}
