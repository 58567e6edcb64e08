//! Chunks to a turn. The protocol's proof of completeness is checked here and nowhere else.

use std::sync::Arc;

use serde_json::{Map, Value};
use shared::ids::ToolCallId;
use shared::run::Usage;

use super::call::{BadFragment, Call, Fragment};
use super::chunk::{self, BadChunk, Content};
use super::extent::Extent;
use super::finish::Finish;
use super::gather::{Gathered, reasoning};
use super::kept::Kept;
use super::prose::Prose;
use super::route::{Ambiguous, Route, route};
use super::usage::counted;
use crate::ids::Ids;
use crate::model::provider::{self, Progress, strict};
use crate::model::{AssistantBlock, ModelEvent, ModelTurn, StopReason, ToolSpec};

/// Calls of one turn.
const MOST_CALLS: usize = 128;

/// Pieces of calls in one turn; OpenAI's own client has the same limit.
const MOST_FRAGMENTS: usize = 65_536;

/// The chunks contradict the protocol, or do not prove the turn complete: what they add up to cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error(transparent)]
    Chunk(#[from] BadChunk),
    #[error(transparent)]
    Ambiguous(#[from] Ambiguous),
    #[error(transparent)]
    Fragment(#[from] BadFragment),
    #[error("more than {MOST_CALLS} calls")]
    TooManyCalls,
    #[error("more than {MOST_FRAGMENTS} pieces of calls")]
    TooManyFragments,
    #[error("more of the message came behind its finish_reason")]
    AfterFinish,
    #[error("two finish_reasons that contradict each other")]
    TwoFinishes,
    #[error("the stream ended without a finish_reason and without [DONE]")]
    NoProof,
    #[error("[DONE] came, and nothing before it")]
    Nothing,
    #[error("the arguments of a call are not complete")]
    OpenCall,
    #[error("a call has no name")]
    Nameless,
    #[error("a name that came in pieces is no tool's")]
    NameInPieces,
}

/// A turn on its way.
pub struct Assembly {
    tools: Arc<[ToolSpec]>,
    /// Whether the tools were told in the strict dialect, in which absent fields are `null`.
    is_strict: bool,
    prose: Prose,
    gathered: Gathered,
    calls: Vec<Call>,
    last: Option<usize>,
    fragments: usize,
    usage: Usage,
    finish: Option<Finish>,
    refused: bool,
    /// Set with the end of the message.
    wrote_call: bool,
    touched: bool,
}

impl provider::Assembly for Assembly {
    type Broken = Broken;

    fn is_untouched(&self) -> bool {
        !self.touched
    }

    fn add(
        &mut self,
        name: Option<&str>,
        data: &str,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<Progress, Broken> {
        if data.trim() == "[DONE]" {
            self.settle(shown);
            return self.complete().map(Progress::Complete);
        }
        let mut chunk = match chunk::parse(data) {
            Ok(chunk) => chunk,
            // Like a cut: what was proved before stands.
            Err(BadChunk::NotJson(_)) if self.finish.is_some() => {
                return self.complete().map(Progress::Complete);
            }
            Err(bad) => return Err(bad.into()),
        };
        if let Some(error) = chunk.error.take() {
            return Ok(Progress::Error(error));
        }
        if name == Some("error") {
            return Ok(Progress::Error(serde_json::from_str(data).unwrap_or_default()));
        }
        if let Some(usage) = chunk.usage.take() {
            self.usage = counted(&usage);
        }
        self.take_delta(chunk.delta, ids, shown)?;
        let Some(reason) = chunk.finish_reason else { return Ok(Progress::Going) };
        let finish = Finish::parse(&reason);
        self.touched = true;
        match self.finish {
            None => {
                self.finish = Some(finish);
                self.settle(shown);
            }
            Some(before) => self.finish = Some(before.join(finish).ok_or(Broken::TwoFinishes)?),
        }
        Ok(Progress::Settled)
    }

    /// Without `[DONE]` a `finish_reason` proves a turn complete.
    fn end(&mut self) -> Result<ModelTurn, Broken> {
        match self.finish {
            Some(_) => self.complete(),
            None => Err(Broken::NoProof),
        }
    }
}

impl Assembly {
    pub fn new(tools: &Arc<[ToolSpec]>, is_strict: bool) -> Self {
        Self {
            tools: tools.clone(),
            is_strict,
            prose: Prose::default(),
            gathered: Gathered::default(),
            calls: Vec::new(),
            last: None,
            fragments: 0,
            usage: Usage::default(),
            finish: None,
            refused: false,
            wrote_call: false,
            touched: false,
        }
    }

    fn take_delta(
        &mut self,
        mut delta: Map<String, Value>,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<(), Broken> {
        let fragments = chunk::fragments(&mut delta)?;
        let content = chunk::content(&mut delta);
        let says = |content: &Content| match content {
            Content::Text(text) => !text.is_empty(),
            Content::Thinking { .. } => true,
        };
        let refusal = delta.get("refusal").and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        let reasoning = reasoning(&delta);
        if !fragments.is_empty() || refusal || reasoning.is_some() || content.iter().any(says) {
            if self.finish.is_some() {
                return Err(Broken::AfterFinish);
            }
            self.touched = true;
        }
        self.refused |= refusal;
        shown.extend(reasoning.map(ModelEvent::ReasoningDelta));
        self.gathered.add_members(delta);
        for content in content {
            match content {
                Content::Text(text) => self.prose.add(&text, shown),
                Content::Thinking { part, text } => {
                    self.gathered.add_thinking(part);
                    if !text.is_empty() {
                        shown.push(ModelEvent::ReasoningDelta(text));
                    }
                }
            }
        }
        for fragment in fragments {
            self.take_fragment(fragment, ids, shown)?;
        }
        Ok(())
    }

    fn take_fragment(
        &mut self,
        fragment: Fragment,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<(), Broken> {
        self.fragments += 1;
        if self.fragments > MOST_FRAGMENTS {
            return Err(Broken::TooManyFragments);
        }
        let is_offered = |name: &str| self.tools.iter().any(|tool| tool.name == name);
        let begins_offered = |name: &str| self.tools.iter().any(|tool| tool.name.starts_with(name));
        let at = match route(&fragment, &self.calls, self.last, is_offered, begins_offered)? {
            Route::Continue(at) => at,
            Route::Start if self.calls.len() == MOST_CALLS => return Err(Broken::TooManyCalls),
            Route::Start => {
                if let Some(before) = self.last {
                    self.calls[before].show(true, shown);
                }
                self.calls.push(Call::new(ToolCallId(ids.next())));
                self.calls.len() - 1
            }
        };
        self.last = Some(at);
        self.calls[at].add(fragment)?;
        self.calls[at].show(false, shown);
        Ok(())
    }

    /// Nothing more comes of the message: what was held back is shown.
    fn settle(&mut self, shown: &mut Vec<ModelEvent>) {
        let tools = &self.tools;
        self.wrote_call |= self.prose.finish(|name| tools.iter().any(|tool| tool.name == name), shown);
        for call in &mut self.calls {
            call.show(true, shown);
        }
    }

    fn complete(&mut self) -> Result<ModelTurn, Broken> {
        let stop = self.stop_reason()?;
        if stop == StopReason::Malformed {
            let wrote_call = self.wrote_call;
            tracing::warn!(wrote_call, "the model's calls came as text, or were announced and did not come");
        }
        let mut calls = std::mem::take(&mut self.calls);
        if stop == StopReason::ToolUse {
            for call in &mut calls {
                self.check_name(call)?;
                if let Some(tool) = self.tools.iter().find(|tool| self.is_strict && tool.name == call.name) {
                    call.arguments = strict::without_nulls(&call.arguments, &tool.parameters).into_owned();
                }
            }
        }
        let think = Some(self.prose.take_think()).filter(|think| !think.is_empty()).map(Kept::Think);
        let before_text = self.gathered.take().chain(think);
        let mut blocks: Vec<_> = before_text.filter_map(Kept::into_block).collect();
        let text = self.prose.take_answer();
        if !text.is_empty() {
            blocks.push(AssistantBlock::Text { text });
        }
        for Call { tool_call_id, provider_id, name, arguments, extra_content, .. } in calls {
            blocks.push(AssistantBlock::ToolCall { tool_call_id, provider_id, name, arguments });
            blocks.extend(extra_content.map(Kept::OfCall).and_then(Kept::into_block));
        }
        Ok(ModelTurn { blocks, stop, usage: self.usage })
    }

    /// Calls are what makes a turn a request for tools, whatever word the server has for its end.
    fn stop_reason(&self) -> Result<StopReason, Broken> {
        let has_calls = !self.calls.is_empty();
        let is_open = |call: &Call| call.extent() == Extent::Open;
        Ok(match self.finish {
            _ if self.refused => StopReason::Refusal,
            Some(Finish::ContentFilter) => StopReason::Refusal,
            Some(Finish::Length) => StopReason::MaxTokens,
            Some(Finish::ModelLength) => StopReason::ContextFull,
            Some(Finish::Unknown) => StopReason::Unknown,
            Some(Finish::Stop | Finish::ToolCalls) | None if self.wrote_call => StopReason::Malformed,
            // The arguments are broken, not cut: the model is told so.
            Some(Finish::ToolCalls) if has_calls => StopReason::ToolUse,
            Some(Finish::ToolCalls) => StopReason::Malformed,
            Some(Finish::Stop) if self.calls.iter().any(is_open) => return Err(Broken::OpenCall),
            Some(Finish::Stop) if has_calls => StopReason::ToolUse,
            Some(Finish::Stop) => StopReason::EndTurn,
            None if !self.touched => return Err(Broken::Nothing),
            None if !self.calls.iter().all(is_object) => return Err(Broken::OpenCall),
            None if has_calls => StopReason::ToolUse,
            None => StopReason::EndTurn,
        })
    }

    fn check_name(&self, call: &Call) -> Result<(), Broken> {
        if call.name.is_empty() {
            Err(Broken::Nameless)
        } else if call.is_name_in_pieces && !self.tools.iter().any(|tool| tool.name == call.name) {
            Err(Broken::NameInPieces)
        } else {
            Ok(())
        }
    }
}

fn is_object(call: &Call) -> bool {
    serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok()
}
