//! The codes of the World Meteorological Organization for present weather (table 4677), as far as
//! Open-Meteo gives them: <https://open-meteo.com/en/docs>, "WMO Weather interpretation codes".

use shared::tools::WeatherSummary;

/// The words for a code; a code that is not in Open-Meteo's list is not guessed.
pub fn summary(code: u16) -> WeatherSummary {
    match code {
        // Clear; mainly clear.
        0 | 1 => WeatherSummary::Clear,
        2 => WeatherSummary::PartlyCloudy,
        // Overcast.
        3 => WeatherSummary::Cloudy,
        // Also such that leaves rime.
        45 | 48 => WeatherSummary::Fog,
        51 | 53 | 55 => WeatherSummary::Drizzle,
        // Drizzle, then rain.
        56 | 57 | 66 | 67 => WeatherSummary::FreezingRain,
        61 | 63 | 65 => WeatherSummary::Rain,
        // Also in grains.
        71 | 73 | 75 | 77 => WeatherSummary::Snow,
        80..=82 => WeatherSummary::Showers,
        85 | 86 => WeatherSummary::SnowShowers,
        95 => WeatherSummary::Thunderstorm,
        96 | 99 => WeatherSummary::Hailstorm,
        _ => WeatherSummary::Unknown,
    }
}
