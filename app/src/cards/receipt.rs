//! Proof of a finished booking, made from the stored output and from nothing else.

use chrono::FixedOffset;
use leptos::prelude::*;
use shared::tools::{Booking, BookingStatus, CreateBookingInput, Placement};

use super::create_booking::when;
use super::fields::Chosen;
use super::frame::{Face, Tone, fact, provenance};
use super::icons::Icon;
use super::person::contact_links;
use crate::i18n::{Lang, by_lang, format, t, texts, visible, words};

/// The receipt. `standing`: what it says at a glance, beside the status; `differences`: what the guest had
/// changed before it was done, and what has changed since.
pub fn receipt(booking: &Booking, standing: Option<Standing>, differences: AnyView) -> AnyView {
    let (status, party_size) = (booking.status, booking.party_size);
    let (reference_name, below_reference): (Text, Text) = match status {
        BookingStatus::Confirmed => (texts::reference, texts::reference_help),
        BookingStatus::Waitlisted => (texts::waitlist_reference, texts::receipt_waitlisted_body),
        BookingStatus::Cancelled => (texts::cancelled_reference, texts::receipt_cancelled_body),
    };
    // Crossed out where it opens no door any more, and still to be read.
    let reference = view! { <bdi>{visible(&booking.reference)}</bdi> };
    let reference = match status {
        BookingStatus::Confirmed | BookingStatus::Waitlisted => reference.into_any(),
        BookingStatus::Cancelled => view! { <s>{reference}</s> }.into_any(),
    };
    view! {
        <div class="receipt" data-status=status_word(status)>
            {standing.map(Standing::view)}
            <div class="receipt__reference">
                <span class="receipt__label">{t(reference_name)}</span>
                <strong class="receipt__code">{reference}</strong>
                <span class="receipt__help">{t(below_reference)}</span>
            </div>
            <dl class="facts receipt__facts">
                {place_facts(booking)}
                {fact(texts::when, when(booking.starts_at))}
                {fact(texts::party, by_lang(move |lang| format::people(lang, party_size)))}
                {note_fact(booking.note.as_deref())}
                {fact(texts::status, by_lang(move |lang| words::booking_status(lang, status)))}
            </dl>
            {differences}
        </div>
        {provenance(texts::booking_provenance)}
    }
    .into_any()
}

/// What must be seen of a receipt from arm's length, where it is not simply what was agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The guest had agreed to a place in line, and has a table by now.
    HasTableNow,
    Cancelled,
}

impl Standing {
    /// `agreed_to`: what the guest was told when they confirmed; `revision`: of the output.
    pub fn of(booking: &Booking, agreed_to: Option<Placement>, revision: Option<u64>) -> Option<Self> {
        match (booking.status, agreed_to) {
            (BookingStatus::Cancelled, _) => Some(Self::Cancelled),
            (BookingStatus::Confirmed, Some(Placement::Waitlisted)) if revision.is_some() => {
                Some(Self::HasTableNow)
            }
            (BookingStatus::Confirmed | BookingStatus::Waitlisted, _) => None,
        }
    }

    fn view(self) -> AnyView {
        let (class, icon, words): (_, _, Text) = match self {
            Self::HasTableNow => {
                ("receipt__standing receipt__standing--table", Icon::Check, texts::has_table_now)
            }
            Self::Cancelled => {
                ("receipt__standing receipt__standing--over", Icon::Slash, texts::no_table_any_more)
            }
        };
        view! { <p class=class>{icon.view()} <span>{t(words)}</span></p> }.into_any()
    }
}

/// The head of a receipt.
pub fn receipt_face(booking: &Booking, standing: Option<Standing>, lang: Lang) -> Face {
    let (tone, title) = match (booking.status, standing) {
        (BookingStatus::Confirmed, Some(Standing::HasTableNow)) => {
            (Tone::Done, texts::booking_moved_up(lang))
        }
        (BookingStatus::Confirmed, Some(Standing::Cancelled) | None) => {
            (Tone::Done, texts::booking_confirmed(lang))
        }
        (BookingStatus::Waitlisted, _) => (Tone::Waiting, texts::booking_waitlisted(lang)),
        (BookingStatus::Cancelled, _) => (Tone::Cancelled, texts::booking_was_cancelled(lang)),
    };
    let badge = words::booking_status(lang, booking.status);
    Face { icon: Icon::Booking, tone, title: title.to_owned(), badge, marks: Vec::new() }
}

pub type Text = fn(Lang) -> &'static str;

/// Where it is, and how to reach somebody there.
fn place_facts(booking: &Booking) -> AnyView {
    let address = visible(&format!("{}, {}", booking.address, booking.city));
    let contact = booking.contact.as_deref().map(contact_links);
    view! {
        {fact(texts::restaurant, view! { <bdi class="receipt__name">{visible(&booking.restaurant_name)}</bdi> })}
        {fact(texts::address, view! { <bdi>{address}</bdi> })}
        {contact.map(|contact| fact(texts::contact, view! { <bdi>{contact}</bdi> }))}
    }
    .into_any()
}

