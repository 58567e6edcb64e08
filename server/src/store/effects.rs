use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::ids::{ConversationId, RunId, ToolCallId, UserId};

use super::{Result, Store, WriteTx, database_now, from_json, from_millis, to_json, undecodable};
use crate::db::{self, Dialect, Row};

/// How far an effect has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectStatus {
    /// About to be done, or being done.
    Claimed,
    Done,
    /// It may have been done.
    Unknown,
    /// Not done, or taken back for good: its key is free.
    Failed,
    /// It was done and is over: its key is free.
    Released,
}

impl EffectStatus {
    fn as_str(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Done => "done",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
            Self::Released => "released",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        [Self::Claimed, Self::Done, Self::Unknown, Self::Failed, Self::Released]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| undecodable(format!("effect status {text:?}")))
    }
}

/// One life of a business key.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectRow {
    pub id: String,
    pub tool: String,
    pub business_key: String,
    /// Counts the lives of the key.
    pub generation: i64,
    pub status: EffectStatus,
    /// The input that it was claimed with, everything resolved.
    pub request: Value,
    pub tool_call: ToolCallId,
    pub output: Option<Value>,
    pub conversation: ConversationId,
    pub run: RunId,
    /// Whose it is: a key may not say so.
    pub user: UserId,
    pub created_at: DateTime<Utc>,
    /// How long ago it was last sent to whoever does it: by the database's clock, when the row was read.
    pub asked_ago: Duration,
    /// How often they were asked how it stands.
    pub looks: i64,
    /// How often of these by a server that was not told to.
    pub server_looks: i64,
    /// The count of the latest look that has ended and found nothing new.
    pub ended_look: i64,
}

/// When somebody is asked next how an effect stands, by the database's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextLook {
    In(Duration),
    /// When it was to be anyway.
    AsPlanned,
    /// It is settled.
    Never,
}

impl NextLook {
    /// As a value for `look_at`.
    fn sql(self, dialect: Dialect) -> String {
        match self {
            Self::In(pause) => {
                let pause = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX / 2);
                format!("{} + {pause}", database_now(dialect))
            }
            Self::AsPlanned => "look_at".to_owned(),
            Self::Never => "NULL".to_owned(),
        }
    }
}

impl EffectRow {
    /// What the other side knows it by.
    pub fn key(&self) -> String {
        key_with_generation(&self.business_key, self.generation)
    }
}

/// What goes down to whoever does an effect: never used for another one.
pub fn key_with_generation(business_key: &str, generation: i64) -> String {
    format!("{business_key}#{generation}")
}

/// What is read of an effect `e`, and from where.
fn select(dialect: Dialect) -> String {
    format!(
        "SELECT e.id, e.tool, e.business_key, e.generation, e.status, e.request, e.tool_call_id, e.output, \
         c.conversation_id, c.run_id, r.user_id, e.created_at, {} - e.asked_at AS asked_ago, e.looks, \
         e.server_looks, e.ended_look \
         FROM effects e JOIN tool_calls c ON c.id = e.tool_call_id JOIN runs r ON r.id = c.run_id",
        database_now(dialect)
    )
}

fn effect(row: &Row) -> Result<EffectRow> {
    let text = |column| row.try_get::<String>(column);
    let output = row.try_get::<Option<String>>("output")?;
    Ok(EffectRow {
        id: text("id")?,
        tool: text("tool")?,
        business_key: text("business_key")?,
        generation: row.try_get("generation")?,
        status: EffectStatus::parse(&text("status")?)?,
        request: from_json(&text("request")?)?,
        tool_call: ToolCallId(text("tool_call_id")?),
        output: output.map(|output| from_json(&output)).transpose()?,
        conversation: ConversationId(text("conversation_id")?),
        run: RunId(text("run_id")?),
        user: UserId(text("user_id")?),
        created_at: from_millis(row.try_get("created_at")?)?,
        // It may have been sent by another clock that was ahead.
        asked_ago: Duration::from_millis(u64::try_from(row.try_get::<i64>("asked_ago")?).unwrap_or(0)),
        looks: row.try_get("looks")?,
        server_looks: row.try_get("server_looks")?,
        ended_look: row.try_get("ended_look")?,
    })
}

/// An effect to be recorded.
pub struct NewEffect<'a> {
    pub id: &'a str,
    pub tool: &'a str,
    pub business_key: &'a str,
    pub tool_call: &'a ToolCallId,
    /// The input that runs.
    pub request: &'a Value,
    /// Where it is done in this very transaction: claim and result in one. Else it is a claim.
    pub output: Option<&'a Value>,
}

impl Store {
    /// Effects of which it is open how they stand and that are due to be asked about, the longest due first.
    pub async fn effects_to_look_into(&self, most: u32) -> Result<Vec<EffectRow>> {
        let dialect = self.dialect();
        let sql = format!(
            "{} WHERE e.look_at <= {} ORDER BY e.look_at, e.id LIMIT $1",
            select(dialect),
            database_now(dialect)
        );
        let rows = db::query(db::AssertSqlSafe(sql)).bind(i64::from(most)).fetch_all(self.reader()).await?;
        rows.iter().map(effect).collect()
    }

    pub async fn effect(&self, id: &str) -> Result<Option<EffectRow>> {
        let sql = format!("{} WHERE e.id = $1", select(self.dialect()));
        let row = db::query(db::AssertSqlSafe(sql)).bind(id).fetch_optional(self.reader()).await?;
        row.as_ref().map(effect).transpose()
    }

