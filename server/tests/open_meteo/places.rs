//! Which place is asked for and taken, and that the output says so.

use std::sync::Arc;

use serde_json::{Value, json};
use server::clock::SystemClock;
use server::weather::open_meteo::{OpenMeteo, OpenMeteoSettings, Timeouts};
use server::weather::{Weather, WeatherError};
use shared::tools::GetWeatherOutput;

use crate::support::{FakeOpenMeteo, Reply, Service, Stage, Turn, heard, place, tool_parts, weather};

const FRANCE: (&str, &str) = ("FR", "France");
const AMERICA: (&str, &str) = ("US", "United States");
const VIETNAM: (&str, &str) = ("VN", "Vietnam");

fn source(fake: &FakeOpenMeteo) -> OpenMeteo {
    let settings = OpenMeteoSettings {
        forecast_url: fake.url.clone(),
        geocoding_url: fake.url.clone(),
        timeouts: Timeouts::default(),
    };
    OpenMeteo::new(&settings, Arc::new(SystemClock)).unwrap()
}

async fn ask(source: &OpenMeteo, city: &str) -> Result<GetWeatherOutput, WeatherError> {
    source.forecast(city, 1, chrono::Utc::now()).await
}

/// What is taken of these candidates.
async fn taken(city: &str, candidates: impl IntoIterator<Item = Value>) -> String {
    let fake = FakeOpenMeteo::start().await;
    fake.then(Service::Geocoding, [Reply::places(candidates)]);
    let output = ask(&source(&fake), city).await.unwrap();
    format!("{}, {}", output.region.unwrap_or_default(), output.country.unwrap_or_default())
}

#[tokio::test]
async fn a_city_of_ours_is_found_by_every_name_that_people_type_and_asked_for_once() {
    let fake = FakeOpenMeteo::start().await;
    let source = source(&fake);
    for (names, asked_as, shown) in [
        (&["Đà Lạt", "Da Lat", "dalat", "TP. Đà Lạt, Lâm Đồng"][..], "Đà Lạt", "Đà Lạt"),
        (&["TP HCM", "Sài Gòn", "saigon", "tp. hồ chí minh"], "Ho Chi Minh City", "TP. Hồ Chí Minh"),
        (&["HN", "ha noi", "Hanoi, Vietnam"], "Hà Nội", "Hà Nội"),
    ] {
        let before = fake.asked(Service::Geocoding).len();
        for name in names {
            let output = ask(&source, name).await.unwrap();
            assert_eq!(output.city, shown, "{name}");
            assert_eq!(output.country.as_deref(), Some("Vietnam"), "{name}");
        }
        let asked = &fake.asked(Service::Geocoding)[before..];
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert_eq!(asked[0]["name"], asked_as);
        assert_eq!(asked[0]["countryCode"], "VN");
    }
}

#[tokio::test]
async fn a_name_unknown_to_us_goes_to_the_geocoder_as_it_is() {
    let fake = FakeOpenMeteo::start().await;
    let output = ask(&source(&fake), "  Paris,\n Texas ").await.unwrap();
    let asked = &fake.asked(Service::Geocoding)[0];
    assert_eq!(asked["name"], "Paris, Texas");
    assert_eq!(asked.get("countryCode"), None);
    assert_eq!(output.city, "Paris");
}

#[tokio::test]
async fn of_the_same_name_the_place_with_the_most_inhabitants_is_taken() {
    let paris = |region, country, population| place("Paris", region, country, "Europe/Paris", population);
    let candidates = || {
        [
            paris("Texas", AMERICA, 24_782),
            paris("Île-de-France", FRANCE, 2_138_551),
            paris("Ohio", AMERICA, 9),
        ]
    };
    assert_eq!(taken("paris", candidates()).await, "Île-de-France, France");
    // Without the number of inhabitants it comes last.
    let mut unknown = candidates();
    unknown[1].as_object_mut().unwrap().remove("population");
    assert_eq!(taken("paris", unknown).await, "Texas, United States");
}

#[tokio::test]
async fn a_place_of_exactly_this_name_comes_before_a_greater_one_of_another() {
    let candidates = [
        place("Parisot", "Occitanie", FRANCE, "Europe/Paris", 9_000_000),
        place("París", "Texas", AMERICA, "America/Chicago", 24_782),
    ];
    assert_eq!(taken("PARIS", candidates.clone()).await, "Texas, United States");
    assert_eq!(taken("Parise", candidates).await, "Occitanie, France");
}

