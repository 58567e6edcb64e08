//! Events to a turn. The protocol's proof of completeness is checked here and nowhere else.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use shared::ids::ToolCallId;
use shared::run::Usage;

use super::PROTOCOL;
use crate::ids::Ids;
use crate::model::{AssistantBlock, ModelEvent, ModelTurn, StopReason};

/// More tokens than any window holds: keeps sums of a stranger's numbers from overflowing.
const MAX_TOKENS: u64 = u32::MAX as u64;

/// What an event leads to.
pub enum Step {
    Nothing,
    Show(ModelEvent),
    Complete(ModelTurn),
    /// The provider's `error` event, unread.
    Error(Value),
}

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

impl Assembly {
    /// No event of an answer has come yet.
    pub fn is_untouched(&self) -> bool {
        !self.touched
    }

    /// Takes the `data` of the next event.
    ///
    /// # Errors
    /// Data that is no JSON, an event that lacks what the protocol says it has, or that does not
    /// fit to those before it.
    pub fn add(&mut self, data: &str, ids: &dyn Ids) -> Result<Step, Broken> {
        let event = match Fragment::parse(data) {
            Some(event) => event,
            None => serde_json::from_str(data).map_err(Broken::Event)?,
        };
        self.touched |= !matches!(event, Event::Error { .. } | Event::Other);
        match event {
            Event::MessageStart { message } => {
                count(&mut self.usage, &message.usage);
                Ok(Step::Nothing)
            }
            Event::ContentBlockStart { index, content_block } => {
                if self.blocks.contains_key(&index) {
                    return Err(Broken::OpenedTwice(index));
                }
                let (content, step) = start(content_block, ids);
                self.blocks.insert(index, Block { content, open: true });
                Ok(step)
            }
            Event::ContentBlockDelta { index, delta } => match self.blocks.get_mut(&index) {
                Some(Block { content, open: true }) => {
                    extend(content, delta).ok_or(Broken::StrayDelta(index))
                }
                Some(Block { open: false, .. }) | None => Err(Broken::StrayDelta(index)),
            },
            Event::ContentBlockStop { index } => {
                let open = self.blocks.get_mut(&index).filter(|block| block.open);
                Ok(open.map_or(Step::Nothing, |block| {
                    block.open = false;
                    stop(&mut block.content)
                }))
            }
            Event::MessageDelta { delta, usage } => {
                count(&mut self.usage, &usage);
                if delta.stop_reason.is_some() || self.stop.is_none() {
                    self.stop = Some(stop_reason(delta.stop_reason.as_deref()));
                }
                Ok(Step::Nothing)
            }
            Event::MessageStop => self.complete().map(Step::Complete),
            Event::Error { error } => Ok(Step::Error(error)),
            Event::Other => Ok(Step::Nothing),
        }
    }

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

fn start(block: Value, ids: &dyn Ids) -> (Content, Step) {
    let field = |name| block.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    match block.get("type").and_then(Value::as_str) {
        Some("text") => {
            let text = field("text");
            (Content::Text(text.clone()), shown(text, ModelEvent::TextDelta))
        }
        Some("tool_use") => {
            let tool_call_id = ToolCallId(ids.next());
            let name = field("name");
            let step = Step::Show(ModelEvent::ToolInputStart {
                tool_call_id: tool_call_id.clone(),
                name: name.clone(),
            });
            let input = block.get("input").cloned().unwrap_or_default();
            let provider_id = field("id");
            (Content::ToolCall { tool_call_id, provider_id, name, input, arguments: String::new() }, step)
        }
        _ => {
            let step = shown(field("thinking"), ModelEvent::ReasoningDelta);
            (Content::Opaque { block, input: String::new() }, step)
        }
    }
}

/// `None`: the delta is not one for this kind of block.
fn extend(content: &mut Content, delta: Delta) -> Option<Step> {
    match (content, delta) {
        (_, Delta::Other) => Some(Step::Nothing),
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
            Some(Step::Nothing)
        }
        (Content::Opaque { input, .. }, Delta::InputJson { partial_json }) => {
            input.push_str(&partial_json);
            Some(Step::Nothing)
        }
        (Content::Opaque { .. }, Delta::Text { .. }) => Some(Step::Nothing),
        (Content::Text(_), Delta::InputJson { .. } | Delta::Thinking { .. } | Delta::Signature { .. })
        | (Content::ToolCall { .. }, Delta::Text { .. } | Delta::Thinking { .. } | Delta::Signature { .. }) => {
            None
        }
    }
}

fn stop(content: &mut Content) -> Step {
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
            Step::Nothing
        }
        Content::Text(_) | Content::ToolCall { .. } => Step::Nothing,
    }
}

fn finished(content: Content) -> Option<AssistantBlock> {
    match content {
        Content::Text(text) => (!text.is_empty()).then_some(AssistantBlock::Text { text }),
        Content::ToolCall { tool_call_id, provider_id, name, arguments, input: _ } => {
            Some(AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments })
        }
        Content::Opaque { block, .. } => {
            Some(AssistantBlock::Opaque { protocol: PROTOCOL.to_owned(), block })
        }
    }
}

fn shown(text: String, event: impl FnOnce(String) -> ModelEvent) -> Step {
    if text.is_empty() { Step::Nothing } else { Step::Show(event(text)) }
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
