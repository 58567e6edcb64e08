//! getWeather: the weather from today on, by the source that the operators chose.

use async_trait::async_trait;
use shared::error_code::ErrorCode;
use shared::tools::{GetWeather, GetWeatherInput, GetWeatherOutput};

use super::contract::{ReadTool, Refused, ToolContext, ToolFailure};
use crate::weather::WeatherError;

#[async_trait]
impl ReadTool for GetWeather {
    async fn run(cx: &ToolContext, input: GetWeatherInput) -> Result<GetWeatherOutput, ToolFailure> {
        cx.weather.forecast(&input.city, input.days, cx.now).await.map_err(|error| match error {
            WeatherError::UnknownPlace { known } => unknown_city(&known).into(),
            WeatherError::TimedOut(_) => ToolFailure::TimedOut(Box::new(error)),
            WeatherError::Failed(_) => ToolFailure::Failed(Box::new(error)),
        })
    }
}

fn unknown_city(known: &[&'static str]) -> Refused {
    if known.is_empty() {
        let message = "No place of this name was found; the spelling may differ, or the country may have to \
                       be named too.";
        return Refused::new(ErrorCode::UnknownCity, "/city", message);
    }
    let message = format!("No weather is known for this place; it is known for: {}.", known.join(", "));
    Refused::new(ErrorCode::UnknownCity, "/city", message).with("cities", known.to_vec())
}
