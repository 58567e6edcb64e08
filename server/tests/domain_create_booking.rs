//! createBooking on the seeded restaurants: what is refused, what is promised, what is kept.

mod domain_support;

use std::sync::Arc;

use chrono::TimeDelta;
use domain_support::{World, booking, refused, time};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::json;
use server::restaurants::bookings::reference;
use server::tools::contract::{DoneHere, WriteTool};
use shared::error_code::ErrorCode;
use shared::tools::{BookingStatus, CreateBooking, CreateBookingPreview, Placement};
use tokio::task::JoinSet;

use BookingStatus::{Confirmed, Waitlisted};

const SATURDAY_EVENING: &str = "2026-12-05T19:00:00+07:00";

#[tokio::test]
async fn a_preview_tells_where_when_and_what_a_confirmation_would_give() {
    let world = World::new().await;
    let preview = world.preview(&booking("dl-may-nui", 4, "2026-12-05T12:00:00Z")).await.unwrap();
    let expected = CreateBookingPreview {
        restaurant_name: "Mây Núi".to_owned(),
        address: "27 Dốc Dã Quỳ".to_owned(),
        city: "Đà Lạt".to_owned(),
        contact: Some("0263 5550 112".to_owned()),
        starts_at: time(SATURDAY_EVENING),
        status: Placement::Confirmed,
        seats_free: 40,
        other_times: Vec::new(),
    };
    assert_eq!(preview, expected);
    assert_eq!(preview.starts_at.to_rfc3339(), SATURDAY_EVENING);
    let (count,): (i64,) =
        server::db::query_as("SELECT COUNT(*) FROM bookings").fetch_one(&world.pool).await.unwrap();
    assert_eq!(count, 0);
}

#[tokio::test]
async fn a_booking_is_kept_as_the_output_says_and_holds_its_seats_for_two_hours() {
    let world = World::new().await;
    let mut input = booking("dl-may-nui", 4, "2026-12-05T12:00:00.9Z");
    input.note = Some("  Bàn gần cửa sổ\n".to_owned());
    let output = world.book_as(&input, "some-id".to_owned()).await.unwrap();
    assert_eq!(output.booking_id, "some-id");
    assert_eq!(output.reference, reference("some-id", 0));
    assert_eq!(output.status, Confirmed);
    assert_eq!(output.restaurant_id, "dl-may-nui");
    assert_eq!(output.restaurant_name, "Mây Núi");
    assert_eq!(output.city, "Đà Lạt");
    assert_eq!(output.party_size, 4);
    // In whole seconds, like the business key.
    assert_eq!(output.starts_at.to_rfc3339(), SATURDAY_EVENING);
    assert_eq!(output.note.as_deref(), Some("Bàn gần cửa sổ"));

    let row: (String, String, String, i64, i64, i64, Option<String>, String, i64) = server::db::query_as(
        "SELECT reference, user_id, tool_call_id, party_size, starts_at, ends_at, note, status, created_at \
         FROM bookings WHERE id = 'some-id'",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    let starts_at = time(SATURDAY_EVENING).timestamp_millis();
    let expected = (
        output.reference,
        "guest".to_owned(),
        "call-1".to_owned(),
        4,
        starts_at,
        starts_at + 2 * 60 * 60 * 1000,
        output.note,
        "confirmed".to_owned(),
        world.now.timestamp_millis(),
    );
    assert_eq!(row, expected);

    let free = |starts_at: &'static str| {
        let world = &world;
        async move { world.preview(&booking("dl-may-nui", 1, starts_at)).await.unwrap().seats_free }
    };
    assert_eq!(free("2026-12-05T17:00:00+07:00").await, 40);
    assert_eq!(free("2026-12-05T17:01:00+07:00").await, 36);
    assert_eq!(free("2026-12-05T20:59:00+07:00").await, 36);
    assert_eq!(free("2026-12-05T21:00:00+07:00").await, 40);
}

