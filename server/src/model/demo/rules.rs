//! The rules for a history, as the real API has them and in its words: a history that the demo model
//! takes is one that the real one takes.

use std::collections::HashSet;

use super::error::ApiError;
use super::request::{Block, Message, Request, Role};

/// Refuses a request whose tools or history the API would refuse. Message numbers are those of the
/// history after consecutive messages of one role were put together, as the API does.
pub fn check(request: &Request) -> Result<Vec<Message>, ApiError> {
    for (index, tool) in request.tools.iter().enumerate() {
        if !is_name(&tool.name, 128) {
            return refuse(format!(
                "tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            ));
        }
        if tool.input_schema.get("type").and_then(|kind| kind.as_str()) != Some("object") {
            return refuse(format!("tools.{index}.custom.input_schema.type: Input should be 'object'"));
        }
        if request.tools[..index].iter().any(|other| other.name == tool.name) {
            return refuse("tools: Tool names must be unique.".to_owned());
        }
    }
    if request.system.iter().any(is_empty_text) {
        return refuse("system: text content blocks must be non-empty".to_owned());
    }
    let messages = merged(&request.messages)?;
    let Some(first) = messages.first() else {
        return refuse("messages: at least one message is required".to_owned());
    };
    if first.role != Role::User {
        return refuse("messages: first message must use the \"user\" role".to_owned());
    }
    let mut ids: HashSet<&str> = HashSet::new();
    for (index, message) in messages.iter().enumerate() {
        check_blocks(index, message, &mut ids)?;
        let before = index.checked_sub(1).map(|before| &messages[before]);
        check_results(index, message, before)?;
    }
    match messages.last() {
        Some(last) if last.role == Role::Assistant => refuse(
            "This model does not support assistant message prefill. The conversation must end with a user \
             message."
                .to_owned(),
        ),
        _ => Ok(messages),
    }
}

fn refuse<T>(message: String) -> Result<T, ApiError> {
    Err(ApiError::invalid(message))
}

fn merged(messages: &[Message]) -> Result<Vec<Message>, ApiError> {
    let mut merged: Vec<Message> = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        if message.content.is_empty() {
            let role = if message.role == Role::User { "user" } else { "assistant" };
            return refuse(format!("messages.{index}: {role} messages must have non-empty content"));
        }
        match merged.last_mut() {
            Some(last) if last.role == message.role => last.content.extend(message.content.iter().cloned()),
            _ => merged.push(Message { role: message.role, content: message.content.clone() }),
        }
    }
    Ok(merged)
}

fn check_blocks<'a>(index: usize, message: &'a Message, ids: &mut HashSet<&'a str>) -> Result<(), ApiError> {
    for (at, block) in message.content.iter().enumerate() {
        match (message.role, block) {
            (_, Block::Text { text }) if text.is_empty() => {
                return refuse("messages: text content blocks must be non-empty".to_owned());
            }
            (_, Block::Text { text }) if text.trim().is_empty() => {
                return refuse("messages: text content blocks must contain non-whitespace text".to_owned());
            }
            (Role::Assistant, Block::ToolUse { id, name, .. }) => {
                if !is_name(id, usize::MAX) {
                    return refuse(format!(
                        "messages.{index}.content.{at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"
                    ));
                }
                if !is_name(name, 200) {
                    return refuse(format!(
                        "messages.{index}.content.{at}.tool_use.name: String should match pattern \
                         '^[a-zA-Z0-9_-]{{1,200}}$'"
                    ));
                }
                if !ids.insert(id) {
                    return refuse(format!("messages.{index}.content.{at}: `tool_use` ids must be unique"));
                }
            }
            (Role::User, Block::ToolUse { .. } | Block::Thinking {} | Block::RedactedThinking {}) => {
                return refuse(format!(
                    "messages.{index}: `tool_use` and `thinking` blocks can only be in `assistant` messages"
                ));
            }
            (Role::Assistant, Block::ToolResult { .. }) => {
                return refuse(format!(
                    "messages.{index}: `tool_result` blocks can only be in `user` messages"
                ));
            }
            (Role::Assistant, Block::Image {} | Block::Document {}) => {
                return refuse(format!(
                    "messages.{index}.content.{at}: `image` and `document` blocks can only be in `user` messages"
                ));
            }
            (Role::User, Block::ToolResult { content, .. }) if content.iter().any(is_empty_text) => {
                return refuse("messages: text content blocks must be non-empty".to_owned());
            }
            (_, Block::Text { .. })
            | (Role::Assistant, Block::Thinking {} | Block::RedactedThinking {})
            | (Role::User, Block::ToolResult { .. } | Block::Image {} | Block::Document {}) => {}
        }
    }
    Ok(())
}

