//! The model that the settings name.

use std::net::Ipv4Addr;
use std::sync::Arc;

use tokio::net::TcpListener;

use crate::http::ModelChoice;
use crate::ids::Ids;
use crate::model::anthropic::{self, Anthropic};
use crate::model::openai_chat::{self, OpenAiChat};
use crate::model::openai_responses::{self, OpenAiResponses};
use crate::model::provider::{MaybeTap, ProviderSettings, SetupError, Timeouts};
use crate::model::{Model, demo};
use crate::settings::{ModelKind, Settings};

/// Why there is no model: one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum ConfiguredModelError {
    #[error("the demo model cannot start: {0}")]
    Demo(std::io::Error),
    #[error("the model's client cannot start: {0}")]
    Client(#[from] SetupError),
}

/// The demo model takes any.
const DEMO_KEY: &str = "demo";

/// The adapter for it, and what conversations are told of it. `tap`: sees what goes over the wire. The demo model
/// is started on a loopback port, where none is served already.
///
/// # Errors
/// No port for the demo model; settings that no adapter can be made of. Nobody is called.
pub async fn configured_model(
    settings: &Settings,
    ids: Arc<dyn Ids>,
    tap: MaybeTap,
) -> Result<(Arc<dyn Model>, ModelChoice), ConfiguredModelError> {
    let named = || ModelChoice::Provider { name: settings.model_name.clone().unwrap_or_default() };
    Ok(match settings.model {
        ModelKind::Demo => {
            let base_url = match &settings.demo_url {
                Some(url) => url.clone(),
                None => start_demo(settings.demo_pace).await.map_err(ConfiguredModelError::Demo)?,
            };
            let name = settings.model_name.clone().unwrap_or_else(|| "demo/helpful".to_owned());
            let provider = provider(settings, base_url, DEMO_KEY, tap);
            (Arc::new(Anthropic::new(provider, ids)?), ModelChoice::Demo { name })
        }
        ModelKind::Anthropic => {
            let base_url = base_url(settings, anthropic::BASE_URL);
            let provider =
                provider(settings, base_url, settings.anthropic_api_key.as_deref().unwrap_or_default(), tap);
            (Arc::new(Anthropic::new(provider, ids)?), named())
        }
        ModelKind::OpenAiChat => {
            let base_url = base_url(settings, openai_chat::BASE_URL);
            let provider =
                provider(settings, base_url, settings.openai_api_key.as_deref().unwrap_or_default(), tap);
            (Arc::new(OpenAiChat::new(provider, ids)?), named())
        }
        ModelKind::OpenAiResponses => {
            let base_url = base_url(settings, openai_responses::BASE_URL);
            let provider =
                provider(settings, base_url, settings.openai_api_key.as_deref().unwrap_or_default(), tap);
            (Arc::new(OpenAiResponses::new(provider, ids)?), named())
        }
    })
}

fn base_url(settings: &Settings, default: &str) -> String {
    settings.model_url.clone().unwrap_or_else(|| default.to_owned())
}

fn provider(settings: &Settings, base_url: String, api_key: &str, tap: MaybeTap) -> ProviderSettings {
    ProviderSettings {
        base_url,
        api_key: api_key.to_owned(),
        max_tokens: settings.max_tokens,
        effort: settings.effort.map(|effort| effort.as_str().to_owned()),
        timeouts: Timeouts::default(),
        tap,
    }
}

async fn start_demo(pace: f64) -> std::io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let addr = listener.local_addr()?;
    tokio::spawn(async move {
        if let Err(error) = demo::serve(listener, pace).await {
            tracing::error!("the demo model stopped: {error}");
        }
    });
    Ok(format!("http://{addr}"))
}
