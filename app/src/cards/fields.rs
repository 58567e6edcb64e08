//! The fields of the forms: those in which a guest says when and for how many are shared by the forms about a
//! table.
//!
//! The fields are the browser's own; they are read when the guest presses. The server checks everything
//! again, and its reasons appear at the fields.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use leptos::html;
use leptos::prelude::*;
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use wasm_bindgen::JsCast;

use super::decider::Decider;
use crate::i18n::{Lang, by_lang, format, t, texts, words};

/// A field of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Date,
    Time,
    Party,
    Note,
    Amount,
    Reason,
}

impl Field {
    /// Where an error belongs, by its JSON pointer; none: to the form as a whole.
    pub fn of(error: &FieldError) -> Option<Self> {
        match error.path.as_str() {
            "/partySize" => Some(Self::Party),
            "/note" => Some(Self::Note),
            "/amount" => Some(Self::Amount),
            "/reason" => Some(Self::Reason),
            "/startsAt" if matches!(error.code, ErrorCode::Closed | ErrorCode::Full) => Some(Self::Time),
            "/startsAt" | DATE => Some(Self::Date),
            TIME => Some(Self::Time),
            _ => None,
        }
    }
}

/// Pointers of errors that the page finds by itself, at the two halves of `/startsAt`.
const DATE: &str = "/startsAt/date";
const TIME: &str = "/startsAt/time";

/// What is in the fields that every form about a table has.
#[derive(Clone, Debug, PartialEq)]
pub struct Filled {
    pub date: String,
    pub time: String,
    pub party: String,
}

/// What the fields say, as it can be put into JSON. Everything else is the server's to judge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    pub starts_at: DateTime<FixedOffset>,
    pub party_size: i64,
}

impl Filled {
    /// As a form is filled at the start, by the clock that `starts_at` carries.
    pub fn of(starts_at: DateTime<FixedOffset>, party_size: u8) -> Self {
        Self {
            date: format::iso_date(starts_at.date_naive()),
            time: format::clock(starts_at.time()),
            party: party_size.to_string(),
        }
    }

    /// What they say, or the fields that say nothing that can be read. By the restaurant's clock.
    pub fn wish(&self, offset: FixedOffset) -> Result<Wish, Vec<FieldError>> {
        let mut errors = Vec::new();
        let date =
            parsed(DATE, &self.date, |text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok(), &mut errors);
        let time = parsed(TIME, &self.time, parse_time, &mut errors);
        let party = parsed("/partySize", &self.party, |text| text.parse::<i64>().ok(), &mut errors);
        let (Some(date), Some(time), Some(party_size)) = (date, time, party) else { return Err(errors) };
        match NaiveDateTime::new(date, time).and_local_timezone(offset).single() {
            Some(starts_at) => Ok(Wish { starts_at, party_size }),
            None => Err(vec![reason(DATE, ErrorCode::BadFormat)]),
        }
    }

    /// What is chosen, where it reads as a time and a number.
    pub fn chosen(&self, offset: FixedOffset) -> Option<Chosen> {
        let Wish { starts_at, party_size } = self.wish(offset).ok()?;
        Some((starts_at, u8::try_from(party_size).ok()?))
    }
}

/// A time, by the restaurant's clock, and a number of people.
pub type Chosen = (DateTime<FixedOffset>, u8);

