//! How the configured provider is reached, in the words of the settings. A new protocol is one more arm.

use crate::model::anthropic::Messages;
use crate::model::openai_chat::ChatCompletions;
use crate::model::openai_responses::Responses;
use crate::model::provider::Protocol;
use crate::settings::{ModelKind, Settings};

pub struct Reached<'a> {
    /// The setting with the key.
    pub key_setting: &'static str,
    /// What must not be in a recording; empty where there is no secret.
    pub key: &'a str,
    /// What is put behind the base address.
    pub path: &'static str,
    /// Whether the base address ends in `/v1`.
    pub base_has_v1: bool,
}

impl<'a> Reached<'a> {
    pub fn by(settings: &'a Settings) -> Self {
        let anthropic =
            |key| Self { key_setting: "ANTHROPIC_API_KEY", key, path: Messages::PATH, base_has_v1: false };
        match settings.model {
            // Its key is no secret.
            ModelKind::Demo => anthropic(""),
            ModelKind::Anthropic => anthropic(settings.anthropic_api_key.as_deref().unwrap_or_default()),
            ModelKind::OpenAiChat => Self {
                key_setting: "OPENAI_API_KEY",
                key: settings.openai_api_key.as_deref().unwrap_or_default(),
                path: ChatCompletions::PATH,
                base_has_v1: true,
            },
            ModelKind::OpenAiResponses => Self {
                key_setting: "OPENAI_API_KEY",
                key: settings.openai_api_key.as_deref().unwrap_or_default(),
                path: Responses::PATH,
                base_has_v1: true,
            },
        }
    }

    /// What the base address has to look like; `url`: what it is.
    pub fn base_address(&self, url: &str) -> String {
        let path = self.path;
        match (self.base_has_v1, url.ends_with("/v1")) {
            (false, true) => format!("leave /v1 out of {url}: {path} is put behind it"),
            (true, false) => format!("it may lack /v1 at its end: {path} is put behind {url}"),
            (true, true) | (false, false) => format!("{path} is put behind it (it is {url})"),
        }
    }
}
