use std::time::Duration;

use chrono::{DateTime, Utc};
use shared::ids::{ConversationId, MessageId, RunId, UserId};
use shared::run::{RunStatus, Usage};

use super::{Result, Store, WriteTx, database_now, for_update, from_millis, undecodable};
use crate::db::{self, Dialect, Row};

/// One run with its counters.
#[derive(Clone, Debug)]
pub struct RunRow {
    pub id: RunId,
    pub conversation: ConversationId,
    pub user: UserId,
    pub message_id: MessageId,
    pub status: RunStatus,
    pub epoch: i64,
    pub stop_requested: bool,
    /// The step under way or last done; counts from 1.
    pub step: u32,
    /// The last step whose assistant turn is stored.
    pub turn_step: u32,
    /// The last step whose model call broke half way and was begun again.
    pub cut_step: u32,
    /// The last step whose tool results are stored.
    pub delivered_step: u32,
    pub tool_errors: u32,
    /// The last call's fingerprint, and how many times running it came.
    pub last_call: String,
    pub last_call_count: u32,
    pub usage: Usage,
    /// Milliseconds at work; waiting for a person does not count.
    pub worked_ms: u64,
    /// How often it was taken since it last came further.
    pub pickups: u32,
}

#[derive(Clone, Debug)]
pub struct NewRun {
    pub id: RunId,
    pub conversation: ConversationId,
    pub user: UserId,
    pub message_id: MessageId,
}

/// What [`progress`] binds values for.
macro_rules! progress_columns {
    () => {
        "step = $2, turn_step = $3, delivered_step = $4, tool_errors = $5, last_call = $6, last_call_count = $7,
         input_tokens = $8, output_tokens = $9, cache_read_tokens = $10, cache_write_tokens = $11, worked_ms = $12,
         updated_at = $13, pickups = $14, cut_step = $15"
    };
}

const COLUMNS: &str = "id, conversation_id, user_id, message_id, status, epoch, stop_requested, step, turn_step, \
     delivered_step, tool_errors, last_call, last_call_count, input_tokens, output_tokens, cache_read_tokens, \
     cache_write_tokens, worked_ms, pickups, cut_step";

fn run(row: &Row) -> Result<RunRow> {
    let text = |column| row.try_get::<String>(column);
    let number = |column| row.try_get::<i64>(column);
    let status = text("status")?;
    let some = |tokens: i64| (tokens > 0).then_some(tokens as u64);
    Ok(RunRow {
        id: RunId(text("id")?),
        conversation: ConversationId(text("conversation_id")?),
        user: UserId(text("user_id")?),
        message_id: MessageId(text("message_id")?),
        status: RunStatus::parse(&status).ok_or_else(|| undecodable(format!("run status {status:?}")))?,
        epoch: number("epoch")?,
        stop_requested: number("stop_requested")? != 0,
        step: number("step")? as u32,
        turn_step: number("turn_step")? as u32,
        cut_step: number("cut_step")? as u32,
        delivered_step: number("delivered_step")? as u32,
        tool_errors: number("tool_errors")? as u32,
        last_call: text("last_call")?,
        last_call_count: number("last_call_count")? as u32,
        usage: Usage {
            input_tokens: number("input_tokens")? as u64,
            output_tokens: number("output_tokens")? as u64,
            cache_read_tokens: some(number("cache_read_tokens")?),
            cache_write_tokens: some(number("cache_write_tokens")?),
        },
        worked_ms: number("worked_ms")? as u64,
        pickups: number("pickups")? as u32,
    })
}

pub(super) async fn latest_run(
    connection: &mut db::Connection,
    conversation: &ConversationId,
) -> Result<Option<RunRow>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM runs WHERE conversation_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1"
    );
    let row =
        db::query(db::AssertSqlSafe(sql)).bind(conversation.as_str()).fetch_optional(connection).await?;
    row.as_ref().map(run).transpose()
}

