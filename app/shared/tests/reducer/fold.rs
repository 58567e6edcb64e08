//! What the properties need of a reducer, and how a faulty one is made from the real one.

use std::marker::PhantomData;

use serde_json::{Map, Value};
use shared::event::AgentEvent;
use shared::ids::ToolCallId;
use shared::reduce::{Conversation, Refusal};

/// A reducer as the properties see it.
pub trait Fold: Default {
    fn apply(&mut self, id: u64, event: &AgentEvent) -> Result<(), Refusal>;

    fn conversation(&self) -> &Conversation;

    /// As it is sent to a browser that opens the page.
    fn save(&self) -> String;

    fn load(saved: &str) -> Self;

    /// An event on its way through the log and the stream.
    fn through_the_wire(event: &AgentEvent) -> AgentEvent;
}

/// The right way of each step. A planted bug replaces one of them.
pub trait Bug {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        conversation.apply(id, event).map(drop)
    }

    fn save(conversation: &Conversation) -> Value {
        serde_json::to_value(conversation).expect("a conversation is JSON")
    }

    fn load(saved: Value) -> Conversation {
        serde_json::from_value(saved).expect("what was saved loads")
    }

    fn encode(event: &AgentEvent) -> Value {
        serde_json::to_value(event).expect("an event is JSON")
    }
}

/// No bug: the product's reducer.
#[derive(Debug)]
pub struct Sound;

impl Bug for Sound {}

/// The product's reducer with one fault.
pub struct Reducer<B> {
    conversation: Conversation,
    bug: PhantomData<B>,
}

impl<B> Default for Reducer<B> {
    fn default() -> Self {
        Self { conversation: Conversation::default(), bug: PhantomData }
    }
}

impl<B: Bug> Fold for Reducer<B> {
    fn apply(&mut self, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        B::apply(&mut self.conversation, id, event)
    }

    fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    fn save(&self) -> String {
        B::save(&self.conversation).to_string()
    }

    fn load(saved: &str) -> Self {
        let saved = serde_json::from_str(saved).expect("what was saved is JSON");
        Self { conversation: B::load(saved), bug: PhantomData }
    }

    fn through_the_wire(event: &AgentEvent) -> AgentEvent {
        let text = B::encode(event).to_string();
        serde_json::from_str(&text).expect("an event that was written can be read")
    }
}

/// Changes one tool part behind the reducer's back; false where there is no such part, or where the
/// change leaves something that is no part.
pub fn patch_part(
    conversation: &mut Conversation,
    id: &ToolCallId,
    change: impl FnOnce(&mut Map<String, Value>),
) -> bool {
    let mut all = Sound::save(conversation);
    let parts = all["messages"].as_array_mut().expect("messages are a list").iter_mut();
    let parts = parts.flat_map(|message| message["parts"].as_array_mut().expect("parts are a list"));
    let Some(part) = parts.into_iter().find(|part| part["toolCallId"] == id.as_str()) else { return false };
    change(part.as_object_mut().expect("a part is an object"));
    let Ok(patched) = serde_json::from_value(all) else { return false };
    *conversation = patched;
    true
}
