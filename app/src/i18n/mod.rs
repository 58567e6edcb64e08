//! Vietnamese and English: every text, date and number that the page shows.
//!
//! Texts are functions of the language, so that a switch of the language is one signal. All formatting is
//! done here, in code that server and browser share, and never by the machine's own locale.

pub mod format;
pub mod texts;
pub mod words;

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A language that the page speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lang {
    #[default]
    Vi,
    En,
}

impl Lang {
    /// Both, in the order of the switch.
    pub const ALL: [Lang; 2] = [Lang::Vi, Lang::En];

    /// The tag for `<html lang>`, for `?lang=` and for the cookie.
    pub fn tag(self) -> &'static str {
        match self {
            Self::Vi => "vi",
            Self::En => "en",
        }
    }

    /// The language's own name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vi => "Tiếng Việt",
            Self::En => "English",
        }
    }

    /// Reads what [`Lang::tag`] writes.
    pub fn parse(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.tag() == tag)
    }
}

/// Keeps the page's language in the context.
#[derive(Clone, Copy)]
struct PageLang(RwSignal<Lang>);

/// Makes `lang` the language of everything below.
pub fn provide_lang(lang: RwSignal<Lang>) {
    provide_context(PageLang(lang));
}

/// The page's language, to be read where the text is.
pub fn use_lang() -> RwSignal<Lang> {
    use_context::<PageLang>().map_or_else(|| RwSignal::new(Lang::default()), |PageLang(lang)| lang)
}

/// A fixed text in the page's language.
pub fn t(text: fn(Lang) -> &'static str) -> impl Fn() -> &'static str + Copy + Send + Sync + 'static {
    let lang = use_lang();
    move || text(lang.get())
}

/// A text that is made of data, in the page's language. Boxed, since whatever draws a text is compiled once more
/// for each type of text.
pub fn by_lang<T: 'static>(text: impl Fn(Lang) -> T + Send + Sync + 'static) -> Words<T> {
    let lang = use_lang();
    Box::new(move || text(lang.get()))
}

/// A text that follows the page's language.
pub type Words<T> = Box<dyn Fn() -> T + Send + Sync>;

/// Text from outside as it may be shown: characters that are not seen but change how others are seen
/// (controls, bidirectional overrides and marks) become visible replacements.
pub fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        '\r' => ' ',
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}
