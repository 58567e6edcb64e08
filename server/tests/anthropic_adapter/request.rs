//! What is sent.

use serde_json::{Value, json};
use server::model::{AssistantBlock, ModelMessage, ModelRequest, ToolResult};
use shared::ids::ToolCallId;

use crate::provider::{self, KEY, Provider, request, user};
use crate::recorded::{good_answer, opaque, tool_call};

async fn sent(request: ModelRequest) -> provider::Asked {
    let provider = Provider::streaming(good_answer()).await;
    provider::call(&provider.model(), request).await.0.expect("a turn");
    provider.asked().remove(0)
}

async fn sent_messages(messages: Vec<ModelMessage>) -> Value {
    sent(request(messages)).await.body["messages"].take()
}

fn assistant(blocks: Vec<AssistantBlock>) -> ModelMessage {
    ModelMessage::Assistant { blocks }
}

fn said(text: &str) -> AssistantBlock {
    AssistantBlock::Text { text: text.to_owned() }
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

fn texts(texts: &[&str]) -> Vec<Value> {
    texts.iter().map(|text| json!({ "type": "text", "text": text })).collect()
}

const LINE: &str = "2026-11-30 19:00, Asia/Ho_Chi_Minh";

#[tokio::test]
async fn the_body_holds_what_the_protocol_asks_for_and_nothing_that_newer_models_refuse() {
    let asked = sent(request(vec![user("Xin chào")])).await;
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model",
            "max_tokens": 1024,
            "stream": true,
            "cache_control": { "type": "ephemeral" },
            "system": [{ "type": "text", "text": "Answer from tool results only." }],
            "tools": [{
                "name": "getWeather",
                "description": "When the guest asks for the weather.",
                "input_schema": {
                    "type": "object",
                    "properties": { "city": { "type": "string" } },
                    "required": ["city"],
                },
            }],
            "messages": [{ "role": "user", "content": texts(&[LINE, "Xin chào"]) }],
        })
    );
}

#[tokio::test]
async fn the_headers_name_the_key_and_the_version() {
    let asked = sent(request(vec![user("Xin chào")])).await;
    assert_eq!(asked.headers["x-api-key"], KEY);
    assert_eq!(asked.headers["anthropic-version"], "2026-10-21");
    assert_eq!(asked.headers["content-type"], "application/json");
    assert!(!asked.headers.contains_key("authorization"));
}

#[tokio::test]
async fn a_base_url_may_end_in_a_slash() {
    let provider = Provider::streaming(good_answer()).await;
    let mut settings = provider.settings();
    settings.base_url.push('/');
    provider::turn(&provider::adapter(settings)).await.expect("a turn");
}

#[tokio::test]
async fn effort_is_sent_only_where_it_is_set() {
    let provider = Provider::streaming(good_answer()).await;
    let mut settings = provider.settings();
    settings.effort = Some("high".to_owned());
    provider::turn(&provider::adapter(settings)).await.expect("a turn");
    assert_eq!(provider.asked()[0].body["output_config"], json!({ "effort": "high" }));
}

