//! The question before a booking: a form filled in from the validated arguments and the preview.

use chrono::FixedOffset;
use leptos::html;
use leptos::prelude::*;
use serde_json::{Value, json};
use shared::api::FieldError;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;
use shared::tools::{BookingStatus, CreateBookingInput, CreateBookingPreview, Placement, to_the_minute};
use wasm_bindgen::JsCast;

use super::context::use_cards;
use super::decider::{Decider, deadline};
use super::fields::{Chosen, Field, Filled, TableFields, field_view, lead_to_refused, other_errors};
use super::frame::{fact, provenance};
use super::receipt::status_word;
use super::times::Offer;
use crate::i18n::{Lang, by_lang, format, t, texts, use_lang, visible, words};

/// What is on the form, in the order of reading.
const SHOWN: &[Field] = &[Field::Date, Field::Time, Field::Party, Field::Note];

/// The whole input to run instead, or nothing where nothing was changed. Checked here is only what cannot be
/// put into JSON; everything else is the server's to judge.
fn edited(
    filled: &Filled,
    note: &str,
    input: &CreateBookingInput,
    offset: FixedOffset,
) -> Result<Option<Value>, Vec<FieldError>> {
    let wish = filled.wish(offset)?;
    let written = |note: &str| Some(note.trim().to_owned()).filter(|note| !note.is_empty());
    let note = written(note);
    if wish.starts_at == to_the_minute(input.starts_at)
        && wish.party_size == i64::from(input.party_size)
        && note == input.note.as_deref().and_then(written)
    {
        return Ok(None);
    }
    let mut edited = json!({
        "restaurantId": input.restaurant_id,
        "partySize": wish.party_size,
        "startsAt": wish.starts_at.to_rfc3339(),
    });
    if let (Some(note), Some(fields)) = (note, edited.as_object_mut()) {
        fields.insert("note".to_owned(), Value::from(note));
    }
    Ok(Some(edited))
}

/// What a confirmation would give, as far as anybody knows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    Table,
    /// One of the times that were offered instead.
    OfferedTable(Chosen),
    WaitingList,
    /// Another time than the full one, of which nothing is known.
    Either,
}

impl Promise {
    /// `asked`: what the preview is about; none chosen: the fields hold nothing that reads as a time.
    fn of(status: Placement, asked: Chosen, offer: &Offer, chosen: Option<Chosen>) -> Self {
        match (status, chosen) {
            // Where it no longer holds, the guest is asked again.
            (Placement::Confirmed, _) => Self::Table,
            (Placement::Waitlisted, Some(chosen)) if offer.covers(chosen) => Self::OfferedTable(chosen),
            (Placement::Waitlisted, Some(chosen)) if chosen != asked => Self::Either,
            (Placement::Waitlisted, _) => Self::WaitingList,
        }
    }

    fn words(self, lang: Lang) -> String {
        match self {
            Self::Table => texts::form_will_book(lang).to_owned(),
            Self::OfferedTable((starts_at, _)) => words::will_book_at(lang, starts_at),
            Self::WaitingList => texts::form_will_wait(lang).to_owned(),
            Self::Either => texts::form_will_book_or_wait(lang).to_owned(),
        }
    }