impl Store {
    pub async fn latest_run(&self, conversation: &ConversationId) -> Result<Option<RunRow>> {
        latest_run(&mut *self.reader().acquire().await?, conversation).await
    }

    /// Whether a run waits for a worker, or has one whose lease is over.
    pub async fn any_run_to_take(&self) -> Result<bool> {
        let sql = format!("SELECT id FROM runs WHERE {} LIMIT 1", to_take(self.dialect()));
        let row: Option<(String,)> =
            db::query_as(db::AssertSqlSafe(sql)).fetch_optional(self.reader()).await?;
        Ok(row.is_some())
    }

    /// Keeps a worker's run for longer, and says whether the guest wants it to stop; none where the run
    /// is no longer the worker's.
    pub async fn renew_lease(&self, run: &RunId, epoch: i64, lease: Duration) -> Result<Option<bool>> {
        let sql = format!(
            "UPDATE runs SET lease_until = {} + $3
             WHERE id = $1 AND epoch = $2 AND status = 'running' RETURNING stop_requested",
            database_now(self.dialect())
        );
        let mut tx = self.begin().await?;
        let row: Option<(i64,)> = db::query_as(db::AssertSqlSafe(sql))
            .bind(run.as_str())
            .bind(epoch)
            .bind(millis(lease))
            .fetch_optional(tx.connection())
            .await?;
        tx.commit().await?;
        Ok(row.map(|(stop,)| stop != 0))
    }

    /// Puts the runs of a process that is gone back into the queue: for SQLite, which has one server.
    pub async fn requeue_running(&self, now: DateTime<Utc>) -> Result<()> {
        let mut tx = self.begin().await?;
        db::query("UPDATE runs SET status = 'queued', updated_at = $1 WHERE status = 'running'")
            .bind(now.timestamp_millis())
            .execute(tx.connection())
            .await?;
        tx.commit().await
    }
}

/// The runs that any worker may take.
fn to_take(dialect: Dialect) -> String {
    format!("(status = 'queued' OR (status = 'running' AND lease_until < {}))", database_now(dialect))
}

fn progress(update: db::Query, run: &RunRow, now: DateTime<Utc>) -> db::Query {
    update
        .bind(run.id.as_str())
        .bind(i64::from(run.step))
        .bind(i64::from(run.turn_step))
        .bind(i64::from(run.delivered_step))
        .bind(i64::from(run.tool_errors))
        .bind(run.last_call.as_str())
        .bind(i64::from(run.last_call_count))
        .bind(run.usage.input_tokens as i64)
        .bind(run.usage.output_tokens as i64)
        .bind(run.usage.cache_read_tokens.unwrap_or(0) as i64)
        .bind(run.usage.cache_write_tokens.unwrap_or(0) as i64)
        .bind(run.worked_ms as i64)
        .bind(now.timestamp_millis())
        .bind(i64::from(run.pickups))
        .bind(i64::from(run.cut_step))
}

fn millis(span: Duration) -> i64 {
    i64::try_from(span.as_millis()).unwrap_or(i64::MAX)
}

