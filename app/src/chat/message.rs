//! One message: its parts in order, and the turn's last line.

use leptos::prelude::*;
use shared::message::Role;

use super::thread::{LiveContent, LiveMessage, LivePart};
use super::turn::TurnLine;
use crate::cards::ToolCard;
use crate::i18n::{t, texts, use_lang, visible};
use crate::prose::Prose;

#[component]
pub fn Message(message: LiveMessage) -> impl IntoView {
    let LiveMessage { id, role, parts, withdrawn_from, line } = message;
    let (class, who) = match role {
        Role::User => ("message message--user", texts::you_said as fn(_) -> _),
        Role::Assistant => ("message message--assistant", texts::assistant_said as fn(_) -> _),
    };
    view! {
        <li class=class id=format!("message-{id}")>
            <h2 class="visually-hidden">{t(who)}</h2>
            <For
                each=move || parts.get()
                key=|part| part.key.clone()
                children=move |part| view! { <Part part role withdrawn_from=withdrawn_from.clone() /> }
            />
            {move || line.get().map(|line| view! { <OutcomeLine line /> })}
        </li>
    }
}

#[component]
fn Part(part: LivePart, role: Role, withdrawn_from: ArcRwSignal<Option<usize>>) -> impl IntoView {
    let place = part.place;
    let withdrawn = move || withdrawn_from.get().is_some_and(|from| place >= from);
    match (part.content, role) {
        (LiveContent::Text(text), Role::Assistant) => {
            let is_withdrawn = withdrawn.clone();
            view! {
                <div class="message__said" data-withdrawn=move || withdrawn().then_some("")>
                    {move || is_withdrawn().then(|| view! { <p class="message__withdrawn">{t(texts::withdrawn)}</p> })}
                    <Prose text />
                </div>
            }
            .into_any()
        }
        // Shown as text and nothing else, with its own line breaks.
        (LiveContent::Text(text), Role::User) => {
            view! { <div class="message__text" dir="auto">{move || text.with(|text| visible(text))}</div> }
                .into_any()
        }
        (LiveContent::Reasoning(text), Role::User | Role::Assistant) => view! {
            <details class="reasoning">
                <summary>{t(texts::reasoning)}</summary>
                <div class="reasoning__text" dir="auto">{move || text.with(|text| visible(text))}</div>
            </details>
        }
        .into_any(),
        (LiveContent::Tool(part), Role::User | Role::Assistant) => view! { <ToolCard part /> }.into_any(),
    }
}

/// The quiet line at the end of a turn.
#[component]
fn OutcomeLine(line: TurnLine) -> impl IntoView {
    let lang = use_lang();
    let (kind, tone) = (line.kind(), line.tone());
    let words = move || line.sentences(lang.get()).join(" ");
    view! {
        <p class="outcome" data-outcome=kind data-deeds=tone>
            <span class="visually-hidden">{t(texts::outcome_of_turn)} ": "</span>
            <span>{words}</span>
        </p>
    }
}
