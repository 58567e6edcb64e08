//! Proof of a finished booking, made from the stored output and from nothing else.

use leptos::prelude::*;
use shared::tools::{BookingStatus, CreateBookingInput, CreateBookingOutput, CreateBookingPreview};

use super::create_booking::when;
use super::frame::{fact, provenance};
use crate::i18n::{Lang, by_lang, format, t, texts, visible, words};

/// The receipt; `proposed` is what the model had proposed, where the guest changed it.
pub fn receipt(
    output: &CreateBookingOutput,
    proposed: Option<&CreateBookingInput>,
    preview: Option<&CreateBookingPreview>,
) -> AnyView {
    let (status, party_size) = (output.status, output.party_size);
    let reference_name = match status {
        BookingStatus::Confirmed => texts::reference,
        BookingStatus::Waitlisted => texts::waitlist_reference,
    };
    let below_reference = match status {
        BookingStatus::Confirmed => texts::reference_help,
        BookingStatus::Waitlisted => texts::receipt_waitlisted_body,
    };
    let address = visible(&format!("{}, {}", output.address, output.city));
    view! {
        <div class="receipt" data-status=status_word(status)>
            <div class="receipt__reference">
                <span class="receipt__label">{t(reference_name)}</span>
                <strong class="receipt__code"><bdi>{visible(&output.reference)}</bdi></strong>
                <span class="receipt__help">{t(below_reference)}</span>
            </div>
            <dl class="facts receipt__facts">
                {fact(texts::restaurant, view! { <bdi class="receipt__name">{visible(&output.restaurant_name)}</bdi> })}
                {fact(texts::address, view! { <bdi>{address}</bdi> })}
                {fact(texts::when, when(output.starts_at))}
                {fact(texts::party, by_lang(move |lang| format::people(lang, party_size)))}
                {note_fact(output.note.as_deref())}
                {fact(texts::status, by_lang(move |lang| words::booking_status(lang, status)))}
            </dl>
            {proposed.map(|proposed| differences(proposed, preview, output))}
        </div>
        {provenance(texts::booking_provenance)}
    }
    .into_any()
}

/// The status as it is on the wire.
pub fn status_word(status: BookingStatus) -> &'static str {
    match status {
        BookingStatus::Confirmed => "confirmed",
        BookingStatus::Waitlisted => "waitlisted",
    }
}

fn note_fact(note: Option<&str>) -> AnyView {
    match note {
        Some(note) => fact(texts::note, view! { <bdi class="multiline">{visible(note)}</bdi> }),
        None => fact(texts::note, t(texts::no_note)),
    }
}

/// One thing that is booked otherwise than proposed.
struct Difference {
    name: fn(Lang) -> &'static str,
    proposed: Wording,
    booked: Wording,
}

type Wording = Box<dyn Fn(Lang) -> String + Send + Sync>;

/// How the booking differs from what the model had proposed.
fn differences(
    proposed: &CreateBookingInput,
    preview: Option<&CreateBookingPreview>,
    output: &CreateBookingOutput,
) -> AnyView {
    let mut found: Vec<Difference> = Vec::new();
    if proposed.starts_at != output.starts_at {
        // By the same clock as the booking, or the two would not compare.
        let offset = preview.map_or(*output.starts_at.offset(), |preview| *preview.starts_at.offset());
        let (before, after) = (proposed.starts_at.with_timezone(&offset), output.starts_at);
        found.push(Difference {
            name: texts::when,
            proposed: Box::new(move |lang| format::moment(lang, before)),
            booked: Box::new(move |lang| format::moment(lang, after)),
        });
    }
    if proposed.party_size != output.party_size {
        let (before, after) = (proposed.party_size, output.party_size);
        found.push(Difference {
            name: texts::party,
            proposed: Box::new(move |lang| format::people(lang, before)),
            booked: Box::new(move |lang| format::people(lang, after)),
        });
    }
    if proposed.restaurant_id != output.restaurant_id {
        let (before, after) = (visible(&proposed.restaurant_id), visible(&output.restaurant_name));
        found.push(Difference {
            name: texts::restaurant,
            proposed: Box::new(move |_| before.clone()),
            booked: Box::new(move |_| after.clone()),
        });
    }
    if proposed.note != output.note {
        let text = |note: Option<&String>| -> Wording {
            match note.map(|note| visible(note)) {
                Some(note) => Box::new(move |_| note.clone()),
                None => Box::new(|lang| texts::no_note(lang).to_owned()),
            }
        };
        found.push(Difference {
            name: texts::note,
            proposed: text(proposed.note.as_ref()),
            booked: text(output.note.as_ref()),
        });
    }
    if found.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = found.into_iter().map(difference_row).collect();
    view! {
        <div class="receipt__differences">
            <h4 class="receipt__subtitle">{t(texts::differs_from_proposed)}</h4>
            <ul>{rows}</ul>
        </div>
    }
    .into_any()
}

fn difference_row(difference: Difference) -> AnyView {
    let Difference { name, proposed, booked } = difference;
    view! {
        <li class="difference">
            <span class="difference__name">{t(name)}</span>
            <span class="difference__values">
                <del>
                    <span class="visually-hidden">{t(texts::proposed)} ": "</span>
                    <bdi>{by_lang(proposed)}</bdi>
                </del>
                <span aria-hidden="true">" → "</span>
                <ins>
                    <span class="visually-hidden">{t(texts::booked)} ": "</span>
                    <bdi>{by_lang(booked)}</bdi>
                </ins>
            </span>
        </li>
    }
    .into_any()
}
