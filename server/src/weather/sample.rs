//! The bundled source: what is typical for the season, without asking anybody.

use async_trait::async_trait;
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Asia::Ho_Chi_Minh;
use shared::tools::{DayForecast, GetWeatherOutput, WeatherSource};

use super::{Weather, WeatherError, normals};
use crate::restaurants::cities::{CITIES, CityId, resolve_city};

/// Monthly normals of the cities that we know; marked as sample data wherever they are shown.
#[derive(Debug)]
pub struct SampleWeather;

#[async_trait]
impl Weather for SampleWeather {
    async fn forecast(
        &self,
        city: &str,
        days: u8,
        now: DateTime<Utc>,
    ) -> Result<GetWeatherOutput, WeatherError> {
        let city = resolve_city(city).ok_or_else(|| WeatherError::UnknownPlace {
            known: CITIES.iter().map(|city| city.name).collect(),
        })?;
        // All places of the list lie in one time zone.
        let today = now.with_timezone(&Ho_Chi_Minh).date_naive();
        let days = today.iter_days().take(days.into()).map(|date| typical_day(city.id, date));
        Ok(GetWeatherOutput {
            city: city.name.to_owned(),
            region: None,
            country: None,
            source: WeatherSource::Sample,
            fetched_at: None,
            days: days.collect(),
        })
    }
}

/// The day of a month that its normals are for.
const MIDDLE: i32 = 15;

/// Typical weather of this day of the year. Temperatures and the chance of rain move evenly from the
/// middle of one month to the middle of the next; the summary is that of the closer middle.
pub fn typical_day(city: CityId, date: NaiveDate) -> DayForecast {
    let normals = normals::normals(city);
    let month = date.month0() as usize;
    let day = date.day() as i32;
    let previous = (month + 11) % 12;
    let (from, to, gone, span) = if day >= MIDDLE {
        (month, (month + 1) % 12, day - MIDDLE, days_in(date.year(), month))
    } else {
        // The month before January has 31 days in every year.
        let span = days_in(date.year(), previous);
        (previous, month, span - MIDDLE + day, span)
    };
    let (from, to) = (normals[from], normals[to]);
    let between = |one: i32, other: i32| one + rounded(other - one, gone, span);
    let chance_of_rain = between(from.chance_of_rain.into(), to.chance_of_rain.into());
    DayForecast {
        date,
        min_c: between(from.min_c, to.min_c),
        max_c: between(from.max_c, to.max_c),
        summary: if gone * 2 < span { from.summary } else { to.summary },
        chance_of_rain: u8::try_from(chance_of_rain).ok(),
    }
}

/// `whole * part / of`, rounded to the nearest.
fn rounded(whole: i32, part: i32, of: i32) -> i32 {
    (f64::from(whole * part) / f64::from(of)).round() as i32
}

/// `month`: 0 is January.
fn days_in(year: i32, month: usize) -> i32 {
    const DAYS: [i32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap_day = month == 1 && NaiveDate::from_ymd_opt(year, 2, 29).is_some();
    DAYS[month] + i32::from(leap_day)
}
