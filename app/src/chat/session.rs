//! What the page knows and does: sending, stopping, trying again, deciding.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use leptos::prelude::*;
use leptos::task::spawn_local;
use shared::api::{ConversationSummary, Effects, HandoverOfRun, HandoverRequest, ServiceStatus};
use shared::event::AgentEvent;
use shared::ids::{ClientMessageId, ConversationId, RunId};

use super::api::NotHandedOver;
use super::composer::FIELD_ID;
use super::link::{Batch, Link, LinkState};
use super::thread::{News, Thread};
use super::{api, browser, follow};
use crate::cards::context::{CardContext, Decide, DecideAnswer, HandOver, HandOverAnswer, PersonContext};
use crate::page::PageData;
use crate::trouble::Trouble;

/// The longest message that the server takes, in characters.
pub const LONGEST_MESSAGE: usize = 4000;

/// How long the page says that a run is starting, where no event of it comes.
const LONGEST_START: Duration = Duration::from_secs(10);

/// How often the page asks whether anything can be booked.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// A message on its way; the id stays the same until it is known to have arrived.
#[derive(Clone, Debug, PartialEq)]
struct Outgoing {
    id: ClientMessageId,
    text: String,
}

/// What did not work, and what trying again would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    pub trouble: Trouble,
    pub what: Attempt,
}

/// Something that the guest wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    Send,
    Stop,
    Retry,
}

/// The chat of this page.
#[derive(Clone, Copy)]
pub struct Session {
    pub conversation: RwSignal<Option<ConversationId>>,
    pub conversations: RwSignal<Vec<ConversationSummary>>,
    pub thread: Thread,
    pub link: Link,
    /// Whether the page is hydrated: before that nothing can be pressed.
    pub ready: RwSignal<bool>,
    pub now: RwSignal<DateTime<Utc>>,
    /// What is typed and not sent.
    pub draft: RwSignal<String>,
    pub sending: RwSignal<bool>,
    /// A run that the server has accepted and whose start has not come by the events yet.
    accepted: RwSignal<Option<RunId>>,
    pub stopping: RwSignal<bool>,
    pub failed: RwSignal<Option<Failed>>,
    /// What happened, for screen readers.
    pub news: RwSignal<Vec<News>>,
    /// Whether the view follows the end.
    pub following: RwSignal<bool>,
    /// Whether anything can be booked, and the house's contact.
    pub status: RwSignal<ServiceStatus>,
    /// What was sent to a person last.
    pub handover: RwSignal<Option<HandoverOfRun>>,
    demo_model: bool,
    looking: StoredValue<bool>,
    persona: StoredValue<Option<String>>,
    outgoing: StoredValue<Option<Outgoing>>,
    server_ahead: StoredValue<TimeDelta>,
    listing: StoredValue<bool>,
    list_stale: StoredValue<bool>,
}

impl Session {
    pub fn new(data: &PageData) -> Self {
        let thread = Thread::new(data.conversation.clone());
        Self {
            conversation: RwSignal::new(data.conversation_id.clone()),
            conversations: RwSignal::new(data.conversations.clone()),
            thread,
            link: Link::new(thread),
            ready: RwSignal::new(false),
            now: RwSignal::new(data.now),
            draft: RwSignal::new(String::new()),
            sending: RwSignal::new(false),
            accepted: RwSignal::new(None),
            stopping: RwSignal::new(false),
            failed: RwSignal::new(None),
            news: RwSignal::new(Vec::new()),
            following: RwSignal::new(true),
            status: RwSignal::new(data.status.clone()),
            handover: RwSignal::new(data.handover.clone()),
            demo_model: data.demo_model,
            looking: StoredValue::new(false),
            persona: StoredValue::new(data.persona.clone()),
            outgoing: StoredValue::new(None),
            server_ahead: StoredValue::new(TimeDelta::zero()),
            listing: StoredValue::new(false),
            list_stale: StoredValue::new(false),
        }
    }

    /// Wakes the page up after hydration. In the browser only.
    pub fn start(self) {
        self.server_ahead.set_value(self.now.get_untracked() - browser::now());
        set_interval(
            move || self.now.set(browser::now() + self.server_ahead.get_value()),
            Duration::from_secs(15),
        );
        set_interval(
            move || {
                // Whether there is a server at all, the link finds out.
                if !matches!(self.link.state.get_untracked(), LinkState::Lost | LinkState::Offline) {
                    self.look_at_status();
                }
            },
            LOOK_EVERY,
        );
        let _handle = window_event_listener_untyped("visibilitychange", move |_| self.look_at_status());
        self.link.on_folded(Callback::new(move |batch| self.after_fold(batch)));
        self.link.watch();
        if let Some(conversation) = self.conversation.get_untracked() {
            self.link.follow(conversation);
        }
        follow::watch(self);
        browser::reload_when_history_leaves(move || self.conversation.get_untracked());
        self.ready.set(true);
    }

