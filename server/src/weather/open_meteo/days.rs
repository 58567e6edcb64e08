//! The days of a forecast, read from lists that belong together.

use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::Deserialize;
use shared::tools::{DayForecast, WeatherSummary};

use super::choice::Place;
use super::wmo;

/// The most days that a guest can ask for, and one more: a day may end while its forecast is kept.
const ASKED_DAYS: usize = 8;

const CODE: &str = "weather_code";
const HIGHEST: &str = "temperature_2m_max";
const LOWEST: &str = "temperature_2m_min";
const RAIN: &str = "precipitation_probability_max";

/// Colder or warmer than it has ever been on Earth, in degrees Celsius.
const COLDEST: f64 = -95.0;
const WARMEST: f64 = 65.0;

/// The question for one place's days, by the place's own calendar.
pub fn query(place: &Place) -> Vec<(&'static str, String)> {
    vec![
        ("latitude", format!("{:.4}", place.latitude)),
        ("longitude", format!("{:.4}", place.longitude)),
        ("daily", [CODE, HIGHEST, LOWEST, RAIN].join(",")),
        ("timezone", place.time_zone.map_or("auto", |zone| zone.name()).to_owned()),
        ("temperature_unit", "celsius".to_owned()),
        ("timeformat", "iso8601".to_owned()),
        ("forecast_days", ASKED_DAYS.to_string()),
    ]
}

/// The forecast service's answer.
#[derive(Deserialize)]
pub struct Answer {
    utc_offset_seconds: i32,
    #[serde(default)]
    daily_units: Units,
    daily: Lists,
}

#[derive(Default, Deserialize)]
struct Units {
    temperature_2m_max: Option<String>,
    temperature_2m_min: Option<String>,
}

/// One entry a day in each.
#[derive(Deserialize)]
struct Lists {
    time: Vec<NaiveDate>,
    weather_code: Vec<Option<f64>>,
    temperature_2m_max: Vec<Option<f64>>,
    temperature_2m_min: Vec<Option<f64>>,
    /// Some models have none.
    precipitation_probability_max: Option<Vec<Option<f64>>>,
}

/// Checked days, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Days {
    days: Vec<DayForecast>,
    /// By how much the place's clock differed from UTC.
    offset: FixedOffset,
}

impl Days {
    /// # Errors
    /// An answer that cannot be true.
    pub fn read(answer: Answer) -> Result<Self, String> {
        let offset = FixedOffset::east_opt(answer.utc_offset_seconds).ok_or("its clock is off by a day")?;
        for unit in [answer.daily_units.temperature_2m_max, answer.daily_units.temperature_2m_min] {
            // Degrees Fahrenheit would look like a hot day.
            if unit.is_some_and(|unit| unit != "°C") {
                return Err("its temperatures are not in degrees Celsius".to_owned());
            }
        }
        let Lists {
            time,
            weather_code,
            temperature_2m_max,
            temperature_2m_min,
            precipitation_probability_max,
        } = answer.daily;
        let rain = precipitation_probability_max.unwrap_or_else(|| vec![None; time.len()]);
        let lengths = [weather_code.len(), temperature_2m_max.len(), temperature_2m_min.len(), rain.len()];
        if lengths.iter().any(|length| *length != time.len()) {
            return Err(format!("{} days, but {lengths:?} entries", time.len()));
        }
        if time.windows(2).any(|pair| pair[0].succ_opt() != Some(pair[1])) {
            return Err("its days do not follow each other".to_owned());
        }
        let mut days = Vec::new();
        for (index, date) in time.into_iter().enumerate() {
            // Beyond what its model reaches there are no figures.
            let (Some(max), Some(min)) = (temperature_2m_max[index], temperature_2m_min[index]) else {
                break;
            };
            if min > max || min < COLDEST || max > WARMEST {
                return Err(format!("{min} to {max} degrees on {date}"));
            }
            days.push(DayForecast {
                date,
                min_c: min.round() as i32,
                max_c: max.round() as i32,
                summary: weather_code[index].map_or(Ok(WeatherSummary::Unknown), summary)?,
                chance_of_rain: rain[index].map(percent).transpose()?,
            });
        }
        Ok(Self { days, offset })
    }

    /// A moment by the place's clock: of its time zone, where that is known.
    pub fn local(&self, moment: DateTime<Utc>, zone: Option<Tz>) -> DateTime<FixedOffset> {
        match zone {
            Some(zone) => moment.with_timezone(&zone).fixed_offset(),
            None => moment.with_timezone(&self.offset),
        }
    }

    /// At most `count` days, the first being this one; none where it is not among them.
    pub fn from(&self, first: NaiveDate, count: u8) -> Vec<DayForecast> {
        let mut days = self.days.iter().skip_while(|day| day.date != first);
        days.by_ref().take(count.into()).cloned().collect()
    }
}

fn summary(code: f64) -> Result<WeatherSummary, String> {
    if code.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&code) {
        Ok(wmo::summary(code as u16))
    } else {
        Err(format!("{code} is no weather code"))
    }
}

fn percent(chance: f64) -> Result<u8, String> {
    if (0.0..=100.0).contains(&chance) {
        Ok(chance.round() as u8)
    } else {
        Err(format!("a chance of rain of {chance} percent"))
    }
}
