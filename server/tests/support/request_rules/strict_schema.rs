//! The strict subset of JSON Schema, in which OpenAI guarantees that arguments fit.

use serde_json::Value;

use super::names::list;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A property that is not in `required`; an optional one is a nullable one.
    NotRequired,
    /// An object without `additionalProperties: false`.
    Open,
    /// A keyword or a format that is not of the subset, or something else than an object at the top.
    Keyword,
}

/// https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas, which has no `minLength`.
const KEYWORDS: [&str; 21] = [
    "type",
    "title",
    "description",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "const",
    "anyOf",
    "$ref",
    "$defs",
    "pattern",
    "format",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minItems",
    "maxItems",
];

/// The values of `format`, from the same place.
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// What keeps a schema out of the subset, in the order in which it is found.
pub fn faults(schema: &Value) -> Vec<Fault> {
    let mut found = Vec::new();
    if schema["type"] != "object" {
        found.push(Fault::Keyword);
    }
    look(schema, &mut found);
    found.dedup();
    found
}

fn look(schema: &Value, found: &mut Vec<Fault>) {
    let Some(members) = schema.as_object() else {
        // `true` and `false` are schemas too, and not of the subset.
        return found.push(Fault::Keyword);
    };
    let known_format = members.get("format").is_none_or(|format| FORMATS.iter().any(|known| format == known));
    if !known_format || members.keys().any(|name| !KEYWORDS.contains(&name.as_str())) {
        found.push(Fault::Keyword);
    }
    let is_object = schema["type"] == "object" || list(schema, "type").iter().any(|kind| kind == "object");
    if is_object || members.contains_key("properties") {
        if schema["additionalProperties"] != false {
            found.push(Fault::Open);
        }
        let properties = schema["properties"].as_object();
        let required = list(schema, "required");
        let named = |name: &String| required.iter().any(|required| required == name.as_str());
        if properties.is_some_and(|properties| !properties.keys().all(named)) {
            found.push(Fault::NotRequired);
        }
    }
    for name in ["properties", "$defs"] {
        schema[name].as_object().into_iter().flatten().for_each(|(_, inner)| look(inner, found));
    }
    list(schema, "anyOf").iter().for_each(|inner| look(inner, found));
    if let Some(items) = members.get("items") {
        look(items, found);
    }
}