    /// Effects of which nobody knows whether they were done, the oldest first.
    pub async fn unknown_effects(&self) -> Result<Vec<EffectRow>> {
        // A claim whose worker is gone is one too, until another one goes on with it.
        let sql = format!(
            "{} WHERE e.status = 'unknown'
             OR (e.status = 'claimed' AND (r.status <> 'running' OR r.lease_until < {}))
             ORDER BY e.created_at, e.id",
            select(self.dialect()),
            database_now(self.dialect())
        );
        let rows = db::query(db::AssertSqlSafe(sql)).fetch_all(self.reader()).await?;
        rows.iter().map(effect).collect()
    }
}

impl WriteTx {
    pub async fn live_effect(&mut self, tool: &str, business_key: &str) -> Result<Option<EffectRow>> {
        let sql = format!(
            "{} WHERE e.tool = $1 AND e.business_key = $2 AND e.status IN ('claimed', 'done', 'unknown')",
            select(self.dialect())
        );
        let row = db::query(db::AssertSqlSafe(sql))
            .bind(tool)
            .bind(business_key)
            .fetch_optional(self.connection())
            .await?;
        row.as_ref().map(effect).transpose()
    }

    /// The newest effect of a call.
    pub async fn effect_of_call(&mut self, call: &ToolCallId) -> Result<Option<EffectRow>> {
        let sql = format!(
            "{} WHERE e.tool_call_id = $1 ORDER BY e.generation DESC LIMIT 1",
            select(self.dialect())
        );
        let row =
            db::query(db::AssertSqlSafe(sql)).bind(call.as_str()).fetch_optional(self.connection()).await?;
        row.as_ref().map(effect).transpose()
    }

    /// Records an effect as the next life of its key, and gives its generation. Where another one is live
    /// it is a unique violation.
    pub async fn insert_effect(&mut self, new: &NewEffect<'_>, now: DateTime<Utc>) -> Result<i64> {
        let status = if new.output.is_some() { EffectStatus::Done } else { EffectStatus::Claimed };
        let sql = format!(
            "INSERT INTO effects (id, tool, business_key, generation, status, request, tool_call_id, output,
                 created_at, asked_at)
             SELECT $1, $2, $3, COALESCE(MAX(generation), 0) + 1, $4, $5, $6, $7, $8, {}
             FROM effects WHERE tool = $2 AND business_key = $3 RETURNING generation",
            database_now(self.dialect())
        );
        db::query_scalar(db::AssertSqlSafe(sql))
            .bind(new.id)
            .bind(new.tool)
            .bind(new.business_key)
            .bind(status.as_str())
            .bind(to_json(new.request)?)
            .bind(new.tool_call.as_str())
            .bind(new.output.map(to_json).transpose()?)
            .bind(now.timestamp_millis())
            .fetch_one(self.connection())
            .await
    }

    /// Writes the request of a claim with everything resolved.
    pub async fn set_effect_request(&mut self, id: &str, request: &Value) -> Result<()> {
        db::query("UPDATE effects SET request = $2 WHERE id = $1")
            .bind(id)
            .bind(to_json(request)?)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Notes that a claimed effect is sent once more.
    pub async fn note_asked(&mut self, id: &str) -> Result<()> {
        let sql = format!("UPDATE effects SET asked_at = {} WHERE id = $1", database_now(self.dialect()));
        db::query(db::AssertSqlSafe(sql)).bind(id).execute(self.connection()).await?;
        Ok(())
    }

    /// Counts a look at an open effect and says when the next one is due; false where somebody else was
    /// faster. A look that leaves that as it was planned is none of the servers' own.
    pub async fn begin_look(&mut self, effect: &EffectRow, next: NextLook) -> Result<bool> {
        let of_servers = match next {
            NextLook::In(_) | NextLook::Never => 1,
            NextLook::AsPlanned => 0,
        };
        let sql = format!(
            "UPDATE effects SET looks = looks + 1, server_looks = server_looks + {of_servers}, look_at = {}
             WHERE id = $1 AND looks = $2 AND look_at IS NOT NULL",
            next.sql(self.dialect())
        );
        let begun = db::query(db::AssertSqlSafe(sql))
            .bind(&effect.id)
            .bind(effect.looks)
            .execute(self.connection())
            .await?;
        Ok(begun.rows_affected() == 1)
    }

    /// Notes that a look has found nothing new; false where another one has begun meanwhile.
    pub async fn end_look(&mut self, effect: &EffectRow) -> Result<bool> {
        let ended = db::query("UPDATE effects SET ended_look = looks WHERE id = $1 AND looks = $2")
            .bind(&effect.id)
            .bind(effect.looks)
            .execute(self.connection())
            .await?;
        Ok(ended.rows_affected() == 1)
    }

    /// Writes what has become of an effect, if it stands as it was read; false where somebody else was
    /// faster.
    pub async fn advance_effect(
        &mut self,
        effect: &EffectRow,
        to: EffectStatus,
        output: Option<&Value>,
        next: NextLook,
    ) -> Result<bool> {
        let sql = format!(
            "UPDATE effects SET status = $4, output = COALESCE($5, output), look_at = {}
             WHERE id = $1 AND status = $2 AND looks = $3",
            next.sql(self.dialect())
        );
        let advanced = db::query(db::AssertSqlSafe(sql))
            .bind(&effect.id)
            .bind(effect.status.as_str())
            .bind(effect.looks)
            .bind(to.as_str())
            .bind(output.map(to_json).transpose()?)
            .execute(self.connection())
            .await?;
        Ok(advanced.rows_affected() == 1)
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
