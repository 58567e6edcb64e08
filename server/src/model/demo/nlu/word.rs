//! One word, with and without its Vietnamese marks.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{compose, decompose_canonical};

/// Combining marks that change the tone, not the letter.
const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'];

/// A lower-case word. The tone is kept apart from the letters, since guests put it on different vowels
/// (`hoà`, `hòa`).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Word {
    /// With `ă â ê ô ơ ư đ`, without tones.
    letters: String,
    tone: Option<char>,
    /// Without any mark.
    pub plain: String,
}

impl Word {
    pub fn new(text: &str) -> Self {
        let mut word = Word::default();
        for letter in text.nfc().flat_map(char::to_lowercase) {
            let mut base = letter;
            let mut full: Option<char> = None;
            decompose_canonical(letter, |part| match full {
                None => {
                    base = part;
                    full = Some(part);
                }
                Some(_) if TONES.contains(&part) => word.tone = Some(part),
                Some(before) => full = Some(compose(before, part).unwrap_or(before)),
            });
            // A lone combining mark: the tone of the letter before it.
            if TONES.contains(&letter) {
                word.tone = Some(letter);
                continue;
            }
            word.plain.push(if base == 'đ' { 'd' } else { base });
            word.letters.push(full.unwrap_or(base));
        }
        word
    }

    pub fn is_marked(&self) -> bool {
        self.tone.is_some() || self.letters != self.plain
    }

    /// Whether the guest wrote `wanted`: exactly so, or without any of its marks.
    pub fn means(&self, wanted: &Word, how: Strictness, text_is_marked: bool) -> bool {
        if self.plain != wanted.plain {
            return false;
        }
        if self == wanted {
            return true;
        }
        let bare_allowed = match how {
            Strictness::Lenient => true,
            Strictness::BareTextOnly => !text_is_marked,
            Strictness::Exact => false,
        };
        bare_allowed && !self.is_marked()
    }
}

/// How a word without marks is taken for one that has marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    Lenient,
    /// Only where the guest writes no marks at all: for words that are another word without them.
    BareTextOnly,
    Exact,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_may_be_missing_but_not_wrong() {
        let means =
            |said: &str, wanted: &str| Word::new(said).means(&Word::new(wanted), Strictness::Lenient, false);
        assert!(means("Tối", "tối"));
        assert!(means("TOI", "tối"));
        assert!(means("to\u{302}\u{301}i", "tối"), "NFD");
        assert!(means("hoà", "hòa"));
        assert!(means("dat", "đặt"));
        assert!(means("ĐẶT", "đặt"));
        assert!(!means("tôi", "tối"));
        assert!(!means("tới", "tối"));
        assert!(!means("mãi", "mai"));
        assert!(!means("đà", "da"));
    }

    #[test]
    fn strict_words_want_their_marks() {
        let mua = Word::new("mua");
        let rain = Word::new("mưa");
        assert!(mua.means(&rain, Strictness::BareTextOnly, false));
        assert!(!mua.means(&rain, Strictness::BareTextOnly, true));
        assert!(!mua.means(&rain, Strictness::Exact, false));
    }
}
