//! Strict mode of OpenAI's function calling: the model is held to a tool's schema, if the schema is of the kind
//! that this mode takes. There every property is required, objects are closed, and few keywords are known; what
//! may be left out is nullable instead.
//! https://developers.openai.com/api/docs/guides/function-calling#strict-mode

mod nulls;

use serde_json::{Map, Value, json};

pub use self::nulls::without_nulls;

/// Kept as they are: they mean the same there. Whatever else holds no schema goes into the description.
/// https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
const KEPT: [&str; 11] = [
    "const",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maximum",
    "minItems",
    "minimum",
    "multipleOf",
    "pattern",
    "type",
];

const FORMATS: [&str; 9] =
    ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

/// Keywords that hold schemas, and that the mode does not have: without them a schema means something else.
const COMPOSED: [&str; 17] = [
    "$defs",
    "$dynamicRef",
    "$ref",
    "allOf",
    "contains",
    "definitions",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "if",
    "not",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "propertyNames",
    "then",
    "unevaluatedProperties",
];

/// A tool's parameters as strict mode takes them; none where it cannot say what they say.
pub fn parameters(schema: &Value) -> Option<Value> {
    let strict = convert(schema)?;
    (strict.get("type")? == "object").then_some(strict)
}

fn convert(schema: &Value) -> Option<Value> {
    let mut strict = Map::new();
    let mut told = Vec::new();
    for (keyword, value) in schema.as_object()? {
        match keyword.as_str() {
            "properties" | "required" | "additionalProperties" | "description" => {}
            "items" => {
                strict.insert(keyword.clone(), convert(value)?);
            }
            "anyOf" => {
                let choices = value.as_array()?.iter().map(convert).collect::<Option<Vec<_>>>()?;
                strict.insert(keyword.clone(), choices.into());
            }
            "format" if FORMATS.contains(&value.as_str()?) => {
                strict.insert(keyword.clone(), value.clone());
            }
            known if KEPT.contains(&known) => {
                strict.insert(keyword.clone(), value.clone());
            }
            composed if COMPOSED.contains(&composed) => return None,
            _ => told.push(format!("{keyword}: {value}")),
        }
    }
    if schema.get("type") == Some(&json!("object")) {
        close(schema, &mut strict)?;
    }
    let description = schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let told = (!told.is_empty()).then(|| format!("({})", told.join(", ")));
    let description = [description, told].into_iter().flatten().collect::<Vec<_>>().join(" ");
    if !description.is_empty() {
        strict.insert("description".to_owned(), description.into());
    }
    Some(strict.into())
}

/// An object's properties: all of them required, no others allowed. None where others are.
fn close(schema: &Value, strict: &mut Map<String, Value>) -> Option<()> {
    if schema.get("additionalProperties").is_some_and(|others| *others != json!(false)) {
        return None;
    }
    let none = Map::new();
    let properties = schema.get("properties").map_or(Some(&none), Value::as_object)?;
    let mut all = Map::new();
    for (name, property) in properties {
        let property = convert(property)?;
        let property = if is_required(schema, name) { property } else { nullable(property)? };
        all.insert(name.clone(), property);
    }
    let names = all.keys().cloned().collect::<Vec<_>>();
    strict.insert("required".to_owned(), names.into());
    strict.insert("properties".to_owned(), all.into());
    strict.insert("additionalProperties".to_owned(), false.into());
    Some(())
}

/// The same schema, or null.
fn nullable(mut schema: Value) -> Option<Value> {
    if takes_null(&schema) {
        return Some(schema);
    }
    let fields = schema.as_object_mut()?;
    if let Some(choices) = fields.get_mut("anyOf") {
        choices.as_array_mut()?.push(json!({ "type": "null" }));
        return Some(schema);
    }
    if fields.contains_key("const") {
        // What is said of the property stays with the property.
        let description = fields.remove("description");
        let mut either = json!({ "anyOf": [schema, { "type": "null" }] });
        either.as_object_mut()?.extend(description.map(|text| ("description".to_owned(), text)));
        return Some(either);
    }
    let types = match fields.remove("type")? {
        Value::Array(types) => types,
        one => vec![one],
    };
    let is_new = !types.contains(&json!("null"));
    let types = types.into_iter().chain(is_new.then(|| json!("null"))).collect();
    fields.insert("type".to_owned(), types);
    if let Some(values) = fields.get_mut("enum") {
        values.as_array_mut()?.push(Value::Null);
    }
    Some(schema)
}

fn is_required(object: &Value, property: &str) -> bool {
    let required = object.get("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|name| name == property))
}

/// Whether null is a value of its own there, and not the same as absent. For schemas that [`convert`] takes.
fn takes_null(schema: &Value) -> bool {
    let types = match schema.get("type") {
        Some(Value::Array(types)) => types.contains(&json!("null")),
        Some(one) => one == "null",
        None => true,
    };
    let listed = schema.get("enum").and_then(Value::as_array);
    let choices = schema.get("anyOf").and_then(Value::as_array);
    types
        && listed.is_none_or(|values| values.contains(&Value::Null))
        && schema.get("const").is_none_or(Value::is_null)
        && choices.is_none_or(|choices| choices.iter().any(takes_null))
}

#[cfg(test)]
mod tests;