#[tokio::test]
async fn an_unknown_restaurant_is_refused() {
    let world = World::new().await;
    for id in ["atlantis", "", "dl-may-nui ", "DL-MAY-NUI", "dl\0may", "' OR '1'='1"] {
        let refused = refused(world.preview(&booking(id, 2, SATURDAY_EVENING)).await);
        assert_eq!((refused.code, refused.path), (ErrorCode::UnknownRestaurant, "/restaurantId"), "{id:?}");
    }
}

#[tokio::test]
async fn a_time_in_the_past_is_refused_and_this_moment_is_not() {
    let world = World::new().await;
    let past = refused(world.preview(&booking("dl-may-nui", 2, "2026-12-01T09:59:59+07:00")).await);
    assert_eq!((past.code, past.path), (ErrorCode::Past, "/startsAt"));
    world.preview(&booking("dl-may-nui", 2, "2026-12-01T10:00:00+07:00")).await.unwrap();
}

#[tokio::test]
async fn exactly_ninety_days_ahead_is_allowed_and_a_second_more_is_not() {
    let world = World::new().await;
    let mut input = booking("hn-mai-ngoi-nau", 2, "2026-12-01T10:00:00+07:00");
    input.starts_at += TimeDelta::days(90);
    world.preview(&input).await.unwrap();
    input.starts_at += TimeDelta::seconds(1);
    let refused = refused(world.preview(&input).await);
    assert_eq!((refused.code, refused.path), (ErrorCode::TooFarAhead, "/startsAt"));
    assert_eq!(refused.params["maxDays"], json!(90));
}

#[tokio::test]
async fn a_time_at_the_end_of_the_calendar_is_refused_without_a_panic() {
    let world = World::new().await;
    let mut input = booking("dl-may-nui", 2, SATURDAY_EVENING);
    input.starts_at = chrono::DateTime::<chrono::Utc>::MAX_UTC.fixed_offset();
    assert_eq!(refused(world.preview(&input).await).code, ErrorCode::TooFarAhead);
    input.starts_at = chrono::DateTime::<chrono::Utc>::MIN_UTC.fixed_offset();
    assert_eq!(refused(world.preview(&input).await).code, ErrorCode::Past);
}

#[tokio::test]
async fn more_people_than_seats_are_refused_with_the_seats() {
    let world = World::new().await;
    world.preview(&booking("dl-nha-kinh-nho", 8, SATURDAY_EVENING)).await.unwrap();
    let refused = refused(world.preview(&booking("dl-nha-kinh-nho", 9, SATURDAY_EVENING)).await);
    assert_eq!((refused.code, refused.path), (ErrorCode::PartyTooLarge, "/partySize"));
    assert_eq!(refused.params["seats"], json!(8));
    assert!(refused.message.contains("8 seats"), "{}", refused.message);
}

