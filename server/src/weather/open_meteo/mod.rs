//! Forecasts by [Open-Meteo](https://open-meteo.com/): a place by its name, then the place's days.
//!
//! **Invariants:** nothing that a guest or Open-Meteo writes is believed. Addresses come from the
//! settings, answers are read up to a limit and checked, texts are capped and cleaned.

mod choice;
mod days;
mod memory;
mod service;
mod text;
mod wmo;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use shared::tools::{GetWeatherOutput, WeatherSource};

use self::choice::{Place, Wanted};
use self::days::Days;
use self::memory::{Kept, Memory};
use self::service::Service;
pub use self::service::{Failure, Why};
use super::{Weather, WeatherError};
use crate::clock::Clock;

/// Open-Meteo's own hosts; without `/v1`.
pub const FORECAST_URL: &str = "https://api.open-meteo.com";
pub const GEOCODING_URL: &str = "https://geocoding-api.open-meteo.com";

/// Models are computed every hour or less often; guests ask again within minutes.
const FORECAST_LIFETIME: TimeDelta = TimeDelta::minutes(10);
const PLACE_LIFETIME: TimeDelta = TimeDelta::days(1);

/// How Open-Meteo is reached.
#[derive(Clone, Debug)]
pub struct OpenMeteoSettings {
    /// Without `/v1`.
    pub forecast_url: String,
    /// Without `/v1`.
    pub geocoding_url: String,
    pub timeouts: Timeouts,
}

/// How long one attempt may take. Two services are asked one after the other, within the tool's own
/// time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands.
    pub connect: Duration,
    /// Until the last byte of the answer.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(2), whole: Duration::from_secs(4) }
    }
}

/// Why the source cannot be set up; told at the start of the server.
#[derive(Debug, thiserror::Error)]
pub enum OpenMeteoSetupError {
    #[error("{0:?} is not an http or https address")]
    Address(String),
    #[error("the HTTP client cannot be set up: {0}")]
    Client(String),
}

/// Open-Meteo's geocoding and forecast, with a short memory.
pub struct OpenMeteo {
    geocoding: Service,
    forecast: Service,
    places: Memory<Place>,
    forecasts: Memory<Days>,
    clock: Arc<dyn Clock>,
}

impl OpenMeteo {
    /// Checks the settings; asks nobody.
    ///
    /// # Errors
    /// An address that is none, no usable TLS roots (only where an address is https).
    pub fn new(settings: &OpenMeteoSettings, clock: Arc<dyn Clock>) -> Result<Self, OpenMeteoSetupError> {
        let service = |base, path| Service::new(base, path, settings.timeouts);
        Ok(Self {
            geocoding: service(&settings.geocoding_url, "/v1/search")?,
            forecast: service(&settings.forecast_url, "/v1/forecast")?,
            places: Memory::new(PLACE_LIFETIME, clock.clone()),
            forecasts: Memory::new(FORECAST_LIFETIME, clock.clone()),
            clock,
        })
    }

    async fn place(&self, wanted: &Wanted) -> Result<Place, NoPlace> {
        let address = self.geocoding.address(&wanted.query());
        let found = self.places.get(address.as_str(), async {
            let place = choice::best(self.geocoding.get(&address).await?, wanted);
            place.map_err(|why| self.geocoding.malformed(why))?.ok_or(NoPlace::Unknown)
        });
        Ok(found.await?.value)
    }

    async fn days(&self, place: &Place) -> Result<Kept<Days>, Failure> {
        let address = self.forecast.address(&days::query(place));
        let read = async {
            let read = Days::read(self.forecast.get(&address).await?);
            let days = read.map_err(|why| self.forecast.malformed(why))?;
            let today = days.local(self.clock.now(), place.time_zone).date_naive();
            if days.from(today, 1).is_empty() {
                return Err(self.forecast.malformed(format!("it has nothing for {today}")));
            }
            Ok(days)
        };
        self.forecasts.get(address.as_str(), read).await
    }
}

/// Why there is no place.
enum NoPlace {
    Unknown,
    Failed(Failure),
}

impl From<Failure> for NoPlace {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

#[async_trait]
impl Weather for OpenMeteo {
    async fn forecast(
        &self,
        city: &str,
        days: u8,
        now: DateTime<Utc>,
    ) -> Result<GetWeatherOutput, WeatherError> {
        let unknown = || WeatherError::UnknownPlace { known: Vec::new() };
        let wanted = Wanted::parse(city).ok_or_else(unknown)?;
        let place = self.place(&wanted).await.map_err(|why| match why {
            NoPlace::Unknown => unknown(),
            NoPlace::Failed(failure) => failure.into(),
        })?;
        let Kept { value: forecast, at } = self.days(&place).await?;
        let local = |moment| forecast.local(moment, place.time_zone);
        // A slow answer may come on the day after the one on which it was asked for.
        let today = local(now.max(at)).date_naive();
        let days = forecast.from(today, days);
        if days.is_empty() {
            return Err(self.forecast.malformed(format!("it has nothing more for {today}")).into());
        }
        Ok(GetWeatherOutput {
            city: place.name.clone(),
            region: place.region.clone(),
            country: place.country.clone(),
            source: WeatherSource::OpenMeteo,
            fetched_at: Some(local(at)),
            days,
        })
    }
}

impl From<Failure> for WeatherError {
    fn from(failure: Failure) -> Self {
        match failure.why {
            Why::TimedOut => Self::TimedOut(Box::new(failure)),
            Why::Connection(_) | Why::Status { .. } | Why::TooLarge | Why::Malformed(_) => {
                Self::Failed(Box::new(failure))
            }
        }
    }
}

/// By hand: there is nothing in it to read, and the addresses may hold a password.
impl fmt::Debug for OpenMeteo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenMeteo").finish_non_exhaustive()
    }
}
