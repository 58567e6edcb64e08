//! OpenAI's Chat Completions, streamed; also as every provider and local server has it that says that it
//! speaks them. What those do differently is listed, with evidence, in `server/tests/transcripts/openai-chat`.

mod assemble;
mod call;
mod chunk;
mod dialect;
mod extent;
mod finish;
mod gather;
mod kept;
mod messages;
mod prose;
mod request;
mod route;
mod usage;
mod written_calls;

use reqwest::header::{AUTHORIZATION, HeaderName, HeaderValue};

use self::assemble::Assembly;
use self::dialect::Server;
pub use self::dialect::is_openai;
use super::ModelRequest;
use super::provider::{Protocol, Provider, ProviderSettings};

/// The provider's own base URL: with `/v1`, as its SDKs take it.
pub const BASE_URL: &str = "https://api.openai.com/v1";

/// A model behind Chat Completions.
pub type OpenAiChat = Provider<ChatCompletions>;

/// Chat Completions, in the dialect of the server that the settings name.
pub struct ChatCompletions {
    server: Server,
}

impl Protocol for ChatCompletions {
    const NAME: &'static str = "openai-chat";
    const PATH: &'static str = "/chat/completions";
    type Assembly = Assembly;

    fn new(settings: &ProviderSettings) -> Self {
        Self { server: Server::at(&settings.base_url) }
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
        serde_json::to_vec(&request::body(self.server, settings, request))
    }

    fn assembly(&self, request: &ModelRequest) -> Assembly {
        Assembly::new(&request.tools, self.server.takes_strict_schemas())
    }
}
