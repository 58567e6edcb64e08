//! The chat: the page around the cards.

pub mod announcer;
mod api;
mod browser;
mod composer;
mod follow;
mod known;
mod link;
mod message;
mod run_line;
mod session;
mod sidebar;
pub mod thread;
pub mod turn;

use chrono::{FixedOffset, Offset, Utc};
use leptos::prelude::*;

use crate::cards::icons::Icon;
use crate::i18n::{Lang, t, texts, use_lang, visible};
use crate::page::PageData;
use announcer::Announcer;
use composer::Composer;
use link::LinkState;
use message::Message;
use run_line::RunLine;
use session::Session;
use sidebar::Sidebar;

/// The whole page of one conversation, or of none yet.
#[component]
pub fn ChatPage(data: PageData) -> impl IntoView {
    let session = Session::new(&data);
    let offset = FixedOffset::east_opt(data.time_zone_offset_minutes.saturating_mul(60));
    provide_context(session.card_context(offset.unwrap_or_else(|| Utc.fix())));
    // Effects run in the browser only, after hydration.
    Effect::new(move |started: Option<()>| {
        if started.is_none() {
            session.start();
        }
    });
    title_effect(session);

    let PageData { demo_model, persona, not_found, .. } = data;
    view! {
        {(!not_found)
            .then(|| view! {
                <a class="skip-link" href=format!("#{}", composer::FIELD_ID)>
                    {t(texts::skip_to_composer)}
                </a>
            })}
        <div class="page">
            <Masthead persona />
            <Sidebar session />
            <main class="main">
                {if not_found {
                    view! { <NotFound /> }.into_any()
                } else {
                    view! { <Conversation session demo_model /> }.into_any()
                }}
            </main>
        </div>
        <Announcer session />
    }
}

/// The name of the conversation in the browser's tab.
pub fn document_title(lang: Lang, first_text: &str) -> String {
    const LONGEST: usize = 60;
    let text = visible(first_text).replace(['\n', '\t'], " ");
    let text = text.trim();
    if text.is_empty() {
        return format!("Truthtable – {}", texts::tagline(lang));
    }
    let short: String = text.chars().take(LONGEST).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!("{short}{dots} – Truthtable")
}

fn title_effect(session: Session) {
    let lang = use_lang();
    Effect::new(move |_| {
        // A first message gives the page its title.
        session.thread.messages.with(|_| ());
        document().set_title(&document_title(lang.get(), &session.thread.first_text()));
    });
}

#[component]
fn Masthead(persona: Option<String>) -> impl IntoView {
    let lang = use_lang();
    view! {
        <header class="masthead">
            <button
                class="button button--quiet masthead__menu"
                type="button"
                popovertarget=sidebar::LIST_ID
                aria-label=t(texts::conversations)
            >
                {Icon::Menu.view()}
            </button>
            <a class="brand" href="/">
                <span class="brand__mark" aria-hidden="true"></span>
                <span class="brand__name">"Truthtable"</span>
                <span class="brand__tagline">{t(texts::tagline)}</span>
            </a>
            <nav class="languages" aria-label=t(texts::language)>
                {Lang::ALL
                    .map(|one| {
                        let current = move || (lang.get() == one).then_some("true");
                        let switch = move |event: leptos::ev::MouseEvent| {
                            // With a modifier the browser does what it always does with links.
                            if event.ctrl_key() || event.meta_key() || event.shift_key() {
                                return;
                            }
                            event.prevent_default();
                            lang.set(one);
                            browser::remember_lang(one);
                        };
                        view! {
                            <a
                                class="languages__link"
                                href=lang_href(one, persona.as_deref())
                                lang=one.tag()
                                hreflang=one.tag()
                                aria-current=current
                                aria-label=one.name()
                                on:click=switch
                            >
                                {one.tag().to_uppercase()}
                            </a>
                        }
                    })
                    .into_iter()
                    .collect::<Vec<_>>()}
            </nav>
        </header>
    }
}

/// The same page in another language, without script.
fn lang_href(lang: Lang, persona: Option<&str>) -> String {
    let is_word = |text: &&str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    match persona.filter(is_word) {
        Some(persona) => format!("?persona={persona}&lang={}", lang.tag()),
        None => format!("?lang={}", lang.tag()),
    }
}

