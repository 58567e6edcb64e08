//! What a provider wants back with its message goes back as it came.

use serde_json::{Value, json};
use server::model::{AssistantBlock, ModelMessage, ModelTurn};

use super::provider::*;

/// The assistant's message that the next call sends, after these deltas.
async fn sent_back(deltas: &[Value], finish: &str) -> Value {
    let provider =
        Provider::replying(vec![Reply::stream(stream(deltas, finish)), Reply::stream(good_answer())]).await;
    let model = provider.model();
    let turn: ModelTurn = turn(&model).await.expect("a turn");
    let answers: Vec<_> = turn.calls().map(|call| result(call.tool_call_id.as_str(), "{}")).collect();
    let mut history = vec![user("1"), ModelMessage::Assistant { blocks: turn.blocks }];
    // As the store keeps it.
    let stored = serde_json::to_string(&history).expect("JSON");
    history = serde_json::from_str(&stored).expect("a history");
    history.push(if answers.is_empty() { user("2") } else { results(answers) });
    call(&model, request(history)).await.0.expect("a turn");
    let message = provider.asked()[1].body["messages"][2].clone();
    assert_eq!(message["role"], "assistant", "{message}");
    message
}

#[tokio::test]
async fn thinking_goes_back_with_the_calls_that_it_led_to_even_when_it_is_empty() {
    for name in ["reasoning_content", "reasoning"] {
        let message =
            sent_back(&[json!({ name: "Thời " }), json!({ name: "tiết?" }), a_call("call_A")], "tool_calls")
                .await;
        assert_eq!(message[name], "Thời tiết?");
        assert_eq!(message["tool_calls"][0]["id"], "call_A");

        let message = sent_back(&[json!({ name: "" }), a_call("call_A")], "tool_calls").await;
        assert_eq!(message.get(name), Some(&json!("")));

        let message = sent_back(&[json!({ name: null }), a_call("call_A")], "tool_calls").await;
        assert_eq!(message.get(name), None);
    }
}

#[tokio::test]
async fn thinking_that_led_to_an_answer_does_not_go_back() {
    let thinking = json!({ "reasoning_content": "Chào lại." });
    let message = sent_back(&[thinking, json!({ "content": "Chào bạn." })], "stop").await;
    assert_eq!(message, json!({ "role": "assistant", "content": "Chào bạn." }));

    let message = sent_back(&[json!({ "content": "<think>Chào lại.</think>\n\nChào bạn." })], "stop").await;
    assert_eq!(message, json!({ "role": "assistant", "content": "Chào bạn." }));
}

#[tokio::test]
async fn thinking_in_the_text_goes_back_in_the_text() {
    let deltas = [
        json!({ "content": "\n<think>Thời tiết?</thi" }),
        json!({ "content": "nk>\n\nĐể tôi xem." }),
        a_call("a"),
    ];
    let message = sent_back(&deltas, "tool_calls").await;
    assert_eq!(message["content"], "\n<think>Thời tiết?</think>\n\nĐể tôi xem.");
}

#[tokio::test]
async fn thinking_in_parts_goes_back_in_parts() {
    let part = |text: &str| json!({ "content": [{ "type": "thinking", "thinking": [{ "type": "text", "text": text }] }] });
    let deltas = [part("Thời "), part("tiết?"), json!({ "content": "Để tôi xem." }), a_call("Xy3Bc9dE2")];
    let message = sent_back(&deltas, "tool_calls").await;
    assert_eq!(
        message["content"],
        json!([
            { "type": "thinking", "thinking": [{ "type": "text", "text": "Thời tiết?" }] },
            { "type": "text", "text": "Để tôi xem." },
        ])
    );
}

#[tokio::test]
async fn signatures_go_back_verbatim_each_at_its_place() {
    let signed = json!({ "google": { "thought_signature": "c2ln", "z": 1, "a": [null] } });
    let mut first = a_call("call_A");
    first["tool_calls"][0]["extra_content"] = signed.clone();
    let mut second = a_call("call_B");
    second["tool_calls"][0]["index"] = json!(1);
    let details = |text: &str| json!({ "type": "reasoning.encrypted", "data": text, "index": 0 });
    let deltas = [
        json!({ "reasoning_details": [details("YQ==")] }),
        json!({ "reasoning_details": [details("Yg==")], "extra_content": signed }),
        first,
        second,
    ];
    let message = sent_back(&deltas, "stop").await;
    assert_eq!(message["tool_calls"][0]["extra_content"], signed);
    assert!(message["tool_calls"][1].get("extra_content").is_none());
    assert_eq!(message["reasoning_details"], json!([details("YQ=="), details("Yg==")]));
    assert_eq!(message["extra_content"], signed);
}

#[tokio::test]
async fn what_another_protocol_keeps_does_not_go_to_this_one() {
    let provider = Provider::streaming(good_answer()).await;
    let foreign = AssistantBlock::Opaque {
        protocol: "anthropic".to_owned(),
        block: json!({ "members": { "reasoning_content": "…" } }),
    };
    let unknown = AssistantBlock::Opaque { protocol: "openai-chat".to_owned(), block: json!({ "later": 1 }) };
    let blocks = vec![foreign, unknown, said("Chào."), tool_call("id-1", "a", "getWeather", "{}")];
    let history = vec![user("1"), assistant(blocks), results(vec![result("id-1", "r")])];
    call(&provider.model(), request(history)).await.0.expect("a turn");
    let message = &provider.asked()[0].body["messages"][2];
    assert_eq!(
        message.as_object().expect("a message").keys().collect::<Vec<_>>(),
        ["content", "role", "tool_calls"]
    );
}