/// A booking in short, where it is spoken of and not proven.
pub fn summary(booking: &Booking) -> AnyView {
    let (status, party_size) = (booking.status, booking.party_size);
    view! {
        <dl class="facts">
            {fact(texts::restaurant, view! { <bdi class="receipt__name">{visible(&booking.restaurant_name)}</bdi> })}
            {fact(texts::address, view! { <bdi>{visible(&format!("{}, {}", booking.address, booking.city))}</bdi> })}
            {fact(texts::when, when(booking.starts_at))}
            {fact(texts::party, by_lang(move |lang| format::people(lang, party_size)))}
            {fact(texts::status, by_lang(move |lang| words::booking_status(lang, status)))}
            {fact(texts::reference, view! { <bdi>{visible(&booking.reference)}</bdi> })}
        </dl>
    }
    .into_any()
}

/// The status as it is on the wire.
pub fn status_word(status: BookingStatus) -> &'static str {
    match status {
        BookingStatus::Confirmed => "confirmed",
        BookingStatus::Waitlisted => "waitlisted",
        BookingStatus::Cancelled => "cancelled",
    }
}

fn note_fact(note: Option<&str>) -> AnyView {
    match note {
        Some(note) => fact(texts::note, view! { <bdi class="multiline">{visible(note)}</bdi> }),
        None => fact(texts::note, t(texts::no_note)),
    }
}

/// One thing that is otherwise than it was.
pub struct Difference {
    pub name: Text,
    pub before: Wording,
    pub after: Wording,
    /// What the two are, for those who do not see them struck out and underlined.
    pub before_is: Text,
    pub after_is: Text,
}

pub type Wording = Box<dyn Fn(Lang) -> String + Send + Sync>;

/// How what ran differs from what the model had proposed.
pub fn differences(
    proposed: &CreateBookingInput,
    ran: &CreateBookingInput,
    offset: FixedOffset,
    restaurant: &str,
) -> AnyView {
    // By the restaurant's clock, or the two would not compare.
    let local = |input: &CreateBookingInput| (input.starts_at.with_timezone(&offset), input.party_size);
    let mut found = differences_as(local(proposed), local(ran), texts::proposed, texts::booked);
    if proposed.restaurant_id != ran.restaurant_id {
        let (before, after) = (visible(&proposed.restaurant_id), visible(restaurant));
        found.push(Difference {
            name: texts::restaurant,
            before: Box::new(move |_| before.clone()),
            after: Box::new(move |_| after.clone()),
            before_is: texts::proposed,
            after_is: texts::booked,
        });
    }
    if proposed.note != ran.note {
        let text = |note: Option<&String>| -> Wording {
            match note.map(|note| visible(note)) {
                Some(note) => Box::new(move |_| note.clone()),
                None => Box::new(|lang| texts::no_note(lang).to_owned()),
            }
        };
        found.push(Difference {
            name: texts::note,
            before: text(proposed.note.as_ref()),
            after: text(ran.note.as_ref()),
            before_is: texts::proposed,
            after_is: texts::booked,
        });
    }
    difference_list(texts::differs_from_proposed, found)
}

/// How the time and the number of people differ.
pub fn changes(before: Chosen, after: Chosen) -> Vec<Difference> {
    differences_as(before, after, texts::before, texts::after)
}

/// How what a guest has made of a proposal differs from it.
pub fn edits(proposed: Chosen, ran: Chosen) -> Vec<Difference> {
    differences_as(proposed, ran, texts::proposed, texts::after)
}

fn differences_as(before: Chosen, after: Chosen, before_is: Text, after_is: Text) -> Vec<Difference> {
    let ((from, from_party), (to, to_party)) = (before, after);
    let mut changes = Vec::new();
    if from != to {
        changes.push(Difference {
            name: texts::when,
            before: Box::new(move |lang| format::moment(lang, from)),
            after: Box::new(move |lang| format::moment(lang, to)),
            before_is,
            after_is,
        });
    }
    if from_party != to_party {
        changes.push(Difference {
            name: texts::party,
            before: Box::new(move |lang| format::people(lang, from_party)),
            after: Box::new(move |lang| format::people(lang, to_party)),
            before_is,
            after_is,
        });
    }
    changes
}

/// What is otherwise, under a heading; nothing where nothing is.
pub fn difference_list(heading: Text, differences: Vec<Difference>) -> AnyView {
    if differences.is_empty() {
        return ().into_any();
    }
    let rows: Vec<AnyView> = differences.into_iter().map(difference_row).collect();
    view! {
        <div class="receipt__differences">
            <h4 class="receipt__subtitle">{t(heading)}</h4>
            <ul>{rows}</ul>
        </div>
    }
    .into_any()
}

fn difference_row(difference: Difference) -> AnyView {
    let Difference { name, before, after, before_is, after_is } = difference;
    view! {
        <li class="difference">
            <span class="difference__name">{t(name)}</span>
            <span class="difference__values">
                <del>
                    <span class="visually-hidden">{t(before_is)} ": "</span>
                    <bdi>{by_lang(before)}</bdi>
                </del>
                <span aria-hidden="true">" → "</span>
                <ins>
                    <span class="visually-hidden">{t(after_is)} ": "</span>
                    <bdi>{by_lang(after)}</bdi>
                </ins>
            </span>
        </li>
    }
    .into_any()
}
