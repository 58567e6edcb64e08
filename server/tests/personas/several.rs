//! Who books two tables at once, and one of them twice.

use serde_json::{Value, json};

use super::record::*;
use crate::support::{Guest, Server, tool_parts};

async fn decide_at(guest: &Guest, conversation: &str, index: usize, approved: bool) -> Value {
    let (call, approval) = guest.waiting_call(conversation, index).await;
    let body = json!({ "approved": approved, "approvalId": approval });
    guest.decide(conversation, &call, body).await.expect(200);
    guest.settled(conversation).await
}

fn state(approved: bool) -> &'static str {
    if approved { "output-available" } else { "output-denied" }
}

#[tokio::test]
async fn hasty_gets_two_forms_and_a_pointer_to_the_first() {
    let server = Server::start(&[]);
    let (guest, conversation) = wished(&server, "hasty", WISH).await;
    let view = guest.view(&conversation).await;
    assert_eq!(status(&view), "awaiting-approval");
    assert_eq!(booking_states(&view), ["approval-requested", "approval-requested", "output-cancelled"]);
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!((&parts[3]["reason"], &parts[3]["of"]), (&json!("repeated"), &parts[1]["toolCallId"]));
    assert_eq!(parts[3]["input"], parts[1]["input"]);
    assert_ne!(parts[2]["input"]["restaurantId"], parts[1]["input"]["restaurantId"]);
    assert_eq!(outcome(&view), Outcome { waiting: 2, repeats: 1, ..NOTHING });
    assert_eq!(server.database().await.number("SELECT COUNT(*) FROM approvals").await, 2);
    assert_eq!(server.database().await.bookings().await, []);
    // Both forms are on the page, each with its own restaurant.
    let page = guest.get(&format!("/c/{conversation}")).await.expect(200).text;
    assert_eq!(page.matches("data-state=\"approval-requested\"").count(), 2);
    for part in &parts[1..3] {
        let name = part["approval"]["preview"]["restaurantName"].as_str().unwrap();
        assert!(page.contains(name), "{name} in {page}");
    }
}

#[tokio::test]
async fn each_of_two_forms_is_decided_by_itself_in_whatever_order() {
    for (first, second) in [(true, true), (true, false), (false, true), (false, false)] {
        for backwards in [false, true] {
            let server = Server::start(&[]);
            let (guest, conversation) = wished(&server, "hasty", WISH).await;
            let half = if backwards {
                decide_at(&guest, &conversation, 1, second).await
            } else {
                decide_at(&guest, &conversation, 0, first).await
            };
            // The other one waits on, and what was agreed to is done already.
            assert_eq!(status(&half), "awaiting-approval", "{half:#}");
            let (one, other) = if backwards {
                ("approval-requested", state(second))
            } else {
                (state(first), "approval-requested")
            };
            assert_eq!(booking_states(&half), [one, other, "output-cancelled"]);
            let agreed = if backwards { second } else { first };
            assert_eq!(server.database().await.bookings().await.len(), usize::from(agreed));
            assert_true_to_the_book(&server, &guest).await;

            let view = decide_at(&guest, &conversation, 0, if backwards { first } else { second }).await;
            assert_eq!(booking_states(&view), [state(first), state(second), "output-cancelled"]);
            for (part, approved) in tool_parts(&view).skip(1).zip([first, second]) {
                if approved {
                    assert_eq!(part["output"]["restaurantId"], part["input"]["restaurantId"]);
                    assert_eq!(
                        part["output"]["restaurantName"],
                        part["approval"]["preview"]["restaurantName"]
                    );
                }
            }
            let booked = usize::from(first) + usize::from(second);
            assert_eq!(server.database().await.bookings().await.len(), booked);
            let turn = outcome(&view);
            assert_eq!((turn.done, turn.not_done, turn.repeats), (booked, 2 - booked, 1));
            assert_ended(&server, &guest, &conversation, "done").await;
        }
    }
}

#[tokio::test]
async fn a_new_message_withdraws_both_forms() {
    let server = Server::start(&[]);
    let (guest, conversation) = wished(&server, "hasty", WISH).await;
    let view = guest.say(&conversation, "Xin chào").await;
    assert_eq!(status(&view), "done");
    assert_eq!(booking_states(&view), ["output-cancelled"; 3]);
    let reasons: Vec<&Value> = tool_parts(&view).skip(1).map(|part| &part["reason"]).collect();
    assert_eq!(reasons, ["superseded", "superseded", "repeated"]);
    assert_eq!(server.database().await.bookings().await, []);
}
