use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use chrono::{DateTime, NaiveDate, Offset, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};
use server::restaurants::fold;
use tokio::net::TcpListener;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    Geocoding,
    Forecast,
}

type Asked = HashMap<String, String>;

/// Open-Meteo's two services on one loopback port. Without a reply of the test's own each answers as it
/// is documented: the geocoder from a small gazetteer, the forecast with the days of the place's
/// calendar.
pub struct FakeOpenMeteo {
    pub url: String,
    state: Arc<Fake>,
}

#[derive(Default)]
struct Fake {
    replies: Mutex<HashMap<Service, VecDeque<Reply>>>,
    asked: Mutex<Vec<(Service, Asked)>>,
    counts: Mutex<Counts>,
    /// Before each answer.
    pace: Mutex<Duration>,
    /// The wall clock, where none is set.
    now: Mutex<Option<DateTime<Utc>>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    open: usize,
    most_open: usize,
    abandoned: usize,
}

/// One answer of the test's own.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    delay: Duration,
    ending: Ending,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    Proper,
    /// The connection closes in the middle of the body.
    Cut,
    /// It stays open and nothing comes any more.
    Silent,
}

impl Reply {
    pub fn raw(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: vec![("content-type", "application/json; charset=utf-8".into())],
            body: body.into(),
            delay: Duration::ZERO,
            ending: Ending::Proper,
        }
    }

    pub fn json(body: Value) -> Self {
        Self::raw(200, body.to_string())
    }

    /// As Open-Meteo refuses.
    pub fn refused(status: u16, reason: &str) -> Self {
        Self::raw(status, json!({ "error": true, "reason": reason }).to_string())
    }

    pub fn redirect(to: &str) -> Self {
        Self { headers: vec![("location", to.into())], ..Self::raw(302, "") }
    }

    pub fn places(places: impl IntoIterator<Item = Value>) -> Self {
        Self::json(
            json!({ "results": places.into_iter().collect::<Vec<_>>(), "generationtime_ms": 0.7390976 }),
        )
    }

    pub fn after(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    pub fn cut(self) -> Self {
        Self { ending: Ending::Cut, ..self }
    }

    pub fn then_silent(self) -> Self {
        Self { ending: Ending::Silent, ..self }
    }
}

impl FakeOpenMeteo {
    pub async fn start() -> Self {
        let state = Arc::new(Fake::default());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/v1/search", get(search))
            .route("/v1/forecast", get(days))
            .with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state }
    }

    /// Adds answers to come, before the documented ones.
    pub fn then(&self, service: Service, replies: impl IntoIterator<Item = Reply>) {
        self.state.replies.lock().unwrap().entry(service).or_default().extend(replies);
    }

    /// Answers take this long from now on.
    pub fn slow(&self, pace: Duration) {
        *self.state.pace.lock().unwrap() = pace;
    }

    pub fn set_clock(&self, now: DateTime<Utc>) {
        *self.state.now.lock().unwrap() = Some(now);
    }

    /// The parameters of the questions so far.
    pub fn asked(&self, service: Service) -> Vec<Asked> {
        let asked = self.state.asked.lock().unwrap();
        asked.iter().filter(|(of, _)| *of == service).map(|(_, query)| query.clone()).collect()
    }

    /// The most questions that were open at one moment.
    pub fn most_at_once(&self) -> usize {
        self.state.counts.lock().unwrap().most_open
    }

    /// Questions that are open at this moment.
    pub fn open(&self) -> usize {
        self.state.counts.lock().unwrap().open
    }

    /// Questions whose asker left before the answer.
    pub fn abandoned(&self) -> usize {
        self.state.counts.lock().unwrap().abandoned
    }

    /// The settings that make a server use it.
    pub fn settings(&self) -> Vec<(&str, &str)> {
        vec![
            ("TRUTHTABLE_WEATHER", "open-meteo"),
            ("TRUTHTABLE_WEATHER_URL", &self.url),
            ("TRUTHTABLE_GEOCODING_URL", &self.url),
        ]
    }
}

/// Counts a question as open until it is answered or its asker leaves.
struct Open<'a> {
    fake: &'a Fake,
    answered: bool,
}

impl<'a> Open<'a> {
    fn new(fake: &'a Fake) -> Self {
        let mut counts = fake.counts.lock().unwrap();
        counts.open += 1;
        counts.most_open = counts.most_open.max(counts.open);
        Self { fake, answered: false }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut counts = self.fake.counts.lock().unwrap();
        counts.open -= 1;
        counts.abandoned += usize::from(!self.answered);
    }
}

async fn search(State(fake): State<Arc<Fake>>, Query(query): Query<Asked>) -> Response {
    let found = gazetteer(&query["name"], query.get("countryCode").map(String::as_str));
    answer(&fake, Service::Geocoding, query, found).await
}

