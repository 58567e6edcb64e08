//! What is sent.

use serde_json::{Value, json};
use server::model::openai_responses::{BASE_URL, Responses};
use server::model::provider::{Protocol, ProviderSettings};
use server::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult};
use shared::ids::ToolCallId;

use crate::recorded::{good_answer, opaque, reasoning, said, tool_call};
use crate::support::provider::{Asked, KEY, Provider, adapter, call, request, settings, turn, user};

async fn sent(request: ModelRequest) -> Asked {
    let provider = Provider::<Responses>::streaming(good_answer()).await;
    call(&provider.model(), request).await.0.expect("a turn");
    provider.asked().remove(0)
}

async fn sent_input(messages: Vec<ModelMessage>) -> Value {
    sent(request(messages)).await.body["input"].take()
}

/// What would be sent to OpenAI's own server.
fn to_openai(request: &ModelRequest) -> Value {
    let settings = ProviderSettings { base_url: BASE_URL.to_owned(), ..settings("") };
    let body = Responses::new(&settings).body(&settings, request).expect("a body");
    serde_json::from_slice(&body).expect("JSON")
}

fn assistant(blocks: Vec<AssistantBlock>) -> ModelMessage {
    ModelMessage::Assistant { blocks }
}

fn result(id: &str, content: &str) -> ToolResult {
    ToolResult {
        tool_call_id: ToolCallId::from(id),
        content: content.to_owned(),
        note: None,
        is_error: false,
    }
}

fn results(results: Vec<ToolResult>) -> ModelMessage {
    ModelMessage::ToolResults { results }
}

const LINE: &str = "2026-11-30 19:00, Asia/Ho_Chi_Minh";

fn words(texts: &[&str]) -> Value {
    let parts = texts.iter().map(|text| json!({ "type": "input_text", "text": text }));
    json!({ "type": "message", "role": "user", "content": parts.collect::<Vec<_>>() })
}

#[tokio::test]
async fn the_body_holds_what_the_protocol_asks_for_and_nothing_that_a_model_refuses() {
    let asked = sent(request(vec![user("Xin chào")])).await;
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model",
            "stream": true,
            "store": false,
            "max_output_tokens": 1024,
            "include": ["reasoning.encrypted_content"],
            "instructions": "Answer from tool results only.",
            "tools": [{
                "type": "function",
                "name": "getWeather",
                "description": "When the guest asks for the weather.",
                "strict": false,
                "parameters": {
                    "type": "object",
                    "properties": { "city": { "type": "string" } },
                    "required": ["city"],
                },
            }],
            "input": [words(&[LINE, "Xin chào"])],
        })
    );
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["content-type"], "application/json");
}

#[tokio::test]
async fn a_server_without_a_key_is_sent_none() {
    let provider = Provider::<Responses>::streaming(good_answer()).await;
    let settings = ProviderSettings { api_key: String::new(), ..provider.settings() };
    turn(&adapter::<Responses>(settings)).await.expect("a turn");
    assert!(!provider.asked()[0].headers.contains_key("authorization"));
}

#[test]
fn openai_itself_is_sent_strict_tools_and_a_key_for_its_cache() {
    let body = to_openai(&request(vec![user("Xin chào")]));
    assert_eq!(
        body["tools"],
        json!([{
            "type": "function",
            "name": "getWeather",
            "description": "When the guest asks for the weather.",
            "strict": true,
            "parameters": {
                "type": "object",
                "properties": { "city": { "type": "string" } },
                "required": ["city"],
                "additionalProperties": false,
            },
        }])
    );
    let key = body["prompt_cache_key"].as_str().expect("a key");
    assert_eq!(key.len(), 32);
    let key_of = |messages| to_openai(&request(messages))["prompt_cache_key"].clone();
    assert_eq!(key_of(vec![user("Xin chào"), assistant(vec![said("Chào.")]), user("Đặt bàn")]), key);
    assert_ne!(key_of(vec![user("Đặt bàn")]), key);
}