#[component]
fn Conversation(session: Session, demo_model: bool) -> impl IntoView {
    let empty = Memo::new(move |_| session.thread.messages.with(Vec::is_empty));
    let lang = use_lang();
    let title = move || {
        session.thread.messages.with(|_| ());
        document_title(lang.get(), &session.thread.first_text())
    };
    view! {
        // With script on, the parser takes the content as one text: as elements it could not be hydrated.
        <noscript inner_html=format!("<p class=\"notice\">{}</p>", texts::needs_script(lang.get_untracked()))></noscript>
        {move || {
            if empty.get() {
                view! { <Welcome session /> }.into_any()
            } else {
                view! { <h1 class="visually-hidden">{title}</h1> }.into_any()
            }
        }}
        <ol class="thread" aria-label=t(texts::messages)>
            <For
                each=move || session.thread.messages.get()
                key=|message| message.id.to_string()
                children=|message| view! { <Message message /> }
            />
        </ol>
        <RunLine session />
        <div class="dock">
            <PauseBanner session />
            <LinkBanner session />
            {move || {
                (!session.following.get())
                    .then(|| view! {
                        <button class="button jump" type="button" on:click=move |_| follow::jump(session)>
                            {Icon::Down.view()}
                            <span>{t(texts::jump_to_latest)}</span>
                        </button>
                    })
            }}
            <Composer session />
            {demo_model
                .then(|| view! {
                    <p class="demo">
                        <strong>{t(texts::demo_model)}</strong> ": " {t(texts::demo_model_help)}
                    </p>
                })}
        </div>
    }
}

/// Says that nothing can be booked at the moment, and why; nothing while everything can.
#[component]
fn PauseBanner(session: Session) -> impl IntoView {
    let reason = move || {
        session.status.with(|status| status.reason.as_deref().map(visible)).map(|reason| {
            view! { " " <bdi>{reason}</bdi> }
        })
    };
    view! {
        <div role="status">
            {move || {
                session.is_paused().then(|| view! {
                    <p class="notice paused" data-paused>
                        <strong>{t(texts::paused)}</strong> " " {t(texts::paused_body)} {reason}
                    </p>
                })
            }}
        </div>
    }
}

/// Says that the connection is gone; nothing while it is there.
#[component]
fn LinkBanner(session: Session) -> impl IntoView {
    let lang = use_lang();
    let words = move || match session.link.state.get() {
        LinkState::Idle | LinkState::Open | LinkState::Connecting => None,
        LinkState::Lost => Some(texts::reconnecting(lang.get())),
        LinkState::Offline => Some(texts::offline(lang.get())),
    };
    view! {
        <div class="link" role="status">
            {move || words().map(|words| view! { <p class="link__words">{words}</p> })}
        </div>
    }
}

#[component]
fn Welcome(session: Session) -> impl IntoView {
    let suggestions: [fn(Lang) -> &'static str; 7] = [
        texts::suggest_tables,
        texts::suggest_weather,
        texts::suggest_seafood,
        texts::suggest_two_cities,
        texts::suggest_bookings,
        texts::suggest_order,
        texts::suggest_refund,
    ];
    let lang = use_lang();
    let chips = suggestions
        .map(|suggestion| {
            view! {
                <li>
                    <button
                        class="chip"
                        type="button"
                        disabled=move || !session.ready.get() || session.busy()
                        on:click=move |_| session.send(suggestion(lang.get_untracked()).to_owned())
                    >
                        {t(suggestion)}
                    </button>
                </li>
            }
        })
        .into_iter()
        .collect::<Vec<_>>();
    view! {
        <section class="welcome">
            <h1 class="welcome__title">{t(texts::welcome_title)}</h1>
            <p class="welcome__body">{t(texts::welcome_body)}</p>
            <h2 class="welcome__subtitle">{t(texts::suggestions)}</h2>
            <ul class="welcome__chips">{chips}</ul>
        </section>
    }
}

#[component]
fn NotFound() -> impl IntoView {
    view! {
        <section class="welcome">
            <h1 class="welcome__title">{t(texts::not_found_title)}</h1>
            <p class="welcome__body">{t(texts::not_found_body)}</p>
            <p>
                <a class="button button--primary" href="/">
                    {t(texts::to_the_start)}
                </a>
            </p>
        </section>
    }
}
