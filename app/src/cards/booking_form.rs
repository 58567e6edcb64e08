//! The question before a booking: a form filled in from the validated arguments and the preview.
//!
//! The fields are the browser's own; they are read when the guest presses. The server checks everything
//! again, and its reasons appear at the fields.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime};
use leptos::html;
use leptos::prelude::*;
use serde_json::{Value, json};
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;
use shared::tools::{CreateBookingInput, CreateBookingPreview, Placement};
use wasm_bindgen::JsCast;

use super::context::use_cards;
use super::decider::{Decider, deadline};
use super::frame::{fact, provenance};
use crate::i18n::{by_lang, format, t, texts, use_lang, visible, words};

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Date,
    Time,
    Party,
    Note,
}

impl Field {
    /// Where an error belongs, by its JSON pointer; none: to the form as a whole.
    fn of(error: &FieldError) -> Option<Self> {
        match error.path.as_str() {
            "/partySize" => Some(Self::Party),
            "/note" => Some(Self::Note),
            "/startsAt" if error.code == ErrorCode::Closed => Some(Self::Time),
            "/startsAt" | DATE => Some(Self::Date),
            TIME => Some(Self::Time),
            _ => None,
        }
    }
}

/// Pointers of errors that the page finds by itself, at the two halves of `/startsAt`.
const DATE: &str = "/startsAt/date";
const TIME: &str = "/startsAt/time";

/// What is in the form.
#[derive(Clone, Debug, PartialEq)]
struct Filled {
    date: String,
    time: String,
    party: String,
    note: String,
}

impl Filled {
    /// As the form is filled at the start, by the restaurant's clock.
    fn of(input: &CreateBookingInput, offset: FixedOffset) -> Self {
        let starts_at = input.starts_at.with_timezone(&offset);
        Self {
            date: format::iso_date(starts_at.date_naive()),
            time: format::clock(starts_at.time()),
            party: input.party_size.to_string(),
            note: input.note.clone().unwrap_or_default(),
        }
    }

    /// The whole input to run instead, or nothing where nothing was changed. Checked here is only what
    /// cannot be put into JSON; everything else is the server's to judge.
    fn edited(
        &self,
        input: &CreateBookingInput,
        offset: FixedOffset,
    ) -> Result<Option<Value>, Vec<FieldError>> {
        let mut errors = Vec::new();
        let date =
            parsed(DATE, &self.date, |text| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok(), &mut errors);
        let time = parsed(TIME, &self.time, parse_time, &mut errors);
        let party = parsed("/partySize", &self.party, |text| text.parse::<i64>().ok(), &mut errors);
        let (Some(date), Some(time), Some(party)) = (date, time, party) else { return Err(errors) };

        let local = NaiveDateTime::new(date, time);
        let Some(starts_at) = local.and_local_timezone(offset).single() else {
            return Err(vec![reason(DATE, ErrorCode::BadFormat)]);
        };
        let note = Some(self.note.trim()).filter(|note| !note.is_empty());
        let same_note = note == input.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if starts_at == input.starts_at && party == i64::from(input.party_size) && same_note {
            return Ok(None);
        }
        let mut edited = json!({
            "restaurantId": input.restaurant_id,
            "partySize": party,
            "startsAt": starts_at.to_rfc3339(),
        });
        if let (Some(note), Some(fields)) = (note, edited.as_object_mut()) {
            fields.insert("note".to_owned(), Value::from(note));
        }
        Ok(Some(edited))
    }
}

impl Filled {
    /// What is chosen, where it reads as a time and a number.
    fn chosen(&self, offset: FixedOffset) -> Option<(DateTime<FixedOffset>, u8)> {
        let date = NaiveDate::parse_from_str(&self.date, "%Y-%m-%d").ok()?;
        let starts_at = date.and_time(parse_time(&self.time)?).and_local_timezone(offset).single()?;
        Some((starts_at, self.party.trim().parse().ok()?))
    }
}

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

fn reason(path: &str, code: ErrorCode) -> FieldError {
    FieldError { path: path.to_owned(), message: code.as_str().to_owned(), code, params: None }
}

/// The form's elements.
#[derive(Clone, Copy)]
struct Fields {
    date: NodeRef<html::Input>,
    time: NodeRef<html::Input>,
    party: NodeRef<html::Input>,
    note: NodeRef<html::Textarea>,
}

impl Fields {
    fn new() -> Self {
        Self { date: NodeRef::new(), time: NodeRef::new(), party: NodeRef::new(), note: NodeRef::new() }
    }

    /// What they hold; none while they are not on the page.
    fn read(self) -> Option<Filled> {
        Some(Filled {
            date: self.date.get_untracked()?.value(),
            time: self.time.get_untracked()?.value(),
            party: self.party.get_untracked()?.value(),
            note: self.note.get_untracked()?.value(),
        })
    }

