//! Cities by any name, cuisines by any name, and the weather that is typical for them.

mod domain_support;

use std::collections::HashSet;

use chrono::NaiveDate;
use domain_support::{World, refused};
use server::restaurants::cities::{CITIES, CityId, called, own_name, resolve_city};
use server::restaurants::cuisines;
use server::tools::contract::ReadTool;
use server::weather::normals::normals;
use server::weather::typical_day;
use shared::error_code::ErrorCode;
use shared::tools::{DayForecast, GetWeather, GetWeatherInput, WeatherSource, WeatherSummary};
use unicode_normalization::UnicodeNormalization;

#[test]
fn a_city_is_known_by_every_name_that_people_type() {
    for (text, name) in [
        ("Đà Lạt", "Đà Lạt"),
        ("đà lạt", "Đà Lạt"),
        ("ĐÀ LẠT", "Đà Lạt"),
        ("Da Lat", "Đà Lạt"),
        ("Dalat", "Đà Lạt"),
        ("  da   lat ", "Đà Lạt"),
        ("Da-Lat", "Đà Lạt"),
        ("Đà Lạt, Lâm Đồng", "Đà Lạt"),
        ("thành phố Đà Lạt", "Đà Lạt"),
        ("TP. Đà Lạt, Lâm Đồng, Việt Nam", "Đà Lạt"),
        ("Dalat city", "Đà Lạt"),
        ("Hà Nội", "Hà Nội"),
        ("Hanoi", "Hà Nội"),
        ("HaNoi, Vietnam", "Hà Nội"),
        ("hn", "Hà Nội"),
        ("HN", "Hà Nội"),
        ("TP. Hồ Chí Minh", "TP. Hồ Chí Minh"),
        ("Thành phố Hồ Chí Minh", "TP. Hồ Chí Minh"),
        ("Ho Chi Minh City", "TP. Hồ Chí Minh"),
        ("TP HCM", "TP. Hồ Chí Minh"),
        ("TP.HCM", "TP. Hồ Chí Minh"),
        ("T.P. HCM", "TP. Hồ Chí Minh"),
        ("tphcm", "TP. Hồ Chí Minh"),
        ("HCMC", "TP. Hồ Chí Minh"),
        ("HCM City", "TP. Hồ Chí Minh"),
        ("Sài Gòn", "TP. Hồ Chí Minh"),
        ("sai gon", "TP. Hồ Chí Minh"),
        ("Saigon", "TP. Hồ Chí Minh"),
        ("Da Nang", "Đà Nẵng"),
        ("Danang", "Đà Nẵng"),
        ("đà nẵng", "Đà Nẵng"),
        ("Hue", "Huế"),
        ("Huế, Thừa Thiên Huế", "Huế"),
        ("Sapa", "Sa Pa"),
        ("Mũi Né", "Phan Thiết"),
        ("Ban Me Thuot", "Buôn Ma Thuột"),
    ] {
        assert_eq!(resolve_city(text).map(|city| city.name), Some(name), "{text}");
    }
}

#[test]
fn composed_and_decomposed_letters_name_the_same_city() {
    for city in CITIES {
        let composed: String = city.name.nfc().collect();
        let decomposed: String = city.name.nfd().collect();
        assert_eq!(resolve_city(&composed), Some(city), "{}", city.name);
        assert_eq!(resolve_city(&decomposed), Some(city), "{}", city.name);
    }
    assert_ne!("Đà Lạt".nfd().collect::<String>(), "Đà Lạt".nfc().collect::<String>());
}

#[test]
fn an_unknown_city_is_not_guessed() {
    for text in [
        "",
        " ",
        "?",
        "Paris",
        "Nha",
        "Hà",
        "Đà",
        "Hà Nội hoặc Huế",
        "Da Lat Paris",
        "city",
        "tp",
        "Việt Nam",
        "Lâm Đồng",
        "Hanoi, Lâm Đồng",
        "hà\0nội tây",
        "da' OR 1=1",
    ] {
        assert_eq!(resolve_city(text), None, "{text:?}");
    }
}

