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
    pub async fn insert_done_effect(
        &mut self,
        id: &str,
        tool: &str,
        business_key: &str,
        call: &ToolCallId,
        request: &Value,
        output: &Value,
        now: DateTime<Utc>,
    ) -> Result<()> {
        sqlx::query(
            "INSERT INTO effects
                 (id, tool, business_key, generation, status, request, tool_call_id, output, created_at)
             SELECT $1, $2, $3, COALESCE(MAX(generation), 0) + 1, 'done', $4, $5, $6, $7
             FROM effects WHERE tool = $2 AND business_key = $3",
        )
        .bind(id)
        .bind(tool)
        .bind(business_key)
        .bind(to_json(request)?)
        .bind(call.as_str())
        .bind(to_json(output)?)
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
