//! What a provider of the tests is sent is looked at, whoever sends it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use axum::Router;
use axum::response::sse::{Event, Sse};
use axum::routing::post;
use serde_json::{Value, json};
use server::model::demo::Persona;

use crate::support::request_rules::{Scope, Watch};
use crate::support::{Guest, PATIENCE, ScriptedModel, Server, Serving, Turn};

fn watched(scope: Scope) -> (Serving, Watch) {
    let answer = || async {
        let stop = Event::default().event("message_stop").data(r#"{"type":"message_stop"}"#);
        Sse::new(futures::stream::iter([Ok::<_, std::convert::Infallible>(stop)]))
    };
    let watch = Watch::new(scope);
    let provider = watch.over(Router::new().route("/v1/messages", post(answer)));
    (Serving::start(provider), watch)
}

async fn send(serving: &Serving, messages: Value) {
    let body = json!({ "model": "any", "max_tokens": 1, "messages": messages });
    let url = format!("{}/v1/messages", serving.url);
    let request = reqwest::Client::new().post(url).header("anthropic-version", "2026-10-21");
    request.json(&body).send().await.unwrap().error_for_status().unwrap().bytes().await.unwrap();
}

fn said(role: &str, text: &str) -> Value {
    json!({ "role": role, "content": [{ "type": "text", "text": text }] })
}

/// What the test would be told of it.
fn failure(watch: Watch) -> Option<String> {
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(watch)));
    dropped.err().map(|told| *told.downcast::<String>().unwrap())
}

#[tokio::test]
async fn a_request_that_breaks_a_rule_fails_the_test_that_made_it() {
    let (serving, watch) = watched(Scope::Request);
    send(&serving, json!([said("user", "Hello")])).await;
    send(&serving, json!([said("user", " ")])).await;
    let told = failure(watch).expect("a failure");
    assert!(
        told.contains("request 1: Messages API: no text is empty or white space alone (item 0"),
        "{told}"
    );
    assert!(!told.contains("request 0:"), "{told}");
}

#[tokio::test]
async fn a_history_that_changes_between_two_requests_fails_the_test() {
    let history =
        |first: &str| json!([said("user", first), said("assistant", "Yes?"), said("user", "Well.")]);
    for (scope, fails) in [(Scope::Conversations, true), (Scope::Request, false)] {
        let (serving, watch) = watched(scope);
        send(&serving, json!([said("user", "Hello")])).await;
        send(&serving, history("Hello")).await;
        send(&serving, history("Hello!")).await;
        let told = failure(watch);
        assert_eq!(told.is_some(), fails, "{told:?}");
        assert!(told.is_none_or(|told| told.contains("request 2: ") && !told.contains("request 1: ")));
    }
}

#[tokio::test]
async fn what_every_persona_is_sent_is_looked_at() {
    let server = Server::start(&[]);
    let mut guest = Guest::new(&server);
    for persona in Persona::ALL {
        let name = persona.as_str();
        let conversation = guest.converse(json!({ "persona": name })).await;
        guest.send(&conversation, "Hello").await;
        let begun = Instant::now();
        let is_it = |request: &Value| request["model"] == format!("demo/{name}");
        while !server.home().demo_model().requests().iter().any(is_it) {
            assert!(begun.elapsed() < PATIENCE, "nobody saw what {name} was sent");
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn what_a_scripted_model_is_sent_is_looked_at() {
    let model = ScriptedModel::start([Turn::text("Hello.")]).await;
    send_to(&model, json!([said("assistant", "Hello")])).await;
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(model)));
    let told = *dropped.unwrap_err().downcast::<String>().unwrap();
    assert!(told.contains("the first message is the user's"), "{told}");
}

#[tokio::test]
async fn what_the_demo_model_is_sent_as_a_program_of_its_own_is_looked_at() {
    let model = Server::demo_model();
    let body = json!({ "model": "demo/helpful", "max_tokens": 1, "messages": [said("user", "")] });
    let url = format!("{}/v1/messages", model.url);
    let request = reqwest::Client::new().post(url).header("anthropic-version", "2026-10-21");
    let answer = request.header("x-api-key", "any").json(&body).send().await.unwrap();
    // Refused, and an answer all the same.
    assert_eq!(answer.status(), 400);
    let dropped = catch_unwind(AssertUnwindSafe(|| drop(model)));
    let told = *dropped.unwrap_err().downcast::<String>().unwrap();
    assert!(told.contains("no text is empty or white space alone"), "{told}");
}

async fn send_to(model: &ScriptedModel, messages: Value) {
    let body = json!({ "model": "any", "max_tokens": 1, "messages": messages });
    let url = format!("{}/v1/messages", model.url);
    let request = reqwest::Client::new().post(url).header("anthropic-version", "2026-10-21");
    request.json(&body).send().await.unwrap().error_for_status().unwrap();
}
