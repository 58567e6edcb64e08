//! What of an answer is shown, and what is kept to be sent back.

use std::sync::Arc;

use axum::body::Bytes;
use serde_json::{Value, json};
use server::ids::CountedIds;
use server::model::openai_responses::{OpenAiResponses, Responses};
use server::model::provider::ProviderSettings;
use server::model::{AssistantBlock, ModelEvent, ModelRequest, ModelTurn, ToolSpec};
use shared::run::Usage;
use tokio::sync::mpsc;

use crate::recorded::{
    answer, call as call_item, completed, created, message, opaque, reasoning, said, sse, tool_call,
};
use crate::support::provider::{Provider, call, hello, settings, turn};

async fn turn_of(body: String) -> ModelTurn {
    turn(&Provider::<Responses>::streaming(body).await.model()).await.expect("a turn")
}

#[tokio::test]
async fn reasoning_is_kept_as_its_end_has_it_and_stands_before_its_call() {
    let mut early = reasoning("rs_1");
    early["encrypted_content"] = "half".into();
    let done = reasoning("rs_1");
    let weather = call_item("call_A", "{\"city\":\"Huế\"}");
    let body = sse(&[
        created(),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": early }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": done }),
        json!({ "type": "response.output_item.done", "output_index": 1, "item": weather }),
        completed(&[done.clone(), weather.clone()]),
    ]);
    assert_eq!(
        turn_of(body).await.blocks,
        [opaque(done), tool_call("id-1", "call_A", "getWeather", "{\"city\":\"Huế\"}")]
    );
}

