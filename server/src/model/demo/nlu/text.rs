//! A guest's text as tokens, and a small pattern language over them.
//!
//! A pattern is words with blanks between: `|` parts alternatives, a trailing `?` makes one optional,
//! `#` is a number in digits or words, `##` one in digits; a leading `=` wants the marks unless the
//! whole text goes without, a leading `!` always wants them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use unicode_normalization::UnicodeNormalization;

use super::word::{Strictness, Word};

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Word(Word),
    /// `digits`: how many were written.
    Number {
        value: u32,
        digits: usize,
    },
    Mark(char),
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    /// Byte range in the source.
    pub start: usize,
    pub end: usize,
    /// Nothing between it and the token before.
    pub glued: bool,
    /// A word that begins with a capital.
    pub capital: bool,
    /// The first word of the text or of a sentence.
    pub opens: bool,
    /// Some slot has been read from it.
    pub taken: bool,
}

pub struct Text {
    pub source: String,
    pub tokens: Vec<Token>,
    /// Written with Vietnamese marks, at least in part.
    pub marked: bool,
    /// Written in capitals throughout: they say nothing then.
    pub shouted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    pub start: usize,
    pub end: usize,
    pub numbers: Vec<u32>,
}

impl Text {
    pub fn new(raw: &str) -> Self {
        let source: String =
            raw.nfc().filter(|c| !matches!(c, '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}')).collect();
        let mut tokens: Vec<Token> = Vec::new();
        let mut rest = source.char_indices().peekable();
        let mut opens = true;
        while let Some((start, first)) = rest.next() {
            if first.is_whitespace() {
                opens |= first == '\n';
                continue;
            }
            let mut end = start + first.len_utf8();
            let mut take_while = |wanted: &dyn Fn(char, Option<char>) -> bool| {
                while let Some(&(at, c)) = rest.peek() {
                    let after = source[at + c.len_utf8()..].chars().next();
                    if !wanted(c, after) {
                        break;
                    }
                    end = at + c.len_utf8();
                    rest.next();
                }
            };
            let kind = if first.is_ascii_digit() {
                take_while(&|c, _| c.is_ascii_digit());
                let digits = &source[start..end];
                Kind::Number { value: digits.parse().unwrap_or(u32::MAX), digits: digits.len() }
            } else if is_letter(first) {
                take_while(&|c, after| {
                    is_letter(c) || matches!(c, '\'' | '’') && after.is_some_and(is_letter)
                });
                let letters: String =
                    source[start..end].chars().filter(|c| !matches!(c, '\'' | '’')).collect();
                Kind::Word(Word::new(&letters))
            } else {
                Kind::Mark(match first {
                    '–' | '—' | '−' | '‑' => '-',
                    '：' => ':',
                    '，' => ',',
                    '“' | '”' | '«' | '»' => '"',
                    other => other,
                })
            };
            let is_word = matches!(kind, Kind::Word(_));
            let ends_sentence = matches!(kind, Kind::Mark('.' | '?' | '!' | ';'));
            tokens.push(Token {
                capital: is_word && first.is_uppercase(),
                opens: is_word && opens,
                glued: tokens.last().is_some_and(|before| before.end == start),
                kind,
                start,
                end,
                taken: false,
            });
            opens = ends_sentence;
        }
        let words = || tokens.iter().filter_map(|token| token.word());
        let marked = words().any(Word::is_marked);
        let shouted = source.chars().filter(|c| c.is_uppercase()).count() > 3
            && !source.chars().any(char::is_lowercase);
        Self { marked, shouted, source, tokens }
    }

    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    pub fn take(&mut self, start: usize, end: usize) {
        for token in &mut self.tokens[start..end] {
            token.taken = true;
        }
    }

    pub fn is_taken(&self, start: usize, end: usize) -> bool {
        self.tokens[start..end].iter().any(|token| token.taken)
    }

    /// Whether the token there is one of the pattern's words.
    pub fn is(&self, at: Option<usize>, element: &'static str) -> bool {
        at.is_some_and(|at| {
            let pattern = Pattern::of(element);
            pattern.0.first().is_some_and(|element| self.element_at(at, element).is_some())
        })
    }

