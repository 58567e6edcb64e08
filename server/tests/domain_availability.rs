//! Seats taken and free, against a count minute by minute.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, Utc, Weekday};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use server::restaurants::availability::{HOLD, Held, peak, seats_free};
use server::restaurants::bookings::{OutOfWindow, check_window, reference};
use server::restaurants::free_times::slots;
use server::restaurants::hours::{OpeningHours, OpeningRange};

const MINUTE: i64 = 60_000;

fn held() -> impl Strategy<Value = Held> {
    (0..400_i64, 1..200_i64, 1..=20_i64).prop_map(|(start, length, seats)| Held {
        starts_at: start * MINUTE,
        ends_at: (start + length) * MINUTE,
        seats,
    })
}

fn counted_by_minute(held: &[Held], from: i64, until: i64) -> i64 {
    (from..until)
        .step_by(MINUTE as usize)
        .map(|at| held.iter().filter(|h| h.starts_at <= at && at < h.ends_at).map(|h| h.seats).sum())
        .max()
        .unwrap_or(0)
}

/// Whether some way to find the peak agrees with the count.
fn agrees_with_the_count(find: fn(&[Held], i64, i64) -> i64) -> bool {
    let cases = (vec(held(), 0..12), 0..400_i64, 1..200_i64);
    TestRunner::deterministic()
        .run(&cases, |(held, from, length)| {
            let (from, until) = (from * MINUTE, (from + length) * MINUTE);
            prop_assert_eq!(find(&held, from, until), counted_by_minute(&held, from, until));
            Ok(())
        })
        .is_ok()
}

#[test]
fn the_peak_is_what_a_count_minute_by_minute_finds() {
    assert!(agrees_with_the_count(peak));
}

#[test]
fn the_count_finds_out_who_looks_only_at_the_beginning() {
    assert!(!agrees_with_the_count(|held, from, _| {
        held.iter().filter(|h| h.starts_at <= from && from < h.ends_at).map(|h| h.seats).sum()
    }));
}

#[test]
fn the_count_finds_out_who_adds_up_bookings_that_never_meet() {
    assert!(!agrees_with_the_count(|held, from, until| {
        held.iter().filter(|h| h.starts_at < until && h.ends_at > from).map(|h| h.seats).sum()
    }));
}

#[test]
fn the_count_finds_out_who_lets_neighbours_meet() {
    assert!(!agrees_with_the_count(|held, from, until| {
        let longer: Vec<Held> = held.iter().map(|h| Held { ends_at: h.ends_at + 1, ..*h }).collect();
        peak(&longer, from, until)
    }));
}

proptest! {
    #[test]
    fn giving_only_what_is_free_never_oversells(
        seats in 1..60_u32,
        requests in vec((0..600_i64, 1..=20_u32), 0..80),
    ) {
        let mut held: Vec<Held> = Vec::new();
        for (minute, party) in requests {
            let starts_at = DateTime::from_timestamp_millis(minute * MINUTE).unwrap();
            if seats_free(seats, &held, starts_at) >= party {
                let ends_at = (starts_at + HOLD).timestamp_millis();
                held.push(Held { starts_at: minute * MINUTE, ends_at, seats: party.into() });
            }
        }
        prop_assert!(counted_by_minute(&held, 0, 900 * MINUTE) <= i64::from(seats));
    }

    #[test]
    fn slots_are_half_an_hour_apart_within_about_two_hours(seconds in 0..4_000_000_000_i64) {
        let wanted = DateTime::from_timestamp(seconds, 0).unwrap();
        let slots = slots(wanted);
        prop_assert_eq!(slots.len(), 9);
        for pair in slots.windows(2) {
            prop_assert_eq!(pair[1] - pair[0], TimeDelta::minutes(30));
        }
        for slot in slots {
            prop_assert_eq!(slot.timestamp() % 900, 0);
            prop_assert!((slot - wanted).abs() <= TimeDelta::minutes(128));
        }
    }

    #[test]
    fn a_reference_has_six_letters_that_nothing_is_mistaken_for(id in "[a-z0-9-]{1,40}", attempt in 0..40_u32) {
        let reference = reference(&id, attempt);
        prop_assert_eq!(reference.len(), 6);
        prop_assert!(reference.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()));
        prop_assert!(!reference.contains(['0', 'O', '1', 'I', 'L']));
    }
}

#[test]
fn references_of_many_bookings_hardly_ever_meet() {
    let references: std::collections::HashSet<_> =
        (0..2000).map(|number| reference(&format!("booking-{number}"), 0)).collect();
    assert!(references.len() >= 1998, "{}", references.len());
    assert_ne!(reference("booking-1", 0), reference("booking-1", 1));
}

#[test]
fn seats_are_free_again_at_the_minute_when_a_booking_ends() {
    let at = |text: &str| text.parse::<DateTime<Utc>>().unwrap();
    let held = [Held {
        starts_at: at("2026-12-05T12:00:00Z").timestamp_millis(),
        ends_at: at("2026-12-05T14:00:00Z").timestamp_millis(),
        seats: 8,
    }];
    assert_eq!(seats_free(8, &held, at("2026-12-05T10:00:00Z")), 8);
    assert_eq!(seats_free(8, &held, at("2026-12-05T10:00:01Z")), 0);
    assert_eq!(seats_free(8, &held, at("2026-12-05T13:59:59Z")), 0);
    assert_eq!(seats_free(8, &held, at("2026-12-05T14:00:00Z")), 8);
    // More held than there are seats, where an operator took tables away: nothing is free.
    assert_eq!(seats_free(4, &held, at("2026-12-05T12:00:00Z")), 0);
}

