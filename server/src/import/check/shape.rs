//! What the schema says: fields, types, lengths, bounds.

use std::sync::LazyLock;

use chrono::NaiveDate;
use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};

use super::Found;
use crate::import::located::below;
use crate::import::schema::file_schema;
use crate::orders::file::{MOMENT_PATTERN, NUMBER_PATTERN};
use crate::restaurants::file::{ID_PATTERN, TIME_PATTERN};
use crate::tools::arguments::refusal::{self, misfits};
use crate::tools::arguments::wording::{allowed, came};

struct FileSchema {
    schema: Value,
    validator: Validator,
}

fn file() -> &'static FileSchema {
    static COMPILED: LazyLock<FileSchema> = LazyLock::new(|| {
        let schema = file_schema();
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&schema).expect("a schema that schemars made compiles");
        FileSchema { schema, validator }
    });
    &COMPILED
}

pub fn check(value: &Value, found: &mut Found) {
    for error in file().validator.iter_errors(value) {
        tell(&error, found);
    }
}

fn tell(error: &ValidationError<'_>, found: &mut Found) {
    let pointer = error.instance_path().as_str().to_owned();
    let value = error.instance();
    match error.kind() {
        // `meaning` tells these in better words.
        ValidationErrorKind::OneOfNotValid { .. } | ValidationErrorKind::OneOfMultipleValid { .. } => {}
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let object = schema_of(error);
            let wanted = allowed(&object["properties"][name]);
            found.add(below(&pointer, name), format!("missing; expected {wanted}"));
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let names = schema_of(error).get("properties").and_then(Value::as_object);
            let names: Vec<&str> = names.into_iter().flat_map(Map::keys).map(String::as_str).collect();
            for name in unexpected {
                let message = format!("unknown field; there are {}", names.join(", "));
                found.add(below(&pointer, name), message);
            }
        }
        ValidationErrorKind::Type { .. } if schema_of(error)["type"] == "object" => {
            found.add(pointer, format!("expected an object, got {}", came(value)));
        }
        ValidationErrorKind::MinItems { .. } => {
            found.add(pointer, "is an empty list; at least one entry is expected");
        }
        ValidationErrorKind::MinLength { .. } => found.add(pointer, "is empty; a text is expected"),
        ValidationErrorKind::Pattern { pattern } => {
            let expected = match pattern.as_str() {
                ID_PATTERN => "an id of at most 64 letters from a to z, digits, dots, hyphens and underlines",
                TIME_PATTERN if value.as_str() == Some("24:00") => "00:00 for midnight",
                TIME_PATTERN => "a time from 00:00 to 23:59, for example 09:30",
                NUMBER_PATTERN => {
                    "DH- and five letters and digits, without I, L, O, 0 and 1, for example DH-7K2Q4"
                }
                MOMENT_PATTERN => "a moment with its offset, for example 2026-11-30T18:40:00+07:00",
                other => other,
            };
            found.add(pointer, format!("expected {expected}, got {}", came(value)));
        }
        ValidationErrorKind::Format { .. } => found.add(pointer, no_date(value)),
        _ => {
            for reason in misfits(&file().schema, error) {
                found.add(reason.path, reason.message);
            }
        }
    }
}

/// The schema that the broken keyword stands in.
fn schema_of(error: &ValidationError<'_>) -> &'static Value {
    let place = error.schema_path().as_str();
    let place = place.rsplit_once('/').map_or("", |(before, _)| before);
    file().schema.pointer(place).unwrap_or(&Value::Null)
}

/// Dates are the one format of the schema.
fn no_date(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    let numbers: Vec<&str> = text.split('-').collect();
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    if let [year, month, day] = numbers.as_slice()
        && digits(year, 4)
        && digits(month, 2)
        && digits(day, 2)
        && text.parse::<NaiveDate>().is_err()
    {
        return format!("the calendar has no day {text}");
    }
    format!("expected a date such as 2026-12-24, got {}", came(value))
}

/// What fits the schema and not the type: pointer and message.
pub fn ill_typed(value: &Value, error: &serde_path_to_error::Error<serde_json::Error>) -> (String, String) {
    let reason = refusal::ill_typed(&file().schema, value, error);
    (reason.path, reason.message)
}
