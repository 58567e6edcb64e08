//! What the server is told to speak.

/// An adapter of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Anthropic,
    OpenAiChat,
    OpenAiResponses,
}

/// All that there are.
const PROTOCOLS: [Protocol; 3] = [Protocol::Anthropic, Protocol::OpenAiChat, Protocol::OpenAiResponses];

impl Protocol {
    /// `TRUTHTABLE_MODEL`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
        }
    }

    /// Behind llmock's address: a base URL as the official SDKs take it.
    pub fn base(self) -> &'static str {
        match self {
            Self::Anthropic => "/anthropic",
            Self::OpenAiChat | Self::OpenAiResponses => "/v1",
        }
    }

    /// The setting that names the key.
    pub fn key(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC_API_KEY",
            Self::OpenAiChat | Self::OpenAiResponses => "OPENAI_API_KEY",
        }
    }
}

/// Lets them play the same story side by side.
pub async fn for_each(story: impl AsyncFn(Protocol)) {
    futures::future::join_all(PROTOCOLS.map(|protocol| story(protocol))).await;
}
