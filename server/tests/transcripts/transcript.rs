//! The files, and what their heads say. A head is comment lines, which every reader of SSE skips:
//!
//! ```text
//! : What it is.
//! : evidence: where it was seen
//! : expect: tool-use, end-turn, … or: interrupted, unavailable, rejected, with words of the reason
//! : reasoning: what is shown as such        : text: what is in the turn as text
//! : shown: what is shown as text, where no turn is an answer
//! : call: its provider's id (-: none), its name, its arguments        : usage: 9 in, 4 out, 5 cached
//! ```

use std::fs;
use std::path::Path;

pub struct Transcript {
    pub name: String,
    pub text: String,
}

/// In the order of their names.
pub fn all(protocol: &str) -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(protocol);
    let mut all: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sse"))
        .map(|path| Transcript {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            text: fs::read_to_string(&path).expect("a text"),
        })
        .collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!all.is_empty(), "{}", folder.display());
    all
}

impl Transcript {
    /// The lines of the head that say what is to be read.
    pub fn expected(&self) -> Vec<String> {
        let head = self.text.trim_start_matches('\u{feff}').lines().take_while(|line| line.starts_with(':'));
        let lines: Vec<String> = head.map(|line| line.trim_start_matches(": ").to_owned()).collect();
        assert!(lines[1].starts_with("evidence: "), "{}", self.name);
        assert!(lines[2].starts_with("expect: "), "{}", self.name);
        lines[2..].to_vec()
    }
}

/// Where the first event that is as wanted ends, in bytes.
pub fn end_of_first(text: &str, line_end: &str, wanted: fn(&str) -> bool) -> Option<usize> {
    let blank = line_end.repeat(2);
    let mut end = 0;
    for event in text.split_inclusive(&blank) {
        end += event.len();
        let has = event
            .split(line_end)
            .any(|line| !line.trim_start_matches('\u{feff}').starts_with(':') && wanted(line));
        if has {
            return Some(end);
        }
    }
    None
}
