//! The conversation on the screen: the folded record, and a signal for each thing that may change by itself.
//!
//! Events are folded by the shared reducer; here only what it says was touched is written to signals, so
//! that a delta of text reaches one text node and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use leptos::prelude::*;
use shared::contact::{self, Contact};
use shared::event::AgentEvent;
use shared::ids::{MessageId, ToolCallId};
use shared::message::{MessagePart, Role, UiMessage};
use shared::reduce::{Conversation, Refusal, RunView, Touched};
use shared::run::{RunPhase, RunStatus};
use shared::tools::ToolPart;

use super::known;
use super::turn::TurnLine;

/// A message on the screen.
#[derive(Clone)]
pub struct LiveMessage {
    pub id: MessageId,
    pub role: Role,
    pub parts: ArcRwSignal<Vec<LivePart>>,
    /// From which part on what the model said is withdrawn.
    pub withdrawn_from: ArcRwSignal<Option<usize>>,
    /// The turn's last line.
    pub line: ArcRwSignal<Option<TurnLine>>,
}

/// A part on the screen. Its key stays while it is the same thing.
#[derive(Clone)]
pub struct LivePart {
    pub key: String,
    /// Where it stood in its message when it came: text stays there.
    pub place: usize,
    pub content: LiveContent,
}

#[derive(Clone)]
pub enum LiveContent {
    Text(ArcRwSignal<String>),
    Reasoning(ArcRwSignal<String>),
    Tool(ArcRwSignal<ToolPart>),
}

/// Something that a screen reader should hear of.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// A card has come to another state.
    Card(Box<ToolPart>),
    /// What an earlier card shows stands otherwise since.
    Updated(Box<ToolPart>),
    /// A run has ended or waits; with the text that it has finished.
    Run { status: RunStatus, text: String },
}

/// What folding a batch of events gave.
#[derive(Debug, Default)]
pub struct Folded {
    pub news: Vec<News>,
    /// Refused events, all but those that were folded before.
    pub refused: Vec<(u64, Refusal)>,
    /// Whether the list of conversations may show something else now.
    pub list_changed: bool,
}

/// The conversation of this page.
#[derive(Clone, Copy)]
pub struct Thread {
    record: StoredValue<Conversation>,
    pub messages: RwSignal<Vec<LiveMessage>>,
    pub run: RwSignal<Option<RunView>>,
    /// The model's provider is busy and is asked again; until the next event.
    pub retrying: RwSignal<bool>,
}

impl Thread {
    /// Shows a conversation as the server has folded it.
    pub fn new(record: Conversation) -> Self {
        let run = record.run.as_ref();
        let messages = record.messages.iter().map(|message| LiveMessage::new(message, run)).collect();
        Self {
            messages: RwSignal::new(messages),
            run: RwSignal::new(record.run.clone()),
            retrying: RwSignal::new(false),
            record: StoredValue::new(record),
        }
    }

    /// The last event that is on the screen.
    pub fn last_event_id(self) -> u64 {
        self.record.with_value(|record| record.last_event_id)
    }

    /// Whether a run is live: a new message must wait.
    pub fn is_live(self) -> bool {
        self.phase() == Some(RunPhase::Live)
    }

    /// Where the latest run is; none before the first.
    pub fn phase(self) -> Option<RunPhase> {
        self.run.with(|run| run.as_ref().map(|run| run.status.phase()))
    }

    /// The title that the guest's first message gives; empty before it.
    pub fn first_text(self) -> String {
        self.record.with_value(|record| {
            let first = record.messages.first().and_then(|message| message.parts.first());
            match first {
                Some(MessagePart::Text(text) | MessagePart::Reasoning(text)) => text.clone(),
                Some(MessagePart::Tool(_)) | None => String::new(),
            }
        })
    }

    /// The contact of the restaurant that the latest run is about.
    pub fn contact_of_run(self) -> Option<Contact> {
        self.record.with_value(|record| {
            let run = record.run.as_ref()?;
            contact::of_message(&record.messages, &run.message_id)
        })
    }

    /// The contact of the restaurant that a call is about.
    pub fn contact_of_call(self, call: &ToolCallId) -> Option<Contact> {
        self.record.with_value(|record| contact::of_call(&record.messages, call))
    }

    /// Whether a call is in this conversation.
    pub fn has_call(self, id: &ToolCallId) -> bool {
        self.record.with_value(|record| known::has_call(record, id))
    }

    /// The reference of a booking, where this conversation has it.
    pub fn reference_of(self, booking_id: &str) -> Option<String> {
        self.record.with_value(|record| known::reference_of(record, booking_id))
    }

