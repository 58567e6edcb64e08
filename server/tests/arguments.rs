//! Arguments from a stranger: what is taken, what is refused, and what the model hears of it.

use std::time::Duration;

use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use server::tools::arguments::{Arguments, InvalidArguments};
use server::tools::schema::{self, ToolDescription, description, input_schema};
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use shared::ids::UserId;
use shared::tools::{
    CreateBooking, CreateBookingInput, FindTables, GetWeather, GetWeatherInput, NoPreview, Tool, ToolEffect,
    ToolName, Untyped,
};

/// A tool with what the registry's tools do not have (yet).
#[derive(Clone, Debug, PartialEq)]
struct SendFlowers;

/// Send flowers.
///
/// Call it when   somebody
/// shall be glad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SendFlowersInput {
    /// What to
    /// send.
    #[schemars(length(min = 1, max = 3))]
    kinds: Vec<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wrapping: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    card: Option<Card>,
    /// Of the vase, in centimetres.
    #[schemars(range(min = 0.5, max = 99.5))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    height: Option<f64>,
    #[serde(default)]
    anonymous: bool,
    /// Not a name of the schema's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Rose,
    WaterLily,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Card {
    #[schemars(length(min = 2, max = 5))]
    text: String,
    #[schemars(range(min = 1))]
    copies: u16,
}

impl Tool for SendFlowers {
    const NAME: &'static str = "sendFlowers";
    const EFFECT: ToolEffect = ToolEffect::Write;
    const NEEDS_APPROVAL: bool = true;
    const TIMEOUT: Duration = Duration::from_secs(1);

    type Input = SendFlowersInput;
    type Preview = NoPreview;
    type Output = NoPreview;

    fn business_key(_: &SendFlowersInput, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &SendFlowersInput, other: &SendFlowersInput) -> bool {
        one == other
    }
}

fn parse<T: Tool>(text: &str) -> Result<T::Input, InvalidArguments> {
    Arguments::get().parse::<T>(text)
}

fn errors<T: Tool>(text: &str) -> Vec<FieldError> {
    match parse::<T>(text) {
        Ok(input) => panic!("{text} was taken: {input:?}"),
        Err(refused) => refused.errors,
    }
}

