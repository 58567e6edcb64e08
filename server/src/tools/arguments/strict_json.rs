//! JSON as the standard has it, and stricter: a key that comes twice is refused, since readers differ
//! in which of the two counts.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, json};
use shared::api::FieldError;
use shared::error_code::ErrorCode;

use super::wording::quoted;

/// Why a text is no strict JSON, and where.
pub struct NotJson {
    why: String,
    line: usize,
    column: usize,
}

/// Reads one value and nothing after it.
pub fn parse(text: &str) -> Result<Value, NotJson> {
    serde_json::from_str::<Strict>(text).map(|strict| strict.0).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let why = error.to_string();
        let why = why.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&why);
        NotJson { why: why.to_owned(), line, column }
    })
}

impl From<NotJson> for FieldError {
    fn from(NotJson { why, line, column }: NotJson) -> Self {
        let params = Map::from_iter([("line".into(), json!(line)), ("column".into(), json!(column))]);
        let message = format!("not valid JSON at line {line} column {column}: {why}");
        FieldError { path: String::new(), code: ErrorCode::InvalidInput, params: Some(params), message }
    }
}

struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut fields = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if fields.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {} comes twice", quoted(&key))));
            }
            let Strict(value) = entries.next_value()?;
            fields.insert(key, value);
        }
        Ok(Value::Object(fields))
    }
}
