//! A reply on the wire: as server-sent events at a human pace, or as one message.

use std::time::Duration;

use axum::response::sse::Event;
use serde_json::{Map, Value, json};

use super::reply::{Call, Ending, Reply};

/// At pace 1.
const BEFORE_FIRST_BYTE: Duration = Duration::from_millis(300);
const A_WORD: Duration = Duration::from_millis(25);
const A_PIECE: Duration = Duration::from_millis(40);
/// A plausible token, in characters.
const TOKEN: usize = 4;

/// FNV-1a: the same text gives the same number everywhere.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// An identifier that follows from the request, since nothing here is random.
pub fn identifier(prefix: &str, bytes: &[u8]) -> String {
    format!("{prefix}{:016x}", fingerprint(bytes))
}

pub fn tokens(characters: usize) -> u64 {
    u64::try_from(characters.div_ceil(TOKEN)).unwrap_or(u64::MAX)
}

/// A reply with all that the wire needs beside it.
pub struct Outgoing {
    pub model: String,
    /// Of the request, in hex: identifiers are made of it.
    pub seed: String,
    pub input_tokens: u64,
    pub reply: Reply,
    /// It did not fit into `max_tokens`.
    pub truncated: bool,
}

impl Outgoing {
    /// Cuts what goes beyond the output limit, as the real API does.
    pub fn limit(&mut self, max_tokens: u64) {
        let mut left = usize::try_from(max_tokens).unwrap_or(usize::MAX).saturating_mul(TOKEN);
        let mut fit = |text: &mut String| {
            let whole = text.chars().count();
            if whole > left {
                *text = text.chars().take(left).collect();
            }
            left = left.saturating_sub(whole);
            whole <= text.chars().count()
        };
        let mut fits = self.reply.text.as_mut().is_none_or(&mut fit);
        let mut calls = std::mem::take(&mut self.reply.calls).into_iter();
        while let (true, Some(mut call)) = (fits, calls.next()) {
            fits = fit(&mut call.arguments);
            self.reply.calls.push(call);
        }
        self.truncated = !fits;
    }

    fn stop_reason(&self) -> &'static str {
        match (self.truncated, self.reply.ending, self.reply.calls.is_empty()) {
            (true, _, _) | (false, Ending::AtLimit, _) => "max_tokens",
            (false, Ending::Refused, _) => "refusal",
            (false, Ending::Proper | Ending::Cut | Ending::Stalled, true) => "end_turn",
            (false, Ending::Proper | Ending::Cut | Ending::Stalled, false) => "tool_use",
        }
    }

    fn output_tokens(&self) -> u64 {
        let text = self.reply.text.as_deref().unwrap_or_default().chars().count();
        let calls: usize =
            self.reply.calls.iter().map(|call| call.name.len() + call.arguments.chars().count()).sum();
        tokens(text + calls).max(1)
    }

    fn head(&self, content: Value, stop_reason: Option<&str>, output_tokens: u64) -> Value {
        json!({
            "id": format!("msg_demo_{}", self.seed),
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": content,
            "stop_reason": stop_reason,
            "stop_sequence": null,
            "usage": {
                "input_tokens": self.input_tokens,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": output_tokens,
            },
        })
    }

    fn call_id(&self, index: usize) -> String {
        format!("toolu_demo_{}_{index}", self.seed)
    }

    /// The whole message, for a request without `stream`.
    pub fn message(&self) -> Value {
        let text = self.reply.text.iter().map(|text| json!({ "type": "text", "text": text }));
        let calls = self.reply.calls.iter().enumerate().map(|(index, call)| {
            json!({ "type": "tool_use", "id": self.call_id(index), "name": call.name, "input": object(call) })
        });
        let content: Vec<Value> = text.chain(calls).collect();
        self.head(Value::from(content), Some(self.stop_reason()), self.output_tokens())
    }

    /// The events in order, each with the pause before it at pace 1. A reply that breaks off just ends.
    pub fn events(&self) -> Vec<(Duration, Event)> {
        let mut events = Events::default();
        let message = self.head(json!([]), None, 1);
        events.push(BEFORE_FIRST_BYTE, "message_start", json!({ "message": message }));
        let mut index = 0;
        if let Some(text) = self.reply.text.as_deref().filter(|text| !text.is_empty()) {
            events.start(index, json!({ "type": "text", "text": "" }));
            for word in text.split_inclusive(' ') {
                events.delta(A_WORD, index, json!({ "type": "text_delta", "text": word }));
            }
            events.stop(index);
            index += 1;
        }
        for (at, call) in self.reply.calls.iter().enumerate() {
            let id = self.call_id(at);
            events.start(index, json!({ "type": "tool_use", "id": id, "name": call.name, "input": {} }));
            let pieces = pieces(&call.arguments);
            let breaks_off = self.reply.ending.breaks_off() && at + 1 == self.reply.calls.len();
            let sent = if breaks_off { pieces.len() / 2 } else { pieces.len() };
            let first = std::iter::once("").chain(pieces[..sent].iter().copied());
            for (at, piece) in first.enumerate() {
                let pause = if at == 0 { Duration::ZERO } else { A_PIECE };
                events.delta(pause, index, json!({ "type": "input_json_delta", "partial_json": piece }));
            }
            if breaks_off {
                return events.list;
            }
            events.stop(index);
            index += 1;
        }
        events.push(
            Duration::ZERO,
            "message_delta",
            json!({
                "delta": { "stop_reason": self.stop_reason(), "stop_sequence": null },
                "usage": { "output_tokens": self.output_tokens() },
            }),
        );
        events.push(Duration::ZERO, "message_stop", json!({}));
        events.list
    }
}