    fn element(self, field: Field) -> Option<web_sys::HtmlElement> {
        match field {
            Field::Date => self.date.get_untracked().map(JsCast::unchecked_into),
            Field::Time => self.time.get_untracked().map(JsCast::unchecked_into),
            Field::Party => self.party.get_untracked().map(JsCast::unchecked_into),
            Field::Note => self.note.get_untracked().map(JsCast::unchecked_into),
        }
    }
}

/// The form of one question.
pub fn booking_form(
    tool_call_id: ToolCallId,
    input: CreateBookingInput,
    approval: Approval<CreateBookingPreview>,
) -> AnyView {
    let expires_at = approval.expires_at;
    let preview = approval.preview;
    let offset = *preview.starts_at.offset();
    let filled = Filled::of(&input, offset);
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id);
    let fields = Fields::new();
    let paused = use_cards().paused;
    let changed = RwSignal::new(false);
    let chosen = RwSignal::new(filled.chosen(offset));
    let anchor = super::anchor(&tool_call_id);
    let note_at_start = filled.note.clone();
    let input = StoredValue::new(input);

    let edited = move || fields.read().map(|filled| input.with_value(|input| filled.edited(input, offset)));
    let look = move |_| {
        changed.set(!matches!(edited(), None | Some(Ok(None))));
        chosen.set(fields.read().and_then(|filled| filled.chosen(offset)));
    };

    let confirm = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if decider.is_locked_now() || paused.get_untracked() {
            return;
        }
        match edited() {
            Some(Ok(edited)) => decider.press(true, edited),
            Some(Err(errors)) => decider.refuse(errors),
            None => {}
        }
    };
    let decline = move |_| decider.press(false, None);

    // To the first field that was refused; for the keyboard and for screen readers.
    Effect::new(move |_| {
        let errors = decider.errors();
        let first = [Field::Date, Field::Time, Field::Party, Field::Note]
            .into_iter()
            .find(|field| errors.iter().any(|error| Field::of(error) == Some(*field)));
        if let Some(element) = first.and_then(|first| fields.element(first)) {
            // After the fields are unlocked.
            request_animation_frame(move || {
                let _ = element.focus();
            });
        }
    });

    let promise = match preview.status {
        Placement::Confirmed => texts::form_will_book,
        Placement::Waitlisted => texts::form_will_wait,
    };
    let confirm_words = match preview.status {
        Placement::Confirmed => texts::confirm_book,
        Placement::Waitlisted => texts::confirm_wait,
    };
    let seats_free = preview.seats_free;
    let address = visible(&format!("{}, {}", preview.address, preview.city));
    let whole_form = move || {
        let errors: Vec<FieldError> =
            decider.errors().into_iter().filter(|error| Field::of(error).is_none()).collect();
        (!errors.is_empty()).then_some(errors)
    };
    let lang = use_lang();
    let id = move |name: &str| format!("{anchor}-{name}");

    view! {
        <form
            class="ask"
            autocomplete="off"
            novalidate=true
            on:submit=confirm
            on:input=look
        >
            <p class="ask__promise" data-status=super::receipt::status_word(preview.status.into())>{t(promise)}</p>
            <dl class="facts">
                {fact(
                    texts::restaurant,
                    view! { <bdi class="receipt__name">{visible(&preview.restaurant_name)}</bdi> },
                )}
                {fact(texts::address, view! { <bdi>{address}</bdi> })}
            </dl>
            <fieldset class="ask__fields" disabled=move || decider.locked() aria-busy=move || decider.sending().to_string()>
                <legend class="visually-hidden">{t(texts::booking_confirm)}</legend>
                {field_view(
                    Field::Date,
                    &id("date"),
                    texts::field_date,
                    t(texts::field_date_help),
                    decider,
                    |labels| view! {
                        <input
                            node_ref=fields.date
                            class="field__control"
                            id=labels.control
                            type="date"
                            name="date"
                            required
                            value=filled.date.clone()
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
                    |labels| view! {
                        <input
                            node_ref=fields.time
                            class="field__control"
                            id=labels.control
                            type="time"
                            name="time"
                            required
                            value=filled.time.clone()
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
                    |labels| view! {
                        <input
                            node_ref=fields.party
                            class="field__control"
                            id=labels.control
                            type="number"
                            name="partySize"
                            inputmode="numeric"
                            min="1"
                            max="20"
                            step="1"
                            required
                            value=filled.party.clone()
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                        />
                    }.into_any(),
                )}
                {field_view(
                    Field::Note,
                    &id("note"),
                    texts::field_note,
                    t(texts::field_note_help),
                    decider,
                    move |labels| view! {
                        <textarea
                            node_ref=fields.note
                            class="field__control field__control--text"
                            id=labels.control
                            name="note"
                            rows="2"
                            dir="auto"
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                            prop:value=note_at_start.clone()
                        ></textarea>
                    }.into_any(),
                )}
            </fieldset>
            // The browser shows dates in its own way, which may not be the guest's: said once more in words,
            // with the place, which has scrolled away on a phone by now.
            <p class="ask__chosen">
                <bdi>{visible(&preview.restaurant_name)}</bdi>
                " · "
                {move || {
                    let lang = lang.get();
                    chosen.get().map(|(starts_at, party)| {
                        format!("{} · {}", format::moment(lang, starts_at), format::people(lang, party))
                    })
                }}
            </p>
            <p class="ask__seats">
                {move || {
                    if changed.get() {
                        texts::edit_changes_answer(lang.get()).to_owned()
                    } else {
                        words::seats_free(lang.get(), seats_free)
                    }
                }}
            </p>
            {move || {
                whole_form().map(|errors| {
                    let errors: Vec<_> = errors.into_iter().map(|error| view! { <li>{error_words(error)}</li> }).collect();
                    view! { <ul class="field__error">{errors}</ul> }
                })
            }}
            {move || paused.get().then(|| view! { <p class="ask__paused">{t(texts::confirm_paused)}</p> })}
            <div class="ask__buttons">
                <button
                    class="button button--primary"
                    type="submit"
                    disabled=move || decider.locked() || paused.get()
                >
                    {t(confirm_words)}
                </button>
                <button class="button" type="button" disabled=move || decider.locked() on:click=decline>
                    {t(texts::decline)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
            {provenance(texts::booking_ask_provenance)}
        </form>
    }
    .into_any()
}

/// How a control and the texts around it are tied together.
struct Labels {
    control: String,
    described_by: String,
    invalid: Signal<&'static str>,
}

/// A field: label, control, help, and the reason why it was refused.
fn field_view(
    field: Field,
    id: &str,
    label: fn(crate::i18n::Lang) -> &'static str,
    help: impl Fn() -> &'static str + Copy + Send + Sync + 'static,
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

    fn input() -> CreateBookingInput {
        CreateBookingInput {
            restaurant_id: "r1".to_owned(),
            party_size: 4,
            // By another clock than the restaurant's: the same instant as 19:00 there.
            starts_at: "2026-12-05T12:00:00+00:00".parse().unwrap(),
            note: None,
        }
    }

    fn saigon() -> FixedOffset {
        FixedOffset::east_opt(7 * 3600).unwrap()
    }

    #[test]
    fn the_form_is_filled_by_the_restaurants_clock() {
        let filled = Filled::of(&input(), saigon());
        assert_eq!((filled.date.as_str(), filled.time.as_str()), ("2026-12-05", "19:00"));
        assert_eq!(filled.party, "4");
    }

    #[test]
    fn nothing_changed_sends_no_edit() {
        let filled = Filled { note: "  ".to_owned(), ..Filled::of(&input(), saigon()) };
        assert_eq!(filled.edited(&input(), saigon()), Ok(None));
    }

    #[test]
    fn an_edit_replaces_the_whole_input() {
        let filled = Filled {
            time: "20:30".to_owned(),
            party: "25".to_owned(),
            note: " cạnh cửa sổ ".to_owned(),
            ..Filled::of(&input(), saigon())
        };
        let edited = filled.edited(&input(), saigon()).unwrap().unwrap();
        let starts_at: DateTime<FixedOffset> = edited["startsAt"].as_str().unwrap().parse().unwrap();
        assert_eq!(starts_at, saigon().with_ymd_and_hms(2026, 12, 5, 20, 30, 0).unwrap());
        assert_eq!(edited["restaurantId"], "r1");
        assert_eq!(edited["partySize"], 25, "the server judges the bounds, not the page");
        assert_eq!(edited["note"], "cạnh cửa sổ");
    }

    #[test]
    fn what_is_no_value_is_told_at_its_field() {
        let filled =
            Filled { date: String::new(), party: "4,5".to_owned(), ..Filled::of(&input(), saigon()) };
        let errors = filled.edited(&input(), saigon()).unwrap_err();
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
        assert_eq!(at("/startsAt", ErrorCode::Past), Some(Field::Date));
        assert_eq!(at("/partySize", ErrorCode::OutOfRange), Some(Field::Party));
        assert_eq!(at("/note", ErrorCode::TooLong), Some(Field::Note));
        assert_eq!(at("", ErrorCode::UnknownRestaurant), None);
    }
}
