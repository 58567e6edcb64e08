//! What a guest sees and hears of it: the page as the server renders it, and the demo model's words.

use serde_json::{Value, json};

use crate::support::{FakeOpenMeteo, Guest, Reply, Server, Service, Stage, Turn, assistant_text, tool_parts};

/// The two languages' pages.
async fn pages(stage: &Stage) -> [String; 2] {
    let mut pages = Vec::new();
    for language in ["vi", "en"] {
        let path = format!("/c/{}?lang={language}", stage.conversation);
        pages.push(stage.guest.get(&path).await.expect(200).text);
    }
    pages.try_into().unwrap()
}

#[tokio::test]
async fn a_forecast_is_marked_as_one_with_its_source_its_time_and_its_licence() {
    let fake = FakeOpenMeteo::start().await;
    let call = Turn::call("getWeather", json!({ "city": "Paris", "days": 2 }));
    let stage = Stage::with_settings(&fake.settings(), [call, Turn::text("Mild.")]).await;
    let view = stage.say("Paris?").await;
    let part = tool_parts(&view).next().unwrap();
    let fetched =
        chrono::DateTime::parse_from_rfc3339(part["output"]["fetchedAt"].as_str().unwrap()).unwrap();
    let [vietnamese, english] = pages(&stage).await;
    for page in [&vietnamese, &english] {
        assert!(page.contains("Paris, Île-de-France, France"), "{page}");
        assert!(page.contains(r#"href="https://open-meteo.com/""#), "{page}");
        assert!(page.contains(r#"rel="noreferrer noopener""#), "{page}");
        assert!(page.contains("CC BY 4.0"), "{page}");
        for word in ["mẫu theo", "Dữ liệu mẫu", "Sample"] {
            assert!(!page.contains(word), "{word} in {page}");
        }
    }
    assert!(vietnamese.contains(&format!("Open-Meteo, {}", fetched.format("%H:%M"))), "{vietnamese}");
    assert!(english.contains(&format!("Open-Meteo, {}", fetched.format("%-I:%M %P"))), "{english}");
    assert!(vietnamese.contains("Dữ liệu thời tiết của Open-Meteo.com"), "{vietnamese}");
    assert!(english.contains("Weather data by Open-Meteo.com"), "{english}");
    assert!(vietnamese.contains("Mưa phùn") && english.contains("Drizzle"));
}

#[tokio::test]
async fn the_demo_model_tells_a_forecast_from_samples_and_understands_foreign_places() {
    let fake = FakeOpenMeteo::start().await;
    let server = Server::start(&fake.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "What is the weather in Paris for the next 3 days?").await;
    let part = tool_parts(&view).next().unwrap_or_else(|| panic!("no call: {view:#}"));
    assert_eq!(part["output"]["country"], "France", "{part:#}");
    let said = assistant_text(&view);
    assert!(said.contains("Paris") && !said.contains("sample"), "{said}");
    assert!(said.contains("rain is likeliest on"), "{said}");

    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Thời tiết Đà Lạt 3 ngày tới thế nào?").await;
    assert_eq!(tool_parts(&view).next().unwrap()["output"]["source"], "open-meteo");
    let said = assistant_text(&view);
    assert!(said.contains("Đà Lạt") && !said.contains("mẫu"), "{said}");
}

#[tokio::test]
async fn the_demo_model_hears_an_unknown_place_from_a_source_that_fails() {
    let fake = FakeOpenMeteo::start().await;
    let server = Server::start(&fake.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "What is the weather in Atlantis today?").await;
    assert_eq!(tool_parts(&view).next().unwrap()["code"], "unknown-city", "{view:#}");
    assert!(assistant_text(&view).contains("no forecast for Atlantis"), "{}", assistant_text(&view));

    fake.then(Service::Geocoding, [Reply::refused(429, "no more")]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "What is the weather in Paris today?").await;
    assert_eq!(tool_parts(&view).next().unwrap()["code"], "tool-failed", "{view:#}");
    assert!(
        assistant_text(&view).contains("could not get the weather for Paris"),
        "{}",
        assistant_text(&view)
    );
}

#[tokio::test]
async fn a_chance_of_rain_that_nobody_knows_is_neither_shown_nor_said() {
    let fake = FakeOpenMeteo::start().await;
    let server = Server::start(&fake.settings());
    let today = chrono::Utc::now().with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive();
    let mut body = crate::support::forecast(today, 8, 7 * 3600);
    body["daily"]["precipitation_probability_max"] = json!(vec![Value::Null; 8]);
    fake.then(Service::Forecast, [Reply::json(body)]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let view = guest.say(&conversation, "Weather in Da Lat for the next 3 days?").await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available", "{view:#}");
    assert!(!assistant_text(&view).contains("rain"), "{}", assistant_text(&view));
    let page = guest.get(&format!("/c/{conversation}?lang=en")).await.expect(200).text;
    assert!(page.contains("no figure") && !page.contains("0%"), "{page}");
}
