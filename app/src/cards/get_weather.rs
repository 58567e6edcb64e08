//! The weather of one city: a row a day, with the day's range drawn to one scale.

use chrono::{DateTime, FixedOffset};
use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{DayForecast, GetWeather, GetWeatherInput, GetWeatherOutput, WeatherSource};

use super::ended;
use super::frame::{Face, fact, provenance};
use super::icons::Icon;
use super::plain_ask::{READ, plain_ask};
use crate::i18n::{Lang, by_lang, format, t, texts, visible, words};

/// The head.
pub fn face(call: &ToolCall<GetWeather>, partial: &Map<String, Value>, lang: Lang) -> Face {
    let about = |city: &str| format!("{} · {}", texts::weather(lang), visible(city));
    let title = match &call.state {
        ToolState::InputStreaming { .. } => match partial.get("city").and_then(Value::as_str) {
            Some(city) => about(city),
            None => texts::weather(lang).to_owned(),
        },
        ToolState::InputAvailable { input }
        | ToolState::ApprovalRequested { input, .. }
        | ToolState::ApprovalResponded { input, .. }
        | ToolState::OutputDenied { input, .. }
        | ToolState::OutputUnknown { input, .. } => about(&input.city),
        ToolState::OutputAvailable { output, .. } => about(&output.city),
        ToolState::OutputError { .. } => texts::weather_failed(lang).to_owned(),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Weather, texts::weather(lang));
        }
        ToolState::OutputCancelled { .. } => texts::weather_cancelled(lang).to_owned(),
    };
    let face = Face::plain(lang, Icon::Weather, call.state.name(), title);
    match &call.state {
        ToolState::OutputAvailable { output, revision, .. } => {
            let mut face = face.changed_since(lang, *revision);
            match output.source {
                WeatherSource::Sample => face.marks.push(texts::sample_data(lang)),
                WeatherSource::OpenMeteo => face.marks.push(texts::forecast_data(lang)),
            }
            face
        }
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => face,
    }
}

/// What is below the head.
pub fn body(call: &ToolCall<GetWeather>, partial: &Map<String, Value>) -> AnyView {
    match &call.state {
        ToolState::InputStreaming { .. } => skeleton(days_hint(partial)),
        ToolState::InputAvailable { input } => skeleton(input.days),
        ToolState::ApprovalRequested { input, approval, .. } => {
            plain_ask(&call.tool_call_id, approval, READ, asked(input))
        }
        ToolState::ApprovalResponded { input, .. } => skeleton(input.days),
        ToolState::OutputAvailable { output, .. } => forecast(output),
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            ended::failure(*kind, code, params.as_ref(), error_text, None)
        }
        ToolState::OutputDenied { .. } => ended::denied(None),
        ToolState::OutputCancelled { reason, of, .. } => ended::cancelled(*reason, of.as_ref(), None),
        ToolState::OutputUnknown { .. } => view! { <p>{t(texts::unknown_read)}</p> }.into_any(),
    }
}

fn days_hint(partial: &Map<String, Value>) -> u8 {
    let days = partial.get("days").and_then(Value::as_u64);
    days.and_then(|days| u8::try_from(days).ok()).unwrap_or(1)
}

fn asked(input: &GetWeatherInput) -> AnyView {
    view! {
        <dl class="facts">
            {fact(texts::city, view! { <bdi>{visible(&input.city)}</bdi> })}
            {fact(texts::days, input.days.to_string())}
        </dl>
    }
    .into_any()
}

/// A place for the head, for each day and for the source, as high as they will be.
fn skeleton(days: u8) -> AnyView {
    let row = |_| view! { <div class="skeleton weather__row"></div> };
    let rows: Vec<_> = (0..days.clamp(1, 7)).map(row).collect();
    view! {
        <div class="busy" aria-busy="true">
            <p class="visually-hidden">{t(texts::weather_loading)}</p>
            <div class="skeleton weather__line"></div>
            {rows}
            <div class="skeleton weather__line"></div>
        </div>
    }
    .into_any()
}

fn forecast(output: &GetWeatherOutput) -> AnyView {
    let scale = Scale::of(&output.days);
    let rows: Vec<AnyView> = output.days.iter().map(|day| row(day, scale)).collect();
    let source = match output.source {
        WeatherSource::Sample => provenance(texts::weather_from_sample),
        WeatherSource::OpenMeteo => from_open_meteo(output.fetched_at),
    };
    view! {
        {place(output)}
        <table class="weather">
            <caption class="visually-hidden">{t(texts::weather_table)}</caption>
            <thead>
                <tr>
                    <th scope="col">{t(texts::day)}</th>
                    <th scope="col">{t(texts::sky)}</th>
                    <th scope="col" class="weather__rain" abbr=t(texts::chance_of_rain)>{t(texts::rain)}</th>
                    <th scope="col" class="weather__low">{t(texts::lowest)}</th>
                    <td class="weather__range" aria-hidden="true"></td>
                    <th scope="col" class="weather__high">{t(texts::highest)}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
        {source}
    }
    .into_any()
}

