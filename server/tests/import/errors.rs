//! Files that are wrong: everything is told, nothing is imported.

use serde_json::{Value, json};

use super::operator::{Operator, Said, restaurant, with};

/// The errors of a file, as (line, path, message).
fn errors(said: &Said) -> Vec<(u64, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let errors = said.json()["errors"].as_array().unwrap().clone();
    errors
        .iter()
        .map(|error| (error["line"].as_u64().unwrap(), text(&error["path"]), text(&error["message"])))
        .collect()
}

/// The messages about one restaurant whose fields are these, by the last steps of their paths.
fn told(fields: Value) -> Vec<(String, String)> {
    let said = Operator::new().import(&[with(restaurant("a"), fields)], &["--json"]).expect(1);
    errors(&said)
        .into_iter()
        .map(|(_, path, message)| (path.replace("/restaurants/0/", ""), message))
        .collect()
}

#[track_caller]
fn assert_told(fields: Value, path: &str, words: &str) {
    let told = told(fields.clone());
    assert!(
        told.iter().any(|(at, message)| at == path && message.contains(words)),
        "{words:?} at {path} for {fields}: {told:#?}"
    );
    assert_eq!(told.len(), 1, "{told:#?}");
}

const MANY: &str = r#"{
  "restaurants": [
    {
      "id": "first one",
      "name": "Nul\u0000",
      "city": " ",
      "address": "evil\u202ephp",
      "cuisine": 7,
      "contact": "x",
      "timeZone": "Asia/Hanoi",
      "seats": 0,
      "tables": [],
      "hours": [
        { "weekdays": ["monday", "funday"], "opens": "9:00", "closes": "24:00" },
        { "weekdays": ["sunday"], "opens": "10:00", "closes": "02:00" },
        {
          "weekdays": [
            "tuesday",
            "monday"
          ],
          "opens": "01:30",
          "closes": "12:00"
        }
      ],
      "closedDays": [
        { "date": "2026-02-30" },
        { "from": "2026-12-26",
          "to": "2026-12-24" },
        { "from": "2027-01-01", "to": "2027-01-10" },
        { "date": "2027-01-05" },
        {},
        7
      ],
      "stars": 5,
      "contact": "again"
    },
    { "id": "second" },
    {
      "id": "second"
    }
  ],
  "menus": []
}
"#;

#[test]
fn every_error_of_a_file_is_told_at_once_with_its_path_and_line() {
    let operator = Operator::with_file();
    let said = operator.run(&["-", "--json"], MANY.as_bytes()).expect(1);
    let errors = errors(&said);
    for (line, path, words) in [
        (4, "/restaurants/0/id", "letters"),
        (5, "/restaurants/0/name", "NUL"),
        (6, "/restaurants/0/city", "empty"),
        (7, "/restaurants/0/address", "U+202E"),
        (8, "/restaurants/0/cuisine", "got 7"),
        (10, "/restaurants/0/timeZone", "Asia/Ho_Chi_Minh"),
        (11, "/restaurants/0/seats", "from 1 to 10000, got 0"),
        (12, "/restaurants/0/tables", "either seats or tables"),
        (14, "/restaurants/0/hours/0/weekdays/1", "\"sunday\""),
        (14, "/restaurants/0/hours/0/opens", "09:30"),
        (14, "/restaurants/0/hours/0/closes", "00:00 for midnight"),
        // The night of Sunday reaches into Monday.
        (19, "/restaurants/0/hours/2/weekdays/1", "overlaps with sunday 10:00 to 02:00 at line 15"),
        (26, "/restaurants/0/closedDays/0/date", "no day 2026-02-30"),
        (28, "/restaurants/0/closedDays/1/to", "before 2026-12-26"),
        (30, "/restaurants/0/closedDays/3", "closed by line 29 already (until 2027-01-10)"),
        (31, "/restaurants/0/closedDays/4", "either date, or from and to"),
        (32, "/restaurants/0/closedDays/5", "expected an object, got 7"),
        (34, "/restaurants/0/stars", "unknown field"),
        (35, "/restaurants/0/contact", "twice"),
        (37, "/restaurants/1/name", "missing"),
        (37, "/restaurants/1/seats", "or tables"),
        (39, "/restaurants/2/id", "another restaurant already, at line 37"),
        (42, "/menus", "unknown field"),
    ] {
        assert!(
            errors.iter().any(|(at, p, message)| *at == line && p == path && message.contains(words)),
            "{words:?} at {path} in line {line}: {errors:#?}"
        );
        // For people, too.
        let begin = format!("line {line}, column ");
        let mut lines = said.stderr.lines();
        assert!(
            lines.any(|l| l.starts_with(&begin) && l.contains(&format!("{path}: ")) && l.contains(words)),
            "{words:?} at {path} in {}",
            said.stderr
        );
    }
    assert!(errors.is_sorted_by_key(|(line, ..)| *line), "{errors:#?}");
    assert_eq!(said.stderr.lines().count(), errors.len() + 1);
    assert!(said.stderr.starts_with(&format!("truthtable: standard input has {} errors", errors.len())));
    assert!(said.stderr.contains("nothing was changed"));
    // Not even a database was made.
    assert!(!operator.database_file().exists());
}

