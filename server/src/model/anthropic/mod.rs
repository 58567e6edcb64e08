//! Anthropic's Messages API, streamed; also as compatible servers speak it.

mod assemble;
mod request;

use reqwest::header::{HeaderName, HeaderValue};

use self::assemble::Assembly;
use super::ModelRequest;
use super::provider::{Protocol, Provider, ProviderSettings};

/// The version of the API that this adapter was written for; the vendor changes within one only by
/// addition.
const API_VERSION: &str = "2026-10-21";

/// The provider's own base URL: without `/v1`, as its SDKs take it.
pub const BASE_URL: &str = "https://api.anthropic.com";

/// A model behind the Messages API.
pub type Anthropic = Provider<Messages>;

/// The Messages API.
pub struct Messages;

impl Protocol for Messages {
    const NAME: &'static str = "anthropic";
    const PATH: &'static str = "/v1/messages";
    type Assembly = Assembly;

    fn new(_settings: &ProviderSettings) -> Self {
        Self
    }

    fn headers(&self, key: Option<HeaderValue>) -> Vec<(HeaderName, HeaderValue)> {
        let version = (HeaderName::from_static("anthropic-version"), HeaderValue::from_static(API_VERSION));
        key.map(|key| (HeaderName::from_static("x-api-key"), key)).into_iter().chain([version]).collect()
    }

    fn body(
        &self,
        settings: &ProviderSettings,
        request: &ModelRequest,
    ) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&request::body(settings, request))
    }

    fn assembly(&self, _request: &ModelRequest) -> Assembly {
        Assembly::default()
    }
}