#[tokio::test]
async fn guests_are_refused_outside_opening_hours_with_that_days_hours() {
    let world = World::new().await;
    let all_day = json!([{ "opens": "10:00", "closes": "22:00" }]);
    let lunch_break =
        json!([{ "opens": "10:30", "closes": "14:00" }, { "opens": "17:00", "closes": "22:00" }]);
    let late = json!([{ "opens": "17:00", "closes": "02:00" }]);
    let until_midnight = json!([{ "opens": "11:00", "closes": "00:00" }]);
    let closed_all_day = json!([]);
    for (restaurant, starts_at, hours) in [
        ("dl-may-nui", "2026-12-05T09:59:59+07:00", Some(&all_day)),
        ("dl-may-nui", "2026-12-05T10:00:00+07:00", None),
        ("dl-may-nui", "2026-12-05T21:00:00+07:00", None),
        ("dl-may-nui", "2026-12-05T21:00:01+07:00", Some(&all_day)),
        // The same minute from London: the day is the restaurant's.
        ("dl-may-nui", "2026-12-04T17:30:00Z", Some(&all_day)),
        ("dl-may-nui", "2026-12-05T03:00:00Z", None),
        // The break after lunch.
        ("hn-hien-pho-nho", "2026-12-05T13:00:00+07:00", None),
        ("hn-hien-pho-nho", "2026-12-05T13:01:00+07:00", Some(&lunch_break)),
        ("hn-hien-pho-nho", "2026-12-05T16:59:00+07:00", Some(&lunch_break)),
        ("hn-hien-pho-nho", "2026-12-05T17:00:00+07:00", None),
        // Closes at two in the morning.
        ("hn-lo-than-do", "2026-12-05T23:59:00+07:00", None),
        ("hn-lo-than-do", "2026-12-06T00:00:00+07:00", None),
        ("hn-lo-than-do", "2026-12-06T01:00:00+07:00", None),
        ("hn-lo-than-do", "2026-12-06T01:01:00+07:00", Some(&late)),
        // Closes at midnight.
        ("hcm-ghe-chieu", "2026-12-05T23:00:00+07:00", None),
        ("hcm-ghe-chieu", "2026-12-05T23:01:00+07:00", Some(&until_midnight)),
        ("hcm-ghe-chieu", "2026-12-06T00:00:00+07:00", Some(&until_midnight)),
        // After Friday and Saturday it is open until one, after Sunday it is not.
        ("dl-bep-suong", "2026-12-05T00:00:00+07:00", None),
        ("dl-bep-suong", "2026-12-06T00:00:00+07:00", None),
        (
            "dl-bep-suong",
            "2026-12-07T00:00:00+07:00",
            Some(&json!([{ "opens": "16:00", "closes": "23:00" }])),
        ),
        // Closed on Mondays.
        ("dl-vuon-thong", "2026-12-07T12:00:00+07:00", Some(&closed_all_day)),
    ] {
        let result = world.preview(&booking(restaurant, 2, starts_at)).await;
        let Some(hours) = hours else {
            assert_eq!(result.unwrap().status, Placement::Confirmed, "{restaurant} {starts_at}");
            continue;
        };
        let refused = refused(result);
        assert_eq!(
            (refused.code, refused.path),
            (ErrorCode::Closed, "/startsAt"),
            "{restaurant} {starts_at}"
        );
        assert_eq!(refused.params["hours"], *hours, "{restaurant} {starts_at}");
        for range in hours.as_array().unwrap() {
            for clock in [&range["opens"], &range["closes"]] {
                assert!(refused.message.contains(clock.as_str().unwrap()), "{}", refused.message);
            }
        }
    }
}

#[tokio::test]
async fn what_is_refused_in_the_preview_is_also_refused_by_the_effect_itself() {
    let world = World::new().await;
    for input in [
        booking("atlantis", 2, SATURDAY_EVENING),
        booking("dl-nha-kinh-nho", 9, SATURDAY_EVENING),
        booking("dl-may-nui", 2, "2026-12-05T03:00:00+07:00"),
        booking("dl-may-nui", 2, "2026-11-05T19:00:00+07:00"),
    ] {
        let mut transaction = world.pool.begin_write().await.unwrap();
        refused(CreateBooking.run(&mut transaction, &world.context(), &input, "x".to_owned()).await);
    }
    assert_eq!(world.most_seats_held("dl-may-nui").await, 0);
}

#[tokio::test]
async fn a_full_restaurant_puts_the_booking_on_the_waiting_list() {
    let world = World::new().await;
    let first = world.book(&booking("dl-nha-kinh-nho", 6, SATURDAY_EVENING)).await.unwrap();
    assert_eq!(first.status, Confirmed);

    let input = booking("dl-nha-kinh-nho", 3, "2026-12-05T20:30:00+07:00");
    let preview = world.preview(&input).await.unwrap();
    assert_eq!((preview.status, preview.seats_free), (Placement::Waitlisted, 2));
    assert_eq!(world.book(&input).await.unwrap().status, Waitlisted);

    // Who waits holds no seats: two more still fit, then nobody.
    let last = world.book(&booking("dl-nha-kinh-nho", 2, SATURDAY_EVENING)).await.unwrap();
    assert_eq!(last.status, Confirmed);
    assert_eq!(world.preview(&input).await.unwrap().seats_free, 0);
    assert_eq!(world.most_seats_held("dl-nha-kinh-nho").await, 8);
}

