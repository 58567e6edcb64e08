//! The document: what the server sends, and what the browser takes over.

use chrono::{DateTime, Utc};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
use shared::api::{ConversationSummary, Effects, HandoverOfRun, ServiceStatus};
use shared::ids::ConversationId;
use shared::reduce::Conversation;
use shared::wire::ByValue;

use crate::chat::{ChatPage, document_title};
use crate::i18n::{Lang, provide_lang, texts};

/// Everything that the page shows at first. The server gives it by context and writes it into the page, so
/// that the browser starts from the same.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct PageData {
    pub lang: Lang,
    /// None at `/`.
    pub conversation_id: Option<ConversationId>,
    /// As folded by the server.
    pub conversation: Conversation,
    /// Of the latest run, where it was sent to a person.
    pub handover: Option<HandoverOfRun>,
    /// The guest's own, newest first.
    pub conversations: Vec<ConversationSummary>,
    /// The replies come from the demo model, which the page says.
    pub demo_model: bool,
    /// Whether anything can be booked, and how to reach a person of the house.
    pub status: ServiceStatus,
    /// From `/?persona=…`, for the conversation that the first message begins.
    pub persona: Option<String>,
    /// For times that belong to no restaurant.
    pub time_zone_offset_minutes: i32,
    /// The server's clock at rendering; the page reads no other one while it renders.
    pub now: DateTime<Utc>,
    /// There is no such conversation for this guest.
    pub not_found: bool,
}

impl PageData {
    /// A page about nothing: where the server has given no data.
    fn absent() -> Self {
        Self {
            lang: Lang::default(),
            conversation_id: None,
            conversation: Conversation::default(),
            handover: None,
            conversations: Vec::new(),
            demo_model: false,
            status: ServiceStatus { effects: Effects::On, reason: None, contact: None },
            persona: None,
            time_zone_offset_minutes: 0,
            now: DateTime::UNIX_EPOCH,
            not_found: true,
        }
    }

    fn first_text(&self) -> String {
        let first = self.conversation.messages.first().and_then(|message| message.parts.first());
        match first {
            Some(shared::message::MessagePart::Text(text)) => text.clone(),
            Some(_) | None => String::new(),
        }
    }
}

/// The whole HTML document. On the server only; reads [`PageData`] from the context.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    let data = use_context::<PageData>().unwrap_or_else(PageData::absent);
    let lang = data.lang;
    // A child would bring a marker comment with it, which a title shows as text.
    let title = document_title(lang, &data.first_text()).replace('&', "&amp;").replace('<', "&lt;");
    let stylesheet = format!("/{}/{}.css", options.site_pkg_dir, options.output_name);
    view! {
        <!DOCTYPE html>
        <html lang=lang.tag()>
            <head>
                <meta charset="utf-8" />
                <meta
                    name="viewport"
                    content="width=device-width, initial-scale=1, interactive-widget=resizes-content"
                />
                <meta name="color-scheme" content="light dark" />
                <meta name="description" content=texts::page_description(lang) />
                <title inner_html=title></title>
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="stylesheet" href=stylesheet />
                <AutoReload options=options.clone() />
                <HydrationScripts options />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// The page's body, the same on server and browser.
#[component]
pub fn App() -> impl IntoView {
    let ByValue(data) =
        SharedValue::new(|| ByValue(use_context::<PageData>().unwrap_or_else(PageData::absent))).into_inner();
    provide_lang(RwSignal::new(data.lang));
    view! { <ChatPage data /> }
}
