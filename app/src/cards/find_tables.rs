//! Restaurants with free times; pressing a time sends the choice as a message and books nothing.

use chrono::{DateTime, FixedOffset};
use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::{FindTables, FindTablesInput, FindTablesOutput, TableOption};

use super::context::use_cards;
use super::ended;
use super::frame::{Face, fact, fact_or_gap, provenance};
use super::icons::Icon;
use super::plain_ask::{READ, plain_ask};
use super::times::TimeButton;
use crate::i18n::{Lang, by_lang, format, t, texts, use_lang, visible, words};

/// The head.
pub fn face(call: &ToolCall<FindTables>, partial: &Map<String, Value>, lang: Lang) -> Face {
    let about = |city: &str| format!("{} · {}", texts::find_tables(lang), visible(city));
    let title = match &call.state {
        ToolState::InputStreaming { .. } => match partial.get("city").and_then(Value::as_str) {
            Some(city) => about(city),
            None => texts::find_tables(lang).to_owned(),
        },
        ToolState::InputAvailable { input }
        | ToolState::ApprovalRequested { input, .. }
        | ToolState::ApprovalResponded { input, .. }
        | ToolState::OutputDenied { input, .. }
        | ToolState::OutputUnknown { input, .. } => about(&input.city),
        ToolState::OutputAvailable { output, revision, .. } => {
            let face = Face::plain(lang, Icon::Search, call.state.name(), about(&output.city));
            return face.changed_since(lang, *revision);
        }
        ToolState::OutputError { .. } => texts::tables_failed(lang).to_owned(),
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            return Face::repeated(lang, Icon::Search, texts::find_tables(lang));
        }
        ToolState::OutputCancelled { .. } => texts::find_tables(lang).to_owned(),
    };
    Face::plain(lang, Icon::Search, call.state.name(), title)
}

/// What is below the head.
pub fn body(call: &ToolCall<FindTables>, partial: &Map<String, Value>) -> AnyView {
    match &call.state {
        ToolState::InputStreaming { .. } => {
            let starts_at = partial.get("startsAt").and_then(Value::as_str);
            let starts_at = starts_at.and_then(|text| DateTime::parse_from_rfc3339(text).ok());
            let party = partial.get("partySize").and_then(Value::as_u64);
            searching(starts_at, party.and_then(|party| u8::try_from(party).ok()), None)
        }
        ToolState::InputAvailable { input } | ToolState::ApprovalResponded { input, .. } => {
            searching(Some(input.starts_at), Some(input.party_size), input.cuisine.as_deref())
        }
        ToolState::ApprovalRequested { input, approval, .. } => {
            plain_ask(&call.tool_call_id, approval, READ, asked(input))
        }
        ToolState::OutputAvailable { output, .. } => found(output),
        ToolState::OutputError { kind, code, params, error_text, .. } => {
            ended::failure(*kind, code, params.as_ref(), error_text, None)
        }
        ToolState::OutputDenied { .. } => ended::denied(None),
        ToolState::OutputCancelled { reason, of, .. } => ended::cancelled(*reason, of.as_ref(), None),
        ToolState::OutputUnknown { .. } => view! { <p>{t(texts::unknown_read)}</p> }.into_any(),
    }
}

/// What is looked for: when, for how many, and which food.
fn wish(starts_at: Option<DateTime<FixedOffset>>, party: Option<u8>, cuisine: Option<&str>) -> AnyView {
    let lang = use_lang();
    let cuisine = cuisine.map(visible);
    let line = move || {
        let lang = lang.get();
        let when = starts_at.map(|starts_at| format::moment(lang, starts_at));
        let party = party.map(|party| format::people(lang, party));
        let known: Vec<String> = [when, party, cuisine.clone()].into_iter().flatten().collect();
        known.join(" · ")
    };
    view! { <p class="tables__wish"><bdi>{line}</bdi></p> }.into_any()
}