#[test]
fn a_tool_that_strict_mode_cannot_describe_is_sent_as_it_is() {
    let mut request = request(vec![user("Xin chào")]);
    let mut tool = request.tools[0].clone();
    tool.parameters = json!({ "type": "object", "additionalProperties": true });
    request.tools = [tool.clone()].into();
    let body = to_openai(&request);
    assert_eq!(body["tools"][0]["strict"], false);
    assert_eq!(body["tools"][0]["parameters"], tool.parameters);
}

#[tokio::test]
async fn reasoning_is_asked_for_only_where_the_model_can() {
    let provider = Provider::<Responses>::streaming(good_answer()).await;
    let settings = ProviderSettings { effort: Some("high".to_owned()), ..provider.settings() };
    turn(&adapter::<Responses>(settings)).await.expect("a turn");
    assert_eq!(provider.asked()[0].body["reasoning"], json!({ "effort": "high", "summary": "auto" }));

    let asks = |model: &str| {
        let request = ModelRequest { model: model.to_owned(), ..request(vec![user("Xin chào")]) };
        to_openai(&request).get("include").is_some()
    };
    for model in ["gpt-5", "gpt-6-astra", "o3", "qwen3", "openai/gpt-oss-120b"] {
        assert!(asks(model), "{model}");
    }
    for model in ["gpt-4o", "gpt-4.1-mini", "chatgpt-4o-latest", "openai/gpt-4o", "ft:gpt-4o:house::1"] {
        assert!(!asks(model), "{model}");
    }
}