/// Every call is answered once in the next message, ahead of everything else in it, and nothing is
/// answered that was not called.
fn check_results(index: usize, message: &Message, before: Option<&Message>) -> Result<(), ApiError> {
    let asked: Vec<&str> = before
        .filter(|before| before.role == Role::Assistant)
        .into_iter()
        .flat_map(|before| &before.content)
        .filter_map(|block| if let Block::ToolUse { id, .. } = block { Some(id.as_str()) } else { None })
        .collect();
    let result_of = |block: &Block| {
        if let Block::ToolResult { tool_use_id, .. } = block { Some(tool_use_id.clone()) } else { None }
    };
    let mut answered: Vec<String> = Vec::new();
    for (at, id) in message.content.iter().enumerate().filter_map(|(at, block)| Some((at, result_of(block)?)))
    {
        if !asked.contains(&id.as_str()) {
            return refuse(format!(
                "messages.{index}.content.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each \
                 `tool_result` block must have a corresponding `tool_use` block in the previous message."
            ));
        }
        if answered.contains(&id) {
            return refuse(format!(
                "messages.{index}.content.{at}: each tool_use must have a single result. Found multiple \
                 `tool_result` blocks with id: {id}"
            ));
        }
        answered.push(id);
    }
    let leading: Vec<String> = message.content.iter().map_while(result_of).collect();
    let open: Vec<&str> = asked.into_iter().filter(|id| !leading.iter().any(|result| result == id)).collect();
    if !open.is_empty() {
        return refuse(format!(
            "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each \
             `tool_use` block must have a corresponding `tool_result` block in the next message.",
            index.saturating_sub(1),
            open.join(", ")
        ));
    }
    Ok(())
}

fn is_empty_text(block: &Block) -> bool {
    matches!(block, Block::Text { text } if text.trim().is_empty())
}

fn is_name(text: &str, longest: usize) -> bool {
    !text.is_empty()
        && text.len() <= longest
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn refusal(messages: Value) -> Option<String> {
        let body = json!({ "model": "demo/helpful", "max_tokens": 100, "messages": messages });
        let request = Request::parse(body.to_string().as_bytes(), "2026-10-21");
        request.and_then(|request| check(&request).map(|_| ())).err().map(|error| error.message)
    }

    fn user(content: Value) -> Value {
        json!({ "role": "user", "content": content })
    }

    fn assistant(content: Value) -> Value {
        json!({ "role": "assistant", "content": content })
    }

    fn call(id: &str) -> Value {
        json!({ "type": "tool_use", "id": id, "name": "getWeather", "input": {} })
    }

    fn result(id: &str) -> Value {
        json!({ "type": "tool_result", "tool_use_id": id, "content": [{ "type": "text", "text": "ok" }] })
    }

    #[test]
    fn valid_histories_pass() {
        let text = json!({ "type": "text", "text": "hi" });
        for messages in [
            json!([user(json!("hi"))]),
            json!([user(json!("hi")), user(json!("again"))]),
            json!([user(json!("hi")), assistant(json!("hello")), user(json!("and"))]),
            json!([
                user(json!("hi")),
                assistant(json!([text, call("a"), call("b")])),
                user(json!([result("b"), result("a"), text]))
            ]),
            json!([
                user(json!("hi")),
                assistant(json!([call("a")])),
                user(json!([result("a")])),
                user(json!([text]))
            ]),
        ] {
            assert_eq!(refusal(messages.clone()), None, "{messages}");
        }
    }

    #[test]
    fn wrong_histories_are_refused_in_the_api_s_words() {
        let text = json!({ "type": "text", "text": "hi" });
        for (messages, words) in [
            (json!([]), "at least one message"),
            (json!([assistant(json!("hi"))]), "first message must use the \"user\" role"),
            (json!([{ "role": "system", "content": "hi" }]), "messages[0].role"),
            (json!([user(json!(""))]), "text content blocks must be non-empty"),
            (json!([user(json!("  "))]), "must contain non-whitespace text"),
            (json!([user(json!([]))]), "messages.0: user messages must have non-empty content"),
            (json!([user(json!("hi")), assistant(json!("hello"))]), "must end with a user message"),
            (
                json!([user(json!("hi")), assistant(json!([call("a")])), user(json!("and"))]),
                "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.",
            ),
            (
                json!([
                    user(json!("hi")),
                    assistant(json!([call("a"), call("b")])),
                    user(json!([result("a")]))
                ]),
                "without `tool_result` blocks immediately after: b.",
            ),
            (
                json!([user(json!("hi")), assistant(json!([call("a")])), user(json!([text, result("a")]))]),
                "without `tool_result` blocks immediately after: a.",
            ),
            (
                json!([user(json!("hi")), assistant(json!("x")), user(json!([result("a")]))]),
                "unexpected `tool_use_id` found in `tool_result` blocks: a.",
            ),
            (
                json!([
                    user(json!("hi")),
                    assistant(json!([call("a")])),
                    user(json!([result("a"), result("a")]))
                ]),
                "each tool_use must have a single result",
            ),
            (
                json!([user(json!("hi")), assistant(json!([call("f:1")])), user(json!([result("f:1")]))]),
                "tool_use.id: String should match pattern",
            ),
            (
                json!([
                    user(json!("hi")),
                    assistant(json!([call("a")])),
                    user(json!([result("a")])),
                    assistant(json!([call("a")])),
                    user(json!([result("a")]))
                ]),
                "`tool_use` ids must be unique",
            ),
            (json!([user(json!([call("a")]))]), "can only be in `assistant` messages"),
            (json!([user(json!([{ "type": "sound" }]))]), "messages[0].content"),
            (
                json!([
                    user(json!("hi")),
                    assistant(json!([{ "type": "tool_use", "id": "a", "name": "x", "input": "{}" }])),
                    user(json!([result("a")]))
                ]),
                "messages[1].content",
            ),
        ] {
            let said = refusal(messages.clone()).unwrap_or_default();
            assert!(said.contains(words), "{messages}: {said}");
        }
    }
}
