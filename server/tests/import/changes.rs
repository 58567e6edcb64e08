//! What an import changes, and that it says exactly that.

use serde_json::{Value, json};
use server::db;
use sqlx::migrate::Migrator;
use unicode_normalization::UnicodeNormalization;

use super::operator::{Operator, restaurant, with};
use crate::support::Server;

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|named| named["restaurantId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_file_is_imported_and_the_second_time_nothing_changes() {
    let operator = Operator::new();
    let file = operator.folder.path().join("mine.json");
    let restaurants = json!({ "restaurants": [restaurant("b"), restaurant("a")] });
    std::fs::write(&file, restaurants.to_string()).unwrap();

    let said = operator.run(&["mine.json"], b"").expect(0);
    assert!(said.stdout.starts_with("mine.json: imported."), "{}", said.stdout);
    assert!(said.stdout.contains("added: 2\n  a  Bến Thuyền, Vũng Tàu\n  b  "), "{}", said.stdout);
    assert_eq!(said.stderr, "");
    let first = operator.dump().await;
    assert!(first.contains(
        &"a|Bến Thuyền|Vũng Tàu|12 Đường Sóng Vỗ|Hải sản|0254 5550 112|Asia/Ho_Chi_Minh|40".to_owned()
    ));
    assert_eq!(first.iter().filter(|row| row.starts_with("a|") && row.ends_with("|600|1320")).count(), 7);

    let again = operator.run(&["mine.json"], b"").expect(0);
    assert!(again.stdout.starts_with("mine.json: everything is as it was."), "{}", again.stdout);
    assert!(again.stdout.contains("unchanged: 2"), "{}", again.stdout);
    assert_eq!(operator.dump().await, first);
}

#[tokio::test]
async fn what_is_written_otherwise_and_means_the_same_is_no_change() {
    let operator = Operator::new();
    let tables = json!([{ "seats": 2, "count": 5 }, { "seats": 6, "count": 5 }]);
    let holidays = json!([{ "date": "2027-09-02" }, { "from": "2027-02-05", "to": "2027-02-06" }]);
    let one = with(restaurant("a"), json!({ "closedDays": holidays, "city": "TP. Hồ Chí Minh" }));
    operator.import(std::slice::from_ref(&one), &[]).expect(0);
    let other = with(
        one,
        json!({
            "name": format!("  {}\u{a0} ", "Bến   Thuyền".nfd().collect::<String>()),
            "city": "Saigon",
            "seats": null,
            "tables": tables,
            "hours": [
                { "weekdays": ["sunday", "saturday"], "opens": "10:00", "closes": "22:00" },
                { "weekdays": ["monday", "tuesday", "wednesday", "thursday", "friday"], "opens": "10:00", "closes": "22:00" },
            ],
            "closedDays": [
                { "from": "2027-02-05", "to": "2027-02-06" },
                { "from": "2027-09-02", "to": "2027-09-02" },
            ],
        }),
    );
    let report = operator.imported(&[other], &[]);
    assert_eq!(ids(&report["unchanged"]), ["a"], "{report:#}");
}