#[tokio::test]
async fn another_restaurant_or_day_does_not_count() {
    let world = World::new().await;
    world.book(&booking("dl-nha-kinh-nho", 8, SATURDAY_EVENING)).await.unwrap();
    let other_place = world.preview(&booking("hcm-tam-ghe", 8, SATURDAY_EVENING)).await.unwrap();
    assert_eq!(other_place.status, Placement::Confirmed);
    let other_day = world.preview(&booking("dl-nha-kinh-nho", 8, "2026-12-06T19:00:00+07:00")).await.unwrap();
    assert_eq!(other_day.status, Placement::Confirmed);
}

#[tokio::test]
async fn bookings_that_do_not_meet_each_other_are_not_added_up() {
    let world = World::new().await;
    // Opens at half past five; the first leaves when the second comes.
    world.book(&booking("dl-nha-kinh-nho", 5, "2026-12-05T17:30:00+07:00")).await.unwrap();
    world.book(&booking("dl-nha-kinh-nho", 5, "2026-12-05T19:30:00+07:00")).await.unwrap();
    let between = world.preview(&booking("dl-nha-kinh-nho", 3, "2026-12-05T18:30:00+07:00")).await.unwrap();
    assert_eq!((between.status, between.seats_free), (Placement::Confirmed, 3));
}

#[tokio::test]
async fn a_note_is_kept_without_what_controls_the_screen() {
    let world = World::new().await;
    for (note, kept) in [
        ("  sinh nhật  ", Some("sinh nhật")),
        ("một\r\nhai\tba", Some("một hai ba")),
        ("a\u{1b}[31mb\u{7f}", Some("a[31mb")),
        ("\u{202e}ngược\u{202c} \u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}", Some("ngược x")),
        ("dòng\u{2028}dưới", Some("dòng dưới")),
        ("👩‍👩‍👧 <b>&amp;", Some("👩‍👩‍👧 <b>&amp;")),
        ("", None),
        (" \n\u{202e}\u{7} ", None),
    ] {
        let mut input = booking("hcm-bep-ben-song", 1, SATURDAY_EVENING);
        input.note = Some(note.to_owned());
        let output = world.book(&input).await.unwrap();
        assert_eq!(output.note.as_deref(), kept, "{note:?}");
        let (stored,): (Option<String>,) = server::db::query_as("SELECT note FROM bookings WHERE id = $1")
            .bind(&output.booking_id)
            .fetch_one(&world.pool)
            .await
            .unwrap();
        assert_eq!(stored.as_deref(), kept, "{note:?}");
    }
}

#[tokio::test]
async fn a_note_with_nul_is_refused() {
    let world = World::new().await;
    let mut input = booking("dl-may-nui", 2, SATURDAY_EVENING);
    input.note = Some("a\0b".to_owned());
    let refused = refused(world.preview(&input).await);
    assert_eq!((refused.code, refused.path), (ErrorCode::BadCharacters, "/note"));
}

#[tokio::test]
async fn a_reference_that_is_taken_is_not_given_twice() {
    let world = World::new().await;
    let input = booking("hcm-bep-ben-song", 1, SATURDAY_EVENING);
    world.book_as(&input, "first".to_owned()).await.unwrap();
    server::db::query("UPDATE bookings SET reference = $1 WHERE id = 'first'")
        .bind(reference("second", 0))
        .execute(&world.pool)
        .await
        .unwrap();
    let second = world.book_as(&input, "second".to_owned()).await.unwrap();
    assert_eq!(second.reference, reference("second", 1));
}

#[tokio::test]
async fn a_broken_row_fails_and_tells_the_model_nothing() {
    let world = World::new().await;
    server::db::query("UPDATE restaurants SET time_zone = 'Mars/Olympus' WHERE id = 'dl-may-nui'")
        .execute(&world.pool)
        .await
        .unwrap();
    let failure = world.preview(&booking("dl-may-nui", 2, SATURDAY_EVENING)).await.unwrap_err();
    assert!(matches!(failure, server::tools::contract::ToolFailure::Failed(_)), "{failure:?}");
}

