use std::collections::HashMap;

use serde_json::Value;

use super::answer::Answer;
use super::sent::{History, Sent};
use super::{
    AnthropicRule, ChatRule, Place, Protocol, ResponsesRule, Rule, Violation, anthropic, chat, responses,
};

/// Requests and their answers so far, to judge a further request by. It tells conversations apart by nothing but
/// what was said in them, so that one whose beginning has changed is no other conversation.
#[derive(Default)]
pub struct Record {
    /// What was answered to a history, by its number (see [`History::keys`]): several times, where it was asked
    /// again, or where two guests said the same.
    answers: HashMap<u64, Vec<Answer>>,
}

impl Record {
    /// A request was made and got these bytes.
    pub fn add(&mut self, sent: &Sent, answer: &[u8]) {
        let key = sent.history().and_then(|history| history.keys.last().copied());
        if let (Some(key), Some(answer)) = (key, Answer::read(sent.protocol, answer)) {
            self.answers.entry(key).or_default().push(answer);
        }
    }

    /// What a request breaks that comes after all of these. Whatever it says that the model has said, the model
    /// must have said to the very bytes that the request has before it, and what cannot be understood must be
    /// there as it came.
    pub fn check(&self, sent: &Sent) -> Vec<Violation> {
        let Some(history) = sent.history() else { return Vec::new() };
        let (prefix, kept) = match sent.protocol {
            Protocol::Anthropic => (
                Rule::Anthropic(AnthropicRule::PrefixChanged),
                Rule::Anthropic(AnthropicRule::ThinkingChanged),
            ),
            Protocol::Chat => (Rule::Chat(ChatRule::PrefixChanged), Rule::Chat(ChatRule::ReasoningDropped)),
            Protocol::Responses => (
                Rule::Responses(ResponsesRule::PrefixChanged),
                Rule::Responses(ResponsesRule::ReasoningChanged),
            ),
        };
        let mut found = Vec::new();
        for (from, end) in turns(&history) {
            let place = Place::Item(history.pieces[from].item);
            if !self.answers.contains_key(&history.keys[from]) {
                found.push(Violation { rule: prefix, place });
            } else if !self.was_said(sent.protocol, &history, from, end) {
                found.push(Violation { rule: kept, place });
            }
        }
        found
    }

    /// Whether the model has said these pieces, in one answer or in several: a paused one is sent back, and goes
    /// on where it ended.
    fn was_said(&self, protocol: Protocol, history: &History, mut from: usize, end: usize) -> bool {
        while from < end {
            let asked_on = (from + 1..end).find(|next| self.answers.contains_key(&history.keys[*next]));
            let next = asked_on.unwrap_or(end);
            let said: Vec<Value> =
                history.pieces[from..next].iter().map(|piece| piece.value.clone()).collect();
            let said = match protocol {
                Protocol::Anthropic => anthropic::kept(&said),
                Protocol::Chat => chat::kept(&said),
                Protocol::Responses => responses::kept(&said),
            };
            let answers = &self.answers[&history.keys[from]];
            if answers.iter().all(|answer| answer.kept != said) {
                return false;
            }
            from = next;
        }
        true
    }
}

/// Where the model speaks: from the first of its pieces to behind the last.
fn turns(history: &History) -> Vec<(usize, usize)> {
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for (at, _) in history.pieces.iter().enumerate().filter(|(_, piece)| piece.is_the_models) {
        match turns.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            Some(_) | None => turns.push((at, at + 1)),
        }
    }
    turns
}
