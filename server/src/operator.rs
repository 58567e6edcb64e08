//! What operators do on the command line beside the server. What guests and models wrote is shown as text
//! that cannot speak to the terminal.

use std::io::{self, ErrorKind, Write};

use app::chat::turn::TurnLine;
use app::i18n::Lang;
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use serde_json::{Map, Value, json};
use shared::message::{MessagePart, Role, UiMessage};
use shared::reduce::RunView;
use shared::tools::ToolPart;

use crate::clock::Clock;
use crate::db;
use crate::handovers::{self, Handover};
use crate::settings::Handovers;
use crate::store::{OpenError, Store};
use crate::text::{for_terminal, json_for_terminal, one_line};

/// The house's clock, for times that people read.
const TIME_ZONE: Tz = chrono_tz::Asia::Ho_Chi_Minh;
/// Characters of a line that the list shows of a longer text.
const SHOWN: usize = 200;

/// Why it was not done: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum OperatorError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database does not work: {0}")]
    Database(#[from] db::Error),
    #[error("there is no handover with the reference {0:?}")]
    NoSuchHandover(String),
    #[error("the output cannot be written: {0}")]
    Output(#[source] io::Error),
}

/// Prints the conversations that were sent to a person, or one of them, or marks one as handled.
///
/// # Errors
/// Where there is no database, no such handover, or no way to write.
pub async fn handovers(
    database_url: &str,
    wanted: Handovers,
    clock: &dyn Clock,
    out: &mut (dyn Write + Send),
) -> Result<(), OperatorError> {
    let store = Store::open_existing(database_url).await?;
    let text = match wanted {
        Handovers::List { all, json } => list(&store, all, json).await?,
        Handovers::Show { reference, json } => show(&store, &reference, json).await?,
        Handovers::Done { reference } => done(&store, &reference, clock.now()).await?,
    };
    store.close().await;
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads, `head` for example, has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(OperatorError::Output),
    }
}

async fn list(store: &Store, all: bool, json: bool) -> Result<String, OperatorError> {
    let mut connection = store.reader().acquire().await?;
    let found = handovers::list(&mut connection, all).await?;
    if json {
        let all: Vec<Value> = found.iter().map(as_json).collect();
        return Ok(pretty(&json!({ "handovers": all })));
    }
    if found.is_empty() {
        let which = if all { "No conversation was sent to a person yet." } else { "Nothing waits." };
        return Ok(format!("{which}\n"));
    }
    let heads: Vec<String> = found.iter().map(head).collect();
    let waiting = found.iter().filter(|handover| handover.done_at.is_none()).count();
    Ok(format!("{}\n{waiting} waiting, {} shown\n", heads.join("\n"), found.len()))
}

async fn show(store: &Store, reference: &str, json: bool) -> Result<String, OperatorError> {
    let handover = {
        let mut connection = store.reader().acquire().await?;
        let found = handovers::find(&mut connection, &tidy(reference)).await?;
        found.ok_or_else(|| OperatorError::NoSuchHandover(reference.to_owned()))?
    };
    let conversation = store.view(&handover.conversation).await?;
    if json {
        let shown = json!({ "handover": as_json(&handover), "messages": conversation.messages });
        return Ok(pretty(&shown));
    }
    let run = conversation.run.as_ref();
    let messages: Vec<String> =
        conversation.messages.iter().map(|message| transcript(message, run)).collect();
    Ok(format!("{}\n{}", head(&handover), messages.concat()))
}

async fn done(store: &Store, reference: &str, now: DateTime<Utc>) -> Result<String, OperatorError> {
    let mut tx = store.begin().await?;
    let found = handovers::find(tx.connection(), &tidy(reference)).await?;
    let handover = found.ok_or_else(|| OperatorError::NoSuchHandover(reference.to_owned()))?;
    let marked = handovers::mark_done(tx.connection(), &handover.reference, now).await?;
    tx.commit().await?;
    let said = if marked { "is marked as handled" } else { "was handled before" };
    Ok(format!("{} {said}.\n", handover.reference))
}

