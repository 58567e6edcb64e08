//! Which characters a text of a file may have.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The same text in Unicode's composed form, without blanks around it and with single spaces inside.
/// What is refused stays in it, to be found.
pub fn tidied(text: &str) -> String {
    let composed: String = text.nfc().collect();
    composed.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Every width of space.
fn is_blank(c: char) -> bool {
    c.is_whitespace() && !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}')
}

/// What is wrong with the characters of a text, in a sentence; none: it can be kept and shown.
pub fn fault(text: &str) -> Option<String> {
    if let Some((bad, kind)) = text.chars().find_map(|c| Some((c, refused(c)?))) {
        return Some(format!("contains U+{:04X}, {kind}; remove it", u32::from(bad)));
    }
    let visible = |c: char| !c.is_whitespace() && !is_combining_mark(c) && !is_joiner(c);
    (!text.is_empty() && !text.chars().any(visible)).then(|| "has no visible character".to_owned())
}

/// What binds the characters around it: needed by Persian, by Indian scripts and by emoji.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

fn refused(c: char) -> Option<&'static str> {
    match c {
        '\0' => Some("a NUL character"),
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some("a line break"),
        '\t' => Some("a tab"),
        c if c.is_control() => Some("a control character"),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some("a character that turns the direction of text")
        }
        // Soft hyphen, fillers, zero-width spaces, interlinear marks, and tags, in which text can hide.
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => Some("an invisible character"),
        // U+FFFD stands for something that was lost; the last two of each plane are none at all.
        '\u{fffd}' => Some("a character that was lost when the file was saved"),
        c if u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}') => {
            Some("no character of Unicode")
        }
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => {
            Some("a character without a meaning of its own")
        }
        _ => None,
    }
}
