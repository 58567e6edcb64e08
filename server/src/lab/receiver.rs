//! The server's way to the lab's payment provider, in place of the one that the settings name.

use std::sync::Arc;

use async_trait::async_trait;
use clap::ValueEnum;
use shared::tools::{RefundReceiver as Kind, RefundStatus};

use super::cases::KeyStrategy;
use super::provider::{Paid, Provider};
use crate::ids::Ids;
use crate::refunds::{Answer, LookUp, NoRefund, RefundReceiver, RefundRequest};

/// How the provider treats who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Temper {
    /// It pays and says so
    Answers,
    /// It pays and never says so
    PaysInSilence,
    /// It refuses
    Refuses,
}

impl Temper {
    /// As the command line has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::PaysInSilence => "pays-in-silence",
            Self::Refuses => "refuses",
        }
    }
}

pub struct LabReceiver {
    pub provider: Provider,
    pub key: KeyStrategy,
    pub temper: Temper,
    pub ids: Arc<dyn Ids>,
}

impl LabReceiver {
    /// By what the provider can know the refund again; none: by nothing.
    fn lasting_key(&self, request: &RefundRequest) -> Option<String> {
        match self.key {
            KeyStrategy::None => None,
            KeyStrategy::CallId => Some(request.tool_call.as_str().to_owned()),
            KeyStrategy::Business => Some(request.key.clone()),
        }
    }

    async fn pay(&self, request: &RefundRequest) -> Result<Answer, NoRefund> {
        let key = self.lasting_key(request).unwrap_or_else(|| format!("attempt-{}", self.ids.next()));
        match self.provider.pay(&key, &request.order, request.amount).await {
            Ok(paid) => Ok(answer(&paid)),
            Err(error) => Err(NoRefund::NoAnswer(error.to_string())),
        }
    }
}

#[async_trait]
impl RefundReceiver for LabReceiver {
    /// It stands in the ledger's place.
    fn kind(&self) -> Kind {
        Kind::Ledger
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Answer, NoRefund> {
        match self.temper {
            Temper::Answers => self.pay(request).await,
            Temper::PaysInSilence => {
                self.pay(request).await?;
                std::future::pending().await
            }
            Temper::Refuses => Err(NoRefund::Rejected {
                code: Some("declined".to_owned()),
                message: "the provider refuses everything".to_owned(),
            }),
        }
    }

    async fn look_up(&self, request: &RefundRequest) -> LookUp {
        let Some(key) = self.lasting_key(request) else { return LookUp::NotThere };
        match self.provider.find(&key).await {
            Ok(Some(paid)) => LookUp::Found(answer(&paid)),
            Ok(None) => LookUp::NotThere,
            Err(error) => LookUp::NoAnswer(error.to_string()),
        }
    }
}

fn answer(paid: &Paid) -> Answer {
    Answer {
        reference: paid.number.to_string(),
        amount: paid.amount,
        status: RefundStatus::Succeeded,
        failure: None,
    }
}