/// Which place was taken, where its name alone does not tell.
fn place(output: &GetWeatherOutput) -> AnyView {
    let around = [&output.region, &output.country];
    let around: Vec<String> = around.into_iter().flatten().map(|part| visible(part)).collect();
    if around.is_empty() {
        return ().into_any();
    }
    let place = format!("{}, {}", visible(&output.city), around.join(", "));
    view! {
        <p class="weather__place">
            {Icon::Pin.view()} <span class="visually-hidden">{t(texts::weather_place)} " "</span>
            <bdi>{place}</bdi>
        </p>
    }
    .into_any()
}

/// The source, and its licence's words (CC BY 4.0 asks for a link and the licence's name).
fn from_open_meteo(at: Option<DateTime<FixedOffset>>) -> AnyView {
    view! {
        <p class="card__provenance">
            {by_lang(move |lang| words::weather_from_open_meteo(lang, at))} " "
            <a href="https://open-meteo.com/" rel="noreferrer noopener">
                {t(texts::weather_attribution)}
            </a> " (CC BY 4.0)"
        </p>
    }
    .into_any()
}

fn row(day: &DayForecast, scale: Scale) -> AnyView {
    let DayForecast { date, min_c, max_c, summary, chance_of_rain } = *day;
    let weekday = by_lang(move |lang| format::weekday(lang, chrono::Datelike::weekday(&date)));
    let short_date = by_lang(move |lang| format::short_date(lang, date));
    let degrees = move |degrees: i32| {
        view! {
            {format!("{degrees}°")}
            <span class="visually-hidden">" " {t(texts::degrees)}</span>
        }
    };
    view! {
        <tr>
            <th scope="row" class="weather__day">
                <time datetime=format::iso_date(date)>
                    <span class="weather__weekday">{weekday}</span>
                    " "
                    <span class="weather__date">{short_date}</span>
                </time>
            </th>
            <td class="weather__sky">
                <span class="weather__summary">
                    {Icon::of_sky(summary).view()}
                    <span>{by_lang(move |lang| words::weather_summary(lang, summary))}</span>
                </span>
            </td>
            <td class="weather__rain">
                {chance(chance_of_rain)}
            </td>
            <td class="weather__low">{degrees(min_c)}</td>
            <td class="weather__range" aria-hidden="true">{scale.range(min_c, max_c)}</td>
            <td class="weather__high">{degrees(max_c)}</td>
        </tr>
    }
    .into_any()
}

fn chance(percent: Option<u8>) -> AnyView {
    match percent {
        Some(percent) => view! {
            <span class="weather__chance">{rain_bar(percent)} <span>{format!("{percent}%")}</span></span>
        }
        .into_any(),
        None => view! {
            <span aria-hidden="true">"–"</span>
            <span class="visually-hidden">{t(texts::no_figure)}</span>
        }
        .into_any(),
    }
}

/// The chance of rain as a filled part of a bar.
fn rain_bar(percent: u8) -> AnyView {
    let height = f64::from(percent.min(100)) * 0.2;
    view! {
        <svg class="weather__bar" viewBox="0 0 6 20" aria-hidden="true" focusable="false">
            <rect class="weather__track" x="0" y="0" width="6" height="20" rx="3" />
            <rect
                class="weather__fill"
                x="0"
                y=format!("{:.1}", 20.0 - height)
                width="6"
                height=format!("{height:.1}")
                rx="3"
            />
        </svg>
    }
    .into_any()
}

/// The coldest and the warmest of the days shown, so that their ranges compare.
#[derive(Clone, Copy)]
struct Scale {
    coldest: i32,
    warmest: i32,
}

impl Scale {
    const WIDTH: f64 = 120.0;
    /// Also the narrowest range that is drawn: a dot.
    const HEIGHT: f64 = 8.0;

    fn of(days: &[DayForecast]) -> Self {
        let coldest = days.iter().map(|day| day.min_c).min().unwrap_or(0);
        let warmest = days.iter().map(|day| day.max_c).max().unwrap_or(0);
        Self { coldest, warmest }
    }

    fn position(self, degrees: i32) -> f64 {
        let span = f64::from(self.warmest) - f64::from(self.coldest);
        if span <= 0.0 {
            return 0.0;
        }
        (f64::from(degrees) - f64::from(self.coldest)) / span * (Self::WIDTH - Self::HEIGHT)
    }

    fn range(self, min: i32, max: i32) -> AnyView {
        let (from, to) = (self.position(min), self.position(max));
        let width = (to - from).max(0.0) + Self::HEIGHT;
        view! {
            <svg class="weather__scale" viewBox="0 0 120 8" preserveAspectRatio="none" focusable="false">
                <rect class="weather__track" x="0" y="0" width="120" height="8" rx="4" />
                <rect
                    class="weather__span"
                    x=format!("{from:.1}")
                    y="0"
                    width=format!("{width:.1}")
                    height="8"
                    rx="4"
                />
            </svg>
        }
        .into_any()
    }
}
