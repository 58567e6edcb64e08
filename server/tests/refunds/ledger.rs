//! The rules of refunds, with the receiver that is always there.

use serde_json::{Value, json};
use shared::tools::{GetOrderOutput, Refund, RefundReceiver, RefundStatus};

use super::counter::{
    ORDER, TOTAL, assert_repeated, give_order, last_part, refund, refund_all, wish, with_order,
};
use crate::support::{Guest, Server, Stage, Turn, heard, tool_parts};

async fn paid_back(stage: &Stage) -> Vec<i64> {
    stage.server.database().await.numbers("SELECT amount FROM ledger_refunds ORDER BY created_at").await
}

fn look(order: &str) -> Turn {
    Turn::call("getOrder", json!({ "orderId": order }))
}

#[tokio::test]
async fn what_a_guest_agrees_to_is_paid_back_once_and_the_card_tells_it() {
    let stage = with_order(&[]).await;
    stage.model.then([refund("dh-7k2q4 ", None, "It came cold."), Turn::text("Done.")]);
    let view = stage.say("My money back").await;
    let preview = &last_part(&view)["approval"]["preview"];
    assert_eq!(
        *preview,
        json!({
            "orderId": ORDER, "restaurantName": "Mây Núi", "payee": "Visa •••• 4242", "total": TOTAL,
            "refunded": 0, "left": TOTAL, "amount": TOTAL,
        })
    );
    assert_eq!(paid_back(&stage).await, Vec::<i64>::new());
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = last_part(&view);
    assert_eq!(part["state"], "output-available", "{part:#}");
    let output: Refund = serde_json::from_value(part["output"].clone()).unwrap();
    assert_eq!(
        (output.amount, output.status, output.receiver, output.order_id.as_str()),
        (TOTAL, RefundStatus::Succeeded, RefundReceiver::Ledger, ORDER)
    );
    assert!(output.settled_at.is_some());
    assert_eq!(paid_back(&stage).await, [TOTAL as i64]);

    stage.model.then([look("latest"), Turn::text("So.")]);
    let view = stage.say("And my order?").await;
    let order: GetOrderOutput = serde_json::from_value(last_part(&view)["output"].clone()).unwrap();
    assert_eq!((order.refunded, order.left, order.items.len()), (TOTAL, 0, 1));
    let listed = &order.refunds[0];
    assert_eq!(
        (&listed.refund_id, listed.status.told(), &listed.reference),
        (&output.refund_id, Some(output.status), &output.reference)
    );
    // What guests read out is short, and no id of ours is on the page.
    let reference = output.reference.unwrap();
    let (prefix, letters) = reference.split_at(2);
    assert_eq!((prefix, letters.len()), ("R-", 8), "{reference}");
    assert!(letters.chars().all(|c| "ABCDEFGHJKMNPQRSTUVWXYZ23456789".contains(c)), "{reference}");
    let page = stage.guest.get(&format!("/c/{}", stage.conversation)).await.expect(200).text;
    assert_eq!(page.matches(&format!(">{reference}<")).count(), 2, "on the receipt and in the list: {page}");
    assert!(page.contains(&format!(", mã {reference}.")), "in the turn's last line: {page}");
    let id = &output.refund_id;
    assert!(!page.contains(&format!(">{id}")) && !page.contains(&format!(", mã {id}")), "{page}");
    assert!(order.placed_at.to_rfc3339().ends_with("+07:00"));
}

#[tokio::test]
async fn an_order_that_was_shown_offers_no_refund_any_more_when_it_has_one_further_down() {
    const OFFER: &str = "Yêu cầu hoàn tiền: DH-7K2Q4";
    const HELD: &str = "có thẻ riêng trong cuộc trò chuyện này";
    let stage = with_order(&[]).await;
    let shown = async || {
        let page = stage.guest.get(&format!("/c/{}", stage.conversation)).await.expect(200).text;
        (page.matches(OFFER).count(), page.matches(HELD).count())
    };
    stage.model.then([look(ORDER), Turn::text("There."), refund(ORDER, None, "Cold."), Turn::text("Fine.")]);
    stage.say("My order?").await;
    assert_eq!(shown().await, (1, 0));
    stage.say("My money back").await;
    assert_eq!(shown().await, (0, 1), "its form waits");
    stage.answer_form(json!({ "approved": false })).await;
    assert_eq!(shown().await, (1, 0), "it was declined");
    refund_all(&stage).await;
    assert_eq!(shown().await, (0, 1), "it was made");
}

#[tokio::test]
async fn nothing_is_paid_back_when_the_guest_declines() {
    let stage = with_order(&[]).await;
    stage.model.then([refund(ORDER, None, "Cold."), Turn::text("Fine.")]);
    stage.say("My money back").await;
    stage.answer_form(json!({ "approved": false })).await;
    stage.assert_ended("done").await;
    assert_eq!(stage.only_part().await["state"], "output-denied");
    assert_eq!(paid_back(&stage).await, Vec::<i64>::new());
}

