//! Times with room, to be pressed.

use chrono::{DateTime, FixedOffset, NaiveDate};
use leptos::prelude::*;
use serde_json::{Map, Value};

use super::decider::Decider;
use super::fields::{Chosen, TableFields};
use crate::i18n::{Lang, by_lang, format, use_lang, words};

/// So many are shown of what came from outside.
const MOST: usize = 12;

/// A time as a button.
pub struct TimeButton<L> {
    /// By the restaurant's clock.
    pub starts_at: DateTime<FixedOffset>,
    /// The day that is meant anyway: another one is said on the button.
    pub day: NaiveDate,
    /// What a press means, in words.
    pub label: L,
    /// Whether it is the one that is wanted, or chosen.
    pub marked: Signal<bool>,
    /// Whether the button keeps being pressed while it is marked; else a press is a deed of its own.
    pub stays_pressed: bool,
    pub disabled: Signal<bool>,
    pub press: Callback<()>,
}

impl<L: Fn(Lang) -> String + Send + Sync + 'static> TimeButton<L> {
    pub fn view(self) -> AnyView {
        let Self { starts_at, day, label, marked, stays_pressed, disabled, press } = self;
        let another_day = (starts_at.date_naive() != day).then(|| {
            let date = by_lang(move |lang| format::short_date(lang, starts_at.date_naive()));
            view! { " " <span class="time__date">{date}</span> }
        });
        view! {
            <button
                class="time"
                class:time--wanted=marked
                type="button"
                aria-label=by_lang(label)
                aria-pressed=move || stays_pressed.then(|| marked.get().to_string())
                disabled=disabled
                on:click=move |_| press.run(())
            >
                {by_lang(move |lang| format::time(lang, starts_at.time()))}
                {another_day}
            </button>
        }
        .into_any()
    }
}

/// Times that have room for a party instead of a wanted one that has not.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// What has no room.
    pub instead_of: DateTime<FixedOffset>,
    pub party_size: u8,
    pub times: Vec<DateTime<FixedOffset>>,
}

impl Offer {
    /// Whether that is one of the offered times, for no more people than it was offered for.
    pub fn covers(&self, chosen: Chosen) -> bool {
        let (starts_at, party_size) = chosen;
        party_size <= self.party_size && self.times.contains(&starts_at)
    }

    /// The offer inside a form: a press writes the time into the form's fields. `id`: of the offer's
    /// heading; `pressed`: after the fields have changed.
    pub fn view(
        self,
        id: String,
        fields: TableFields,
        chosen: Signal<Option<Chosen>>,
        decider: Decider,
        pressed: Callback<()>,
    ) -> AnyView {
        let Self { instead_of, party_size, times } = self;
        if times.is_empty() {
            return ().into_any();
        }
        let day = instead_of.date_naive();
        let buttons: Vec<_> = times
            .into_iter()
            .map(|starts_at| {
                let button = TimeButton {
                    starts_at,
                    day,
                    label: move |lang| words::take_time(lang, starts_at),
                    marked: Signal::derive(move || {
                        chosen.get().is_some_and(|(chosen, _)| chosen == starts_at)
                    }),
                    stays_pressed: true,
                    disabled: Signal::derive(move || decider.locked()),
                    press: Callback::new(move |()| {
                        fields.fill(starts_at);
                        pressed.run(());
                    }),
                };
                view! { <li>{button.view()}</li> }
            })
            .collect();
        let heading = id.clone();
        view! {
            <div class="offer" role="group" aria-labelledby=id>
                <p class="offer__heading" id=heading>
                    {by_lang(move |lang| words::full_now(lang, instead_of, party_size))}
                </p>
                <ul class="tables__times">{buttons}</ul>
            </div>
        }
        .into_any()
    }
}

/// The times of `params.times`, as far as they are some.
pub fn times_of(params: Option<&Map<String, Value>>) -> Vec<DateTime<FixedOffset>> {
    let times = params.and_then(|params| params.get("times")).and_then(Value::as_array);
    let times = times.into_iter().flatten().filter_map(Value::as_str);
    times.filter_map(|time| DateTime::parse_from_rfc3339(time).ok()).take(MOST).collect()
}

/// Times as messages of the guest: a press sends one. `day`: the day that was asked for, where it is known;
/// `label`: what a press is for.
pub fn times_to_ask_for(
    times: Vec<DateTime<FixedOffset>>,
    day: Option<NaiveDate>,
    label: fn(Lang, DateTime<FixedOffset>) -> String,
    message: impl Fn(Lang, DateTime<FixedOffset>) -> String + Clone + Send + Sync + 'static,
) -> AnyView {
    let cx = super::context::use_cards();
    let lang = use_lang();
    let day = day.or_else(|| times.first().map(DateTime::date_naive)).unwrap_or_default();
    let buttons: Vec<_> = times
        .into_iter()
        .map(|starts_at| {
            let message = message.clone();
            let button = TimeButton {
                starts_at,
                day,
                label: move |lang| label(lang, starts_at),
                marked: Signal::stored(false),
                stays_pressed: false,
                disabled: Signal::derive(move || !cx.ready.get() || cx.busy.get()),
                press: Callback::new(move |()| cx.choose.run(message(lang.get_untracked(), starts_at))),
            };
            view! { <li>{button.view()}</li> }
        })
        .collect();
    view! { <ul class="tables__times">{buttons}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at(text: &str) -> DateTime<FixedOffset> {
        text.parse().unwrap()
    }

    #[test]
    fn an_offer_covers_its_times_for_its_party_and_smaller_ones() {
        let offer = Offer {
            instead_of: at("2026-12-05T19:00:00+07:00"),
            party_size: 4,
            times: vec![at("2026-12-05T20:30:00+07:00")],
        };
        assert!(offer.covers((at("2026-12-05T20:30:00+07:00"), 4)));
        assert!(offer.covers((at("2026-12-05T13:30:00+00:00"), 2)), "the same instant");
        assert!(!offer.covers((at("2026-12-05T20:30:00+07:00"), 5)), "nobody has looked for so many");
        assert!(!offer.covers((at("2026-12-05T19:00:00+07:00"), 4)));
    }

    #[test]
    fn times_are_read_leniently_and_not_without_end() {
        let params = |value: Value| value.as_object().cloned();
        let odd = json!({"times": ["2026-12-05T20:00:00+07:00", 7, "tonight", null]});
        assert_eq!(times_of(params(odd).as_ref()), [at("2026-12-05T20:00:00+07:00")]);
        for none in [json!({}), json!({"times": "2026-12-05T20:00:00+07:00"}), json!({"times": {}})] {
            assert!(times_of(params(none).as_ref()).is_empty());
        }
        assert!(times_of(None).is_empty());
        let many = json!({"times": vec!["2026-12-05T20:00:00+07:00"; 500]});
        assert_eq!(times_of(params(many).as_ref()).len(), MOST);
    }
}
