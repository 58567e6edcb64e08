//! The question before a change: the booking as it is, fields for what it shall be, and the difference.

use chrono::{DateTime, FixedOffset};
use leptos::prelude::*;
use serde_json::{Value, json};
use shared::api::FieldError;
use shared::error_code::ErrorCode;
use shared::ids::ToolCallId;
use shared::tool_call::Approval;
use shared::tools::{Booking, BookingStatus, ChangeBookingInput, ChangeBookingPreview, Placement};

use super::context::use_cards;
use super::decider::{Decider, deadline};
use super::fields::{Chosen, Field, Filled, TableFields, lead_to_refused, other_errors};
use super::frame::provenance;
use super::receipt::{changes, difference_list, status_word, summary};
use super::times::{Offer, times_of};
use crate::i18n::{Lang, by_lang, t, texts, use_lang, words};

/// What is on the form, in the order of reading.
const SHOWN: &[Field] = &[Field::Date, Field::Time, Field::Party];

/// The whole input to run instead, or nothing where the fields say what was proposed. Checked here is only
/// what cannot be put into JSON; everything else is the server's to judge.
fn edited(
    filled: &Filled,
    input: &ChangeBookingInput,
    proposed: Chosen,
) -> Result<Option<Value>, Vec<FieldError>> {
    let (starts_at, party_size) = proposed;
    let wish = filled.wish(*starts_at.offset())?;
    if wish.starts_at == starts_at && wish.party_size == i64::from(party_size) {
        return Ok(None);
    }
    Ok(Some(json!({
        "bookingId": input.booking_id,
        "startsAt": wish.starts_at.to_rfc3339(),
        "partySize": wish.party_size,
    })))
}

/// What a confirmation would give, as far as anybody knows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Promise {
    /// A table for another one, or none.
    Change,
    /// One of the times that were offered instead.
    OfferedTable(Chosen),
    /// A table for whoever waits for one.
    Table,
    WaitingList,
    /// Whoever waits has chosen a time of which nothing is known.
    Either,
}

impl Promise {
    /// `before`: how the booking stands; `is_proposed`: the fields say what the preview is about.
    fn of(before: BookingStatus, after: Placement, is_proposed: bool) -> Self {
        match (before, after) {
            (BookingStatus::Waitlisted, Placement::Confirmed) if is_proposed => Self::Table,
            (BookingStatus::Waitlisted, Placement::Waitlisted) if is_proposed => Self::WaitingList,
            (BookingStatus::Waitlisted, Placement::Waitlisted) => Self::Either,
            // Where there is no room, the server says so and the booking stays.
            (BookingStatus::Confirmed | BookingStatus::Cancelled, _)
            | (BookingStatus::Waitlisted, Placement::Confirmed) => Self::Change,
        }
    }

    fn words(self, lang: Lang) -> String {
        match self {
            Self::Change => texts::change_promise(lang).to_owned(),
            Self::OfferedTable((starts_at, _)) => words::will_move_to(lang, starts_at),
            Self::Table => texts::change_promise_table(lang).to_owned(),
            Self::WaitingList => texts::change_promise_waits(lang).to_owned(),
            Self::Either => texts::change_promise_either(lang).to_owned(),
        }
    }

    /// The least that a confirmation gives, for the style sheet.
    fn status(self) -> BookingStatus {
        match self {
            Self::Change | Self::OfferedTable(_) | Self::Table => BookingStatus::Confirmed,
            Self::WaitingList | Self::Either => BookingStatus::Waitlisted,
        }
    }
}

/// The times that a refusal offers instead of what was sent.
fn offer_of(errors: &[FieldError], sent: Option<Chosen>) -> Option<Offer> {
    let full = errors.iter().find(|error| error.code == ErrorCode::Full)?;
    let (instead_of, party_size) = sent?;
    let times = times_of(full.params.as_ref());
    (!times.is_empty()).then_some(Offer { instead_of, party_size, times })
}

