//! From what went wrong to a reason at a field.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value, json};
use serde_path_to_error::Segment;
use shared::api::FieldError;
use shared::error_code::ErrorCode;

use super::wording::{allowed, allowed_word, came, shortened};

fn reason<const N: usize>(
    path: String,
    code: ErrorCode,
    params: [(&str, Value); N],
    message: String,
) -> FieldError {
    let params: Map<String, Value> =
        params.into_iter().filter(|(_, value)| !value.is_null()).map(|(k, v)| (k.to_owned(), v)).collect();
    FieldError { path, code, params: (!params.is_empty()).then_some(params), message }
}

/// A path one step further down, as a JSON pointer; an invented name is not repeated in full.
fn below(path: &str, name: &str) -> String {
    let name = shortened(name).replace(['\n', '\t'], " ").replace('~', "~0").replace('/', "~1");
    format!("{path}/{name}")
}

pub fn no_object(value: &Value) -> FieldError {
    let message = format!("expected an object, got {}", came(value));
    reason(String::new(), ErrorCode::WrongType, [("expected", json!("object"))], message)
}

/// Texts with characters that are not kept: control characters, but for line breaks and tabs.
pub fn bad_characters(value: &Value) -> Vec<FieldError> {
    let mut found = Vec::new();
    look_for_bad_characters(value, String::new(), &mut found);
    found
}

fn look_for_bad_characters(value: &Value, path: String, found: &mut Vec<FieldError>) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => found.extend(bad_character(text, path)),
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                look_for_bad_characters(item, below(&path, &n.to_string()), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = below(&path, name);
                found.extend(bad_character(name, path.clone()));
                look_for_bad_characters(value, path, found);
            }
        }
    }
}

fn bad_character(text: &str, path: String) -> Option<FieldError> {
    let bad = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'))?;
    let character = format!("U+{:04X}", u32::from(bad));
    let message = format!("contains the control character {character}, which cannot be kept");
    Some(reason(path, ErrorCode::BadCharacters, [("character", json!(character))], message))
}

/// The reasons in one misfit that the validator found.
pub fn misfits(schema: &Value, error: &ValidationError<'_>) -> Vec<FieldError> {
    let path = error.instance_path().as_str().to_owned();
    let value = error.instance();
    // The schema that the broken keyword stands in.
    let place = error.schema_path().as_str();
    let place = place.rsplit_once('/').map_or("", |(before, _)| before);
    let schema_here = schema.pointer(place).unwrap_or(&Value::Null);
    let bound = |keyword: &str| schema_here.get(keyword).cloned().unwrap_or_default();
    let instead = || {
        let hint = if value.is_null() && may_be_left_out(schema, place) {
            "; leave it out where there is nothing to say"
        } else {
            ""
        };
        format!("expected {}, got {}{hint}", allowed(schema_here), came(value))
    };

    let one = match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let missing = &schema_here["properties"][name];
            let message = format!("missing; expected {}", allowed(missing));
            reason(below(&path, name), ErrorCode::Required, [], message)
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names = schema_here.get("properties").and_then(Value::as_object);
            let mut names: Vec<&str> = names.into_iter().flat_map(Map::keys).map(String::as_str).collect();
            names.sort_unstable();
            let message = match names.as_slice() {
                [] => "unknown field; none is allowed".to_owned(),
                _ => format!("unknown field; allowed: {}", names.join(", ")),
            };
            let unknown = |name: &String| {
                let params = [("allowed", json!(names))];
                reason(below(&path, name), ErrorCode::UnknownField, params, message.clone())
            };
            return unexpected.iter().map(unknown).collect();
        }
        ValidationErrorKind::Type { .. } => {
            let params = [("expected", json!(allowed_word(schema_here)))];
            reason(path, ErrorCode::WrongType, params, instead())
        }
        ValidationErrorKind::Minimum { .. } | ValidationErrorKind::Maximum { .. } => {
            let params = [("min", bound("minimum")), ("max", bound("maximum"))];
            reason(path, ErrorCode::OutOfRange, params, instead())
        }
        ValidationErrorKind::MinItems { .. } | ValidationErrorKind::MaxItems { .. } => {
            let params = [("min", bound("minItems")), ("max", bound("maxItems"))];
            reason(path, ErrorCode::OutOfRange, params, instead())
        }
        ValidationErrorKind::MaxLength { limit } => {
            let length = value.as_str().map_or(0, |text| text.chars().count());
            let message = format!("expected {}, got {length} characters", allowed(schema_here));
            reason(path, ErrorCode::TooLong, [("max", json!(limit))], message)
        }
        ValidationErrorKind::MinLength { .. } if value.as_str() == Some("") => {
            let message = format!("empty; expected {}", allowed(schema_here));
            reason(path, ErrorCode::Empty, [], message)
        }
        ValidationErrorKind::MinLength { .. }
        | ValidationErrorKind::Format { .. }
        | ValidationErrorKind::Pattern { .. } => {
            let params = [("expected", json!(allowed_word(schema_here)))];
            reason(path, ErrorCode::BadFormat, params, instead())
        }
        _ => reason(path, ErrorCode::InvalidInput, [("expected", json!(allowed(schema_here)))], instead()),
    };
    vec![one]
}

/// Whether the field whose schema stands at this place need not be there.
fn may_be_left_out(schema: &Value, place: &str) -> bool {
    let Some((object, name)) = place.rsplit_once("/properties/") else { return false };
    let required = schema.pointer(object).and_then(|object| object.get("required"));
    let required = required.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    !required.iter().any(|required| required == name)
}

/// What fits the schema and not the type.
pub fn ill_typed(
    schema: &Value,
    value: &Value,
    error: &serde_path_to_error::Error<serde_json::Error>,
) -> FieldError {
    let (mut path, mut schema, mut value) = (String::new(), schema, Some(value));
    for segment in error.path() {
        match segment {
            Segment::Map { key } => {
                path = below(&path, key);
                schema = &schema["properties"][key.as_str()];
                value = value.and_then(|value| value.get(key));
            }
            Segment::Seq { index } => {
                path = below(&path, &index.to_string());
                schema = &schema["items"];
                value = value.and_then(|value| value.get(index));
            }
            Segment::Enum { .. } | Segment::Unknown => break,
        }
    }
    let Some(value) = value.filter(|_| schema.is_object() && !path.is_empty()) else {
        return reason(path, ErrorCode::InvalidInput, [], shortened(&error.inner().to_string()));
    };
    let hint = if value.is_f64() && schema["type"] == "integer" { "; write it without a point" } else { "" };
    let message = format!("expected {}, got {}{hint}", allowed(schema), came(value));
    let code = if schema["format"].is_string() { ErrorCode::BadFormat } else { ErrorCode::WrongType };
    reason(path, code, [("expected", json!(allowed_word(schema)))], message)
}