#[derive(Default)]
struct Events {
    list: Vec<(Duration, Event)>,
    pinged: bool,
}

impl Events {
    fn push(&mut self, pause: Duration, name: &'static str, mut payload: Value) {
        payload["type"] = Value::from(name);
        self.list.push((pause, Event::default().event(name).data(payload.to_string())));
    }

    fn start(&mut self, index: usize, block: Value) {
        self.push(Duration::ZERO, "content_block_start", json!({ "index": index, "content_block": block }));
        // Where the real API sends one, too.
        if !self.pinged {
            self.pinged = true;
            self.push(Duration::ZERO, "ping", json!({}));
        }
    }

    fn delta(&mut self, pause: Duration, index: usize, delta: Value) {
        self.push(pause, "content_block_delta", json!({ "index": index, "delta": delta }));
    }

    fn stop(&mut self, index: usize) {
        self.push(Duration::ZERO, "content_block_stop", json!({ "index": index }));
    }
}

/// A message holds objects only: what is broken is told as such.
fn object(call: &Call) -> Value {
    match serde_json::from_str::<Map<String, Value>>(&call.arguments) {
        Ok(fields) => Value::Object(fields),
        Err(_) => json!({ "invalid_json": call.arguments }),
    }
}

/// Pieces of 3 to 8 bytes, or as much more as the last letter needs, cut anywhere between letters.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut state = fingerprint(text.as_bytes());
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut end = (3 + (state >> 33) as usize % 6).min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_small_and_lose_nothing() {
        let text = r#"{"city":"Đà Lạt","startsAt":"2026-12-05T19:00:00+07:00","note":"🙂🙂 cửa sổ"}"#;
        let cut = pieces(text);
        assert_eq!(cut.concat(), text);
        assert!(cut[..cut.len() - 1].iter().all(|piece| (3..=11).contains(&piece.len())), "{cut:?}");
        assert!(pieces("").is_empty());
    }

    #[test]
    fn the_output_limit_cuts() {
        let call = Call { name: "getWeather".into(), arguments: r#"{"city":"Huế","days":1}"#.to_owned() };
        let mut outgoing = Outgoing {
            model: "demo/helpful".to_owned(),
            seed: "0".to_owned(),
            input_tokens: 1,
            reply: Reply { calls: vec![call.clone(), call], ..Reply::say("12345678") },
            truncated: false,
        };
        outgoing.limit(100);
        assert!(!outgoing.truncated && outgoing.reply.calls.len() == 2);
        outgoing.limit(3);
        assert!(outgoing.truncated);
        assert_eq!(outgoing.reply.text.as_deref(), Some("12345678"));
        assert_eq!(outgoing.reply.calls.len(), 1);
        assert_eq!(outgoing.reply.calls[0].arguments, r#"{"ci"#);
        assert_eq!(outgoing.message()["stop_reason"], "max_tokens");
    }
}
