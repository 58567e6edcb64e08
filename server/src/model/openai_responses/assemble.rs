//! Events to a turn. The protocol's proof of completeness is checked here and nowhere else.
//!
//! Three times the provider says what an item is: in pieces, at the item's end and at the end of all. Whoever
//! filters or repeats events in between cannot make them agree, and without agreement there is no turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::broken::Broken;
use super::event::{Head, Lifecycle, OutputItem, Piece, Response};
use super::item::{self, Content, Item, Untold};
use super::request::AWAITED;
use super::told::{error, usage};
use crate::ids::Ids;
use crate::model::provider::{self, Progress, strict};
use crate::model::{ModelEvent, ModelTurn, StopReason, ToolSpec};

/// A turn on its way.
pub struct Assembly {
    tools: Arc<[ToolSpec]>,
    is_strict: bool,
    response: Option<String>,
    sequence_number: Option<u64>,
    /// By their place in the output.
    items: BTreeMap<u64, Item>,
    is_refused: bool,
    last: Option<Shown>,
}

/// What was shown last: what follows it of another item or part begins a new paragraph.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Text { item: u64 },
    Reasoning { item: u64, part: u64 },
}

impl Assembly {
    /// `is_strict`: the model was given strict schemas of the tools, where they have any.
    pub fn new(tools: &Arc<[ToolSpec]>, is_strict: bool) -> Self {
        Self {
            tools: tools.clone(),
            is_strict,
            response: None,
            sequence_number: None,
            items: BTreeMap::new(),
            is_refused: false,
            last: None,
        }
    }

    fn open_item(&mut self, piece: &Piece) -> Result<&mut Item, Broken> {
        let item = self.items.get_mut(&piece.output_index);
        let item = item.filter(|item| item.is_open() && item.is_named(piece.item_id.as_deref()));
        item.ok_or(Broken::StrayPiece(piece.output_index))
    }