#[tokio::test]
async fn one_error_among_good_restaurants_leaves_everything_as_it_was() {
    let operator = Operator::new();
    operator.import(&[restaurant("a")], &[]).expect(0);
    let before = operator.dump().await;
    let changed = with(restaurant("a"), json!({ "name": "Another" }));
    let wrong = with(restaurant("c"), json!({ "seats": -1 }));
    let said = operator.import(&[changed, restaurant("b"), wrong], &["--remove-others"]).expect(1);
    assert_eq!(said.stdout, "");
    assert!(said.stderr.contains("/restaurants/2/seats: expected an integer from 1 to 10000, got -1"));
    assert_eq!(operator.dump().await, before);
}

#[test]
fn each_rule_has_its_own_sentence() {
    let hours = |opens: &str, closes: &str| json!({ "hours": [{ "weekdays": ["monday"], "opens": opens, "closes": closes }] });
    for (fields, path, words) in [
        (json!({ "seats": null }), "seats", "give seats, for example 40, or tables"),
        (json!({ "seats": 2.5 }), "seats", "got 2.5"),
        (json!({ "seats": "40" }), "seats", "got the string \"40\""),
        (json!({ "seats": 1e300 }), "seats", "from 1 to 10000"),
        (json!({ "seats": null, "tables": [{ "seats": 1000, "count": 11 }] }), "tables", "have 11000 seats"),
        (json!({ "seats": null, "tables": [{ "seats": 0, "count": 1 }] }), "tables/0/seats", "got 0"),
        (json!({ "seats": null, "tables": [] }), "tables", "at least one"),
        (json!({ "hours": [] }), "hours", "at least one"),
        (hours("10:00", "10:00"), "hours/0/closes", "round the clock"),
        (hours("10:00", "10:59"), "hours/0/closes", "nobody could come"),
        (hours("23:30", "00:15"), "hours/0/closes", "nobody could come"),
        (hours("10:00", "25:00"), "hours/0/closes", "from 00:00 to 23:59"),
        (hours("10:00:30", "12:00"), "hours/0/opens", "from 00:00 to 23:59"),
        (
            json!({ "hours": [{ "weekdays": ["monday", "monday"], "opens": "10:00", "closes": "12:00" }] }),
            "hours/0/weekdays/1",
            "overlaps with monday",
        ),
        (json!({ "closedDays": [{ "date": "24.12.2026" }] }), "closedDays/0/date", "such as 2026-12-24"),
        (json!({ "closedDays": [{ "date": "2027-02-29" }] }), "closedDays/0/date", "no day 2027-02-29"),
        (json!({ "closedDays": [{ "from": "2027-02-01" }] }), "closedDays/0/to", "missing beside from"),
        (json!({ "closedDays": [{ "to": "2027-02-01" }] }), "closedDays/0/from", "missing beside to"),
        (
            json!({ "closedDays": [{ "date": "2027-02-01", "to": "2027-02-02" }] }),
            "closedDays/0",
            "a date beside from or to",
        ),
        (
            json!({ "closedDays": [{ "date": "2027-02-01" }, { "date": "2027-02-01" }] }),
            "closedDays/1",
            "already",
        ),
        (json!({ "timeZone": "+07:00" }), "timeZone", "no time zone \"+07:00\""),
        (json!({ "id": "a:b" }), "id", "letters"),
        (json!({ "id": "" }), "id", "letters"),
        (json!({ "id": "x".repeat(65) }), "id", "at most 64"),
        (json!({ "name": "x".repeat(201) }), "name", "1 to 200 characters, got 201"),
        (json!({ "name": null }), "name", "missing"),
        (json!({ "name": "two\nlines" }), "name", "a line break"),
        (json!({ "name": "a\tb" }), "name", "a tab"),
        (json!({ "name": "bell\u{7}" }), "name", "U+0007, a control character"),
        (json!({ "name": "\u{200f}مطعم" }), "name", "U+200F, a character that turns the direction"),
        (json!({ "name": "zero\u{200b}width" }), "name", "an invisible character"),
        (json!({ "name": "tag\u{e0041}" }), "name", "an invisible character"),
        (json!({ "name": "\u{200d}\u{301}" }), "name", "no visible character"),
        (json!({ "name": "lost \u{fffd}" }), "name", "lost"),
        (json!({ "closedDays": [{ "date": "2027-02-01", "reason": "" }] }), "closedDays/0/reason", "empty"),
    ] {
        assert_told(fields, path, words);
    }
}