#[tokio::test]
async fn a_change_is_told_field_by_field_with_before_and_after() {
    let operator = Operator::new();
    operator.import(&[restaurant("a"), restaurant("same")], &[]).expect(0);
    let changed = with(
        restaurant("a"),
        json!({
            "name": "Bến Mới",
            "city": "Bordeaux",
            "timeZone": "Europe/Paris",
            "seats": 30,
            "hours": [{ "weekdays": ["friday"], "opens": "18:00", "closes": "02:00" }],
            "closedDays": [{ "date": "2026-12-24", "reason": "Giáng sinh" }],
        }),
    );
    let restaurants = [changed, restaurant("same"), restaurant("new")];
    let dry = operator.imported(&restaurants, &["--dry-run"]);
    let text = operator.import(&restaurants, &["--dry-run"]).expect(0).stdout;
    let real = operator.imported(&restaurants, &[]);

    assert_eq!((&dry["outcome"], &real["outcome"]), (&json!("dry-run"), &json!("imported")));
    assert_eq!(ids(&real["added"]), ["new"]);
    assert_eq!(ids(&real["unchanged"]), ["same"]);
    assert_eq!(ids(&real["changed"]), ["a"]);
    let fields = real["changed"][0]["fields"].as_array().unwrap();
    let names: Vec<_> = fields.iter().map(|field| field["field"].as_str().unwrap()).collect();
    assert_eq!(names, ["name", "city", "timeZone", "seats", "hours", "closedDays"]);
    assert_eq!(fields[3], json!({ "field": "seats", "from": 40, "to": 30 }));
    assert_eq!(fields[4]["to"], json!([{ "weekday": "Fri", "opens": "18:00", "closes": "02:00" }]),);
    // The dry run has said exactly what the real one did.
    let without = |mut report: Value| {
        report.as_object_mut().unwrap().remove("outcome");
        report
    };
    assert_eq!(without(dry), without(real));
    for words in
        ["changed: 1\n  a  Bến Mới, Bordeaux: name \"Bến Thuyền\" -> \"Bến Mới\"; ", "seats 40 -> 30; hours"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    let rows = operator.dump().await;
    assert!(rows.contains(&"a|5|1080|1560".to_owned()), "{rows:#?}");
    assert!(rows.contains(&"a|2026-12-24|2026-12-24|Giáng sinh".to_owned()), "{rows:#?}");

    // And back: nothing of the old days is left over.
    operator.import(&[restaurant("a")], &[]).expect(0);
    let rows = operator.dump().await;
    assert!(!rows.iter().any(|row| row.contains("Giáng sinh") || row == "a|5|1080|1560"), "{rows:#?}");
}

#[tokio::test]
async fn a_dry_run_makes_no_database_and_changes_none() {
    let operator = Operator::with_file();
    let report = operator.imported(&[restaurant("a")], &["--dry-run"]);
    assert_eq!((&report["outcome"], ids(&report["added"])), (&json!("dry-run"), vec!["a"]));
    assert_eq!(std::fs::read_dir(operator.folder.path()).unwrap().count(), 0, "something was made");

    operator.import(&[restaurant("a"), restaurant("b")], &[]).expect(0);
    let (rows, bytes) = (operator.dump().await, std::fs::read(operator.database_file()).unwrap());
    let changed = with(restaurant("a"), json!({ "seats": 5 }));
    let report = operator.imported(&[changed, restaurant("c")], &["--dry-run", "--remove-others"]);
    assert_eq!(ids(&report["removed"]), ["b"]);
    assert_eq!(std::fs::read(operator.database_file()).unwrap(), bytes);
    assert_eq!(operator.dump().await, rows);
}

#[tokio::test]
async fn a_dry_run_leaves_an_older_database_at_its_version() {
    let operator = Operator::with_file();
    std::fs::create_dir(operator.folder.path().join("data")).unwrap();
    std::fs::write(operator.database_file(), "").unwrap();
    let pool = operator.database().await;
    let first = db::MIGRATIONS.iter().filter(|migration| migration.version == 1).cloned().collect();
    let first = Migrator::with_migrations(first);
    db::migrate_with(&mut pool.acquire().await.unwrap(), &first).await.unwrap();
    pool.close().await;

    let report = operator.imported(&[restaurant("a")], &["--dry-run"]);
    assert_eq!(ids(&report["added"]), ["a"]);
    let pool = operator.database().await;
    let versions: Vec<i64> =
        db::query_scalar("SELECT version FROM _sqlx_migrations").fetch_all(&pool).await.unwrap();
    assert_eq!(versions, [1]);
    pool.close().await;
    // The real one brings it up to date.
    operator.import(&[restaurant("a")], &[]).expect(0);
    assert!(operator.dump().await[0].starts_with("a|"));
}

#[tokio::test]
async fn tables_count_as_all_of_their_seats() {
    let operator = Operator::new();
    let tables = json!([{ "seats": 2, "count": 6 }, { "seats": 4, "count": 8 }, { "seats": 10, "count": 1 }]);
    operator.import(&[with(restaurant("a"), json!({ "seats": null, "tables": tables }))], &[]).expect(0);
    assert!(operator.dump().await[0].ends_with("|54"));
    // A whole number with a point is one, too.
    operator.run(&["-"], with_seats("40.0").as_bytes()).expect(0);
    assert!(operator.dump().await[0].ends_with("|40"));
}

fn with_seats(number: &str) -> String {
    let file = json!({ "restaurants": [with(restaurant("a"), json!({ "seats": 12345 }))] }).to_string();
    file.replace("12345", number)
}

#[tokio::test]
async fn others_stay_unless_they_shall_be_removed_and_were_never_booked() {
    let operator = Operator::new();
    let restaurants = ["a", "b", "booked", "long-ago"].map(restaurant);
    operator.import(&restaurants, &[]).expect(0);
    operator.booked("R1", "booked", 2, 4_000_000_000_000, "confirmed").await;
    operator.booked("R2", "long-ago", 2, 1000, "cancelled").await;

    let report = operator.imported(&[restaurant("a")], &[]);
    assert_eq!(ids(&report["others"]), ["b", "booked", "long-ago"]);
    assert_eq!((&report["removed"], &report["kept"]), (&json!([]), &json!([])));

    let said = operator.import(&[restaurant("a")], &["--remove-others"]).expect(0);
    assert!(said.stdout.contains("removed: 1\n  b  "), "{}", said.stdout);
    assert!(
        said.stdout.contains("kept for their bookings: 2\n  booked  Bến Thuyền, Vũng Tàu (1 booking)\n"),
        "{}",
        said.stdout
    );
    let rows = operator.dump().await;
    assert!(
        rows.iter().any(|row| row.starts_with("booked|Bến")) && rows.iter().any(|row| row.starts_with("R1|"))
    );
    assert!(!rows.iter().any(|row| row.starts_with("b|")), "{rows:#?}");
    let again = operator.imported(&[restaurant("a")], &["--remove-others"]);
    assert_eq!(ids(&again["kept"]), ["booked", "long-ago"]);
}

#[tokio::test]
async fn a_new_house_has_its_own_restaurants_and_not_the_invented_ones() {
    let mut server = Server::start(&[]);
    let operator = Operator::of(server.database_url());
    let invented = operator.dump().await.len();
    assert!(invented > 16);
    let report = operator.imported(&[restaurant("a")], &["--remove-others"]);
    assert_eq!(report["removed"].as_array().unwrap().len(), 16, "{report:#}");
    server.restart();
    let rows = operator.dump().await;
    assert_eq!(rows.iter().filter(|row| row.contains("|Asia/Ho_Chi_Minh|")).count(), 1, "{rows:#?}");
}

#[tokio::test]
async fn imports_at_the_same_time_wait_for_each_other() {
    let operator = Operator::new();
    operator.import(&[restaurant("a")], &[]).expect(0);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let operator = &operator;
            scope.spawn(move || {
                let seats = json!({ "seats": 10 + number });
                operator
                    .import(&[with(restaurant("a"), seats), restaurant(&format!("n{number}"))], &[])
                    .expect(0);
            });
        }
    });
    let rows = operator.dump().await;
    assert_eq!(rows.iter().filter(|row| row.contains("|Bến Thuyền|")).count(), 9, "{rows:#?}");
    assert_eq!(rows.iter().filter(|row| row.starts_with("a|") && row.ends_with("|600|1320")).count(), 7);
}
