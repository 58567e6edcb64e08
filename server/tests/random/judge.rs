//! Everything that may be the case, after what was seen.

use std::collections::BTreeSet;

use super::reference::{Answer, CallKey, Reference, Told};

/// The states of the reference that explain all that was seen so far.
#[derive(Clone)]
pub struct Judge {
    possible: BTreeSet<Reference>,
}

/// What came of a request: an answer, or none because the server died.
pub type Seen = Option<Answer>;

impl Judge {
    pub fn new() -> Self {
        Self { possible: BTreeSet::from([Reference::new()]) }
    }

    pub fn possible(&self) -> &BTreeSet<Reference> {
        &self.possible
    }

    /// One request, and what came of it.
    pub fn saw(&mut self, told: &Told, seen: &Seen) -> Result<(), String> {
        let before = self.closed();
        let possible = after(&before, told, seen);
        if possible.is_empty() {
            return Err(unexplained(told, seen, &before));
        }
        self.possible = possible;
        Ok(())
    }

    /// Two requests at the same time: either came first.
    pub fn saw_both(&mut self, one: (&Told, &Seen), other: (&Told, &Seen)) -> Result<(), String> {
        let before = self.closed();
        let in_order = |(first, second): ((&Told, &Seen), (&Told, &Seen))| {
            after(&closed(after(&before, first.0, first.1)), second.0, second.1)
        };
        let mut possible = in_order((one, other));
        possible.extend(in_order((other, one)));
        if possible.is_empty() {
            let both = [one, other].map(|(told, seen)| unexplained(told, seen, &before));
            return Err(format!("at the same time:\n{}\n{}", both[0], both[1]));
        }
        self.possible = possible;
        Ok(())
    }

    /// The run of a conversation is not at work, and its page looks like this.
    pub fn saw_settled(&mut self, conversation: usize, screen: &[String]) -> Result<(), String> {
        let before = self.closed();
        let fits = |state: &&Reference| !state.is_live(conversation) && state.screen(conversation) == screen;
        let possible: BTreeSet<Reference> = before.iter().filter(fits).cloned().collect();
        if possible.is_empty() {
            let could: BTreeSet<Vec<String>> = before
                .iter()
                .filter(|state| !state.is_live(conversation))
                .map(|state| state.screen(conversation))
                .collect();
            return Err(format!("conversation {conversation} shows {screen:?}; could be one of {could:#?}"));
        }
        self.possible = possible;
        Ok(())
    }

    /// The run of a conversation is not at work.
    pub fn saw_ended(&mut self, conversation: usize) -> Result<(), String> {
        let possible: BTreeSet<Reference> =
            self.closed().into_iter().filter(|state| !state.is_live(conversation)).collect();
        if possible.is_empty() {
            return Err(format!("the run of conversation {conversation} cannot have ended"));
        }
        self.possible = possible;
        Ok(())
    }

    pub fn saw_booking(&mut self, by: CallKey) -> Result<(), String> {
        let possible: BTreeSet<Reference> =
            self.closed().into_iter().filter(|state| state.has_booking(by)).collect();
        if possible.is_empty() {
            return Err(format!("there is a booking of call {by:?}, and none is to be"));
        }
        self.possible = possible;
        Ok(())
    }

    pub fn let_time_pass(&mut self, conversation: usize) {
        let mut possible = self.closed();
        self.possible = std::mem::take(&mut possible)
            .into_iter()
            .map(|mut state| {
                state.let_time_pass(conversation);
                state
            })
            .collect();
    }

    fn closed(&self) -> BTreeSet<Reference> {
        closed(self.possible.clone())
    }
}

/// With all that may have happened since.
fn closed(mut states: BTreeSet<Reference>) -> BTreeSet<Reference> {
    let mut new: Vec<Reference> = states.iter().cloned().collect();
    while let Some(state) = new.pop() {
        for next in state.next() {
            if states.insert(next.clone()) {
                new.push(next);
            }
        }
    }
    states
}

fn after(before: &BTreeSet<Reference>, told: &Told, seen: &Seen) -> BTreeSet<Reference> {
    let mut possible = BTreeSet::new();
    for state in before {
        let (next, answer) = state.clone().told(told);
        match seen {
            Some(seen) if *seen == answer => {
                possible.insert(next);
            }
            Some(_) => {}
            // Nobody knows whether it came through.
            None => {
                possible.insert(state.clone());
                possible.insert(next);
            }
        }
    }
    possible
}

fn unexplained(told: &Told, seen: &Seen, before: &BTreeSet<Reference>) -> String {
    let could: BTreeSet<String> = before.iter().map(|state| state.clone().told(told).1.to_string()).collect();
    let seen = seen.as_ref().map_or("no answer".to_owned(), Answer::to_string);
    format!("{told:?} was answered {seen:?}; could be one of {could:?}")
}