#[tokio::test]
async fn results_are_one_user_message_in_order_with_their_notes_behind_them() {
    let messages = sent_messages(vec![
        user("Thời tiết?"),
        assistant(vec![
            said("Để tôi xem."),
            tool_call("id-1", "toolu_A", "getWeather", r#"{"city":"Huế"}"#),
            tool_call("id-2", "toolu_B", "getWeather", ""),
        ]),
        results(vec![
            ToolResult { note: Some("The person edited this.".to_owned()), ..result("id-1", "{\"max\":31}") },
            ToolResult { is_error: true, note: Some(" ".to_owned()), ..result("id-2", "No such city.") },
        ]),
    ])
    .await;
    assert_eq!(
        messages[1],
        json!({ "role": "assistant", "content": [
            { "type": "text", "text": "Để tôi xem." },
            { "type": "tool_use", "id": "toolu_A", "name": "getWeather", "input": { "city": "Huế" } },
            { "type": "tool_use", "id": "toolu_B", "name": "getWeather", "input": {} },
        ] })
    );
    assert_eq!(
        messages[2],
        json!({ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "toolu_A", "is_error": false,
              "content": texts(&["{\"max\":31}", "The person edited this."]) },
            { "type": "tool_result", "tool_use_id": "toolu_B", "is_error": true,
              "content": texts(&["No such city."]) },
        ] })
    );
    assert_eq!(messages.as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_result_without_words_has_no_content() {
    let messages = sent_messages(vec![
        user("Thời tiết?"),
        assistant(vec![tool_call("id-1", "toolu_A", "getWeather", "{}")]),
        results(vec![result("id-1", "")]),
    ])
    .await;
    assert_eq!(
        messages[2]["content"],
        json!([{ "type": "tool_result", "tool_use_id": "toolu_A", "is_error": false }])
    );
}

#[tokio::test]
async fn words_behind_results_are_merged_into_their_message_results_first() {
    let call = |id, provider_id| assistant(vec![tool_call(id, provider_id, "getWeather", "{}")]);
    let history =
        vec![user("1"), call("id-1", "a"), results(vec![result("id-1", "r")]), user("2"), user("3")];
    let messages = sent_messages(history).await;
    let kinds: Vec<&Value> = messages[2]["content"].as_array().expect("blocks").iter().collect();
    assert_eq!(kinds[0]["type"], "tool_result");
    assert_eq!(kinds[1..].iter().map(|block| &block["text"]).collect::<Vec<_>>(), [LINE, "2", LINE, "3"]);
    assert_eq!(messages.as_array().map(Vec::len), Some(3));

    // Also where the history has them the other way round.
    let messages =
        sent_messages(vec![user("1"), call("id-1", "a"), user("2"), results(vec![result("id-1", "r")])])
            .await;
    assert_eq!(messages[2]["content"][0]["type"], "tool_result");
}

#[tokio::test]
async fn blank_texts_are_left_out() {
    let empty = ModelMessage::User { server_line: String::new(), text: "\n ".to_owned() };
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![said(""), said("\n\n"), said("Vâng.")]),
        empty,
        assistant(vec![said("Còn gì nữa?")]),
    ])
    .await;
    assert_eq!(
        messages,
        json!([
            { "role": "user", "content": texts(&[LINE, "1"]) },
            { "role": "assistant", "content": texts(&["Vâng.", "Còn gì nữa?"]) },
        ])
    );
}

#[tokio::test]
async fn an_assistant_message_that_would_be_empty_is_left_out_and_its_neighbours_are_merged() {
    let foreign = AssistantBlock::Opaque { protocol: "openai-chat".to_owned(), block: json!({ "x": 1 }) };
    for blocks in [vec![], vec![said("")], vec![foreign]] {
        let messages = sent_messages(vec![user("1"), assistant(blocks), user("2")]).await;
        assert_eq!(messages, json!([{ "role": "user", "content": texts(&[LINE, "1", LINE, "2"]) }]));
    }
}

#[tokio::test]
async fn own_opaque_blocks_go_back_verbatim_and_in_their_place_and_foreign_ones_do_not() {
    let thinking =
        json!({ "type": "thinking", "thinking": "…", "signature": "c2ln", "new_field": [1, null] });
    let redacted = json!({ "type": "redacted_thinking", "data": "ZGF0YQ==" });
    let unknown = json!({ "type": "hologram", "beams": { "b": 1, "a": 2.5 } });
    let foreign = AssistantBlock::Opaque { protocol: "openai-chat".to_owned(), block: thinking.clone() };
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![
            opaque(thinking.clone()),
            said("Một."),
            foreign,
            opaque(redacted.clone()),
            tool_call("id-1", "toolu_A", "getWeather", "{}"),
            opaque(unknown.clone()),
        ]),
        results(vec![result("id-1", "r")]),
    ])
    .await;
    assert_eq!(
        messages[1]["content"],
        json!([
            thinking,
            { "type": "text", "text": "Một." },
            redacted,
            { "type": "tool_use", "id": "toolu_A", "name": "getWeather", "input": {} },
            unknown,
        ])
    );
}

#[tokio::test]
async fn thinking_that_nothing_follows_is_left_out() {
    let thinking = || opaque(json!({ "type": "thinking", "thinking": "…", "signature": "" }));
    let redacted = || opaque(json!({ "type": "redacted_thinking", "data": "ZA==" }));
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![said("Một."), thinking(), redacted()]),
        user("2"),
        assistant(vec![thinking()]),
        user("3"),
    ])
    .await;
    assert_eq!(
        messages,
        json!([
            { "role": "user", "content": texts(&[LINE, "1"]) },
            { "role": "assistant", "content": texts(&["Một."]) },
            { "role": "user", "content": texts(&[LINE, "2", LINE, "3"]) },
        ])
    );
}

