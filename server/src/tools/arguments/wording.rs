//! What a schema allows and what came instead, in a few English words.

use serde_json::Value;

use crate::text::turns_text;

/// Longer than this, a value is not repeated in full.
const SHOWN_CHARACTERS: usize = 40;

/// What the schema of a field allows, with its article: "an integer from 1 to 20".
pub fn allowed(schema: &Value) -> String {
    if let Some(values) = listed(schema) {
        let values: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        return match values.as_slice() {
            [only] => only.clone(),
            _ => format!("one of {}", values.join(", ")),
        };
    }
    if let Some(choices) = choices(schema) {
        return choices.iter().map(allowed).collect::<Vec<_>>().join(" or ");
    }
    let range = |unit: &str, min: &str, max: &str| {
        let bound = |name: &str| schema.get(name).filter(|bound| bound.is_number());
        match (bound(min), bound(max)) {
            (Some(min), Some(max)) if unit.is_empty() => format!(" from {min} to {max}"),
            (Some(min), Some(max)) => format!(" of {min} to {max}{unit}"),
            (Some(min), None) => format!(" of at least {min}{unit}"),
            (None, Some(max)) => format!(" of at most {max}{unit}"),
            (None, None) => String::new(),
        }
    };
    let format = schema.get("format").and_then(Value::as_str);
    match (schema.get("type").and_then(Value::as_str), format) {
        (Some("integer"), _) => format!("an integer{}", range("", "minimum", "maximum")),
        (Some("number"), _) => format!("a number{}", range("", "minimum", "maximum")),
        (Some("string"), Some("date-time")) => {
            "a date-time, RFC 3339 with offset, for example 2026-12-05T19:00:00+07:00".to_owned()
        }
        (Some("string"), Some("date")) => "a date, for example 2026-12-05".to_owned(),
        (Some("string"), Some(format)) => format!("a string in the format {format}"),
        (Some("string"), None) => format!("a string{}", range(" characters", "minLength", "maxLength")),
        (Some("boolean"), _) => "true or false".to_owned(),
        (Some("array"), _) => format!("a list{}", range(" items", "minItems", "maxItems")),
        (Some("object"), _) => "an object".to_owned(),
        (Some("null"), _) => "null".to_owned(),
        (Some(other), _) => other.to_owned(),
        (None, _) => "another value".to_owned(),
    }
}

/// The same for machines: the format, else the type; where there is neither, in words.
pub fn allowed_word(schema: &Value) -> String {
    let word = |keyword| schema.get(keyword).and_then(Value::as_str).map(str::to_owned);
    word("format").or_else(|| word("type")).unwrap_or_else(|| allowed(schema))
}

/// The values of a closed list, whichever way the schema writes it.
fn listed(schema: &Value) -> Option<Vec<&Value>> {
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return Some(values.iter().collect());
    }
    if let Some(value) = schema.get("const") {
        return Some(vec![value]);
    }
    let each: Option<Vec<Vec<&Value>>> = choices(schema)?.iter().map(listed).collect();
    each.map(|lists| lists.concat())
}

fn choices(schema: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"].iter().find_map(|keyword| schema.get(keyword)).and_then(Value::as_array)
}

/// What came, for reading: short, and without characters that would hide something.
pub fn came(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => shortened(&value.to_string()),
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Array(_) => format!("the list {}", shortened(&value.to_string())),
        Value::Object(_) => format!("the object {}", shortened(&value.to_string())),
    }
}

pub fn quoted(text: &str) -> String {
    Value::from(shortened(text)).to_string()
}

/// At most 40 characters of a text, the invisible ones replaced.
pub fn shortened(text: &str) -> String {
    let mut characters = text.chars();
    let mut short: String = characters.by_ref().take(SHOWN_CHARACTERS).map(visible).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// Line breaks and tabs stay; other control characters, and those that turn the direction of what
/// follows, do not.
fn visible(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        _ if c.is_control() || turns_text(c) => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}
