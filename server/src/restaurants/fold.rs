//! Text as people type it, made comparable.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Lower case, without diacritics, words parted by single spaces: `Đà-Lạt ` and `DA LAT` are both
/// `da lat`.
pub fn fold(text: &str) -> String {
    let bare: String = text
        .nfkd()
        .filter(|c| !is_combining_mark(*c))
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

/// Folded, without the spaces: `Sa Pa` and `Sapa` are both `sapa`.
pub fn squash(text: &str) -> String {
    fold(text).replace(' ', "")
}

/// Whether `phrase` stands in `text` as whole words. Both must be folded.
pub fn has_phrase(text: &str, phrase: &str) -> bool {
    !phrase.is_empty() && format!(" {text} ").contains(&format!(" {phrase} "))
}