fn searching(starts_at: Option<DateTime<FixedOffset>>, party: Option<u8>, cuisine: Option<&str>) -> AnyView {
    let places: Vec<_> = (0..2).map(|_| view! { <div class="skeleton tables__skeleton"></div> }).collect();
    view! {
        <div class="busy" aria-busy="true">
            {wish(starts_at, party, cuisine)}
            <p class="visually-hidden">{t(texts::tables_searching)}</p>
            <div class="tables">{places}</div>
        </div>
    }
    .into_any()
}

fn asked(input: &FindTablesInput) -> AnyView {
    let FindTablesInput { city, starts_at, party_size, cuisine } = input;
    let (starts_at, party_size) = (*starts_at, *party_size);
    view! {
        <dl class="facts">
            {fact(texts::city, view! { <bdi>{visible(city)}</bdi> })}
            {fact(texts::when, by_lang(move |lang| format::moment(lang, starts_at)))}
            {fact(texts::party, by_lang(move |lang| format::people(lang, party_size)))}
            {cuisine.as_deref().map(|cuisine| fact_or_gap(texts::cuisine, Some(visible(cuisine))))}
        </dl>
    }
    .into_any()
}

fn found(output: &FindTablesOutput) -> AnyView {
    let (wanted, party) = (output.starts_at, output.party_size);
    if output.restaurants.is_empty() {
        return view! {
            {wish(Some(wanted), Some(party), None)}
            <p class="tables__none">{t(texts::tables_none)}</p>
            {provenance(texts::tables_provenance)}
        }
        .into_any();
    }
    let restaurants: Vec<AnyView> =
        output.restaurants.iter().map(|option| restaurant(option, wanted, party)).collect();
    view! {
        {wish(Some(wanted), Some(party), None)}
        <ul class="tables">{restaurants}</ul>
        <p class="card__advice">{t(texts::tables_pick)}</p>
        {provenance(texts::tables_provenance)}
    }
    .into_any()
}

fn restaurant(option: &TableOption, wanted: DateTime<FixedOffset>, party: u8) -> AnyView {
    let times: Vec<AnyView> =
        option.free_times.iter().map(|time| free_time(&option.name, *time, wanted, party)).collect();
    let times = if times.is_empty() {
        view! { <p class="card__advice">{t(texts::tables_no_times)}</p> }.into_any()
    } else {
        view! { <ul class="tables__times">{times}</ul> }.into_any()
    };
    view! {
        <li class="restaurant">
            <div class="restaurant__head">
                <h4 class="restaurant__name"><bdi>{visible(&option.name)}</bdi></h4>
                <span class="restaurant__cuisine"><bdi>{visible(&option.cuisine)}</bdi></span>
            </div>
            <p class="restaurant__address">{Icon::Pin.view()} <bdi>{visible(&option.address)}</bdi></p>
            {times}
        </li>
    }
    .into_any()
}

fn free_time(
    name: &str,
    starts_at: DateTime<FixedOffset>,
    wanted: DateTime<FixedOffset>,
    party: u8,
) -> AnyView {
    let lang = use_lang();
    let cx = use_cards();
    let is_wanted = starts_at == wanted;
    let message = {
        let name = name.to_owned();
        move |lang| words::choice(lang, &name, starts_at, party)
    };
    let name = visible(name);
    let label = move |lang| {
        let time = format::time(lang, starts_at.time());
        let date = format::date(lang, starts_at.date_naive());
        let label = format!("{time} – {name}, {date}, {}", format::people(lang, party));
        if is_wanted { format!("{label} ({})", texts::wanted_time(lang)) } else { label }
    };
    let button = TimeButton {
        starts_at,
        day: wanted.date_naive(),
        label,
        marked: Signal::stored(is_wanted),
        stays_pressed: false,
        disabled: Signal::derive(move || !cx.ready.get() || cx.busy.get()),
        press: Callback::new(move |()| cx.choose.run(message(lang.get_untracked()))),
    };
    view! { <li>{button.view()}</li> }.into_any()
}
