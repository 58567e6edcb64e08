//! A person at the end of the line: whom to call, and the form that sends the conversation to the house.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use shared::api::FieldError;
use shared::contact::{Contact, Piece, pieces};
use shared::ids::{RunId, ToolCallId};
use wasm_bindgen::JsCast;

use super::context::{HandOver, HandOverAnswer, PersonContext, use_cards};
use super::copy::copy_button;
use crate::i18n::{Lang, by_lang, t, texts, use_lang, visible, words};
use crate::trouble::Trouble;

/// What a person can be asked about.
pub struct Matter {
    /// For the ids of elements: unique on the page.
    pub anchor: String,
    /// The restaurant that it is about, where it is about one.
    pub contact: Option<Contact>,
    /// The run; none: the latest.
    pub run_id: Option<RunId>,
}

/// Help with a call whose outcome is not known, with its reference.
pub fn help_with_call(tool_call_id: &ToolCallId) -> AnyView {
    let contact = use_cards().person.and_then(|person| person.contact_of_call.run(tool_call_id.clone()));
    let anchor = super::anchor(tool_call_id);
    let reference = tool_call_id.to_string();
    view! {
        {help(Matter { anchor, contact, run_id: None })}
        <p class="person__reference">
            {t(texts::run_reference)} " " <code class="code">{visible(&reference)}</code> " "
            {copy_button(reference)}
        </p>
    }
    .into_any()
}

/// Whom to contact, and the way to send the conversation to the house's staff.
pub fn help(matter: Matter) -> AnyView {
    let Matter { anchor, contact, run_id } = matter;
    let cx = use_cards();
    let known = StoredValue::new(contact);
    let whom = move || match known.get_value() {
        Some(Contact { name, contact }) => contact_line(Some(&name), &contact),
        None => match cx.house_contact.get() {
            Some(contact) => contact_line(None, &contact),
            None => view! { <p>{t(texts::need_a_person)}</p> }.into_any(),
        },
    };
    view! {
        <div class="person" data-person>
            {whom}
            {cx.person.map(|person| hand_over(person, anchor, run_id))}
        </div>
    }
    .into_any()
}

/// One line with what can be pressed of it.
/// A contact's line; what of it is a number or an address can be pressed.
pub fn contact_links(contact: &str) -> Vec<AnyView> {
    pieces(contact)
        .into_iter()
        .map(|piece| match piece {
            Piece::Phone { text, number } => {
                view! { <a class="person__link" href=format!("tel:{number}")>{visible(&text)}</a> }.into_any()
            }
            Piece::Email(address) => {
                view! { <a class="person__link" href=format!("mailto:{address}")>{address.clone()}</a> }
                    .into_any()
            }
            Piece::Text(text) => view! { <span>{visible(&text)}</span> }.into_any(),
        })
        .collect()
}

fn contact_line(name: Option<&str>, contact: &str) -> AnyView {
    let name = name.map(visible).filter(|name| !name.trim().is_empty());
    let links = contact_links(contact);
    let whom = match name {
        Some(name) => view! { <bdi>{name}</bdi> }.into_any(),
        None => view! { <span>{t(texts::the_house)}</span> }.into_any(),
    };
    view! { <p>{t(texts::need_a_person)} " " {whom} ": " <bdi>{links}</bdi></p> }.into_any()
}

/// Where the press stands.
#[derive(Clone, Debug, Default, PartialEq)]
enum Phase {
    #[default]
    Open,
    Sending,
    Invalid(Vec<FieldError>),
    Failed(Trouble),
}

/// The button that opens the form, the form, and what has become of it.
fn hand_over(person: PersonContext, anchor: String, run_id: Option<RunId>) -> AnyView {
    let about = run_id.clone();
    let sent = Memo::new(move |_| {
        let is_about = |run: &RunId| about.as_ref().is_none_or(|about| about == run);
        person.sent.get().filter(|sent| is_about(&sent.run_id)).map(|sent| sent.reference)
    });
    let (sent_id, form_id) = (format!("{anchor}-sent"), format!("{anchor}-handover"));
    let open = RwSignal::new(false);
    let words = if person.demo_model { texts::handed_over_demo } else { texts::handed_over };
    let form_of = {
        let sent_id = sent_id.clone();
        move || form(person, &anchor, &form_id, &sent_id, run_id.clone(), open)
    };
    view! {
        // Always there, so that what comes into it is read out.
        <div class="person__sent" id=sent_id tabindex="-1" role="status">
            {move || {
                sent.get().map(|reference| view! {
                    <p data-handover=reference.clone()>
                        {t(words)} " " {t(texts::run_reference)} " "
                        <strong class="person__code"><bdi>{visible(&reference)}</bdi></strong>
                    </p>
                })
            }}
        </div>
        {move || match sent.get() {
            Some(reference) => copy_button(reference),
            None => form_of(),
        }}
    }
    .into_any()
}