    /// Something was sent whose run is not on the screen yet.
    pub fn is_starting(self) -> bool {
        self.sending.get() || self.accepted.with(Option::is_some)
    }

    /// A message cannot be sent now.
    pub fn busy(self) -> bool {
        self.is_starting() || self.thread.is_live()
    }

    fn busy_now(self) -> bool {
        untrack(move || self.busy())
    }

    /// What the cards may ask for.
    pub fn card_context(self, offset: chrono::FixedOffset) -> CardContext {
        CardContext {
            ready: self.ready.into(),
            busy: Signal::derive(move || self.busy()),
            now: self.now.into(),
            offset,
            is_on_page: Callback::new(move |id| self.thread.has_call(&id)),
            reference_of: Callback::new(move |id: String| self.thread.reference_of(&id)),
            holds_refund_of: Callback::new(move |order: String| self.thread.holds_refund_of(&order)),
            choose: Callback::new(move |text| self.send(text)),
            decide: Callback::new(move |decision| self.decide(decision)),
            paused: Signal::derive(move || self.is_paused()),
            house_contact: Signal::derive(move || self.status.with(|status| status.contact.clone())),
            person: Some(PersonContext {
                contact_of_call: Callback::new(move |call| self.thread.contact_of_call(&call)),
                demo_model: self.demo_model,
                sent: self.handover.into(),
                hand_over: Callback::new(move |handover| self.hand_over(handover)),
            }),
        }
    }

    /// Sends a message of the guest. Where it does not arrive, it can be sent again as the same message.
    pub fn send(self, text: String) {
        let text = text.trim().to_owned();
        if text.is_empty()
            || text.chars().count() > LONGEST_MESSAGE
            || !self.ready.get_untracked()
            || self.busy_now()
        {
            return;
        }
        let id = match self.outgoing.get_value() {
            Some(before) if before.text == text => before.id,
            Some(_) | None => ClientMessageId(uuid::Uuid::new_v4().to_string()),
        };
        browser::keep_keyboard_place(FIELD_ID);
        self.outgoing.set_value(Some(Outgoing { id: id.clone(), text: text.clone() }));
        self.failed.set(None);
        self.sending.set(true);
        self.following.set(true);
        spawn_local(async move {
            let sent = self.deliver(id.clone(), text.clone()).await;
            self.sending.set(false);
            match sent {
                Ok(()) => self.arrived(&id),
                // The stream may have shown it already, although the answer was lost.
                Err(trouble) if self.outgoing.with_value(Option::is_some) => {
                    // What was chosen by a press is not lost either.
                    if self.draft.with_untracked(|draft| draft.trim().is_empty()) {
                        self.draft.set(text);
                    }
                    self.failed.set(Some(Failed { trouble, what: Attempt::Send }));
                    self.look_at_status();
                }
                Err(_) => {}
            }
        });
    }

    async fn deliver(self, id: ClientMessageId, text: String) -> Result<(), Trouble> {
        let conversation = match self.conversation.get_untracked() {
            Some(conversation) => conversation,
            None => {
                let conversation = api::new_conversation(self.persona.get_value()).await?;
                self.conversation.set(Some(conversation.clone()));
                browser::push_conversation(&conversation);
                self.link.follow(conversation.clone());
                conversation
            }
        };
        let run = api::send_message(&conversation, id, text).await?;
        self.await_start(run);
        self.link.open();
        Ok(())
    }

    /// Bridges the moment between the server's answer and the run's first event.
    fn await_start(self, run: RunId) {
        let shown =
            self.thread.run.with_untracked(|shown| shown.as_ref().is_some_and(|shown| shown.run_id == run));
        if shown {
            return;
        }
        self.accepted.set(Some(run.clone()));
        // Where no event comes, the page must not wait for one for ever.
        set_timeout(
            move || {
                if self.accepted.with_untracked(|accepted| accepted.as_ref() == Some(&run)) {
                    self.accepted.set(None);
                }
            },
            LONGEST_START,
        );
    }

    /// The message is in the record: what was typed is not needed any more.
    fn arrived(self, id: &ClientMessageId) {
        let arrived = self.outgoing.get_value().filter(|outgoing| outgoing.id == *id);
        let Some(arrived) = arrived else { return };
        self.outgoing.set_value(None);
        if self.draft.with_untracked(|draft| draft.trim() == arrived.text) {
            self.draft.set(String::new());
        }
        let about_sending =
            |failed: &Option<Failed>| failed.as_ref().is_some_and(|failed| failed.what == Attempt::Send);
        if self.failed.with_untracked(about_sending) {
            self.failed.set(None);
        }
    }

