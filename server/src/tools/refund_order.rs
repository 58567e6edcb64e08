//! refundOrder: an order's money back, by whoever moves it.

use std::time::Instant;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use serde_json::Value;
use shared::error_code::ErrorCode;
use shared::tools::{
    Refund, RefundFailure, RefundOrder, RefundOrderInput, RefundOrderPreview, RefundStatus,
    canonical_order_id,
};

use super::contract::{
    Answer, Came, Claim, Doing, DoneElsewhere, LookUp, NewClaim, NoEffect, Outside, Refused, Standing,
    ToolContext, ToolFailure, WriteTool,
};
use super::get_order::{left, own_order};
use crate::db::{self, Connection};
use crate::orders::refunds::{self, RefundRow, RefundState, refunded};
use crate::orders::{self, Order};
use crate::refunds as receivers;
use crate::refunds::{NoRefund, RefundReceiver, RefundRequest};

const PATH: &str = "/amount";

#[async_trait]
impl WriteTool for RefundOrder {
    async fn lock(
        transaction: &mut Connection,
        _: &ToolContext,
        input: &RefundOrderInput,
    ) -> Result<(), ToolFailure> {
        Ok(orders::lock(transaction, &input.order_id).await?)
    }

    async fn preview(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &RefundOrderInput,
    ) -> Result<RefundOrderPreview, ToolFailure> {
        let wish = Wish::check(connection, cx, input).await?;
        Ok(RefundOrderPreview {
            refunded: refunded(&wish.refunds),
            left: left(&wish.order, &wish.refunds),
            amount: wish.amount,
            order_id: wish.order.number,
            restaurant_name: wish.order.restaurant_name,
            payee: wish.order.payee,
            total: wish.order.total,
        })
    }

    fn preview_holds(approved: &RefundOrderPreview, now: &RefundOrderPreview, edited: bool) -> bool {
        approved.order_id == now.order_id
            && approved.payee == now.payee
            && (approved.amount == now.amount
                // Another amount that the person named; what is left over they named only if it was left then.
                || edited && (approved.left == now.left || now.amount != now.left))
    }

    fn doing() -> Doing<Self> {
        Doing::Elsewhere(&Self)
    }

    fn conflict(request: &RefundOrderInput, output: Option<&Refund>) -> Refused {
        let (status, how) = match output.map(|refund| refund.status) {
            Some(RefundStatus::Submitted) => ("submitted", "was submitted"),
            Some(RefundStatus::Succeeded) => ("succeeded", "has succeeded"),
            // A failed one holds no key; whoever reads this reads it a moment later.
            Some(RefundStatus::Failed) => ("failed", "has failed"),
            None => ("unknown", "was asked for, and it is not known yet what came of it"),
        };
        let amount = output.map(|refund| refund.amount).or(request.amount);
        let order = canonical_order_id(&request.order_id);
        let shown = amount.map_or_else(|| "some".to_owned(), |amount| amount.to_string());
        let message = format!("A refund of {shown} đồng for order {order} {how}. An order is refunded once.");
        let refused = Refused::new(ErrorCode::AnotherRefund, PATH, message).with("status", status);
        match amount {
            Some(amount) => refused.with("amount", amount),
            None => refused,
        }
    }
}

/// A refund that may be asked for.
struct Wish {
    order: Order,
    refunds: Vec<RefundRow>,
    amount: u64,
}

impl Wish {
    async fn check(
        connection: &mut Connection,
        cx: &ToolContext,
        input: &RefundOrderInput,
    ) -> Result<Self, ToolFailure> {
        let order = own_order(&mut *connection, cx, &input.order_id).await?;
        let refunds = refunds::of_order(connection, &order.number).await?;
        let left = left(&order, &refunds);
        if left == 0 {
            let message = format!("Of order {} nothing is left to refund.", order.number);
            return Err(Refused::new(ErrorCode::NothingLeftToRefund, "/orderId", message).into());
        }
        let amount = input.amount.unwrap_or(left);
        if amount > left {
            let message = format!("Of order {} only {left} đồng are left to refund.", order.number);
            return Err(Refused::new(ErrorCode::MoreThanLeft, PATH, message).with("left", left).into());
        }
        Ok(Self { order, refunds, amount })
    }
}

#[async_trait]
impl DoneElsewhere<Self> for RefundOrder {
    async fn claim(
        &self,
        transaction: &mut Connection,
        cx: &ToolContext,
        input: &RefundOrderInput,
        new: NewClaim<'_>,
    ) -> Result<RefundOrderInput, ToolFailure> {
        let Wish { order, refunds: _, amount } = Wish::check(transaction, cx, input).await?;
        let refund = RefundRow {
            id: new.new_id,
            order_number: order.number.clone(),
            amount,
            payee: order.payee,
            payment_reference: order.payment_reference,
            state: RefundState::Claimed,
            receiver: new.receivers.chosen(),
            key: new.key.to_owned(),
            receiver_reference: None,
            failure: None,
            tool_call: cx.tool_call_id.clone(),
            created_at: cx.now,
            settled_at: None,
        };
        refunds::insert(transaction, &refund).await?;
        let reason = input.reason.clone();
        Ok(RefundOrderInput { order_id: order.number, amount: Some(amount), reason })
    }

