use chrono::{DateTime, Utc};
use serde_json::Value;
use sha2::{Digest, Sha256};
use shared::api::Decision;
use shared::ids::{ApprovalId, ConversationId, RunId, ToolCallId, UserId};

use super::sessions::hex;
use super::{Result, Store, WriteTx, from_json, from_millis, to_json, undecodable};
use crate::db::{self, Row};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprovalStatus {
    Pending,
    Decided(Decision),
}

/// One question to a person: bound to owner, conversation, run, call, tool and arguments.
#[derive(Clone, Debug)]
pub struct ApprovalRow {
    pub id: ApprovalId,
    pub tool_call: ToolCallId,
    pub conversation: ConversationId,
    pub run: RunId,
    pub user: UserId,
    pub tool: String,
    /// What a plain yes would run.
    pub input: Value,
    pub preview: Value,
    pub status: ApprovalStatus,
    /// What the person made of the input; replaces it as a whole.
    pub edited_input: Option<Value>,
    pub expires_at: DateTime<Utc>,
}

const COLUMNS: &str = "id, tool_call_id, conversation_id, run_id, user_id, tool, arguments_hash, input, preview, \
     status, edited_input, expires_at";

fn decision_text(decision: Decision) -> &'static str {
    match decision {
        Decision::Approved => "approved",
        Decision::Declined => "declined",
        Decision::Expired => "expired",
        Decision::Superseded => "superseded",
        Decision::Stopped => "stopped",
    }
}

fn status(text: &str) -> Result<ApprovalStatus> {
    let decisions =
        [Decision::Approved, Decision::Declined, Decision::Expired, Decision::Superseded, Decision::Stopped];
    match text {
        "pending" => Ok(ApprovalStatus::Pending),
        _ => decisions
            .into_iter()
            .find(|decision| decision_text(*decision) == text)
            .map(ApprovalStatus::Decided)
            .ok_or_else(|| undecodable(format!("approval status {text:?}"))),
    }
}

fn arguments_hash(input_json: &str) -> String {
    hex(&Sha256::digest(input_json.as_bytes()))
}

fn approval(row: &Row) -> Result<ApprovalRow> {
    let text = |column| row.try_get::<String>(column);
    let input = text("input")?;
    if arguments_hash(&input) != text("arguments_hash")? {
        return Err(undecodable("an approval's arguments are not the ones that were shown"));
    }
    Ok(ApprovalRow {
        id: ApprovalId(text("id")?),
        tool_call: ToolCallId(text("tool_call_id")?),
        conversation: ConversationId(text("conversation_id")?),
        run: RunId(text("run_id")?),
        user: UserId(text("user_id")?),
        tool: text("tool")?,
        input: from_json(&input)?,
        preview: from_json(&text("preview")?)?,
        status: status(&text("status")?)?,
        edited_input: row
            .try_get::<Option<String>>("edited_input")?
            .map(|input| from_json(&input))
            .transpose()?,
        expires_at: from_millis(row.try_get("expires_at")?)?,
    })
}

impl Store {
    /// Runs with questions whose time is up.
    pub async fn runs_with_expired(&self, now: DateTime<Utc>) -> Result<Vec<RunId>> {
        let rows: Vec<(String,)> = db::query_as(
            "SELECT DISTINCT run_id FROM approvals WHERE status = 'pending' AND expires_at <= $1 LIMIT 100",
        )
        .bind(now.timestamp_millis())
        .fetch_all(self.reader())
        .await?;
        Ok(rows.into_iter().map(|(id,)| RunId(id)).collect())
    }
}

impl WriteTx {
    pub async fn insert_approval(&mut self, new: &ApprovalRow, now: DateTime<Utc>) -> Result<()> {
        let input = to_json(&new.input)?;
        db::query(
            "INSERT INTO approvals (id, tool_call_id, conversation_id, run_id, user_id, tool, arguments_hash, input,
                 preview, status, expires_at, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'pending', $10, $11)",
        )
        .bind(new.id.as_str())
        .bind(new.tool_call.as_str())
        .bind(new.conversation.as_str())
        .bind(new.run.as_str())
        .bind(new.user.as_str())
        .bind(new.tool.as_str())
        .bind(arguments_hash(&input))
        .bind(input)
        .bind(to_json(&new.preview)?)
        .bind(new.expires_at.timestamp_millis())
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// A call's approvals, the standing one first.
    pub async fn approvals_of(&mut self, call: &ToolCallId) -> Result<Vec<ApprovalRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM approvals WHERE tool_call_id = $1 ORDER BY created_at DESC, id DESC"
        );
        let rows = db::query(db::AssertSqlSafe(sql)).bind(call.as_str()).fetch_all(self.connection()).await?;
        rows.iter().map(approval).collect()
    }

    /// The questions of a run whose time is up.
    pub async fn expired_approvals(&mut self, run: &RunId, now: DateTime<Utc>) -> Result<Vec<ApprovalRow>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM approvals WHERE run_id = $1 AND status = 'pending' AND expires_at <= $2
             ORDER BY expires_at, id"
        );
        let rows = db::query(db::AssertSqlSafe(sql))
            .bind(run.as_str())
            .bind(now.timestamp_millis())
            .fetch_all(self.connection())
            .await?;
        rows.iter().map(approval).collect()
    }

    /// Decides a pending approval; false where it was decided already.
    pub async fn decide(
        &mut self,
        id: &ApprovalId,
        decision: Decision,
        edited_input: Option<&Value>,
        now: DateTime<Utc>,
    ) -> Result<bool> {
        let decided = db::query(
            "UPDATE approvals SET status = $2, edited_input = $3, decided_at = $4
             WHERE id = $1 AND status = 'pending'",
        )
        .bind(id.as_str())
        .bind(decision_text(decision))
        .bind(edited_input.map(to_json).transpose()?)
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(decided.rows_affected() == 1)
    }

    /// Whether the guest has decided anything of a turn.
    pub async fn guest_decided_any(&mut self, run: &RunId, step: u32) -> Result<bool> {
        let row: Option<(String,)> = db::query_as(
            "SELECT a.id FROM approvals a JOIN tool_calls c ON c.id = a.tool_call_id
             WHERE c.run_id = $1 AND c.step = $2 AND a.status IN ('approved', 'declined') LIMIT 1",
        )
        .bind(run.as_str())
        .bind(i64::from(step))
        .fetch_optional(self.connection())
        .await?;
        Ok(row.is_some())
    }
}
