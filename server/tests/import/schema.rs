//! The printed schema and the example file.

use serde_json::{Value, json};

use super::operator::{Operator, restaurant, with};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/restaurants.example.json");
const SEED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/restaurants/seed.json");

fn schema() -> Value {
    Operator::new().run(&["--schema"], b"").expect(0).json()
}

fn file(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_example_and_the_invented_restaurants_fit_the_schema_and_are_imported() {
    let validator = jsonschema::options().should_validate_formats(true).build(&schema()).unwrap();
    for path in [EXAMPLE, SEED] {
        let example = file(path);
        let misfits: Vec<String> = validator.iter_errors(&example).map(|error| error.to_string()).collect();
        assert!(misfits.is_empty(), "{path}: {misfits:#?}");
        let operator = Operator::new();
        let report = operator.run(&[path, "--json"], b"").expect(0).json();
        let restaurants = example["restaurants"].as_array().unwrap().len();
        assert_eq!(report["added"].as_array().unwrap().len(), restaurants);
        let again = operator.run(&[path, "--json"], b"").expect(0).json();
        assert_eq!(again["unchanged"].as_array().unwrap().len(), restaurants);
    }
    let zones: Vec<_> =
        file(EXAMPLE)["restaurants"].as_array().unwrap().iter().map(|r| r["timeZone"].clone()).collect();
    assert!(zones.contains(&json!("Asia/Ho_Chi_Minh")) && zones.contains(&json!("Europe/Paris")));
}

#[test]
fn the_schema_says_its_version_and_describes_every_field() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["title"], "Restaurants");
    assert!(!schema.to_string().contains("$ref"));
    let mut fields = 0;
    look_at(&schema, "", &mut fields);
    assert!(fields > 15, "{fields}");
}

/// Objects are closed and have a title, their fields a description.
fn look_at(schema: &Value, path: &str, fields: &mut usize) {
    if schema["type"] == "object" {
        assert_eq!(schema["additionalProperties"], false, "{path}");
        assert!(schema["title"].is_string() && schema["description"].is_string(), "{path}");
        for (name, field) in schema["properties"].as_object().unwrap() {
            let path = format!("{path}/{name}");
            assert!(field["description"].is_string(), "{path}: {field:#}");
            if field["type"] == "string" && name != "$schema" || field["type"] == "integer" {
                assert!(!field["examples"].as_array().unwrap().is_empty(), "{path}");
            }
            *fields += 1;
            look_at(field, &path, fields);
        }
    }
    if schema["type"] == "array" {
        look_at(&schema["items"], &format!("{path}/*"), fields);
    }
}

#[test]
fn the_schema_refuses_what_the_import_refuses() {
    let validator = jsonschema::options().should_validate_formats(true).build(&schema()).unwrap();
    let file = |fields: Value| json!({ "restaurants": [with(restaurant("a"), fields)] });
    assert!(validator.is_valid(&file(json!({}))));
    assert!(validator.is_valid(&with(file(json!({})), json!({ "$schema": "restaurants.schema.json" }))));
    for fields in [
        json!({ "seats": null }),
        json!({ "tables": [{ "seats": 2, "count": 2 }] }),
        json!({ "seats": 0 }),
        json!({ "stars": 5 }),
        json!({ "name": "" }),
        json!({ "id": "a b" }),
        json!({ "hours": [{ "weekdays": ["monday"], "opens": "24:00", "closes": "10:00" }] }),
        json!({ "closedDays": [{ "date": "2026-02-30" }] }),
        json!({ "closedDays": [{ "date": "2026-02-03", "to": "2026-02-04" }] }),
        json!({ "closedDays": [{ "from": "2026-02-03" }] }),
        json!({ "closedDays": [{}] }),
    ] {
        assert!(!validator.is_valid(&file(fields.clone())), "{fields}");
    }
}

#[test]
fn the_schema_needs_no_database_and_no_file() {
    let operator = Operator::new();
    operator.run(&["--schema"], b"").expect(0);
    assert_eq!(std::fs::read_dir(operator.folder.path()).unwrap().count(), 0);
    assert_ne!(operator.run(&["--schema", "file.json"], b"").code, 0);
}

#[test]
fn help_tells_what_an_operator_must_know() {
    let help = Operator::new().run(&["--help"], b"").expect(0).stdout;
    for word in [
        "--dry-run",
        "--fail-on-conflict",
        "--remove-others",
        "--json",
        "--schema",
        "Exit status",
        "DATABASE_URL",
    ] {
        assert!(help.contains(word), "{word} in {help}");
    }
}
