//! What is asked for again, and what is remembered.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::future::join_all;
use server::clock::SetClock;
use server::weather::open_meteo::{OpenMeteo, OpenMeteoSettings, Timeouts};
use server::weather::{Weather, WeatherError};
use shared::tools::GetWeatherOutput;

use crate::support::{FakeOpenMeteo, Reply, Service};

const NOW: &str = "2026-12-01T03:00:00Z";

struct World {
    fake: FakeOpenMeteo,
    clock: Arc<SetClock>,
    source: OpenMeteo,
    now: DateTime<Utc>,
}

impl World {
    async fn new() -> Self {
        let fake = FakeOpenMeteo::start().await;
        let now = NOW.parse().unwrap();
        let clock = Arc::new(SetClock::new(now));
        let settings = OpenMeteoSettings {
            forecast_url: fake.url.clone(),
            geocoding_url: fake.url.clone(),
            timeouts: Timeouts::default(),
        };
        let source = OpenMeteo::new(&settings, clock.clone()).unwrap();
        fake.set_clock(now);
        Self { fake, clock, source, now }
    }

    fn pass(&mut self, time: TimeDelta) {
        self.now += time;
        self.clock.set(self.now);
        self.fake.set_clock(self.now);
    }

    async fn ask(&self, city: &str, days: u8) -> Result<GetWeatherOutput, WeatherError> {
        self.source.forecast(city, days, self.now).await
    }

    /// How often each service was asked.
    fn counts(&self) -> (usize, usize) {
        (self.fake.asked(Service::Geocoding).len(), self.fake.asked(Service::Forecast).len())
    }
}

#[tokio::test]
async fn a_forecast_is_remembered_for_ten_minutes_and_a_place_for_a_day() {
    let mut world = World::new().await;
    let first = world.ask("Huế", 3).await.unwrap();
    world.pass(TimeDelta::minutes(10) - TimeDelta::milliseconds(1));
    let second = world.ask("hue", 7).await.unwrap();
    assert_eq!(world.counts(), (1, 1));
    assert_eq!(second.fetched_at, first.fetched_at, "an old answer does not look new");
    assert_eq!((first.days.len(), second.days.len()), (3, 7));

    world.pass(TimeDelta::milliseconds(1));
    let third = world.ask("Huế", 3).await.unwrap();
    assert_eq!(world.counts(), (1, 2));
    assert_eq!(third.fetched_at.unwrap().to_utc(), world.now);

    world.pass(TimeDelta::hours(23));
    world.ask("Huế", 3).await.unwrap();
    assert_eq!(world.counts(), (1, 3));
    world.pass(TimeDelta::hours(1));
    world.ask("Huế", 3).await.unwrap();
    assert_eq!(world.counts(), (2, 4));
}

#[tokio::test]
async fn a_forecast_from_before_midnight_begins_with_the_new_day_after_it() {
    let mut world = World::new().await;
    // Five to midnight in Huế.
    world.pass("2026-12-01T16:55:00Z".parse::<DateTime<Utc>>().unwrap() - world.now);
    let before = world.ask("Huế", 7).await.unwrap();
    world.pass(TimeDelta::minutes(6));
    let after = world.ask("Huế", 7).await.unwrap();
    assert_eq!(world.counts(), (1, 1));
    assert_eq!(before.days[0].date.to_string(), "2026-12-01");
    assert_eq!(after.days[0].date.to_string(), "2026-12-02");
    assert_eq!(after.days.len(), 7);
}

#[tokio::test]
async fn the_same_question_of_many_guests_at_once_is_asked_once() {
    let world = World::new().await;
    world.fake.slow(Duration::from_millis(200));
    let names = ["Huế", "hue", "Hue city", "Huế, Việt Nam"];
    let all = join_all(names.iter().cycle().take(20).map(|name| world.ask(name, 2))).await;
    assert_eq!(world.counts(), (1, 1));
    let first = all[0].as_ref().unwrap();
    assert!(all.iter().all(|output| output.as_ref().unwrap() == first));
}

#[tokio::test]
async fn a_failure_is_not_remembered() {
    let world = World::new().await;
    world.fake.then(Service::Geocoding, [Reply::refused(429, "Too many requests"), Reply::raw(200, "{")]);
    world.fake.then(Service::Forecast, [Reply::raw(200, "")]);
    for _ in 0..3 {
        assert!(matches!(world.ask("Huế", 1).await, Err(WeatherError::Failed(_))));
    }
    world.ask("Huế", 1).await.unwrap();
    assert_eq!(world.counts(), (3, 2));
}

#[tokio::test]
async fn a_place_that_was_not_found_is_looked_for_again() {
    let world = World::new().await;
    for times in 1..=2 {
        assert!(matches!(world.ask("Atlantis", 1).await, Err(WeatherError::UnknownPlace { .. })));
        assert_eq!(world.counts(), (times, 0));
    }
}

#[tokio::test]
async fn who_waited_for_a_question_that_was_given_up_gets_an_answer_all_the_same() {
    let world = World::new().await;
    world.fake.then(Service::Geocoding, [Reply::raw(200, "{}").after(Duration::from_secs(3))]);
    let given_up = tokio::time::timeout(Duration::from_millis(100), world.ask("Huế", 1));
    let patient = async {
        tokio::time::sleep(Duration::from_millis(30)).await;
        world.ask("Huế", 1).await
    };
    let (given_up, patient) = tokio::join!(given_up, patient);
    assert!(given_up.is_err());
    assert_eq!(patient.unwrap().city, "Huế");
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_make_old_answers_young() {
    let mut world = World::new().await;
    world.ask("Huế", 1).await.unwrap();
    world.pass(TimeDelta::days(-2));
    world.ask("Huế", 1).await.unwrap();
    assert_eq!(world.counts(), (2, 2));
}

#[tokio::test]
async fn memory_is_bounded() {
    let world = World::new().await;
    // Each is another question, and another place.
    for number in 0..1_300 {
        let mut found = crate::support::place("Somewhere", "x", ("FR", "France"), "Europe/Paris", 1);
        found["latitude"] = serde_json::json!(f64::from(number) / 100.0);
        world.fake.then(Service::Geocoding, [Reply::places([found])]);
        world.ask(&format!("Somewhere {number}"), 1).await.unwrap();
    }
    let (before, _) = world.counts();
    for number in 0..1_300 {
        let _ = world.ask(&format!("Somewhere {number}"), 1).await;
    }
    let (after, _) = world.counts();
    assert!(after - before >= 300, "only {} of 1300 were forgotten", after - before);
}
