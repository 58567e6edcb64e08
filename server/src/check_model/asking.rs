//! One call of the model, as the agent makes it; nothing that it proposes is run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use tokio::sync::mpsc;

use crate::agent::server_line::server_line;
use crate::model::{
    AssistantBlock, Model, ModelError, ModelEvent, ModelMessage, ModelRequest, ModelTurn, ProposedCall,
    ToolResult, ToolSpec,
};
use crate::prompt;

/// The model with what every call tells it.
pub struct Asker {
    pub model: Arc<dyn Model>,
    pub name: String,
    pub now: DateTime<Utc>,
    system: Arc<str>,
    tools: Arc<[ToolSpec]>,
}

/// What a call gave.
pub struct Heard {
    pub turn: ModelTurn,
    /// Pieces of text that could be shown one after the other; what comes together is one.
    pub pieces: usize,
    /// Until something could be shown.
    pub first: Option<Duration>,
    pub whole: Duration,
}

impl Heard {
    pub fn text(&self) -> String {
        let texts = self.turn.blocks.iter().filter_map(|block| match block {
            AssistantBlock::Text { text } => Some(text.as_str()),
            AssistantBlock::ToolCall { .. } | AssistantBlock::Opaque { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    pub fn calls(&self) -> Vec<ProposedCall> {
        self.turn.calls().collect()
    }
}

impl Asker {
    pub fn new(model: Arc<dyn Model>, name: String, now: DateTime<Utc>) -> Self {
        Self { model, name, now, system: prompt::SYSTEM.into(), tools: prompt::tools().into() }
    }

    /// What a guest says, under the line that the server puts before it.
    pub fn said(&self, text: &str) -> ModelMessage {
        let server_line = server_line(self.now, chrono_tz::Asia::Ho_Chi_Minh, &[], &[]);
        ModelMessage::User { server_line, text: text.to_owned() }
    }

    pub async fn ask(&self, messages: Vec<ModelMessage>) -> Result<Heard, ModelError> {
        let request = ModelRequest {
            model: self.name.clone(),
            system: self.system.clone(),
            tools: self.tools.clone(),
            messages,
        };
        let begun = Instant::now();
        let (sender, mut receiver) = mpsc::channel(64);
        let watching = async {
            let (mut pieces, mut first) = (0, None);
            while let Some(event) = receiver.recv().await {
                match event {
                    ModelEvent::TextDelta(_) => pieces += 1,
                    ModelEvent::ReasoningDelta(_)
                    | ModelEvent::ToolInputStart { .. }
                    | ModelEvent::ToolInputDelta { .. } => {}
                    ModelEvent::Retrying { .. } | ModelEvent::Used(_) => continue,
                }
                first.get_or_insert_with(|| begun.elapsed());
            }
            (pieces, first)
        };
        let (turn, (pieces, first)) = tokio::join!(self.model.turn(request, sender), watching);
        Ok(Heard { turn: turn?, pieces, first, whole: begun.elapsed() })
    }
}

/// What the conversation says of a turn, and of the results that were made up for its calls.
pub fn answered(turn: &ModelTurn, result: impl Fn(&ProposedCall) -> (String, bool)) -> [ModelMessage; 2] {
    let results = turn.calls().map(|call| {
        let (content, is_error) = result(&call);
        ToolResult { tool_call_id: call.tool_call_id, content, note: None, is_error }
    });
    [
        ModelMessage::Assistant { blocks: turn.blocks.clone() },
        ModelMessage::ToolResults { results: results.collect() },
    ]
}
