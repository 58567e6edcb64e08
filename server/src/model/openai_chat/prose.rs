//! The text of an answer: what of it is thinking, what is an answer, and what must not be shown as one.

use super::written_calls::{find, is_json_call, longest_beginning, may_be_json, undecided};
use crate::model::ModelEvent;

const THINK: &str = "<think>";
const END_OF_THINKING: &str = "</think>";

/// Bytes of white space before `<think>`.
const LONGEST_HEAD: usize = 256;

#[derive(Clone, Copy, PartialEq)]
enum Where {
    /// White space, or a part of `<think>`.
    Head,
    Thinking,
    /// White space between thinking and answer.
    Gap,
    Answer,
    /// Begins like JSON: whether it is a call written as text is known at its end.
    Json,
    /// A call written as text: nothing more is shown.
    Call,
}

pub struct Prose {
    at: Where,
    /// What came and is not told apart yet.
    held: String,
    /// From the head of the text to the end of its thinking, verbatim.
    think: String,
    answer: String,
}

impl Default for Prose {
    fn default() -> Self {
        Self { at: Where::Head, held: String::new(), think: String::new(), answer: String::new() }
    }
}

impl Prose {
    pub fn add(&mut self, text: &str, shown: &mut Vec<ModelEvent>) {
        self.held.push_str(text);
        while self.step(shown) {}
    }

    /// Nothing more comes. True: the answer is, or holds, a call written as text.
    pub fn finish(&mut self, is_offered: impl Fn(&str) -> bool, shown: &mut Vec<ModelEvent>) -> bool {
        let held = std::mem::take(&mut self.held);
        match self.at {
            Where::Head | Where::Gap | Where::Answer => self.answer(held, shown),
            Where::Thinking => self.think(held, shown),
            Where::Json if find(&held).is_some() || is_json_call(&held, is_offered) => self.at = Where::Call,
            Where::Json => self.answer(held, shown),
            Where::Call => {}
        }
        self.at == Where::Call
    }

    /// Empty: there was none.
    pub fn take_think(&mut self) -> String {
        std::mem::take(&mut self.think)
    }

    pub fn take_answer(&mut self) -> String {
        std::mem::take(&mut self.answer)
    }

    /// True: there is more to tell apart.
    fn step(&mut self, shown: &mut Vec<ModelEvent>) -> bool {
        match self.at {
            Where::Head => {
                let begun = self.held.trim_start();
                if begun.starts_with(THINK) {
                    let mark = self.held.len() - begun.len() + THINK.len();
                    self.think.extend(self.held.drain(..mark));
                    self.at = Where::Thinking;
                } else if THINK.starts_with(begun) && self.held.len() < LONGEST_HEAD {
                    return false;
                } else {
                    self.at = begins(&self.held);
                }
                true
            }
            Where::Thinking => match self.held.find(END_OF_THINKING) {
                Some(end) => {
                    let thought = self.held.drain(..end).collect();
                    self.think(thought, shown);
                    self.think.extend(self.held.drain(..END_OF_THINKING.len()));
                    self.at = Where::Gap;
                    true
                }
                None => {
                    let sure = self.held.len() - longest_beginning(&self.held, &[END_OF_THINKING]);
                    let thought = self.held.drain(..sure).collect();
                    self.think(thought, shown);
                    false
                }
            },
            Where::Gap => {
                let gap = self.held.len() - self.held.trim_start().len();
                self.think.extend(self.held.drain(..gap));
                if self.held.is_empty() {
                    return false;
                }
                self.at = begins(&self.held);
                true
            }
            Where::Answer => {
                let (sure, is_call) = match find(&self.held) {
                    Some(call) => (call, true),
                    None => (self.held.len() - undecided(&self.held), false),
                };
                let text = self.held.drain(..sure).collect();
                self.answer(text, shown);
                if is_call {
                    self.at = Where::Call;
                    self.held.clear();
                }
                false
            }
            Where::Json => false,
            Where::Call => {
                self.held.clear();
                false
            }
        }
    }

    fn think(&mut self, text: String, shown: &mut Vec<ModelEvent>) {
        self.think.push_str(&text);
        if !text.is_empty() {
            shown.push(ModelEvent::ReasoningDelta(text));
        }
    }

    fn answer(&mut self, text: String, shown: &mut Vec<ModelEvent>) {
        self.answer.push_str(&text);
        if !text.is_empty() {
            shown.push(ModelEvent::TextDelta(text));
        }
    }
}

fn begins(text: &str) -> Where {
    if may_be_json(text) { Where::Json } else { Where::Answer }
}
