//! One turn of the demo model, before it is put on the wire.

use serde::Serialize;
use shared::tools::Tool;

#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub name: &'static str,
    /// As text: a persona may write it broken.
    pub arguments: String,
}

impl Call {
    pub fn of<T: Tool>(input: &T::Input) -> Self {
        Self { name: T::NAME, arguments: to_json(input) }
    }
}

/// JSON of one of our own types.
pub fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Said before the calls; never empty text.
    pub text: Option<String>,
    pub calls: Vec<Call>,
    /// The stream ends in the middle of the last call's arguments.
    pub cut: bool,
}

impl Reply {
    pub fn say(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
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