#[test]
fn a_city_that_only_the_database_knows_is_found_by_how_it_is_written() {
    let names = ["Bordeaux", "TP. Hồ Chí Minh", "Kon Tum", "กา", "กี", "東京", "القاهرة", "🏝️", "São Paulo"]
        .map(str::to_owned);
    for (text, found) in [
        ("bordeaux", "Bordeaux"),
        (" BORDEAUX ", "Bordeaux"),
        ("Bordeaux, France", "Bordeaux"),
        ("Bordeaux city", "Bordeaux"),
        ("TP. Kon Tum", "Kon Tum"),
        ("kontum", "Kon Tum"),
        ("Sài Gòn", "TP. Hồ Chí Minh"),
        // Their vowels are letters, not diacritics.
        ("กา", "กา"),
        ("กี", "กี"),
        ("東京", "東京"),
        ("القاهرة", "القاهرة"),
        ("🏝️", "🏝️"),
        ("sao paulo", "São Paulo"),
    ] {
        assert_eq!(called(&names, text), [found], "{text}");
    }
    for text in ["", " ", "?", "Bord", "Paris", "Bordeaux Paris", "tp", "city", "Đà Lạt", ","] {
        assert_eq!(called(&names, text), Vec::<&str>::new(), "{text:?}");
    }
    // Written in several ways it is one city still.
    let twice = ["Orleans", "Orléans"].map(str::to_owned);
    assert_eq!(called(&twice, "orleans"), ["Orleans", "Orléans"]);
}

#[test]
fn a_city_is_kept_by_its_own_name() {
    for (written, kept) in [("TP HCM", "TP. Hồ Chí Minh"), ("dalat", "Đà Lạt"), ("Bordeaux", "Bordeaux")]
    {
        assert_eq!(own_name(written), kept);
    }
}

#[test]
fn no_two_cities_share_a_name_and_every_city_is_found_by_its_own() {
    let names: HashSet<_> = CITIES.iter().map(|city| city.name).collect();
    assert_eq!(names.len(), CITIES.len());
    for city in CITIES {
        assert_eq!(resolve_city(city.name), Some(city));
    }
}

