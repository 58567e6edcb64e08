use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::ids::{ToolCallId, UserId};

use super::{Result, WriteTx, from_json, to_json};
use crate::db;

/// The live effect that holds a business key.
#[derive(Clone, Debug)]
pub struct EffectRow {
    pub tool_call: ToolCallId,
    /// Whose it is: a key may not say so.
    pub user: UserId,
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
        let row: Option<(String, String, String, Option<String>)> = db::query_as(
            "SELECT e.tool_call_id, r.user_id, e.request, e.output FROM effects e
             JOIN tool_calls c ON c.id = e.tool_call_id JOIN runs r ON r.id = c.run_id
             WHERE e.tool = $1 AND e.business_key = $2 AND e.status IN ('claimed', 'done', 'unknown')",
        )
        .bind(tool)
        .bind(business_key)
        .fetch_optional(self.connection())
        .await?;
        row.map(|(tool_call, user, request, output)| {
            Ok(EffectRow {
                tool_call: ToolCallId(tool_call),
                user: UserId(user),
                request: from_json(&request)?,
                output: output.map(|output| from_json(&output)).transpose()?,
            })
        })
        .transpose()
    }

    /// Records an effect that is done in this very transaction: claim and result in one.
    pub async fn insert_done_effect(&mut self, new: &DoneEffect<'_>, now: DateTime<Utc>) -> Result<()> {
        db::query(
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

    /// The effect of a call is over: its key is free for a new generation.
    pub async fn release_effect(&mut self, call: &ToolCallId) -> Result<()> {
        db::query(
            "UPDATE effects SET status = 'released'
             WHERE tool_call_id = $1 AND status IN ('claimed', 'done', 'unknown')",
        )
        .bind(call.as_str())
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// The live effect of a call goes on under another key, as another request.
    pub async fn move_effect(
        &mut self,
        call: &ToolCallId,
        business_key: &str,
        request: &Value,
    ) -> Result<()> {
        db::query(
            "UPDATE effects SET request = $3, business_key = $2, generation =
                 (SELECT COALESCE(MAX(other.generation), 0) + 1 FROM effects other
                  WHERE other.tool = effects.tool AND other.business_key = $2)
             WHERE tool_call_id = $1 AND status IN ('claimed', 'done', 'unknown') AND business_key <> $2",
        )
        .bind(call.as_str())
        .bind(business_key)
        .bind(to_json(request)?)
        .execute(self.connection())
        .await?;
        db::query(
            "UPDATE effects SET request = $2
             WHERE tool_call_id = $1 AND status IN ('claimed', 'done', 'unknown')",
        )
        .bind(call.as_str())
        .bind(to_json(request)?)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