    fn confirm_words(self, lang: Lang) -> &'static str {
        match self {
            Self::Table | Self::OfferedTable(_) => texts::confirm_book(lang),
            Self::WaitingList => texts::confirm_wait(lang),
            Self::Either => texts::confirm_book_or_wait(lang),
        }
    }

    /// The least that a confirmation gives, for the style sheet.
    fn status(self) -> BookingStatus {
        match self {
            Self::Table | Self::OfferedTable(_) => BookingStatus::Confirmed,
            Self::WaitingList | Self::Either => BookingStatus::Waitlisted,
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
    let (asked_at, status, seats_free) = (preview.starts_at, preview.status, preview.seats_free);
    let offset = *asked_at.offset();
    let filled = Filled::of(input.starts_at.with_timezone(&offset), input.party_size);
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id);
    let fields = TableFields::new();
    let note_ref = NodeRef::<html::Textarea>::new();
    let paused = use_cards().paused;
    let changed = RwSignal::new(false);
    let chosen = RwSignal::new(filled.chosen(offset));
    let anchor = super::anchor(&tool_call_id);
    let note_at_start = input.note.clone().unwrap_or_default();
    let offer =
        Offer { instead_of: asked_at, party_size: input.party_size, times: preview.other_times.clone() };
    let asked = (asked_at, input.party_size);
    let input = StoredValue::new(input);

    let read = move || {
        let note = note_ref.get_untracked()?.value();
        let filled = fields.read()?;
        Some(input.with_value(|input| edited(&filled, &note, input, offset)))
    };
    let look = move || {
        changed.set(!matches!(read(), None | Some(Ok(None))));
        chosen.set(fields.read().and_then(|filled| filled.chosen(offset)));
    };
    let confirm = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if decider.is_locked_now() || paused.get_untracked() {
            return;
        }
        match read() {
            Some(Ok(edited)) => decider.press(true, edited),
            Some(Err(errors)) => decider.refuse(errors),
            None => {}
        }
    };
    lead_to_refused(decider, SHOWN, move |field| match field {
        Field::Note => note_ref.get_untracked().map(JsCast::unchecked_into),
        Field::Date | Field::Time | Field::Party | Field::Amount | Field::Reason => fields.element(field),
    });

    let promise = {
        let offer = offer.clone();
        Memo::new(move |_| Promise::of(status, asked, &offer, chosen.get()))
    };
    let lang = use_lang();
    let address = visible(&format!("{}, {}", preview.address, preview.city));
    view! {
        <form class="ask" autocomplete="off" novalidate=true on:submit=confirm on:input=move |_| look()>
            // Told where a choice of the guest changes it.
            <p class="ask__promise" role="status" data-status=move || status_word(promise.get().status())>
                {move || promise.get().words(lang.get())}
            </p>
            {offer.view(format!("{anchor}-offer"), fields, chosen.into(), decider, Callback::new(move |()| look()))}
            <dl class="facts">
                {fact(
                    texts::restaurant,
                    view! { <bdi class="receipt__name">{visible(&preview.restaurant_name)}</bdi> },
                )}
                {fact(texts::address, view! { <bdi>{address}</bdi> })}
            </dl>
            <fieldset class="ask__fields" disabled=move || decider.locked() aria-busy=move || decider.sending().to_string()>
                <legend class="visually-hidden">{t(texts::booking_confirm)}</legend>
                {fields.view(&filled, &anchor, decider)}
                {field_view(
                    Field::Note,
                    &format!("{anchor}-note"),
                    texts::field_note,
                    t(texts::field_note_help),
                    decider,
                    move |labels| view! {
                        <textarea
                            node_ref=note_ref
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
                {by_lang(move |lang| {
                    if changed.get() {
                        texts::edit_changes_answer(lang).to_owned()
                    } else {
                        words::seats_free(lang, seats_free)
                    }
                })}
            </p>
            {other_errors(decider, SHOWN)}
            {move || paused.get().then(|| view! { <p class="ask__paused">{t(texts::confirm_paused)}</p> })}
            <div class="ask__buttons">
                <button
                    class="button button--primary"
                    type="submit"
                    disabled=move || decider.locked() || paused.get()
                >
                    {move || promise.get().confirm_words(lang.get())}
                </button>
                <button
                    class="button"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(false, None)
                >
                    {t(texts::decline)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
            {provenance(texts::booking_ask_provenance)}
        </form>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeZone};

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

    fn at(hour: u32, minute: u32) -> DateTime<FixedOffset> {
        saigon().with_ymd_and_hms(2026, 12, 5, hour, minute, 0).unwrap()
    }

    fn filled() -> Filled {
        Filled::of(input().starts_at.with_timezone(&saigon()), input().party_size)
    }

    #[test]
    fn nothing_changed_sends_no_edit() {
        assert_eq!(filled().time, "19:00", "by the restaurant's clock");
        assert_eq!(edited(&filled(), "  ", &input(), saigon()), Ok(None));
    }

    #[test]
    fn an_edit_replaces_the_whole_input() {
        let filled = Filled { time: "20:30".to_owned(), party: "25".to_owned(), ..filled() };
        let edited = edited(&filled, " cạnh cửa sổ ", &input(), saigon()).unwrap().unwrap();
        let starts_at: DateTime<FixedOffset> = edited["startsAt"].as_str().unwrap().parse().unwrap();
        assert_eq!(starts_at, at(20, 30));
        assert_eq!(edited["restaurantId"], "r1");
        assert_eq!(edited["partySize"], 25, "the server judges the bounds, not the page");
        assert_eq!(edited["note"], "cạnh cửa sổ");
    }

    #[test]
    fn a_table_is_promised_only_where_one_was_seen_to_be_free() {
        let offer = Offer { instead_of: at(19, 0), party_size: 4, times: vec![at(17, 30), at(21, 0)] };
        let promise = |status, chosen| Promise::of(status, (at(19, 0), 4), &offer, chosen);
        let full = Placement::Waitlisted;
        assert_eq!(promise(Placement::Confirmed, Some((at(19, 0), 4))), Promise::Table);
        assert_eq!(promise(full, Some((at(19, 0), 4))), Promise::WaitingList);
        assert_eq!(promise(full, None), Promise::WaitingList);
        assert_eq!(promise(full, Some((at(21, 0), 4))), Promise::OfferedTable((at(21, 0), 4)));
        assert_eq!(promise(full, Some((at(21, 0), 5))), Promise::Either);
        assert_eq!(promise(full, Some((at(20, 0), 4))), Promise::Either);
        assert_eq!(promise(full, Some((at(19, 0), 2))), Promise::Either, "fewer may fit");
    }
}
