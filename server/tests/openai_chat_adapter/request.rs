//! What is sent.

use serde_json::{Value, json};
use server::model::{ModelMessage, ModelRequest, ToolResult};

use super::provider::*;

const LINE: &str = "2026-11-30 19:00, Asia/Ho_Chi_Minh";

async fn sent(request: ModelRequest) -> Asked {
    let provider = Provider::streaming(good_answer()).await;
    call(&provider.model(), request).await.0.expect("a turn");
    provider.asked().remove(0)
}

async fn sent_messages(messages: Vec<ModelMessage>) -> Value {
    let mut all = sent(request(messages)).await.body["messages"].take();
    let system = all.as_array_mut().expect("messages").remove(0);
    assert_eq!(system, json!({ "role": "system", "content": "Answer from tool results only." }));
    all
}

#[tokio::test]
async fn the_body_holds_what_every_server_takes_and_nothing_else() {
    let asked = sent(request(vec![user("Xin chào")])).await;
    assert_eq!(
        asked.body,
        json!({
            "model": "some-model",
            "stream": true,
            "stream_options": { "include_usage": true },
            "max_tokens": 1024,
            "tools": [{ "type": "function", "function": {
                "name": "getWeather",
                "description": "When the guest asks for the weather.",
                "parameters": {
                    "type": "object",
                    "properties": { "city": { "type": "string" } },
                    "required": ["city"],
                },
            } }],
            "messages": [
                { "role": "system", "content": "Answer from tool results only." },
                { "role": "user", "content": format!("{LINE}\n\nXin chào") },
            ],
        })
    );
}

#[tokio::test]
async fn the_key_is_a_bearer_token_and_without_a_key_there_is_none() {
    let asked = sent(request(vec![user("Xin chào")])).await;
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));

    let provider = Provider::streaming(good_answer()).await;
    let mut settings = provider.settings();
    settings.api_key.clear();
    let model: server::model::openai_chat::OpenAiChat = adapter(settings);
    turn(&model).await.expect("a turn");
    assert!(!provider.asked()[0].headers.contains_key("authorization"));
}

#[tokio::test]
async fn effort_is_sent_only_where_it_is_set() {
    let provider = Provider::streaming(good_answer()).await;
    let mut settings = provider.settings();
    settings.effort = Some("high".to_owned());
    let model: server::model::openai_chat::OpenAiChat = adapter(settings);
    turn(&model).await.expect("a turn");
    assert_eq!(provider.asked()[0].body["reasoning_effort"], "high");
}

#[tokio::test]
async fn each_result_is_a_message_directly_behind_its_calls_and_says_errors_and_notes_in_words() {
    let failed = ToolResult { is_error: true, note: Some(" ".to_owned()), ..result("id-2", "No such city.") };
    let edited =
        ToolResult { note: Some("The person edited this.".to_owned()), ..result("id-1", "{\"max\":31}") };
    let calls = assistant(vec![
        said("Để tôi xem."),
        tool_call("id-1", "call_A", "getWeather", r#"{ "city": "Huế" }"#),
        tool_call("id-2", "call_B", "getWeather", ""),
    ]);
    let expected = json!([
        { "role": "user", "content": format!("{LINE}\n\nThời tiết?") },
        { "role": "assistant", "content": "Để tôi xem.", "tool_calls": [
            { "id": "call_A", "type": "function",
              "function": { "name": "getWeather", "arguments": "{\"city\":\"Huế\"}" } },
            { "id": "call_B", "type": "function", "function": { "name": "getWeather", "arguments": "{}" } },
        ] },
        { "role": "tool", "tool_call_id": "call_A", "content": "{\"max\":31}\n\nNote: The person edited this." },
        { "role": "tool", "tool_call_id": "call_B", "content": "Error: No such city." },
        { "role": "user", "content": format!("{LINE}\n\n2") },
    ]);
    let results = results(vec![edited, failed]);
    let in_order = vec![user("Thời tiết?"), calls.clone(), results.clone(), user("2")];
    assert_eq!(sent_messages(in_order).await, expected);
    // Also where the history has them the other way round.
    assert_eq!(sent_messages(vec![user("Thời tiết?"), calls, user("2"), results]).await, expected);
}

#[tokio::test]
async fn a_message_of_calls_alone_has_no_text_which_is_null() {
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![said(" "), tool_call("id-1", "call_A", "getWeather", "{}")]),
        results(vec![result("id-1", "r")]),
    ])
    .await;
    assert_eq!(messages[1]["content"], Value::Null);
    assert!(messages[1].as_object().expect("a message").contains_key("content"));
}

