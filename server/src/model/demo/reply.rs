//! One turn of the demo model, before it is put on the wire.

use std::borrow::Cow;

use serde::Serialize;
use shared::tools::Tool;

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// One of ours, or whatever a persona was told to call.
    pub name: Cow<'static, str>,
    /// As text: a persona may write it broken.
    pub arguments: String,
}

impl Call {
    pub fn of<T: Tool>(input: &T::Input) -> Self {
        Self { name: Cow::Borrowed(T::NAME), arguments: to_json(input) }
    }
}

/// JSON of one of our own types.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// How the turn ends on the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// With `tool_use` where something is called, else with `end_turn`.
    #[default]
    Proper,
    /// The stream ends in the middle of the last call's arguments.
    Cut,
    /// Nothing comes after the middle of the last call's arguments, and the stream stays open.
    Stalled,
    /// Complete, with `refusal`.
    Refused,
    /// Complete, with `max_tokens`.
    AtLimit,
}

impl Ending {
    /// Whether the last call's arguments stop in their middle.
    pub fn breaks_off(self) -> bool {
        match self {
            Self::Cut | Self::Stalled => true,
            Self::Proper | Self::Refused | Self::AtLimit => false,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Said before the calls; never empty text.
    pub text: Option<String>,
    pub calls: Vec<Call>,
    pub ending: Ending,
}

impl Reply {
    pub fn say(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    pub fn call(call: Call) -> Self {
        Self { calls: vec![call], ..Self::default() }
    }

    /// Adds all of another one; of two endings the one that is not proper counts.
    pub fn add(&mut self, other: Self) {
        if let Some(text) = other.text {
            self.also(text);
        }
        self.calls.extend(other.calls);
        match other.ending {
            Ending::Proper => {}
            Ending::Cut | Ending::Stalled | Ending::Refused | Ending::AtLimit => self.ending = other.ending,
        }
    }

    /// Adds a sentence.
    pub fn also(&mut self, sentence: String) {
        match &mut self.text {
            Some(text) => {
                text.push(' ');
                text.push_str(&sentence);
            }
            None => self.text = Some(sentence),
        }
    }
}
