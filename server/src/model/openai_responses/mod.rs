//! OpenAI's Responses API, streamed, with nothing stored at the provider; also as compatible servers speak it.

mod assemble;
mod broken;
mod event;
mod item;
mod request;
mod told;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use self::assemble::Assembly;
use super::ModelRequest;
use super::provider::{Protocol, Provider, ProviderSettings};

/// The provider's own base URL: with `/v1`, as its SDKs take it.
pub const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind the Responses API.
pub type OpenAiResponses = Provider<Responses>;

/// The Responses API.
pub struct Responses {
    /// OpenAI's own server: it holds the model to strict schemas, and is told what to cache by.
    is_openai: bool,
}

impl Protocol for Responses {
    const NAME: &'static str = "openai-responses";
    const PATH: &'static str = "/responses";
    type Assembly = Assembly;

    fn new(settings: &ProviderSettings) -> Self {
        Self { is_openai: is_openai(&settings.base_url) }
    }

    fn headers(&self, key: Option<HeaderValue>) -> Vec<(HeaderName, HeaderValue)> {
        let bearer = key.and_then(|key| {
            let mut bearer = HeaderValue::from_bytes(&[b"Bearer ", key.as_bytes()].concat()).ok()?;
            bearer.set_sensitive(true);
            Some((AUTHORIZATION, bearer))
        });
        bearer.into_iter().collect()
    }

    fn body(
        &self,
        settings: &ProviderSettings,
        request: &ModelRequest,
    ) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&request::body(self.is_openai, settings, request))
    }

    fn assembly(&self, request: &ModelRequest) -> Assembly {
        Assembly::new(&request.tools, self.is_openai)
    }
}

/// `api.openai.com`, or one of its regions such as `eu.api.openai.com`.
fn is_openai(base_url: &str) -> bool {
    let url = Url::parse(base_url).ok();
    let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
    host.strip_suffix("api.openai.com").is_some_and(|region| region.is_empty() || region.ends_with('.'))
}
