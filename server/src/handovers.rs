//! The list of conversations that guests have sent to a person of the house.

use chrono::{DateTime, Utc};
use shared::ids::{ConversationId, RunId, UserId};
use shared::run::RunStatus;

use crate::db::{self, Connection};
use crate::restaurants::bookings::reference;

/// One conversation on the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Handover {
    /// Short, to be read out.
    pub reference: String,
    pub conversation: ConversationId,
    pub run: RunId,
    /// How the guest can be reached, in their own words.
    pub reply_to: Option<String>,
    pub note: Option<String>,
    pub sent_at: DateTime<Utc>,
    /// When it was marked as handled; none: it waits.
    pub done_at: Option<DateTime<Utc>>,
    /// Of the run, as it stands now.
    pub status: RunStatus,
    /// The conversation's: the start of its first message.
    pub title: String,
}

pub struct NewHandover<'a> {
    /// What the reference is made of: any unique text.
    pub id: &'a str,
    pub conversation: &'a ConversationId,
    pub run: &'a RunId,
    pub reply_to: Option<&'a str>,
    pub note: Option<&'a str>,
}

const COLUMNS: &str = "h.reference, h.conversation_id, h.run_id, h.reply_to, h.note, h.created_at, h.done_at, \
     r.status, c.title";
const FROM: &str =
    "FROM handovers h JOIN runs r ON r.id = h.run_id JOIN conversations c ON c.id = h.conversation_id";

type Row = (String, String, String, Option<String>, Option<String>, i64, Option<i64>, String, String);

fn read(row: Row) -> Result<Handover, db::Error> {
    let (reference, conversation, run, reply_to, note, sent_at, done_at, status, title) = row;
    let unreadable = |what: String| db::Error::Decode(what.into());
    let time = |millis: i64| {
        DateTime::from_timestamp_millis(millis).ok_or_else(|| unreadable("a time out of range".to_owned()))
    };
    Ok(Handover {
        reference,
        conversation: ConversationId(conversation),
        run: RunId(run),
        reply_to,
        note,
        sent_at: time(sent_at)?,
        done_at: done_at.map(time).transpose()?,
        status: RunStatus::parse(&status).ok_or_else(|| unreadable(format!("run status {status:?}")))?,
        title,
    })
}

/// The run that a handover is about: the named one of this conversation, else its latest. None where there
/// is no such run, or none yet.
pub async fn run_of(
    connection: &mut Connection,
    conversation: &ConversationId,
    named: Option<&RunId>,
) -> Result<Option<RunId>, db::Error> {
    let found: Option<(String,)> =
        match named {
            // PostgreSQL takes no NUL, not even to say that there is no such thing.
            Some(run) if run.as_str().contains('\0') => None,
            Some(run) => {
                db::query_as("SELECT id FROM runs WHERE conversation_id = $1 AND id = $2")
                    .bind(conversation.as_str())
                    .bind(run.as_str())
                    .fetch_optional(connection)
                    .await?
            }
            None => db::query_as(
                "SELECT id FROM runs WHERE conversation_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1",
            )
            .bind(conversation.as_str())
            .fetch_optional(connection)
            .await?,
        };
    Ok(found.map(|(id,)| RunId(id)))
}

/// Puts a run's conversation on the list. One that is there keeps its reference and its time; what the
/// guest says anew about it replaces what they said before, and it waits again.
pub async fn send(
    transaction: &mut Connection,
    new: &NewHandover<'_>,
    now: DateTime<Utc>,
) -> Result<Handover, db::Error> {
    let reference = free_reference(&mut *transaction, new.id).await?;
    db::query(
        "INSERT INTO handovers (reference, conversation_id, run_id, reply_to, note, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (run_id) DO NOTHING",
    )
    .bind(&reference)
    .bind(new.conversation.as_str())
    .bind(new.run.as_str())
    .bind(new.reply_to)
    .bind(new.note)
    .bind(now.timestamp_millis())
    .execute(&mut *transaction)
    .await?;
    let there = of_run(&mut *transaction, new.run).await?.ok_or(db::Error::RowNotFound)?;
    let is_news = |new: Option<&str>, before: Option<&str>| new.is_some() && new != before;
    if !is_news(new.reply_to, there.reply_to.as_deref()) && !is_news(new.note, there.note.as_deref()) {
        return Ok(there);
    }
    let (reply_to, note) = (new.reply_to.or(there.reply_to.as_deref()), new.note.or(there.note.as_deref()));
    db::query("UPDATE handovers SET reply_to = $2, note = $3, done_at = NULL WHERE reference = $1")
        .bind(&there.reference)
        .bind(reply_to)
        .bind(note)
        .execute(&mut *transaction)
        .await?;
    of_run(transaction, new.run).await?.ok_or(db::Error::RowNotFound)
}

