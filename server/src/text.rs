//! Text from outside, made fit for one line, for a terminal, for a log.

/// Unicode's `Bidi_Control` characters: they turn around how others are seen.
pub fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Characters that a terminal, or a reader's eye, may take for something else than text: controls (with
/// them all escape sequences), marks that turn text around, and separators of lines.
fn misleads(c: char) -> bool {
    c.is_control() || turns_text(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// One line of at most `most` characters: blanks become single spaces, what misleads is left out.
pub fn one_line(text: &str, most: usize) -> String {
    let kept: String =
        text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !misleads(*c)).collect();
    let line = kept.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(most).collect()
}

/// Text as a terminal may show it: what misleads becomes a visible replacement, a tab a space. Line breaks
/// stay.
pub fn for_terminal(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => '\n',
        '\t' | '\r' => ' ',
        c if misleads(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// JSON as a terminal may show it: the same value, with what misleads as escapes.
pub fn json_for_terminal(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            // Between the values; inside of them it is an escape already.
            '\n' => shown.push('\n'),
            // All of them are below U+10000: one escape each.
            c if misleads(c) => shown.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_has_no_breaks_no_controls_and_an_end() {
        assert_eq!(
            one_line("  Bếp\t hỏng\r\n đến 18:00\u{0}\u{1b}[2J\u{202e} ", 200),
            "Bếp hỏng đến 18:00[2J"
        );
        assert_eq!(one_line("đđđđ", 3), "đđđ");
        assert_eq!(one_line("\u{0}\u{202e}\n", 9), "");
    }

    #[test]
    fn a_terminal_is_told_nothing_but_text() {
        let hostile = "a\u{1b}]0;title\u{7}b\u{9b}31mc\u{7f}\rd\u{202e}e\u{2028}f\ng";
        let shown = for_terminal(hostile);
        assert!(shown.chars().all(|c| c == '\n' || !misleads(c)), "{shown:?}");
        assert!(shown.ends_with("f\ng"), "{shown:?}");
    }

    #[test]
    fn json_stays_the_same_value() {
        let value = serde_json::json!({ "a\u{9b}": "b\u{1b}\u{202e}\u{2028}\u{7f}\n", "c": [1, "Đà Lạt"] });
        let shown = json_for_terminal(&serde_json::to_string_pretty(&value).unwrap());
        assert!(shown.chars().all(|c| c == '\n' || !misleads(c)), "{shown:?}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), value);
    }
}