    /// Whether a refund of an order was asked for in this conversation and was, or still may be, made. Whoever
    /// reads it hears when that changes.
    pub fn holds_refund_of(self, order_id: &str) -> bool {
        let of_part = |part: &LivePart| match &part.content {
            LiveContent::Tool(part) => part.with(|part| known::holds_refund_of(part, order_id)),
            LiveContent::Text(_) | LiveContent::Reasoning(_) => false,
        };
        let of_message = |message: &LiveMessage| message.parts.with(|parts| parts.iter().any(of_part));
        self.messages.with(|messages| messages.iter().any(of_message))
    }

    /// Folds events in order and brings the screen up to date once.
    pub fn fold(self, events: &[(u64, AgentEvent)]) -> Folded {
        let folded = self.record.try_update_value(|record| {
            let mut folded = Folded::default();
            let mut touched = Touches::default();
            for (id, event) in events {
                match record.apply(*id, event) {
                    Ok(touch) => {
                        touched.note(record, event, touch);
                        folded.note(record, event, touch);
                    }
                    Err(Refusal::Stale) => {}
                    Err(refusal) => folded.refused.push((*id, refusal)),
                }
            }
            self.show(record, &touched);
            folded
        });
        if let Some((_, last)) = events.last() {
            let retrying = matches!(last, AgentEvent::ModelRetrying { .. });
            if self.retrying.get_untracked() != retrying {
                self.retrying.set(retrying);
            }
        }
        folded.unwrap_or_default()
    }

    fn show(self, record: &Conversation, touched: &Touches) {
        let run = record.run.as_ref();
        let shown = self.messages.with_untracked(Vec::len);
        let known: Vec<LiveMessage> = self.messages.get_untracked();
        for (index, touch) in &touched.messages {
            let (Some(message), Some(live)) = (record.messages.get(*index), known.get(*index)) else {
                continue;
            };
            live.show(message, touch);
        }
        // A run that goes on or ends changes the last line of its message, and of the one before it.
        for (message, live) in record.messages.iter().zip(&known) {
            let is_touched = touched.lines.contains(&message.id);
            if is_touched {
                set_if_changed(&live.line, TurnLine::of(message, run));
            }
        }
        if record.messages.len() > shown {
            let new = record.messages.iter().skip(shown).map(|message| LiveMessage::new(message, run));
            self.messages.update(|messages| messages.extend(new));
        }
        if self.run.with_untracked(|shown| shown.as_ref() != run) {
            self.run.set(record.run.clone());
        }
    }
}

/// What a batch of events has touched.
#[derive(Default)]
struct Touches {
    messages: BTreeMap<usize, Touch>,
    lines: BTreeSet<MessageId>,
}

#[derive(Default)]
struct Touch {
    /// Parts came or went.
    parts: bool,
    inside: BTreeSet<usize>,
}

impl Touches {
    fn note(&mut self, record: &Conversation, event: &AgentEvent, touch: Touched) {
        let is_delta = event.is_delta() || matches!(event, AgentEvent::ModelRetrying { .. });
        let message = match touch {
            Touched::Parts { message } => {
                self.messages.entry(message).or_default().parts = true;
                Some(message)
            }
            Touched::Part { message, part } => {
                self.messages.entry(message).or_default().inside.insert(part);
                Some(message)
            }
            Touched::Run => None,
        };
        if !is_delta {
            let touched =
                message.and_then(|index| record.messages.get(index)).map(|message| message.id.clone());
            self.lines.extend(touched);
            self.lines.extend(record.run.as_ref().map(|run| run.message_id.clone()));
        }
    }
}

impl Folded {
    fn note(&mut self, record: &Conversation, event: &AgentEvent, touch: Touched) {
        match event {
            AgentEvent::RunFinished { status, .. } => {
                self.list_changed = true;
                self.news.push(News::Run { status: *status, text: finished_text(record) });
            }
            AgentEvent::UserMessage { .. } => self.list_changed = true,
            AgentEvent::ToolApprovalRequested { .. }
            | AgentEvent::ToolApprovalResponded { .. }
            | AgentEvent::ToolOutputCancelled { .. } => {
                self.list_changed = true;
                self.news.extend(card(record, touch));
            }
            AgentEvent::ToolOutputAvailable { .. }
            | AgentEvent::ToolOutputError { .. }
            | AgentEvent::ToolOutputDenied { .. }
            | AgentEvent::ToolOutputUnknown { .. } => self.news.extend(card(record, touch)),
            AgentEvent::ToolOutputUpdated { .. } => {
                self.news.extend(tool_part(record, touch).map(|part| News::Updated(Box::new(part.clone()))));
            }
            AgentEvent::RunStarted { .. }
            | AgentEvent::StepStarted { .. }
            | AgentEvent::StepReset { .. }
            | AgentEvent::TextDelta { .. }
            | AgentEvent::ReasoningDelta { .. }
            | AgentEvent::ModelRetrying { .. }
            | AgentEvent::ToolInputStart { .. }
            | AgentEvent::ToolInputDelta { .. }
            | AgentEvent::ToolInputAvailable { .. } => {}
        }
    }
}

