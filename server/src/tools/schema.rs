//! What the model and `GET /api/tools` are told of a tool, from the types of its contract.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use shared::tools::{Tool, ToolEffect, ToolName};
use shared::with_tool;

/// One tool of the registry; an entry of `GET /api/tools`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescription {
    pub name: &'static str,
    /// When to call it, written for the model.
    pub description: String,
    pub effect: ToolEffect,
    pub needs_approval: bool,
    /// JSON Schema of the input, as `input_schema` makes it.
    pub parameters: Value,
}

impl ToolDescription {
    pub fn of<T: Tool>() -> Self {
        Self {
            name: T::NAME,
            description: description::<T>(),
            effect: T::EFFECT,
            needs_approval: T::NEEDS_APPROVAL,
            parameters: input_schema::<T>(),
        }
    }
}

/// Every tool of the registry, in its order.
pub fn all() -> Vec<ToolDescription> {
    ToolName::ALL.iter().map(|name| with_tool!(*name, T => ToolDescription::of::<T>())).collect()
}

/// The doc comment of the tool's input, as one paragraph.
pub fn description<T: Tool>() -> String {
    let schema = generated::<T::Input>();
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// JSON Schema of what the model may propose: one flat object without references, closed against
/// fields that the tool does not have. A field that may be left out is not required, and is not
/// offered `null` either: models would send it.
pub fn input_schema<T: Tool>() -> Value {
    let mut schema = generated::<T::Input>();
    tidy(&mut schema);
    // Told beside the schema, as the tool's description.
    schema.remove("description");
    schema.to_value()
}

fn generated<D: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<D>()
}

fn tidy(schema: &mut Schema) {
    transform_subschemas(&mut tidy, schema);
    schema.remove("title");
    without_rust(schema);
}

/// Leaves out of one schema, its subschemas apart, what Rust's types have and JSON Schema has not.
pub fn without_rust(schema: &mut Schema) {
    let Some(fields) = schema.as_object_mut() else { return };
    without_null(fields);
    if fields.get("format").and_then(Value::as_str).is_some_and(names_a_rust_number) {
        fields.remove("format");
    }
    if let Some(Value::String(text)) = fields.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    if fields.get("type") == Some(&json!("object")) {
        let is_closed = fields.get("additionalProperties").is_none_or(|others| *others == json!(false));
        if is_closed {
            // Also where there is nothing to say: not every provider takes a schema without it.
            fields.entry("properties").or_insert_with(|| json!({}));
            fields.insert("additionalProperties".to_owned(), json!(false));
        }
    }
}

/// `uint8` and the like: no format of JSON Schema; the bounds say it already.
fn names_a_rust_number(format: &str) -> bool {
    let digits = format.trim_start_matches('u').strip_prefix("int");
    matches!(format, "float" | "double")
        || digits.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

/// `Option` says "or null": here a field with nothing to say is left out.
fn without_null(fields: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = fields.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            fields.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = fields.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = fields.get_mut("anyOf") {
        choices.retain(|choice| *choice != json!({"type": "null"}));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            fields.remove("anyOf");
            for (keyword, value) in only {
                // What the field says of itself, its description first of all, wins over its type.
                fields.entry(keyword).or_insert(value);
            }
        }
    }
    if fields.get("default").is_some_and(Value::is_null) {
        fields.remove("default");
    }
}
