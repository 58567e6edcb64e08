//! A conversation with a provider, of which the last request is judged.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::support::request_rules::{Protocol, Record, Rule, Sent, check};

/// A request that a fault can be planted in.
pub struct Request {
    pub protocol: Protocol,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Request {
    pub fn new(protocol: Protocol, body: Value) -> Self {
        Self { protocol, headers: HeaderMap::new(), body }
    }

    pub fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.set_header(name, value);
        self
    }

    pub fn set_header(&mut self, name: &'static str, value: &'static str) {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }

    pub fn sent(&self) -> Sent {
        Sent {
            protocol: self.protocol,
            headers: self.headers.clone(),
            bytes: serde_json::to_vec(&self.body).unwrap(),
        }
    }
}

/// What was answered so far, and the request that follows.
pub struct Conversation {
    pub answered: Vec<(Request, String)>,
    pub last: Request,
}

impl Conversation {
    /// The rules that the last request breaks, each once.
    pub fn broken(&self) -> Vec<Rule> {
        self.broken_by(&self.last.sent())
    }

    /// The rules that this request breaks as the last one.
    pub fn broken_by(&self, last: &Sent) -> Vec<Rule> {
        let mut record = Record::default();
        for (request, answer) in &self.answered {
            record.add(&request.sent(), answer.as_bytes());
        }
        let mut broken: Vec<Rule> = Vec::new();
        for found in check(last).into_iter().chain(record.check(last)) {
            if !broken.contains(&found.rule) {
                broken.push(found.rule);
            }
        }
        broken
    }

    /// Every request of it is good.
    pub fn assert_good(&self) {
        for (request, _) in &self.answered {
            assert_eq!(check(&request.sent()), [], "{:#}", request.body);
        }
        assert_eq!(self.broken(), [], "{:#}", self.last.body);
    }

    /// The fault is found by its own rule. `beside`: rules that such a fault may break too, because it is in what
    /// was answered already.
    pub fn assert_found(&self, rule: Rule, beside: &[Rule]) {
        let broken = self.broken();
        assert!(broken.contains(&rule), "not found: {rule}; but {broken:?} in {:#}", self.last.body);
        let others: Vec<&Rule> =
            broken.iter().filter(|found| **found != rule && !beside.contains(found)).collect();
        assert!(others.is_empty(), "{rule} is not alone: {others:?} in {:#}", self.last.body);
    }
}

/// A stream of these events, named by their types where they have one.
pub fn stream(events: &[Value]) -> String {
    let event = |event: &Value| match event["type"].as_str() {
        Some(kind) => format!("event: {kind}\ndata: {event}\n\n"),
        None => format!("data: {event}\n\n"),
    };
    events.iter().map(event).collect()
}

/// The list behind this pointer.
pub fn list<'a>(value: &'a mut Value, pointer: &str) -> &'a mut Vec<Value> {
    at(value, pointer).as_array_mut().unwrap()
}

/// The value behind this pointer, which is there.
pub fn at<'a>(value: &'a mut Value, pointer: &str) -> &'a mut Value {
    value.pointer_mut(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"))
}

/// The object without this member, which it had.
pub fn without(value: &mut Value, pointer: &str, member: &str) {
    let members = at(value, pointer).as_object_mut().unwrap();
    assert!(members.remove(member).is_some(), "no {member} at {pointer}");
}
