//! Each way in which Open-Meteo can fail ends in the right kind: one sentence for guest and model,
//! everything for the log, and the conversation goes on.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::support::{
    FakeOpenMeteo, Guest, Reply, ScriptedModel, Server, Service, Stage, Turn, forecast, heard, place,
    tool_parts, weather,
};

/// What no guest and no model shall hear of a failure.
const INTERNAL: [&str; 12] = [
    "meteo",
    "http",
    "127.0.0.1",
    "json",
    "429",
    "503",
    "400",
    "secret",
    "reason",
    "daily",
    "dns",
    "redirect",
];

/// A server whose log is kept.
async fn stage(settings: &[(&str, &str)]) -> Stage {
    let model = ScriptedModel::start([]).await;
    let server = Server::start_logged(&[&model.settings(), settings].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    Stage { model, server, guest, conversation }
}

/// Asks in a conversation of its own, and gives the card and what the model heard.
async fn ask(stage: &mut Stage, words: &str) -> (Value, String) {
    stage.converse().await;
    stage.model.then([Turn::call("getWeather", weather("Đà Lạt")), Turn::text("That did not work.")]);
    let view = stage.say(words).await;
    assert_eq!(view["run"]["status"], "done", "the run goes on: {view:#}");
    stage.assert_sound().await;
    let result = heard(stage.requests().await.last().unwrap()).remove(0);
    (tool_parts(&view).next().unwrap().clone(), result.text)
}

/// The card says that the tool failed with this code, and nobody hears why.
#[track_caller]
fn assert_failed(part: &Value, told: &str, code: &str, why: &str) {
    assert_eq!(part["state"], "output-error", "{why}: {part:#}");
    assert_eq!((&part["kind"], &part["code"]), (&json!("tool"), &json!(code)), "{why}");
    assert_eq!((part.get("params"), part.get("output")), (None, None), "{why}");
    assert!(told.contains("do not try again"), "{why}: {told}");
    for text in [told, part["errorText"].as_str().unwrap()] {
        assert!(text.chars().count() < 200, "{why}: {text}");
        for word in INTERNAL {
            assert!(!text.to_lowercase().contains(word), "{why}: {word} in {text}");
        }
    }
}

/// The documented forecast, changed.
fn spoilt(spoil: impl Fn(&mut Value)) -> Reply {
    let today = chrono::Utc::now().with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive();
    let mut body = forecast(today, 8, 7 * 3600);
    spoil(&mut body);
    Reply::json(body)
}

fn found(spoil: impl Fn(&mut Value)) -> Reply {
    let mut place = place("Đà Lạt", "Lâm Đồng", ("VN", "Vietnam"), "Asia/Ho_Chi_Minh", 197_000);
    spoil(&mut place);
    Reply::places([place])
}

#[tokio::test]
async fn whatever_the_forecast_answers_instead_of_a_forecast_is_a_failed_tool_and_the_log_says_why() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    let daily = |field: &'static str, value: Value| spoilt(move |body| body["daily"][field] = value.clone());
    let without =
        |field: &'static str| spoilt(move |body| drop(body["daily"].as_object_mut().unwrap().remove(field)));
    let replies = [
        (Reply::refused(429, "Minutely API request limit exceeded."), "Minutely API request limit exceeded."),
        (Reply::refused(400, "Latitude must be in range. Given: secret"), "Latitude must be in range"),
        (Reply::raw(404, "<h1>Not here</h1>"), "404 Not Found"),
        (Reply::raw(200, ""), "EOF"),
        (Reply::raw(200, "{\"daily\": "), "EOF"),
        (Reply::raw(200, "<html>Sign in to the hotel's network</html>"), "expected value"),
        (Reply::raw(200, [0xff, 0xfe, 0x00]), "expected value"),
        (Reply::raw(200, "[".repeat(100_000)), "recursion limit"),
        (Reply::json(json!([{ "daily": {} }])), "no JSON object"),
        (Reply::json(json!({ "error": true, "reason": "Something is odd" })), "Something is odd"),
        (spoilt(|body| drop(body.as_object_mut().unwrap().remove("daily"))), "missing field `daily`"),
        (spoilt(|body| body["daily"] = Value::Null), "invalid type: null"),
        (without("time"), "missing field `time`"),
        (without("weather_code"), "missing field `weather_code`"),
        (without("temperature_2m_max"), "missing field `temperature_2m_max`"),
        (daily("temperature_2m_min", json!([1.0])), "8 days, but [8, 8, 1, 8] entries"),
        (daily("precipitation_probability_max", json!([1, 2, 3])), "8 days, but [8, 8, 8, 3] entries"),
        (daily("temperature_2m_max", json!("hot")), "invalid type: string"),
        (spoilt(|body| body["daily"]["temperature_2m_max"][0] = json!("27")), "invalid type: string"),
        (spoilt(|body| body["daily"]["time"][1] = json!("2020-02-30")), "input is out of range"),
        (spoilt(|body| body["daily"]["time"][3] = json!("2020-02-02")), "do not follow each other"),
        (spoilt(|body| body["daily"]["temperature_2m_max"][2] = json!(451)), "451 degrees"),
        (spoilt(|body| body["daily"]["temperature_2m_min"][2] = json!(40)), "40 to 29.6 degrees"),
        (spoilt(|body| body["daily"]["precipitation_probability_max"][0] = json!(130)), "130 percent"),
        (spoilt(|body| body["daily"]["weather_code"][0] = json!(-3)), "-3 is no weather code"),
        (spoilt(|body| body["daily_units"]["temperature_2m_min"] = json!("°F")), "not in degrees Celsius"),
        (spoilt(|body| body["utc_offset_seconds"] = json!(1_000_000)), "clock is off"),
        (
            spoilt(|body| {
                body["daily"]["temperature_2m_max"][0] = Value::Null;
                body["daily"]["temperature_2m_min"][0] = Value::Null;
            }),
            "it has nothing for",
        ),
        (Reply::json(forecast("2020-01-01".parse().unwrap(), 8, 7 * 3600)), "it has nothing for"),
    ];
    for (number, (reply, why)) in replies.into_iter().enumerate() {
        fake.then(Service::Forecast, [reply]);
        let before = stage.server.log().len();
        let (part, told) = ask(&mut stage, &format!("Forecast {number}, please")).await;
        let log = stage.server.log()[before..].to_owned();
        assert_failed(&part, &told, "tool-failed", why);
        assert!(log.contains(why) && log.contains("/v1/forecast"), "{why:?} is not in the log: {log}");
        assert!(log.contains("getWeather"), "{log}");
        // Nothing of these may pass by itself.
        assert_eq!(fake.asked(Service::Forecast).len(), number + 1, "{why}");
    }
    // And then all is well again.
    let (part, _) = ask(&mut stage, "Once more, please").await;
    assert_eq!(part["state"], "output-available");
}