#[tokio::test]
async fn what_has_nothing_to_say_is_left_out_and_neighbours_become_one() {
    let empty = ModelMessage::User { server_line: String::new(), text: "\n ".to_owned() };
    let messages =
        sent_messages(vec![user("1"), assistant(vec![]), assistant(vec![said("\n")]), empty, user("2")])
            .await;
    assert_eq!(messages, json!([{ "role": "user", "content": format!("{LINE}\n\n1\n\n{LINE}\n\n2") }]));
}

#[tokio::test]
async fn a_call_keeps_the_providers_id_where_it_fits_and_is_free_and_has_ours_where_not() {
    let ours = "0197-our-own-id";
    for (provider_id, wire_id) in [
        ("call_A", "call_A"),
        ("functions.getWeather:0", "functions.getWeather:0"),
        ("", ours),
        ("a b", ours),
        ("số_1", ours),
        (&"x".repeat(40), &"x".repeat(40)),
        (&"x".repeat(41), ours),
    ] {
        let messages = sent_messages(vec![
            user("1"),
            assistant(vec![tool_call(ours, provider_id, "getWeather", "{}")]),
            results(vec![result(ours, "r")]),
        ])
        .await;
        assert_eq!(messages[1]["tool_calls"][0]["id"], wire_id, "{provider_id:?}");
        assert_eq!(messages[2]["tool_call_id"], wire_id, "{provider_id:?}");
    }
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![tool_call("id-1", "call_0", "now", "{}"), tool_call("id-2", "call_0", "now", "{}")]),
        results(vec![result("id-1", "first"), result("id-2", "second")]),
    ])
    .await;
    assert_eq!(messages[2], json!({ "role": "tool", "tool_call_id": "call_0", "content": "first" }));
    assert_eq!(messages[3], json!({ "role": "tool", "tool_call_id": "id-2", "content": "second" }));
}

#[tokio::test]
async fn broken_arguments_and_unusable_tool_names_do_not_break_the_next_call() {
    let messages = sent_messages(vec![
        user("1"),
        assistant(vec![
            tool_call("id-1", "a", "đặt bàn", r#"{"city":"Hà"#),
            tool_call("id-2", "b", &"x".repeat(100), "[1]"),
        ]),
        results(vec![result("id-1", "r"), result("id-2", "r")]),
    ])
    .await;
    let function = |n: usize| &messages[1]["tool_calls"][n]["function"];
    assert_eq!(function(0)["name"], "__t_b_n");
    assert_eq!(function(0)["arguments"], r#"{"invalid_json":"{\"city\":\"Hà"}"#);
    assert_eq!(function(1)["name"], "x".repeat(64));
    assert_eq!(function(1)["arguments"], r#"{"invalid_json":"[1]"}"#);
}

#[tokio::test]
async fn a_longer_history_begins_with_the_bytes_of_the_shorter_one() {
    let history = [
        user("Thời tiết?"),
        assistant(vec![said("Để tôi xem."), tool_call("id-1", "call_0", "getWeather", r#"{"city":"Huế"}"#)]),
        results(vec![result("id-1", "{\"max\":31}")]),
        user("Còn ngày mai?"),
        assistant(vec![tool_call("id-2", "call_0", "getWeather", r#"{"days":2}"#)]),
        results(vec![result("id-2", "{\"max\":30}")]),
        assistant(vec![]),
        user("Cảm ơn."),
        user("Chào."),
    ];
    let provider = Provider::streaming(good_answer()).await;
    let model = provider.model();
    // The model is asked when somebody else has spoken.
    let asked = |length: &usize| !matches!(history[length - 1], ModelMessage::Assistant { .. });
    for length in (1..=history.len()).filter(asked) {
        for _ in 0..2 {
            call(&model, request(history[..length].to_vec())).await.0.expect("a turn");
        }
    }
    let sent: Vec<String> = provider.asked().into_iter().map(|asked| asked.raw).collect();
    for pair in sent.windows(2) {
        let open = pair[0].trim_end_matches(['}', ']', '"']);
        assert!(pair[1].starts_with(open), "{}\n{}", pair[0], pair[1]);
    }
    for same in sent.chunks(2) {
        assert_eq!(same[0], same[1]);
    }
}
