//! getWeather: typical weather from today on.

use async_trait::async_trait;
use chrono_tz::Asia::Ho_Chi_Minh;
use shared::error_code::ErrorCode;
use shared::tools::{GetWeather, GetWeatherInput, GetWeatherOutput, WeatherSource};

use super::contract::{ReadTool, Refused, ToolContext, ToolFailure};
use crate::restaurants::cities::{CITIES, resolve_city};
use crate::weather::typical_day;

#[async_trait]
impl ReadTool for GetWeather {
    async fn run(cx: &ToolContext, input: GetWeatherInput) -> Result<GetWeatherOutput, ToolFailure> {
        let city = resolve_city(&input.city).ok_or_else(|| {
            let known: Vec<&str> = CITIES.iter().map(|city| city.name).collect();
            let message =
                format!("No weather is known for this place; it is known for: {}.", known.join(", "));
            Refused::new(ErrorCode::UnknownCity, "/city", message).with("cities", known)
        })?;
        // All places of the list lie in one time zone.
        let today = cx.now.with_timezone(&Ho_Chi_Minh).date_naive();
        let days = today.iter_days().take(input.days.into()).map(|date| typical_day(city.id, date));
        Ok(GetWeatherOutput {
            city: city.name.to_owned(),
            source: WeatherSource::Sample,
            days: days.collect(),
        })
    }
}