fn form(
    person: PersonContext,
    anchor: &str,
    form_id: &str,
    sent_id: &str,
    run_id: Option<RunId>,
    open: RwSignal<bool>,
) -> AnyView {
    let cx = use_cards();
    let lang = use_lang();
    let phase = RwSignal::new(Phase::default());
    let reply_to = NodeRef::<html::Input>::new();
    let note = NodeRef::<html::Textarea>::new();
    let submit = NodeRef::<html::Button>::new();
    let locked = move || !cx.ready.get() || phase.with(|phase| *phase == Phase::Sending);
    let errors_at = move |path: &'static str| {
        phase.with(|phase| match phase {
            Phase::Invalid(errors) => errors.iter().filter(|error| error.path == path).cloned().collect(),
            Phase::Open | Phase::Sending | Phase::Failed(_) => Vec::new(),
        })
    };
    let said = move || {
        let lang = lang.get();
        phase.with(|phase| match phase {
            Phase::Open => String::new(),
            Phase::Sending => texts::sending(lang).to_owned(),
            Phase::Invalid(_) => texts::form_has_errors(lang).to_owned(),
            Phase::Failed(trouble) => trouble.words(lang),
        })
    };
    let send = {
        let sent_id = sent_id.to_owned();
        move |event: web_sys::SubmitEvent| {
            event.prevent_default();
            if untrack(locked) {
                return;
            }
            let text = |text: String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
            let reply_to = reply_to.get_untracked().and_then(|field| text(field.value()));
            let note = note.get_untracked().and_then(|field| text(field.value()));
            phase.set(Phase::Sending);
            let sent_id = sent_id.clone();
            let answer = Arc::new(move |answer| {
                // The form may be gone by now.
                let next = match answer {
                    HandOverAnswer::Sent => {
                        let id = sent_id.clone();
                        keep_place(move || document().get_element_by_id(&id)?.dyn_into().ok());
                        Phase::Open
                    }
                    HandOverAnswer::Invalid(errors) => Phase::Invalid(errors),
                    HandOverAnswer::Failed(trouble) => {
                        keep_place(move || submit.try_get_untracked()?.map(JsCast::unchecked_into));
                        Phase::Failed(trouble)
                    }
                };
                let _ = phase.try_set(next);
            });
            person.hand_over.run(HandOver { run_id: run_id.clone(), reply_to, note, answer });
        }
    };
    // To the first field that was refused; for the keyboard and for screen readers.
    Effect::new(move |_| {
        let focus = move |element: Option<web_sys::HtmlElement>| {
            // After the fields are unlocked.
            if let Some(element) = element {
                request_animation_frame(move || {
                    let _ = element.focus();
                });
            }
        };
        if !errors_at(REPLY_TO).is_empty() {
            focus(reply_to.get_untracked().map(JsCast::unchecked_into));
        } else if !errors_at(NOTE).is_empty() {
            focus(note.get_untracked().map(JsCast::unchecked_into));
        }
    });

    let (form_id, controls) = (form_id.to_owned(), form_id.to_owned());
    view! {
        <button
            class="button"
            type="button"
            disabled=move || !cx.ready.get()
            aria-expanded=move || open.get().to_string()
            aria-controls=controls
            on:click=move |_| open.update(|open| *open = !*open)
        >
            {t(texts::send_to_a_person)}
        </button>
        <form
            class="person__form"
            id=form_id
            hidden=move || !open.get()
            novalidate=true
            on:submit=send
        >
            <fieldset class="person__fields" disabled=locked>
                <legend class="visually-hidden">{t(texts::send_to_a_person)}</legend>
                {field(
                    format!("{anchor}-reply-to"),
                    texts::field_reply_to,
                    texts::field_reply_to_help,
                    move || errors_at(REPLY_TO),
                    |labels| view! {
                        <input
                            node_ref=reply_to
                            class="field__control"
                            id=labels.id
                            type="text"
                            name="replyTo"
                            maxlength="200"
                            dir="auto"
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                        />
                    }.into_any(),
                )}
                {field(
                    format!("{anchor}-handover-note"),
                    texts::field_handover_note,
                    texts::field_handover_note_help,
                    move || errors_at(NOTE),
                    |labels| view! {
                        <textarea
                            node_ref=note
                            class="field__control field__control--text"
                            id=labels.id
                            name="note"
                            rows="2"
                            maxlength="1000"
                            dir="auto"
                            aria-describedby=labels.described_by
                            aria-invalid=labels.invalid
                        ></textarea>
                    }.into_any(),
                )}
            </fieldset>
            <button node_ref=submit class="button button--primary" type="submit" disabled=locked>
                {t(texts::send_handover)}
            </button>
            <p class="person__status" role="status">{said}</p>
        </form>
    }
    .into_any()
}

/// Where the server's reasons belong.
const REPLY_TO: &str = "/replyTo";
const NOTE: &str = "/note";

/// How a control and the texts around it are tied together.
struct Labels {
    id: String,
    described_by: String,
    invalid: Signal<&'static str>,
}

/// A field with its label, its help and the reasons why it was refused.
fn field(
    id: String,
    label: fn(Lang) -> &'static str,
    help: fn(Lang) -> &'static str,
    errors: impl Fn() -> Vec<FieldError> + Copy + Send + Sync + 'static,
    control: impl FnOnce(Labels) -> AnyView,
) -> AnyView {
    let (help_id, error_id) = (format!("{id}-help"), format!("{id}-error"));
    let labels = Labels {
        id: id.clone(),
        described_by: format!("{error_id} {help_id}"),
        invalid: Signal::derive(move || if errors().is_empty() { "false" } else { "true" }),
    };
    let error_words = |error: FieldError| {
        by_lang(move |lang| words::error(lang, &error.code, error.params.as_ref(), &error.message))
    };
    view! {
        <div class="field">
            <label class="field__label" for=id>{t(label)}</label>
            {control(labels)}
            <p class="field__help" id=help_id>{t(help)}</p>
            <div class="field__error" id=error_id>
                {move || {
                    errors().into_iter().map(|error| view! { <p>{error_words(error)}</p> }).collect::<Vec<_>>()
                }}
            </div>
        </div>
    }
    .into_any()
}

/// What was pressed is locked or gone: whoever was there goes on at `place`, unless they are elsewhere.
fn keep_place(place: impl Fn() -> Option<web_sys::HtmlElement> + 'static) {
    // After the page has followed.
    request_animation_frame(move || {
        let lost = document().active_element().is_none_or(|active| active.tag_name() == "BODY");
        if let (true, Some(place)) = (lost, place()) {
            let _ = place.focus();
        }
    });
}
