//! Event + messages -> messages. The server folds to answer and to render, the browser to follow.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::event::AgentEvent;
use crate::ids::{MessageId, RunId, ToolCallId};
use crate::message::{MessagePart, Role, UiMessage};
use crate::run::{RunPhase, RunStatus};
use crate::tool_call::StateName;
use crate::tools::ToolPart;

/// A conversation as folded up to one event; as JSON the body of `GET /api/conversations/{id}`.
/// Folding goes on from it at any event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    pub messages: Vec<UiMessage>,
    /// The latest run; none before the first message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunView>,
    /// The last event folded in; 0 for none.
    pub last_event_id: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    pub run_id: RunId,
    pub status: RunStatus,
    /// Counts from 1; 0 before the first step.
    pub step: u32,
    /// The assistant message that the run fills.
    pub message_id: MessageId,
    /// Number of parts before the current step.
    pub step_start: usize,
    /// Whether the last part still takes deltas.
    pub text_open: bool,
}

/// Which part of the screen an event has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// Messages or parts came or went, in and after this message.
    Parts { message: usize },
    /// The inside of one part.
    Part { message: usize, part: usize },
    /// The run's status only.
    Run,
}

/// Why an event was not folded. The last true state is kept; the caller logs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its id is not above the last one folded.
    Stale,
    /// It may not follow this state of its part.
    NotNow(StateName),
    /// Something of a call that needs a person's agreement and does not have it.
    NotApproved,
    UnknownToolCall(ToolCallId),
    /// A second part for one tool call.
    DuplicateToolCall(ToolCallId),
    /// A second message with one id.
    DuplicateMessage(MessageId),
    /// No such run, or another one is alive.
    WrongRun,
    /// Not the step that the run is in.
    WrongStep,
    /// `step-reset` where a call of the step has gone beyond streaming.
    StepHasResults,
    /// It does not fit the tool's types.
    Malformed(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stale => f.write_str("event id is not above the last one"),
            Self::NotNow(state) => write!(f, "may not follow {}", state.as_str()),
            Self::NotApproved => f.write_str("the call was not approved"),
            Self::UnknownToolCall(id) => write!(f, "no part with tool call {id}"),
            Self::DuplicateToolCall(id) => write!(f, "a part with tool call {id} exists"),
            Self::DuplicateMessage(id) => write!(f, "a message {id} exists"),
            Self::WrongRun => f.write_str("not the live run"),
            Self::WrongStep => f.write_str("not the current step"),
            Self::StepHasResults => f.write_str("the step has results"),
            Self::Malformed(why) => write!(f, "malformed: {why}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Conversation {
    /// Folds one event. A refused one still counts as seen: `last_event_id` moves on.
    pub fn apply(&mut self, event_id: u64, event: &AgentEvent) -> Result<Touched, Refusal> {
        if event_id <= self.last_event_id {
            return Err(Refusal::Stale);
        }
        self.last_event_id = event_id;

        let continues_text = self.continues_open_part(event);
        if let (false, Some(run)) = (continues_text, &mut self.run) {
            run.text_open = false;
        }
        self.fold(event, continues_text)
    }

    /// Whether the event is a delta of the part that is open.
    fn continues_open_part(&self, event: &AgentEvent) -> bool {
        let Some(run) = self.run.as_ref().filter(|run| run.text_open) else { return false };
        let message = self.messages.iter().rev().find(|message| message.id == run.message_id);
        let last = message.and_then(|message| message.parts.last());
        matches!(
            (event, last),
            (AgentEvent::TextDelta { .. }, Some(MessagePart::Text(_)))
                | (AgentEvent::ReasoningDelta { .. }, Some(MessagePart::Reasoning(_)))
        )
    }

    fn fold(&mut self, event: &AgentEvent, continues_text: bool) -> Result<Touched, Refusal> {
        match event {
            AgentEvent::UserMessage { message_id, text, client_message_id: _ } => {
                self.no_such_message_yet(message_id)?;
                self.messages.push(UiMessage {
                    id: message_id.clone(),
                    role: Role::User,
                    parts: vec![MessagePart::Text(text.clone())],
                    withdrawn_from: None,
                });
                Ok(Touched::Parts { message: self.messages.len() - 1 })
            }

            AgentEvent::RunStarted { run_id, message_id } => self.start_run(run_id, message_id),
            AgentEvent::RunFinished { run_id, status, usage: _ } => self.finish_run(run_id, *status),

            AgentEvent::StepStarted { step } => {
                let (_, message, run) = self.current()?;
                run.step = *step;
                run.step_start = message.parts.len();
                Ok(Touched::Run)
            }
            AgentEvent::StepReset { step } => {
                let (index, message, run) = self.current()?;
                if run.step != *step {
                    return Err(Refusal::WrongStep);
                }
                let withdrawn = message.parts.get(run.step_start..).unwrap_or_default();
                if withdrawn.iter().any(has_left_streaming) {
                    return Err(Refusal::StepHasResults);
                }
                message.parts.truncate(run.step_start);
                Ok(Touched::Parts { message: index })
            }
            AgentEvent::ModelRetrying { .. } => Ok(Touched::Run),

            AgentEvent::TextDelta { text } => self.append(text, continues_text, MessagePart::Text),
            AgentEvent::ReasoningDelta { text } => self.append(text, continues_text, MessagePart::Reasoning),

            AgentEvent::ToolInputStart { tool_call_id, tool_name } => {
                if self.find(tool_call_id).is_some() {
                    return Err(Refusal::DuplicateToolCall(tool_call_id.clone()));
                }
                let (index, message, _) = self.current()?;
                let part = ToolPart::start(tool_name, tool_call_id.clone());
                message.parts.push(MessagePart::Tool(part));
                Ok(Touched::Parts { message: index })
            }

            AgentEvent::ToolInputDelta { tool_call_id, .. }
            | AgentEvent::ToolInputAvailable { tool_call_id, .. }
            | AgentEvent::ToolApprovalRequested { tool_call_id, .. }
            | AgentEvent::ToolApprovalResponded { tool_call_id, .. }
            | AgentEvent::ToolOutputAvailable { tool_call_id, .. }
            | AgentEvent::ToolOutputUpdated { tool_call_id, .. }
            | AgentEvent::ToolOutputError { tool_call_id, .. }
            | AgentEvent::ToolOutputDenied { tool_call_id }
            | AgentEvent::ToolOutputCancelled { tool_call_id, .. }
            | AgentEvent::ToolOutputUnknown { tool_call_id } => {
                let (message, part, tool) =
                    self.find(tool_call_id).ok_or_else(|| Refusal::UnknownToolCall(tool_call_id.clone()))?;
                tool.apply(event)?;
                Ok(Touched::Part { message, part })
            }
        }
    }

    fn start_run(&mut self, run_id: &RunId, message_id: &MessageId) -> Result<Touched, Refusal> {
        if let Some(run) = &mut self.run {
            if run.run_id == *run_id && run.message_id == *message_id {
                // A parked run resumes, or a broken one is taken up.
                return match run.status.phase() {
                    RunPhase::Live | RunPhase::Parked => {
                        run.status = RunStatus::Running;
                        Ok(Touched::Run)
                    }
                    RunPhase::Ended => Err(Refusal::WrongRun),
                };
            }
            match run.status.phase() {
                RunPhase::Live | RunPhase::Parked => return Err(Refusal::WrongRun),
                RunPhase::Ended => {}
            }
        }
        self.no_such_message_yet(message_id)?;
        self.messages.push(UiMessage {
            id: message_id.clone(),
            role: Role::Assistant,
            parts: Vec::new(),
            withdrawn_from: None,
        });
        self.run = Some(RunView {
            run_id: run_id.clone(),
            status: RunStatus::Running,
            step: 0,
            message_id: message_id.clone(),
            step_start: 0,
            text_open: false,
        });
        Ok(Touched::Parts { message: self.messages.len() - 1 })
    }

    /// The end of the run, or its parking; what has ended stays as it ended.
    fn finish_run(&mut self, run_id: &RunId, status: RunStatus) -> Result<Touched, Refusal> {
        let run = self.run.as_mut().filter(|run| run.run_id == *run_id).ok_or(Refusal::WrongRun)?;
        match (run.status.phase(), status.phase()) {
            (RunPhase::Ended, _) => Err(Refusal::WrongRun),
            (_, RunPhase::Live) => Err(Refusal::Malformed(format!("`{}` is no end", status.as_str()))),
            (RunPhase::Live | RunPhase::Parked, RunPhase::Parked | RunPhase::Ended) => {
                run.status = status;
                Ok(if status == RunStatus::Refused { self.withdraw_step() } else { Touched::Run })
            }
        }
    }

    /// Marks the words of the run's last step as withdrawn.
    fn withdraw_step(&mut self) -> Touched {
        let Some(run) = &self.run else { return Touched::Run };
        let mut messages = self.messages.iter_mut().enumerate().rev();
        match messages.find(|(_, message)| message.id == run.message_id) {
            Some((index, message)) if message.parts.len() > run.step_start => {
                message.withdrawn_from = Some(run.step_start);
                Touched::Parts { message: index }
            }
            Some(_) | None => Touched::Run,
        }
    }

    fn no_such_message_yet(&self, message_id: &MessageId) -> Result<(), Refusal> {
        if self.messages.iter().any(|message| message.id == *message_id) {
            return Err(Refusal::DuplicateMessage(message_id.clone()));
        }
        Ok(())
    }

    /// Appends to the open part, or opens one.
    fn append(
        &mut self,
        delta: &str,
        continues: bool,
        part: fn(String) -> MessagePart,
    ) -> Result<Touched, Refusal> {
        let (index, message, run) = self.current()?;
        run.text_open = true;
        let parts = &mut message.parts;
        match parts.last_mut() {
            Some(MessagePart::Text(text) | MessagePart::Reasoning(text)) if continues => {
                text.push_str(delta);
                Ok(Touched::Part { message: index, part: parts.len() - 1 })
            }
            _ => {
                parts.push(part(delta.to_owned()));
                Ok(Touched::Parts { message: index })
            }
        }
    }

    /// The live run, and the message that it fills with its index.
    fn current(&mut self) -> Result<(usize, &mut UiMessage, &mut RunView), Refusal> {
        let run = self.run.as_mut().filter(|run| match run.status.phase() {
            RunPhase::Live => true,
            RunPhase::Parked | RunPhase::Ended => false,
        });
        let run = run.ok_or(Refusal::WrongRun)?;
        let messages = self.messages.iter_mut().enumerate();
        let found = messages.rev().find(|(_, message)| message.id == run.message_id);
        let (index, message) = found.ok_or(Refusal::WrongRun)?;
        Ok((index, message, run))
    }

    /// The part of a tool call: the newest messages first, since most events are about those.
    fn find(&mut self, tool_call_id: &ToolCallId) -> Option<(usize, usize, &mut ToolPart)> {
        for (message, candidate) in self.messages.iter_mut().enumerate().rev() {
            for (part, candidate) in candidate.parts.iter_mut().enumerate().rev() {
                if let MessagePart::Tool(tool) = candidate
                    && tool.tool_call_id() == tool_call_id
                {
                    return Some((message, part, tool));
                }
            }
        }
        None
    }
}

fn has_left_streaming(part: &MessagePart) -> bool {
    match part {
        MessagePart::Text(_) | MessagePart::Reasoning(_) => false,
        MessagePart::Tool(tool) => tool.state() != StateName::InputStreaming,
    }
}
