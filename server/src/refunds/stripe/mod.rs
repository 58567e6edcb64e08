//! Stripe's refunds, over its REST API.

mod api;

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde::de::DeserializeOwned;
use shared::tools::RefundReceiver as Kind;

use self::api::{ApiError, ApiRefund, RefundList};
use super::{Answer, LookUp, NoRefund, RefundReceiver, RefundRequest};
use crate::outbound;
use crate::text::one_line;

/// The version of the API that this speaks.
const VERSION: &str = "2026-10-28.endive";

/// A hundred refunds are some 200 kilobytes.
const MAX_BODY: usize = 4 * 1024 * 1024;

/// Characters of a stranger's text that the log gets.
const MAX_REASON: usize = 300;

/// Refunds of one payment on one page, the most that Stripe gives.
const PAGE: &str = "100";

/// More pages than any payment has refunds for.
const MAX_PAGES: usize = 50;

#[derive(Clone)]
pub struct StripeSettings {
    /// Without `/v1`.
    pub base_url: String,
    pub secret_key: String,
    pub timeouts: Timeouts,
}

#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    pub connect: Duration,
    /// Of one request, from its start to the end of the answer.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), whole: Duration::from_secs(15) }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum StripeSetupError {
    #[error("{0:?} is no http address")]
    Address(String),
    #[error("{0}")]
    Client(String),
}

pub struct Stripe {
    client: Client,
    refunds: Url,
    secret_key: String,
}

impl Stripe {
    /// # Errors
    /// A base address that is none, no usable TLS roots.
    pub fn new(settings: &StripeSettings) -> Result<Self, StripeSetupError> {
        let base = settings.base_url.trim_end_matches('/');
        let refunds = Url::parse(&format!("{base}/v1/refunds")).ok();
        let refunds = refunds
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| StripeSetupError::Address(settings.base_url.clone()))?;
        let Timeouts { connect, whole } = settings.timeouts;
        let client = outbound::client(&refunds)
            .connect_timeout(connect)
            .timeout(whole)
            // A request that may have arrived is never sent again by the client itself.
            .retry(reqwest::retry::never())
            .build()
            .map_err(|error| StripeSetupError::Client(error.to_string()))?;
        Ok(Self { client, refunds, secret_key: settings.secret_key.clone() })
    }

    fn headed(&self, request: RequestBuilder) -> RequestBuilder {
        request.bearer_auth(&self.secret_key).header("Stripe-Version", VERSION)
    }

    /// The refund that carries the key, newest first among those of the payment; the first one made, where
    /// there are several.
    async fn find(&self, request: &RefundRequest, payment: &str) -> Result<Option<ApiRefund>, String> {
        let mut found: Option<ApiRefund> = None;
        let mut after: Option<String> = None;
        for _ in 0..MAX_PAGES {
            let mut url = self.refunds.clone();
            url.query_pairs_mut().append_pair("payment_intent", payment).append_pair("limit", PAGE);
            if let Some(after) = &after {
                url.query_pairs_mut().append_pair("starting_after", after);
            }
            let response = self.headed(self.client.get(url)).send().await.map_err(broken)?;
            let status = response.status();
            let body = body(response).await?;
            if !status.is_success() {
                return Err(format!("it answered {status}: {}", ApiError::read(&body).message));
            }
            let page: RefundList = parse(&body)?;
            after = page.data.last().map(|last| last.id.clone());
            for refund in page.data {
                if refund.metadata.get("key") != Some(&request.key) {
                    continue;
                }
                if let Some(newer) = &found {
                    tracing::error!(
                        refund.key = request.key,
                        "Stripe has two refunds with one key: {} and {}",
                        one_line(&newer.id, MAX_REASON),
                        one_line(&refund.id, MAX_REASON)
                    );
                }
                found = Some(refund);
            }
            if !page.has_more || after.is_none() {
                return Ok(found);
            }
        }
        Err(format!("more than {MAX_PAGES} pages of refunds"))
    }
}

