//! The anatomy that every card shares: icon, title, state in words and shape, body, provenance.

use leptos::prelude::*;
use shared::tool_call::StateName;

use super::icons::Icon;
use crate::i18n::{Lang, texts, words};

/// How a state is to be felt; its words and its shape say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Working,
    Waiting,
    Done,
    Failed,
    Declined,
    Cancelled,
    Repeated,
    Unknown,
}

impl Tone {
    /// The tone of a state that has nothing to add to it.
    pub fn of(state: StateName) -> Self {
        match state {
            StateName::InputStreaming | StateName::InputAvailable | StateName::ApprovalResponded => {
                Self::Working
            }
            StateName::ApprovalRequested => Self::Waiting,
            StateName::OutputAvailable => Self::Done,
            StateName::OutputError => Self::Failed,
            StateName::OutputDenied => Self::Declined,
            StateName::OutputCancelled => Self::Cancelled,
            StateName::OutputUnknown => Self::Unknown,
        }
    }

    /// For the style sheet.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Waiting => "waiting",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Repeated => "repeated",
            Self::Unknown => "unknown",
        }
    }

    fn shape(self) -> Icon {
        match self {
            Self::Working => Icon::Ring,
            Self::Waiting => Icon::Hourglass,
            Self::Done => Icon::Check,
            Self::Failed => Icon::Warning,
            Self::Declined => Icon::Minus,
            Self::Cancelled => Icon::Slash,
            Self::Repeated => Icon::Again,
            Self::Unknown => Icon::Question,
        }
    }
}

/// The head of a card: what it is about and how it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    pub icon: Icon,
    pub tone: Tone,
    pub title: String,
    /// The state in words.
    pub badge: &'static str,
    /// What else must be seen at once: where the data comes from, that it has changed since.
    pub marks: Vec<&'static str>,
}

impl Face {
    /// A head whose tone and badge follow from the state alone.
    pub fn plain(lang: Lang, icon: Icon, state: StateName, title: impl Into<String>) -> Self {
        Self {
            icon,
            tone: Tone::of(state),
            title: title.into(),
            badge: words::state(lang, state),
            marks: Vec::new(),
        }
    }

    /// The head of a call that points to an earlier one.
    pub fn repeated(lang: Lang, icon: Icon, title: impl Into<String>) -> Self {
        Self {
            icon,
            tone: Tone::Repeated,
            title: title.into(),
            badge: texts::state_repeated(lang),
            marks: Vec::new(),
        }
    }

    /// Adds that the world moved on after the output, where it did.
    pub fn changed_since(mut self, lang: Lang, revision: Option<u64>) -> Self {
        self.marks.extend(revision.map(|_| texts::changed_since(lang)));
        self
    }

    /// The head in one sentence, for the live region.
    pub fn announcement(&self) -> String {
        format!("{}: {}.", self.title, self.badge)
    }
}

/// The state in words and shape.
pub fn badge(tone: Tone, text: &'static str) -> AnyView {
    view! { <span class="badge" data-tone=tone.as_str()>{tone.shape().view()} <span>{text}</span></span> }
        .into_any()
}

/// The line that says where a card's content comes from.
pub fn provenance(text: fn(Lang) -> &'static str) -> AnyView {
    view! { <p class="card__provenance">{crate::i18n::t(text)}</p> }.into_any()
}

/// One fact of a list: its name and its value.
pub fn fact(name: fn(Lang) -> &'static str, value: impl IntoView + 'static) -> AnyView {
    view! {
        <div class="fact">
            <dt>{crate::i18n::t(name)}</dt>
            <dd>{value}</dd>
        </div>
    }
    .into_any()
}

/// One fact whose value may not be known yet: a place of the same height is kept for it.
pub fn fact_or_gap(name: fn(Lang) -> &'static str, value: Option<String>) -> AnyView {
    match value {
        Some(value) => fact(name, view! { <bdi>{value}</bdi> }),
        None => fact(
            name,
            view! {
                <span class="gap"></span>
                <span class="visually-hidden">{crate::i18n::t(texts::not_known_yet)}</span>
            },
        ),
    }
}
