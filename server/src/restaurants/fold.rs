//! Text as people type it, made comparable.

use unicode_normalization::UnicodeNormalization;

/// Lower case, without diacritics, words parted by single spaces: `Đà-Lạt ` and `DA LAT` are both
/// `da lat`. Marks that are letters of their script, as Thai and Arabic vowels are, stay.
pub fn fold(text: &str) -> String {
    let bare: String = text
        .nfkd()
        .filter(|c| !is_diacritic(*c))
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            // The bar of đ is no combining mark.
            'đ' => 'd',
            c if c.is_alphanumeric() => c,
            _ => ' ',
        })
        .collect();
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Unicode's blocks of combining diacritical marks.
fn is_diacritic(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Folded, without the spaces: `Sa Pa` and `Sapa` are both `sapa`.
pub fn squash(text: &str) -> String {
    fold(text).replace(' ', "")
}

/// Whether `phrase` stands in `text` as whole words. Both must be folded.
pub fn has_phrase(text: &str, phrase: &str) -> bool {
    !phrase.is_empty() && format!(" {text} ").contains(&format!(" {phrase} "))
}