    /// Whether the pattern ends just before `at`.
    pub fn follows(&self, at: usize, patterns: &[&'static str]) -> bool {
        let longest = at.min(6);
        patterns.iter().any(|pattern| {
            let pattern = Pattern::of(pattern);
            (1..=longest).any(|n| self.matched(at - n, at, &pattern.0).is_some_and(|(end, _)| end == at))
        })
    }

    pub fn match_at(&self, at: usize, pattern: &'static str) -> Option<Match> {
        let (end, numbers) = self.matched(at, self.len(), &Pattern::of(pattern).0)?;
        Some(Match { start: at, end, numbers })
    }

    /// The longest of the patterns at `at`.
    pub fn any_at(&self, at: usize, patterns: &[&'static str]) -> Option<Match> {
        patterns.iter().filter_map(|pattern| self.match_at(at, pattern)).max_by_key(|found| found.end)
    }

    /// Every place where one of the patterns stands, also where a slot has been read.
    pub fn every(&self, patterns: &[&'static str]) -> Vec<Match> {
        let mut found: Vec<Match> = Vec::new();
        for pattern in patterns {
            let pattern = Pattern::of(pattern);
            for start in 0..self.len() {
                if let Some((end, numbers)) = self.matched(start, self.len(), &pattern.0) {
                    found.push(Match { start, end, numbers });
                }
            }
        }
        found.sort_by_key(|m| (m.start, usize::MAX - m.end));
        found.dedup_by_key(|m| m.start);
        found
    }

    /// As [`Text::every`], of what no slot has been read from yet.
    pub fn every_free(&self, patterns: &[&'static str]) -> Vec<Match> {
        let mut found = self.every(patterns);
        found.retain(|m| !self.is_taken(m.start, m.end));
        found
    }

    pub fn has(&self, patterns: &[&'static str]) -> bool {
        !self.every(patterns).is_empty()
    }

    pub fn has_free(&self, patterns: &[&'static str]) -> bool {
        !self.every_free(patterns).is_empty()
    }

    /// Whether the pattern stands somewhere between two tokens.
    pub fn has_in(&self, start: usize, end: usize, pattern: &'static str) -> bool {
        self.every(&[pattern]).iter().any(|found| found.start >= start && found.end <= end)
    }

    /// What the guest wrote from token `start` up to token `end`.
    pub fn words(&self, start: usize, end: usize) -> &str {
        if start >= end {
            return "";
        }
        &self.source[self.tokens[start].start..self.tokens[end - 1].end]
    }

    /// As far as `limit`: the end, and the numbers.
    fn matched(&self, at: usize, limit: usize, elements: &[Element]) -> Option<(usize, Vec<u32>)> {
        let Some((first, rest)) = elements.split_first() else { return Some((at, Vec::new())) };
        if let Some((next, number)) = self.element_at(at, first)
            && next <= limit
            && let Some((end, mut numbers)) = self.matched(next, limit, rest)
        {
            numbers.splice(0..0, number);
            return Some((end, numbers));
        }
        if first.optional { self.matched(at, limit, rest) } else { None }
    }

    fn element_at(&self, at: usize, element: &Element) -> Option<(usize, Option<u32>)> {
        let token = self.tokens.get(at)?;
        element.alternatives.iter().find_map(|wanted| match (wanted, &token.kind) {
            (Wanted::Word(wanted, how), Kind::Word(said)) => {
                said.means(wanted, *how, self.marked).then_some((at + 1, None))
            }
            (Wanted::Mark(wanted), Kind::Mark(said)) => (wanted == said).then_some((at + 1, None)),
            (Wanted::Value(wanted), Kind::Number { value, .. }) => {
                (wanted == value).then_some((at + 1, None))
            }
            (Wanted::Digits, Kind::Number { value, .. }) => Some((at + 1, Some(*value))),
            (Wanted::Number, _) => self.number_at(at).map(|(value, next)| (next, Some(value))),
            (
                Wanted::Word(..) | Wanted::Mark(_) | Wanted::Value(_) | Wanted::Digits,
                Kind::Word(_) | Kind::Number { .. } | Kind::Mark(_),
            ) => None,
        })
    }
}

impl Token {
    pub fn word(&self) -> Option<&Word> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            Kind::Number { .. } | Kind::Mark(_) => None,
        }
    }

    pub fn mark(&self) -> Option<char> {
        match self.kind {
            Kind::Mark(mark) => Some(mark),
            Kind::Number { .. } | Kind::Word(_) => None,
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || unicode_normalization::char::is_combining_mark(c)
}

enum Wanted {
    Word(Word, Strictness),
    Mark(char),
    Value(u32),
    Digits,
    Number,
}

struct Element {
    alternatives: Vec<Wanted>,
    optional: bool,
}

impl Element {
    fn new(text: &str) -> Self {
        let (text, optional) = match text.strip_suffix('?') {
            Some(rest) if !rest.is_empty() => (rest, true),
            _ => (text, false),
        };
        let alternatives = text.split('|').map(Wanted::new).collect();
        Self { alternatives, optional }
    }
}

impl Wanted {
    fn new(text: &str) -> Self {
        if text == "#" {
            return Self::Number;
        }
        if text == "##" {
            return Self::Digits;
        }
        if let Ok(value) = text.parse() {
            return Self::Value(value);
        }
        let mut chars = text.chars();
        if let (Some(mark), None) = (chars.next(), chars.next())
            && !is_letter(mark)
        {
            return Self::Mark(mark);
        }
        if let Some(word) = text.strip_prefix('=') {
            Self::Word(Word::new(word), Strictness::BareTextOnly)
        } else if let Some(word) = text.strip_prefix('!') {
            Self::Word(Word::new(word), Strictness::Exact)
        } else {
            Self::Word(Word::new(text), Strictness::Lenient)
        }
    }
}

struct Pattern(Vec<Element>);

thread_local! {
    /// Every pattern is a literal: each is read once a thread.
    static PATTERNS: RefCell<HashMap<&'static str, Rc<Pattern>>> = RefCell::new(HashMap::new());
}

impl Pattern {
    fn of(text: &'static str) -> Rc<Self> {
        let read = || Rc::new(Self(text.split_whitespace().map(Element::new).collect()));
        PATTERNS.with_borrow_mut(|patterns| patterns.entry(text).or_insert_with(read).clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_split_digits_letters_and_marks() {
        let text = Text::new("7h30, don't 2026-12-05 t7!");
        let said: Vec<&str> = (0..text.len()).map(|i| text.words(i, i + 1)).collect();
        assert_eq!(said, ["7", "h", "30", ",", "don't", "2026", "-", "12", "-", "05", "t", "7", "!"]);
        assert!(text.tokens[1].glued && !text.tokens[4].glued);
        assert!(text.has(&["dont"]));
    }

    #[test]
    fn patterns_match() {
        let text = Text::new("trong hai ngày nữa");
        let found = text.match_at(0, "trong? # ngày nữa");
        assert_eq!(found, Some(Match { start: 0, end: 4, numbers: vec![2] }));
        assert_eq!(text.match_at(1, "trong? # ngày nữa").map(|m| m.end), Some(4));
        assert!(text.has(&["tuần|ngày nữa"]));
        assert!(!text.has(&["tuần nữa"]));
        assert!(text.follows(3, &["# ngày"]));
        assert!(!text.follows(2, &["# ngày"]));
        assert!(text.follows(2, &["trong # ngày?"]), "what comes after does not count");
    }

    #[test]
    fn hostile_text_is_only_text() {
        for odd in ["", " ", "\u{301}", "\u{301}\u{301}a", "’", "🙂🙂", "a\u{0}b", "99999999999999999999"]
        {
            let text = Text::new(odd);
            assert!(!text.has(&["đặt bàn"]), "{odd:?}");
        }
    }
}
