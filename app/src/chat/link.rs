//! The live connection: one `EventSource` while the tab is seen, reopened from the last event on.
//!
//! The browser reconnects by itself after a network failure; a stream that the server refuses is closed for
//! good and is opened anew here, later and later. A hidden tab gives its connection back, since a browser
//! has only a few for each server.

use std::time::Duration;

use futures::StreamExt;
use futures::channel::oneshot;
use futures::future::{AbortHandle, abortable};
use futures::stream::select;
use gloo_net::eventsource::futures::EventSource;
use leptos::prelude::*;
use shared::event::AgentEvent;
use shared::ids::ConversationId;

use super::browser;
use super::thread::{Folded, Thread};

/// How the connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// Not wanted: no conversation yet, or the tab is hidden.
    Idle,
    Open,
    /// Being opened, or opened again.
    Connecting,
    /// It broke and is not back.
    Lost,
    /// The browser has no network.
    Offline,
}

/// How long a batch of events may wait for a frame, where frames do not come.
const LONGEST_WAIT: Duration = Duration::from_millis(120);

#[derive(Clone, Copy)]
pub struct Link {
    pub state: RwSignal<LinkState>,
    thread: Thread,
    conversation: StoredValue<Option<ConversationId>>,
    running: StoredValue<Option<AbortHandle>>,
    inbox: StoredValue<Vec<(u64, AgentEvent)>>,
    flush_planned: StoredValue<bool>,
    listener: StoredValue<Option<Callback<Batch>>>,
}

/// Events that were folded together, and what that gave.
pub struct Batch {
    pub events: Vec<(u64, AgentEvent)>,
    pub folded: Folded,
}

impl Link {
    pub fn new(thread: Thread) -> Self {
        Self {
            state: RwSignal::new(LinkState::Idle),
            thread,
            conversation: StoredValue::new(None),
            running: StoredValue::new(None),
            inbox: StoredValue::new(Vec::new()),
            flush_planned: StoredValue::new(false),
            listener: StoredValue::new(None),
        }
    }

    /// Who hears of each batch that was folded.
    pub fn on_folded(self, listener: Callback<Batch>) {
        self.listener.set_value(Some(listener));
    }

    /// Follows a conversation from now on, whenever the tab is seen and there is a network.
    pub fn follow(self, conversation: ConversationId) {
        self.conversation.set_value(Some(conversation));
        self.open();
    }

    /// Watches the tab and the network. In the browser only.
    pub fn watch(self) {
        let on = |event: &'static str, act: fn(Link)| {
            // For the page's whole life.
            let _handle = window_event_listener_untyped(event, move |_| act(self));
        };
        on(
            "visibilitychange",
            |link| if browser::is_hidden() { link.close(LinkState::Idle) } else { link.open() },
        );
        on("pagehide", |link| link.close(LinkState::Idle));
        // Also from the back-forward cache, where the closed connection was frozen with the page.
        on("pageshow", Link::open);
        on("offline", |link| link.close(LinkState::Offline));
        on("online", Link::open);
    }

    /// Opens the stream unless it is open or being opened.
    pub fn open(self) {
        let Some(conversation) = self.conversation.get_value() else { return };
        if self.running.with_value(Option::is_some) || browser::is_hidden() {
            return;
        }
        if !browser::is_online() {
            self.set_state(LinkState::Offline);
            return;
        }
        let was_lost = matches!(self.state.get_untracked(), LinkState::Lost | LinkState::Offline);
        if !was_lost {
            self.set_state(LinkState::Connecting);
        }
        let (follow, abort) = abortable(async move { self.keep_open(&conversation).await });
        self.running.set_value(Some(abort));
        leptos::task::spawn_local(async move {
            let _ = follow.await;
        });
    }

    fn close(self, state: LinkState) {
        self.flush();
        if let Some(abort) = self.running.try_update_value(Option::take).flatten() {
            abort.abort();
        }
        self.set_state(state);
    }

    fn set_state(self, state: LinkState) {
        if self.state.get_untracked() != state {
            self.state.set(state);
        }
    }

    async fn keep_open(self, conversation: &ConversationId) {
        let mut failures = 0_u32;
        loop {
            let last = self.thread.last_event_id();
            let url = format!("/api/conversations/{conversation}/events?after={last}");
            if self.listen(&url).await == Listened::WasOpen {
                failures = 0;
            }
            self.set_state(LinkState::Lost);
            pause(backoff(failures)).await;
            failures = failures.saturating_add(1);
        }
    }

    /// Until the stream is closed for good.
    async fn listen(self, url: &str) -> Listened {
        let mut listened = Listened::NeverOpen;
        let Ok(mut source) = EventSource::new(url) else { return listened };
        // Opening and errors come as messages of their own names.
        let (messages, opened, broken) =
            match (source.subscribe("message"), source.subscribe("open"), source.subscribe("error")) {
                (Ok(messages), Ok(opened), Ok(broken)) => (messages, opened, broken),
                _ => return listened,
            };
        let mut all = select(messages, select(opened, broken));
        while let Some(Ok((name, message))) = all.next().await {
            match name.as_str() {
                "open" => {
                    listened = Listened::WasOpen;
                    self.set_state(LinkState::Open);
                }
                "error" => self.set_state(LinkState::Lost),
                _ => self.receive(&message),
            }
        }
        listened
    }

    fn receive(self, message: &web_sys::MessageEvent) {
        let id = message.last_event_id().parse::<u64>();
        let data = message.data().as_string().unwrap_or_default();
        match (id, serde_json::from_str::<AgentEvent>(&data)) {
            (Ok(id), Ok(event)) => {
                self.inbox.update_value(|inbox| inbox.push((id, event)));
                self.plan_flush();
            }
            (Err(_), _) => leptos::logging::warn!("event without an id"),
            (Ok(id), Err(error)) => leptos::logging::warn!("event {id} is not understood: {error}"),
        }
    }

    /// Once a frame; by a timer where the browser draws no frames.
    fn plan_flush(self) {
        if self.flush_planned.get_value() {
            return;
        }
        self.flush_planned.set_value(true);
        request_animation_frame(move || self.flush());
        set_timeout(move || self.flush(), LONGEST_WAIT);
    }

    fn flush(self) {
        self.flush_planned.set_value(false);
        let events = self.inbox.try_update_value(std::mem::take).unwrap_or_default();
        if events.is_empty() {
            return;
        }
        let folded = self.thread.fold(&events);
        for (id, refusal) in &folded.refused {
            leptos::logging::warn!("event {id} refused: {refusal}");
        }
        if let Some(listener) = self.listener.get_value() {
            listener.run(Batch { events, folded });
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Listened {
    NeverOpen,
    WasOpen,
}

/// From half a second to a quarter of a minute, scattered so that a restarted server is not met by all at
/// once.
fn backoff(failures: u32) -> Duration {
    let base = 500_u32.saturating_mul(1 << failures.min(5)).min(15_000);
    let scatter = 0.75 + js_sys::Math::random() / 2.0;
    Duration::from_millis(u64::from(base)).mul_f64(scatter)
}

async fn pause(duration: Duration) {
    let (done, waited) = oneshot::channel();
    set_timeout(
        move || {
            let _ = done.send(());
        },
        duration,
    );
    let _ = waited.await;
}
