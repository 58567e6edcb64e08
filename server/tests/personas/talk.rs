//! Who answers at great length.

use serde_json::{Value, json};

use super::record::*;
use crate::support::{Guest, Server, assistant_text};

/// The numbers of the paragraphs, in order.
fn paragraphs(text: &str) -> Vec<usize> {
    text.split("\n\n").filter_map(|paragraph| paragraph.split_once(". ")?.0.parse().ok()).collect()
}

#[tokio::test]
async fn chatty_s_answer_arrives_whole() {
    for (wish, ends_with) in [(WISH, "lúc mấy giờ?"), (ENGLISH_WISH, "at what time?")] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, "chatty", wish).await;
        let view = assert_ended(&server, &guest, &conversation, "done").await;
        let text = assistant_text(&view);
        assert!(text.split_whitespace().count() > 2_500, "{}", text.split_whitespace().count());
        let numbers = paragraphs(&text);
        assert_eq!(numbers, (1..=numbers.len()).collect::<Vec<_>>());
        assert!(text.ends_with(ends_with), "{text}");
        assert_eq!(outcome(&view), NOTHING);
    }
}

#[tokio::test]
async fn chatty_s_answer_can_be_read_while_it_comes_and_grows_only() {
    let server = Server::start(&[("TRUTHTABLE_DEMO_PACE", "0.02")]);
    let (guest, conversation) = Guest::with_conversation(&server, "chatty").await;
    guest.send(&conversation, WISH).await;
    let mut seen: Vec<String> = Vec::new();
    loop {
        let view = guest.view(&conversation).await;
        seen.push(assistant_text(&view));
        if status(&view) == "done" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(seen.windows(2).all(|pair| pair[1].starts_with(&pair[0])), "{seen:?}");
    let between = seen.iter().filter(|text| text.len() > 100 && text.len() < seen.last().unwrap().len());
    assert!(between.count() > 2, "it came all at once");
    let events = events(&guest, &conversation).await;
    let deltas = events.iter().filter(|event| event["type"] == "text-delta").count();
    assert!(deltas > 10, "{deltas}");
    assert_ended(&server, &guest, &conversation, "done").await;
}

#[tokio::test]
async fn chatty_is_stopped_in_the_middle_and_another_question_is_answered() {
    let server = Server::start(&[("TRUTHTABLE_DEMO_PACE", "0.1")]);
    let (guest, conversation) = Guest::with_conversation(&server, "chatty").await;
    guest.send(&conversation, WISH).await;
    guest.until(&conversation, |view| assistant_text(view).len() > 500).await;
    let stopped: Value =
        guest.post(&format!("/api/conversations/{conversation}/stop"), json!({})).await.expect(200).body;
    assert_eq!(stopped["run"]["status"], "cancelled");
    let shown = assistant_text(&guest.view(&conversation).await);
    assert!(!shown.contains("lúc mấy giờ?"), "it had ended before it was stopped");
    let view = assert_ended(&server, &guest, &conversation, "cancelled").await;
    // Nothing came after the stop.
    assert_eq!(assistant_text(&view), shown);
    assert_untouched(&server).await;
}
