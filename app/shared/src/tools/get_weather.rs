use std::time::Duration;

use chrono::{DateTime, FixedOffset, NaiveDate};
use serde::{Deserialize, Serialize};

use super::{NoPreview, Tool, ToolEffect};
use crate::ids::UserId;

#[derive(Clone, Debug, PartialEq)]
pub struct GetWeather;

/// Get the weather forecast for one city, starting today. Call it when the user asks about weather,
/// rain, temperature or what to wear. For several cities call it once for each, in the same turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetWeatherInput {
    /// City name as the user said it, for example: Đà Lạt
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 100)))]
    pub city: String,
    /// How many days to forecast, today being the first. For a weekend ask for enough days to reach it.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 7)))]
    #[serde(default = "one_day")]
    pub days: u8,
}

fn one_day() -> u8 {
    1
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GetWeatherOutput {
    /// The place that was taken, by its own name.
    pub city: String,
    /// The part of the country that it lies in, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    pub source: WeatherSource,
    /// When the source gave these figures, by the place's own clock; absent where nobody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fetched_at: Option<DateTime<FixedOffset>>,
    /// From today on, by the place's own calendar.
    pub days: Vec<DayForecast>,
}

/// Where the figures come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeatherSource {
    /// Bundled monthly normals: typical for the season, not a forecast.
    Sample,
    /// A forecast by Open-Meteo.com.
    OpenMeteo,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DayForecast {
    pub date: NaiveDate,
    /// Degrees Celsius.
    pub min_c: i32,
    /// Degrees Celsius.
    pub max_c: i32,
    pub summary: WeatherSummary,
    /// Percent; absent where the source does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance_of_rain: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WeatherSummary {
    Clear,
    PartlyCloudy,
    Cloudy,
    Fog,
    Drizzle,
    Rain,
    Showers,
    /// Rain or drizzle that freezes where it falls.
    FreezingRain,
    Snow,
    SnowShowers,
    Thunderstorm,
    Hailstorm,
    /// The source gave none, or one that this version does not know.
    Unknown,
}

impl WeatherSummary {
    pub const ALL: [Self; 13] = [
        Self::Clear,
        Self::PartlyCloudy,
        Self::Cloudy,
        Self::Fog,
        Self::Drizzle,
        Self::Rain,
        Self::Showers,
        Self::FreezingRain,
        Self::Snow,
        Self::SnowShowers,
        Self::Thunderstorm,
        Self::Hailstorm,
        Self::Unknown,
    ];
}

impl Tool for GetWeather {
    const NAME: &'static str = "getWeather";
    const EFFECT: ToolEffect = ToolEffect::Read;
    const NEEDS_APPROVAL: bool = false;
    const TIMEOUT: Duration = Duration::from_secs(10);

    type Input = GetWeatherInput;
    type Preview = NoPreview;
    type Output = GetWeatherOutput;

    fn business_key(_: &GetWeatherInput, _: &UserId, _: u64) -> Option<String> {
        None
    }

    fn same_request(one: &GetWeatherInput, other: &GetWeatherInput) -> bool {
        one == other
    }
}
