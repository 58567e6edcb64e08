//! Bytes through an adapter, and what came of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use server::ids::Ids;
use server::model::provider::{Protocol, Provider, ProviderSettings, Timeouts};
use server::model::{
    AssistantBlock, ModelError, ModelEvent, ModelMessage, ModelRequest, ModelTurn, ProposedCall, StopReason,
    ToolSpec,
};
use shared::run::Usage;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc;

/// Reads with tools that all protocols are told of.
pub struct Reader<P> {
    provider: Provider<P>,
    request: ModelRequest,
    ids: Arc<CountedAnew>,
    runtime: Runtime,
}

/// What was read.
#[derive(Debug, PartialEq)]
pub struct Heard {
    pub outcome: Result<ModelTurn, String>,
    pub reasoning: String,
    pub text: String,
    /// What was shown of calls: name and arguments.
    pub calls: Vec<(String, String)>,
}

/// Counts from 1 for each reading.
#[derive(Default)]
struct CountedAnew(AtomicU64);

impl Ids for CountedAnew {
    fn next(&self) -> String {
        format!("id-{}", self.0.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

pub fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: "A tool.".to_owned(),
        parameters: serde_json::json!({ "type": "object", "properties": { "city": { "type": "string" } } }),
    }
}

impl<P: Protocol> Reader<P> {
    pub fn new() -> Self {
        let second = Duration::from_secs(1);
        let timeouts =
            Timeouts { connect: second, first_byte: second, between_chunks: second, whole: second };
        let settings = ProviderSettings {
            base_url: "http://127.0.0.1:1".to_owned(),
            api_key: String::new(),
            max_tokens: 1,
            effort: None,
            timeouts,
        };
        let ids = Arc::new(CountedAnew::default());
        let line = "[server: now]".to_owned();
        Self {
            provider: Provider::new(settings, ids.clone()).expect("good settings"),
            request: ModelRequest {
                model: "m".to_owned(),
                system: "s".into(),
                tools: ["getWeather", "getOrder", "listBookings", "now"].map(tool).into(),
                messages: vec![ModelMessage::User { server_line: line, text: "Chào".to_owned() }],
            },
            ids,
            runtime: Builder::new_current_thread().enable_all().build().expect("a runtime"),
        }
    }

    pub fn read(&self, pieces: Vec<Vec<u8>>) -> Heard {
        self.ids.0.store(0, Ordering::Relaxed);
        let pieces = pieces.into_iter().map(Bytes::from).collect();
        let (sender, mut receiver) = mpsc::channel(4);
        let mut heard = Heard {
            outcome: Err(String::new()),
            reasoning: String::new(),
            text: String::new(),
            calls: Vec::new(),
        };
        let outcome = self.runtime.block_on(async {
            let read = async {
                let outcome = self.provider.read(&self.request, pieces, &sender).await;
                drop(sender);
                outcome
            };
            let (outcome, ()) = tokio::join!(read, async {
                let mut open = Vec::new();
                while let Some(event) = receiver.recv().await {
                    heard.note(event, &mut open);
                }
            });
            outcome
        });
        heard.outcome = outcome.map_err(|error| told(&error));
        heard
    }
}

fn told(error: &ModelError) -> String {
    let kind = match error {
        ModelError::Interrupted(_) => "interrupted",
        ModelError::Unavailable(_) => "unavailable",
        ModelError::Rejected(_) => "rejected",
        ModelError::ContextFull(_) => "context-full",
    };
    format!("{kind} {error}")
}

impl Heard {
    fn note(&mut self, event: ModelEvent, open: &mut Vec<shared::ids::ToolCallId>) {
        match event {
            ModelEvent::TextDelta(text) => self.text.push_str(&text),
            ModelEvent::ReasoningDelta(text) => self.reasoning.push_str(&text),
            ModelEvent::ToolInputStart { tool_call_id, name } => {
                assert!(!open.contains(&tool_call_id), "a call begins twice");
                open.push(tool_call_id);
                self.calls.push((name, String::new()));
            }
            ModelEvent::ToolInputDelta { tool_call_id, delta } => {
                let at = open.iter().position(|id| *id == tool_call_id).expect("a call that has begun");
                self.calls[at].1.push_str(&delta);
            }
            ModelEvent::Retrying { .. } => panic!("nothing is tried again"),
        }
    }

