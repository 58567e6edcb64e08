//! The weather's output on the wire, also as an earlier version stored it.

use serde_json::{Value, json};
use shared::tools::{GetWeatherOutput, WeatherSource, WeatherSummary};

fn read(value: &Value) -> GetWeatherOutput {
    serde_json::from_value(value.clone()).expect("an output")
}

#[test]
fn an_output_from_before_there_were_forecasts_reads_and_writes_as_it_was() {
    let day = json!({ "date": "2026-12-01", "minC": 14, "maxC": 22, "summary": "clear", "chanceOfRain": 5 });
    let stored = json!({ "city": "Đà Lạt", "source": "sample", "days": [day] });
    let output = read(&stored);
    assert_eq!(output.source, WeatherSource::Sample);
    assert_eq!((&output.region, &output.country, output.fetched_at), (&None, &None, None));
    assert_eq!(output.days[0].chance_of_rain, Some(5));
    assert_eq!(serde_json::to_value(&output).expect("JSON"), stored);
}

#[test]
fn a_forecast_keeps_its_place_its_moment_and_what_is_missing() {
    let day = json!({ "date": "2026-12-01", "minC": -20, "maxC": -11, "summary": "snow-showers" });
    let sent = json!({
        "city": "Tromsø", "region": "Troms", "country": "Norway", "source": "open-meteo",
        "fetchedAt": "2026-12-01T08:05:00+01:00", "days": [day],
    });
    let output = read(&sent);
    assert_eq!(output.days[0].chance_of_rain, None);
    assert_eq!(serde_json::to_value(&output).expect("JSON"), sent);
}

#[test]
fn every_sky_has_a_name_of_its_own_on_the_wire() {
    let mut seen = std::collections::BTreeSet::new();
    for summary in WeatherSummary::ALL {
        let name = serde_json::to_value(summary).expect("JSON");
        assert_eq!(serde_json::from_value::<WeatherSummary>(name.clone()).expect("a sky"), summary);
        assert!(seen.insert(name.to_string()), "{name}");
    }
}
