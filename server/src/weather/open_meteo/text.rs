//! Texts of a stranger, made fit for a card, a model and a log.

/// At most `max` characters on one line, single spaces between words, without characters that are not
/// seen but change how others are read. What is cut ends with `…`.
pub fn clean(text: &str, max: usize) -> String {
    let seen = text.chars().map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c });
    let seen: String = seen.filter(|c| !is_hidden(*c)).collect();
    let words = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= max {
        return words;
    }
    words.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}

/// Marks of direction, joiners, fillers and tags: what Unicode calls format characters and ignorables,
/// as far as they have a use in hiding text.
fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}
