//! Events to a turn. The protocol's proof of completeness is checked here and nowhere else.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use shared::ids::ToolCallId;
use shared::run::Usage;

use super::Messages;
use crate::ids::Ids;
use crate::model::provider::{self, MAX_TOKENS, Progress, Protocol};
use crate::model::{AssistantBlock, ModelEvent, ModelTurn, StopReason};

/// The events contradict the protocol: what they add up to cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("an event that is not of the protocol: {0}")]
    Event(serde_json::Error),
    #[error("block {0} was opened twice")]
    OpenedTwice(u64),
    #[error("a delta for block {0}, which is not open or of another kind")]
    StrayDelta(u64),
    #[error("message_stop came while block {0} was open")]
    StillOpen(u64),
    #[error("message_stop came without a message_delta")]
    NoMessageDelta,
    #[error("the stream ended before its message_stop")]
    NoMessageStop,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: MessageStart,
    },
    ContentBlockStart {
        index: u64,
        content_block: Value,
    },
    ContentBlockDelta {
        index: u64,
        delta: Delta,
    },
    ContentBlockStop {
        index: u64,
    },
    MessageDelta {
        delta: MessageDelta,
        #[serde(default)]
        usage: Value,
    },
    MessageStop,
    Error {
        #[serde(default)]
        error: Value,
    },
    /// `ping`, and what the vendor adds later.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct MessageStart {
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct MessageDelta {
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Delta {
    #[serde(rename = "text_delta")]
    Text { text: String },
    #[serde(rename = "input_json_delta")]
    InputJson { partial_json: String },
    #[serde(rename = "thinking_delta")]
    Thinking { thinking: String },
    #[serde(rename = "signature_delta")]
    Signature { signature: String },
    #[serde(other)]
    Other,
}

/// The events that come by the hundred, read without the detour that `tag` takes. Whatever it does not know
/// [`Event`] reads.
#[derive(Deserialize)]
struct Fragment<'a> {
    r#type: &'a str,
    index: u64,
    #[serde(borrow)]
    delta: FragmentDelta<'a>,
}

#[derive(Deserialize)]
struct FragmentDelta<'a> {
    r#type: &'a str,
    text: Option<String>,
    partial_json: Option<String>,
}

