//! What may stand where a provider takes a name and no free text.

use serde_json::Value;

fn is_of(text: &str, longest: usize, fits: impl Fn(char) -> bool) -> bool {
    (1..=longest).contains(&text.chars().count()) && text.chars().all(fits)
}

/// `^[a-zA-Z0-9_-]{1,longest}$`, and a text at all.
pub fn is_name(value: &Value, longest: usize) -> bool {
    value
        .as_str()
        .is_some_and(|text| is_of(text, longest, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')))
}

/// `^[a-zA-Z0-9]{9}$`: what Mistral's models take as a call's id.
pub fn is_mistral_id(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.len() == 9 && is_of(text, 9, |c| c.is_ascii_alphanumeric()))
}

/// Any text that is not empty.
pub fn is_text_of(value: &Value, longest: usize) -> bool {
    value.as_str().is_some_and(|text| is_of(text, longest, |_| true))
}

/// No text, or one of white space alone.
pub fn is_blank(value: &Value) -> bool {
    value.as_str().is_none_or(|text| text.trim().is_empty())
}

/// Text that is a JSON object.
pub fn is_object_text(value: &Value) -> bool {
    value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).is_some_and(|it| it.is_object())
}

/// The list under this name; an empty one where there is none.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Whether one of these members is there, be it as `null`.
pub fn has_any(body: &Value, names: &[&str]) -> bool {
    names.iter().any(|name| body.get(name).is_some())
}
