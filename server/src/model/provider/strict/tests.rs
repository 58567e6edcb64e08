use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{FORMATS, KEPT, parameters, without_nulls};
use crate::tools::schema::{self, ToolDescription};

fn assert_strict(schema: &Value) {
    let fields = schema.as_object().expect("an object");
    for (keyword, value) in fields {
        let known = matches!(
            keyword.as_str(),
            "additionalProperties" | "anyOf" | "description" | "format" | "items" | "properties" | "required"
        );
        assert!(known || KEPT.contains(&keyword.as_str()), "{keyword}: {value}");
    }
    if let Some(format) = schema.get("format") {
        assert!(FORMATS.contains(&format.as_str().expect("a name")), "{format}");
    }
    let is_object = schema["type"] == "object" || schema["type"] == json!(["object", "null"]);
    assert_eq!(is_object, fields.contains_key("properties"), "{schema}");
    if is_object {
        let properties = schema["properties"].as_object().expect("an object");
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["required"], json!(properties.keys().collect::<Vec<_>>()));
        properties.values().for_each(assert_strict);
    }
    schema.get("items").into_iter().for_each(assert_strict);
    schema.get("anyOf").and_then(Value::as_array).into_iter().flatten().for_each(assert_strict);
}

#[test]
fn every_tool_has_a_strict_schema() {
    let tools = schema::all();
    assert!(!tools.is_empty());
    for tool in tools {
        assert_strict(&parameters(&tool.parameters).unwrap_or_else(|| panic!("{}", tool.name)));
    }
}

#[test]
fn a_tool_in_strict_words() {
    let schema = json!({
        "type": "object",
        "properties": {
            "orderId": { "type": "string", "minLength": 1, "maxLength": 40, "description": "Its number." },
            "amount": { "type": "integer", "minimum": 1 },
            "reason": { "type": "string", "maxLength": 300 },
            "kind": { "enum": ["all", "part"], "type": "string", "description": "How much." },
            "by": { "const": "card" },
            "at": { "type": "string", "format": "date-time" },
            "site": { "type": "string", "format": "uri" },
            "note": { "type": ["string", "null"] },
            "either": { "anyOf": [{ "type": "string" }, { "type": "integer" }] },
            "lines": { "type": "array", "minItems": 1, "uniqueItems": true, "items": {
                "type": "object", "properties": { "count": { "type": "integer" } }, "additionalProperties": false,
            } },
        },
        "required": ["orderId", "site"],
        "additionalProperties": false,
    });
    let strict = parameters(&schema).expect("a strict schema");
    assert_strict(&strict);
    assert_eq!(
        strict["properties"],
        json!({
            "orderId": { "type": "string", "description": "Its number. (maxLength: 40, minLength: 1)" },
            "amount": { "type": ["integer", "null"], "minimum": 1 },
            "reason": { "type": ["string", "null"], "description": "(maxLength: 300)" },
            "kind": { "enum": ["all", "part", null], "type": ["string", "null"], "description": "How much." },
            "by": { "anyOf": [{ "const": "card" }, { "type": "null" }] },
            "at": { "type": ["string", "null"], "format": "date-time" },
            "site": { "type": "string", "description": "(format: \"uri\")" },
            "note": { "type": ["string", "null"] },
            "either": { "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] },
            "lines": { "type": ["array", "null"], "minItems": 1, "description": "(uniqueItems: true)", "items": {
                "type": "object", "properties": { "count": { "type": ["integer", "null"] } },
                "required": ["count"], "additionalProperties": false,
            } },
        })
    );
}

#[test]
fn what_strict_mode_cannot_say_has_no_strict_schema() {
    let object = |property: Value| json!({ "type": "object", "properties": { "a": property } });
    assert!(parameters(&object(json!({ "type": "string" }))).is_some());
    for schema in [
        json!(true),
        json!({ "type": "string" }),
        json!({ "type": "object", "additionalProperties": true }),
        json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        json!({ "type": "object", "properties": { "a": true } }),
        object(json!({ "$ref": "#/$defs/a" })),
        object(json!({ "oneOf": [{ "type": "string" }] })),
        object(json!({ "type": "string", "not": { "const": "x" } })),
        object(json!({ "type": "array", "items": { "type": "object", "patternProperties": {} } })),
        object(json!({ "anyOf": [{ "allOf": [] }] })),
    ] {
        assert_eq!(parameters(&schema), None, "{schema}");
    }
}

fn optional(names: &[&str]) -> Value {
    let properties: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))).collect();
    json!({ "type": "object", "properties": properties, "required": ["must"] })
}

