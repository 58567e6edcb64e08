//! How the latest run stands: at work, busy, or ended without an answer.

use leptos::prelude::*;
use shared::ids::RunId;
use shared::run::{RunPhase, RunStatus};

use super::session::Session;
use crate::cards::copy::copy_button;
use crate::cards::person::{self, Matter};
use crate::i18n::{t, texts, use_lang, visible, words};

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
                        RunPhase::Ended => ended(session, status, run_id),
                    },
                    None if starting => working(session),
                    None => ().into_any(),
                }
            }}
            {move || {
                let latest = shown.get().map(|(_, run_id)| run_id);
                let sent = session.handover.get().filter(|sent| Some(&sent.run_id) != latest.as_ref())?;
                let reference = sent.reference;
                Some(view! {
                    <p class="run__handed" data-earlier-handover=reference.clone()>
                        {t(texts::sent_to_a_person)} " " <code class="code"><bdi>{visible(&reference)}</bdi></code>
                    </p>
                })
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

fn ended(session: Session, status: RunStatus, run_id: RunId) -> AnyView {
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
    let help = needs_a_person(status).then(|| {
        person::help(Matter {
            anchor: "run".to_owned(),
            contact: session.thread.contact_of_run(),
            run_id: Some(run_id.clone()),
        })
    });
    let run_id = run_id.to_string();
    view! {
        <div class="run__ended" data-run-status=status.as_str()>
            <p class="run__words">{said}</p>
            {help}
            <div class="run__foot">
                <span class="run__reference">
                    {t(texts::run_reference)} " " <code class="code">{run_id.clone()}</code>
                </span>
                {copy_button(run_id)}
                {retry}
            </div>
        </div>
    }
    .into_any()
}
