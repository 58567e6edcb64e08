use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::ids::{ConversationId, RunId, ToolCallId};

use super::{Result, WriteTx, from_json, to_json, undecodable};
use crate::db::{self, Row};

/// How far the server has come with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallState {
    /// Stored with its turn; not looked at yet.
    Planned,
    /// Validated, needs nobody's agreement, not run.
    Ready,
    /// Waits for a person.
    Waiting,
    /// Agreed to, not run.
    Approved,
    /// Its effect has left; what came of it is not recorded yet.
    Started,
    /// Has its one result.
    Ended,
}

impl CallState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Ready => "ready",
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Started => "started",
            Self::Ended => "ended",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        [Self::Planned, Self::Ready, Self::Waiting, Self::Approved, Self::Started, Self::Ended]
            .into_iter()
            .find(|state| state.as_str() == text)
            .ok_or_else(|| undecodable(format!("call state {text:?}")))
    }
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedAs {
    Output,
    Error,
    Denied,
    Cancelled,
    /// Another call's outcome stands.
    Repeated,
    /// It may have been done.
    Unknown,
}

impl EndedAs {
    fn as_str(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Repeated => "repeated",
            Self::Unknown => "unknown",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        [Self::Output, Self::Error, Self::Denied, Self::Cancelled, Self::Repeated, Self::Unknown]
            .into_iter()
            .find(|ended| ended.as_str() == text)
            .ok_or_else(|| undecodable(format!("call ended as {text:?}")))
    }
}

/// What the model hears of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelResult {
    pub content: String,
    pub note: Option<String>,
    pub is_error: bool,
}

#[derive(Clone, Debug)]
pub struct CallRow {
    pub id: ToolCallId,
    pub run: RunId,
    pub step: u32,
    /// Its place in the turn, from 0.
    pub position: u32,
    pub name: String,
    /// As the model wrote them.
    pub arguments: String,
    /// The validated arguments that the model proposed.
    pub proposed_input: Option<Value>,
    pub state: CallState,
    pub ended_as: Option<EndedAs>,
    pub business_key: Option<String>,
    pub result: Option<ModelResult>,
}

const COLUMNS: &str = "id, run_id, step, position, name, arguments, proposed_input, state, ended_as, \
     business_key, result_content, result_note, result_is_error";

fn call(row: &Row) -> Result<CallRow> {
    let text = |column| row.try_get::<String>(column);
    let optional = |column| row.try_get::<Option<String>>(column);
    let result = match optional("result_content")? {
        Some(content) => Some(ModelResult {
            content,
            note: optional("result_note")?,
            is_error: row.try_get::<Option<i64>>("result_is_error")? == Some(1),
        }),
        None => None,
    };
    Ok(CallRow {
        id: ToolCallId(text("id")?),
        run: RunId(text("run_id")?),
        step: row.try_get::<i64>("step")? as u32,
        position: row.try_get::<i64>("position")? as u32,
        name: text("name")?,
        arguments: text("arguments")?,
        proposed_input: optional("proposed_input")?.map(|input| from_json(&input)).transpose()?,
        state: CallState::parse(&text("state")?)?,
        ended_as: optional("ended_as")?.map(|ended| EndedAs::parse(&ended)).transpose()?,
        business_key: optional("business_key")?,
        result,
    })
}

