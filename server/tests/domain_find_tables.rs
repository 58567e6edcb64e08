//! findTables on the seeded restaurants.

mod domain_support;

use chrono::{DateTime, FixedOffset, TimeDelta};
use domain_support::{World, booking, refused, search, time};
use serde_json::json;
use server::restaurants::{cities_with_restaurants, find, in_city, load_if_empty};
use shared::error_code::ErrorCode;
use shared::tools::{FindTablesInput, FindTablesOutput, TableOption};

const CITIES: [&str; 4] = ["Đà Lạt", "Đà Nẵng", "Hà Nội", "TP. Hồ Chí Minh"];

fn ids(output: &FindTablesOutput) -> Vec<&str> {
    output.restaurants.iter().map(|option| option.restaurant_id.as_str()).collect()
}

fn clocks(option: &TableOption) -> Vec<String> {
    option.free_times.iter().map(|time| time.format("%H:%M").to_string()).collect()
}

#[track_caller]
fn option<'a>(output: &'a FindTablesOutput, id: &str) -> &'a TableOption {
    output.restaurants.iter().find(|option| option.restaurant_id == id).unwrap()
}

#[tokio::test]
async fn a_new_database_gets_restaurants_in_four_cities_once() {
    let world = World::new().await;
    let mut connection = world.pool.acquire().await.unwrap();
    assert_eq!(cities_with_restaurants(&mut connection).await.unwrap(), CITIES);
    let count = "SELECT COUNT(*) FROM restaurants";
    let (before,): (i64,) = server::db::query_as(count).fetch_one(&mut *connection).await.unwrap();
    assert!((12..=16).contains(&before));

    // What an operator deleted stays deleted.
    for statement in [
        "DELETE FROM opening_hours WHERE restaurant_id = 'dl-may-nui'",
        "DELETE FROM restaurants WHERE id = 'dl-may-nui'",
    ] {
        server::db::query(statement).execute(&mut *connection).await.unwrap();
    }
    load_if_empty(&mut connection).await.unwrap();
    let (after,): (i64,) = server::db::query_as(count).fetch_one(&mut *connection).await.unwrap();
    assert_eq!(after, before - 1);
}

#[tokio::test]
async fn every_seeded_restaurant_is_complete_and_its_city_is_known() {
    let world = World::new().await;
    let mut connection = world.pool.acquire().await.unwrap();
    for city in CITIES {
        let restaurants = in_city(&mut connection, city).await.unwrap();
        assert!((3..=4).contains(&restaurants.len()), "{city}");
        for restaurant in restaurants {
            assert_eq!(restaurant.city, city);
            assert_eq!(restaurant.time_zone, chrono_tz::Asia::Ho_Chi_Minh);
            assert!(restaurant.seats >= 8);
            assert!(restaurant.contact.contains(" 5550 "), "{}", restaurant.contact);
            let days =
                (0..7_u8).filter(|day| restaurant.hours.on((*day).try_into().unwrap()).count() > 0).count();
            assert!(days >= 6, "{}", restaurant.id);
            assert_eq!(find(&mut connection, &restaurant.id).await.unwrap(), Some(restaurant));
        }
    }
}

