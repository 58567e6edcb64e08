//! How a run ends: no part is left moving, every call has a result, the history stays valid.

use chrono::{DateTime, Utc};
use shared::api::Decision;
use shared::event::{AgentEvent, CancelReason};
use shared::run::{RunStatus, Usage};

use super::{calls, leaving};
use crate::db::Error;
use crate::model::{ModelMessage, ToolResult};
use crate::store::{ApprovalStatus, CallRow, CallState, RunRow, WriteTx};

/// Ends a run in the caller's transaction. `before`: events that come first.
pub async fn end_run(
    tx: &mut WriteTx,
    run: &mut RunRow,
    status: RunStatus,
    open_calls: CancelReason,
    before: Vec<AgentEvent>,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let mut events = before;
    if run.turn_step > run.delivered_step {
        events.extend(cancel_open_calls(tx, run, open_calls, now).await?);
        let calls = tx.calls_of_step(&run.id, run.turn_step).await?;
        deliver_results(tx, run, calls).await?;
    }
    events.push(finished(run, status));
    tx.append(&run.conversation, now, &events).await?;
    tx.leave_run(run, status, now).await?;
    run.status = status;
    Ok(())
}

pub fn finished(run: &RunRow, status: RunStatus) -> AgentEvent {
    let usage = (run.usage != Usage::default()).then_some(run.usage);
    AgentEvent::RunFinished { run_id: run.id.clone(), status, usage }
}

/// Cancels what of the turn has not ended; what waits for a person waits no longer.
async fn cancel_open_calls(
    tx: &mut WriteTx,
    run: &RunRow,
    reason: CancelReason,
    now: DateTime<Utc>,
) -> Result<Vec<AgentEvent>, Error> {
    let mut events = Vec::new();
    for call in tx.calls_of_step(&run.id, run.turn_step).await? {
        match call.state {
            CallState::Ended => continue,
            CallState::Planned | CallState::Ready | CallState::Approved => {
                events.push(calls::cancel(tx, &call.id, reason).await?);
            }
            // What has started is not taken back: what came of it is looked into.
            CallState::Started => events.push(leaving::leave_unknown(tx, &call, now).await?),
            CallState::Waiting => {
                let mut reason = reason;
                for approval in tx.approvals_of(&call.id).await? {
                    if approval.status != ApprovalStatus::Pending {
                        continue;
                    }
                    if approval.expires_at <= now {
                        reason = CancelReason::Expired;
                    }
                    tx.decide(&approval.id, decision_for(reason), None, now).await?;
                }
                events.push(calls::cancel(tx, &call.id, reason).await?);
            }
        }
    }
    Ok(events)
}

fn decision_for(reason: CancelReason) -> Decision {
    match reason {
        CancelReason::Superseded => Decision::Superseded,
        CancelReason::Expired => Decision::Expired,
        CancelReason::Stopped | CancelReason::Interrupted | CancelReason::Limit | CancelReason::Repeated => {
            Decision::Stopped
        }
    }
}

/// Writes the results of the turn into the history: all of them, in one message, in order. `calls`: those of the
/// turn, as they stand in this transaction.
pub async fn deliver_results(
    tx: &mut WriteTx,
    run: &mut RunRow,
    calls: Vec<CallRow>,
) -> Result<ModelMessage, Error> {
    let mut results = Vec::with_capacity(calls.len());
    for call in calls {
        let result = call.result.ok_or_else(|| Error::Protocol("a call without a result".into()))?;
        results.push(ToolResult {
            tool_call_id: call.id,
            content: result.content,
            note: result.note,
            is_error: result.is_error,
        });
    }
    let message = ModelMessage::ToolResults { results };
    tx.append_history(&run.conversation, &run.id, &message).await?;
    run.delivered_step = run.turn_step;
    Ok(message)
}
