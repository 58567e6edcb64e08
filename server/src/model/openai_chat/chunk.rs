//! One event's data, read as leniently as servers write it: whatever is null, empty, of a type that says nothing
//! or unknown is as if it were absent. What a call is made of is read strictly.

use serde_json::{Map, Value};

use super::call::{Arguments, Fragment};

/// The largest index of a call; OpenAI's own client takes no larger one either.
const LARGEST_INDEX: u64 = 127;

/// Data that is not of the protocol.
#[derive(Debug, thiserror::Error)]
pub enum BadChunk {
    #[error("data that is no JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("data that is no object")]
    NoObject,
    #[error("{0} is not what the protocol says")]
    Member(&'static str),
    #[error("a second answer, which nobody asked for")]
    SecondChoice,
}

#[derive(Default)]
pub struct Chunk {
    /// The provider's error, unread.
    pub error: Option<Value>,
    pub usage: Option<Value>,
    /// What it adds to the message.
    pub delta: Map<String, Value>,
    pub finish_reason: Option<String>,
}

pub fn parse(data: &str) -> Result<Chunk, BadChunk> {
    let Value::Object(mut event) = serde_json::from_str(data).map_err(BadChunk::NotJson)? else {
        return Err(BadChunk::NoObject);
    };
    let mut chunk = Chunk {
        error: present(event.remove("error")),
        usage: present(event.remove("usage")),
        ..Chunk::default()
    };
    let choices = match present(event.remove("choices")) {
        None => Vec::new(),
        Some(Value::Array(choices)) => choices,
        Some(_) => return Err(BadChunk::Member("choices")),
    };
    for choice in choices {
        let Value::Object(mut choice) = choice else { return Err(BadChunk::Member("a choice")) };
        if choice.get("index").and_then(Value::as_u64).is_some_and(|index| index != 0) {
            return Err(BadChunk::SecondChoice);
        }
        chunk.error = chunk.error.or(present(choice.remove("error")));
        if let Some(reason) = text(&mut choice, "finish_reason") {
            chunk.finish_reason = Some(reason);
        }
        match present(choice.remove("delta")) {
            None => {}
            Some(Value::Object(delta)) if chunk.delta.is_empty() => chunk.delta = delta,
            Some(Value::Object(_)) => return Err(BadChunk::SecondChoice),
            Some(_) => return Err(BadChunk::Member("a delta")),
        }
    }
    Ok(chunk)
}

fn present(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !value.is_null())
}

/// A text that says something.
fn text(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    match fields.remove(name) {
        Some(Value::String(text)) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The delta's pieces of calls, with the one of the older `function_call`.
pub fn fragments(delta: &mut Map<String, Value>) -> Result<Vec<Fragment>, BadChunk> {
    let calls = match present(delta.remove("tool_calls")) {
        None => Vec::new(),
        Some(Value::Array(calls)) => calls,
        Some(_) => return Err(BadChunk::Member("tool_calls")),
    };
    let mut fragments = calls.into_iter().map(fragment).collect::<Result<Vec<_>, _>>()?;
    match present(delta.remove("function_call")) {
        None => {}
        Some(Value::Object(function)) => fragments.push(of_function(function)?),
        Some(_) => return Err(BadChunk::Member("function_call")),
    }
    Ok(fragments)
}

fn fragment(call: Value) -> Result<Fragment, BadChunk> {
    let Value::Object(mut call) = call else { return Err(BadChunk::Member("a tool call")) };
    if call.get("type").and_then(Value::as_str) == Some("custom") {
        return Err(BadChunk::Member("the type of a tool call"));
    }
    let function = match present(call.remove("function")) {
        None => Map::new(),
        Some(Value::Object(function)) => function,
        Some(_) => return Err(BadChunk::Member("the function of a tool call")),
    };
    let index = match present(call.remove("index")) {
        None => None,
        Some(index) => {
            let index = index.as_u64().filter(|index| *index <= LARGEST_INDEX);
            Some(index.ok_or(BadChunk::Member("the index of a tool call"))?)
        }
    };
    let id = match present(call.remove("id")) {
        None => None,
        Some(Value::String(id)) => (!id.is_empty()).then_some(id),
        Some(Value::Number(id)) => Some(id.to_string()),
        Some(_) => return Err(BadChunk::Member("the id of a tool call")),
    };
    let extra_content = present(call.remove("extra_content"));
    Ok(Fragment { index, id, extra_content, ..of_function(function)? })
}

fn of_function(mut function: Map<String, Value>) -> Result<Fragment, BadChunk> {
    let name = match present(function.remove("name")) {
        None => None,
        Some(Value::String(name)) => (!name.is_empty()).then_some(name),
        Some(_) => return Err(BadChunk::Member("the name of a tool")),
    };
    let arguments = match present(function.remove("arguments")) {
        None => Arguments::Text(String::new()),
        Some(Value::String(text)) => Arguments::Text(text),
        Some(object @ Value::Object(_)) => Arguments::Object(object.to_string()),
        Some(_) => return Err(BadChunk::Member("the arguments of a tool")),
    };
    Ok(Fragment { index: None, id: None, name, arguments, extra_content: None })
}

/// What the message says, part by part.
pub enum Content {
    Text(String),
    /// A part `thinking`, as Mistral has them, and the text in it.
    Thinking {
        part: Map<String, Value>,
        text: String,
    },
}

/// A text, or a list of parts; what is no text and no thinking is not shown.
pub fn content(delta: &mut Map<String, Value>) -> Vec<Content> {
    match delta.remove("content") {
        Some(Value::String(text)) => vec![Content::Text(text)],
        Some(Value::Array(parts)) => parts.into_iter().filter_map(content_part).collect(),
        _ => Vec::new(),
    }
}

fn content_part(part: Value) -> Option<Content> {
    match part {
        Value::String(text) => Some(Content::Text(text)),
        Value::Object(part) => match part.get("type").and_then(Value::as_str) {
            Some("thinking") => {
                let text = part.get("thinking").map(all_text).unwrap_or_default();
                Some(Content::Thinking { part, text })
            }
            Some("text") | None => Some(Content::Text(part.get("text")?.as_str()?.to_owned())),
            Some(_) => None,
        },
        _ => None,
    }
}

/// A text, or the texts of a list of parts.
fn all_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part.get("text")?.as_str()).collect::<Vec<_>>().concat()
        }
        _ => String::new(),
    }
}