fn card(record: &Conversation, touch: Touched) -> Option<News> {
    tool_part(record, touch).map(|part| News::Card(Box::new(part.clone())))
}

fn tool_part(record: &Conversation, touch: Touched) -> Option<&ToolPart> {
    let (message, part) = match touch {
        Touched::Part { message, part } => (message, part),
        Touched::Parts { .. } | Touched::Run => return None,
    };
    match record.messages.get(message)?.parts.get(part)? {
        MessagePart::Tool(part) => Some(part),
        MessagePart::Text(_) | MessagePart::Reasoning(_) => None,
    }
}

/// The text of the run's last step.
fn finished_text(record: &Conversation) -> String {
    let Some(run) = &record.run else { return String::new() };
    let message = record.messages.iter().rev().find(|message| message.id == run.message_id);
    let parts = message.and_then(|message| message.parts.get(run.step_start..)).unwrap_or_default();
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            MessagePart::Text(text) => Some(text.as_str()),
            MessagePart::Reasoning(_) | MessagePart::Tool(_) => None,
        })
        .collect();
    texts.join("\n")
}

impl LiveMessage {
    fn new(message: &UiMessage, run: Option<&RunView>) -> Self {
        let parts =
            message.parts.iter().enumerate().map(|(index, part)| LivePart::new(index, part)).collect();
        Self {
            id: message.id.clone(),
            role: message.role,
            parts: ArcRwSignal::new(parts),
            withdrawn_from: ArcRwSignal::new(message.withdrawn_from),
            line: ArcRwSignal::new(TurnLine::of(message, run)),
        }
    }

    fn show(&self, message: &UiMessage, touch: &Touch) {
        let shown = self.parts.get_untracked();
        for (index, (live, part)) in shown.iter().zip(&message.parts).enumerate() {
            // Parts that came or went may have put something else in a place.
            if touch.parts || touch.inside.contains(&index) {
                live.show(part);
            }
        }
        set_if_changed(&self.withdrawn_from, message.withdrawn_from);
        if touch.parts {
            let keys = message.parts.iter().enumerate().map(|(index, part)| key(index, part));
            if !keys.eq(shown.iter().map(|live| live.key.clone())) {
                let parts = message.parts.iter().enumerate().map(|(index, part)| {
                    let key = key(index, part);
                    let known = shown.iter().find(|live| live.key == key).cloned();
                    known.unwrap_or_else(|| LivePart::new(index, part))
                });
                self.parts.set(parts.collect());
            }
        }
    }
}

/// A tool call keeps its identity wherever it stands; text is known by its place.
fn key(index: usize, part: &MessagePart) -> String {
    match part {
        MessagePart::Text(_) => format!("text-{index}"),
        MessagePart::Reasoning(_) => format!("reasoning-{index}"),
        MessagePart::Tool(part) => format!("call-{}", part.tool_call_id()),
    }
}

impl LivePart {
    fn new(index: usize, part: &MessagePart) -> Self {
        let content = match part {
            MessagePart::Text(text) => LiveContent::Text(ArcRwSignal::new(text.clone())),
            MessagePart::Reasoning(text) => LiveContent::Reasoning(ArcRwSignal::new(text.clone())),
            MessagePart::Tool(part) => LiveContent::Tool(ArcRwSignal::new(part.clone())),
        };
        Self { key: key(index, part), place: index, content }
    }

    /// Brings the signal up to date, where it is the same kind of part.
    fn show(&self, part: &MessagePart) {
        match (&self.content, part) {
            (LiveContent::Text(live), MessagePart::Text(text))
            | (LiveContent::Reasoning(live), MessagePart::Reasoning(text)) => show_text(live, text),
            (LiveContent::Tool(live), MessagePart::Tool(part))
                if live.with_untracked(|live| live.tool_call_id() == part.tool_call_id()) =>
            {
                set_if_changed(live, part.clone());
            }
            (LiveContent::Text(_) | LiveContent::Reasoning(_) | LiveContent::Tool(_), _) => {}
        }
    }
}

/// Appends what is new, so that a long text is not copied for each delta.
fn show_text(live: &ArcRwSignal<String>, text: &str) {
    let appended = live.with_untracked(|shown| text.strip_prefix(shown.as_str()).map(str::to_owned));
    match appended.as_deref() {
        Some("") => {}
        Some(new) => live.update(|shown| shown.push_str(new)),
        None => live.set(text.to_owned()),
    }
}

fn set_if_changed<T: PartialEq + Send + Sync + 'static>(signal: &ArcRwSignal<T>, value: T) {
    if signal.with_untracked(|shown| *shown != value) {
        signal.set(value);
    }
}