    /// Tries again what did not work.
    pub fn try_again(self, what: Attempt) {
        match what {
            Attempt::Send => {
                let text = self.draft.get_untracked();
                self.send(text);
            }
            Attempt::Stop => self.stop(),
            Attempt::Retry => self.retry(),
        }
    }

    /// Stops the live run.
    pub fn stop(self) {
        let Some(conversation) = self.conversation.get_untracked() else { return };
        if self.stopping.get_untracked() {
            return;
        }
        browser::keep_keyboard_place(FIELD_ID);
        self.stopping.set(true);
        self.failed.set(None);
        spawn_local(async move {
            let stopped = api::stop(&conversation).await;
            self.stopping.set(false);
            if let Err(trouble) = stopped {
                self.failed.set(Some(Failed { trouble, what: Attempt::Stop }));
            }
            self.link.open();
        });
    }

    /// Asks the last question again, after a run that has ended without an answer.
    pub fn retry(self) {
        let Some(conversation) = self.conversation.get_untracked() else { return };
        if self.busy_now() {
            return;
        }
        browser::keep_keyboard_place(FIELD_ID);
        self.sending.set(true);
        self.failed.set(None);
        self.following.set(true);
        spawn_local(async move {
            match api::retry(&conversation).await {
                Ok(run) => self.await_start(run),
                Err(trouble) => {
                    self.failed.set(Some(Failed { trouble, what: Attempt::Retry }));
                    self.look_at_status();
                }
            }
            self.sending.set(false);
            self.link.open();
        });
    }

    fn decide(self, decision: Decide) {
        let Some(conversation) = self.conversation.get_untracked() else { return };
        spawn_local(async move {
            let answer = api::decide(&conversation, &decision).await;
            if let DecideAnswer::Failed(_) = answer {
                self.look_at_status();
            }
            (decision.answer)(answer);
            self.link.open();
        });
    }

    /// Nothing can be booked, changed or cancelled at the moment.
    pub fn is_paused(self) -> bool {
        self.status.with(|status| match status.effects {
            Effects::On => false,
            Effects::Paused => true,
        })
    }

    /// Asks how the house stands, while anybody sees it; one request at a time. An answer that does not
    /// come changes nothing.
    fn look_at_status(self) {
        if self.looking.get_value() || browser::is_hidden() {
            return;
        }
        self.looking.set_value(true);
        spawn_local(async move {
            if let Ok(status) = api::status().await
                && self.status.with_untracked(|shown| *shown != status)
            {
                self.status.set(status);
            }
            self.looking.set_value(false);
        });
    }

    fn hand_over(self, handover: HandOver) {
        let latest = || self.thread.run.with_untracked(|run| Some(run.as_ref()?.run_id.clone()));
        let run_id = handover.run_id.clone().or_else(latest);
        let (Some(conversation), Some(run_id)) = (self.conversation.get_untracked(), run_id) else {
            // What is not there cannot be sent.
            return (handover.answer)(HandOverAnswer::Failed(Trouble::Gone));
        };
        spawn_local(async move {
            let HandOver { run_id: _, reply_to, note, answer } = handover;
            let request = HandoverRequest { run_id: Some(run_id.clone()), reply_to, note };
            answer(match api::hand_over(&conversation, &request).await {
                Ok(sent) => {
                    let (reference, sent_at) = (sent.reference, sent.sent_at);
                    self.handover.set(Some(HandoverOfRun { reference, sent_at, run_id }));
                    HandOverAnswer::Sent
                }
                Err(NotHandedOver::Invalid(errors)) => HandOverAnswer::Invalid(errors),
                Err(NotHandedOver::Failed(trouble)) => HandOverAnswer::Failed(trouble),
            });
        });
    }

    fn after_fold(self, batch: Batch) {
        let Batch { events, folded } = batch;
        for (_, event) in &events {
            if let AgentEvent::UserMessage { client_message_id, .. } = event {
                self.arrived(client_message_id);
            }
            if let AgentEvent::RunStarted { .. } = event
                && self.accepted.with_untracked(Option::is_some)
            {
                self.accepted.set(None);
            }
        }
        if !folded.news.is_empty() {
            self.news.set(folded.news);
        }
        if folded.list_changed {
            self.refresh_conversations();
        }
    }

    /// Asks for the list again; one request at a time. A list that does not come is left as it was.
    fn refresh_conversations(self) {
        self.list_stale.set_value(true);
        if self.listing.get_value() {
            return;
        }
        self.listing.set_value(true);
        spawn_local(async move {
            // What has changed while an answer was on its way is not in it.
            while self.list_stale.get_value() {
                self.list_stale.set_value(false);
                if let Ok(list) = api::conversations().await {
                    self.conversations.set(list);
                }
            }
            self.listing.set_value(false);
        });
    }
}