#[tokio::test]
async fn calls_are_answered_by_their_call_id_with_errors_and_notes_in_words() {
    let input = sent_input(vec![
        user("Thời tiết?"),
        assistant(vec![
            said("Để tôi xem."),
            tool_call("id-1", "call_A", "getWeather", r#"{ "city" : "Huế" }"#),
            tool_call("id-2", "call_B", "getWeather", ""),
            tool_call("id-3", "call_C", "getWeather", "{}"),
        ]),
        results(vec![
            ToolResult { note: Some("The person edited this.".to_owned()), ..result("id-1", "{\"max\":31}") },
            ToolResult { is_error: true, note: Some(" ".to_owned()), ..result("id-2", "No such city.") },
            result("id-3", ""),
        ]),
    ])
    .await;
    let called = |call_id: &str, arguments: &str| json!({ "type": "function_call", "call_id": call_id, "name": "getWeather", "arguments": arguments });
    let output = |call_id: &str, output: &str| json!({ "type": "function_call_output", "call_id": call_id, "output": output });
    assert_eq!(
        input,
        json!([
            words(&[LINE, "Thời tiết?"]),
            { "type": "message", "role": "assistant", "content": "Để tôi xem." },
            called("call_A", r#"{ "city" : "Huế" }"#),
            called("call_B", "{}"),
            called("call_C", "{}"),
            output("call_A", "{\"max\":31}\n\nNote: The person edited this."),
            output("call_B", "Error: No such city."),
            output("call_C", "(no output)"),
        ])
    );
}

#[tokio::test]
async fn own_reasoning_and_unknown_items_go_back_verbatim_and_in_their_place_and_foreign_ones_do_not() {
    let (first, second) = (reasoning("rs_1"), reasoning("rs_2"));
    let clear =
        json!({ "type": "reasoning", "id": "rs_3", "content": [{ "type": "reasoning_text", "text": "…" }] });
    let search = json!({ "id": "ws_1", "type": "web_search_call", "action": { "b": 1, "a": 2.5 } });
    let foreign =
        AssistantBlock::Opaque { protocol: "anthropic".to_owned(), block: json!({ "type": "thinking" }) };
    let input = sent_input(vec![
        user("1"),
        assistant(vec![
            opaque(first.clone()),
            opaque(search.clone()),
            foreign,
            opaque(second.clone()),
            opaque(json!({ "type": "message", "phase": "commentary" })),
            said("Để tôi xem."),
            opaque(clear.clone()),
            tool_call("id-1", "call_A", "getWeather", "{}"),
        ]),
        results(vec![result("id-1", "r")]),
        assistant(vec![said("Mát.")]),
    ])
    .await;
    assert_eq!(
        input.as_array().expect("items")[1..],
        [
            first,
            search,
            second,
            json!({ "type": "message", "role": "assistant", "phase": "commentary", "content": "Để tôi xem." }),
            clear,
            json!({ "type": "function_call", "call_id": "call_A", "name": "getWeather", "arguments": "{}" }),
            json!({ "type": "function_call_output", "call_id": "call_A", "output": "r" }),
            json!({ "type": "message", "role": "assistant", "content": "Mát." }),
        ]
    );
}

#[tokio::test]
async fn what_would_fail_every_later_call_is_left_out() {
    let empty = json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": null });
    let unanswered = json!({ "type": "custom_tool_call", "call_id": "call_X", "name": "x", "input": "" });
    let input = sent_input(vec![
        user("1"),
        // Nothing is stored at the provider that a bare id could mean.
        assistant(vec![opaque(empty), said("Một."), said(" \n"), opaque(reasoning("rs_2"))]),
        ModelMessage::User { server_line: String::new(), text: " ".to_owned() },
        assistant(vec![opaque(reasoning("rs_3")), opaque(unanswered)]),
        user("2"),
    ])
    .await;
    assert_eq!(
        input,
        json!([
            words(&[LINE, "1"]),
            { "type": "message", "role": "assistant", "content": "Một." },
            words(&[LINE, "2"]),
        ])
    );
}

#[tokio::test]
async fn ids_names_and_arguments_that_cannot_be_sent_are_replaced() {
    let long = "x".repeat(65);
    let input = sent_input(vec![
        user("1"),
        assistant(vec![
            tool_call("id-1", "", "đặt bàn", r#"{"city":"Hà"#),
            tool_call("id-2", "functions.getWeather:3", "", "[1]"),
            tool_call("id-3", &long, &long, "{}"),
            tool_call("id-4", "call_0", "getWeather", "{}"),
            tool_call("id-5", "call_0", "getWeather", "{}"),
        ]),
        results((1..=5).map(|n| result(&format!("id-{n}"), &n.to_string())).collect()),
    ])
    .await;
    let items = input.as_array().expect("items");
    let all = |kind: &str, field: &str| -> Vec<Value> {
        items.iter().filter(|item| item["type"] == kind).map(|item| item[field].clone()).collect()
    };
    let ids = ["id-1", "id-2", "id-3", "call_0", "id-5"];
    assert_eq!(all("function_call", "call_id"), ids);
    assert_eq!(all("function_call_output", "call_id"), ids);
    assert_eq!(all("function_call_output", "output"), ["1", "2", "3", "4", "5"]);
    assert_eq!(all("function_call", "name")[..3], ["__t_b_n", "unnamed", &long[..64]]);
    assert_eq!(
        all("function_call", "arguments")[..3],
        [r#"{"invalid_json":"{\"city\":\"Hà"}"#, r#"{"invalid_json":"[1]"}"#, "{}"]
    );
}

#[tokio::test]
async fn a_longer_history_begins_with_the_bytes_of_the_shorter_one() {
    let history = [
        user("Thời tiết?"),
        assistant(vec![
            opaque(reasoning("rs_1")),
            said("Để tôi xem."),
            tool_call("id-1", "call_0", "getWeather", r#"{"city":"Huế"}"#),
        ]),
        results(vec![result("id-1", "{\"max\":31}")]),
        user("Còn ngày mai?"),
        assistant(vec![tool_call("id-2", "call_0", "getWeather", r#"{"days":2}"#)]),
        results(vec![result("id-2", "{\"max\":30}")]),
        assistant(vec![opaque(reasoning("rs_2"))]),
        user("Cảm ơn."),
    ];
    let local = settings("http://127.0.0.1:1/v1");
    let openai = ProviderSettings { base_url: BASE_URL.to_owned(), ..local.clone() };
    for settings in [local, openai] {
        let body = |length: usize| {
            let request = request(history[..length].to_vec());
            Responses::new(&settings).body(&settings, &request).expect("a body")
        };
        for length in 1..history.len() {
            let (shorter, longer) = (body(length), body(length + 1));
            let open = shorter.strip_suffix(b"]}").expect("the input comes last");
            assert!(longer.starts_with(open), "{}", String::from_utf8_lossy(&longer));
            assert_eq!(shorter, body(length));
        }
    }
}