/// The one reason: where, why, with which parameters, in which words.
fn one_error<T: Tool>(text: &str) -> (String, ErrorCode, Value, String) {
    let mut errors = errors::<T>(text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    let FieldError { path, code, params, message } = errors.remove(0);
    (path, code, params.map_or(Value::Null, Value::Object), message)
}

fn booking(change: impl FnOnce(&mut Map<String, Value>)) -> String {
    let mut booking = json!({
        "restaurantId": "r-1", "partySize": 4, "startsAt": "2026-12-05T19:00:00+07:00",
    });
    change(booking.as_object_mut().expect("an object"));
    booking.to_string()
}

fn booking_with(name: &str, value: Value) -> String {
    booking(|fields| drop(fields.insert(name.to_owned(), value)))
}

const DATE_TIME: &str = "a date-time, RFC 3339 with offset, for example 2026-12-05T19:00:00+07:00";

mod schemas {
    use super::*;

    #[test]
    fn get_weather() {
        let expected = json!({
            "type": "object",
            "properties": {
                "city": {
                    "type": "string", "minLength": 1, "maxLength": 100,
                    "description": "City name as the user said it, for example: Đà Lạt",
                },
                "days": {
                    "type": "integer", "minimum": 1, "maximum": 7, "default": 1,
                    "description": "How many days to forecast, today being the first. For a weekend ask \
                                    for enough days to reach it.",
                },
            },
            "required": ["city"],
            "additionalProperties": false,
        });
        assert_eq!(input_schema::<GetWeather>(), expected);
    }

    #[test]
    fn create_booking() {
        let schema = input_schema::<CreateBooking>();
        assert_eq!(schema["required"], json!(["restaurantId", "partySize", "startsAt"]));
        assert_eq!(
            schema["properties"]["partySize"],
            json!({"type": "integer", "minimum": 1, "maximum": 20, "description": "How many people."}),
        );
        let starts_at = &schema["properties"]["startsAt"];
        assert_eq!((&starts_at["type"], &starts_at["format"]), (&json!("string"), &json!("date-time")));
        let note = &schema["properties"]["note"];
        assert_eq!((&note["type"], &note["maxLength"]), (&json!("string"), &json!(300)));
        assert_eq!(note.get("default"), None);
    }

    #[test]
    fn of_every_tool_is_one_closed_object_without_noise() {
        for tool in schema::all() {
            let text = tool.parameters.to_string();
            for noise in ["$schema", "$ref", "$defs", "null", "uint8", "\"title\""] {
                assert!(!text.contains(noise), "{}: {noise} in {text}", tool.name);
            }
            assert_eq!(tool.parameters["type"], "object");
            assert_eq!(tool.parameters["additionalProperties"], false);
            let properties = tool.parameters["properties"].as_object().expect("properties");
            for (name, property) in properties {
                let described = property["description"].as_str().is_some_and(|text| !text.is_empty());
                assert!(described, "{}: {name} has no description", tool.name);
                assert!(!text.contains('\n'));
            }
        }
    }

    #[test]
    fn nested_things_are_inlined_closed_and_without_null() {
        let schema = input_schema::<SendFlowers>();
        let properties = &schema["properties"];
        assert_eq!(schema["required"], json!(["kinds"]));
        assert_eq!(
            properties["kinds"],
            json!({
                "type": "array", "minItems": 1, "maxItems": 3, "description": "What to send.",
                "items": {"type": "string", "enum": ["rose", "water-lily"]},
            }),
        );
        assert_eq!(properties["wrapping"], json!({"type": "string", "enum": ["rose", "water-lily"]}));
        assert_eq!(
            properties["card"],
            json!({
                "type": "object", "required": ["text", "copies"], "additionalProperties": false,
                "properties": {
                    "text": {"type": "string", "minLength": 2, "maxLength": 5},
                    "copies": {"type": "integer", "minimum": 1, "maximum": 65535},
                },
            }),
        );
        assert_eq!(properties["title"]["type"], "string", "a field may be called `title`");
        assert_eq!(schema["additionalProperties"], false, "closed although the type is not");
    }

    #[test]
    fn descriptions_are_one_paragraph() {
        let expected = "Send flowers. Call it when somebody shall be glad.";
        assert_eq!(description::<SendFlowers>(), expected);
        let weather = description::<GetWeather>();
        assert!(weather.starts_with("Get the weather forecast for one city, starting today. "), "{weather}");
        assert!(!weather.contains('\n'));
    }

    #[test]
    fn the_list_follows_the_registry() {
        let all = schema::all();
        let names: Vec<&str> = all.iter().map(|tool| tool.name).collect();
        let registry: Vec<&str> = ToolName::ALL.iter().map(|name| name.as_str()).collect();
        assert_eq!(names, registry);
        for tool in &all {
            assert!(tool.description.len() > 40, "{}: says when to call it", tool.name);
        }
        let booking = all.iter().find(|tool| tool.name == "createBooking").expect("it is in the registry");
        assert_eq!(*booking, ToolDescription::of::<CreateBooking>());
        assert_eq!(
            serde_json::to_value(booking).expect("JSON"),
            json!({
                "name": "createBooking", "description": description::<CreateBooking>(), "effect": "write",
                "needsApproval": true, "parameters": input_schema::<CreateBooking>(),
            }),
        );
    }
}

mod taken {
    use super::*;

    #[test]
    fn what_fits() {
        let weather = parse::<GetWeather>(r#" {"city": "Hà Nội", "days": 7} "#).expect("it fits");
        assert_eq!(weather, GetWeatherInput { city: "Hà Nội".to_owned(), days: 7 });
        let weather = parse::<GetWeather>(r#"{"city":"Huế"}"#).expect("days has a default");
        assert_eq!(weather.days, 1);
        let booked =
            parse::<CreateBooking>(&booking_with("note", json!("Gần\n\tcửa sổ 🌸"))).expect("it fits");
        assert_eq!(booked.note.as_deref(), Some("Gần\n\tcửa sổ 🌸"));
        for edge in [1, 20] {
            parse::<CreateBooking>(&booking_with("partySize", json!(edge))).expect("the bounds are in");
        }
        // Lengths are counted in characters.
        parse::<CreateBooking>(&booking_with("note", json!("ệ".repeat(300)))).expect("300 characters");
        parse::<FindTables>(
            &json!({"city": "Đà Nẵng", "partySize": 2, "startsAt": "2026-12-05T12:00:00Z"}).to_string(),
        )
        .expect("cuisine may be left out");
    }

    #[test]
    fn edited_input_takes_the_same_way() {
        let value: Value = serde_json::from_str(&booking(|_| {})).expect("JSON");
        let parsed = Arguments::get().parse_value::<CreateBooking>(&value).expect("it fits");
        assert_eq!(parsed, parse::<CreateBooking>(&value.to_string()).expect("it fits"));

        for wrong in [json!(null), json!([]), json!({}), json!({"partySize": "4"})] {
            let edited = Arguments::get().parse_value::<CreateBooking>(&wrong);
            assert_eq!(edited, parse::<CreateBooking>(&wrong.to_string()));
            assert!(edited.is_err());
        }
    }

    #[test]
    fn blank_counts_as_no_arguments() {
        for blank in ["", "  ", "\n\t\r "] {
            assert_eq!(parse::<GetWeather>(blank), parse::<GetWeather>("{}"));
            let (path, code, _, message) = one_error::<GetWeather>(blank);
            assert_eq!((path.as_str(), code), ("/city", ErrorCode::Required));
            assert_eq!(message, "missing; expected a string of 1 to 100 characters");
        }
    }

    #[test]
    fn a_tool_outside_of_the_registry_is_checked_too() {
        let flowers =
            parse::<SendFlowers>(r#"{"kinds":["rose","water-lily"],"height":0.5}"#).expect("it fits");
        assert_eq!(flowers.kinds, [Kind::Rose, Kind::WaterLily]);
        assert!(parse::<SendFlowers>("{}").is_err());
        assert_eq!(parse::<Untyped>(r#"{"any":[1]}"#), Ok(json!({"any": [1]})));
        assert!(parse::<Untyped>("[1]").is_err());
    }
}

mod refused {
    use super::*;

    #[test]
    fn no_json() {
        for (text, line, column, why) in [
            ("{", 1, 1, "EOF while parsing an object"),
            ("{\"city\":\"Hà", 1, 12, "EOF while parsing a string"),
            ("{\"city\":\"Huế\",}", 1, 17, "trailing comma"),
            ("{\"city\":\n Huế}", 2, 2, "expected value"),
            ("{'city':'x'}", 1, 2, "key must be a string"),
            ("{\"city\":\"x\"} {}", 1, 14, "trailing characters"),
            ("```json\n{\"city\":\"x\"}\n```", 1, 1, "expected value"),
            ("{\"city\":\"a\u{0}b\"}", 1, 11, "control character"),
            ("{\"city\":\"\\ud800\"}", 1, 16, "unexpected end of hex escape"),
            ("{\"days\":1e999,\"city\":\"x\"}", 1, 13, "number out of range"),
            ("{\"days\":03,\"city\":\"x\"}", 1, 10, "invalid number"),
            ("{\"city\":\"x\",\"days\":NaN}", 1, 20, "expected value"),
        ] {
            let (path, code, params, message) = one_error::<GetWeather>(text);
            assert_eq!((path.as_str(), code), ("", ErrorCode::InvalidInput), "{text}");
            assert_eq!(params["line"], line, "{text}: {message}");
            assert!(
                params["column"].as_u64().is_some_and(|at| at.abs_diff(column) <= 1),
                "{text}: {message}"
            );
            assert!(message.starts_with(&format!("not valid JSON at line {line} column ")), "{message}");
            assert!(message.contains(why), "{message}");
        }
        assert_eq!(errors::<GetWeather>(&"[".repeat(100_000))[0].code, ErrorCode::InvalidInput);
        assert_eq!(errors::<GetWeather>(&"{\"a\":".repeat(100_000))[0].code, ErrorCode::InvalidInput);
    }

    #[test]
    fn a_key_that_comes_twice() {
        let (_, code, _, message) = one_error::<GetWeather>(r#"{"city":"Huế","days":2,"city":"Vinh"}"#);
        assert_eq!(code, ErrorCode::InvalidInput);
        assert!(message.ends_with("the key \"city\" comes twice"), "{message}");
        // Also where one is written with escapes, and further down.
        let (_, _, _, message) = one_error::<GetWeather>(r#"{"city":"Huế","cit\u0079":"Vinh"}"#);
        assert!(message.ends_with("the key \"city\" comes twice"), "{message}");
        let nested = r#"{"kinds":["rose"],"card":{"text":"hi","copies":1,"text":"ho"}}"#;
        assert!(one_error::<SendFlowers>(nested).3.ends_with("the key \"text\" comes twice"));
    }

    #[test]
    fn no_object() {
        for (text, got) in [
            ("null", "null"),
            ("[1,2]", "the list [1,2]"),
            ("\"{}\"", "the string \"{}\""),
            ("12", "12"),
            ("true", "true"),
        ] {
            let (path, code, params, message) = one_error::<GetWeather>(text);
            assert_eq!((path.as_str(), code), ("", ErrorCode::WrongType));
            assert_eq!(params, json!({"expected": "object"}));
            assert_eq!(message, format!("expected an object, got {got}"));
        }
    }

    /// Every row: a value of one field, and the whole reason.
    #[test]
    fn one_field() {
        use ErrorCode::*;

        let long = "á".repeat(301);
        let people = "an integer from 1 to 20";
        let none = Value::Null;
        let expected = |word: &str| json!({"expected": word});
        let table = [
            ("partySize", json!("bốn"), WrongType, expected("integer"), format!("expected {people}, got the string \"bốn\"")),
            ("partySize", json!("4"), WrongType, expected("integer"), format!("expected {people}, got the string \"4\"")),
            ("partySize", json!(4.5), WrongType, expected("integer"), format!("expected {people}, got 4.5")),
            ("partySize", json!(4.0), WrongType, expected("integer"), format!("expected {people}, got 4.0; write it without a point")),
            ("partySize", json!(true), WrongType, expected("integer"), format!("expected {people}, got true")),
            ("partySize", none.clone(), WrongType, expected("integer"), format!("expected {people}, got null")),
            ("partySize", json!([4]), WrongType, expected("integer"), format!("expected {people}, got the list [4]")),
            ("partySize", json!({"n": 4}), WrongType, expected("integer"), format!("expected {people}, got the object {{\"n\":4}}")),
            ("partySize", json!(0), OutOfRange, json!({"min": 1, "max": 20}), format!("expected {people}, got 0")),
            ("partySize", json!(-3), OutOfRange, json!({"min": 1, "max": 20}), format!("expected {people}, got -3")),
            ("partySize", json!(21), OutOfRange, json!({"min": 1, "max": 20}), format!("expected {people}, got 21")),
            ("partySize", json!(u64::MAX), OutOfRange, json!({"min": 1, "max": 20}), format!("expected {people}, got 18446744073709551615")),
            ("startsAt", json!("tomorrow"), BadFormat, expected("date-time"), format!("expected {DATE_TIME}, got the string \"tomorrow\"")),
            ("startsAt", json!("2026-12-05T19:00:00"), BadFormat, expected("date-time"), format!("expected {DATE_TIME}, got the string \"2026-12-05T19:00:00\"")),
            ("startsAt", json!("2026-02-30T19:00:00Z"), BadFormat, expected("date-time"), format!("expected {DATE_TIME}, got the string \"2026-02-30T19:00:00Z\"")),
            ("startsAt", json!(""), BadFormat, expected("date-time"), format!("expected {DATE_TIME}, got the string \"\"")),
            ("startsAt", json!(7), WrongType, expected("date-time"), format!("expected {DATE_TIME}, got 7")),
            ("restaurantId", json!(""), Empty, none.clone(), "empty; expected a string of 1 to 100 characters".to_owned()),
            ("restaurantId", json!(17), WrongType, expected("string"), "expected a string of 1 to 100 characters, got 17".to_owned()),
            ("note", json!(long), TooLong, json!({"max": 300}), "expected a string of at most 300 characters, got 301 characters".to_owned()),
            ("note", none.clone(), WrongType, expected("string"), "expected a string of at most 300 characters, got null; leave it out where there is nothing to say".to_owned()),
            ("note", json!("a\u{0}b"), BadCharacters, json!({"character": "U+0000"}), "contains the control character U+0000, which cannot be kept".to_owned()),
            ("note", json!("a\r\nb"), BadCharacters, json!({"character": "U+000D"}), "contains the control character U+000D, which cannot be kept".to_owned()),
            ("note", json!("a\u{9b}b"), BadCharacters, json!({"character": "U+009B"}), "contains the control character U+009B, which cannot be kept".to_owned()),
        ];
        for (name, value, code, params, message) in table {
            let text = booking_with(name, value);
            assert_eq!(
                one_error::<CreateBooking>(&text),
                (format!("/{name}"), code, params, message),
                "{text}"
            );
        }
    }

    #[test]
    fn missing_and_unknown_fields() {
        let (path, code, params, message) =
            one_error::<CreateBooking>(&booking(|fields| drop(fields.remove("startsAt"))));
        assert_eq!((path.as_str(), code, params), ("/startsAt", ErrorCode::Required, Value::Null));
        assert_eq!(message, format!("missing; expected {DATE_TIME}"));

        let (path, code, params, message) = one_error::<GetWeather>(r#"{"city":"Huế","colour":"red"}"#);
        assert_eq!((path.as_str(), code), ("/colour", ErrorCode::UnknownField));
        assert_eq!(params, json!({"allowed": ["city", "days"]}));
        assert_eq!(message, "unknown field; allowed: city, days");

        let mut all: Vec<(String, ErrorCode)> = errors::<GetWeather>(r#"{"City":"Huế","a/b~":1}"#)
            .into_iter()
            .map(|e| (e.path, e.code))
            .collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        let unknown = ErrorCode::UnknownField;
        let expected = [("/City", unknown.clone()), ("/a~1b~0", unknown), ("/city", ErrorCode::Required)];
        assert_eq!(all, expected.map(|(path, code)| (path.to_owned(), code)));
    }

    #[test]
    fn nested_fields() {
        let with = |name: &str, value: Value| {
            let mut flowers = json!({"kinds": ["rose"]});
            flowers[name] = value;
            flowers.to_string()
        };
        let kinds = "one of \"rose\", \"water-lily\"";
        let table = [
            (
                with("kinds", json!(["rose", "tulip"])),
                "/kinds/1",
                ErrorCode::InvalidInput,
                format!("expected {kinds}, got the string \"tulip\""),
            ),
            (
                with("kinds", json!([])),
                "/kinds",
                ErrorCode::OutOfRange,
                "expected a list of 1 to 3 items, got the list []".to_owned(),
            ),
            (
                with("wrapping", json!("paper")),
                "/wrapping",
                ErrorCode::InvalidInput,
                format!("expected {kinds}, got the string \"paper\""),
            ),
            (
                with("card", json!({"text": "hi"})),
                "/card/copies",
                ErrorCode::Required,
                "missing; expected an integer from 1 to 65535".to_owned(),
            ),
            (
                with("card", json!({"text": "hi", "copies": 1, "ink": 0})),
                "/card/ink",
                ErrorCode::UnknownField,
                "unknown field; allowed: copies, text".to_owned(),
            ),
            (
                with("card", json!({"text": "h", "copies": 1})),
                "/card/text",
                ErrorCode::BadFormat,
                "expected a string of 2 to 5 characters, got the string \"h\"".to_owned(),
            ),
            (
                with("card", json!({"text": "hi", "copies": 2.0})),
                "/card/copies",
                ErrorCode::WrongType,
                "expected an integer from 1 to 65535, got 2.0; write it without a point".to_owned(),
            ),
            (
                with("card", json!({"text": "h\u{1}", "copies": 1})),
                "/card/text",
                ErrorCode::BadCharacters,
                "contains the control character U+0001, which cannot be kept".to_owned(),
            ),
            (
                with("height", json!(0.25)),
                "/height",
                ErrorCode::OutOfRange,
                "expected a number from 0.5 to 99.5, got 0.25".to_owned(),
            ),
            (
                with("anonymous", json!("yes")),
                "/anonymous",
                ErrorCode::WrongType,
                "expected true or false, got the string \"yes\"".to_owned(),
            ),
        ];
        for (text, path, code, message) in table {
            let (got_path, got_code, _, got_message) = one_error::<SendFlowers>(&text);
            assert_eq!((got_path.as_str(), got_code, got_message), (path, code, message), "{text}");
        }
    }

    #[test]
    fn several_at_once_and_never_more_than_eight() {
        let sloppy = r#"{"restaurantId":"","partySize":"bốn","note":null,"vip":true}"#;
        let mut codes: Vec<(String, ErrorCode)> =
            errors::<CreateBooking>(sloppy).into_iter().map(|error| (error.path, error.code)).collect();
        codes.sort_by(|a, b| a.0.cmp(&b.0));
        let expected = [
            ("/note", ErrorCode::WrongType),
            ("/partySize", ErrorCode::WrongType),
            ("/restaurantId", ErrorCode::Empty),
            ("/startsAt", ErrorCode::Required),
            ("/vip", ErrorCode::UnknownField),
        ];
        assert_eq!(codes, expected.map(|(path, code)| (path.to_owned(), code)));

        let invented: Map<String, Value> = (0..500).map(|n| (format!("field{n}"), json!(n))).collect();
        assert_eq!(errors::<GetWeather>(&Value::Object(invented).to_string()).len(), 8);
        let kinds = json!({"kinds": vec!["\u{0}"; 500]}).to_string();
        assert_eq!(errors::<SendFlowers>(&kinds).len(), 8);
    }
}

mod for_the_model {
    use super::*;

    #[test]
    fn a_reason_a_line_and_what_to_do() {
        let refused = parse::<CreateBooking>(&booking_with("partySize", json!("bốn"))).expect_err("a word");
        let expected = "Nothing was run: the arguments of createBooking were refused.\n\
             `/partySize`: expected an integer from 1 to 20, got the string \"bốn\"\n\
             Call the tool again with corrected arguments.";
        assert_eq!(refused.for_model("createBooking"), expected);
        assert_eq!(
            refused.to_string(),
            "`/partySize`: expected an integer from 1 to 20, got the string \"bốn\"",
        );

        let missing = parse::<CreateBooking>(r#"{"restaurantId":"r-1"}"#).expect_err("two are missing");
        let text = missing.for_model("createBooking");
        assert!(text.contains("`/partySize`: missing; expected an integer from 1 to 20\n"), "{text}");
        assert!(text.contains(&format!("`/startsAt`: missing; expected {DATE_TIME}\n")), "{text}");

        let cut = parse::<GetWeather>("{\"city\":\"Hu").expect_err("it is cut");
        let text = cut.for_model("getWeather");
        assert!(
            text.contains("\nnot valid JSON at line 1 column 11: EOF while parsing a string\n"),
            "{text}"
        );
        let list = parse::<GetWeather>("[]").expect_err("a list");
        let text = list.for_model("getWeather");
        assert!(text.contains("\nthe arguments: expected an object, got the list []\n"), "{text}");
    }

    #[test]
    fn long_and_hidden_things_are_not_repeated() {
        let long = "x".repeat(10_000);
        let (_, _, _, message) = one_error::<CreateBooking>(&booking_with("startsAt", json!(long)));
        assert!(message.ends_with(&format!("got the string \"{}…\"", "x".repeat(40))), "{message}");

        let hidden = booking_with("startsAt", json!("a\u{202e}b\u{2066}"));
        let (_, _, _, message) = one_error::<CreateBooking>(&hidden);
        assert!(message.ends_with("got the string \"ab\""), "{message}");

        let name = format!("{}\n\u{0}\u{202e}", "y".repeat(9_000));
        let refused = parse::<CreateBooking>(&booking_with(&name, json!(1))).expect_err("an invented name");
        let text = refused.for_model("createBooking");
        assert!(text.len() < 600, "{}", text.len());
        assert!(!text.contains(['\u{0}', '\u{202e}']));

        let twice = format!("{{\"{long}\":1,\"{long}\":2}}");
        assert!(parse::<GetWeather>(&twice).expect_err("twice").for_model("getWeather").len() < 300);
    }
}

fn some_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..30i64).prop_map(Value::from),
        (0..60i32).prop_map(|n| Value::from(f64::from(n) / 2.0)),
        any::<String>().prop_map(Value::from),
        Just(json!(["rose", "water-lily"])),
        prop::sample::select(vec![
            "2026-12-05T19:00:00+07:00",
            "2026-12-05 19:00:00Z",
            "2026-06-30T23:59:60Z",
            "24:00",
            "r-1",
            ""
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            prop::collection::btree_map("[a-c]", inner, 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Objects that are close to what the tools take.
fn some_arguments() -> impl Strategy<Value = Value> {
    let names = ["restaurantId", "partySize", "startsAt", "note", "city", "days", "cuisine", "kinds", "x"];
    let fields = prop::collection::btree_map(prop::sample::select(names.to_vec()), some_value(), 0..6);
    let good = json!({"restaurantId": "r-1", "partySize": 4, "startsAt": "2026-12-05T19:00:00+07:00"});
    (fields, any::<bool>()).prop_map(move |(fields, from_good)| {
        let mut arguments = if from_good { good.clone() } else { json!({}) };
        for (name, value) in fields.into_iter().take(if from_good { 2 } else { 6 }) {
            arguments[name] = value;
        }
        arguments
    })
}

/// They are taken out of every text.
const DIRECTION_MARKS: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

#[test]
fn marks_that_turn_the_direction_of_text_are_taken_out() {
    let note = DIRECTION_MARKS.iter().fold("live".to_owned(), |note, mark| format!("{note}{mark}"));
    let arguments =
        json!({"restaurantId": "r-1", "partySize": 4, "startsAt": "2026-12-05T19:00:00+07:00", "note": note});
    assert_eq!(parse::<CreateBooking>(&arguments.to_string()).expect("valid").note.as_deref(), Some("live"));
}

/// What is taken is what serde reads from the same text; what is refused has its reasons.
fn check<T: Tool>(text: &str) -> Result<(), TestCaseError> {
    match parse::<T>(text) {
        Ok(input) => {
            let blank = text.trim().is_empty();
            let text = text.replace(DIRECTION_MARKS, "");
            let read: T::Input = serde_json::from_str(if blank { "{}" } else { &text })
                .map_err(|error| TestCaseError::fail(format!("{text} was taken: {error}")))?;
            prop_assert_eq!(&read, &input);
            let again = serde_json::to_string(&input).expect("JSON");
            prop_assert_eq!(parse::<T>(&again), Ok(input));
        }
        Err(refused) => {
            prop_assert!((1..=8).contains(&refused.errors.len()));
            for error in &refused.errors {
                prop_assert!(error.path.is_empty() || error.path.starts_with('/'), "{:?}", error);
                prop_assert!(!error.message.is_empty());
                prop_assert!(!error.path.contains('\0') && !error.message.contains('\0'));
            }
            let told = refused.for_model(T::NAME);
            prop_assert!(told.ends_with("\nCall the tool again with corrected arguments."));
            prop_assert!(told.len() < 4_000, "{}", told);
        }
    }
    Ok(())
}

fn check_all(text: &str) -> Result<(), TestCaseError> {
    check::<GetWeather>(text)?;
    check::<FindTables>(text)?;
    check::<CreateBooking>(text)?;
    check::<SendFlowers>(text)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_survived(text in any::<String>(), json_like in "[{}\\[\\]\",:\\\\acity0-9eE+. -]{0,30}") {
        check_all(&text)?;
        check_all(&json_like)?;
    }

    #[test]
    fn any_arguments_are_judged_as_serde_judges(arguments in some_arguments(), cut in any::<prop::sample::Index>()) {
        let text = arguments.to_string();
        check_all(&text)?;
        let at = text.char_indices().map(|(at, _)| at).nth(cut.index(text.chars().count())).unwrap_or(0);
        check_all(&text[..at])?;
    }

    #[test]
    fn every_valid_input_comes_back(
        restaurant_id in "[a-zđ0-9-]{1,100}",
        party_size in 1..=20u8,
        minutes in 0..2_000_000i64,
        offset in -12..=14i32,
        note in prop::option::of("[^\\p{Cc}\\p{Cf}]{0,300}"),
    ) {
        let offset = chrono::FixedOffset::east_opt(offset * 3600).expect("an offset");
        let starts_at = chrono::DateTime::from_timestamp(1_790_000_000 + minutes * 60, 0).expect("a time");
        let input = CreateBookingInput { restaurant_id, party_size, starts_at: starts_at.with_timezone(&offset), note };
        let text = serde_json::to_string(&input).expect("JSON");
        prop_assert_eq!(parse::<CreateBooking>(&text), Ok(input));
    }
}
