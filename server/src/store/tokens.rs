//! What model calls have cost: each one, and each guest's day.

use chrono::{DateTime, NaiveDate, Utc};
use shared::ids::UserId;
use shared::run::Usage;

use super::{Result, RunRow, WriteTx};
use crate::db;

/// A model call that is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndedCall {
    pub step: u32,
    /// Counts from 1.
    pub attempt: u32,
    /// Why the model stopped, or why there is no turn.
    pub ended: &'static str,
    pub usage: Usage,
}

impl WriteTx {
    /// Records a call, and gives the tokens that the run's guest has used on that day, this call's with them.
    pub async fn record_model_call(
        &mut self,
        run: &RunRow,
        call: &EndedCall,
        day: NaiveDate,
        now: DateTime<Utc>,
    ) -> Result<u64> {
        let Usage { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = call.usage;
        db::query(
            "INSERT INTO model_calls (run_id, step, attempt, ended, input_tokens, output_tokens,
                 cache_read_tokens, cache_write_tokens, ended_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(run.id.as_str())
        .bind(i64::from(call.step))
        .bind(i64::from(call.attempt))
        .bind(call.ended)
        .bind(input_tokens as i64)
        .bind(output_tokens as i64)
        .bind(cache_read_tokens.unwrap_or(0) as i64)
        .bind(cache_write_tokens.unwrap_or(0) as i64)
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        let (used,): (i64,) = db::query_as(
            "INSERT INTO tokens_of_days (user_id, day, tokens) VALUES ($1, $2, $3)
             ON CONFLICT (user_id, day) DO UPDATE SET tokens = tokens_of_days.tokens + excluded.tokens
             RETURNING tokens",
        )
        .bind(run.user.as_str())
        .bind(day.to_string())
        .bind(call.usage.total() as i64)
        .fetch_one(self.connection())
        .await?;
        Ok(used as u64)
    }

    /// The tokens that a guest has used on a day, as far as calls are over.
    pub async fn tokens_of_day(&mut self, user: &UserId, day: NaiveDate) -> Result<u64> {
        let used: Option<(i64,)> =
            db::query_as("SELECT tokens FROM tokens_of_days WHERE user_id = $1 AND day = $2")
                .bind(user.as_str())
                .bind(day.to_string())
                .fetch_optional(self.connection())
                .await?;
        Ok(used.map_or(0, |(tokens,)| tokens as u64))
    }
}
