//! Tells screen readers what has changed: finished text and states of cards, never each delta.

use leptos::prelude::*;
use shared::run::RunStatus;

use super::session::Session;
use super::thread::News;
use crate::cards;
use crate::i18n::{Lang, use_lang, visible, words};

#[component]
pub fn Announcer(session: Session) -> impl IntoView {
    let lang = use_lang();
    let said = move || {
        let lang = lang.get_untracked();
        session.news.with(|news| sentences(news, lang).join(" "))
    };
    view! { <div class="visually-hidden" role="status" aria-live="polite">{said}</div> }
}

/// What is said of a batch of news, each thing once: a booking may be on several cards.
pub fn sentences(news: &[News], lang: Lang) -> Vec<String> {
    let mut sentences = Vec::new();
    for said in news.iter().filter_map(|news| say(news, lang)) {
        if !sentences.contains(&said) {
            sentences.push(said);
        }
    }
    sentences
}

fn say(news: &News, lang: Lang) -> Option<String> {
    match news {
        News::Card(part) => Some(cards::announcement(part, lang)),
        News::Updated(part) => Some(cards::update_announcement(part, lang)),
        News::Run { status, text } => {
            let ended = words::run_status(lang, *status).map(str::to_owned);
            let text = match status {
                RunStatus::Done | RunStatus::AwaitingApproval => Some(visible(text)),
                RunStatus::Queued
                | RunStatus::Running
                | RunStatus::StepLimit
                | RunStatus::TooManyToolErrors
                | RunStatus::RepeatedCall
                | RunStatus::TokenBudget
                | RunStatus::TimeLimit
                | RunStatus::ContextFull
                | RunStatus::Truncated
                | RunStatus::Refused
                | RunStatus::Cancelled
                | RunStatus::Interrupted
                | RunStatus::Failed => None,
            };
            ended.or(text).filter(|said| !said.trim().is_empty())
        }
    }
}
