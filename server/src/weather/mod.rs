//! What the weather is like: by Open-Meteo's forecast, or by bundled normals without asking anybody.

pub mod normals;
pub mod open_meteo;
mod sample;

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use shared::tools::GetWeatherOutput;

pub use sample::{SampleWeather, typical_day};

/// A source of forecasts.
#[async_trait]
pub trait Weather: Debug + Send + Sync {
    /// `days` days of the place that a guest calls `city`, from the place's own today on. What it gives
    /// is fit to be shown: texts are capped and clean, figures are possible. Fewer days where the source
    /// has no more, at least one.
    ///
    /// # Errors
    /// The place is not known, the source does not answer in time, or not in a way that can be used.
    async fn forecast(
        &self,
        city: &str,
        days: u8,
        now: DateTime<Utc>,
    ) -> Result<GetWeatherOutput, WeatherError>;
}

/// Why there is no forecast. The texts are for the log.
#[derive(Debug, thiserror::Error)]
pub enum WeatherError {
    /// `known`: all places that the source knows, where it can list them.
    #[error("there is no such place")]
    UnknownPlace { known: Vec<&'static str> },
    #[error("the source took too long: {0}")]
    TimedOut(#[source] Box<dyn Error + Send + Sync>),
    #[error("the source failed: {0}")]
    Failed(#[source] Box<dyn Error + Send + Sync>),
}