#[tokio::test]
async fn whatever_the_geocoder_answers_instead_of_places_is_a_failed_tool_too() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    let replies = [
        (Reply::refused(429, "Daily API request limit exceeded."), "429 Too Many Requests"),
        (Reply::raw(200, ""), "EOF"),
        (Reply::json(json!({})), "neither results nor a time"),
        (Reply::json(json!({ "message": "hello" })), "neither results nor a time"),
        (Reply::json(json!([])), "no JSON object"),
        (Reply::json(json!({ "results": {} })), "invalid type: map"),
        (Reply::json(json!({ "results": [{ "name": "Đà Lạt" }] })), "missing field `latitude`"),
        (found(|place| place["latitude"] = json!(300)), "no place is at 300"),
        (found(|place| place["longitude"] = json!(-180.5)), "no place is at 11.94646 -180.5"),
        (found(|place| place["latitude"] = json!("11.9")), "invalid type: string"),
        (found(|place| place["population"] = json!(-5)), "invalid value: integer"),
    ];
    for (number, (reply, why)) in replies.into_iter().enumerate() {
        fake.then(Service::Geocoding, [reply]);
        let before = stage.server.log().len();
        let (part, told) = ask(&mut stage, &format!("Place {number}, please")).await;
        let log = stage.server.log()[before..].to_owned();
        assert_failed(&part, &told, "tool-failed", why);
        assert!(log.contains(why) && log.contains("/v1/search"), "{why:?} is not in the log: {log}");
    }
    assert!(fake.asked(Service::Forecast).is_empty());
}

#[tokio::test]
async fn a_server_error_is_asked_about_once_more_and_no_oftener() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    fake.then(Service::Geocoding, [Reply::raw(502, "")]);
    fake.then(Service::Forecast, [Reply::raw(503, "busy")]);
    let (part, _) = ask(&mut stage, "First").await;
    assert_eq!(part["state"], "output-available");
    assert_eq!((fake.asked(Service::Geocoding).len(), fake.asked(Service::Forecast).len()), (2, 2));
    assert!(stage.server.log().contains("busy"), "{}", stage.server.log());
}

#[tokio::test]
async fn two_server_errors_running_are_a_failed_tool() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    fake.then(Service::Geocoding, [Reply::raw(500, "oops"), Reply::raw(504, "upstream timeout")]);
    let (part, told) = ask(&mut stage, "First").await;
    assert_failed(&part, &told, "tool-failed", "504");
    assert_eq!(fake.asked(Service::Geocoding).len(), 2);
    let log = stage.server.log();
    assert!(log.contains("oops") && log.contains("upstream timeout"), "{log}");
}

#[tokio::test]
async fn a_connection_that_breaks_is_made_once_more() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    fake.then(Service::Forecast, [Reply::raw(200, "{\"da").cut()]);
    let (part, _) = ask(&mut stage, "First").await;
    assert_eq!(part["state"], "output-available");
    assert_eq!(fake.asked(Service::Forecast).len(), 2);
}

