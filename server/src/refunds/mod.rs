//! Who moves the money of a refund: this server's own ledger, or Stripe.
//!
//! **Invariants:** a receiver is asked outside of any transaction of ours, and knows no conversation.
//! Whatever it answers is one of few cases; only a definite no is told as one.

mod ledger;
mod stripe;

use std::sync::Arc;

use async_trait::async_trait;
use shared::ids::ToolCallId;
use shared::tools::{RefundFailure, RefundReceiver as Kind, RefundStatus};

pub use ledger::Ledger;
pub use stripe::{Stripe, StripeSettings, StripeSetupError, Timeouts};

/// Somebody who refunds.
#[async_trait]
pub trait RefundReceiver: Send + Sync {
    fn kind(&self) -> Kind;

    /// Asks for a refund. The same key again is the same refund, as far as the receiver keeps to that.
    ///
    /// # Errors
    /// Where it was not done for certain, or where nobody knows.
    async fn refund(&self, request: &RefundRequest) -> Result<Answer, NoRefund>;

    /// Looks for the refund with the request's key.
    async fn look_up(&self, request: &RefundRequest) -> LookUp;
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundRequest {
    /// Names the refund for good: never used for another one.
    pub key: String,
    /// The order's number.
    pub order: String,
    /// The payment at the receiver, where it knows one.
    pub payment_reference: Option<String>,
    /// Whole đồng.
    pub amount: u64,
    /// The call that asks for it.
    pub tool_call: ToolCallId,
}

/// A refund as the receiver has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the receiver calls it.
    pub reference: String,
    /// Whole đồng.
    pub amount: u64,
    pub status: RefundStatus,
    /// Where it failed.
    pub failure: Option<RefundFailure>,
}

/// Why there is no answer. Texts are for the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRefund {
    /// It said no. `code`: its own word for the reason, a plain one.
    #[error("rejected: {message}")]
    Rejected { code: Option<String>, message: String },
    /// It never got as far as doing it.
    #[error("not sent: {0}")]
    NotSent(String),
    /// It may have been done.
    #[error("no answer: {0}")]
    NoAnswer(String),
}

/// What looking for a refund gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookUp {
    Found(Answer),
    /// The receiver answered, and has no such refund.
    NotThere,
    /// Why not, for the log.
    NoAnswer(String),
}

/// The receivers that this server can ask, and the one for new refunds.
#[derive(Clone)]
pub struct Receivers {
    chosen: Arc<dyn RefundReceiver>,
    others: Vec<Arc<dyn RefundReceiver>>,
}

impl Receivers {
    pub fn new(chosen: Arc<dyn RefundReceiver>, others: Vec<Arc<dyn RefundReceiver>>) -> Self {
        Self { chosen, others }
    }

    /// Who gets new refunds.
    pub fn chosen(&self) -> Kind {
        self.chosen.kind()
    }

    /// The one of this kind, where it is set up: an older refund is its own receiver's, whatever is set now.
    pub fn of(&self, kind: Kind) -> Option<&dyn RefundReceiver> {
        let all = std::iter::once(&self.chosen).chain(&self.others);
        all.map(Arc::as_ref).find(|receiver| receiver.kind() == kind)
    }
}

/// As the database has it.
pub fn kind_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Ledger => "ledger",
        Kind::Stripe => "stripe",
    }
}

/// One of [`kind_text`].
pub fn kind_of(text: &str) -> Option<Kind> {
    [Kind::Ledger, Kind::Stripe].into_iter().find(|kind| kind_text(*kind) == text)
}
