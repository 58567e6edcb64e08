//! Whose server it is, as far as requests differ.

use reqwest::Url;

/// Told by its host: it is asked for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    OpenAi,
    /// OpenAI's models at Microsoft.
    Azure,
    Mistral,
    Other,
}

impl Server {
    pub fn at(base_url: &str) -> Self {
        let Some(host) = host(base_url) else { return Self::Other };
        let is_below = |domain: &str| {
            host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
        };
        if host == "api.openai.com" {
            Self::OpenAi
        } else if is_below("openai.azure.com") || is_below("services.ai.azure.com") {
            Self::Azure
        } else if is_below("mistral.ai") {
            Self::Mistral
        } else {
            Self::Other
        }
    }

    /// Whether it holds the model to a schema of the strict kind.
    pub fn takes_strict_schemas(self) -> bool {
        match self {
            Self::OpenAi => true,
            Self::Azure | Self::Mistral | Self::Other => false,
        }
    }

    /// OpenAI's newer models refuse `max_tokens`; many others know nothing else, and Mistral refuses the new name
    /// (editor-code-assistant/eca#231).
    pub fn takes_max_completion_tokens(self) -> bool {
        match self {
            Self::OpenAi | Self::Azure => true,
            Self::Mistral | Self::Other => false,
        }
    }

    /// Mistral refuses the option, and tells its usage without it (BerriAI/litellm#8978).
    pub fn takes_stream_options(self) -> bool {
        match self {
            Self::OpenAi | Self::Azure | Self::Other => true,
            Self::Mistral => false,
        }
    }

    /// Whether a message's content may be a list of parts; several servers take a string only, DeepSeek's among
    /// them.
    pub fn takes_text_parts(self) -> bool {
        match self {
            Self::OpenAi | Self::Azure => true,
            Self::Mistral | Self::Other => false,
        }
    }

    pub fn takes_cache_key(self) -> bool {
        match self {
            Self::OpenAi => true,
            Self::Azure | Self::Mistral | Self::Other => false,
        }
    }

    /// Mistral's models want ids of nine letters and digits (zed-industries/zed#53034), and an assistant's
    /// message between results and the next user's (NousResearch/hermes-agent#20154): also elsewhere, where a
    /// model's name is all there is to know them by.
    pub fn has_rules_of_mistral(self, model: &str) -> bool {
        let model = model.to_lowercase();
        self == Self::Mistral || model.contains("stral") || model.contains("xtral")
    }
}

/// Whether a base URL is OpenAI's own.
pub fn is_openai(base_url: &str) -> bool {
    Server::at(base_url) == Server::OpenAi
}

fn host(base_url: &str) -> Option<String> {
    Some(Url::parse(base_url).ok()?.host_str()?.to_owned())
}