#[test]
fn a_cuisine_is_asked_for_in_either_language() {
    for (cuisine, wanted) in [
        ("Hải sản", "seafood"),
        ("Hải sản", "hai san"),
        ("Hải sản", "HẢI SẢN"),
        ("Hải sản", "a seafood restaurant"),
        ("Món chay", "vegetarian"),
        ("Món chay", "đồ chay"),
        ("Món chay", "chay"),
        ("Món chay", "plant-based"),
        ("Món Việt", "Vietnamese"),
        ("Món Việt", "món việt"),
        ("Món Hà Nội", "Vietnamese food"),
        ("Món Quảng", "mì quảng"),
        ("Lẩu và nướng", "lẩu"),
        ("Lẩu và nướng", "BBQ"),
        ("Lẩu và nướng", "hotpot"),
        ("Món Âu", "western"),
        ("Món Nhật", "sushi"),
        // One that the table does not know, added by an operator.
        ("Món Thái", "thái"),
    ] {
        assert!(cuisines::matches(cuisine, wanted), "{cuisine} for {wanted}");
    }
    for (cuisine, wanted) in [
        ("Hải sản", "vegetarian"),
        ("Món Việt", "Japanese"),
        ("Món Nhật", "Vietnamese"),
        ("Món Âu", "lẩu"),
        ("Món Việt", "viettel"),
        ("Món chay", "martian"),
        ("Món Việt", ""),
    ] {
        assert!(!cuisines::matches(cuisine, wanted), "{cuisine} for {wanted}");
    }
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
fn in_the_middle_of_a_month_the_weather_is_the_normal_of_that_month() {
    for city in CITIES {
        for month in 1..=12_u32 {
            let normal = normals(city.id)[month as usize - 1];
            let day = typical_day(city.id, NaiveDate::from_ymd_opt(2027, month, 15).unwrap());
            assert_eq!((day.min_c, day.max_c), (normal.min_c, normal.max_c), "{} {month}", city.name);
            assert_eq!((day.chance_of_rain, day.summary), (Some(normal.chance_of_rain), normal.summary));
        }
    }
}

#[test]
fn between_two_months_the_weather_moves_evenly() {
    let [january, february] = [0, 1].map(|month| normals(CityId::SaPa)[month]);
    assert_eq!((january.min_c, february.min_c), (6, 8));
    assert_eq!((january.max_c, february.max_c), (12, 14));
    let day = typical_day(CityId::SaPa, date("2027-01-31"));
    assert_eq!((day.min_c, day.max_c), (7, 13));

    let [december, january] = [11, 0].map(|month| normals(CityId::SaPa)[month]);
    assert_eq!((december.max_c, january.max_c), (13, 12));
    assert_eq!(typical_day(CityId::SaPa, date("2026-12-20")).max_c, 13);
    assert_eq!(typical_day(CityId::SaPa, date("2027-01-10")).max_c, 12);
}

#[test]
fn the_summary_changes_halfway_between_two_months() {
    let of = |text| typical_day(CityId::DaNang, date(text)).summary;
    let [september, october] = [8, 9].map(|month| normals(CityId::DaNang)[month].summary);
    assert_eq!((september, october), (WeatherSummary::Showers, WeatherSummary::Rain));
    // 30 days lie between the middles of September and October.
    assert_eq!(of("2026-09-29"), WeatherSummary::Showers);
    assert_eq!(of("2026-09-30"), WeatherSummary::Rain);
}

#[test]
fn the_weather_of_any_day_is_possible_and_never_jumps() {
    for city in CITIES {
        let mut days = date("2027-12-31").iter_days().take(800).map(|date| typical_day(city.id, date));
        let mut before = days.next().unwrap();
        let chance = |day: &DayForecast| day.chance_of_rain.unwrap();
        for day in days {
            assert!(day.min_c < day.max_c && (-5..45).contains(&day.min_c), "{} {day:?}", city.name);
            assert!(chance(&day) <= 100);
            assert!(before.min_c.abs_diff(day.min_c) <= 1, "{} {day:?}", city.name);
            assert!(before.max_c.abs_diff(day.max_c) <= 1, "{} {day:?}", city.name);
            assert!(chance(&before).abs_diff(chance(&day)) <= 2, "{} {day:?}", city.name);
            before = day;
        }
    }
}

#[tokio::test]
async fn the_forecast_starts_today_by_the_citys_calendar_and_is_marked_as_sample() {
    // In London it is still the thirtieth.
    let world = World::at("2026-11-30T17:30:00Z").await;
    let input = GetWeatherInput { city: "da lat".to_owned(), days: 3 };
    let output = GetWeather::run(&world.context(), input).await.unwrap();
    assert_eq!(output.city, "Đà Lạt");
    assert_eq!(output.source, WeatherSource::Sample);
    assert_eq!((output.region, output.country, output.fetched_at), (None, None, None));
    let dates: Vec<_> = output.days.iter().map(|day| day.date).collect();
    assert_eq!(dates, ["2026-12-01", "2026-12-02", "2026-12-03"].map(date));
}

#[tokio::test]
async fn the_forecast_runs_over_the_end_of_a_year() {
    let world = World::at("2026-12-29T12:00:00+07:00").await;
    for days in 1..=7 {
        let input = GetWeatherInput { city: "Huế".to_owned(), days };
        let output = GetWeather::run(&world.context(), input).await.unwrap();
        assert_eq!(output.days.len(), usize::from(days));
        assert!(output.days.is_sorted_by_key(|day| day.date));
    }
}

#[tokio::test]
async fn weather_of_an_unknown_place_is_refused_with_the_places_that_are_known() {
    let world = World::new().await;
    let input = GetWeatherInput { city: "Atlantis".to_owned(), days: 1 };
    let refused = refused(GetWeather::run(&world.context(), input).await);
    assert_eq!(refused.code, ErrorCode::UnknownCity);
    assert_eq!(refused.path, "/city");
    let names: Vec<_> = CITIES.iter().map(|city| city.name).collect();
    assert_eq!(refused.params["cities"], serde_json::json!(names));
    for name in names {
        assert!(refused.message.contains(name), "{}", refused.message);
    }
    assert!(!refused.message.contains("Atlantis"));
}
