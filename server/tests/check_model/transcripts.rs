//! What `--record` keeps is what was said, without the key, and can be replayed.

use std::sync::Arc;

use server::ids::CountedIds;
use server::model::anthropic::Anthropic;
use server::model::provider::{MaybeTap, ProviderSettings, Timeouts};
use server::model::transcript::{self, Exchange};
use server::model::{AssistantBlock, Model, ModelError, ModelMessage, ModelRequest, ModelTurn, StopReason};
use tokio::sync::mpsc;

use super::command::{Told, check_model, check_model_in};
use super::provider::{KEY, Provider, asked, error, good};

/// Recorded with `truthtable check-model --record` and the demo model.
const DEMO: &str = include_str!("transcripts/demo.jsonl");

async fn recorded(settings: &[(&str, &str)]) -> (Told, String) {
    let folder = tempfile::tempdir().unwrap();
    let told = check_model_in(folder.path(), &["--json", "--record", "transcript.jsonl"], settings).await;
    (told, std::fs::read_to_string(folder.path().join("transcript.jsonl")).unwrap())
}

/// The adapter's turns for a transcript's answers.
async fn replayed(exchanges: Vec<Exchange>) -> Vec<Result<ModelTurn, ModelError>> {
    let count = exchanges.len();
    let provider = Provider::replaying(exchanges).await;
    let settings = ProviderSettings {
        base_url: provider.url.clone(),
        api_key: KEY.to_owned(),
        max_tokens: 1024,
        effort: None,
        timeouts: Timeouts::default(),
        tap: MaybeTap::default(),
    };
    let model = Anthropic::new(settings, Arc::new(CountedIds::default())).unwrap();
    let mut turns = Vec::new();
    for _ in 0..count {
        let hello = ModelMessage::User { server_line: "Now".to_owned(), text: "Hello".to_owned() };
        let request = ModelRequest {
            model: "some-model".to_owned(),
            system: "".into(),
            tools: Arc::new([]),
            messages: vec![hello],
        };
        turns.push(model.turn(request, mpsc::channel(1000).0).await);
    }
    turns
}

fn calls(turn: &ModelTurn) -> Vec<(String, String)> {
    turn.calls().map(|call| (call.name, call.arguments)).collect()
}

#[tokio::test]
async fn a_recorded_transcript_gives_the_same_turns_again() {
    let turns = replayed(transcript::read(DEMO).unwrap()).await;
    let turns: Vec<ModelTurn> = turns.into_iter().map(Result::unwrap).collect();
    let stops: Vec<StopReason> = turns.iter().map(|turn| turn.stop).collect();
    use StopReason::{EndTurn, ToolUse};
    assert_eq!(stops, [EndTurn, ToolUse, ToolUse, EndTurn, EndTurn]);
    assert_eq!(calls(&turns[1]).len(), 1);
    assert!(calls(&turns[1])[0].1.contains("Đà Lạt"));
    assert_eq!(calls(&turns[2]).len(), 2);
    for turn in &turns {
        assert!(turn.usage.input_tokens > 0 && turn.usage.output_tokens > 0);
    }
    let says =
        |turn: &ModelTurn| turn.blocks.iter().any(|block| matches!(block, AssistantBlock::Text { .. }));
    assert!(says(&turns[0]) && says(&turns[3]) && says(&turns[4]));
}

#[tokio::test]
async fn the_demo_model_passes_and_what_was_recorded_passes_again() {
    let (told, transcript) = recorded(&[]).await;
    assert_eq!(told.outcomes(), ["passed"; 7], "{}", told.stdout);
    assert_eq!(told.code, 0);
    let exchanges = transcript::read(&transcript).unwrap();
    assert_eq!(exchanges.len(), 5);
    for exchange in &exchanges {
        assert_eq!(exchange.path, "/v1/messages");
        let request: serde_json::Value = serde_json::from_str(&exchange.request).unwrap();
        assert_eq!(request["model"], "demo/helpful");
        assert!(!exchange.request_headers.contains_key("x-api-key"));
        assert!(exchange.answer.as_ref().unwrap().pieces.len() > 1, "it came in pieces");
    }
    let provider = Provider::replaying(exchanges).await;
    let again = check_model(&["--json"], &provider.settings()).await;
    assert_eq!(again.outcomes(), told.outcomes(), "{}", again.stdout);
}

#[tokio::test]
async fn a_transcript_is_what_was_sent_byte_by_byte() {
    let provider = Provider::answering(|_, request| good(asked(request)).response()).await;
    let (_, transcript) = recorded(&provider.settings()).await;
    let exchanges = transcript::read(&transcript).unwrap();
    for exchange in exchanges {
        let request = serde_json::from_str(&exchange.request).unwrap();
        let sent = good(asked(&request)).response();
        let sent = axum::body::to_bytes(sent.into_body(), usize::MAX).await.unwrap();
        let answer = exchange.answer.unwrap();
        assert_eq!(answer.body(), sent);
        assert_eq!(answer.headers["content-type"], "text/event-stream");
    }
}

#[tokio::test]
async fn the_key_is_in_no_transcript_although_the_provider_repeats_it() {
    let provider =
        Provider::answering(|_, _| error(401, "authentication_error", &format!("wrong: {KEY}!"))).await;
    let (told, transcript) = recorded(&provider.settings()).await;
    assert_eq!(told.code, 1);
    assert!(!transcript.contains(KEY), "{transcript}");
    assert!(transcript.contains("wrong: [key]!"), "{transcript}");
    let exchanges = transcript::read(&transcript).unwrap();
    assert_eq!(exchanges[0].answer.as_ref().unwrap().status, 401);
}
