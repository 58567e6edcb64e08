//! Whether anything can be booked at the moment, and how to reach a person.

use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Server, Turn, assistant_text, local_time, tool_parts};

/// A place for the file, and the setting that names it.
fn freeze() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("FREEZE").to_str().unwrap().to_owned();
    (folder, path)
}

async fn status(server: &Server) -> Value {
    Guest::new(server).get("/api/status").await.expect(200).body
}

#[tokio::test]
async fn the_status_follows_the_file_without_a_restart() {
    let (_folder, path) = freeze();
    let server = Server::start(&[("TRUTHTABLE_FREEZE", &path)]);
    assert_eq!(status(&server).await, json!({ "effects": "on" }));
    std::fs::write(&path, "  Kiểm kê đến 18:00\r\nfor the staff only\n").unwrap();
    assert_eq!(status(&server).await, json!({ "effects": "paused", "reason": "Kiểm kê đến 18:00" }));
    std::fs::write(&path, "").unwrap();
    assert_eq!(status(&server).await, json!({ "effects": "paused" }));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(status(&server).await, json!({ "effects": "on" }));
}

#[tokio::test]
async fn a_reason_is_one_short_line_of_nothing_but_text() {
    let (_folder, path) = freeze();
    let server = Server::start(&[("TRUTHTABLE_FREEZE", &path)]);
    std::fs::write(&path, format!("\u{202e}a\u{0}\u{1b}[31m\tb{}", "c".repeat(9000))).unwrap();
    let reason = status(&server).await["reason"].as_str().unwrap().to_owned();
    assert!(reason.starts_with("a[31m bccc"), "{reason}");
    assert_eq!(reason.chars().count(), 200);
    // What is no text freezes too.
    std::fs::write(&path, [0xff, 0xfe, 0x00, 0x80]).unwrap();
    assert_eq!(status(&server).await["effects"], "paused");
}

#[tokio::test]
async fn what_cannot_be_looked_at_counts_as_frozen() {
    let (folder, _) = freeze();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    // Below a file there is nothing to look at, not even for root.
    let path = file.join("FREEZE").to_str().unwrap().to_owned();
    let server = Server::start_logged(&[("TRUTHTABLE_FREEZE", &path)]);
    assert_eq!(status(&server).await, json!({ "effects": "paused" }));
    status(&server).await;
    let log = server.log();
    assert_eq!(log.matches("cannot be looked at").count(), 1, "{log}");
}

#[tokio::test]
async fn the_houses_contact_is_told() {
    let server = Server::start(&[("TRUTHTABLE_CONTACT", "  1900 1234 · hello@example.com ")]);
    let wanted = json!({ "effects": "on", "contact": "1900 1234 · hello@example.com" });
    assert_eq!(status(&server).await, wanted);
}

#[tokio::test]
async fn confirming_while_frozen_is_503_and_the_form_still_waits() {
    let (_folder, path) = freeze();
    let booking = json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) });
    let model = ScriptedModel::start([Turn::call("createBooking", booking), Turn::text("As you see.")]).await;
    let server = Server::start(&[&model.settings()[..], &[("TRUTHTABLE_FREEZE", &path)]].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    let before = guest.view(&conversation).await;

    std::fs::write(&path, "").unwrap();
    let yes = json!({ "approved": true, "approvalId": approval });
    let edited = json!({ "approved": true, "approvalId": approval, "editedInput": { "partySize": "many" } });
    for body in [&yes, &edited, &yes] {
        let problem = guest.decide(&conversation, &call, body.clone()).await.expect_problem(503, "frozen");
        assert_eq!(problem.get("decision"), None);
        assert!(problem["title"].as_str().unwrap().contains("Nothing was done"), "{problem}");
    }
    assert_eq!(guest.view(&conversation).await, before, "nothing may have moved");

    // It is over: the same form is confirmed.
    std::fs::remove_file(&path).unwrap();
    guest.decide(&conversation, &call, yes.clone()).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available", "{view:#}");
    assert_eq!(server.database().await.bookings().await.len(), 1);

    // A decision that stands is told as before.
    std::fs::write(&path, "").unwrap();
    let problem = guest.decide(&conversation, &call, yes).await.expect_problem(409, "already-decided");
    assert_eq!(problem["decision"], "approved");
}

#[tokio::test]
async fn declining_works_while_frozen() {
    let (_folder, path) = freeze();
    let server = Server::start(&[("TRUTHTABLE_FREEZE", &path)]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let evening = local_time(3, 19, 0);
    let wish = format!("Đặt bàn Mây Núi ở Đà Lạt cho 2 người lúc 19:00 ngày {}", &evening[..10]);
    guest.say(&conversation, &wish).await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    std::fs::write(&path, "").unwrap();
    let no = json!({ "approved": false, "approvalId": approval });
    let answer = guest.decide(&conversation, &call, no).await.expect(200);
    assert_eq!(answer.body, json!({ "decision": "declined" }));
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).last().unwrap()["state"], "output-denied", "{view:#}");
}

#[tokio::test]
async fn reading_that_asks_first_is_agreed_to_while_frozen() {
    let (_folder, path) = freeze();
    std::fs::write(&path, "").unwrap();
    let settings = [("TRUTHTABLE_FREEZE", path.as_str()), ("TRUTHTABLE_ASK_ALSO", "getWeather")];
    let server = Server::start(&settings);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Thời tiết Huế").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available", "{view:#}");
}

#[tokio::test]
async fn the_demo_model_tells_the_truth_about_a_frozen_house() {
    let (_folder, path) = freeze();
    std::fs::write(&path, "").unwrap();
    let server = Server::start(&[("TRUTHTABLE_FREEZE", &path)]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let evening = local_time(3, 19, 0);
    let day = &evening[..10];
    let view = guest.say(&conversation, &format!("Tìm bàn ở Đà Lạt cho 2 người lúc 19:00 ngày {day}")).await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-available", "reading goes on: {view:#}");
    let wish = format!("Đặt bàn Mây Núi ở Đà Lạt cho 2 người lúc 19:00 ngày {day}");
    let view = guest.say(&conversation, &wish).await;
    let part = tool_parts(&view).last().unwrap();
    assert_eq!((&part["type"], &part["code"]), (&json!("tool-createBooking"), &json!("frozen")), "{view:#}");
    assert_eq!(view["run"]["status"], "done");
    let said = assistant_text(&view);
    assert!(said.contains("tạm ngưng") && said.contains("chưa đặt gì"), "{said}");
    assert_eq!(tool_parts(&view).filter(|part| part["type"] == "tool-createBooking").count(), 1, "{view:#}");
    assert_eq!(server.database().await.bookings().await, []);
}
