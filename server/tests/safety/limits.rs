//! How much one guest may ask for.

use serde_json::json;

use crate::support::{Guest, ScriptedModel, Server, Turn};

#[tokio::test]
async fn the_31st_message_within_a_minute_is_429_and_stored_nowhere() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for number in 0..30 {
        guest.send(&conversation, &format!("Xin chào {number}")).await;
        guest.settled(&conversation).await;
    }
    let before = guest.view(&conversation).await;
    let answer = guest.try_send(&conversation, "one too many", "Xin chào").await;
    let retry_after: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&retry_after), "{retry_after}");
    answer.expect_problem(429, "too-many-requests");
    assert_eq!(guest.view(&conversation).await, before);
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM user_messages").await, 30);
    // Nor by way of a retry.
    let answer = guest.post(&format!("/api/conversations/{conversation}/retry"), json!({})).await;
    assert!(answer.status == 429 || answer.status == 409, "{}", answer.text);

    // Another guest is not meant, nor reads and decisions.
    let (other, own) = Guest::with_conversation(&server, "").await;
    other.send(&own, "Xin chào").await;
    guest.get("/api/conversations").await.expect(200);
    guest.decide(&conversation, "none", json!({ "approved": true })).await.expect_problem(404, "not-found");
}

#[tokio::test]
async fn a_message_sent_again_is_no_new_message() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let first = guest.try_send(&conversation, "one", "Xin chào").await.expect(202);
    guest.settled(&conversation).await;
    for _ in 0..40 {
        let again = guest.try_send(&conversation, "one", "Xin chào").await.expect(202);
        assert_eq!(again.body, first.body);
    }
    guest.try_send(&conversation, "two", "Xin chào").await.expect(202);
}

#[tokio::test]
async fn a_fifth_run_at_once_is_429_and_stored_nowhere() {
    let silent = || Turn::text("Wait").then_silent();
    let model = ScriptedModel::start((0..4).map(|_| silent())).await;
    let server = Server::start(&model.settings());
    let mut guest = Guest::new(&server);
    let mut at_work = Vec::new();
    for _ in 0..4 {
        let conversation = guest.converse(json!({})).await;
        guest.send(&conversation, "Hello").await;
        at_work.push(conversation);
    }
    let fifth = guest.converse(json!({})).await;
    let answer = guest.try_send(&fifth, "five", "Hello").await;
    assert!(answer.headers.contains_key("retry-after"));
    answer.expect_problem(429, "too-many-runs");
    assert_eq!(guest.view(&fifth).await, json!({ "messages": [], "lastEventId": 0 }));

    // Another guest has runs of their own.
    let (other, own) = Guest::with_conversation(&server, "").await;
    other.say(&own, "Hello").await;

    // One ends, one may begin: the same message, sent again.
    guest.post(&format!("/api/conversations/{}/stop", at_work[0]), json!({})).await.expect(200);
    guest.try_send(&fifth, "five", "Hello").await.expect(202);
}

#[tokio::test]
async fn a_run_that_waits_for_a_person_leaves_room_for_others() {
    let form = || {
        Turn::call(
            "createBooking",
            json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": crate::support::local_time(3, 19, 0) }),
        )
    };
    let model = ScriptedModel::start((0..5).map(|_| form())).await;
    let server = Server::start(&model.settings());
    let mut guest = Guest::new(&server);
    for _ in 0..5 {
        let conversation = guest.converse(json!({})).await;
        guest.say(&conversation, "Book it").await;
    }
}

#[tokio::test]
async fn beyond_a_hundred_requests_a_second_reads_are_429_too() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let path = format!("/api/conversations/{conversation}");
    // Up to a hundred a second nobody is refused.
    let answers = futures::future::join_all((0..90).map(|_| guest.get(&path))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    let answers = futures::future::join_all((0..600).map(|_| guest.get(&path))).await;
    let refused: Vec<_> = answers.into_iter().filter(|answer| answer.status != 200).collect();
    assert!(!refused.is_empty(), "600 requests at once were all answered");
    for answer in refused {
        assert!(answer.headers.contains_key("retry-after"));
        answer.expect_problem(429, "too-many-requests");
    }
    // Another guest is not meant.
    Guest::with_conversation(&server, "").await;
}
