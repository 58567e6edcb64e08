//! What calls and tools are called on the wire, where a protocol does not take every text.

use std::collections::{HashMap, HashSet};

/// What each call is called on the wire: the provider's id where it can stand there, else ours. Ours inside,
/// always: a provider's id may be missing or come twice.
pub struct CallNames<'a> {
    fits: fn(&str) -> bool,
    own: fn(&str, u32) -> String,
    by_call: HashMap<&'a str, String>,
    taken: HashSet<String>,
}

impl<'a> CallNames<'a> {
    /// `fits`: what the protocol takes as an id. Ours must fit.
    pub fn new(fits: fn(&str) -> bool) -> Self {
        Self::shaped(fits, |call, _| call.to_owned())
    }

    /// Where ours do not fit: `own` makes one of ours into one that does, always the same; another one for each
    /// number, which counts up while the name is taken.
    pub fn shaped(fits: fn(&str) -> bool, own: fn(&str, u32) -> String) -> Self {
        Self { fits, own, by_call: HashMap::new(), taken: HashSet::new() }
    }

    /// Names a call. In the order of the history, so that a longer one gives the same names first.
    pub fn take(&mut self, provider_id: &str, call: &'a str) -> String {
        let usable = (self.fits)(provider_id) && !self.taken.contains(provider_id);
        let name = if usable {
            provider_id.to_owned()
        } else {
            let free = (0..100).map(|n| (self.own)(call, n)).find(|name| !self.taken.contains(name));
            free.unwrap_or_else(|| call.to_owned())
        };
        self.taken.insert(name.clone());
        self.by_call.insert(call, name.clone());
        name
    }

    /// The name of a call that was taken.
    pub fn of(&self, call: &str) -> String {
        self.by_call.get(call).map_or(call, String::as_str).to_owned()
    }
}

/// Tool names that a model made up are kept in the history as they came; one that the protocol does
/// not take would fail every later call. `longest`: in characters.
pub fn tool_name(name: &str, longest: usize) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).take(longest).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}
