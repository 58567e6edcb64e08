//! A provider that speaks the Messages API.

use server::model::anthropic::{Anthropic, Messages};
use server::model::provider::ProviderSettings;

pub use crate::support::provider::*;

pub type Provider = crate::support::provider::Provider<Messages>;

pub fn adapter(settings: ProviderSettings) -> Anthropic {
    crate::support::provider::adapter(settings)
}