    /// Compares with the lines of a transcript's head; what they do not name must not be there.
    pub fn check(&self, name: &str, head: &[String]) {
        let said = |key: &str| head.iter().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let calls: Vec<&str> = head.iter().filter_map(|line| line.strip_prefix("call: ")).collect();
        let expected = said("expect").expect("an expectation");
        let shown = said("text").or(said("shown")).unwrap_or_default();
        match &self.outcome {
            Err(told) => {
                let (kind, why) = expected.split_once(' ').unwrap_or((expected, ""));
                assert!(told.starts_with(kind) && told.contains(why) && !why.is_empty(), "{name}: {told}");
                // How much of it is shown before it fails is not what these are about.
                if !shown.is_empty() {
                    assert_eq!(self.text, shown, "{name}");
                }
            }
            Ok(turn) => {
                assert_eq!(name_of(turn.stop), expected, "{name}: {turn:?}");
                assert_eq!(self.reasoning, said("reasoning").unwrap_or_default(), "{name}");
                if let Some(said) = said("usage") {
                    assert_eq!(usage(turn.usage), said, "{name}");
                }
                if matches!(turn.stop, StopReason::EndTurn | StopReason::ToolUse) {
                    assert_eq!(self.text, shown, "{name}");
                    assert_eq!(text_of(turn), shown, "{name}: what is shown is what is kept");
                    let heard: Vec<String> = turn.calls().map(|call| described(&call)).collect();
                    assert_eq!(heard, calls, "{name}");
                    let names: Vec<String> = turn.calls().map(|call| call.name).collect();
                    let shown: Vec<String> = self.calls.iter().map(|(name, _)| name.clone()).collect();
                    assert_eq!(shown, names, "{name}: what is shown is what is kept");
                } else if expected == "malformed" {
                    assert_eq!(self.text, shown, "{name}: nothing of a written call is shown");
                }
            }
        }
    }
}

fn described(call: &ProposedCall) -> String {
    let id = if call.provider_id.is_empty() { "-" } else { &call.provider_id };
    format!("{id} {} {}", call.name, call.arguments).trim_end().to_owned()
}

/// Whether the loop would run a call of it.
pub fn runs_something(heard: &Heard) -> bool {
    match &heard.outcome {
        Ok(turn) => turn.stop == StopReason::ToolUse && turn.calls().next().is_some(),
        Err(_) => false,
    }
}

fn text_of(turn: &ModelTurn) -> String {
    let text = turn.blocks.iter().filter_map(|block| match block {
        AssistantBlock::Text { text } => Some(text.as_str()),
        AssistantBlock::ToolCall { .. } | AssistantBlock::Opaque { .. } => None,
    });
    text.collect()
}

fn name_of(stop: StopReason) -> &'static str {
    match stop {
        StopReason::EndTurn => "end-turn",
        StopReason::ToolUse => "tool-use",
        StopReason::MaxTokens => "max-tokens",
        StopReason::Refusal => "refusal",
        StopReason::Pause => "pause",
        StopReason::ContextFull => "context-full",
        StopReason::Malformed => "malformed",
        StopReason::Unknown => "unknown",
    }
}

/// As a head has it.
fn usage(usage: Usage) -> String {
    let cached = usage.cache_read_tokens.map(|tokens| format!(", {tokens} cached")).unwrap_or_default();
    format!("{} in, {} out{cached}", usage.input_tokens, usage.output_tokens)
}
