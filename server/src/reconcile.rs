//! `truthtable reconcile`: effects of which nobody knows whether they were done; looks again, and says what
//! is known now.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::agent::settling::{LOOK_TIMEOUT, Looked, Looker, Settler};
use crate::clock::{Clock, SystemClock};
use crate::db;
use crate::ids::{Ids, RandomIds};
use crate::orders::refunds;
use crate::refunds::StripeSetupError;
use crate::serve::receivers;
use crate::settings::{Reconcile, Settings};
use crate::store::{EffectRow, EffectStatus, OpenError, Store};
use crate::text::{json_for_terminal, one_line};
use crate::tools::contract::Outside;

const LEFT: u8 = 1;
const NOT_POSSIBLE: u8 = 2;

/// Characters of a line that is shown of a text.
const SHOWN: usize = 200;

/// After so long a look has ended and is recorded.
const LONGEST_LOOK: Duration = LOOK_TIMEOUT.saturating_add(Duration::from_secs(1));
/// Between two glances at how somebody else's look goes.
const PAUSE: Duration = Duration::from_millis(50);

/// Why it was not possible: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
enum ReconcileError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the database does not work: {0}")]
    Database(#[from] db::Error),
    #[error("TRUTHTABLE_STRIPE_URL: Stripe cannot be asked: {0}")]
    Stripe(#[from] StripeSetupError),
}

/// Runs the command and says on stdout what it found.
pub async fn run(settings: &Settings, wanted: Reconcile) -> ExitCode {
    let found = match reconcile(settings, wanted).await {
        Ok(found) => found,
        Err(error) => {
            eprintln!("truthtable: {error}");
            return ExitCode::from(NOT_POSSIBLE);
        }
    };
    let text = if wanted.json { as_json(&found) } else { as_text(&found, wanted) };
    // Whoever reads, `head` for example, may have seen enough.
    let _ = std::io::stdout().write_all(text.as_bytes());
    if found.iter().any(|found| found.known.is_none()) { ExitCode::from(LEFT) } else { ExitCode::SUCCESS }
}

/// An effect that was unknown, and what came of it where that is known now.
struct Found {
    effect: EffectRow,
    /// What guests call it, where it is a refund.
    reference: Option<String>,
    known: Option<Known>,
}

enum Known {
    /// It was done, and this is how it stands.
    Output(Value),
    /// Nothing was done.
    NotDone,
}

async fn reconcile(settings: &Settings, wanted: Reconcile) -> Result<Vec<Found>, ReconcileError> {
    let store = Store::open_existing(&settings.database_url).await?;
    let (clock, ids): (Arc<dyn Clock>, Arc<dyn Ids>) = (Arc::new(SystemClock), Arc::new(RandomIds));
    let settler = Settler {
        outside: Outside {
            read: store.reader().clone(),
            receivers: receivers(settings, &store, clock.clone(), ids.clone())?,
            clock,
        },
        store: store.clone(),
        ids,
        looker: Looker::Operator,
        look_again: settings.limits().look_again,
        give_up: settings.limits().give_up,
    };
    let mut found = Vec::new();
    for effect in store.unknown_effects().await? {
        let known = if wanted.looks { look_into(&settler, &effect).await? } else { None };
        let reference = reference_of(&store, &effect).await?;
        found.push(Found { effect, reference, known });
    }
    store.close().await;
    Ok(found)
}

async fn reference_of(store: &Store, effect: &EffectRow) -> Result<Option<String>, db::Error> {
    let mut connection = store.reader().acquire().await?;
    let refund = refunds::by_key(&mut connection, &effect.key()).await?;
    Ok(refund.map(|refund| refunds::reference(&refund.id)))
}

async fn look_into(settler: &Settler, effect: &EffectRow) -> Result<Option<Known>, db::Error> {
    match settler.look_into(effect.clone()).await? {
        Looked::Settled { output: Some(output), .. } => Ok(Some(Known::Output(output))),
        Looked::Settled { output: None, .. } => Ok(Some(Known::NotDone)),
        Looked::Open(_) => Ok(None),
        Looked::TakenBySomebodyElse => found_by_another(&settler.store, effect).await,
    }
}

/// What a server, or another command, has found that looks at this very moment.
async fn found_by_another(store: &Store, effect: &EffectRow) -> Result<Option<Known>, db::Error> {
    let begun = Instant::now();
    loop {
        let Some(stands) = store.effect(&effect.id).await? else { return Ok(None) };
        match (stands.status, stands.output) {
            (EffectStatus::Done | EffectStatus::Failed | EffectStatus::Released, Some(output)) => {
                return Ok(Some(Known::Output(output)));
            }
            (EffectStatus::Failed | EffectStatus::Released, None) => return Ok(Some(Known::NotDone)),
            // Whoever takes up its run goes on with it.
            (EffectStatus::Claimed, _) | (EffectStatus::Done, None) => return Ok(None),
            (EffectStatus::Unknown, _) => {}
        }
        // The other one has found nothing new, or will not come back.
        if stands.ended_look == stands.looks || begun.elapsed() >= LONGEST_LOOK {
            return Ok(None);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

fn as_json(found: &[Found]) -> String {
    let effects: Vec<Value> = found.iter().map(one_as_json).collect();
    let left = found.iter().filter(|found| found.known.is_none()).count();
    json_for_terminal(&format!("{:#}\n", json!({ "effects": effects, "left": left })))
}

fn one_as_json(found: &Found) -> Value {
    let Found { effect, reference, known } = found;
    let mut fields = Map::new();
    let mut field = |name: &str, value: Value| fields.insert(name.to_owned(), value);
    field("tool", json!(effect.tool));
    field("key", json!(effect.key()));
    if let Some(reference) = reference {
        field("reference", json!(reference));
    }
    field("request", effect.request.clone());
    field("since", json!(effect.created_at));
    field("looks", json!(effect.looks));
    field("conversationId", json!(effect.conversation));
    field("runId", json!(effect.run));
    field("toolCallId", json!(effect.tool_call));
    match known {
        None => field("outcome", json!("unknown")),
        Some(Known::NotDone) => field("outcome", json!("not-done")),
        Some(Known::Output(output)) => {
            field("output", output.clone());
            field("outcome", json!("done"))
        }
    };
    Value::Object(fields)
}

fn as_text(found: &[Found], wanted: Reconcile) -> String {
    if found.is_empty() {
        return "Nothing is unknown.\n".to_owned();
    }
    let mut text: String = found.iter().map(one_as_text).collect::<Vec<_>>().join("\n");
    let left = found.iter().filter(|found| found.known.is_none()).count();
    let settled = found.len() - left;
    text.push_str(&match wanted.looks {
        true => format!("\n{settled} settled, {left} still unknown\n"),
        false => format!("\n{left} unknown\n"),
    });
    text
}

fn one_as_text(found: &Found) -> String {
    let Found { effect, reference, known } = found;
    let outcome = match known {
        None => "still unknown".to_owned(),
        Some(Known::NotDone) => "not done".to_owned(),
        Some(Known::Output(output)) => match output.get("status").and_then(Value::as_str) {
            Some(status) => format!("done: {}", one_line(status, SHOWN)),
            None => "done".to_owned(),
        },
    };
    let mut text = format!("{}  {}  {outcome}\n", one_line(&effect.key(), SHOWN), effect.tool);
    let mut line = |name: &str, value: &str| text.push_str(&format!("  {name:<13} {value}\n"));
    if let Some(reference) = reference {
        line("reference", reference);
    }
    line("since", &local(effect.created_at));
    if let Value::Object(request) = &effect.request {
        for (name, value) in request {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            line(name, &one_line(&value, SHOWN));
        }
    }
    line("conversation", &one_line(effect.conversation.as_str(), SHOWN));
    line("run", &one_line(effect.run.as_str(), SHOWN));
    text
}

/// By the house's clock.
fn local(moment: DateTime<Utc>) -> String {
    moment.with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).format("%Y-%m-%d %H:%M %:z").to_string()
}