#[tokio::test]
async fn restaurants_are_found_with_free_times_around_the_wanted_one() {
    let world = World::new().await;
    let output = world.find(search("da lat", 4, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert_eq!(output.city, "Đà Lạt");
    assert_eq!(output.party_size, 4);
    assert_eq!(output.starts_at, time("2026-12-05T19:00:00+07:00"));
    // All have the wanted time itself, so they come by name.
    assert_eq!(ids(&output), ["dl-bep-suong", "dl-may-nui", "dl-nha-kinh-nho", "dl-vuon-thong"]);

    let may_nui = option(&output, "dl-may-nui");
    assert_eq!(may_nui.name, "Mây Núi");
    assert_eq!(may_nui.cuisine, "Món Việt");
    assert_eq!(may_nui.address, "27 Dốc Dã Quỳ");
    // The six closest; of the two an hour and a half away the earlier one.
    assert_eq!(clocks(may_nui), ["17:30", "18:00", "18:30", "19:00", "19:30", "20:00"]);
    // The last guests come at eight.
    assert_eq!(
        clocks(option(&output, "dl-vuon-thong")),
        ["17:30", "18:00", "18:30", "19:00", "19:30", "20:00"]
    );
    // Opens at half past five.
    assert_eq!(clocks(option(&output, "dl-nha-kinh-nho"))[0], "17:30");
}

#[tokio::test]
async fn a_time_in_another_offset_is_told_by_the_restaurants_clock() {
    let world = World::new().await;
    let here = world.find(search("Huế", 2, "2026-12-05T19:00:00+07:00")).await;
    assert_eq!(refused(here).code, ErrorCode::UnknownCity);

    let from_utc = world.find(search("Đà Nẵng", 2, "2026-12-05T12:00:00Z")).await.unwrap();
    let from_here = world.find(search("Đà Nẵng", 2, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert_eq!(from_utc, from_here);
    let seven_hours = FixedOffset::east_opt(7 * 3600).unwrap();
    let offset = |time: &DateTime<FixedOffset>| *time.offset();
    assert_eq!(offset(&from_utc.starts_at), seven_hours);
    assert!(from_utc.restaurants.iter().flat_map(|o| &o.free_times).all(|time| offset(time) == seven_hours));
}

#[tokio::test]
async fn an_unknown_city_is_refused_with_the_cities_that_have_restaurants() {
    let world = World::new().await;
    // Huế is known, but has none.
    for city in ["Atlantis", "Huế", "Nha Trang"] {
        let refused = refused(world.find(search(city, 2, "2026-12-05T19:00:00+07:00")).await);
        assert_eq!(refused.code, ErrorCode::UnknownCity);
        assert_eq!(refused.path, "/city");
        assert_eq!(refused.params["cities"], json!(CITIES));
        assert!(CITIES.iter().all(|name| refused.message.contains(name)), "{}", refused.message);
    }
}

#[tokio::test]
async fn a_time_in_the_past_and_one_too_far_ahead_are_refused() {
    let world = World::new().await;
    let past = refused(world.find(search("Hà Nội", 2, "2026-12-01T09:59:59+07:00")).await);
    assert_eq!((past.code, past.path), (ErrorCode::Past, "/startsAt"));

    let ninety_days = world.now + TimeDelta::days(90);
    let mut input = search("Hà Nội", 2, "2026-12-01T11:00:00+07:00");
    input.starts_at = ninety_days.fixed_offset();
    let output = world.find(input.clone()).await.unwrap();
    // Nothing is offered that could not be booked.
    for time in output.restaurants.iter().flat_map(|option| &option.free_times) {
        assert!(*time <= ninety_days, "{time}");
    }
    input.starts_at += TimeDelta::seconds(1);
    let too_far = refused(world.find(input).await);
    assert_eq!((too_far.code, too_far.path), (ErrorCode::TooFarAhead, "/startsAt"));
    assert_eq!(too_far.params["maxDays"], json!(90));
}

#[tokio::test]
async fn no_time_is_offered_that_has_passed() {
    let world = World::at("2026-12-05T18:40:00+07:00").await;
    let output = world.find(search("Đà Lạt", 2, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert_eq!(clocks(option(&output, "dl-may-nui")), ["19:00", "19:30", "20:00", "20:30", "21:00"]);
}

#[tokio::test]
async fn around_an_uneven_time_the_even_quarters_are_offered() {
    let world = World::new().await;
    let output = world.find(search("Đà Lạt", 2, "2026-12-05T19:13:20+07:00")).await.unwrap();
    assert_eq!(output.starts_at, time("2026-12-05T19:13:20+07:00"));
    assert_eq!(clocks(option(&output, "dl-may-nui")), ["17:45", "18:15", "18:45", "19:15", "19:45", "20:15"]);
}

#[tokio::test]
async fn restaurants_with_the_closest_time_come_first() {
    let world = World::new().await;
    // Hiên Phố Nhỏ pauses from two to five; the others but Lò Than Đỏ are open.
    let output = world.find(search("Hà Nội", 2, "2026-12-05T15:00:00+07:00")).await.unwrap();
    assert_eq!(ids(&output), ["hn-bat-su-xanh", "hn-mai-ngoi-nau", "hn-hien-pho-nho", "hn-lo-than-do"]);
    // An hour before the break, and right after it: both two hours away.
    assert_eq!(clocks(option(&output, "hn-hien-pho-nho")), ["13:00", "17:00"]);
    assert_eq!(clocks(option(&output, "hn-lo-than-do")), ["17:00"]);
}

#[tokio::test]
async fn a_night_that_goes_on_after_midnight_is_found_on_the_next_day() {
    let world = World::new().await;
    let output = world.find(search("Hà Nội", 2, "2026-12-06T00:30:00+07:00")).await.unwrap();
    assert_eq!(ids(&output), ["hn-lo-than-do"]);
    let times: Vec<_> = output.restaurants[0].free_times.iter().map(|time| time.to_rfc3339()).collect();
    assert_eq!(times.first().unwrap(), "2026-12-05T22:30:00+07:00");
    assert_eq!(times.last().unwrap(), "2026-12-06T01:00:00+07:00");
}

#[tokio::test]
async fn a_restaurant_is_not_offered_on_its_closing_day() {
    let world = World::new().await;
    // The seventh of December is a Monday.
    let output = world.find(search("Đà Lạt", 2, "2026-12-07T19:00:00+07:00")).await.unwrap();
    assert_eq!(ids(&output), ["dl-bep-suong", "dl-may-nui"]);
}

#[tokio::test]
async fn a_cuisine_narrows_the_search_and_may_leave_nothing() {
    let world = World::new().await;
    for (city, cuisine, expected) in [
        ("Đà Nẵng", "seafood", &["dn-ben-luoi", "dn-song-khuya"][..]),
        ("Đà Nẵng", "hải sản", &["dn-ben-luoi", "dn-song-khuya"]),
        ("Đà Nẵng", "Vietnamese", &["dn-hien-gio-nam", "dn-la-chuoi"]),
        ("Sài Gòn", "japanese", &["hcm-tam-ghe"]),
        ("Sài Gòn", "peruvian", &[]),
    ] {
        let input = FindTablesInput {
            cuisine: Some(cuisine.to_owned()),
            ..search(city, 2, "2026-12-05T19:00:00+07:00")
        };
        assert_eq!(ids(&world.find(input).await.unwrap()), expected, "{city} {cuisine}");
    }
}

#[tokio::test]
async fn a_full_time_and_too_small_a_restaurant_are_not_offered() {
    let world = World::new().await;
    // Nine do not fit into eight seats.
    let many = world.find(search("Đà Lạt", 9, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert!(!ids(&many).contains(&"dl-nha-kinh-nho"));

    world.book(&booking("dl-nha-kinh-nho", 6, "2026-12-05T19:00:00+07:00")).await.unwrap();
    let two = world.find(search("Đà Lạt", 2, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert!(clocks(option(&two, "dl-nha-kinh-nho")).contains(&"19:00".to_owned()));
    // Whoever comes at half past five would still sit at seven.
    let three = world.find(search("Đà Lạt", 3, "2026-12-05T19:00:00+07:00")).await.unwrap();
    assert_eq!(clocks(option(&three, "dl-nha-kinh-nho")), ["21:00"]);
    assert_eq!(three.restaurants.last().unwrap().restaurant_id, "dl-nha-kinh-nho");
}

#[tokio::test]
async fn every_time_that_is_offered_can_be_booked_and_gets_its_seats() {
    let world = World::new().await;
    for starts_at in ["2026-12-01T10:05:00+07:00", "2026-12-05T23:30:00+07:00", "2026-12-06T12:00:00+07:00"] {
        for city in CITIES {
            let output = world.find(search(city, 5, starts_at)).await.unwrap();
            for option in &output.restaurants {
                assert!((1..=6).contains(&option.free_times.len()));
                assert!(option.free_times.is_sorted());
                for time in &option.free_times {
                    let mut input = booking(&option.restaurant_id, 5, starts_at);
                    input.starts_at = *time;
                    let preview = world.preview(&input).await.unwrap();
                    assert!(preview.seats_free >= 5, "{preview:?}");
                }
            }
        }
    }
}