/// A reference as it may be typed.
fn tidy(reference: &str) -> String {
    reference.trim().to_ascii_uppercase()
}

/// What stands on the list about one, with a line break at its end.
fn head(handover: &Handover) -> String {
    let Handover { reference, conversation, run, reply_to, note, sent_at, done_at, status, title } = handover;
    let state = match done_at {
        Some(done_at) => format!("handled {}", local(*done_at)),
        None => "waits".to_owned(),
    };
    let mut head = format!("{reference}  {}  {state}  run {}\n", local(*sent_at), status.as_str());
    let mut line = |name: &str, text: &str| head.push_str(&format!("  {name:<13} {text}\n"));
    line("title", &one_line(title, SHOWN));
    line("reach", &reply_to.as_deref().map_or("not said".to_owned(), |text| one_line(text, SHOWN)));
    if let Some(note) = note {
        line("note", &indented(note, 16));
    }
    line("conversation", &one_line(conversation.as_str(), SHOWN));
    line("run", &one_line(run.as_str(), SHOWN));
    head
}

fn local(moment: DateTime<Utc>) -> String {
    moment.with_timezone(&TIME_ZONE).format("%Y-%m-%d %H:%M %:z").to_string()
}

fn as_json(handover: &Handover) -> Value {
    let Handover { reference, conversation, run, reply_to, note, sent_at, done_at, status, title } = handover;
    let mut fields = Map::new();
    let mut field = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), value);
        }
    };
    field("reference", Some(json!(reference)));
    field("sentAt", Some(json!(sent_at)));
    field("doneAt", done_at.map(|done_at| json!(done_at)));
    field("runStatus", Some(json!(status)));
    field("title", Some(json!(title)));
    field("replyTo", reply_to.as_ref().map(|text| json!(text)));
    field("note", note.as_ref().map(|text| json!(text)));
    field("conversationId", Some(json!(conversation)));
    field("runId", Some(json!(run)));
    Value::Object(fields)
}

fn pretty(value: &Value) -> String {
    json_for_terminal(&format!("{value:#}\n"))
}

/// One message: who, what was said and called, and what the record says came of it.
fn transcript(message: &UiMessage, run: Option<&RunView>) -> String {
    let who = match message.role {
        Role::User => "GUEST",
        Role::Assistant => "ASSISTANT",
    };
    let mut text = format!("{who}\n");
    for (place, part) in message.parts.iter().enumerate() {
        match part {
            MessagePart::Text(said) => {
                if message.withdrawn_from.is_some_and(|from| place >= from) {
                    text.push_str("  WITHDRAWN: the model declined this turn\n");
                }
                text.push_str(&format!("  | {}\n", quoted(said)));
            }
            // What the model told itself is no answer to anybody.
            MessagePart::Reasoning(_) => {}
            MessagePart::Tool(part) => text.push_str(&called(part)),
        }
    }
    if let Some(line) = TurnLine::of(message, run) {
        let outcome = line.sentences(Lang::En).join(" ");
        text.push_str(&format!("  OUTCOME: {}\n", one_line(&outcome, usize::MAX)));
    }
    text.push('\n');
    text
}

/// A tool call: its name and state, then what is recorded of it, as JSON.
fn called(part: &ToolPart) -> String {
    let name = one_line(part.tool_name(), SHOWN);
    let mut text = format!(
        "  TOOL {name} [{}] {}\n",
        part.state().as_str(),
        one_line(part.tool_call_id().as_str(), SHOWN)
    );
    let Ok(Value::Object(fields)) = serde_json::to_value(part) else { return text };
    let told = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "type" | "state" | "toolCallId"));
    for (name, value) in told {
        text.push_str(&format!("       {name}: {}\n", json_for_terminal(&value.to_string())));
    }
    text
}

/// Every line of what somebody wrote stands behind a bar, so that none passes for one of ours.
fn quoted(text: &str) -> String {
    for_terminal(text).replace('\n', "\n  | ")
}

fn indented(text: &str, by: usize) -> String {
    for_terminal(text).replace('\n', &format!("\n{}", " ".repeat(by)))
}