#[test]
fn a_table_may_be_booked_from_now_until_exactly_ninety_days_ahead() {
    let now: DateTime<Utc> = "2026-12-01T03:00:00Z".parse().unwrap();
    let second = TimeDelta::seconds(1);
    assert_eq!(check_window(now, now), Ok(()));
    assert_eq!(check_window(now - second, now), Err(OutOfWindow::Past));
    assert_eq!(check_window(now + TimeDelta::days(90), now), Ok(()));
    assert_eq!(check_window(now + TimeDelta::days(90) + second, now), Err(OutOfWindow::TooFarAhead));
    assert_eq!(check_window(DateTime::<Utc>::MAX_UTC, now), Err(OutOfWindow::TooFarAhead));
    assert_eq!(check_window(DateTime::<Utc>::MIN_UTC, now), Err(OutOfWindow::Past));
}

fn local(day: u32, clock: &str) -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 12, day).unwrap().and_time(clock.parse().unwrap())
}

#[test]
fn guests_are_taken_from_opening_until_an_hour_before_closing() {
    let range = |opens: u32, closes: u32| OpeningRange {
        weekday: Weekday::Tue,
        opens: opens * 60,
        closes: closes * 60,
    };
    // Lunch, and an evening that ends at two on Wednesday. The first of December is a Tuesday.
    let hours = OpeningHours::new(vec![range(18, 26), range(11, 14)]);
    for (day, clock, taken) in [
        (1, "10:59:59", false),
        (1, "11:00:00", true),
        (1, "13:00:00", true),
        (1, "13:00:01", false),
        (1, "14:00:00", false),
        (1, "17:59:59", false),
        (1, "18:00:00", true),
        (1, "23:59:59", true),
        (2, "00:00:00", true),
        (2, "01:00:00", true),
        (2, "01:00:01", false),
        (2, "02:00:00", false),
        (2, "18:00:00", false),
        // The night before did not begin.
        (1, "00:30:00", false),
    ] {
        assert_eq!(hours.takes_guests_at(local(day, clock), |_| true), taken, "{day} {clock}");
    }
    let on_the_clock: Vec<_> = hours.on(Weekday::Tue).map(|range| range.on_the_clock()).collect();
    let texts = |opens: &str, closes: &str| (opens.to_owned(), closes.to_owned());
    assert_eq!(on_the_clock, [texts("11:00", "14:00"), texts("18:00", "02:00")]);
    assert_eq!(hours.on(Weekday::Mon).count(), 0);
}

#[test]
fn nobody_is_taken_where_the_day_is_shorter_than_the_last_hour() {
    let hours = OpeningHours::new(vec![OpeningRange { weekday: Weekday::Tue, opens: 600, closes: 630 }]);
    assert!(!hours.takes_guests_at(local(1, "10:00:00"), |_| true));
    assert!(!hours.takes_guests_at(local(1, "09:30:00"), |_| true));
}

#[test]
fn where_one_range_follows_on_another_nobody_closes_in_between() {
    let every_day = (0..7).map(|day| OpeningRange {
        weekday: Weekday::try_from(day).unwrap(),
        opens: 0,
        closes: 24 * 60,
    });
    let round_the_clock = OpeningHours::new(every_day.collect());
    for clock in ["00:00:00", "03:00:00", "23:00:00", "23:30:00", "23:59:59"] {
        assert!(round_the_clock.takes_guests_at(local(1, clock), |_| true), "{clock}");
    }
    // Unless the next day does not open.
    let second = NaiveDate::from_ymd_opt(2026, 12, 2).unwrap();
    for (day, clock, taken) in [
        (1, "23:00:00", true),
        (1, "23:30:00", false),
        (2, "00:00:00", false),
        (2, "12:00:00", false),
        (2, "23:59:59", false),
        (3, "00:00:00", true),
    ] {
        let opens_on = |day| day != second;
        assert_eq!(round_the_clock.takes_guests_at(local(day, clock), opens_on), taken, "{day} {clock}");
    }
}

#[test]
fn a_closed_day_closes_what_begins_on_it_and_nothing_else() {
    let night = |weekday| OpeningRange { weekday, opens: 18 * 60, closes: 26 * 60 };
    let hours = OpeningHours::new([Weekday::Mon, Weekday::Tue, Weekday::Wed].map(night).to_vec());
    let tuesday = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap();
    for (day, clock, taken) in [
        (1, "00:30:00", true),
        (1, "19:00:00", false),
        (2, "00:30:00", false),
        (2, "19:00:00", true),
        (3, "00:30:00", true),
    ] {
        assert_eq!(hours.takes_guests_at(local(day, clock), |on| on != tuesday), taken, "{day} {clock}");
    }
}