#[tokio::test]
async fn a_part_that_is_edited_in_the_form_is_what_is_refunded_and_later_counts_as_the_request() {
    let stage = with_order(&[]).await;
    stage.model.then([refund(ORDER, None, "Half of it."), Turn::text("Done.")]);
    stage.say("Half of it back").await;
    let edited = wish(ORDER, Some(240_000), "Half of it.");
    let too_much = json!({ "approved": true, "editedInput": wish(ORDER, Some(TOTAL + 1), "x") });
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    let problem = stage.decide(&call, too_much).await.expect_problem(422, "invalid-input");
    assert_eq!(problem["errors"][0]["code"], "more-than-left");
    stage.answer_form(json!({ "approved": true, "editedInput": edited })).await;
    let view = stage.assert_ended("done").await;
    let first = tool_parts(&view).next().unwrap();
    assert_eq!((&first["state"], &first["output"]["amount"]), (&json!("output-available"), &json!(240_000)));
    assert!(heard(&stage.model.requests()[1])[0].note.as_ref().unwrap().contains("edited"));
    // The same amount, or none.
    assert_repeated(&stage, Some(240_000), first).await;
    assert_repeated(&stage, None, first).await;

    stage.model.then([refund(ORDER, Some(100_000), "More."), Turn::text("No.")]);
    let view = stage.say("Some more").await;
    let part = last_part(&view);
    assert_eq!(
        (&part["state"], &part["code"]),
        (&json!("output-error"), &json!("another-refund")),
        "{part:#}"
    );
    assert_eq!(part["params"], json!({ "amount": 240_000, "status": "succeeded" }));
    assert_eq!(paid_back(&stage).await, [240_000]);
}

#[tokio::test]
async fn a_model_that_asks_twice_in_one_turn_refunds_once() {
    let stage = with_order(&[]).await;
    let again = wish(ORDER, Some(TOTAL), "With other words.");
    stage.model.then([refund(ORDER, None, "Cold.").and_call("refundOrder", again), Turn::text("Done.")]);
    let view = stage.say("My money back, now").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["state"], "approval-requested");
    assert_eq!((&parts[1]["state"], &parts[1]["of"]), (&json!("output-cancelled"), &parts[0]["toolCallId"]));
    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    assert_eq!(paid_back(&stage).await, [TOTAL as i64]);
}

#[tokio::test]
async fn another_guests_order_does_not_exist() {
    let stage = with_order(&[]).await;
    let (other, conversation) = Guest::with_conversation(&stage.server, "").await;
    give_order(&stage, &conversation, "DH-ABCDE", 90_000).await;
    stage.model.then([look(ORDER).and_call("refundOrder", wish(ORDER, None, "Mine.")), Turn::text("No.")]);
    let view = other.say(&conversation, "The money of that order").await;
    for part in tool_parts(&view) {
        assert_eq!(
            (&part["state"], &part["code"]),
            (&json!("output-error"), &json!("unknown-order")),
            "{part:#}"
        );
        assert_eq!(part["params"]["orders"], json!(["DH-ABCDE"]));
    }
    // Nor when it is refunded already.
    refund_all(&stage).await;
    stage.model.then([refund(ORDER, None, "Mine."), Turn::text("No.")]);
    let view = other.say(&conversation, "Once more").await;
    assert_eq!(last_part(&view)["code"], "unknown-order");
}

#[tokio::test]
async fn no_more_than_is_left_is_refunded() {
    let stage = with_order(&[]).await;
    give_order(&stage, &stage.conversation, "DH-ZZZZZ", 0).await;
    stage.model.then([
        refund(ORDER, Some(TOTAL + 1), "All.").and_call("refundOrder", wish("DH-ZZZZZ", None, "All.")),
        Turn::text("No."),
    ]);
    let view = stage.say("More than all").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(
        (&parts[0]["code"], &parts[0]["params"]),
        (&json!("more-than-left"), &json!({ "left": TOTAL }))
    );
    assert_eq!(parts[1]["code"], "nothing-left-to-refund");
}

#[tokio::test]
async fn every_guest_of_the_demo_has_orders_of_their_own() {
    let server = Server::start(&[]);
    let _one = Guest::with_conversation(&server, "").await;
    let _two = Guest::with_conversation(&server, "").await;
    let database = server.database().await;
    let numbers = database.texts("SELECT number FROM orders").await;
    assert_eq!(numbers.len(), 6);
    for number in &numbers {
        let (prefix, rest) = number.split_at(3);
        assert_eq!((prefix, rest.len()), ("DH-", 5), "{number}");
    }
    assert_eq!(database.numbers("SELECT COUNT(*) FROM orders GROUP BY user_id").await, [3, 3]);
    let sums = "SELECT CAST(SUM(i.quantity * i.unit_price) AS BIGINT) - o.total FROM orders o \
                JOIN order_items i ON i.order_number = o.number GROUP BY o.number, o.total";
    assert_eq!(database.numbers(sums).await, [0; 6]);
}

#[tokio::test]
async fn who_agreed_to_a_sum_is_asked_again_where_more_is_left_meanwhile() {
    let stage = with_order(&[]).await;
    stage.model.then([refund(ORDER, None, "It came cold.")]);
    stage.say("My money back, please").await;
    stage.server.database().await.execute("UPDATE orders SET total = total * 3").await;
    let words = json!({ "orderId": ORDER, "reason": "It came cold and late." });
    let view = stage.answer_form(json!({ "approved": true, "editedInput": words })).await;
    let part = last_part(&view);
    assert_eq!(part["state"], "approval-requested", "{part:#}");
    assert_eq!(part["approval"]["preview"]["amount"], 3 * TOTAL);
    assert_eq!(stage.server.database().await.number("SELECT COUNT(*) FROM refunds").await, 0);
}
