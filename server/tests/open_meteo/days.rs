//! The figures: whose today, which units, which words, and what is missing.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use serde_json::{Value, json};
use server::clock::SetClock;
use server::weather::open_meteo::{OpenMeteo, OpenMeteoSettings, Timeouts};
use server::weather::{Weather, WeatherError};
use shared::tools::{GetWeatherOutput, WeatherSummary};

use crate::support::{FakeOpenMeteo, Reply, Service, forecast, place};

fn moment(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// A source and a fake whose clocks stand still.
struct World {
    fake: FakeOpenMeteo,
    now: DateTime<Utc>,
    source: OpenMeteo,
}

impl World {
    async fn at(now: &str) -> Self {
        let (fake, now) = (FakeOpenMeteo::start().await, moment(now));
        fake.set_clock(now);
        let settings = OpenMeteoSettings {
            forecast_url: fake.url.clone(),
            geocoding_url: fake.url.clone(),
            timeouts: Timeouts::default(),
        };
        let source = OpenMeteo::new(&settings, Arc::new(SetClock::new(now))).unwrap();
        Self { fake, now, source }
    }

    /// Where the forecast's answer is this one.
    async fn answering(body: Value) -> Self {
        let world = Self::at("2026-12-01T03:00:00Z").await;
        world.fake.then(Service::Forecast, [Reply::json(body)]);
        world
    }

    async fn ask(&self, city: &str, days: u8) -> Result<GetWeatherOutput, WeatherError> {
        self.source.forecast(city, days, self.now).await
    }
}

/// Eight days from the first of December on.
fn documented() -> Value {
    forecast(date("2026-12-01"), 8, 7 * 3600)
}

#[tokio::test]
async fn days_begin_with_the_places_own_today() {
    let world = World::at("2026-12-01T03:30:00Z").await;
    for (city, zone, today, fetched) in [
        ("New York", "America/New_York", "2026-11-30", "2026-11-30T22:30:00-05:00"),
        ("Paris", "Europe/Paris", "2026-12-01", "2026-12-01T04:30:00+01:00"),
        ("Đà Lạt", "Asia/Ho_Chi_Minh", "2026-12-01", "2026-12-01T10:30:00+07:00"),
        ("Tokyo", "Asia/Tokyo", "2026-12-01", "2026-12-01T12:30:00+09:00"),
    ] {
        let output = world.ask(city, 3).await.unwrap();
        assert_eq!(output.days[0].date, date(today), "{city}");
        assert_eq!(output.days.len(), 3);
        assert!(output.days.is_sorted_by_key(|day| day.date));
        assert_eq!(output.fetched_at, DateTime::parse_from_rfc3339(fetched).ok(), "{city}");
        assert_eq!(world.fake.asked(Service::Forecast).last().unwrap()["timezone"], zone);
    }
    // Which they no longer are an hour and a half later.
    let world = World::at("2026-12-01T05:00:00Z").await;
    assert_eq!(world.ask("New York", 1).await.unwrap().days[0].date, date("2026-12-01"));
}

#[tokio::test]
async fn without_a_zone_of_the_geocoders_the_forecasts_own_clock_counts() {
    for zone in [json!("Mars/Olympus_Mons"), Value::Null] {
        let world = World::at("2026-11-30T16:00:00Z").await;
        let mut found = place("Tokyo", "Tokyo", ("JP", "Japan"), "", 9_733_276);
        found["timezone"] = zone;
        world.fake.then(Service::Geocoding, [Reply::places([found])]);
        let output = world.ask("Tokyo", 2).await.unwrap();
        assert_eq!(world.fake.asked(Service::Forecast)[0]["timezone"], "auto");
        // The fake's own zone is Tokyo's.
        assert_eq!(output.days[0].date, date("2026-12-01"));
        assert_eq!(output.fetched_at.unwrap().to_rfc3339(), "2026-12-01T01:00:00+09:00");
    }
}

#[tokio::test]
async fn as_many_days_come_as_were_asked_for() {
    let world = World::at("2026-12-01T03:00:00Z").await;
    for days in 1..=7 {
        assert_eq!(world.ask("Huế", days).await.unwrap().days.len(), usize::from(days));
    }
}

#[tokio::test]
async fn it_asks_for_what_it_needs_in_its_own_units_and_says_where() {
    let world = World::at("2026-12-01T03:00:00Z").await;
    world.ask("Đà Lạt", 7).await.unwrap();
    let asked = &world.fake.asked(Service::Forecast)[0];
    assert_eq!((asked["latitude"].as_str(), asked["longitude"].as_str()), ("11.9465", "108.4419"));
    assert_eq!(asked["temperature_unit"], "celsius");
    assert_eq!(
        asked["daily"],
        "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max"
    );
}

#[tokio::test]
async fn degrees_are_whole_and_rounded_to_the_nearest() {
    let mut body = documented();
    body["daily"]["temperature_2m_min"] = json!([18.4, -0.4, -12.5, 17.6, 1, 1, 1, 1]);
    body["daily"]["temperature_2m_max"] = json!([27.6, 0.4, -0.5, 17.7, 1, 1, 1, 1]);
    let output = World::answering(body).await.ask("Đà Lạt", 4).await.unwrap();
    let ranges: Vec<_> = output.days.iter().map(|day| (day.min_c, day.max_c)).collect();
    assert_eq!(ranges, [(18, 28), (0, 0), (-13, -1), (18, 18)]);
}

#[tokio::test]
async fn every_code_that_is_documented_has_a_sky_and_others_have_none() {
    use WeatherSummary as S;
    for (codes, summary) in [
        (&[0, 1][..], S::Clear),
        (&[2], S::PartlyCloudy),
        (&[3], S::Cloudy),
        (&[45, 48], S::Fog),
        (&[51, 53, 55], S::Drizzle),
        (&[56, 57, 66, 67], S::FreezingRain),
        (&[61, 63, 65], S::Rain),
        (&[71, 73, 75, 77], S::Snow),
        (&[80, 81, 82], S::Showers),
        (&[85, 86], S::SnowShowers),
        (&[95], S::Thunderstorm),
        (&[96, 99], S::Hailstorm),
        (&[4, 42, 100, 65_535], S::Unknown),
    ] {
        let mut body = documented();
        for (index, code) in codes.iter().enumerate() {
            body["daily"]["weather_code"][index] = json!(code);
        }
        let output = World::answering(body).await.ask("Đà Lạt", codes.len() as u8).await.unwrap();
        for (day, code) in output.days.iter().zip(codes) {
            assert_eq!(day.summary, summary, "{code}");
        }
    }
}

#[tokio::test]
async fn what_is_not_known_is_left_out_instead_of_made_up() {
    let mut body = documented();
    body["daily"]["weather_code"][0] = Value::Null;
    body["daily"]["precipitation_probability_max"][0] = Value::Null;
    let output = World::answering(body).await.ask("Đà Lạt", 2).await.unwrap();
    assert_eq!((output.days[0].summary, output.days[0].chance_of_rain), (WeatherSummary::Unknown, None));
    assert_eq!(output.days[1].chance_of_rain, Some(10));
    let told = serde_json::to_value(&output.days[0]).unwrap();
    assert_eq!(told.get("chanceOfRain"), None, "absent, not null");

    let mut body = documented();
    body["daily"].as_object_mut().unwrap().remove("precipitation_probability_max");
    let output = World::answering(body).await.ask("Đà Lạt", 7).await.unwrap();
    assert!(output.days.iter().all(|day| day.chance_of_rain.is_none()));
}

#[tokio::test]
async fn days_that_the_model_does_not_reach_are_left_out() {
    let mut body = documented();
    for day in 3..8 {
        body["daily"]["temperature_2m_max"][day] = Value::Null;
        body["daily"]["temperature_2m_min"][day] = Value::Null;
    }
    let output = World::answering(body).await.ask("Đà Lạt", 7).await.unwrap();
    assert_eq!(output.days.len(), 3);
}