#[tokio::test]
async fn where_nobody_listens_the_tool_fails_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let settings = [
        ("TRUTHTABLE_WEATHER", "open-meteo"),
        ("TRUTHTABLE_GEOCODING_URL", &url),
        ("TRUTHTABLE_WEATHER_URL", &url),
    ];
    let mut stage = stage(&settings).await;
    let (part, told) = ask(&mut stage, "First").await;
    assert_failed(&part, &told, "tool-failed", "refused");
    let log = stage.server.log();
    assert!(log.contains("onnection refused"), "{log}");
    // What a guest asked for is nobody else's business.
    assert!(!log.contains("?name=") && !log.contains("L%E1%BA%A1t"), "{log}");
}

#[tokio::test]
async fn a_password_in_an_address_is_sent_and_never_logged() {
    let fake = FakeOpenMeteo::start().await;
    let url = fake.url.replace("http://", "http://house:pa55word@");
    let settings = [
        ("TRUTHTABLE_WEATHER", "open-meteo"),
        ("TRUTHTABLE_GEOCODING_URL", &url),
        ("TRUTHTABLE_WEATHER_URL", &url),
    ];
    let mut stage = stage(&settings).await;
    fake.then(Service::Geocoding, [Reply::raw(500, ""), Reply::refused(401, "Who are you?")]);
    let (part, told) = ask(&mut stage, "First").await;
    assert_failed(&part, &told, "tool-failed", "401");
    let log = stage.server.log();
    assert!(log.contains("Who are you?") && !log.contains("pa55word"), "{log}");
    let (part, _) = ask(&mut stage, "Second").await;
    assert_eq!(part["state"], "output-available");
}

#[tokio::test]
async fn an_answer_that_does_not_end_in_time_is_a_timeout_and_is_not_waited_for_twice() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    let slow = Reply::raw(200, "{").then_silent();
    fake.then(Service::Geocoding, [slow]);
    let begun = std::time::Instant::now();
    let (part, told) = ask(&mut stage, "First").await;
    assert_failed(&part, &told, "timeout", "silent");
    assert!(told.contains("too long"), "{told}");
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    assert_eq!(fake.asked(Service::Geocoding).len(), 1);
    let log = stage.server.log();
    assert!(log.contains("no complete answer in time") && log.contains("/v1/search"), "{log}");
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_not_read_to_its_end() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    // Right up to the limit it is read.
    let body =
        forecast(chrono::Utc::now().with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive(), 8, 7 * 3600)
            .to_string();
    let padded = format!("{body}{}", " ".repeat(256 * 1024 - body.len()));
    fake.then(Service::Forecast, [Reply::raw(200, format!("{padded} ")), Reply::raw(200, padded)]);
    let (part, told) = ask(&mut stage, "First").await;
    assert_failed(&part, &told, "tool-failed", "too long");
    assert!(stage.server.log().contains("longer than 262144 bytes"), "{}", stage.server.log());
    let (part, _) = ask(&mut stage, "Second").await;
    assert_eq!(part["state"], "output-available");

    // One that never ends is left, not waited for.
    let endless = Reply::raw(200, " ".repeat(300 * 1024)).then_silent();
    fake.then(Service::Geocoding, [endless.clone()]);
    let begun = std::time::Instant::now();
    stage.model.then([Turn::call("getWeather", weather("Huế")), Turn::text("No.")]);
    stage.converse().await;
    let view = stage.say("Third").await;
    assert_eq!(tool_parts(&view).next().unwrap()["code"], "tool-failed", "{view:#}");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_redirect_is_followed_nowhere() {
    let (fake, elsewhere) = (FakeOpenMeteo::start().await, FakeOpenMeteo::start().await);
    let mut stage = stage(&fake.settings()).await;
    let to = format!("{}/v1/search?name=Paris&count=1", elsewhere.url);
    for (words, to) in
        [("First", to.as_str()), ("Second", "/v1/search?name=Paris"), ("Third", "file:///etc/passwd")]
    {
        fake.then(Service::Geocoding, [Reply::redirect(to)]);
        let (part, told) = ask(&mut stage, words).await;
        assert_failed(&part, &told, "tool-failed", words);
    }
    assert!(elsewhere.asked(Service::Geocoding).is_empty());
    assert_eq!(fake.asked(Service::Geocoding).len(), 3);
    assert!(stage.server.log().contains("302 Found"), "{}", stage.server.log());
}

#[tokio::test]
async fn a_failure_is_one_sentence_on_the_page_in_both_languages() {
    let fake = FakeOpenMeteo::start().await;
    let mut stage = stage(&fake.settings()).await;
    fake.then(Service::Geocoding, [Reply::refused(429, "secret")]);
    ask(&mut stage, "First").await;
    for (language, head, sentence) in [
        ("vi", "Không lấy được thời tiết", "Hệ thống đang gặp sự cố."),
        ("en", "No weather to show", "The system has a problem at the moment."),
    ] {
        let path = format!("/c/{}?lang={language}", stage.conversation);
        let page = stage.guest.get(&path).await.expect(200).text;
        for text in [head, sentence] {
            assert!(page.contains(text), "{text} in {page}");
        }
        assert!(!page.contains("secret") && !page.contains("open-meteo.com"), "{page}");
    }
}
