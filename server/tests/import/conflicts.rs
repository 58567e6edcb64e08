//! Bookings that no longer fit: kept, and told.

use chrono::{DateTime, Duration, FixedOffset, NaiveDate, NaiveTime, Utc};
use serde_json::{Value, json};

use super::operator::{Operator, every_day, restaurant, with};

/// A day of next week, by the calendar of Vietnam.
fn day() -> NaiveDate {
    (Utc::now() + Duration::hours(7)).date_naive() + Duration::days(7)
}

fn at(day: NaiveDate, hour: u32) -> DateTime<FixedOffset> {
    let zone = FixedOffset::east_opt(7 * 3600).unwrap();
    day.and_time(NaiveTime::from_hms_opt(hour, 0, 0).unwrap()).and_local_timezone(zone).unwrap()
}

fn millis(day: NaiveDate, hour: u32) -> i64 {
    at(day, hour).timestamp_millis()
}

/// A house with one restaurant of 40 seats and these bookings: reference, guests, hour, status.
async fn booked(bookings: &[(&str, i64, u32, &str)]) -> Operator {
    let operator = Operator::new();
    operator.import(&[restaurant("a")], &[]).expect(0);
    for (reference, party, hour, status) in bookings {
        operator.booked(reference, "a", *party, millis(day(), *hour), status).await;
    }
    operator
}

fn conflicts(report: &Value) -> Vec<(&str, Value)> {
    let all = report["conflicts"].as_array().unwrap();
    all.iter().map(|one| (one["reference"].as_str().unwrap(), one["reasons"].clone())).collect()
}

#[tokio::test]
async fn a_booking_on_a_closed_day_is_kept_and_told() {
    let operator = booked(&[("DAY1", 4, 19, "confirmed"), ("DAY2", 2, 20, "waitlisted")]).await;
    let closed = json!({ "closedDays": [{ "date": day(), "reason": "Tiệc cưới" }] });
    let said = operator.import(&[with(restaurant("a"), closed.clone())], &[]).expect(0);
    let local = at(day(), 19).format("%A %-d %B %Y at %H:%M");
    let that_day = day().format("%-d %B %Y");
    let line = format!("DAY1  {local}, 4 guests, Bến Thuyền, confirmed: closed on {that_day} (Tiệc cưới)\n");
    assert!(said.stdout.contains(&line), "{line} in {}", said.stdout);
    assert!(said.stdout.contains("DAY2") && said.stdout.contains("on the waiting list"), "{}", said.stdout);
    assert!(said.stderr.contains("warning: imported, but 2 bookings do not fit"), "{}", said.stderr);
    let rows = operator.dump().await;
    assert_eq!(rows.iter().filter(|row| row.starts_with("DAY")).count(), 2, "{rows:#?}");

    // Asked again, it tells them again: they still do not fit.
    let again = operator.imported(&[with(restaurant("a"), closed)], &[]);
    assert_eq!(again["unchanged"][0]["restaurantId"], "a");
    let reasons = json!([{ "code": "closed-day", "date": day(), "reason": "Tiệc cưới" }]);
    assert_eq!(conflicts(&again), [("DAY1", reasons.clone()), ("DAY2", reasons)]);
    let first = &again["conflicts"][0];
    assert_eq!(first["startsAt"], at(day(), 19).to_rfc3339());
    assert_eq!((&first["partySize"], &first["status"]), (&json!(4), &json!("confirmed")));
}

#[tokio::test]
async fn a_booking_outside_of_the_new_hours_is_told_and_the_rest_is_not() {
    let operator =
        booked(&[("NOON", 4, 12, "confirmed"), ("LAST", 2, 21, "confirmed"), ("GONE", 2, 12, "cancelled")])
            .await;
    operator.booked("PAST", "a", 2, millis(day() - Duration::days(9), 12), "confirmed").await;
    let evenings = json!({ "hours": [{ "weekdays": every_day(), "opens": "17:00", "closes": "22:00" }] });
    let report = operator.imported(&[with(restaurant("a"), evenings)], &[]);
    assert_eq!(conflicts(&report), [("NOON", json!([{ "code": "outside-hours" }]))]);
}

#[tokio::test]
async fn parties_that_exceed_the_new_seats_at_one_moment_are_told() {
    let operator = booked(&[
        ("ONE", 10, 12, "confirmed"),
        ("TWO", 10, 13, "confirmed"),
        // Begins when the first one leaves, and the second is still there.
        ("THREE", 4, 14, "confirmed"),
        ("EVENING", 10, 19, "confirmed"),
        ("WAITS", 10, 13, "waitlisted"),
        ("BIG", 18, 19, "waitlisted"),
    ])
    .await;
    let report = operator.imported(&[with(restaurant("a"), json!({ "seats": 15 }))], &[]);
    let guests = |guests: i64| json!([{ "code": "too-many-guests", "guests": guests, "seats": 15 }]);
    assert_eq!(
        conflicts(&report),
        [
            ("ONE", guests(20)),
            ("TWO", guests(20)),
            ("BIG", json!([{ "code": "party-too-large", "seats": 15 }])),
        ]
    );
    // One seat more than needed, and nobody is in anybody's way.
    let report = operator.imported(&[with(restaurant("a"), json!({ "seats": 20 }))], &[]);
    assert_eq!(conflicts(&report), []);
}

#[tokio::test]
async fn fail_on_conflict_refuses_instead_and_changes_nothing() {
    let operator = booked(&[("NOON", 4, 12, "confirmed")]).await;
    let before = operator.dump().await;
    let smaller = with(restaurant("a"), json!({ "seats": 3 }));
    for options in [&["--fail-on-conflict", "--json"][..], &["--fail-on-conflict", "--dry-run", "--json"]] {
        let said = operator.import(&[smaller.clone(), restaurant("new")], options).expect(1);
        assert!(said.stderr.contains("nothing was changed"), "{}", said.stderr);
        let report = said.json();
        assert_eq!(report["outcome"], "refused");
        assert_eq!(report["conflicts"][0]["reference"], "NOON");
        assert_eq!(operator.dump().await, before);
    }
    operator.import(&[restaurant("a"), restaurant("new")], &["--fail-on-conflict"]).expect(0);
}

#[tokio::test]
async fn a_night_that_began_before_the_closed_day_is_no_conflict() {
    let late = json!({ "hours": [{ "weekdays": every_day(), "opens": "18:00", "closes": "03:00" }] });
    let operator = booked(&[("NIGHT", 2, 1, "confirmed"), ("NEXT", 2, 19, "confirmed")]).await;
    operator.booked("AFTER", "a", 2, millis(day() + Duration::days(1), 1), "confirmed").await;
    let closed = with(with(restaurant("a"), late), json!({ "closedDays": [{ "date": day() }] }));
    let report = operator.imported(&[closed], &[]);
    let reasons = json!([{ "code": "closed-day", "date": day() }]);
    assert_eq!(conflicts(&report), [("NEXT", reasons.clone()), ("AFTER", reasons)]);
}
