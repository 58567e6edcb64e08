//! Stripe's own shapes, as far as they are read.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use shared::tools::{RefundFailure, RefundStatus};

use super::{Answer, MAX_REASON};
use crate::text::one_line;

#[derive(Debug, Deserialize)]
pub struct ApiRefund {
    pub id: String,
    pub amount: u64,
    #[serde(default)]
    pub currency: Option<String>,
    #[serde(default)]
    pub status: Option<String>,
    #[serde(default)]
    pub failure_reason: Option<String>,
    #[serde(default)]
    pub metadata: HashMap<String, String>,
}

#[derive(Debug, Deserialize)]
pub struct RefundList {
    pub data: Vec<ApiRefund>,
    #[serde(default)]
    pub has_more: bool,
}

impl ApiRefund {
    /// What it says of the refund; a sentence for the log where that makes no sense.
    pub fn answer(&self) -> Result<Answer, String> {
        match self.currency.as_deref() {
            None | Some("vnd" | "VND") => {}
            Some(other) => return Err(format!("a refund in {}", one_line(other, MAX_REASON))),
        }
        let (status, failure) = match self.status.as_deref() {
            Some("pending" | "requires_action") => (RefundStatus::Submitted, None),
            Some("succeeded") => (RefundStatus::Succeeded, None),
            Some("failed" | "canceled") => {
                (RefundStatus::Failed, Some(failure(self.failure_reason.as_deref())))
            }
            other => {
                return Err(format!(
                    "a refund of the status {:?}",
                    other.map(|text| one_line(text, MAX_REASON))
                ));
            }
        };
        Ok(Answer { reference: one_line(&self.id, MAX_REASON), amount: self.amount, status, failure })
    }
}

fn failure(reason: Option<&str>) -> RefundFailure {
    match reason {
        Some("lost_or_stolen_card") => RefundFailure::CardLost,
        Some("expired_or_canceled_card") => RefundFailure::CardExpired,
        Some("charge_for_pending_refund_disputed") => RefundFailure::Disputed,
        Some("insufficient_funds") => RefundFailure::InsufficientFunds,
        Some("declined") => RefundFailure::Declined,
        // Also `merchant_request` and `unknown`, and what Stripe may add.
        Some(_) | None => RefundFailure::Other,
    }
}

/// An error as Stripe tells it, cleaned: a stranger's words for the log.
#[derive(Debug, Default)]
pub struct ApiError {
    pub r#type: String,
    /// Its word for the reason, where that is a plain one.
    pub code: Option<String>,
    pub message: String,
}

impl ApiError {
    pub fn read(body: &[u8]) -> Self {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |name: &str| {
            let text = json.get("error").and_then(|error| error.get(name)).and_then(Value::as_str);
            text.map(|text| one_line(text, MAX_REASON))
        };
        let is_plain = |code: &String| {
            !code.is_empty() && code.len() <= 60 && code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
        };
        Self {
            r#type: text("type").unwrap_or_default(),
            code: text("code").filter(is_plain),
            message: text("message").unwrap_or_default(),
        }
    }
}