/// The form of one question.
pub fn change_form(
    tool_call_id: ToolCallId,
    input: ChangeBookingInput,
    approval: Approval<ChangeBookingPreview>,
) -> AnyView {
    let expires_at = approval.expires_at;
    let ChangeBookingPreview { booking, starts_at, party_size, status, seats_free } = approval.preview;
    let offset = *starts_at.offset();
    let proposed = (starts_at, party_size);
    let filled = Filled::of(starts_at, party_size);
    let decider = Decider::new(tool_call_id.clone(), approval.approval_id);
    let fields = TableFields::new();
    let paused = use_cards().paused;
    let chosen = RwSignal::new(Some(proposed));
    let offer = RwSignal::new(None::<Offer>);
    let anchor = super::anchor(&tool_call_id);
    let input = StoredValue::new(input);

    let look = move || chosen.set(fields.read().and_then(|filled| filled.chosen(offset)));
    let confirm = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if decider.is_locked_now() || paused.get_untracked() {
            return;
        }
        match fields.read().map(|filled| input.with_value(|input| edited(&filled, input, proposed))) {
            Some(Ok(edited)) => decider.press(true, edited),
            Some(Err(errors)) => decider.refuse(errors),
            None => {}
        }
    };
    // Stays when the refusal is gone: somebody may be about to press one of its times.
    Effect::new(move |_| {
        if let Some(offered) = offer_of(&decider.errors(), chosen.get_untracked()) {
            offer.set(Some(offered));
        }
    });
    lead_to_refused(decider, SHOWN, move |field| fields.element(field));

    let before = booking.status;
    let promise = Memo::new(move |_| match chosen.get() {
        Some(chosen) if offer.with(|offer| offer.as_ref().is_some_and(|offer| offer.covers(chosen))) => {
            Promise::OfferedTable(chosen)
        }
        chosen => Promise::of(before, status, chosen == Some(proposed)),
    });
    let lang = use_lang();
    let taken = Callback::new(move |()| {
        look();
        decider.reopen();
    });
    let offer_id = format!("{anchor}-offer");
    view! {
        <form class="ask" autocomplete="off" novalidate=true on:submit=confirm on:input=move |_| look()>
            // Told where a choice of the guest changes it.
            <p class="ask__promise" role="status" data-status=move || status_word(promise.get().status())>
                {move || promise.get().words(lang.get())}
            </p>
            <div class="ask__before">
                <h4 class="ask__subtitle">{t(texts::change_now)}</h4>
                {summary(&booking)}
            </div>
            <fieldset class="ask__fields" disabled=move || decider.locked() aria-busy=move || decider.sending().to_string()>
                <legend class="ask__subtitle">{t(texts::change_fields)}</legend>
                {fields.view(&filled, &anchor, decider)}
            </fieldset>
            {move || {
                let offer = offer.get()?;
                Some(offer.view(offer_id.clone(), fields, chosen.into(), decider, taken))
            }}
            {difference(&booking, chosen.into())}
            <p class="ask__seats">
                {by_lang(move |lang| {
                    if chosen.get() == Some(proposed) {
                        words::seats_free(lang, seats_free)
                    } else {
                        texts::edit_changes_answer(lang).to_owned()
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
                    {t(texts::change_confirm)}
                </button>
                <button
                    class="button"
                    type="button"
                    disabled=move || decider.locked()
                    on:click=move |_| decider.press(false, None)
                >
                    {t(texts::change_decline)}
                </button>
            </div>
            {decider.status(move || deadline(expires_at))}
            {provenance(texts::booking_ask_provenance)}
        </form>
    }
    .into_any()
}

/// What would be otherwise, as the fields stand.
fn difference(booking: &Booking, chosen: Signal<Option<Chosen>>) -> AnyView {
    let before = (booking.starts_at, booking.party_size);
    view! {
        <div class="ask__difference">
            {move || {
                chosen.get().map(|after| {
                    let changes = changes(before, after);
                    if changes.is_empty() {
                        view! { <p class="card__advice">{t(texts::change_nothing)}</p> }.into_any()
                    } else {
                        difference_list(texts::change_to_be_made, changes)
                    }
                })
            }}
        </div>
    }
    .into_any()
}

/// What was asked for, by the booking's clock: what the input leaves out stays.
pub fn wanted(booking: &Booking, input: &ChangeBookingInput) -> (DateTime<FixedOffset>, u8) {
    let starts_at = input.starts_at.map(|starts_at| starts_at.with_timezone(booking.starts_at.offset()));
    (starts_at.unwrap_or(booking.starts_at), input.party_size.unwrap_or(booking.party_size))
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    fn at(text: &str) -> DateTime<FixedOffset> {
        text.parse().unwrap()
    }

    fn input() -> ChangeBookingInput {
        ChangeBookingInput { booking_id: "b1".to_owned(), starts_at: None, party_size: Some(6) }
    }

    fn proposed() -> Chosen {
        (at("2026-12-05T19:00:00+07:00"), 6)
    }

    #[test]
    fn what_was_proposed_is_sent_as_it_was() {
        let (starts_at, party_size) = proposed();
        assert_eq!(edited(&Filled::of(starts_at, party_size), &input(), proposed()), Ok(None));
    }

    #[test]
    fn an_edit_replaces_the_whole_input() {
        let (starts_at, party_size) = proposed();
        let filled = Filled { time: "20:30".to_owned(), ..Filled::of(starts_at, party_size) };
        let edited = edited(&filled, &input(), proposed()).unwrap().unwrap();
        assert_eq!(
            edited,
            json!({"bookingId": "b1", "startsAt": "2026-12-05T20:30:00+07:00", "partySize": 6})
        );
    }

    #[test]
    fn who_waits_is_promised_no_table_for_a_time_that_nobody_has_looked_at() {
        use BookingStatus::{Confirmed, Waitlisted};
        assert_eq!(Promise::of(Confirmed, Placement::Confirmed, true), Promise::Change);
        assert_eq!(Promise::of(Confirmed, Placement::Confirmed, false), Promise::Change);
        assert_eq!(Promise::of(Waitlisted, Placement::Confirmed, true), Promise::Table);
        assert_eq!(Promise::of(Waitlisted, Placement::Waitlisted, true), Promise::WaitingList);
        assert_eq!(Promise::of(Waitlisted, Placement::Waitlisted, false), Promise::Either);
    }

    #[test]
    fn a_refusal_offers_its_times_for_what_was_sent() {
        let params: Map<String, Value> =
            json!({"times": ["2026-12-05T20:00:00+07:00"]}).as_object().cloned().unwrap();
        let full = |params| FieldError {
            path: "/startsAt".to_owned(),
            code: ErrorCode::Full,
            params,
            message: String::new(),
        };
        let sent = (at("2026-12-05T19:00:00+07:00"), 6);
        let offer = offer_of(&[full(Some(params))], Some(sent)).unwrap();
        assert!(offer.covers((at("2026-12-05T20:00:00+07:00"), 6)));
        assert_eq!(offer.instead_of, sent.0);
        assert_eq!(offer_of(&[full(None)], Some(sent)), None);
        assert_eq!(offer_of(&[], Some(sent)), None);
    }

    #[test]
    fn what_the_input_leaves_out_stays_as_it_is() {
        let booking: Booking = serde_json::from_value(json!({
            "bookingId": "b1", "reference": "R", "status": "confirmed", "restaurantId": "r1",
            "restaurantName": "Bếp Mây", "address": "12 Trần Hưng Đạo", "city": "Đà Lạt",
            "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4,
        }))
        .unwrap();
        assert_eq!(wanted(&booking, &input()), (at("2026-12-05T19:00:00+07:00"), 6));
        let other_clock = ChangeBookingInput { starts_at: Some(at("2026-12-05T13:30:00+00:00")), ..input() };
        assert_eq!(wanted(&booking, &other_clock).0.to_rfc3339(), "2026-12-05T20:30:00+07:00");
    }
}