fn preview(status: Placement) -> CreateBookingPreview {
    CreateBookingPreview {
        restaurant_name: "Mây Núi".to_owned(),
        address: "27 Dốc Dã Quỳ".to_owned(),
        city: "Đà Lạt".to_owned(),
        contact: Some("0263 5550 112".to_owned()),
        starts_at: time(SATURDAY_EVENING),
        status,
        seats_free: 10,
        other_times: Vec::new(),
    }
}

#[test]
fn a_promise_holds_unless_it_has_become_worse() {
    for edited in [false, true] {
        for (approved, now, holds) in [
            (Placement::Confirmed, Placement::Confirmed, true),
            (Placement::Confirmed, Placement::Waitlisted, false),
            (Placement::Waitlisted, Placement::Confirmed, true),
            (Placement::Waitlisted, Placement::Waitlisted, true),
        ] {
            assert_eq!(CreateBooking::preview_holds(&preview(approved), &preview(now), edited), holds);
        }
    }
}

#[test]
fn a_promise_is_about_this_place_and_unless_edited_this_time() {
    let approved = preview(Placement::Confirmed);
    let holds = |change: fn(&mut CreateBookingPreview), edited| {
        let mut now = approved.clone();
        change(&mut now);
        CreateBooking::preview_holds(&approved, &now, edited)
    };
    for edited in [false, true] {
        assert!(holds(|now| now.seats_free = 4, edited));
        assert!(holds(|now| now.contact = None, edited));
        assert!(!holds(|now| now.restaurant_name.push('!'), edited));
        assert!(!holds(|now| now.address.push('!'), edited));
        assert!(!holds(|now| now.city.push('!'), edited));
        assert!(holds(|now| now.starts_at = now.to_utc_start(), edited));
    }
    assert!(!holds(|now| now.starts_at += TimeDelta::minutes(30), false));
    assert!(holds(|now| now.starts_at += TimeDelta::minutes(30), true));
}

trait SameMoment {
    fn to_utc_start(&self) -> chrono::DateTime<chrono::FixedOffset>;
}

impl SameMoment for CreateBookingPreview {
    fn to_utc_start(&self) -> chrono::DateTime<chrono::FixedOffset> {
        self.starts_at.to_utc().fixed_offset()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_bookings_at_once_for_the_last_seats_never_oversell() {
    let world = Arc::new(World::new().await);
    let mut tasks = JoinSet::new();
    for _ in 0..50 {
        let world = world.clone();
        tasks.spawn(async move { world.book(&booking("dl-nha-kinh-nho", 2, SATURDAY_EVENING)).await });
    }
    let outputs: Vec<_> = tasks.join_all().await.into_iter().map(Result::unwrap).collect();
    let confirmed = outputs.iter().filter(|output| output.status == Confirmed).count();
    assert_eq!((confirmed, outputs.len()), (4, 50));
    assert_eq!(world.most_seats_held("dl-nha-kinh-nho").await, 8);
    let references: std::collections::HashSet<_> = outputs.iter().map(|output| &output.reference).collect();
    assert_eq!(references.len(), 50);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_bookings_at_once_with_windows_that_overlap_never_oversell() {
    let world = Arc::new(World::new().await);
    let requests = proptest::collection::vec((0..14_i64, 1..=8_u8), 150)
        .new_tree(&mut TestRunner::deterministic())
        .unwrap()
        .current();
    let mut tasks = JoinSet::new();
    for (quarters, party_size) in requests {
        let mut input = booking("dl-nha-kinh-nho", party_size, "2026-12-05T17:30:00+07:00");
        input.starts_at += TimeDelta::minutes(15 * quarters);
        let world = world.clone();
        tasks.spawn(async move { world.book(&input).await });
    }
    let outputs: Vec<_> = tasks.join_all().await.into_iter().map(Result::unwrap).collect();
    assert!(outputs.iter().any(|output| output.status == Waitlisted));
    let most = world.most_seats_held("dl-nha-kinh-nho").await;
    assert!((6..=8).contains(&most), "{most}");
}
