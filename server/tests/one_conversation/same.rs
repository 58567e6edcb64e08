use serde_json::Value;
use server::model::anthropic::Messages;
use server::model::openai_chat::ChatCompletions;
use server::model::openai_responses::Responses;

use super::play::play;
use super::spoken::{in_chat_completions, in_messages, in_responses};
use crate::support::provider::Asked;
use crate::support::tool_parts;

#[tokio::test]
async fn the_same_conversation_gives_the_same_parts_in_every_protocol() {
    let (anthropic, chat, responses) = tokio::join!(
        play::<Messages>(in_messages),
        play::<ChatCompletions>(in_chat_completions),
        play::<Responses>(in_responses)
    );
    let ends = ["done", "done", "done", "interrupted", "truncated", "refused", "done"];
    for played in [&anthropic, &chat, &responses] {
        assert_eq!(played.statuses, ends);
        assert_eq!(played.asked.len(), 11);
    }
    assert_eq!(anthropic.messages, chat.messages);
    assert_eq!(anthropic.messages, responses.messages);

    // That they are the same is worth something only if it is what was meant.
    let view = serde_json::json!({ "messages": responses.messages });
    let states: Vec<(&str, &str)> = tool_parts(&view)
        .map(|part| (part["type"].as_str().expect("a type"), part["state"].as_str().expect("a state")))
        .collect();
    assert_eq!(
        states,
        [
            ("tool-getWeather", "output-available"),
            ("tool-createBooking", "output-available"),
            ("tool-getWeather", "output-error"),
            ("tool-createBooking", "output-denied"),
            ("tool-createBooking", "output-cancelled"),
            ("tool-createBooking", "output-cancelled"),
        ]
    );
    assert_is_a_history_of_responses(&responses.asked);
}

/// Each call is answered once, reasoning stands before its call, and what was sent once stays as it was.
fn assert_is_a_history_of_responses(asked: &[Asked]) {
    for pair in asked.windows(2) {
        let before = pair[0].raw.strip_suffix("]}").expect("the input comes last");
        assert!(pair[1].raw.starts_with(before), "{}\n{}", pair[0].raw, pair[1].raw);
    }
    let last = &asked.last().expect("requests").body;
    assert_eq!(last["store"], false);
    let input = last["input"].as_array().expect("items");
    let ids_of = |kind: &str| -> Vec<&str> {
        let items = input.iter().filter(|item| item["type"] == kind);
        items.map(|item| item["call_id"].as_str().expect("an id")).collect()
    };
    let calls = ids_of("function_call");
    assert_eq!(calls, ["call_0_0", "call_0_1", "call_2_0", "call_4_0"]);
    assert_eq!(ids_of("function_call_output"), calls);
    let kinds: Vec<&str> = input.iter().take(6).map(|item| item["type"].as_str().expect("a type")).collect();
    assert_eq!(
        kinds,
        ["message", "reasoning", "message", "function_call", "function_call", "function_call_output"]
    );
    assert_eq!(input[1]["encrypted_content"], "enc-0");
    let told = |at: usize| -> Value { input[at]["output"].clone() };
    assert!(told(6).as_str().is_some_and(|text| text.contains("bookingId")), "{}", told(6));
}
