//! The model behind one interface: the loop knows no provider, an adapter knows no tool.

pub mod anthropic;
pub mod demo;
mod history;
pub mod openai_chat;
pub mod openai_responses;
pub mod provider;
pub mod transcript;
mod turn;

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::mpsc;

pub use history::{AssistantBlock, ModelMessage, ToolResult};
pub use turn::{ModelError, ModelEvent, ModelTurn, ProposedCall, StopReason};

/// A tool as the model is told of it. Stored with the conversation, so that it stays as it is.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of the input, one flat object.
    pub parameters: serde_json::Value,
}

/// One model call. Its prefix (system, tools, earlier messages) is byte-identical from call to call
/// within a conversation.
#[derive(Clone, Debug)]
pub struct ModelRequest {
    /// As the provider names it; with the demo model `demo/<persona>`.
    pub model: String,
    pub system: Arc<str>,
    pub tools: Arc<[ToolSpec]>,
    pub messages: Vec<ModelMessage>,
}

#[async_trait]
pub trait Model: Send + Sync {
    /// Makes one call and reads it to its end. What arrives on the way goes to `events`, to be shown;
    /// only the returned turn, whose completeness the protocol has proved, may be acted on.
    /// Dropping the future aborts the call.
    async fn turn(
        &self,
        request: ModelRequest,
        events: mpsc::Sender<ModelEvent>,
    ) -> Result<ModelTurn, ModelError>;
}
