//! What models are told for as long as a conversation lives; kept once for all conversations that share it.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::sessions::hex;
use super::{Result, Store, WriteTx, from_json, to_json};
use crate::db;
use crate::model::ToolSpec;

/// System prompt and tool list.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    pub id: String,
    pub system: Arc<str>,
    pub tools: Arc<[ToolSpec]>,
}

/// Prompts that a server keeps at hand: one a version of the program that has talked to its guests.
pub(super) const PROMPTS_KEPT: usize = 64;

impl Prompt {
    /// The same texts have the same id.
    pub fn new(system: &str, tools: Vec<ToolSpec>) -> Result<Self> {
        let id = hex(&Sha256::new().chain_update(system).chain_update(to_json(&tools)?).finalize());
        Ok(Self { id, system: system.into(), tools: tools.into() })
    }
}

impl Store {
    /// The prompt with an id that a conversation has.
    pub async fn prompt(&self, id: &str) -> Result<Prompt> {
        if let Some(prompt) = self.prompts.get(id) {
            return Ok(prompt);
        }
        let (system, tools): (String, String) =
            db::query_as("SELECT system_prompt, tools FROM prompts WHERE id = $1")
                .bind(id)
                .fetch_one(self.reader())
                .await?;
        let tools: Vec<ToolSpec> = from_json(&tools)?;
        let prompt = Prompt { id: id.to_owned(), system: system.into(), tools: tools.into() };
        self.prompts.insert(prompt.id.clone(), prompt.clone());
        Ok(prompt)
    }
}

impl WriteTx {
    /// Keeps a prompt, where it is not kept yet.
    pub async fn insert_prompt(&mut self, prompt: &Prompt) -> Result<()> {
        db::query(
            "INSERT INTO prompts (id, system_prompt, tools) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        )
        .bind(prompt.id.as_str())
        .bind(&*prompt.system)
        .bind(to_json(&prompt.tools)?)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
