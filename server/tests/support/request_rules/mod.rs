//! The rules by which providers refuse a request. Written from their documentation, and from nothing of the
//! adapters that they judge: what both had wrong would be right for both.

mod answer;
mod anthropic;
mod chat;
mod names;
mod record;
mod responses;
mod sent;
mod strict_schema;
mod watch;

use std::fmt;

pub use anthropic::AnthropicRule;
pub use chat::ChatRule;
pub use record::Record;
pub use responses::ResponsesRule;
pub use sent::Sent;
pub use watch::{Scope, Watch};

/// An enum of rules, each with its sentence.
macro_rules! rules {
    ($(#[$about:meta])* $name:ident { $($rule:ident: $sentence:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $sentence] $rule,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$rule,)+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self {
                    $(Self::$rule => $sentence,)+
                })
            }
        }
    };
}
pub(self) use rules;

/// What a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions, and what says that it speaks them.
    Chat,
    /// OpenAI's Responses API.
    Responses,
}

impl Protocol {
    pub const ALL: [Self; 3] = [Self::Anthropic, Self::Chat, Self::Responses];

    /// The one whose calls go to this path; none where it is no call of a model.
    pub fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| path.ends_with(protocol.path()))
    }

    /// The end of every base URL's path.
    fn path(self) -> &'static str {
        match self {
            Self::Anthropic => "/messages",
            Self::Chat => "/chat/completions",
            Self::Responses => "/responses",
        }
    }
}

/// A rule of one of the protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    Anthropic(AnthropicRule),
    Chat(ChatRule),
    Responses(ResponsesRule),
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Anthropic(rule) => write!(f, "Messages API: {rule}"),
            Self::Chat(rule) => write!(f, "Chat Completions: {rule}"),
            Self::Responses(rule) => write!(f, "Responses API: {rule}"),
        }
    }
}

/// Where in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Whole,
    /// Of `tools`, from 0.
    Tool(usize),
    /// Of `messages` or `input`, from 0.
    Item(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("the request"),
            Self::Tool(index) => write!(f, "tool {index}"),
            Self::Item(index) => write!(f, "item {index} of the history"),
        }
    }
}

/// A rule that a request breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation<R = Rule> {
    pub rule: R,
    pub place: Place,
}

impl<R: fmt::Display> fmt::Display for Violation<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.rule, self.place)
    }
}

/// What a request breaks by itself, whatever came before it.
pub fn check(sent: &Sent) -> Vec<Violation> {
    fn of<R>(found: Vec<Violation<R>>, rule: fn(R) -> Rule) -> Vec<Violation> {
        found.into_iter().map(|found| Violation { rule: rule(found.rule), place: found.place }).collect()
    }
    match sent.protocol {
        Protocol::Anthropic => of(anthropic::check(sent), Rule::Anthropic),
        Protocol::Chat => of(chat::check(sent), Rule::Chat),
        Protocol::Responses => of(responses::check(sent), Rule::Responses),
    }
}

/// The violations of one request, as they are found.
struct Found<R>(Vec<Violation<R>>);

impl<R> Found<R> {
    fn new() -> Self {
        Self(Vec::new())
    }

    /// Breaks the rule here, where it is broken.
    fn note(&mut self, broken: bool, rule: R, place: Place) {
        if broken {
            self.0.push(Violation { rule, place });
        }
    }
}
