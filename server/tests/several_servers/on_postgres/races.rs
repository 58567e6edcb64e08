//! What comes at the same moment on two servers ends in one truth, and every answer tells it.

use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};
use shared::event::AgentEvent;

use crate::several_servers::crew::{book, crew, form, states, told_by_all};
use crate::support::{Answer, Guest, ScriptedModel, Server, Turn, tool_parts};

/// How often each race is run.
const ROUNDS: usize = 8;

/// Servers whose model wants one booking and then says that this is all.
async fn servers(settings: &[(&str, &str)]) -> (ScriptedModel, Vec<Server>) {
    let model = ScriptedModel::answering(|request| {
        let last = request["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
        if last.contains("tool_result") { Turn::text("That is all.") } else { book() }
    })
    .await;
    let crew = crew(2, &model, settings);
    (model, crew)
}

/// A guest in front of a form: the conversation, the call, the question.
async fn asked(crew: &[Server]) -> (Guest, String, String, String) {
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    guest.say(&conversation, "Book it").await;
    let (call, approval) = form(&guest, &conversation).await;
    (guest, conversation, call, approval)
}

/// The standing decision that an answer tells, whether it is the one who took it or not.
fn told(answer: &Answer) -> String {
    assert!(matches!(answer.status.as_u16(), 200 | 409), "{}", answer.text);
    answer.body["decision"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned()
}

/// One booking where the card is a receipt, none where it is not.
async fn assert_true(crew: &[Server], guest: &Guest, conversation: &str, call: &str) -> Value {
    guest.at(&crew[1]).settled(conversation).await;
    let view = told_by_all(crew, guest, conversation).await;
    let receipts = states(&view).iter().filter(|state| **state == "output-available").count();
    let booked = format!("SELECT id FROM bookings WHERE tool_call_id = '{call}'");
    let booked = crew[0].database().await.texts_owned(booked).await;
    assert_eq!(booked.len(), receipts, "{view:#}");
    view
}

#[tokio::test]
async fn fifty_confirmations_at_once_are_one() {
    let (_model, crew) = servers(&[]).await;
    let (guest, conversation, call, approval) = asked(&crew).await;
    let body = json!({ "approved": true, "approvalId": approval });
    let answers = (0..50).map(|number| {
        let there = guest.at(&crew[number % 2]);
        let (conversation, call, body) = (&conversation, &call, body.clone());
        async move { there.decide(conversation, call, body).await }
    });
    let answers = join_all(answers).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert!(answers.iter().all(|answer| told(answer) == "approved"));
    let view = assert_true(&crew, &guest, &conversation, &call).await;
    assert_eq!(states(&view), ["output-available"]);
    assert_eq!(crew[0].database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn yes_against_no_is_one_of_them() {
    let (_model, crew) = servers(&[]).await;
    for round in 0..ROUNDS {
        let (guest, conversation, call, approval) = asked(&crew).await;
        let yes = json!({ "approved": true, "approvalId": approval });
        let no = json!({ "approved": false, "approvalId": approval });
        let (here, there) = (guest.at(&crew[round % 2]), guest.at(&crew[(round + 1) % 2]));
        let (yes, no) =
            tokio::join!(here.decide(&conversation, &call, yes), there.decide(&conversation, &call, no));
        assert_eq!(told(&yes), told(&no));
        assert_eq!([&yes, &no].iter().filter(|answer| answer.status == 200).count(), 1);
        let view = assert_true(&crew, &guest, &conversation, &call).await;
        let state = if told(&yes) == "approved" { "output-available" } else { "output-denied" };
        assert_eq!(states(&view), [state], "{view:#}");
    }
}

#[tokio::test]
async fn a_decision_against_a_stop_has_one_outcome() {
    let (_model, crew) = servers(&[]).await;
    for round in 0..ROUNDS {
        let (guest, conversation, call, approval) = asked(&crew).await;
        let yes = json!({ "approved": true, "approvalId": approval });
        let (here, there) = (guest.at(&crew[round % 2]), guest.at(&crew[(round + 1) % 2]));
        let stop = format!("/api/conversations/{conversation}/stop");
        let stop = async {
            tokio::time::sleep(Duration::from_millis(3) * round as u32).await;
            there.post(&stop, json!({})).await.expect(200).body
        };
        let (decided, stopped) = tokio::join!(here.decide(&conversation, &call, yes), stop);
        let view = assert_true(&crew, &guest, &conversation, &call).await;
        assert_eq!(stopped["run"]["status"], view["run"]["status"], "{view:#}");
        match told(&decided).as_str() {
            "stopped" => assert_eq!(states(&view), ["output-cancelled"], "{view:#}"),
            "approved" => assert_eq!(decided.status, 200),
            other => panic!("{other}"),
        }
        let again = guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }));
        assert_eq!(told(&again.await), told(&decided));
    }
}

#[tokio::test]
async fn a_decision_against_the_end_of_its_time_has_one_outcome() {
    let (_model, crew) = servers(&[("TRUTHTABLE_APPROVAL_SECONDS", "2")]).await;
    let rounds = (0..ROUNDS).map(|round| {
        let crew = &crew;
        async move {
            let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
            guest.send(&conversation, "Book it").await;
            let is_form = |event: &AgentEvent| matches!(event, AgentEvent::ToolApprovalRequested { .. });
            let mut events = guest.events_until(&conversation, 0, is_form).await;
            let Some((_, AgentEvent::ToolApprovalRequested { tool_call_id, approval_id, expires_at, .. })) =
                events.pop()
            else {
                unreachable!("it was waited for")
            };
            let (call, approval) = (tool_call_id.to_string(), approval_id);
            // From a little before to a little after.
            let at = expires_at + chrono::TimeDelta::milliseconds(15 * round as i64 - 60);
            tokio::time::sleep((at - chrono::Utc::now()).to_std().unwrap_or_default()).await;
            let yes = json!({ "approved": true, "approvalId": approval });
            let (here, there) = (guest.at(&crew[round % 2]), guest.at(&crew[(round + 1) % 2]));
            let (decided, _) =
                tokio::join!(here.decide(&conversation, &call, yes.clone()), there.view(&conversation));
            let view = assert_true(crew, &guest, &conversation, &call).await;
            match told(&decided).as_str() {
                "approved" => assert_eq!(states(&view), ["output-available"], "{view:#}"),
                "expired" => assert_eq!(states(&view), ["output-cancelled"], "{view:#}"),
                other => panic!("{other}"),
            }
            assert_eq!(told(&there.decide(&conversation, &call, yes).await), told(&decided));
        }
    });
    join_all(rounds).await;
}

#[tokio::test]
async fn of_two_tabs_the_first_is_what_runs() {
    let (_model, crew) = servers(&[]).await;
    for round in 0..ROUNDS {
        let (guest, conversation, call, approval) = asked(&crew).await;
        let view = guest.view(&conversation).await;
        let mut edited = tool_parts(&view).next().unwrap()["input"].clone();
        edited["partySize"] = json!(5);
        let plain = json!({ "approved": true, "approvalId": approval });
        let edited = json!({ "approved": true, "approvalId": approval, "editedInput": edited });
        let (here, there) = (guest.at(&crew[round % 2]), guest.at(&crew[(round + 1) % 2]));
        let (plain, edited) = tokio::join!(
            here.decide(&conversation, &call, plain),
            there.decide(&conversation, &call, edited)
        );
        assert_eq!((told(&plain), told(&edited)), ("approved".to_owned(), "approved".to_owned()));
        assert_eq!([&plain, &edited].iter().filter(|answer| answer.status == 200).count(), 1);
        let view = assert_true(&crew, &guest, &conversation, &call).await;
        assert_eq!(states(&view), ["output-available"], "{view:#}");
        let size = if edited.status == 200 { 5 } else { 2 };
        let part = tool_parts(&view).next().unwrap();
        assert_eq!(part["output"]["partySize"], size, "{part:#}");
        let bookings = crew[0].database().await.bookings().await;
        let booked = bookings.iter().find(|booking| booking.tool_call_id == call).unwrap();
        assert_eq!(booked.party_size, size);
    }
}

#[tokio::test]
async fn a_stop_on_one_server_ends_what_is_at_work_on_another() {
    let model = ScriptedModel::start([Turn::text("One moment").then_silent()]).await;
    // Else the worker would find the stop by itself when it renews.
    let crew = crew(2, &model, &[("TRUTHTABLE_LEASE_SECONDS", "60")]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let mut reader = guest.at(&crew[1]).listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Hello").await;
    reader.until(|event| matches!(event, AgentEvent::TextDelta { .. })).await;
    let stop = format!("/api/conversations/{conversation}/stop");
    let stopped = guest.at(&crew[1]).post(&stop, json!({})).await.expect(200).body;
    assert_eq!(stopped["run"]["status"], "cancelled");
    told_by_all(&crew, &guest, &conversation).await;
}