    async fn send(
        &self,
        outside: &Outside,
        claim: &Claim<Self>,
        latest: Instant,
    ) -> Result<Answer<Refund>, NoEffect> {
        let asked = Asked::of(outside, claim).await.map_err(NoEffect::NoAnswer)?;
        let receiver =
            asked.receiver(outside).map_err(|log| NoEffect::NotDone { refused: unavailable(), log })?;
        if Instant::now() >= latest {
            let log = "held up for so long that it was not sent".to_owned();
            return Err(NoEffect::NotDone { refused: unavailable(), log });
        }
        match receiver.refund(&asked.request).await {
            Ok(answer) => asked.answered(answer, outside.clock.now()).map_err(NoEffect::NoAnswer),
            Err(NoRefund::Rejected { code, message }) => {
                Err(NoEffect::NotDone { refused: rejected(code.as_deref()), log: message })
            }
            Err(NoRefund::NotSent(log)) => Err(NoEffect::NotDone { refused: unavailable(), log }),
            Err(NoRefund::NoAnswer(log)) => Err(NoEffect::NoAnswer(log)),
        }
    }

    async fn look_up(&self, outside: &Outside, claim: &Claim<Self>) -> LookUp<Refund> {
        let found = async {
            let asked = Asked::of(outside, claim).await?;
            match asked.receiver(outside)?.look_up(&asked.request).await {
                receivers::LookUp::Found(answer) => asked.answered(answer, outside.clock.now()).map(Some),
                receivers::LookUp::NotThere => Ok(None),
                receivers::LookUp::NoAnswer(why) => Err(why),
            }
        };
        match found.await {
            Ok(Some(answer)) => LookUp::Found(answer),
            Ok(None) => LookUp::NotThere,
            Err(why) => LookUp::NoAnswer(why),
        }
    }

    async fn record(
        &self,
        transaction: &mut Connection,
        claim: &Claim<Self>,
        came: Came<'_, Refund>,
    ) -> Result<(), db::Error> {
        let Some(row) = refunds::by_key(transaction, &claim.key).await? else {
            return Err(db::Error::Protocol(format!("no refund of the key {}", claim.key)));
        };
        let row = match came {
            Came::Answered(Answer { output, reference, standing: _ }) => RefundRow {
                state: output.status.into(),
                receiver_reference: Some(reference.clone()),
                failure: output.failure_reason,
                settled_at: output.settled_at,
                ..row
            },
            Came::Unknown => RefundRow { state: RefundState::Unknown, ..row },
            Came::NotDone => RefundRow { state: RefundState::Failed, ..row },
        };
        refunds::save(transaction, &row).await
    }

    fn news(&self, claim: &Claim<Self>, output: Option<&Refund>) -> String {
        let Some(refund) = output else {
            return format!(
                "the refund for order {} was not done: nothing was refunded. It may be asked for again",
                claim.request.order_id
            );
        };
        let how = match refund.status {
            RefundStatus::Submitted => "it was submitted; the money is not back yet",
            RefundStatus::Succeeded => "it has succeeded; the money is back",
            RefundStatus::Failed => {
                "it has failed for good; the money is not back. It may be asked for again"
            }
        };
        format!("refund of {} đồng for order {}: {how}", refund.amount, refund.order_id)
    }
}

/// A claimed refund with all that a receiver is told of it.
struct Asked {
    row: RefundRow,
    order: Order,
    request: RefundRequest,
}

impl Asked {
    async fn of(outside: &Outside, claim: &Claim<RefundOrder>) -> Result<Self, String> {
        let found = async {
            let mut connection = outside.read.acquire().await?;
            let row = refunds::by_key(&mut connection, &claim.key).await?.ok_or(db::Error::RowNotFound)?;
            let order = orders::find(&mut connection, &row.order_number).await?;
            Ok::<_, db::Error>((row, order.ok_or(db::Error::RowNotFound)?))
        };
        let (row, order) = found.await.map_err(|error| format!("its rows cannot be read: {error}"))?;
        let request = RefundRequest {
            key: claim.key.clone(),
            order: order.number.clone(),
            payment_reference: row.payment_reference.clone(),
            amount: row.amount,
            tool_call: row.tool_call.clone(),
        };
        Ok(Self { row, order, request })
    }

    /// Whoever it was claimed for, whatever is set now.
    fn receiver<'a>(&self, outside: &'a Outside) -> Result<&'a dyn RefundReceiver, String> {
        let kind = self.row.receiver;
        outside.receivers.of(kind).ok_or_else(|| format!("{} is not set up", receivers::kind_text(kind)))
    }

    fn answered(self, answer: receivers::Answer, now: DateTime<Utc>) -> Result<Answer<Refund>, String> {
        if answer.amount != self.row.amount {
            return Err(format!("a refund of {} đồng, not of {}", answer.amount, self.row.amount));
        }
        let (standing, settled_at) = match answer.status {
            RefundStatus::Submitted => (Standing::Open, None),
            RefundStatus::Succeeded => (Standing::Done, Some(now)),
            RefundStatus::Failed => (Standing::Failed, Some(now)),
        };
        let failure_reason = match answer.status {
            RefundStatus::Submitted | RefundStatus::Succeeded => None,
            RefundStatus::Failed => Some(answer.failure.unwrap_or(RefundFailure::Other)),
        };
        let output = Refund {
            reference: Some(refunds::reference(&self.row.id)),
            refund_id: self.row.id,
            order_id: self.order.number,
            restaurant_name: self.order.restaurant_name,
            payee: self.row.payee,
            amount: self.row.amount,
            status: answer.status,
            created_at: self.row.created_at,
            settled_at,
            failure_reason,
            receiver: self.row.receiver,
        };
        Ok(Answer { output, reference: answer.reference, standing })
    }
}

fn rejected(code: Option<&str>) -> Refused {
    let message = "The payment provider refused the refund; nothing was refunded.";
    let refused = Refused::new(ErrorCode::RefundRejected, "", message);
    match code {
        Some(code) => refused.with("reason", Value::from(code)),
        None => refused,
    }
}

fn unavailable() -> Refused {
    let message = "The payment provider was not reached; nothing was refunded.";
    Refused::new(ErrorCode::ReceiverUnavailable, "", message)
}
