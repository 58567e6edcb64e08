//! Files of any kind: never a panic, and the line is right.

use proptest::prelude::*;
use serde_json::{Value, json};
use server::import::check::read;

use super::operator::{restaurant, with};

/// Any JSON, with the names of our fields among its own.
fn any_json() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        any::<String>(),
        prop::sample::select(vec!["monday", "10:00", "2026-12-24", "2026-02-30", "Asia/Ho_Chi_Minh", "a"])
            .prop_map(str::to_owned),
    ];
    let name = prop_oneof![
        any::<String>(),
        prop::sample::select(vec![
            "restaurants",
            "id",
            "name",
            "city",
            "address",
            "cuisine",
            "contact",
            "timeZone",
            "seats",
            "tables",
            "hours",
            "closedDays",
            "weekdays",
            "opens",
            "closes",
            "date",
            "from",
            "to",
            "reason",
            "count",
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-3_i64..20).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 80, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(name.clone(), inner, 0..8).prop_map(Value::from_iter),
        ]
    })
}

/// A good restaurant in which one field is anything.
fn almost_good() -> impl Strategy<Value = Value> {
    let field = prop::sample::select(vec![
        "id",
        "name",
        "city",
        "timeZone",
        "seats",
        "tables",
        "hours",
        "closedDays",
        "extra",
    ]);
    (field, any_json()).prop_map(|(field, value)| with(restaurant("a"), json!({ field: value })))
}

fn line_of(text: &str, marker: &str) -> usize {
    text.lines().position(|line| line.contains(marker)).unwrap() + 1
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>()) {
        let problems = read(&bytes).unwrap_err();
        prop_assert!(!problems.is_empty());
        prop_assert!(problems.iter().all(|problem| problem.line >= 1 && problem.column >= 1));
    }

    #[test]
    fn no_json_makes_it_panic(file in any_json()) {
        let _ = read(file.to_string().as_bytes());
        let _ = read(json!({ "restaurants": file }).to_string().as_bytes());
        let _ = read(json!({ "restaurants": [file] }).to_string().as_bytes());
    }

    #[test]
    fn what_is_almost_good_is_good_or_told_without_control_characters(one in almost_good()) {
        let file = serde_json::to_string_pretty(&json!({ "restaurants": [one, restaurant("b")] })).unwrap();
        if let Err(problems) = read(file.as_bytes()) {
            let lines = file.lines().count();
            for problem in &problems {
                prop_assert!(problem.line <= lines, "{problem:?}");
                prop_assert!(problem.path.is_empty() || problem.path.starts_with("/restaurants/0"), "{problem:?}");
                prop_assert!(!problem.path.contains(char::is_control), "{problem:?}");
                prop_assert!(!problem.message.contains(char::is_control), "{problem:?}");
            }
        }
    }

    #[test]
    fn a_cut_file_is_told_at_its_end(cut in 1_usize..1000) {
        let file = serde_json::to_string_pretty(&json!({ "restaurants": [restaurant("a")] })).unwrap();
        let mut end = cut % (file.len() - 1) + 1;
        while !file.is_char_boundary(end) {
            end -= 1;
        }
        let problems = read(&file.as_bytes()[..end]).unwrap_err();
        prop_assert_eq!(problems.len(), 1);
        prop_assert_eq!(problems[0].line, file[..end].trim_end().lines().count(), "{:?}", problems);
    }

    #[test]
    fn the_line_of_each_error_is_the_one_it_stands_in(
        wrong in prop::collection::btree_set(0_usize..8, 1..4),
        newline in prop::sample::select(vec!["\n", "\r\n"]),
        blank in "[ \t]{0,3}",
    ) {
        let restaurants: Vec<Value> = (0..8)
            .map(|number| {
                let good = restaurant(&format!("r{number}"));
                if wrong.contains(&number) { with(good, json!({ "timeZone": format!("Bad/Zone{number}") })) } else { good }
            })
            .collect();
        let file = serde_json::to_string_pretty(&json!({ "restaurants": restaurants })).unwrap();
        let file = file.replace('\n', &format!("{blank}{newline}{newline}"));
        let problems = read(file.as_bytes()).unwrap_err();
        let told: Vec<_> = problems.iter().map(|p| (p.path.clone(), p.line)).collect();
        let expected: Vec<_> = wrong
            .iter()
            .map(|number| {
                (format!("/restaurants/{number}/timeZone"), line_of(&file, &format!("Bad/Zone{number}\"")))
            })
            .collect();
        prop_assert_eq!(told, expected);
    }
}
