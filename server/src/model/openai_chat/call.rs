//! One tool call on its way.

use serde_json::Value;
use shared::ids::ToolCallId;

use super::extent::{Brackets, Extent};
use crate::model::ModelEvent;

/// Bytes of one call's arguments.
const LONGEST_ARGUMENTS: usize = 1024 * 1024;

pub struct Call {
    pub tool_call_id: ToolCallId,
    /// The first that came; empty: none yet.
    pub provider_id: String,
    pub index: Option<u64>,
    /// Empty: none yet.
    pub name: String,
    /// Put together from several fragments: it counts only if there is such a tool.
    pub is_name_in_pieces: bool,
    pub arguments: String,
    brackets: Brackets,
    /// What its provider wants back with it, such as Gemini's thought signatures.
    pub extra_content: Option<Value>,
    is_announced: bool,
    /// Bytes of the arguments that were shown.
    shown: usize,
}

/// What a fragment brings of the arguments.
pub enum Arguments {
    Text(String),
    /// All of them, as an object in place of its text.
    Object(String),
}

impl Arguments {
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Object(text) => text,
        }
    }
}

/// One element of `tool_calls`.
pub struct Fragment {
    pub index: Option<u64>,
    pub id: Option<String>,
    pub name: Option<String>,
    pub arguments: Arguments,
    pub extra_content: Option<Value>,
}

#[derive(Debug, thiserror::Error)]
pub enum BadFragment {
    #[error("the arguments of a call are longer than {LONGEST_ARGUMENTS} bytes")]
    TooLong,
    #[error("an object came where a part of the arguments' text was due")]
    ObjectInText,
    #[error("a call changed its name after it was shown")]
    Renamed,
}

impl Call {
    pub fn new(tool_call_id: ToolCallId) -> Self {
        Self {
            tool_call_id,
            provider_id: String::new(),
            index: None,
            name: String::new(),
            is_name_in_pieces: false,
            arguments: String::new(),
            brackets: Brackets::default(),
            extra_content: None,
            is_announced: false,
            shown: 0,
        }
    }

    pub fn extent(&self) -> Extent {
        self.brackets.extent()
    }

    /// Takes a fragment that was found to be of this call.
    pub fn add(&mut self, fragment: Fragment) -> Result<(), BadFragment> {
        if let Some(id) = fragment.id.filter(|_| self.provider_id.is_empty()) {
            self.provider_id = id;
        }
        self.index = self.index.or(fragment.index);
        // A name that comes again is the same name: assigned, not appended.
        if let Some(name) = fragment.name.filter(|name| *name != self.name) {
            if self.is_announced {
                return Err(BadFragment::Renamed);
            }
            self.is_name_in_pieces |= !self.name.is_empty();
            self.name.push_str(&name);
        }
        self.extra_content = fragment.extra_content.or(self.extra_content.take());
        match &fragment.arguments {
            Arguments::Object(_) if self.extent() != Extent::Blank => return Err(BadFragment::ObjectInText),
            Arguments::Object(text) | Arguments::Text(text) => {
                if self.arguments.len() + text.len() > LONGEST_ARGUMENTS {
                    return Err(BadFragment::TooLong);
                }
                self.brackets.add(text);
                self.arguments.push_str(text);
            }
        }
        Ok(())
    }

    /// Shows what came, once the name is sure: when arguments have begun, or when nothing more comes.
    pub fn show(&mut self, is_over: bool, shown: &mut Vec<ModelEvent>) {
        let is_sure = is_over || self.extent() != Extent::Blank;
        if self.name.is_empty() || !is_sure {
            return;
        }
        let tool_call_id = || self.tool_call_id.clone();
        if !self.is_announced {
            shown.push(ModelEvent::ToolInputStart { tool_call_id: tool_call_id(), name: self.name.clone() });
            self.is_announced = true;
        }
        let delta = &self.arguments[self.shown..];
        if !delta.is_empty() {
            shown.push(ModelEvent::ToolInputDelta { tool_call_id: tool_call_id(), delta: delta.to_owned() });
            self.shown = self.arguments.len();
        }
    }
}