#[test]
fn what_is_no_json_is_told_with_the_line_of_the_mistake() {
    let operator = Operator::with_file();
    for (file, line, words) in [
        (&b""[..], 1, "the file is empty"),
        (b" \n\n ", 1, "the file is empty"),
        (b"\xef\xbb\xbf", 1, "the file is empty"),
        (b"[]", 1, "expected an object"),
        (b"null", 1, "expected an object"),
        (b"{\"restaurants\": [\n {\"id\": \"a\",}\n]}", 2, "a comma stands before"),
        (b"{\"restaurants\": [\n {\"id\": \"a\"}\n {\"id\": \"b\"}\n]}", 3, "expected a comma"),
        (b"{\"restaurants\": [\n {\"id\": \"a\"\n\n\n", 2, "a } is missing"),
        (b"{\"restaurants\": [\n {\"id\": \"a\n\"}]}", 2, "line break"),
        (b"{\n'restaurants': []}", 2, "the name of a field"),
        (b"{\"restaurants\"\n[]}", 2, "expected a :"),
        (b"{\"restaurants\": []}\n{}", 2, "something comes after the end"),
        (b"{\"restaurants\": NaN}", 1, "expected a value"),
        (b"// mine\n{}", 1, "expected a value"),
        (b"{\n\"a\": 1e999}", 2, "out of range"),
        (b"{\n\n\"\xff\": 1}", 3, "not UTF-8"),
        (b"\xff\xfe{\0}\0", 1, "UTF-16"),
        (b"\xfe\xff\0{\0}", 1, "UTF-16"),
        (b"{\"a\": \"\\ud800\"}", 1, "not valid JSON"),
    ] {
        let said = operator.run(&["-", "--json"], file).expect(1);
        let errors = errors(&said);
        let shown = String::from_utf8_lossy(file);
        assert!(errors[0].0 == line && errors[0].2.contains(words), "{words} for {shown:?}: {errors:?}");
    }
    let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
    assert!(operator.run(&["-"], &deep).expect(1).stderr.contains("brackets inside of each other"));
    assert!(!operator.database_file().exists());
}

#[test]
fn a_byte_order_mark_before_the_file_does_no_harm() {
    let file = json!({ "restaurants": [restaurant("a")] }).to_string();
    let operator = Operator::new();
    let said = operator.run(&["-", "--json"], &[b"\xef\xbb\xbf", file.as_bytes()].concat()).expect(0);
    assert_eq!(said.json()["added"][0]["restaurantId"], "a");
}

#[test]
fn what_a_stranger_wrote_cannot_control_the_terminal() {
    let operator = Operator::new();
    let file = "{\"\\u001b[31mred\\u202e\\n\": 1, \"restaurants\": [{\"id\": \"\\u001b[2J\\u0007\"}]}";
    let said = operator.run(&["-"], file.as_bytes()).expect(1);
    assert!(said.stderr.contains("unknown field"), "{}", said.stderr);
    for line in said.stderr.lines() {
        assert!(!line.chars().any(|c| c.is_control() || c == '\u{202e}'), "{line:?}");
    }
}

#[test]
fn what_cannot_be_tried_ends_with_two() {
    let operator = Operator::with_file();
    let said = operator.run(&["nothing-here.json"], b"").expect(2);
    assert!(said.stderr.contains("nothing-here.json cannot be read"), "{}", said.stderr);
    assert!(operator.run(&["."], b"").expect(2).stderr.contains("cannot be read"));
    assert!(operator.run(&[], b"").expect(2).stderr.contains("Name a FILE.json"));

    std::fs::create_dir(operator.folder.path().join("data")).unwrap();
    std::fs::write(operator.database_file(), "no database, but a letter to my aunt ".repeat(100)).unwrap();
    for options in [&[][..], &["--dry-run"]] {
        let said = operator.import(&[restaurant("a")], options).expect(2);
        assert!(said.stderr.contains("DATABASE_URL"), "{}", said.stderr);
        assert_eq!(said.stdout, "");
    }
}
