//! Out of arguments, the nulls that only say that there is nothing to say.

use std::borrow::Cow;
use std::str;

use jiter::{Jiter, JiterError, Peek};
use serde_json::Value;

use super::{is_required, takes_null};

/// The arguments that a model gave to a tool in strict mode, without the nulls that stand for properties which
/// may be left out. Everything else stays as it is, to the letter; so do arguments that are no JSON, or in which
/// a key comes twice. `schema`: the tool's own, not the strict one.
pub fn without_nulls<'a>(arguments: &'a str, schema: &Value) -> Cow<'a, str> {
    let mut reader = Reader { text: arguments, json: Jiter::new(arguments.as_bytes()) };
    match reader.value(Some(schema)) {
        Ok(Cow::Owned(changed)) if reader.json.finish().is_ok() => Cow::Owned(changed),
        Ok(_) | Err(Unreadable) => Cow::Borrowed(arguments),
    }
}

struct Unreadable;

impl From<JiterError> for Unreadable {
    fn from(_: JiterError) -> Self {
        Self
    }
}

struct Reader<'a> {
    text: &'a str,
    json: Jiter<'a>,
}

impl<'a> Reader<'a> {
    fn value(&mut self, schema: Option<&Value>) -> Result<Cow<'a, str>, Unreadable> {
        let peek = self.json.peek()?;
        let start = self.json.current_index();
        let changed = match (peek, schema) {
            (Peek::Object, Some(schema)) => self.object(schema)?,
            (Peek::Array, Some(schema)) => self.array(schema.get("items"))?,
            _ => {
                self.json.known_skip(peek)?;
                None
            }
        };
        let end = self.json.current_index();
        Ok(match changed {
            Some(text) => Cow::Owned(text),
            None => Cow::Borrowed(self.text.get(start..end).ok_or(Unreadable)?),
        })
    }

    /// The object in new words, where it loses something.
    fn object(&mut self, schema: &Value) -> Result<Option<String>, Unreadable> {
        let mut members: Vec<(String, Cow<'a, str>)> = Vec::new();
        let mut is_changed = false;
        let mut key = self.json.known_object()?.map(str::to_owned);
        while let Some(name) = key {
            if members.iter().any(|(before, _)| *before == name) {
                return Err(Unreadable);
            }
            let property = schema.get("properties").and_then(|all| all.get(&name));
            let value = self.value(property)?;
            is_changed |= matches!(value, Cow::Owned(_));
            members.push((name, value));
            key = self.json.next_key()?.map(str::to_owned);
        }
        let says_nothing = |name: &str, value: &str| {
            let property = schema.get("properties").and_then(|all| all.get(name));
            value == "null"
                && property.is_some_and(|property| !is_required(schema, name) && !takes_null(property))
        };
        let before = members.len();
        members.retain(|(name, value)| !says_nothing(name, value));
        is_changed |= members.len() < before;
        Ok(is_changed.then(|| {
            let members =
                members.iter().map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }))
    }

    fn array(&mut self, items: Option<&Value>) -> Result<Option<String>, Unreadable> {
        let mut values = Vec::new();
        let mut next = self.json.known_array()?;
        while next.is_some() {
            values.push(self.value(items)?);
            next = self.json.array_step()?;
        }
        let is_changed = values.iter().any(|value| matches!(value, Cow::Owned(_)));
        Ok(is_changed.then(|| format!("[{}]", values.join(","))))
    }
}