impl Fragment<'_> {
    fn parse(data: &str) -> Option<Event> {
        let Fragment { r#type, index, delta } = serde_json::from_str(data).ok()?;
        let delta = match (r#type, delta) {
            ("content_block_delta", FragmentDelta { r#type: "text_delta", text: Some(text), .. }) => {
                Delta::Text { text }
            }
            (
                "content_block_delta",
                FragmentDelta { r#type: "input_json_delta", partial_json: Some(partial_json), .. },
            ) => Delta::InputJson { partial_json },
            _ => return None,
        };
        Some(Event::ContentBlockDelta { index, delta })
    }
}

struct Block {
    content: Content,
    open: bool,
}

enum Content {
    Text(String),
    ToolCall {
        tool_call_id: ToolCallId,
        provider_id: String,
        name: String,
        /// Given in whole at the start, as some compatible servers do; counts if no delta follows.
        input: Value,
        arguments: String,
    },
    /// Thinking, and every type that this adapter does not know.
    Opaque {
        block: Value,
        /// Deltas of its `input`: where a block ran at the provider's, it goes back with it.
        input: String,
    },
}

/// A turn on its way.
#[derive(Default)]
pub struct Assembly {
    blocks: BTreeMap<u64, Block>,
    usage: Usage,
    stop: Option<StopReason>,
    touched: bool,
}

impl provider::Assembly for Assembly {
    type Broken = Broken;

    fn is_untouched(&self) -> bool {
        !self.touched
    }

    /// By the data's own `type`: compatible servers leave the event's name out.
    fn add(
        &mut self,
        _name: Option<&str>,
        data: &str,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<Progress, Broken> {
        let event = match Fragment::parse(data) {
            Some(event) => event,
            None => serde_json::from_str(data).map_err(Broken::Event)?,
        };
        self.touched |= !matches!(event, Event::Error { .. } | Event::Other);
        match event {
            Event::MessageStart { message } => {
                count(&mut self.usage, &message.usage);
                if self.usage != Usage::default() {
                    shown.push(ModelEvent::Used(self.usage));
                }
            }
            Event::ContentBlockStart { index, content_block } => {
                if self.blocks.contains_key(&index) {
                    return Err(Broken::OpenedTwice(index));
                }
                let (content, event) = start(content_block, ids);
                shown.extend(event);
                self.blocks.insert(index, Block { content, open: true });
            }
            Event::ContentBlockDelta { index, delta } => match self.blocks.get_mut(&index) {
                Some(Block { content, open: true }) => {
                    shown.extend(extend(content, delta).ok_or(Broken::StrayDelta(index))?);
                }
                Some(Block { open: false, .. }) | None => return Err(Broken::StrayDelta(index)),
            },
            Event::ContentBlockStop { index } => {
                if let Some(block) = self.blocks.get_mut(&index).filter(|block| block.open) {
                    block.open = false;
                    shown.extend(stop(&mut block.content));
                }
            }
            Event::MessageDelta { delta, usage } => {
                count(&mut self.usage, &usage);
                if delta.stop_reason.is_some() || self.stop.is_none() {
                    self.stop = Some(stop_reason(delta.stop_reason.as_deref()));
                }
            }
            Event::MessageStop => return self.complete().map(Progress::Complete),
            Event::Error { error } => return Ok(Progress::Error(error)),
            Event::Other => {}
        }
        Ok(Progress::Going)
    }

    /// Only `message_stop` proves a turn complete.
    fn end(&mut self) -> Result<ModelTurn, Broken> {
        Err(Broken::NoMessageStop)
    }
}

impl Assembly {
    fn complete(&mut self) -> Result<ModelTurn, Broken> {
        if let Some((index, _)) = self.blocks.iter().find(|(_, block)| block.open) {
            return Err(Broken::StillOpen(*index));
        }
        let stop = self.stop.ok_or(Broken::NoMessageDelta)?;
        let blocks = std::mem::take(&mut self.blocks);
        let blocks = blocks.into_values().filter_map(|block| finished(block.content)).collect();
        Ok(ModelTurn { blocks, stop, usage: self.usage })
    }
}

fn start(block: Value, ids: &dyn Ids) -> (Content, Option<ModelEvent>) {
    let field = |name| block.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match block.get("type").and_then(Value::as_str) {
        Some("text") => {
            let text = field("text");
            (Content::Text(text.clone()), shown(text, ModelEvent::TextDelta))
        }
        Some("tool_use") => {
            let tool_call_id = ToolCallId(ids.next());
            let name = field("name");
            let event = ModelEvent::ToolInputStart { tool_call_id: tool_call_id.clone(), name: name.clone() };
            let input = block.get("input").cloned().unwrap_or_default();
            let provider_id = field("id");
            (
                Content::ToolCall { tool_call_id, provider_id, name, input, arguments: String::new() },
                Some(event),
            )
        }
        _ => {
            let event = shown(field("thinking"), ModelEvent::ReasoningDelta);
            (Content::Opaque { block, input: String::new() }, event)
        }
    }
}

/// `None`: the delta is not one for this kind of block.
fn extend(content: &mut Content, delta: Delta) -> Option<Option<ModelEvent>> {
    match (content, delta) {
        (_, Delta::Other) => Some(None),
        (Content::Text(all), Delta::Text { text }) => {
            all.push_str(&text);
            Some(shown(text, ModelEvent::TextDelta))
        }
        (Content::ToolCall { tool_call_id, arguments, .. }, Delta::InputJson { partial_json }) => {
            arguments.push_str(&partial_json);
            let tool_call_id = tool_call_id.clone();
            Some(shown(partial_json, |delta| ModelEvent::ToolInputDelta { tool_call_id, delta }))
        }
        (Content::Opaque { block, .. }, Delta::Thinking { thinking }) => {
            match block.get_mut("thinking") {
                Some(Value::String(all)) => all.push_str(&thinking),
                Some(_) | None => set(block, "thinking", thinking.clone().into()),
            }
            Some(shown(thinking, ModelEvent::ReasoningDelta))
        }
        // Comes in whole.
        (Content::Opaque { block, .. }, Delta::Signature { signature }) => {
            set(block, "signature", signature.into());
            Some(None)
        }
        (Content::Opaque { input, .. }, Delta::InputJson { partial_json }) => {
            input.push_str(&partial_json);
            Some(None)
        }
        (Content::Opaque { .. }, Delta::Text { .. }) => Some(None),
        (Content::Text(_), Delta::InputJson { .. } | Delta::Thinking { .. } | Delta::Signature { .. })
        | (Content::ToolCall { .. }, Delta::Text { .. } | Delta::Thinking { .. } | Delta::Signature { .. }) => {
            None
        }
    }
}

fn stop(content: &mut Content) -> Option<ModelEvent> {
    match content {
        Content::ToolCall { tool_call_id, input, arguments, .. } if arguments.is_empty() => {
            // `{}` is what a call that streams its input starts with.
            if !input.is_null() && input.as_object().is_none_or(|fields| !fields.is_empty()) {
                *arguments = input.to_string();
            }
            let tool_call_id = tool_call_id.clone();
            shown(arguments.clone(), |delta| ModelEvent::ToolInputDelta { tool_call_id, delta })
        }
        Content::Opaque { block, input } => {
            if let Ok(input) = serde_json::from_str(input) {
                set(block, "input", input);
            }
            None
        }
        Content::Text(_) | Content::ToolCall { .. } => None,
    }
}

fn finished(content: Content) -> Option<AssistantBlock> {
    match content {
        Content::Text(text) => (!text.is_empty()).then_some(AssistantBlock::Text { text }),
        Content::ToolCall { tool_call_id, provider_id, name, arguments, input: _ } => {
            Some(AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments })
        }
        Content::Opaque { block, .. } => {
            Some(AssistantBlock::Opaque { protocol: Messages::NAME.to_owned(), block })
        }
    }
}

fn shown(text: String, event: impl FnOnce(String) -> ModelEvent) -> Option<ModelEvent> {
    (!text.is_empty()).then(|| event(text))
}

fn set(block: &mut Value, field: &str, value: Value) {
    if let Some(fields) = block.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

fn stop_reason(reason: Option<&str>) -> StopReason {
    match reason {
        Some("end_turn" | "stop_sequence") => StopReason::EndTurn,
        Some("tool_use") => StopReason::ToolUse,
        Some("max_tokens") => StopReason::MaxTokens,
        Some("refusal") => StopReason::Refusal,
        Some("pause_turn") => StopReason::Pause,
        Some("model_context_window_exceeded") => StopReason::ContextFull,
        Some(_) | None => StopReason::Unknown,
    }
}

/// The protocol's counts are totals so far: each one that comes replaces the last.
fn count(usage: &mut Usage, told: &Value) {
    let tokens = |name| told.get(name).and_then(Value::as_u64).map(|tokens| tokens.min(MAX_TOKENS));
    if let Some(tokens) = tokens("input_tokens") {
        usage.input_tokens = tokens;
    }
    if let Some(tokens) = tokens("output_tokens") {
        usage.output_tokens = tokens;
    }
    if let Some(tokens) = tokens("cache_read_input_tokens") {
        usage.cache_read_tokens = Some(tokens);
    }
    if let Some(tokens) = tokens("cache_creation_input_tokens") {
        usage.cache_write_tokens = Some(tokens);
    }
}