/// The runs of a guest that were put on the list since then.
pub async fn sent_since(
    connection: &mut Connection,
    user: &UserId,
    since: DateTime<Utc>,
) -> Result<Vec<RunId>, db::Error> {
    let rows: Vec<(String,)> = db::query_as(
        "SELECT h.run_id FROM handovers h JOIN runs r ON r.id = h.run_id
         WHERE r.user_id = $1 AND h.created_at > $2",
    )
    .bind(user.as_str())
    .bind(since.timestamp_millis())
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|(id,)| RunId(id)).collect())
}

const REFERENCE_ATTEMPTS: u32 = 32;

async fn free_reference(transaction: &mut Connection, id: &str) -> Result<String, db::Error> {
    for attempt in 0..REFERENCE_ATTEMPTS {
        let reference = reference(id, attempt);
        if find(&mut *transaction, &reference).await?.is_none() {
            return Ok(reference);
        }
    }
    Err(db::Error::Protocol(format!("no free reference for handover {id}")))
}

/// The handover of a run, if there is one.
pub async fn of_run(connection: &mut Connection, run: &RunId) -> Result<Option<Handover>, db::Error> {
    one(connection, "h.run_id", run.as_str()).await
}

/// The newest handover of a conversation.
pub async fn newest_of(
    connection: &mut Connection,
    conversation: &ConversationId,
) -> Result<Option<Handover>, db::Error> {
    let sql = format!(
        "SELECT {COLUMNS} {FROM} WHERE h.conversation_id = $1 ORDER BY h.created_at DESC, h.reference LIMIT 1"
    );
    let row: Option<Row> =
        db::query_as(db::AssertSqlSafe(sql)).bind(conversation.as_str()).fetch_optional(connection).await?;
    row.map(read).transpose()
}

/// The handover with this reference.
pub async fn find(connection: &mut Connection, reference: &str) -> Result<Option<Handover>, db::Error> {
    one(connection, "h.reference", reference).await
}

async fn one(
    connection: &mut Connection,
    column: &'static str,
    value: &str,
) -> Result<Option<Handover>, db::Error> {
    let sql = format!("SELECT {COLUMNS} {FROM} WHERE {column} = $1");
    let row: Option<Row> =
        db::query_as(db::AssertSqlSafe(sql)).bind(value).fetch_optional(connection).await?;
    row.map(read).transpose()
}

/// The list, the oldest first; with `all` the handled ones too.
pub async fn list(connection: &mut Connection, all: bool) -> Result<Vec<Handover>, db::Error> {
    let which = if all { "" } else { "WHERE h.done_at IS NULL" };
    let sql = format!("SELECT {COLUMNS} {FROM} {which} ORDER BY h.created_at, h.reference");
    let rows: Vec<Row> = db::query_as(db::AssertSqlSafe(sql)).fetch_all(connection).await?;
    rows.into_iter().map(read).collect()
}

/// Marks one as handled; false where it was so before, or is not there.
pub async fn mark_done(
    connection: &mut Connection,
    reference: &str,
    now: DateTime<Utc>,
) -> Result<bool, db::Error> {
    let marked = db::query("UPDATE handovers SET done_at = $2 WHERE reference = $1 AND done_at IS NULL")
        .bind(reference)
        .bind(now.timestamp_millis())
        .execute(connection)
        .await?;
    Ok(marked.rows_affected() == 1)
}
