//! Orders beside restaurants: they become a guest's own.

use serde_json::{Value, json};

use super::operator::{Operator, restaurant, with};
use crate::support::{FakeStripe, Guest, Post, ScriptedModel, Server, Turn, tool_parts};

fn order(user: &str) -> Value {
    json!({
        "number": "DH-7K2Q4", "userId": user, "restaurantName": "Biển Xanh", "timeZone": "Asia/Ho_Chi_Minh",
        "placedAt": "2026-11-30T18:40:00+07:00", "status": "delivered", "total": 265_000,
        "payee": "Visa •••• 4242", "paymentIntent": "pi_1",
        "items": [
            { "name": "Lẩu hải sản", "quantity": 2, "unitPrice": 120_000 },
            { "name": "Giao hàng", "quantity": 1, "unitPrice": 25_000 },
        ],
    })
}

fn file(orders: &[Value]) -> Vec<u8> {
    json!({ "restaurants": [restaurant("a")], "orders": orders }).to_string().into_bytes()
}

async fn a_guest() -> (ScriptedModel, Server, Guest, String, String) {
    let model = ScriptedModel::start([]).await;
    let server = Server::start(&model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let user = server.database().await.texts("SELECT id FROM users").await.remove(0);
    (model, server, guest, conversation, user)
}

#[tokio::test]
async fn an_imported_order_is_its_guests_own_and_follows_the_next_import() {
    let (model, server, guest, conversation, user) = a_guest().await;
    let operator = Operator::of(server.database_url());
    let told = operator.run(&["-", "--json"], &file(&[order(&user)])).expect(0).json();
    assert_eq!(told["orders"]["added"], json!(["DH-7K2Q4"]));
    let look = || [Turn::call("getOrder", json!({ "orderId": "latest" })), Turn::text("So.")];
    model.then(look());
    let view = guest.say(&conversation, "My order?").await;
    let output = &tool_parts(&view).last().unwrap()["output"];
    assert_eq!(output["placedAt"], "2026-11-30T18:40:00+07:00");
    assert_eq!(
        (&output["total"], &output["left"], &output["payee"]),
        (&json!(265_000), &json!(265_000), &json!("Visa •••• 4242"))
    );
    assert_eq!(output["items"][0], json!({ "name": "Lẩu hải sản", "quantity": 2, "unitPrice": 120_000 }));

    let told = operator.run(&["-", "--json"], &file(&[order(&user)])).expect(0).json();
    assert_eq!(told["orders"], json!({ "added": [], "changed": [], "unchanged": ["DH-7K2Q4"] }));
    let cancelled = with(order(&user), json!({ "status": "cancelled" }));
    let told = operator.run(&["-"], &file(&[cancelled])).expect(0);
    assert!(told.stdout.contains("orders changed: 1") && told.stdout.contains("DH-7K2Q4"), "{told:?}");
    model.then(look());
    let view = guest.say(&conversation, "And now?").await;
    assert_eq!(tool_parts(&view).last().unwrap()["output"]["status"], "cancelled");
}

#[tokio::test]
async fn an_order_changes_no_hands_and_is_of_somebody_who_has_been_here() {
    let (_model, server, _guest, _conversation, user) = a_guest().await;
    let operator = Operator::of(server.database_url());
    let refused = operator.run(&["-"], &file(&[order("nobody")])).expect(1);
    assert!(refused.stderr.contains("DH-7K2Q4") && refused.stderr.contains("nobody"), "{refused:?}");
    operator.run(&["-"], &file(&[order(&user)])).expect(0);
    let _ = Guest::with_conversation(&server, "").await;
    let users = server.database().await.texts("SELECT id FROM users").await;
    let other = users.iter().find(|other| **other != user).unwrap();
    let refused = operator.run(&["-"], &file(&[order(other)])).expect(1);
    assert!(refused.stderr.contains("another guest's"), "{refused:?}");
    assert_eq!(server.database().await.texts("SELECT user_id FROM orders").await, [user]);
}

#[test]
fn errors_in_orders_are_told_with_their_places() {
    let bad = |change: Value| {
        let orders = [with(order("x"), change)];
        let refused = Operator::new().run(&["-", "--json"], &file(&orders)).expect(1);
        let problem = refused.json()["errors"][0].clone();
        (problem["path"].as_str().unwrap().to_owned(), problem["message"].as_str().unwrap().to_owned())
    };
    let (path, message) = bad(json!({ "number": "12" }));
    assert_eq!(path, "/orders/0/number");
    assert!(message.contains("DH-7K2Q4"), "{message}");
    let (path, message) = bad(json!({ "placedAt": "yesterday" }));
    assert_eq!(path, "/orders/0/placedAt");
    assert!(message.contains("+07:00"), "{message}");
    assert_eq!(bad(json!({ "placedAt": "2026-02-30T10:00:00Z" })).0, "/orders/0/placedAt");
    assert_eq!(bad(json!({ "timeZone": "Asia/Nowhere" })).0, "/orders/0/timeZone");
    assert_eq!(bad(json!({ "total": -1 })).0, "/orders/0/total");
    let twice = Operator::new().run(&["-"], &file(&[order("x"), order("y")])).expect(1);
    assert!(twice.stderr.contains("/orders/1/number") && twice.stderr.contains("another order"), "{twice:?}");
}

#[tokio::test]
async fn a_refund_that_is_open_keeps_its_payee_and_its_payment_when_its_order_is_imported_anew() {
    let stripe = FakeStripe::start().await;
    let model = ScriptedModel::start([]).await;
    let server = Server::start(&[&model.settings()[..], &stripe.settings()].concat());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let user = server.database().await.texts("SELECT id FROM users").await.remove(0);
    let operator = Operator::of(server.database_url());
    operator.run(&["-"], &file(&[order(&user)])).expect(0);
    stripe.then([Post::DoneAndCut]);
    stripe.fail_looks(true);
    model.then([
        Turn::call("refundOrder", json!({ "orderId": "DH-7K2Q4", "reason": "It came cold." })),
        Turn::text("So."),
    ]);
    guest.say(&conversation, "My money back").await;
    let (call, approval) = guest.waiting_call(&conversation, 0).await;
    guest.decide(&conversation, &call, json!({ "approved": true, "approvalId": approval })).await.expect(200);
    let view = guest.settled(&conversation).await;
    assert_eq!(tool_parts(&view).last().unwrap()["state"], "output-unknown", "{view:#}");

    let other = json!({ "payee": "Visa •••• 9999", "paymentIntent": "pi_2" });
    let told = operator.run(&["-", "--json"], &file(&[with(order(&user), other)])).expect(0).json();
    assert_eq!(told["orders"]["changed"], json!(["DH-7K2Q4"]));
    // Less than what may have been refunded would be wrong.
    let refused = operator.run(&["-"], &file(&[with(order(&user), json!({ "total": 1 }))])).expect(1);
    assert!(refused.stderr.contains("265000"), "{refused:?}");

    stripe.fail_looks(false);
    let found = |view: &Value| tool_parts(view).last().unwrap()["state"] == "output-available";
    let view = guest.until(&conversation, found).await;
    let output = &tool_parts(&view).last().unwrap()["output"];
    assert_eq!((&output["status"], &output["payee"]), (&json!("succeeded"), &json!("Visa •••• 4242")));
    assert!(stripe.looked().iter().all(|query| query["payment_intent"] == "pi_1"), "{:?}", stripe.looked());
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
    model.then([Turn::call("getOrder", json!({ "orderId": "latest" })), Turn::text("So.")]);
    let view = guest.say(&conversation, "My order?").await;
    assert_eq!(tool_parts(&view).last().unwrap()["output"]["payee"], "Visa •••• 9999");
}
