//! Readers of a run that is at work on another server.

use std::time::Duration;

use shared::event::AgentEvent;
use shared::reduce::Conversation;
use shared::run::RunStatus;

use crate::several_servers::crew::{apply, crew, told_by_all};
use crate::support::{Guest, ScriptedModel, Turn, tool_parts, weather};

fn is_end(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::RunFinished { status: RunStatus::Done, .. })
}

#[tokio::test]
async fn who_leaves_at_every_event_and_returns_on_the_next_server_sees_what_others_see() {
    let pace = Duration::from_millis(20);
    let words = "Mang theo áo ấm và ô, chiều có mưa. ".repeat(4);
    let model = ScriptedModel::start([
        Turn::call("getWeather", weather("Đà Lạt")).and_call("getWeather", weather("Huế")).paced(pace),
        Turn::text(&words).thinking("What does one wear there?").paced(pace),
    ])
    .await;
    let crew = crew(3, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let mut stays = guest.at(&crew[1]).listen(&conversation, "", &[]).await;
    guest.send(&conversation, "What shall I wear?").await;

    let leaves = async {
        let (mut folded, mut last, mut ended) = (Conversation::default(), 0, false);
        while !ended {
            let server = &crew[usize::try_from(last).unwrap() % crew.len()];
            let seen_to = last.to_string();
            let headers = [("last-event-id", seen_to.as_str())];
            let mut reader = guest.at(server).listen(&conversation, "", &headers).await;
            let (id, event) = reader.next().await.expect("an event");
            assert_eq!(id, last + 1);
            ended = is_end(&event);
            last = id;
            apply(&mut folded, [(id, event)]);
        }
        folded
    };
    let (left, stayed) = tokio::join!(leaves, stays.until(is_end));
    let mut seen = Conversation::default();
    apply(&mut seen, stayed);
    assert_eq!(left, seen);
    let view = told_by_all(&crew, &guest, &conversation).await;
    assert_eq!(serde_json::to_value(&seen).unwrap(), view);
    assert_eq!(tool_parts(&view).count(), 2);
    assert!(view["lastEventId"].as_u64().unwrap() > 10, "too little to leave at: {view:#}");
}

#[tokio::test]
async fn text_is_on_another_servers_stream_before_the_model_has_ended() {
    // Less than the time after which readers look by themselves.
    let words = "word ".repeat(50);
    let model = ScriptedModel::start([Turn::text(&words).paced(Duration::from_millis(100))]).await;
    let crew = crew(2, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let mut reader = guest.at(&crew[1]).listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Hello").await;
    reader.until(|event| matches!(event, AgentEvent::TextDelta { .. })).await;
    let view = guest.at(&crew[1]).view(&conversation).await;
    assert_eq!(view["run"]["status"], "running", "{view:#}");
}