#[tokio::test]
async fn among_equals_vietnam_is_preferred_then_the_geocoders_order_stands() {
    let named = |region, country| place("Mo", region, country, "Asia/Ho_Chi_Minh", 500);
    let candidates = [named("Nordland", ("NO", "Norway")), named("Nam Định", VIETNAM)];
    assert_eq!(taken("Mo", candidates).await, "Nam Định, Vietnam");
    let candidates = [named("Nordland", ("NO", "Norway")), named("Hedmark", ("NO", "Norway"))];
    assert_eq!(taken("Mo", candidates).await, "Nordland, Norway");
}

#[tokio::test]
async fn a_city_of_ours_is_never_one_abroad() {
    let fake = FakeOpenMeteo::start().await;
    // One that does not heed the country that it was asked for.
    let norwegian = place("Vinh", "Oslo", ("NO", "Norway"), "Europe/Oslo", 900_000);
    let ours = place("Vinh", "Nghệ An", VIETNAM, "Asia/Ho_Chi_Minh", 490_000);
    fake.then(Service::Geocoding, [Reply::places([norwegian.clone(), ours]), Reply::places([norwegian])]);
    let first = source(&fake);
    assert_eq!(ask(&first, "Vinh").await.unwrap().region.as_deref(), Some("Nghệ An"));
    let refused = ask(&source(&fake), "Vinh").await.unwrap_err();
    assert!(matches!(refused, WeatherError::UnknownPlace { .. }), "{refused:?}");
}

#[tokio::test]
async fn the_output_says_which_place_was_taken_and_when_to_guest_and_model_alike() {
    let fake = FakeOpenMeteo::start().await;
    let before = chrono::Utc::now() - chrono::TimeDelta::seconds(1);
    let stage = Stage::with_settings(
        &fake.settings(),
        [Turn::call("getWeather", json!({ "city": "paris", "days": 2 })), Turn::text("Mild.")],
    )
    .await;
    stage.say("Paris?").await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    let output = &part["output"];
    assert_eq!(
        (&output["city"], &output["region"], &output["country"], &output["source"]),
        (&json!("Paris"), &json!("Île-de-France"), &json!("France"), &json!("open-meteo")),
    );
    let fetched = chrono::DateTime::parse_from_rfc3339(output["fetchedAt"].as_str().unwrap()).unwrap();
    assert!(before < fetched && fetched < chrono::Utc::now(), "{fetched}");
    let paris = chrono::Utc::now().with_timezone(&chrono_tz::Europe::Paris);
    assert_eq!(fetched.offset().local_minus_utc(), paris.fixed_offset().offset().local_minus_utc());
    assert_eq!(output["days"].as_array().unwrap().len(), 2);
    let told: Value = serde_json::from_str(&heard(&stage.model.requests()[1])[0].text).unwrap();
    assert_eq!(told, *output);
}

#[tokio::test]
async fn a_region_of_the_citys_own_name_is_not_said_twice() {
    let fake = FakeOpenMeteo::start().await;
    let output = ask(&source(&fake), "Hà Nội").await.unwrap();
    assert_eq!((output.region, output.country.as_deref()), (None, Some("Vietnam")));
}

#[tokio::test]
async fn a_place_that_nobody_knows_is_refused_without_a_word_about_the_geocoder() {
    let fake = FakeOpenMeteo::start().await;
    // As documented: no results at all. And as an empty list.
    for reply in [None, Some(Reply::json(json!({ "results": [], "generationtime_ms": 0.1 })))] {
        fake.then(Service::Geocoding, reply);
        let stage = Stage::with_settings(
            &fake.settings(),
            [Turn::call("getWeather", weather("Atlantis")), Turn::text("I do not know it.")],
        )
        .await;
        stage.say("Atlantis?").await;
        stage.assert_ended("done").await;
        let part = stage.only_part().await;
        assert_eq!(part["state"], "output-error");
        assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!("unknown-city")));
        assert_eq!(part.get("params"), None);
        let result = &heard(&stage.model.requests()[1])[0];
        assert!(result.is_error);
        for text in [&result.text, part["errorText"].as_str().unwrap()] {
            let text = text.to_lowercase();
            assert!(text.contains("place"), "{text}");
            for word in ["atlantis", "meteo", "http", "geocod"] {
                assert!(!text.contains(word), "{word} in {text}");
            }
        }
    }
    assert!(fake.asked(Service::Forecast).is_empty());
}

#[tokio::test]
async fn what_cannot_be_a_name_is_not_even_asked_for() {
    let fake = FakeOpenMeteo::start().await;
    let source = source(&fake);
    for city in [" ", "?", "…", "\u{200b}\u{2060}", ",;-"] {
        let refused = ask(&source, city).await.unwrap_err();
        assert!(matches!(refused, WeatherError::UnknownPlace { .. }), "{city:?}: {refused:?}");
    }
    assert!(fake.asked(Service::Geocoding).is_empty());
}