impl WriteTx {
    pub async fn insert_run(&mut self, new: &NewRun, now: DateTime<Utc>) -> Result<()> {
        db::query(
            "INSERT INTO runs (id, conversation_id, user_id, message_id, status, epoch, stop_requested, step,
                 turn_step, delivered_step, tool_errors, last_call, last_call_count, input_tokens, output_tokens,
                 cache_read_tokens, cache_write_tokens, worked_ms, created_at, updated_at)
             SELECT $1, $2, $3, $4, 'queued', 0, 0, 0, 0, 0, 0, '', 0, 0, 0, 0, 0, 0,
                 -- The latest run is the one begun last, also where another server's clock is ahead.
                 CASE WHEN $5 > earlier.latest THEN $5 ELSE earlier.latest + 1 END, $5
             FROM (SELECT COALESCE(MAX(created_at), 0) AS latest FROM runs WHERE conversation_id = $2) earlier",
        )
        .bind(new.id.as_str())
        .bind(new.conversation.as_str())
        .bind(new.user.as_str())
        .bind(new.message_id.as_str())
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        Ok(())
    }

    pub async fn run(&mut self, id: &RunId) -> Result<RunRow> {
        let sql = format!("SELECT {COLUMNS} FROM runs WHERE id = $1");
        let row = db::query(db::AssertSqlSafe(sql)).bind(id.as_str()).fetch_one(self.connection()).await?;
        run(&row)
    }

    pub async fn latest_run(&mut self, conversation: &ConversationId) -> Result<Option<RunRow>> {
        latest_run(self.connection(), conversation).await
    }

    /// How many of a guest's runs are queued or at work.
    pub async fn live_runs_of(&mut self, user: &UserId) -> Result<u32> {
        let (count,): (i64,) =
            db::query_as("SELECT COUNT(*) FROM runs WHERE user_id = $1 AND status IN ('queued', 'running')")
                .bind(user.as_str())
                .fetch_one(self.connection())
                .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Keeps a run from other writers until the transaction ends: decisions, stops and its worker come one
    /// after the other.
    pub async fn lock_run(&mut self, id: &RunId) -> Result<RunRow> {
        let sql = format!("SELECT {COLUMNS} FROM runs WHERE id = $1{}", for_update(self.dialect()));
        let row = db::query(db::AssertSqlSafe(sql)).bind(id.as_str()).fetch_one(self.connection()).await?;
        run(&row)
    }

    /// The conversation's latest run, kept as by [`WriteTx::lock_run`].
    pub async fn lock_latest_run(&mut self, conversation: &ConversationId) -> Result<Option<RunRow>> {
        loop {
            let Some(latest) = self.latest_run(conversation).await? else { return Ok(None) };
            let locked = self.lock_run(&latest.id).await?;
            // While it was waited for, another message may have begun a further one.
            if self.latest_run(conversation).await?.is_some_and(|latest| latest.id == locked.id) {
                return Ok(Some(locked));
            }
        }
    }

    /// Takes a run for a worker, for as long as its lease; none where another one has it or it has ended.
    /// `id`: a certain one, else the one that has waited longest.
    pub async fn claim_run(
        &mut self,
        id: Option<&RunId>,
        lease: Duration,
        now: DateTime<Utc>,
    ) -> Result<Option<RunRow>> {
        let dialect = self.dialect();
        let skip = match (dialect, id) {
            (Dialect::Sqlite, _) => "",
            // Somebody may be deciding about it: a moment.
            (Dialect::Postgres, Some(_)) => " FOR UPDATE",
            (Dialect::Postgres, None) => " FOR UPDATE SKIP LOCKED",
        };
        let which = if id.is_some() { "id = $3 AND" } else { "" };
        let sql = format!(
            "UPDATE runs SET status = 'running', epoch = epoch + 1, pickups = pickups + 1,
                 lease_until = {} + $1, updated_at = $2
             WHERE id = (SELECT id FROM runs WHERE {which} {} ORDER BY updated_at, id LIMIT 1{skip})
             RETURNING {COLUMNS}",
            database_now(dialect),
            to_take(dialect),
        );
        let mut claim = db::query(db::AssertSqlSafe(sql)).bind(millis(lease)).bind(now.timestamp_millis());
        if let Some(id) = id {
            claim = claim.bind(id.as_str());
        }
        let row = claim.fetch_optional(self.connection()).await?;
        row.as_ref().map(run).transpose()
    }

    /// Whether this worker still has the run, and then whether the guest wants it to stop; checked at the head
    /// of every transaction that it writes. Until that ends nobody else takes the run or decides about its
    /// calls.
    pub async fn still_holds(&mut self, run: &RunRow) -> Result<Option<bool>> {
        let sql = match self.dialect() {
            Dialect::Sqlite => {
                "SELECT stop_requested FROM runs WHERE id = $1 AND epoch = $2 AND status = 'running'"
            }
            Dialect::Postgres => {
                "SELECT stop_requested FROM runs WHERE id = $1 AND epoch = $2 AND status = 'running'
                 FOR NO KEY UPDATE"
            }
        };
        let row: Option<(i64,)> =
            db::query_as(sql).bind(run.id.as_str()).bind(run.epoch).fetch_optional(self.connection()).await?;
        Ok(row.map(|(stop,)| stop != 0))
    }

    /// Gives a run back that this worker does not go on with: another one may take it at once.
    pub async fn hand_back(&mut self, run: &RunRow, now: DateTime<Utc>) -> Result<()> {
        db::query(
            "UPDATE runs SET status = 'queued', pickups = $3, worked_ms = $4, updated_at = $5
             WHERE id = $1 AND epoch = $2 AND status = 'running'",
        )
        .bind(run.id.as_str())
        .bind(run.epoch)
        .bind(i64::from(run.pickups))
        .bind(run.worked_ms as i64)
        .bind(now.timestamp_millis())
        .execute(self.connection())
        .await?;
        self.tell_run_left();
        Ok(())
    }

    /// Writes the counters that the worker keeps.
    pub async fn save_progress(&mut self, run: &RunRow, now: DateTime<Utc>) -> Result<()> {
        let update = db::query(concat!("UPDATE runs SET ", progress_columns!(), " WHERE id = $1"));
        progress(update, run, now).execute(self.connection()).await?;
        Ok(())
    }

    /// Writes the counters, and the status in which the worker leaves the run.
    pub async fn leave_run(&mut self, run: &RunRow, status: RunStatus, now: DateTime<Utc>) -> Result<()> {
        let update =
            db::query(concat!("UPDATE runs SET ", progress_columns!(), ", status = $16 WHERE id = $1"));
        progress(update, run, now).bind(status.as_str()).execute(self.connection()).await?;
        Ok(())
    }

    pub async fn set_run_status(&mut self, id: &RunId, status: RunStatus, now: DateTime<Utc>) -> Result<()> {
        db::query("UPDATE runs SET status = $2, updated_at = $3 WHERE id = $1")
            .bind(id.as_str())
            .bind(status.as_str())
            .bind(now.timestamp_millis())
            .execute(self.connection())
            .await?;
        Ok(())
    }

    pub async fn request_stop(&mut self, id: &RunId) -> Result<()> {
        db::query("UPDATE runs SET stop_requested = 1 WHERE id = $1")
            .bind(id.as_str())
            .execute(self.connection())
            .await?;
        self.notices.stops.push(id.clone());
        Ok(())
    }

    /// Keeps what a guest sends apart: what is counted for their limits stays true until the transaction
    /// ends.
    pub async fn lock_guest(&mut self, user: &UserId) -> Result<()> {
        match self.dialect() {
            Dialect::Sqlite => {}
            Dialect::Postgres => {
                db::query("SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE")
                    .bind(user.as_str())
                    .execute(self.connection())
                    .await?;
            }
        }
        Ok(())
    }

    /// How many runs a guest has started since then, and when the first of them.
    pub async fn runs_since(
        &mut self,
        user: &UserId,
        since: DateTime<Utc>,
    ) -> Result<(usize, Option<DateTime<Utc>>)> {
        let (count, first): (i64, Option<i64>) =
            db::query_as("SELECT COUNT(*), MIN(created_at) FROM runs WHERE user_id = $1 AND created_at > $2")
                .bind(user.as_str())
                .bind(since.timestamp_millis())
                .fetch_one(self.connection())
                .await?;
        Ok((usize::try_from(count).unwrap_or(usize::MAX), first.map(from_millis).transpose()?))
    }
}