    fn start(
        &mut self,
        event: &OutputItem,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<(), Broken> {
        if self.items.contains_key(&event.output_index) {
            return Err(Broken::OpenedTwice(event.output_index));
        }
        let item = Item::start(&event.item, ids)?;
        if let Content::Call { tool_call_id, name, arguments, .. } = &item.content {
            let tool_call_id = tool_call_id.clone();
            shown.push(ModelEvent::ToolInputStart { tool_call_id: tool_call_id.clone(), name: name.clone() });
            if !arguments.is_empty() {
                shown.push(ModelEvent::ToolInputDelta { tool_call_id, delta: arguments.clone() });
            }
            self.last = None;
        }
        self.items.insert(event.output_index, item);
        Ok(())
    }

    fn finish(
        &mut self,
        event: OutputItem,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<(), Broken> {
        let index = event.output_index;
        if !self.items.contains_key(&index) {
            // Whoever tells an item only as a whole leaves out its start.
            let mut start = event.item.clone();
            if let Some(fields) = start.as_object_mut() {
                fields.remove("arguments");
            }
            self.start(&OutputItem { output_index: index, item: start }, ids, shown)?;
        }
        let Some(item) = self.items.get_mut(&index) else { return Ok(()) };
        self.is_refused |= item::is_refusal(&event.item);
        match item.finish(event.item, index)? {
            Untold::Nothing => {}
            Untold::Arguments(delta) => {
                if let Content::Call { tool_call_id, .. } = &item.content
                    && !delta.is_empty()
                {
                    let tool_call_id = tool_call_id.clone();
                    shown.push(ModelEvent::ToolInputDelta { tool_call_id, delta });
                }
            }
            Untold::Texts(texts) => {
                texts.into_iter().for_each(|(_, text)| self.show_text(index, text, shown))
            }
        }
        Ok(())
    }

    fn text(&mut self, piece: Piece, is_whole: bool, shown: &mut Vec<ModelEvent>) -> Result<(), Broken> {
        let index = piece.output_index;
        let Content::Message { texts } = &mut self.open_item(&piece)?.content else {
            return Err(Broken::StrayPiece(index));
        };
        let text = texts.entry(piece.content_index).or_default();
        if is_whole && !text.is_empty() {
            return if *text == piece.delta { Ok(()) } else { Err(Broken::Disagrees(index)) };
        }
        text.push_str(&piece.delta);
        self.show_text(index, piece.delta, shown);
        Ok(())
    }

    fn show_text(&mut self, item: u64, text: String, shown: &mut Vec<ModelEvent>) {
        if text.is_empty() {
            return;
        }
        let now = Shown::Text { item };
        if matches!(self.last, Some(before @ Shown::Text { .. }) if before != now) {
            shown.push(ModelEvent::TextDelta("\n\n".to_owned()));
        }
        self.last = Some(now);
        shown.push(ModelEvent::TextDelta(text));
    }

    fn reasoning(&mut self, piece: Piece, shown: &mut Vec<ModelEvent>) -> Result<(), Broken> {
        let (item, part) = (piece.output_index, piece.content_index);
        if !self.open_item(&piece)?.is_any_of(&["reasoning"]) {
            return Err(Broken::StrayPiece(item));
        }
        if piece.delta.is_empty() {
            return Ok(());
        }
        let now = Shown::Reasoning { item, part };
        if matches!(self.last, Some(before @ Shown::Reasoning { .. }) if before != now) {
            shown.push(ModelEvent::ReasoningDelta("\n\n".to_owned()));
        }
        self.last = Some(now);
        shown.push(ModelEvent::ReasoningDelta(piece.delta));
        Ok(())
    }

    fn arguments(&mut self, piece: Piece, is_whole: bool, shown: &mut Vec<ModelEvent>) -> Result<(), Broken> {
        let index = piece.output_index;
        let Content::Call { tool_call_id, arguments, is_told, .. } = &mut self.open_item(&piece)?.content
        else {
            return Err(Broken::StrayPiece(index));
        };
        if *is_told && !is_whole {
            return Err(Broken::StrayPiece(index));
        }
        *is_told |= is_whole;
        if is_whole && !arguments.is_empty() {
            return if *arguments == piece.delta { Ok(()) } else { Err(Broken::Disagrees(index)) };
        }
        arguments.push_str(&piece.delta);
        if !piece.delta.is_empty() {
            let tool_call_id = tool_call_id.clone();
            shown.push(ModelEvent::ToolInputDelta { tool_call_id, delta: piece.delta });
        }
        Ok(())
    }

    fn is_of(&mut self, response: &Response) -> Result<(), Broken> {
        let Some(id) = &response.id else { return Ok(()) };
        if self.response.get_or_insert_with(|| id.clone()) == id {
            Ok(())
        } else {
            Err(Broken::AnotherResponse)
        }
    }

    fn complete(&mut self, response: Response) -> Result<ModelTurn, Broken> {
        for (index, item) in &self.items {
            match item.whole() {
                None => return Err(Broken::StillOpen(*index)),
                Some(whole) if item.is_cut(whole) => return Err(Broken::Cut(*index)),
                Some(_) => {}
            }
        }
        if let Some(output) = &response.output {
            if output.len() != self.items.len() {
                return Err(Broken::OtherItems(output.len(), self.items.len()));
            }
            for ((index, item), whole) in self.items.iter().zip(output) {
                item.agree(whole, *index)?;
                if item.is_cut(whole) {
                    return Err(Broken::Cut(*index));
                }
            }
            self.is_refused |= output.iter().any(item::is_refusal);
        }
        let has = |is: fn(&Item) -> bool| self.items.values().any(is);
        let stop = if self.is_refused {
            StopReason::Refusal
        } else if has(|item| item.is_any_of(&AWAITED)) {
            StopReason::Unknown
        } else if has(Item::is_call) {
            StopReason::ToolUse
        } else {
            StopReason::EndTurn
        };
        Ok(self.turn(stop, &response.usage))
    }

    fn turn(&mut self, stop: StopReason, told: &Value) -> ModelTurn {
        let items = std::mem::take(&mut self.items);
        let tidy = |name: &str, arguments: String| self.without_nulls(name, arguments);
        let blocks = items.into_values().flat_map(|item| item.into_blocks(tidy)).collect();
        ModelTurn { blocks, stop, usage: usage(told) }
    }

    fn without_nulls(&self, name: &str, arguments: String) -> String {
        let tool = self.tools.iter().find(|tool| self.is_strict && tool.name == name);
        match tool.filter(|tool| strict::parameters(&tool.parameters).is_some()) {
            Some(tool) => strict::without_nulls(&arguments, &tool.parameters).into_owned(),
            None => arguments,
        }
    }
}

impl provider::Assembly for Assembly {
    type Broken = Broken;

    /// The response may have been announced: as long as there is no item, nothing of an answer was shown.
    fn is_untouched(&self) -> bool {
        self.items.is_empty()
    }

    fn add(
        &mut self,
        _name: Option<&str>,
        data: &str,
        ids: &dyn Ids,
        shown: &mut Vec<ModelEvent>,
    ) -> Result<Progress, Broken> {
        let head: Head = parse(data)?;
        if head.r#type == "error" {
            return Ok(Progress::Error(error(parse(data)?)));
        }
        // Gaps are allowed: who stands in between may leave out what it does not know.
        if let (Some(before), Some(now)) = (self.sequence_number, head.sequence_number)
            && now <= before
        {
            return Err(Broken::OutOfOrder(now, before));
        }
        self.sequence_number = head.sequence_number.or(self.sequence_number);
        match head.r#type.as_str() {
            "response.output_item.added" => self.start(&parse(data)?, ids, shown)?,
            "response.output_item.done" => self.finish(parse(data)?, ids, shown)?,
            "response.output_text.delta" => self.text(parse(data)?, false, shown)?,
            "response.output_text.done" => self.text(parse(data)?, true, shown)?,
            "response.function_call_arguments.delta" => self.arguments(parse(data)?, false, shown)?,
            "response.function_call_arguments.done" => self.arguments(parse(data)?, true, shown)?,
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.reasoning(parse(data)?, shown)?;
            }
            "response.created" | "response.queued" | "response.in_progress" => {
                self.is_of(&parse::<Lifecycle>(data)?.response)?;
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                let Lifecycle { response } = parse(data)?;
                self.is_of(&response)?;
                return self.end_with(&head.r#type, response);
            }
            // What the guest reads is the house's own sentence.
            "response.refusal.delta" | "response.refusal.done" => self.is_refused = true,
            // Of kinds that are kept and not shown, or added by the vendor later.
            _ => {}
        }
        Ok(Progress::Going)
    }

    /// Only `response.completed` and its siblings prove that nothing is missing.
    fn end(&mut self) -> Result<ModelTurn, Broken> {
        Err(Broken::NoEnd)
    }
}

impl Assembly {
    fn end_with(&mut self, event: &str, response: Response) -> Result<Progress, Broken> {
        // The status is optional in the protocol's types; where it is there, it counts.
        let status = response.status.as_deref();
        match (event, status) {
            ("response.completed", None | Some("completed")) => {
                self.complete(response).map(Progress::Complete)
            }
            ("response.incomplete", _) | (_, Some("incomplete")) => {
                let reason = response.incomplete_details.and_then(|details| details.reason);
                let stop = match reason.as_deref() {
                    Some("max_output_tokens") => StopReason::MaxTokens,
                    Some("content_filter") => StopReason::Refusal,
                    Some(_) | None => StopReason::Unknown,
                };
                Ok(Progress::Complete(self.turn(stop, &response.usage)))
            }
            ("response.failed", _) | (_, Some("failed")) => Ok(Progress::Error(error(response.error))),
            (_, status) => Err(Broken::Status(status.unwrap_or_default().to_owned())),
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(data: &'a str) -> Result<T, Broken> {
    serde_json::from_str(data).map_err(Broken::Event)
}
