//! Unfinished arguments: what shows, and that nothing else does.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};
use shared::partial::{PartialView, parse};

#[test]
fn what_shows() {
    let table = [
        // Nothing yet.
        ("", json!({})),
        ("  ", json!({})),
        ("{", json!({})),
        // An unfinished key.
        (r#"{"ci"#, json!({})),
        (r#"{"city"#, json!({})),
        (r#"{"city""#, json!({})),
        (r#"{"city":"#, json!({})),
        (r#"{"city1"#, json!({})),
        (r#"{"a":"x","ci"#, json!({"a": "x"})),
        // The start of a text.
        (r#"{"city":""#, json!({"city": ""})),
        (r#"{"city":"H"#, json!({"city": "H"})),
        (r#"{"city":"Hà"#, json!({"city": "Hà"})),
        (r#"{"city":"Hà Nội"#, json!({"city": "Hà Nội"})),
        (r#"{"city":"Hà Nội""#, json!({"city": "Hà Nội"})),
        (r#"{"city":"Hà Nội","#, json!({"city": "Hà Nội"})),
        // Digits inside a text are no number.
        (r#"{"startsAt":"2026-12-05T19"#, json!({"startsAt": "2026-12-05T19"})),
        (r#"{"note":"a \"table\" for 4"#, json!({"note": "a \"table\" for 4"})),
        (r#"{"note":"\\","people":4"#, json!({"note": "\\"})),
        // An unfinished number.
        (r#"{"days":3"#, json!({})),
        (r#"{"days":-"#, json!({})),
        (r#"{"days":-3"#, json!({})),
        (r#"{"days":3."#, json!({})),
        (r#"{"days":3.5e"#, json!({})),
        (r#"{"days":3.5e+"#, json!({})),
        (r#"{"days":3.5e+2"#, json!({})),
        (r#"{"days":3 "#, json!({"days": 3})),
        (r#"{"days":3,"#, json!({"days": 3})),
        (r#"{"days":3}"#, json!({"days": 3})),
        (r#"{"city":"Huế","days":1"#, json!({"city": "Huế"})),
        // An unfinished literal.
        (r#"{"a":t"#, json!({})),
        (r#"{"a":tru"#, json!({})),
        (r#"{"a":true"#, json!({"a": true})),
        (r#"{"a":fals"#, json!({})),
        (r#"{"a":nul"#, json!({})),
        (r#"{"a":null"#, json!({"a": null})),
        // Inside lists and objects.
        (r#"{"a":["#, json!({"a": []})),
        (r#"{"a":["x","y"#, json!({"a": ["x", "y"]})),
        (r#"{"a":[1,2"#, json!({"a": [1]})),
        (r#"{"a":{"b":"c"#, json!({"a": {"b": "c"}})),
        (r#"{"a":{"b"#, json!({"a": {}})),
        // Where the text stops being JSON, what came before still shows.
        (r#"{"city":"Huế",days:3}"#, json!({"city": "Huế"})),
        (r#"{"city":"Huế","days":three}"#, json!({"city": "Huế"})),
        (r#"{"city":"Huế","days":03}"#, json!({"city": "Huế"})),
        (r#"{"city":"Huế","days":1e999,"#, json!({"city": "Huế"})),
        (r#"{"city":"Huế"} and so on"#, json!({"city": "Huế"})),
        // What is no object.
        ("[1,2]", json!({})),
        ("\"city\"", json!({})),
        ("12", json!({})),
        ("Sure! {\"city\":", json!({})),
    ];
    for (text, expected) in table {
        assert_eq!(Value::Object(parse(text)), expected, "{text}");
    }
}

/// A cut inside an escape shows the text before it, and never half a character.
#[test]
fn escapes_cut_in_the_middle() {
    let whole = r#"{"note":"a\n\"b\u00e0\ud83d\ude00c"}"#;
    let full = "a\n\"bà😀c";
    for end in 0..=whole.len() {
        let fields = parse(&whole[..end]);
        let note = fields.get("note").map_or("", |note| note.as_str().expect("a text"));
        assert!(full.starts_with(note), "{:?} shows {note:?}", &whole[..end]);
    }
    assert_eq!(parse(whole)["note"], full);
    assert_eq!(parse(r#"{"note":"a\"#)["note"], "a");
    assert_eq!(parse(r#"{"note":"a\u00"#)["note"], "a");
    assert_eq!(parse(r#"{"note":"a\ud83d"#)["note"], "a");
    assert_eq!(parse(r#"{"note":"a\ud83d\ud"#)["note"], "a");
}

#[test]
fn extreme_documents() {
    let deep = "{\"a\":".repeat(10_000);
    parse(&deep);
    parse(&"[".repeat(100_000));
    let long = format!("{{\"note\":\"{}", "á".repeat(100_000));
    assert_eq!(parse(&long)["note"].as_str().map(str::len), Some(200_000));
    assert_eq!(Value::Object(parse(r#"{"n":18446744073709551615,"city":"Hà"#))["city"], "Hà");
}

fn document() -> impl Strategy<Value = Map<String, Value>> {
    let number = prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<u64>().prop_map(Number::from),
        any::<i32>().prop_map(|n| Number::from_f64(f64::from(n) / 4.0).expect("finite")),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number.prop_map(Value::Number),
        any::<String>().prop_map(Value::String),
        "[a-zà-ỹ0-9 \"\\\\\n:{}\\[\\],.eE+-]{0,12}".prop_map(Value::String),
    ];
    let value = leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    });
    prop::collection::btree_map(".{0,6}", value, 0..5).prop_map(|fields| fields.into_iter().collect())
}

/// As models write it: plain, spaced out, or with every character beyond ASCII escaped.
fn written(document: &Map<String, Value>, style: u8) -> String {
    match style {
        0 => serde_json::to_string(document).expect("JSON"),
        1 => serde_json::to_string_pretty(document).expect("JSON"),
        _ => {
            let plain = serde_json::to_string(document).expect("JSON");
            let mut units = [0; 2];
            let mut escaped = String::new();
            for c in plain.chars() {
                if c.is_ascii() {
                    escaped.push(c);
                } else {
                    for unit in c.encode_utf16(&mut units) {
                        escaped.push_str(&format!("\\u{unit:04x}"));
                    }
                }
            }
            escaped
        }
    }
}

/// Whether what shows may become this: texts and lists grow, fields come, nothing changes or goes.
fn grows_into(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::String(before), Value::String(after)) => after.starts_with(before.as_str()),
        (Value::Array(before), Value::Array(after)) => {
            before.len() <= after.len() && before.iter().zip(after).all(|(b, a)| grows_into(b, a))
        }
        (Value::Object(before), Value::Object(after)) => {
            before.iter().all(|(key, before)| after.get(key).is_some_and(|after| grows_into(before, after)))
        }
        (before, after) => before == after,
    }
}

fn prefixes(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, _)| &text[..at]).chain([text])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_prefix_only_grows_into_the_whole(document in document(), style in 0..3u8) {
        let text = written(&document, style);
        let mut before = Value::Object(Map::new());
        for prefix in prefixes(&text) {
            let shows = Value::Object(parse(prefix));
            prop_assert!(grows_into(&before, &shows), "{} then {} at {}", before, shows, prefix);
            before = shows;
        }
        prop_assert_eq!(before, Value::Object(document));
    }

    #[test]
    fn a_view_shows_what_a_parse_showed_not_long_ago(document in document(), style in 0..3u8) {
        let text = written(&document, style);
        let mut view = PartialView::default();
        let mut shown = (0, Map::new());
        for prefix in prefixes(&text) {
            if view.update(prefix) {
                shown = (prefix.len(), parse(prefix));
            }
            prop_assert_eq!(view.fields(), &shown.1);
            // At most an eighth behind.
            prop_assert!(prefix.len() <= 256 || prefix.len() - shown.0 <= prefix.len() / 8 + 1);
        }
    }

    #[test]
    fn any_text_is_survived(text in any::<String>(), json_like in "[{}\\[\\]\",:\\\\utrfalsen0-9eE+. -]{0,40}") {
        parse(&text);
        for prefix in prefixes(&json_like) {
            parse(prefix);
        }
    }
}
