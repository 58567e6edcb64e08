//! Unfinished arguments: for showing only.

use jiter::{JsonValue, PartialMode};
use serde_json::{Map, Value};

/// Below this many bytes every look parses anew; the cost of that is bounded by a constant.
const ALWAYS_PARSED: usize = 256;

/// The finished fields of an unfinished JSON object, and the start of an unfinished text.
///
/// An unfinished key, number or literal shows nothing. What is no object shows nothing.
pub fn parse(input_text: &str) -> Map<String, Value> {
    let finished = without_open_number(input_text);
    match JsonValue::parse_with_config(finished.as_bytes(), false, PartialMode::TrailingStrings) {
        Ok(JsonValue::Object(fields)) => {
            let fields = fields.iter().map(|(key, value)| (key.to_string(), to_serde(value)));
            fields.collect()
        }
        _ => Map::new(),
    }
}

/// The text without a number at its very end: its next digit may still come.
fn without_open_number(input_text: &str) -> &str {
    let in_number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let before = input_text.trim_end_matches(in_number);
    let tail = &input_text[before.len()..];
    if tail.contains(|c: char| c.is_ascii_digit()) && !ends_in_string(before) { before } else { input_text }
}

/// Whether the text stops inside a JSON string.
fn ends_in_string(text: &str) -> bool {
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ => {}
        }
    }
    in_string
}

fn to_serde(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => Value::Bool(*value),
        JsonValue::Int(value) => Value::from(*value),
        JsonValue::Float(value) => Value::from(*value),
        JsonValue::Str(text) => Value::String(text.to_string()),
        JsonValue::Array(items) => Value::Array(items.iter().map(to_serde).collect()),
        JsonValue::Object(fields) => {
            let fields = fields.iter().map(|(key, value)| (key.to_string(), to_serde(value)));
            Value::Object(fields.collect())
        }
    }
}

/// A look at growing arguments whose whole cost stays linear: it parses again only after the text
/// has grown by an eighth.
#[derive(Clone, Debug, Default)]
pub struct PartialView {
    parsed_len: usize,
    fields: Map<String, Value>,
}

impl PartialView {
    /// Looks at the text so far; true where the fields may have changed.
    pub fn update(&mut self, input_text: &str) -> bool {
        let grown_enough = input_text.len() <= ALWAYS_PARSED
            || input_text.len() < self.parsed_len
            || input_text.len() >= self.parsed_len + self.parsed_len / 8;
        if input_text.len() == self.parsed_len || !grown_enough {
            return false;
        }
        self.fields = parse(input_text);
        self.parsed_len = input_text.len();
        true
    }

    pub fn fields(&self) -> &Map<String, Value> {
        &self.fields
    }
}