#[tokio::test]
async fn items_stand_in_the_order_of_the_output_whatever_ends_first() {
    let (one, two) = (reasoning("rs_1"), call_item("call_A", "{}"));
    let body = sse(&[
        json!({ "type": "response.output_item.done", "output_index": 1, "item": two }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": one }),
        completed(&[one.clone(), two.clone()]),
    ]);
    assert_eq!(turn_of(body).await.blocks, [opaque(one), tool_call("id-1", "call_A", "getWeather", "{}")]);
}

#[tokio::test]
async fn unknown_items_are_kept_verbatim_but_for_what_no_request_may_have() {
    let search = json!({ "id": "ws_1", "type": "web_search_call", "status": "completed", "action": { "b": 1, "a": 2.50 } });
    let mut with_author = search.clone();
    with_author["created_by"] = "user_1".into();
    assert_eq!(
        turn_of(answer(&[with_author, message("Vâng.")])).await.blocks,
        [opaque(search), said("Vâng.")]
    );
}

#[tokio::test]
async fn a_messages_phase_is_kept_before_its_text() {
    let mut comment = message("Để tôi xem.");
    comment["phase"] = "commentary".into();
    let turn = turn_of(answer(&[comment, call_item("call_A", "{}")])).await;
    assert_eq!(
        turn.blocks,
        [
            opaque(json!({ "type": "message", "phase": "commentary" })),
            said("Để tôi xem."),
            tool_call("id-1", "call_A", "getWeather", "{}"),
        ]
    );
}

#[tokio::test]
async fn messages_and_parts_of_reasoning_are_shown_as_paragraphs() {
    let summary = |part: u64, delta: &str| json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "summary_index": part, "delta": delta });
    let text = |index: u64, delta: &str| json!({ "type": "response.output_text.delta", "output_index": index, "content_index": 0, "delta": delta });
    let added = |index: u64, item: &Value| json!({ "type": "response.output_item.added", "output_index": index, "item": item });
    let body = sse(&[
        added(0, &reasoning("rs_1")),
        summary(0, "Một "),
        summary(0, "hai."),
        summary(1, "Ba."),
        added(1, &json!({ "type": "message", "content": [] })),
        text(1, "Bốn "),
        text(1, "năm."),
        added(2, &json!({ "type": "message", "content": [] })),
        text(2, "Sáu."),
        json!({ "type": "response.incomplete", "response": { "incomplete_details": { "reason": "max_output_tokens" } } }),
    ]);
    let (outcome, shown) = call(&Provider::<Responses>::streaming(body).await.model(), hello()).await;
    let (mut reasoning, mut words) = (String::new(), String::new());
    for event in shown {
        match event {
            ModelEvent::ReasoningDelta(text) => reasoning.push_str(&text),
            ModelEvent::TextDelta(text) => words.push_str(&text),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!((reasoning.as_str(), words.as_str()), ("Một hai.\n\nBa.", "Bốn năm.\n\nSáu."));
    assert_eq!(outcome.expect("a turn").blocks, [said("Bốn năm."), said("Sáu.")]);
}

#[tokio::test]
async fn the_words_of_a_refusal_are_not_shown() {
    let refusal =
        json!({ "type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": "Không." });
    let item =
        json!({ "id": "msg_1", "type": "message", "content": [{ "type": "refusal", "refusal": "Không." }] });
    let body = sse(&[
        json!({ "type": "response.output_item.added", "output_index": 0, "item": item }),
        refusal,
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        completed(std::slice::from_ref(&item)),
    ]);
    let (outcome, shown) = call(&Provider::<Responses>::streaming(body).await.model(), hello()).await;
    assert_eq!((outcome.expect("a turn").blocks, shown), (vec![], vec![]));
}

#[tokio::test]
async fn what_was_read_from_a_cache_and_written_to_it_is_counted_apart_and_once() {
    let usage = |usage: Value| {
        sse(&[json!({ "type": "response.completed", "response": { "status": "completed", "usage": usage } })])
    };
    let details = json!({ "cached_tokens": 60, "cache_write_tokens": 30 });
    let told = json!({ "input_tokens": 100, "output_tokens": 7, "total_tokens": 107, "input_tokens_details": details });
    let counted = turn_of(usage(told)).await.usage;
    assert_eq!(
        counted,
        Usage {
            input_tokens: 10,
            output_tokens: 7,
            cache_read_tokens: Some(60),
            cache_write_tokens: Some(30)
        }
    );
    assert_eq!(counted.total(), 107);

    let absurd = json!({ "input_tokens": 5, "output_tokens": u64::MAX, "input_tokens_details": { "cached_tokens": u64::MAX } });
    let counted = turn_of(usage(absurd)).await.usage;
    assert_eq!((counted.input_tokens, counted.cache_read_tokens), (0, Some(5)));
    assert!((counted + counted).total() > counted.total());
    assert_eq!(turn_of(usage(Value::Null)).await.usage, Usage::default());
}

async fn arguments_at(base_url: &str, arguments: &str) -> String {
    let ids = Arc::new(CountedIds::default());
    let settings = ProviderSettings { base_url: base_url.to_owned(), ..settings("http://127.0.0.1:1") };
    let model = OpenAiResponses::new(settings, ids).expect("good settings");
    let properties = json!({ "city": { "type": "string" }, "days": { "type": "integer" } });
    let parameters = json!({ "type": "object", "properties": properties, "required": ["city"] });
    let (name, description) = ("getWeather".to_owned(), "Weather.".to_owned());
    let tools = Arc::new([ToolSpec { name, description, parameters }]);
    let request = ModelRequest { tools, ..hello() };
    let (sender, _unread) = mpsc::channel(64);
    let body = Bytes::from(answer(&[call_item("call_A", arguments)]));
    let turn = model.read(&request, vec![body], &sender).await.expect("a turn");
    match turn.blocks.as_slice() {
        [AssistantBlock::ToolCall { arguments, .. }] => arguments.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn nulls_that_strict_mode_asked_for_are_taken_out_and_no_others() {
    let given = r#"{"city":"Huế","days":null}"#;
    // Nobody is called: only the host's name counts.
    for host in ["http://api.openai.com/v1", "http://eu.api.openai.com/v1"] {
        assert_eq!(arguments_at(host, given).await, r#"{"city":"Huế"}"#);
        assert_eq!(arguments_at(host, r#"{"city":null}"#).await, r#"{"city":null}"#);
        assert_eq!(arguments_at(host, r#"{"days":null"#).await, r#"{"days":null"#);
    }
    for host in ["http://127.0.0.1:1234/v1", "http://api.openai.com.example.org", "http://notapi.openai.com"]
    {
        assert_eq!(arguments_at(host, given).await, given);
    }
}