fn parse_time(text: &str) -> Option<NaiveTime> {
    ["%H:%M", "%H:%M:%S"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

fn parsed<T>(
    path: &str,
    text: &str,
    parse: impl Fn(&str) -> Option<T>,
    errors: &mut Vec<FieldError>,
) -> Option<T> {
    let text = text.trim();
    let value = parse(text);
    if value.is_none() {
        let code = if text.is_empty() { ErrorCode::Required } else { ErrorCode::BadFormat };
        errors.push(reason(path, code));
    }
    value
}

/// A reason that the page finds by itself.
pub fn reason(path: &str, code: ErrorCode) -> FieldError {
    FieldError { path: path.to_owned(), message: code.as_str().to_owned(), code, params: None }
}

/// The elements of the fields that every form about a table has.
#[derive(Clone, Copy)]
pub struct TableFields {
    date: NodeRef<html::Input>,
    time: NodeRef<html::Input>,
    party: NodeRef<html::Input>,
}

impl TableFields {
    pub fn new() -> Self {
        Self { date: NodeRef::new(), time: NodeRef::new(), party: NodeRef::new() }
    }

    /// What they hold; none while they are not on the page.
    pub fn read(self) -> Option<Filled> {
        Some(Filled {
            date: self.date.get_untracked()?.value(),
            time: self.time.get_untracked()?.value(),
            party: self.party.get_untracked()?.value(),
        })
    }

    /// Writes another time into them.
    pub fn fill(self, starts_at: DateTime<FixedOffset>) {
        if let (Some(date), Some(time)) = (self.date.get_untracked(), self.time.get_untracked()) {
            date.set_value(&format::iso_date(starts_at.date_naive()));
            time.set_value(&format::clock(starts_at.time()));
        }
    }

    /// The element of a field; none for a field that is not one of these.
    pub fn element(self, field: Field) -> Option<web_sys::HtmlElement> {
        let input = match field {
            Field::Date => self.date,
            Field::Time => self.time,
            Field::Party => self.party,
            Field::Note | Field::Amount | Field::Reason => return None,
        };
        input.get_untracked().map(JsCast::unchecked_into)
    }

    /// The three fields. `anchor`: the card's, for their ids.
    pub fn view(self, filled: &Filled, anchor: &str, decider: Decider) -> AnyView {
        let Filled { date, time, party } = filled.clone();
        let Self { date: date_ref, time: time_ref, party: party_ref } = self;
        let id = |name: &str| format!("{anchor}-{name}");
        view! {
            {field_view(
                Field::Date,
                &id("date"),
                texts::field_date,
                t(texts::field_date_help),
                decider,
                move |labels| view! {
                    <input
                        node_ref=date_ref
                        class="field__control"
                        id=labels.control
                        type="date"
                        name="date"
                        required
                        value=date
                        aria-describedby=labels.described_by
                        aria-invalid=labels.invalid
                    />
                }.into_any(),
            )}
            {field_view(
                Field::Time,
                &id("time"),
                texts::field_time,
                t(texts::field_time_help),
                decider,
                move |labels| view! {
                    <input
                        node_ref=time_ref
                        class="field__control"
                        id=labels.control
                        type="time"
                        name="time"
                        required
                        value=time
                        aria-describedby=labels.described_by
                        aria-invalid=labels.invalid
                    />
                }.into_any(),
            )}
            {field_view(
                Field::Party,
                &id("party"),
                texts::field_party,
                t(texts::field_party_help),
                decider,
                move |labels| view! {
                    <input
                        node_ref=party_ref
                        class="field__control"
                        id=labels.control
                        type="number"
                        name="partySize"
                        inputmode="numeric"
                        min="1"
                        max="20"
                        step="1"
                        required
                        value=party
                        aria-describedby=labels.described_by
                        aria-invalid=labels.invalid
                    />
                }.into_any(),
            )}
        }
        .into_any()
    }
}

/// Leads to the first field that was refused, in the order of `shown`; for the keyboard and for screen
/// readers.
pub fn lead_to_refused(
    decider: Decider,
    shown: &'static [Field],
    element: impl Fn(Field) -> Option<web_sys::HtmlElement> + Send + Sync + 'static,
) {
    Effect::new(move |_| {
        let errors = decider.errors();
        let refused = |field: &&Field| errors.iter().any(|error| Field::of(error) == Some(**field));
        if let Some(element) = shown.iter().find(refused).and_then(|field| element(*field)) {
            // After the fields are unlocked.
            request_animation_frame(move || {
                let _ = element.focus();
            });
        }
    });
}

/// What was refused and belongs to none of the fields that the form shows.
pub fn other_errors(decider: Decider, shown: &'static [Field]) -> AnyView {
    let elsewhere = move |error: &FieldError| Field::of(error).is_none_or(|field| !shown.contains(&field));
    let words = move || {
        let errors: Vec<FieldError> = decider.errors().into_iter().filter(elsewhere).collect();
        (!errors.is_empty()).then(|| {
            let errors: Vec<_> =
                errors.into_iter().map(|error| view! { <li>{error_words(error)}</li> }).collect();
            view! { <ul class="field__error">{errors}</ul> }
        })
    };
    words.into_any()
}

/// How a control and the texts around it are tied together.
pub struct Labels {
    pub control: String,
    pub described_by: String,
    pub invalid: Signal<&'static str>,
}

/// A field: label, control, help, and the reason why it was refused.
pub fn field_view(
    field: Field,
    id: &str,
    label: fn(Lang) -> &'static str,
    help: impl IntoView + 'static,
    decider: Decider,
    control: impl FnOnce(Labels) -> AnyView,
) -> AnyView {
    let errors = move || -> Vec<FieldError> {
        decider.errors().into_iter().filter(|error| Field::of(error) == Some(field)).collect()
    };
    let (help_id, error_id) = (format!("{id}-help"), format!("{id}-error"));
    let labels = Labels {
        control: id.to_owned(),
        described_by: format!("{error_id} {help_id}"),
        invalid: Signal::derive(move || if errors().is_empty() { "false" } else { "true" }),
    };
    let class = match field {
        Field::Date => "field field--date",
        Field::Time => "field field--time",
        Field::Party => "field field--party",
        Field::Note => "field field--note",
        Field::Amount => "field field--amount",
        Field::Reason => "field field--reason",
    };
    view! {
        <div class=class>
            <label class="field__label" for=id.to_owned()>{t(label)}</label>
            {control(labels)}
            <p class="field__help" id=help_id>{help}</p>
            <div class="field__error" id=error_id>
                {move || {
                    errors().into_iter().map(|error| view! { <p>{error_words(error)}</p> }).collect::<Vec<_>>()
                }}
            </div>
        </div>
    }
    .into_any()
}

fn error_words(error: FieldError) -> impl Fn() -> String + Send + Sync + 'static {
    by_lang(move |lang| words::error(lang, &error.code, error.params.as_ref(), &error.message))
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    fn saigon() -> FixedOffset {
        FixedOffset::east_opt(7 * 3600).unwrap()
    }

    fn filled() -> Filled {
        Filled::of(saigon().with_ymd_and_hms(2026, 12, 5, 19, 0, 0).unwrap(), 4)
    }

    #[test]
    fn what_is_filled_in_reads_as_what_it_was_filled_with() {
        let filled = filled();
        assert_eq!((filled.date.as_str(), filled.time.as_str()), ("2026-12-05", "19:00"));
        let starts_at = saigon().with_ymd_and_hms(2026, 12, 5, 19, 0, 0).unwrap();
        assert_eq!(filled.wish(saigon()), Ok(Wish { starts_at, party_size: 4 }));
        assert_eq!(filled.chosen(saigon()), Some((starts_at, 4)));
    }

    #[test]
    fn a_number_beyond_the_bounds_is_a_wish_for_the_server_to_judge() {
        let filled = Filled { party: "250000".to_owned(), ..filled() };
        assert_eq!(filled.wish(saigon()).map(|wish| wish.party_size), Ok(250_000));
        assert_eq!(filled.chosen(saigon()), None, "not said in words");
    }

    #[test]
    fn what_is_no_value_is_told_at_its_field() {
        let filled = Filled { date: String::new(), party: "4,5".to_owned(), ..filled() };
        let errors = filled.wish(saigon()).unwrap_err();
        let found: Vec<_> = errors.iter().map(|error| (Field::of(error), error.code.clone())).collect();
        assert_eq!(
            found,
            [(Some(Field::Date), ErrorCode::Required), (Some(Field::Party), ErrorCode::BadFormat)]
        );
    }

    #[test]
    fn the_servers_reasons_find_their_fields() {
        let at = |path: &str, code| Field::of(&reason(path, code));
        assert_eq!(at("/startsAt", ErrorCode::Closed), Some(Field::Time));
        assert_eq!(at("/startsAt", ErrorCode::Full), Some(Field::Time));
        assert_eq!(at("/startsAt", ErrorCode::Past), Some(Field::Date));
        assert_eq!(at("/partySize", ErrorCode::OutOfRange), Some(Field::Party));
        assert_eq!(at("/note", ErrorCode::TooLong), Some(Field::Note));
        assert_eq!(at("/amount", ErrorCode::MoreThanLeft), Some(Field::Amount));
        assert_eq!(at("/reason", ErrorCode::Empty), Some(Field::Reason));
        assert_eq!(at("", ErrorCode::UnknownRestaurant), None);
    }
}
