//! The drawings: 24 by 24, in the colour of the text around them, never the only carrier of a meaning.

use leptos::prelude::*;
use shared::tools::WeatherSummary;

/// A drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    // Tools.
    Weather,
    Search,
    Booking,
    Order,
    Refund,
    Tool,
    // States.
    Ring,
    Hourglass,
    Check,
    Warning,
    Minus,
    Slash,
    Question,
    Again,
    // The page.
    Send,
    Stop,
    Plus,
    Menu,
    Down,
    Close,
    Pin,
    // The sky.
    Clear,
    PartlyCloudy,
    Cloudy,
    Fog,
    Drizzle,
    Rain,
    Showers,
    Snow,
    Thunderstorm,
    Hailstorm,
}

impl Icon {
    /// The sky's drawing.
    pub fn of_sky(summary: WeatherSummary) -> Self {
        match summary {
            WeatherSummary::Clear => Self::Clear,
            WeatherSummary::PartlyCloudy => Self::PartlyCloudy,
            WeatherSummary::Cloudy => Self::Cloudy,
            WeatherSummary::Fog => Self::Fog,
            WeatherSummary::Drizzle => Self::Drizzle,
            WeatherSummary::Rain => Self::Rain,
            WeatherSummary::Showers => Self::Showers,
            WeatherSummary::FreezingRain => Self::Rain,
            WeatherSummary::Snow | WeatherSummary::SnowShowers => Self::Snow,
            WeatherSummary::Thunderstorm => Self::Thunderstorm,
            WeatherSummary::Hailstorm => Self::Hailstorm,
            WeatherSummary::Unknown => Self::Question,
        }
    }

    fn path(self) -> &'static str {
        match self {
            Self::Weather | Self::PartlyCloudy => {
                "M8 5V3M3.8 6.8 2.6 5.6M12.2 6.8l1.2-1.2M3 11H1.5M5.2 12.6A3.6 3.6 0 1 1 11 8.9M9 20h8.5a4 4 0 0 0 .6-7.9 5.5 5.5 0 0 0-10.6 1.2A3.5 3.5 0 0 0 9 20z"
            }
            Self::Search => "M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM20.5 20.5l-5.4-5.4",
            Self::Booking => {
                "M5 5.5h14a1.5 1.5 0 0 1 1.5 1.5v12a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 19V7A1.5 1.5 0 0 1 5 5.5zM8 3v4M16 3v4M3.5 10h17M9 15l2.2 2.2L15.5 13"
            }
            Self::Order => "M6.2 8.5h11.6l1.2 12H5zM9 11V7a3 3 0 0 1 6 0v4",
            Self::Refund => "M4 4.5v5h5M4.7 9.5A8.3 8.3 0 1 1 3.8 14M12 10v4.5M9.8 12.2h4.4",
            Self::Tool => {
                "M14.5 6.5a4 4 0 0 1 5-1.7l-2.6 2.6.7 2.3 2.3.7 2-2a4.3 4.3 0 0 1-5.6 4.6L9 20.3a2.3 2.3 0 0 1-3.3-3.3l7.3-7.3a4.3 4.3 0 0 1 1.5-3.2z"
            }
            Self::Ring => "M12 3a9 9 0 1 0 9 9",
            Self::Hourglass => {
                "M7 3h10M7 21h10M8 3v3.5c0 2.5 4 3.5 4 5.5s-4 3-4 5.5V21M16 3v3.5c0 2.5-4 3.5-4 5.5s4 3 4 5.5V21"
            }
            Self::Check => "M4.5 12.5l5 5 10-11",
            Self::Warning => "M12 3.5 22 20.5H2zM12 10v4.5M12 17.4v.1",
            Self::Minus => "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM8 12h8",
            Self::Slash => "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM5.8 5.8l12.4 12.4",
            Self::Question => {
                "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.3 9.3a2.8 2.8 0 1 1 3.9 2.6c-.8.4-1.2 1-1.2 1.9M12 16.9v.1"
            }
            Self::Again => {
                "M4 11a8 8 0 0 1 14-4.5L20 8.5M20 4v4.5h-4.5M20 13a8 8 0 0 1-14 4.5L4 15.5M4 20v-4.5h4.5"
            }
            Self::Send => "M12 20V5M5.5 11.5 12 5l6.5 6.5",
            Self::Stop => "M7 7h10v10H7z",
            Self::Plus => "M12 5v14M5 12h14",
            Self::Menu => "M4 7h16M4 12h16M4 17h10",
            Self::Down => "M12 5v14M5.5 12.5 12 19l6.5-6.5",
            Self::Close => "M6 6l12 12M18 6 6 18",
            Self::Pin => {
                "M12 21.5s7-6.2 7-11.5a7 7 0 0 0-14 0c0 5.3 7 11.5 7 11.5zM12 12.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z"
            }
            Self::Clear => {
                "M12 17a5 5 0 1 1 0-10 5 5 0 0 1 0 10zM12 3.5V2M12 22v-1.5M20.5 12H22M2 12h1.5M18 6l1-1M5 19l1-1M18 18l1 1M5 5l1 1"
            }
            Self::Cloudy => "M7 19h10.5a4.5 4.5 0 0 0 .6-9A6.5 6.5 0 0 0 5.7 11.3 4 4 0 0 0 7 19z",
            Self::Fog => "M7 14.5h10a4 4 0 0 0 .6-7.9A6 6 0 0 0 6 8M4 11.5h5M4 18h16M7 21.5h10",
            Self::Drizzle => {
                "M7 15h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 8 3.6 3.6 0 0 0 7 15zM9 18.5v1M15 18.5v1M12 20.5v1"
            }
            Self::Rain => {
                "M7 14.5h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 7.5 3.6 3.6 0 0 0 7 14.5zM8.5 17.5l-1 3.5M12.5 17.5l-1 3.5M16.5 17.5l-1 3.5"
            }
            Self::Showers => {
                "M7 14.5h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 7.5 3.6 3.6 0 0 0 7 14.5zM9.5 17l-2 5M15.5 17l-2 5M17.5 19.5l-1 2.5M11.5 18l-.5 1.2"
            }
            Self::Snow => {
                "M7 14.5h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 7.5 3.6 3.6 0 0 0 7 14.5zM8 17v4M6.3 18l3.4 2M9.7 18l-3.4 2M15.5 17v4M13.8 18l3.4 2M17.2 18l-3.4 2"
            }
            Self::Hailstorm => {
                "M7 14.5h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 7.5 3.6 3.6 0 0 0 7 14.5zM12.5 12l-2.5 4.5h4L11.5 22M7 18.5v.1M7.5 21.5v.1M17 18.5v.1M16.5 21.5v.1"
            }
            Self::Thunderstorm => {
                "M7 14.5h10.5a4 4 0 0 0 .6-7.9A6 6 0 0 0 6.5 7.5 3.6 3.6 0 0 0 7 14.5zM12.5 12l-2.5 4.5h4L11.5 22"
            }
        }
    }

    /// The drawing as an element, hidden from screen readers.
    pub fn view(self) -> AnyView {
        view! {
            <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d=self.path() />
            </svg>
        }
        .into_any()
    }
}
