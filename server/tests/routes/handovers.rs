//! A conversation is sent to a person of the house.

use serde_json::{Value, json};

use crate::support::{Answer, Guest, ScriptedModel, Server, Turn};

async fn hand_over(guest: &Guest, conversation: &str, body: Value) -> Answer {
    guest.post(&format!("/api/conversations/{conversation}/handovers"), body).await
}

/// A guest whose run has ended without an answer: the conversation and the run.
async fn left_alone(server: &Server) -> (Guest, String, String) {
    let (guest, conversation) = Guest::with_conversation(server, "cut").await;
    let view = guest.say(&conversation, "Đặt bàn Mây Núi ở Đà Lạt cho 2 người lúc 19:00 ngày mai").await;
    assert_eq!(view["run"]["status"], "interrupted", "{view:#}");
    let run = view["run"]["runId"].as_str().unwrap().to_owned();
    (guest, conversation, run)
}

#[tokio::test]
async fn it_is_answered_with_a_short_reference_that_the_conversation_keeps() {
    let server = Server::start(&[]);
    let (guest, conversation, run) = left_alone(&server).await;
    assert_eq!(guest.view(&conversation).await.get("handover"), None);
    let body = json!({ "runId": run, "replyTo": " 0909 123 456 ", "note": "Gọi tôi sau 17:00\nnhé" });
    let answer = hand_over(&guest, &conversation, body).await.expect(200).body;
    let reference = answer["reference"].as_str().unwrap();
    assert_eq!(reference.len(), 6, "{reference}");
    assert!(reference.bytes().all(|c| b"ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains(&c)), "{reference}");
    let sent_at = answer["sentAt"].as_str().unwrap();
    let age =
        chrono::Utc::now().signed_duration_since(sent_at.parse::<chrono::DateTime<chrono::Utc>>().unwrap());
    assert!((0..60).contains(&age.num_seconds()), "{sent_at}");
    assert_eq!(answer.as_object().unwrap().len(), 2);

    let view = guest.view(&conversation).await;
    assert_eq!(view["handover"], json!({ "reference": reference, "sentAt": sent_at, "runId": run }));
    let database = server.database().await;
    assert_eq!(database.texts("SELECT reply_to FROM handovers").await, ["0909 123 456"]);
    assert_eq!(database.texts("SELECT note FROM handovers").await, ["Gọi tôi sau 17:00\nnhé"]);

    // It is about that run, and stays to be seen when another one has come.
    let view = guest.say(&conversation, "Xin chào").await;
    assert_ne!(view["run"]["runId"], json!(run));
    assert_eq!(view["handover"], json!({ "reference": reference, "sentAt": sent_at, "runId": run }));
}

#[tokio::test]
async fn sent_again_it_is_the_same() {
    let server = Server::start(&[]);
    let (guest, conversation, run) = left_alone(&server).await;
    let body = json!({ "runId": run, "replyTo": "a@example.com" });
    let first = hand_over(&guest, &conversation, body.clone()).await.expect(200).body;
    // Without a run it is the latest one; blank and absent are the same.
    for again in [body, json!({}), json!({ "replyTo": "  ", "note": "" }), json!({ "runId": null })] {
        assert_eq!(hand_over(&guest, &conversation, again).await.expect(200).body, first);
    }
    let database = server.database().await;
    assert_eq!(database.number("SELECT COUNT(*) FROM handovers").await, 1);
    assert_eq!(database.texts("SELECT reply_to FROM handovers").await, ["a@example.com"]);

    // What is said anew counts, under the same reference, and it waits again.
    database.execute("UPDATE handovers SET done_at = 1").await;
    let news = json!({ "note": "Và một ghế trẻ em" });
    assert_eq!(hand_over(&guest, &conversation, news).await.expect(200).body, first);
    assert_eq!(database.texts("SELECT note FROM handovers").await, ["Và một ghế trẻ em"]);
    assert_eq!(database.texts("SELECT reply_to FROM handovers").await, ["a@example.com"]);
    assert_eq!(database.number("SELECT COUNT(*) FROM handovers WHERE done_at IS NULL").await, 1);
}

#[tokio::test]
async fn sent_many_times_at_once_it_is_one() {
    let server = Server::start(&[]);
    let (guest, conversation, run) = left_alone(&server).await;
    let all = (0..8).map(|_| hand_over(&guest, &conversation, json!({ "runId": run })));
    let answers = futures::future::join_all(all).await;
    let first = answers[0].body["reference"].clone();
    for answer in answers {
        assert_eq!(answer.expect(200).body["reference"], first);
    }
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM handovers").await, 1);
}

#[tokio::test]
async fn each_run_has_its_own() {
    let server = Server::start(&[]);
    let (guest, conversation, first_run) = left_alone(&server).await;
    let first = hand_over(&guest, &conversation, json!({})).await.expect(200).body;
    let view = guest.say(&conversation, "Xin chào").await;
    assert_ne!(view["run"]["runId"], first_run.as_str());
    let second = hand_over(&guest, &conversation, json!({})).await.expect(200).body;
    assert_ne!(first["reference"], second["reference"]);
    let earlier = hand_over(&guest, &conversation, json!({ "runId": first_run })).await.expect(200).body;
    assert_eq!(earlier, first);
}

#[tokio::test]
async fn somebody_elses_conversation_and_run_do_not_exist() {
    let server = Server::start(&[]);
    let (owner, conversation, run) = left_alone(&server).await;
    let (other, own, _) = left_alone(&server).await;
    hand_over(&other, &conversation, json!({ "runId": run })).await.expect_problem(404, "not-found");
    hand_over(&Guest::new(&server), &conversation, json!({})).await.expect_problem(404, "not-found");
    // Nor another conversation's run in one's own.
    for run in [run.as_str(), "none", "", "\u{0}", "' OR 1=1 --"] {
        hand_over(&other, &own, json!({ "runId": run })).await.expect_problem(404, "not-found");
    }
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM handovers").await, 0);
    hand_over(&owner, &conversation, json!({ "runId": run })).await.expect(200);
}

#[tokio::test]
async fn before_the_first_message_there_is_nothing_to_send() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    hand_over(&guest, &conversation, json!({})).await.expect_problem(409, "nothing-to-hand-over");
}

#[tokio::test]
async fn what_cannot_be_taken_is_told_at_its_field_and_nothing_is_sent() {
    let server = Server::start(&[]);
    let (guest, conversation, _) = left_alone(&server).await;
    for (body, path, code) in [
        (json!({ "replyTo": "next to the window" }), "/replyTo", "bad-format"),
        (json!({ "replyTo": "113" }), "/replyTo", "bad-format"),
        (json!({ "replyTo": "a@b" }), "/replyTo", "bad-format"),
        (json!({ "replyTo": format!("0909 123 456, {}", "x".repeat(200)) }), "/replyTo", "too-long"),
        (json!({ "replyTo": "0909 123 456\u{1b}[2J" }), "/replyTo", "bad-characters"),
        (json!({ "replyTo": "0909 123 456\nx" }), "/replyTo", "bad-characters"),
        (json!({ "replyTo": "0909\u{202e} 123 456" }), "/replyTo", "bad-characters"),
        (json!({ "note": "x".repeat(1001) }), "/note", "too-long"),
        (json!({ "note": "a\u{0}b" }), "/note", "bad-characters"),
        (json!({ "note": "a\u{9b}31m" }), "/note", "bad-characters"),
    ] {
        let problem =
            hand_over(&guest, &conversation, body.clone()).await.expect_problem(422, "invalid-handover");
        let errors = problem["errors"].as_array().unwrap();
        let found = errors.iter().any(|error| error["path"] == path && error["code"] == code);
        assert!(found, "wanted {code} at {path}: {body} gave {problem:#}");
    }
    // Two at once.
    let body = json!({ "replyTo": "?", "note": "\u{7}" });
    let problem = hand_over(&guest, &conversation, body).await.expect_problem(422, "invalid-handover");
    assert_eq!(problem["errors"].as_array().unwrap().len(), 2, "{problem:#}");
    // What is no JSON of this shape is refused as everywhere.
    for body in [json!([]), json!("x"), json!({ "note": 7 }), json!({ "replyTo": {} })] {
        hand_over(&guest, &conversation, body).await.expect_problem(422, "invalid-body");
    }
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM handovers").await, 0);

    let fits = json!({ "replyTo": "Lan, 0909 123 456 hoặc Zalo; lan@example.com", "note": "đ".repeat(1000) });
    hand_over(&guest, &conversation, fits).await.expect(200);
}

#[tokio::test]
async fn the_11th_within_ten_minutes_is_429_but_the_same_one_again_is_not() {
    let server = Server::start(&[]);
    let (guest, conversation, _) = left_alone(&server).await;
    let note = |number: u32| json!({ "note": format!("number {number}") });
    for number in 0..10 {
        hand_over(&guest, &conversation, note(number)).await.expect(200);
    }
    let answer = hand_over(&guest, &conversation, note(10)).await;
    let retry_after: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=601).contains(&retry_after), "{retry_after}");
    answer.expect_problem(429, "too-many-requests");
    assert_eq!(server.database().await.texts("SELECT note FROM handovers").await, ["number 9"]);
    hand_over(&guest, &conversation, note(9)).await.expect(200);
    // Another guest is not meant, nor are messages.
    guest.say(&conversation, "Xin chào").await;
    let (other, own, _) = left_alone(&server).await;
    hand_over(&other, &own, json!({})).await.expect(200);
}

#[tokio::test]
async fn it_can_be_sent_while_everything_is_frozen_and_while_a_run_is_at_work() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("FREEZE").to_str().unwrap().to_owned();
    std::fs::write(&path, "").unwrap();
    let model = ScriptedModel::start([Turn::text("Wait").then_silent()]).await;
    let server = Server::start(&[&model.settings()[..], &[("TRUTHTABLE_FREEZE", &path)]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, "Hello").await;
    hand_over(&guest, &conversation, json!({ "note": "Nobody answers" })).await.expect(200);
}

#[tokio::test]
async fn any_way_to_reach_somebody_is_taken_as_people_write_it() {
    let server = Server::start(&[]);
    for reply_to in [
        "(+84) 909 123 456",
        "Zalo 0909123456",
        "0909 123 456 hoặc lan@example.com",
        "Lan <lan@example.com>",
        "lan@exämple.com",
        "０９０９１２３４５６",
    ] {
        let (guest, conversation, run) = left_alone(&server).await;
        hand_over(&guest, &conversation, json!({ "runId": run, "replyTo": reply_to })).await.expect(200);
    }
}
