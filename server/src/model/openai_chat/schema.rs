//! Our schemas in OpenAI's strict dialect, and what comes of it back in ours.
//!
//! Strict is: every property required, what may be left out nullable, every object closed, and only some of JSON
//! Schema's keywords. https://platform.openai.com/docs/guides/structured-outputs#supported-schemas

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// What the dialect has; everything else is told in words.
const KEYWORDS: [&str; 17] = [
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "description",
    "pattern",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
];

const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The schema in the strict dialect; none where it has no equal there, such as an object with any fields.
pub fn strict(schema: &Value) -> Option<Value> {
    let mut fields = schema.as_object()?.clone();
    if fields.get("type") == Some(&json!("object")) || fields.contains_key("properties") {
        let is_open = fields.get("additionalProperties").is_some_and(|others| *others != json!(false));
        if is_open {
            return None;
        }
        let required = required(schema);
        let mut properties = Map::new();
        for (name, property) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let property = strict(property)?;
            let property = if required.contains(&name.as_str()) { property } else { nullable(property) };
            properties.insert(name.clone(), property);
        }
        fields.insert("required".to_owned(), properties.keys().cloned().collect());
        fields.insert("properties".to_owned(), Value::Object(properties));
        fields.insert("additionalProperties".to_owned(), json!(false));
    }
    if let Some(items) = fields.get("items") {
        let items = strict(items)?;
        fields.insert("items".to_owned(), items);
    }
    for name in ["oneOf", "anyOf"] {
        if let Some(Value::Array(choices)) = fields.remove(name) {
            let choices = choices.iter().map(strict).collect::<Option<Vec<_>>>()?;
            fields.insert("anyOf".to_owned(), Value::Array(choices));
        }
    }
    if ["allOf", "not", "if", "$ref", "patternProperties"].iter().any(|name| fields.contains_key(*name)) {
        return None;
    }
    told_in_words(&mut fields);
    Some(Value::Object(fields))
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

fn nullable(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    match fields.get_mut("type") {
        Some(Value::String(name)) => {
            let types = json!([name, "null"]);
            fields.insert("type".to_owned(), types);
            if let Some(Value::Array(values)) = fields.get_mut("enum") {
                values.push(Value::Null);
            }
            Value::Object(fields)
        }
        _ => {
            let description = fields.remove("description");
            let mut schema = json!({ "anyOf": [fields, { "type": "null" }] });
            if let Some(description) = description {
                schema["description"] = description;
            }
            schema
        }
    }
}

/// Moves what the dialect lacks into the description.
fn told_in_words(fields: &mut Map<String, Value>) {
    let is_known = |name: &str, value: &Value| match name {
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        _ => KEYWORDS.contains(&name),
    };
    let (known, other): (Map<_, _>, Map<_, _>) =
        std::mem::take(fields).into_iter().partition(|(name, value)| is_known(name, value));
    *fields = known;
    if other.is_empty() {
        return;
    }
    let words: Vec<String> = other.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let words = format!("({})", words.join(", "));
    let description = match fields.get("description").and_then(Value::as_str) {
        Some(description) => format!("{description} {words}"),
        None => words,
    };
    fields.insert("description".to_owned(), description.into());
}

/// Takes out the nulls of fields that our schema lets be left out. Whatever is no object with such nulls stays
/// byte by byte.
pub fn without_nulls(arguments: &mut String, schema: &Value) {
    let Ok(Members(mut members)) = serde_json::from_str(arguments) else { return };
    let required = required(schema);
    let before = members.len();
    members.retain(|(name, value)| !value.is_null() || required.contains(&name.as_str()));
    if members.len() == before {
        return;
    }
    if let Ok(text) = serde_json::to_string(&Members(members)) {
        *arguments = text;
    }
}

/// An object's members as they came: one that comes twice is refused later, and must not vanish here.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AllMembers;
        impl<'de> Visitor<'de> for AllMembers {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(AllMembers)
    }
}

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}