#[tokio::test]
async fn a_call_keeps_the_providers_id_where_the_protocol_takes_it_and_has_ours_where_not() {
    for (provider_id, wire_id) in [
        ("toolu_A-1", "toolu_A-1"),
        ("", "id-1"),
        ("functions.getWeather:3", "id-1"),
        ("số_1", "id-1"),
        ("a b", "id-1"),
    ] {
        let messages = sent_messages(vec![
            user("1"),
            assistant(vec![tool_call("id-1", provider_id, "getWeather", "{}")]),
            results(vec![result("id-1", "r")]),
        ])
        .await;
        assert_eq!(messages[1]["content"][0]["id"], wire_id, "{provider_id:?}");
        assert_eq!(messages[2]["content"][0]["tool_use_id"], wire_id, "{provider_id:?}");
    }
}

#[tokio::test]
async fn of_calls_that_share_an_id_the_first_keeps_it_and_each_result_finds_its_call() {
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![
            tool_call("id-1", "call_0", "getWeather", "{}"),
            tool_call("id-2", "call_0", "getWeather", "{}"),
        ]),
        results(vec![result("id-1", "first"), result("id-2", "second")]),
        assistant(vec![tool_call("id-3", "call_0", "getWeather", "{}")]),
        results(vec![result("id-3", "third")]),
    ])
    .await;
    let ids = |message: usize, field: &str| {
        let blocks = messages[message]["content"].as_array().expect("blocks");
        blocks.iter().map(|block| block[field].clone()).collect::<Vec<_>>()
    };
    assert_eq!(ids(1, "id"), ["call_0", "id-2"]);
    assert_eq!(ids(2, "tool_use_id"), ["call_0", "id-2"]);
    assert_eq!(ids(3, "id"), ["id-3"]);
    assert_eq!(ids(4, "tool_use_id"), ["id-3"]);
}

#[tokio::test]
async fn broken_arguments_and_unusable_tool_names_do_not_break_the_next_call() {
    let long = "x".repeat(200);
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![
            tool_call("id-1", "a", "đặt bàn", r#"{"city":"Hà"#),
            tool_call("id-2", "b", "", "[1]"),
            tool_call("id-3", "c", &long, "{}"),
        ]),
        results(vec![result("id-1", "r"), result("id-2", "r"), result("id-3", "r")]),
    ])
    .await;
    let blocks = &messages[1]["content"];
    assert_eq!(blocks[0]["name"], "__t_b_n");
    assert_eq!(blocks[0]["input"], json!({ "invalid_json": "{\"city\":\"Hà" }));
    assert_eq!(blocks[1]["name"], "unnamed");
    assert_eq!(blocks[1]["input"], json!({ "invalid_json": "[1]" }));
    assert_eq!(blocks[2]["name"], "x".repeat(128));
}

#[tokio::test]
async fn a_longer_history_begins_with_the_bytes_of_the_shorter_one() {
    let history = [
        user("Thời tiết?"),
        assistant(vec![
            opaque(json!({ "type": "thinking", "thinking": "…", "signature": "c2ln" })),
            said("Để tôi xem."),
            tool_call("id-1", "call_0", "getWeather", r#"{"city":"Huế"}"#),
        ]),
        results(vec![result("id-1", "{\"max\":31}")]),
        user("Còn ngày mai?"),
        // Neither an id that was used before nor a message that is left out changes what was sent.
        assistant(vec![tool_call("id-2", "call_0", "getWeather", r#"{"days":2}"#)]),
        results(vec![result("id-2", "{\"max\":30}")]),
        assistant(vec![opaque(json!({ "type": "thinking", "thinking": "…", "signature": "c2ln" }))]),
        user("Cảm ơn."),
    ];
    let provider = Provider::streaming(good_answer()).await;
    let model = provider.model();
    for length in 1..=history.len() {
        for _ in 0..2 {
            provider::call(&model, request(history[..length].to_vec())).await.0.expect("a turn");
        }
    }
    let sent: Vec<String> = provider.asked().into_iter().map(|asked| asked.raw).collect();
    for pair in sent.windows(2) {
        let open = pair[0].trim_end_matches(['}', ']']);
        assert!(pair[1].starts_with(open), "{}\n{}", pair[0], pair[1]);
    }
    for same in sent.chunks(2) {
        assert_eq!(same[0], same[1]);
    }
}
