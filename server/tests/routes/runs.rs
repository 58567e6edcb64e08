//! Messages, stop and retry.

use serde_json::{Value, json};

use crate::support::{Guest, ScriptedModel, Server, Turn, local_time, tool_parts};

fn booking() -> Value {
    json!({ "restaurantId": "dl-may-nui", "partySize": 2, "startsAt": local_time(3, 19, 0) })
}

#[tokio::test]
async fn a_message_is_accepted_with_202_and_the_id_of_its_run() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let answer = guest.try_send(&conversation, "one", "Thời tiết Huế").await.expect(202);
    let view = guest.settled(&conversation).await;
    assert_eq!(answer.body, json!({ "runId": view["run"]["runId"] }));
}

#[tokio::test]
async fn the_same_message_again_gets_the_same_answer_and_is_stored_once() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let first = guest.try_send(&conversation, "one", "Thời tiết Huế").await.expect(202);
    // Also while the run is at work, and after it.
    let again = guest.try_send(&conversation, "one", "Thời tiết Huế").await.expect(202);
    let view = guest.settled(&conversation).await;
    let later = guest.try_send(&conversation, "one", "Thời tiết Huế").await.expect(202);
    assert_eq!(first.body, again.body);
    assert_eq!(first.body, later.body);
    assert_eq!(guest.view(&conversation).await, view);
    assert_eq!(view["messages"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn of_one_message_sent_fifty_times_at_once_one_counts() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let sending = (0..50).map(|_| guest.try_send(&conversation, "one", "Thời tiết Huế"));
    let answers = futures::future::join_all(sending).await;
    let run = guest.settled(&conversation).await["run"]["runId"].clone();
    for answer in answers {
        assert_eq!(answer.expect(202).body["runId"], run);
    }
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM runs").await, 1);
}

#[tokio::test]
async fn the_same_client_id_in_another_conversation_is_another_message() {
    let server = Server::start(&[]);
    let (mut guest, first) = Guest::with_conversation(&server, "").await;
    let second = guest.converse(json!({})).await;
    let one = guest.try_send(&first, "one", "Thời tiết Huế").await.expect(202);
    let other = guest.try_send(&second, "one", "Thời tiết Huế").await.expect(202);
    assert_ne!(one.body, other.body);
}

#[tokio::test]
async fn while_a_run_is_at_work_another_message_is_409_and_stored_nowhere() {
    let model = ScriptedModel::start([Turn::text("Wait").then_silent()]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, "Hello").await;
    let before = guest.until(&conversation, |view| view["run"]["textOpen"] == true).await;
    guest.try_send(&conversation, "two", "Are you there?").await.expect_problem(409, "run-active");
    assert_eq!(guest.view(&conversation).await["messages"], before["messages"]);
    guest
        .post(&format!("/api/conversations/{conversation}/retry"), json!({}))
        .await
        .expect_problem(409, "run-active");
}

#[tokio::test]
async fn a_message_while_a_form_waits_takes_its_place() {
    let model =
        ScriptedModel::start([Turn::call("createBooking", booking()), Turn::text("All right.")]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    let view = guest.say(&conversation, "No, wait").await;
    assert_eq!(view["run"]["status"], "done");
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["reason"]), (&json!("output-cancelled"), &json!("superseded")));
    let problem = guest
        .decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }))
        .await
        .expect_problem(409, "approval-superseded");
    assert_eq!(problem["decision"], "superseded");
    assert_eq!(server.database().await.bookings().await, []);
}

#[tokio::test]
async fn stop_ends_a_run_at_work_and_answers_with_it() {
    let model = ScriptedModel::start([Turn::text("I think").then_silent()]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let run = guest.send(&conversation, "Hello").await;
    guest.until(&conversation, |view| view["run"]["textOpen"] == true).await;
    let answer = guest.post(&format!("/api/conversations/{conversation}/stop"), json!({})).await.expect(200);
    assert_eq!(answer.body["run"]["runId"], run.as_str());
    assert_eq!(answer.body["run"]["status"], "cancelled");
    assert_eq!(answer.body["run"]["textOpen"], false);
    // What was said stays.
    let view = guest.view(&conversation).await;
    assert_eq!(view["run"], answer.body["run"]);
    assert_eq!(view["messages"][1]["parts"][0]["text"], "I think");
}

#[tokio::test]
async fn stop_ends_a_run_whose_form_waits() {
    let model = ScriptedModel::start([Turn::call("createBooking", booking())]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.say(&conversation, "Book it").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    let answer = guest.post(&format!("/api/conversations/{conversation}/stop"), json!({})).await.expect(200);
    assert_eq!(answer.body["run"]["status"], "cancelled");
    let view = guest.view(&conversation).await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["reason"]), (&json!("output-cancelled"), &json!("stopped")));
    let problem = guest
        .decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }))
        .await
        .expect_problem(409, "approval-stopped");
    assert_eq!(problem["decision"], "stopped");
}

#[tokio::test]
async fn stop_is_200_also_when_nothing_runs() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let path = format!("/api/conversations/{conversation}/stop");
    assert_eq!(guest.post(&path, json!({})).await.expect(200).body, json!({}));
    let view = guest.say(&conversation, "Thời tiết Huế").await;
    assert_eq!(guest.post(&path, json!({})).await.expect(200).body, json!({ "run": view["run"] }));
    assert_eq!(guest.view(&conversation).await, view);
}

#[tokio::test]
async fn retry_makes_a_new_run_for_the_message_that_got_no_answer() {
    let model = ScriptedModel::start([Turn::text("I was ab").cut(), Turn::text("Here I am.")]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let path = format!("/api/conversations/{conversation}/retry");
    guest.post(&path, json!({})).await.expect_problem(409, "nothing-to-retry");
    let broken = guest.say(&conversation, "Hello").await;
    assert_eq!(broken["run"]["status"], "interrupted");

    let answer = guest.post(&path, json!({})).await.expect(202);
    let view = guest.settled(&conversation).await;
    assert_eq!(answer.body, json!({ "runId": view["run"]["runId"] }));
    assert_ne!(view["run"]["runId"], broken["run"]["runId"]);
    assert_eq!(view["run"]["status"], "done");
    // One message of the guest, two of the assistant: what was shown stays shown.
    let roles: Vec<_> = view["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
    assert_eq!(roles, ["user", "assistant", "assistant"]);
    assert_eq!(view["messages"][2]["parts"], json!([{ "type": "text", "text": "Here I am." }]));
    // The model hears the message once.
    let heard = model.requests().pop().unwrap();
    assert_eq!(heard["messages"].as_array().unwrap().len(), 1, "{heard:#}");

    guest.post(&path, json!({})).await.expect_problem(409, "nothing-to-retry");
}
