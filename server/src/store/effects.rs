use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::ids::ToolCallId;

use super::{Result, WriteTx, from_json, to_json};

/// The live effect that holds a business key.
#[derive(Clone, Debug)]
pub struct EffectRow {
    pub tool_call: ToolCallId,
    /// The input that it was claimed with.
    pub request: Value,
    pub output: Option<Value>,
}

/// An effect to be recorded with its result.
pub struct DoneEffect<'a> {
    pub id: &'a str,
    pub tool: &'a str,
    pub business_key: &'a str,
    pub tool_call: &'a ToolCallId,
    /// The input that ran.
    pub request: &'a Value,
    pub output: &'a Value,
}

impl WriteTx {
    pub async fn live_effect(&mut self, tool: &str, business_key: &str) -> Result<Option<EffectRow>> {
        let row: Option<(String, String, Option<String>)> = sqlx::query_as(
            "SELECT tool_call_id, request, output FROM effects
             WHERE tool = $1 AND business_key = $2 AND status IN ('claimed', 'done', 'unknown')",
        )
        .bind(tool)
        .bind(business_key)
        .fetch_optional(self.connection())
        .await?;
        row.map(|(tool_call, request, output)| {
            Ok(EffectRow {
                tool_call: ToolCallId(tool_call),
                request: from_json(&request)?,
                output: output.map(|output| from_json(&output)).transpose()?,
            })
        })
        .transpose()
    }

    /// Records an effect that is done in this very transaction: claim and result in one.
    pub async fn insert_done_effect(&mut self, new: &DoneEffect<'_>, now: DateTime<Utc>) -> Result<()> {
        sqlx::query(
            "INSERT INTO effects
                 (id, tool, business_key, generation, status, request, tool_call_id, output, created_at)
             SELECT $1, $2, $3, COALESCE(MAX(generation), 0) + 1, 'done', $4, $5, $6, $7
             FROM effects WHERE tool = $2 AND business_key = $3",
        )
        .bind(new.id)
        .bind(new.tool)
        .bind(new.business_key)
        .bind(to_json(new.request)?)
        .bind(new.tool_call.as_str())
        .bind(to_json(new.output)?)
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