#[async_trait]
impl RefundReceiver for Stripe {
    fn kind(&self) -> Kind {
        Kind::Stripe
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Answer, NoRefund> {
        let Some(payment) = &request.payment_reference else {
            let message = format!("the order {} has no payment at Stripe", request.order);
            return Err(NoRefund::Rejected { code: None, message });
        };
        let amount = request.amount.to_string();
        // Đồng have no smaller unit: the amount is the number of đồng.
        let form = [
            ("payment_intent", payment.as_str()),
            ("amount", &amount),
            ("reason", "requested_by_customer"),
            ("metadata[key]", &request.key),
            ("metadata[order]", &request.order),
        ];
        let post = self
            .client
            .post(self.refunds.clone())
            .header("Idempotency-Key", &request.key)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form_encoded(&self.refunds, &form));
        let response = match self.headed(post).send().await {
            Ok(response) => response,
            // No request, or no connection for it: nothing was sent.
            Err(error) if error.is_connect() || error.is_builder() => {
                return Err(NoRefund::NotSent(broken(error)));
            }
            Err(error) => return Err(NoRefund::NoAnswer(broken(error))),
        };
        let status = response.status();
        let body = match body(response).await {
            Ok(body) => body,
            // The status alone tells what came of it.
            Err(_) if !status.is_success() => Vec::new(),
            Err(why) => return Err(NoRefund::NoAnswer(why)),
        };
        if !status.is_success() {
            return Err(refusal(status, &ApiError::read(&body)));
        }
        let refund = parse::<ApiRefund>(&body).map_err(NoRefund::NoAnswer)?;
        refund.answer().map_err(NoRefund::NoAnswer)
    }

    async fn look_up(&self, request: &RefundRequest) -> LookUp {
        let Some(payment) = &request.payment_reference else {
            return LookUp::NoAnswer(format!("the order {} has no payment at Stripe", request.order));
        };
        match self.find(request, payment).await {
            Ok(Some(refund)) => refund.answer().map_or_else(LookUp::NoAnswer, LookUp::Found),
            Ok(None) => LookUp::NotThere,
            Err(why) => LookUp::NoAnswer(why),
        }
    }
}

/// A form's fields as a request's body. `url`: any, for its encoder.
fn form_encoded(url: &Url, fields: &[(&str, &str)]) -> String {
    let mut url = url.clone();
    url.query_pairs_mut().clear().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

/// What a status that is no success says of the refund.
fn refusal(status: StatusCode, error: &ApiError) -> NoRefund {
    let why = format!("it answered {status}: {} {}", error.r#type, error.message);
    // Whoever stands between may answer too, and knows nothing of what Stripe has done.
    let says_so = matches!(
        error.r#type.as_str(),
        "invalid_request_error"
            | "card_error"
            | "rate_limit_error"
            | "authentication_error"
            | "idempotency_error"
    );
    match status {
        _ if !says_so => NoRefund::NoAnswer(why),
        // The key is that of another request: what came of that one has to be looked up.
        StatusCode::BAD_REQUEST if error.r#type == "idempotency_error" => NoRefund::NoAnswer(why),
        StatusCode::BAD_REQUEST | StatusCode::PAYMENT_REQUIRED | StatusCode::NOT_FOUND => {
            NoRefund::Rejected { code: error.code.clone(), message: why }
        }
        // Turned away before anything was begun: by the key, or by the number of requests.
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
            NoRefund::NotSent(why)
        }
        // Also 409: a request with this key is at work.
        _ => NoRefund::NoAnswer(why),
    }
}

async fn body(mut response: Response) -> Result<Vec<u8>, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(broken)? {
        if body.len() + chunk.len() > MAX_BODY {
            return Err(format!("its answer is longer than {MAX_BODY} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    let malformed = |error: serde_json::Error| one_line(&error.to_string(), MAX_REASON);
    serde_json::from_slice(body).map_err(|error| format!("its answer cannot be used: {}", malformed(error)))
}

fn broken(error: reqwest::Error) -> String {
    // The client's own words name only the outermost cause.
    let error = error.without_url();
    let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
