//! Numbers in digits and in words, Vietnamese and English.

use std::sync::LazyLock;

use super::text::{Kind, Text};
use super::word::{Strictness, Word};

const UNITS: [(&str, u32); 33] = [
    ("một", 1),
    ("hai", 2),
    ("ba", 3),
    ("bốn", 4),
    ("năm", 5),
    ("sáu", 6),
    ("bảy", 7),
    ("bẩy", 7),
    ("tám", 8),
    ("chín", 9),
    ("mười", 10),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
];
const FIFTY: (&str, u32) = ("fifty", 50);
/// After `mươi` or `mười`.
const ENDINGS: [(&str, u32); 4] = [("mốt", 1), ("tư", 4), ("lăm", 5), ("nhăm", 5)];

static UNIT_WORDS: LazyLock<Vec<(Word, u32)>> =
    LazyLock::new(|| UNITS.iter().chain([&FIFTY]).map(|(word, n)| (Word::new(word), *n)).collect());
static ENDING_WORDS: LazyLock<Vec<(Word, u32)>> =
    LazyLock::new(|| ENDINGS.iter().map(|(word, n)| (Word::new(word), *n)).collect());

impl Text {
    /// The number that begins at a token, and the token after it.
    pub fn number_at(&self, at: usize) -> Option<(u32, usize)> {
        if let Kind::Number { value, .. } = self.tokens.get(at)?.kind {
            return Some((value, at + 1));
        }
        let first = self.unit_at(at, &UNIT_WORDS)?;
        let unit_after = |at: usize| self.unit_at(at, &UNIT_WORDS).filter(|unit| (1..=9).contains(unit));
        let ending = |at: usize| {
            let spelled = self.unit_at(at, &ENDING_WORDS);
            spelled.or_else(|| unit_after(at).filter(|_| !self.is(Some(at), "one|two|three|four|five")))
        };
        if (1..=9).contains(&first) && self.is(Some(at + 1), "mươi") {
            return Some(match ending(at + 2) {
                Some(unit) => (first * 10 + unit, at + 3),
                None => (first * 10, at + 2),
            });
        }
        if first == 10 && self.is(Some(at), "mười") {
            return Some(match ending(at + 1) {
                Some(unit) => (10 + unit, at + 2),
                None => (10, at + 1),
            });
        }
        if matches!(first, 20 | 30 | 40 | 50) {
            let unit_at = if self.is(Some(at + 1), "-") { at + 2 } else { at + 1 };
            if let Some(unit) = unit_after(unit_at) {
                return Some((first + unit, unit_at + 1));
            }
        }
        Some((first, at + 1))
    }

    fn unit_at(&self, at: usize, words: &[(Word, u32)]) -> Option<u32> {
        let said = self.tokens.get(at)?.word()?;
        words
            .iter()
            .find(|(word, _)| said.means(word, Strictness::BareTextOnly, self.marked))
            .map(|(_, value)| *value)
    }
}

/// `first` to `thirty-first`, as a day or a place in a list.
pub const ORDINALS: [(&str, u32); 21] = [
    ("first", 1),
    ("second", 2),
    ("third", 3),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("eleventh", 11),
    ("twelfth", 12),
    ("thirteenth", 13),
    ("fourteenth", 14),
    ("fifteenth", 15),
    ("sixteenth", 16),
    ("seventeenth", 17),
    ("eighteenth", 18),
    ("nineteenth", 19),
    ("twentieth", 20),
    ("thirtieth", 30),
];

impl Text {
    /// `5th`, `fifth`: the ordinal that begins at a token, and the token after it.
    pub fn ordinal_at(&self, at: usize) -> Option<(u32, usize)> {
        if let Kind::Number { value, .. } = self.tokens.get(at)?.kind {
            let suffixed = self.is(Some(at + 1), "st|nd|rd|th") && self.tokens[at + 1].glued;
            return suffixed.then_some((value, at + 2));
        }
        let tens = if self.is(Some(at), "twenty") { 20 } else { 30 };
        if self.is(Some(at), "twenty|thirty") {
            let unit_at = if self.is(Some(at + 1), "-") { at + 2 } else { at + 1 };
            let unit = ORDINALS.iter().find(|(word, n)| *n < 10 && self.is(Some(unit_at), word))?;
            return Some((tens + unit.1, unit_at + 1));
        }
        ORDINALS.iter().find(|(word, _)| self.is(Some(at), word)).map(|(_, n)| (*n, at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    #[test]
    fn numbers() {
        assert_rows(
            [
                ("4", 4),
                ("bốn", 4),
                ("bon", 4),
                ("mười", 10),
                ("muoi hai", 12),
                ("mười lăm", 15),
                ("hai mươi", 20),
                ("hai mươi mốt", 21),
                ("hai muoi tu", 24),
                ("ba mươi", 30),
                ("bảy", 7),
                ("bẩy", 7),
                ("seven", 7),
                ("twelve", 12),
                ("Twenty-one", 21),
                ("forty five", 45),
            ]
            .map(|(said, value)| {
                let text = Text::new(said);
                (said, text.number_at(0), Some((value, text.len())))
            }),
        );
        for said in ["nam giới và Đà", "sau bữa tối ạ", "người", "tư"] {
            assert_eq!(Text::new(said).number_at(0), None, "{said}");
        }
    }

    #[test]
    fn ordinals() {
        for (said, value) in [("5th", 5), ("first", 1), ("twenty-second", 22), ("the", 0)] {
            let text = Text::new(said);
            let wanted = (value > 0).then_some((value, text.len()));
            assert_eq!(text.ordinal_at(0), wanted, "{said}");
        }
    }
}