async fn days(State(fake): State<Arc<Fake>>, Query(query): Query<Asked>) -> Response {
    let now = fake.now.lock().unwrap().unwrap_or_else(Utc::now);
    let zone: Tz = match query["timezone"].as_str() {
        // Of the coordinates; which the fake does not look up.
        "auto" => chrono_tz::Asia::Tokyo,
        zone => zone.parse().unwrap(),
    };
    let there = now.with_timezone(&zone);
    let offset = there.offset().fix().local_minus_utc();
    let body = forecast(there.date_naive(), query["forecast_days"].parse().unwrap(), offset);
    answer(&fake, Service::Forecast, query, body).await
}

async fn answer(fake: &Fake, service: Service, query: Asked, documented: Value) -> Response {
    let mut open = Open::new(fake);
    fake.asked.lock().unwrap().push((service, query));
    let scripted = fake.replies.lock().unwrap().get_mut(&service).and_then(VecDeque::pop_front);
    let reply = scripted.unwrap_or_else(|| Reply::json(documented));
    let pace = *fake.pace.lock().unwrap();
    tokio::time::sleep(pace + reply.delay).await;
    open.answered = true;
    let whole = futures::stream::iter([Ok::<_, std::io::Error>(reply.body.clone())]);
    let body = match reply.ending {
        Ending::Proper => Body::from(reply.body),
        Ending::Cut => Body::from_stream(futures::StreamExt::chain(
            whole,
            futures::stream::once(async { Err(std::io::Error::other("cut")) }),
        )),
        Ending::Silent => Body::from_stream(futures::StreamExt::chain(whole, futures::stream::pending())),
    };
    let mut response = (StatusCode::from_u16(reply.status).unwrap(), body).into_response();
    for (name, value) in reply.headers {
        response.headers_mut().insert(name, value.parse().unwrap());
    }
    response
}

/// A place in the geocoder's shape.
pub fn place(name: &str, region: &str, country: (&str, &str), zone: &str, population: u64) -> Value {
    json!({
        "id": 1_584_071, "name": name, "latitude": 11.94646, "longitude": 108.44193, "elevation": 1509.0,
        "feature_code": "PPLA", "country_code": country.0, "admin1_id": 1_577_882, "timezone": zone,
        "population": population, "country_id": 1_562_822, "country": country.1, "admin1": region,
    })
}

const VIETNAM: (&str, &str) = ("VN", "Vietnam");

fn gazetteer(name: &str, country: Option<&str>) -> Value {
    let saigon = "Asia/Ho_Chi_Minh";
    let all = [
        place("Đà Lạt", "Lâm Đồng", VIETNAM, saigon, 197_000),
        place("Hà Nội", "Hà Nội", VIETNAM, "Asia/Bangkok", 8_053_663),
        place("Huế", "Thừa Thiên-Huế Province", VIETNAM, saigon, 351_456),
        place("Ho Chi Minh City", "Ho Chi Minh", VIETNAM, saigon, 8_993_082),
        place("Vinh", "Nghệ An", VIETNAM, saigon, 490_000),
        place("Vinh", "Oslo", ("NO", "Norway"), "Europe/Oslo", 900_000),
        place("Paris", "Texas", ("US", "United States"), "America/Chicago", 24_782),
        place("Paris", "Île-de-France", ("FR", "France"), "Europe/Paris", 2_138_551),
        place("Tokyo", "Tokyo", ("JP", "Japan"), "Asia/Tokyo", 9_733_276),
        place("New York", "New York", ("US", "United States"), "America/New_York", 8_804_190),
    ];
    let wanted = fold(name.split(',').next().unwrap());
    let found: Vec<Value> = all
        .into_iter()
        .filter(|place| fold(place["name"].as_str().unwrap()) == wanted)
        .filter(|place| country.is_none_or(|country| place["country_code"] == country))
        .collect();
    if found.is_empty() {
        return json!({ "generationtime_ms": 0.2 });
    }
    json!({ "results": found, "generationtime_ms": 0.7390976 })
}

/// A forecast in its documented shape: 18.4 to 27.6 degrees at first, a degree more each day, drizzle.
pub fn forecast(first: NaiveDate, days: usize, offset_seconds: i32) -> Value {
    let each = |of: &dyn Fn(f64) -> Value| (0..days).map(|day| of(day as f64)).collect::<Vec<_>>();
    json!({
        "latitude": 11.95, "longitude": 108.45, "generationtime_ms": 0.09, "elevation": 1509.0,
        "utc_offset_seconds": offset_seconds, "timezone": "Asia/Ho_Chi_Minh", "timezone_abbreviation": "GMT+7",
        "daily_units": {
            "time": "iso8601", "weather_code": "wmo code", "temperature_2m_max": "°C",
            "temperature_2m_min": "°C", "precipitation_probability_max": "%",
        },
        "daily": {
            "time": first.iter_days().take(days).map(|day| day.to_string()).collect::<Vec<_>>(),
            "weather_code": each(&|_| json!(53)),
            "temperature_2m_max": each(&|day| json!(27.6 + day)),
            "temperature_2m_min": each(&|day| json!(18.4 + day)),
            "precipitation_probability_max": each(&|day| json!(10.0 * day)),
        },
    })
}
