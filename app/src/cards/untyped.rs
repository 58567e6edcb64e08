//! A call of a tool that this version does not have: the recorded data as it is, and nothing to press.

use leptos::prelude::*;
use serde_json::{Map, Value};
use shared::event::CancelReason;
use shared::tool_call::{ToolCall, ToolState};
use shared::tools::Untyped;

use super::ended;
use super::frame::Face;
use super::icons::Icon;
use super::person::help_with_call;
use crate::i18n::{Lang, t, texts, visible};

/// The head: the name that was called, as it was called.
pub fn face(tool_name: &str, call: &ToolCall<Untyped>, lang: Lang) -> Face {
    let title = visible(tool_name);
    let title = if title.trim().is_empty() { texts::untyped_title(lang).to_owned() } else { title };
    match &call.state {
        ToolState::OutputCancelled { reason: CancelReason::Repeated, .. } => {
            Face::repeated(lang, Icon::Tool, title)
        }
        ToolState::OutputAvailable { revision, .. } => {
            Face::plain(lang, Icon::Tool, call.state.name(), title).changed_since(lang, *revision)
        }
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => Face::plain(lang, Icon::Tool, call.state.name(), title),
    }
}

/// What is below the head.
pub fn body(call: &ToolCall<Untyped>, partial: &Map<String, Value>) -> AnyView {
    let explained = || view! { <p class="card__advice">{t(texts::untyped_body)}</p> };
    match &call.state {
        ToolState::InputStreaming { .. } => {
            view! { {explained()} {data(texts::untyped_input, &Value::Object(partial.clone()))} }.into_any()
        }
        ToolState::InputAvailable { input } => {
            view! { {explained()} {data(texts::untyped_input, input)} }.into_any()
        }
        ToolState::ApprovalRequested { input, approval, .. } => view! {
            <p class="card__consequence">{t(texts::untyped_waits)}</p>
            {data(texts::untyped_input, input)}
            {data(texts::untyped_preview, &approval.preview)}
        }
        .into_any(),
        ToolState::ApprovalResponded { input, .. } => {
            view! { {explained()} {data(texts::untyped_input, input)} }.into_any()
        }
        ToolState::OutputAvailable { input, output, .. } => view! {
            {explained()}
            {data(texts::untyped_input, input)}
            {data(texts::untyped_output, output)}
        }
        .into_any(),
        ToolState::OutputError { input, kind, code, params, error_text, .. } => view! {
            {ended::failure(*kind, code, params.as_ref(), error_text, None)}
            {input.as_ref().map(|input| data(texts::untyped_input, input))}
        }
        .into_any(),
        ToolState::OutputDenied { input, .. } => {
            view! { {ended::denied(None)} {data(texts::untyped_input, input)} }.into_any()
        }
        ToolState::OutputCancelled { input, reason, of } => view! {
            {ended::cancelled(*reason, of.as_ref(), None)}
            {input.as_ref().map(|input| data(texts::untyped_input, input))}
        }
        .into_any(),
        ToolState::OutputUnknown { input, .. } => view! {
            <p class="card__consequence">{t(texts::untyped_unknown)}</p>
            {data(texts::untyped_input, input)}
            {help_with_call(&call.tool_call_id)}
        }
        .into_any(),
    }
}

/// JSON as text, folded away.
fn data(name: fn(Lang) -> &'static str, value: &Value) -> AnyView {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    // Not a `pre`: the parser drops a line break at its start, and hydration would miss it.
    view! {
        <details class="data">
            <summary>{t(name)}</summary>
            <code class="data__text" dir="ltr">{visible(&text)}</code>
        </details>
    }
    .into_any()
}