#[test]
fn only_nulls_of_properties_that_may_be_left_out_are_taken_out() {
    let schema = optional(&["a", "b", "must", "ạ"]);
    for (arguments, left) in [
        (r#"{"a":null,"b":"x"}"#, r#"{"b":"x"}"#),
        (r#"{ "b" : 1.50 , "a" : null }"#, r#"{"b":1.50}"#),
        (r#"{"ạ":null,"b":" null","must":null,"other":null}"#, r#"{"b":" null","must":null,"other":null}"#),
        (r#"{"a":null}"#, "{}"),
        (r#"{"\u0061":null,"b":"\u00e9\n"}"#, r#"{"b":"\u00e9\n"}"#),
    ] {
        assert_eq!(without_nulls(arguments, &schema), left, "{arguments}");
    }
}

#[test]
fn nested_nulls_are_taken_out_by_the_schema_of_their_place() {
    let inner = optional(&["a", "must"]);
    let schema = json!({ "type": "object", "required": ["list", "one"], "properties": {
        "list": { "type": "array", "items": inner.clone() },
        "one": inner,
        "null": { "type": ["string", "null"] },
    } });
    let arguments = r#"{"list":[{"a":null},{"must":null}],"one":{"a":null,"must":1},"null":null}"#;
    let left = r#"{"list":[{},{"must":null}],"one":{"must":1},"null":null}"#;
    assert_eq!(without_nulls(arguments, &schema), left);
}

#[test]
fn arguments_without_such_nulls_stay_to_the_letter() {
    let schema = optional(&["a", "b"]);
    for arguments in [
        "",
        "null",
        "[null]",
        r#" {"a" : "x",  "b":1e2} "#,
        r#"{"a":null"#,
        r#"{"a":null}x"#,
        r#"{"a":null,"a":"x"}"#,
        r#"{"b":"x","b":"y","a":null}"#,
        r#"{"a":null,}"#,
        "\u{feff}{\"a\":null}",
    ] {
        let left = without_nulls(arguments, &schema);
        assert_eq!(left, arguments);
        assert!(matches!(left, Cow::Borrowed(_)), "{arguments}");
    }
}

/// Arguments that the schema takes: with or without each property that may be left out.
fn arguments(tool: &ToolDescription) -> BoxedStrategy<Map<String, Value>> {
    let required = tool.parameters["required"].as_array().cloned().unwrap_or_default();
    let members =
        tool.parameters["properties"].as_object().expect("properties").iter().map(|(name, schema)| {
            let (name, must) = (name.clone(), required.contains(&json!(name)));
            (any::<bool>(), value(schema))
                .prop_map(move |(given, value)| (name.clone(), value, given || must))
        });
    members
        .collect::<Vec<_>>()
        .prop_map(|members| {
            members.into_iter().filter(|(.., given)| *given).map(|(name, value, _)| (name, value)).collect()
        })
        .boxed()
}

fn value(schema: &Value) -> BoxedStrategy<Value> {
    let number = |bound: &str, other| schema.get(bound).and_then(Value::as_i64).unwrap_or(other);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return prop::sample::select(values.clone()).boxed();
    }
    match schema["type"].as_str().expect("a type") {
        "string" => match schema.get("format").and_then(Value::as_str) {
            Some("date-time") => Just(json!("2026-12-05T19:00:00+07:00")).boxed(),
            Some("date") => Just(json!("2026-12-05")).boxed(),
            Some(format) => panic!("a value of the format {format}"),
            None => "[a-zđ\"\\\\ ]{1,20}".prop_map(Value::from).boxed(),
        },
        "integer" => (number("minimum", 0)..=number("maximum", 1000)).prop_map(Value::from).boxed(),
        "boolean" => any::<bool>().prop_map(Value::from).boxed(),
        other => panic!("a value of the type {other}"),
    }
}

proptest! {
    #[test]
    fn what_a_tool_takes_its_strict_schema_takes_with_nulls_and_it_comes_back_without(
        (tool, given) in prop::sample::select(schema::all()).prop_flat_map(|tool| (Just(tool.clone()), arguments(&tool)))
    ) {
        prop_assert!(jsonschema::is_valid(&tool.parameters, &Value::Object(given.clone())));
        let strict = parameters(&tool.parameters).expect("a strict schema");
        let mut filled = given.clone();
        for name in strict["properties"].as_object().expect("properties").keys() {
            filled.entry(name).or_insert(Value::Null);
        }
        let filled = Value::Object(filled);
        prop_assert!(jsonschema::is_valid(&strict, &filled), "{strict} {filled}");

        let text = filled.to_string();
        let back: Value = serde_json::from_str(&without_nulls(&text, &tool.parameters)).expect("JSON");
        prop_assert_eq!(back, Value::Object(given));
    }
}