impl WriteTx {
    pub async fn insert_call(
        &mut self,
        conversation: &ConversationId,
        call: &CallRow,
        now: DateTime<Utc>,
    ) -> Result<()> {
        db::query(
            "INSERT INTO tool_calls (id, conversation_id, run_id, step, position, name, arguments, state, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(call.id.as_str())
        .bind(conversation.as_str())
        .bind(call.run.as_str())
        .bind(i64::from(call.step))
        .bind(i64::from(call.position))
        .bind(call.name.as_str())
        .bind(call.arguments.as_str())
        .bind(call.state.as_str())
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// The calls of one turn, in order.
    pub async fn calls_of_step(&mut self, run: &RunId, step: u32) -> Result<Vec<CallRow>> {
        let sql =
            format!("SELECT {COLUMNS} FROM tool_calls WHERE run_id = $1 AND step = $2 ORDER BY position");
        let rows = db::query(db::AssertSqlSafe(sql))
            .bind(run.as_str())
            .bind(i64::from(step))
            .fetch_all(self.connection())
            .await?;
        rows.iter().map(call).collect()
    }

    /// A call of a conversation.
    pub async fn call(&mut self, conversation: &ConversationId, id: &ToolCallId) -> Result<Option<CallRow>> {
        let sql = format!("SELECT {COLUMNS} FROM tool_calls WHERE id = $1 AND conversation_id = $2");
        let row = db::query(db::AssertSqlSafe(sql))
            .bind(id.as_str())
            .bind(conversation.as_str())
            .fetch_optional(self.connection())
            .await?;
        row.as_ref().map(call).transpose()
    }

    /// The earlier calls with a business key for the guest's last message, newest first: of its run,
    /// and of the runs that a retry came after.
    pub async fn calls_with_key(&mut self, conversation: &ConversationId, key: &str) -> Result<Vec<CallRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM tool_calls
             WHERE business_key = $2 AND run_id IN
                 (SELECT id FROM runs WHERE conversation_id = $1 AND created_at >=
                     (SELECT COALESCE(MAX(created_at), 0) FROM user_messages WHERE conversation_id = $1))
             ORDER BY created_at DESC, step DESC, position DESC"
        );
        let rows = db::query(db::AssertSqlSafe(sql))
            .bind(conversation.as_str())
            .bind(key)
            .fetch_all(self.connection())
            .await?;
        rows.iter().map(call).collect()
    }

    /// Writes what validation found, and where the call stands after it.
    pub async fn set_call_planned(
        &mut self,
        id: &ToolCallId,
        input: &Value,
        business_key: Option<&str>,
        state: CallState,
    ) -> Result<()> {
        db::query("UPDATE tool_calls SET proposed_input = $2, business_key = $3, state = $4 WHERE id = $1")
            .bind(id.as_str())
            .bind(to_json(input)?)
            .bind(business_key)
            .bind(state.as_str())
            .execute(self.connection())
            .await?;
        Ok(())
    }

    pub async fn set_call_state(&mut self, id: &ToolCallId, state: CallState) -> Result<()> {
        db::query("UPDATE tool_calls SET state = $2 WHERE id = $1")
            .bind(id.as_str())
            .bind(state.as_str())
            .execute(self.connection())
            .await?;
        Ok(())
    }

    pub async fn set_business_key(&mut self, id: &ToolCallId, business_key: Option<&str>) -> Result<()> {
        db::query("UPDATE tool_calls SET business_key = $2 WHERE id = $1")
            .bind(id.as_str())
            .bind(business_key)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Gives a call its one result.
    pub async fn end_call(&mut self, id: &ToolCallId, ended: EndedAs, result: &ModelResult) -> Result<()> {
        db::query(
            "UPDATE tool_calls SET state = 'ended', ended_as = $2, result_content = $3, result_note = $4,
                 result_is_error = $5
             WHERE id = $1 AND state <> 'ended'",
        )
        .bind(id.as_str())
        .bind(ended.as_str())
        .bind(result.content.as_str())
        .bind(result.note.as_deref())
        .bind(i64::from(result.is_error))
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Records what ran and what came of it.
    pub async fn record_output(&mut self, id: &ToolCallId, input: &Value, output: &Value) -> Result<()> {
        db::query("UPDATE tool_calls SET executed_input = $2, output = $3 WHERE id = $1")
            .bind(id.as_str())
            .bind(to_json(input)?)
            .bind(to_json(output)?)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Records what left, before anybody knows what comes of it.
    pub async fn start_call(&mut self, id: &ToolCallId, input: &Value) -> Result<()> {
        db::query("UPDATE tool_calls SET state = 'started', executed_input = $2 WHERE id = $1")
            .bind(id.as_str())
            .bind(to_json(input)?)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// It is known now what came of a call that ended as unknown. What the model has heard stays.
    pub async fn settle_call(
        &mut self,
        id: &ToolCallId,
        ended: EndedAs,
        output: Option<&Value>,
    ) -> Result<()> {
        db::query("UPDATE tool_calls SET ended_as = $2, output = $3 WHERE id = $1 AND ended_as = 'unknown'")
            .bind(id.as_str())
            .bind(ended.as_str())
            .bind(output.map(to_json).transpose()?)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
