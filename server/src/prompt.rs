//! What models are told by this version of the program, before any conversation.

use crate::model::ToolSpec;
use crate::tools::schema;

/// The system prompt, versioned with the code; a conversation keeps the one that it began with.
pub const SYSTEM: &str = include_str!("../prompts/system.md");

/// Every tool, as models are told of it.
pub fn tools() -> Vec<ToolSpec> {
    let specs = schema::all().into_iter().map(|tool| ToolSpec {
        name: tool.name.to_owned(),
        description: tool.description,
        parameters: tool.parameters,
    });
    specs.collect()
}
