//! Answers that are lost: one refund, or honestly unknown.

use std::time::Duration;

use futures::stream::{self, StreamExt};
use serde_json::json;

use super::counter::{
    ORDER, TOTAL, assert_repeated, give_order, last_part, refund, refund_all, wish, with_stripe,
};
use crate::support::{FakeStripe, Guest, Post, Stage, Turn, heard, of_call, told_by_user, tool_parts};

#[tokio::test]
async fn a_refund_whose_answer_was_cut_off_is_found_and_shown() {
    // With a status that would be a no, if it were Stripe that says it.
    let by_others = [400, 402, 403, 404, 429].map(Post::DoneAndError);
    let by_stripe = [Post::DoneAndCut, Post::DoneAndError(500), Post::DoneAndError(409)];
    for lost in by_stripe.into_iter().chain(by_others) {
        let (stripe, stage) = with_stripe().await;
        stripe.then([lost]);
        let view = refund_all(&stage).await;
        let part = last_part(&view);
        assert_eq!(
            (&part["state"], &part["output"]["status"]),
            (&json!("output-available"), &json!("succeeded"))
        );
        assert_repeated(&stage, None, &part).await;
        assert_eq!((stripe.asked().len(), stripe.refunds().len(), stripe.looked().len()), (1, 1, 1));
        stage.assert_ended("done").await;
    }
}

#[tokio::test]
async fn it_is_found_among_many_refunds_of_its_payment() {
    let (stripe, stage) = with_stripe().await;
    stripe.short_pages(2);
    stripe.then([Post::DoneAndCut]);
    stage.model.then([refund(ORDER, None, "Cold."), Turn::text("So.")]);
    stage.say("My money back").await;
    for number in 0..3 {
        stripe.add("pi_DH-7K2Q4", &format!("before-{number}"));
    }
    stripe.add("pi_another", "refund:DH-7K2Q4#1");
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    let view = stage.settled().await;
    assert_eq!(last_part(&view)["output"]["amount"], TOTAL, "{view:#}");
}

#[tokio::test]
async fn a_late_answer_is_waited_for() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Late(Duration::from_secs(2))]);
    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["state"], "output-available");
    assert_eq!(stripe.looked().len(), 0);
}

#[tokio::test]
async fn what_cannot_be_looked_up_is_unknown_until_it_is_known() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::DoneAndCut]);
    stripe.fail_looks(true);
    let view = refund_all(&stage).await;
    let first = last_part(&view);
    assert_eq!(first["state"], "output-unknown", "{first:#}");
    assert_eq!(view["run"]["status"], "done");
    let told = &heard(stage.model.requests().last().unwrap())[0];
    assert!(told.text.contains("not known yet") && told.text.contains("Do not try again"), "{told:?}");

    // Nothing of it is sent again, whatever the model tries.
    assert_repeated(&stage, None, &first).await;
    let told = &heard(stage.model.requests().last().unwrap())[0];
    assert!(told.text.contains("not known yet"), "{told:?}");
    stage.model.then([refund(ORDER, Some(1), "A little."), Turn::text("No.")]);
    let other = last_part(&stage.say("Or a little").await);
    assert_eq!((&other["code"], &other["params"]["status"]), (&json!("another-refund"), &json!("unknown")));
    stage.model.then([Turn::call("getOrder", json!({ "orderId": ORDER })), Turn::text("So.")]);
    let order = last_part(&stage.say("My order?").await);
    assert_eq!((&order["output"]["refunded"], &order["output"]["left"]), (&json!(0), &json!(0)));
    // Why nothing is left is said too.
    let listed = &order["output"]["refunds"];
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed:#}");
    assert_eq!((&listed[0]["amount"], &listed[0]["status"]), (&json!(TOTAL), &json!("unknown")));
    let page = stage.guest.get(&format!("/c/{}", stage.conversation)).await.expect(200).text;
    let row = page.split("<li ").find(|item| item.contains("\"order__refund\"")).expect("a row");
    assert!(row.contains("data-status=\"unknown\"") && row.contains("Chưa rõ, đang kiểm tra"), "{page}");
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));

    stripe.fail_looks(false);
    let view = stage.until(|view| tool_parts(view).next().unwrap()["state"] == "output-available").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["output"]["status"], &part["output"]["amount"]), (&json!("succeeded"), &json!(TOTAL)));
    assert_eq!(part["output"]["reference"], listed[0]["reference"]);
    stage.model.then([Turn::text("It is back.")]);
    stage.say("And?").await;
    let news = told_by_user(stage.model.requests().last().unwrap()).concat();
    assert!(news.contains(ORDER) && news.contains("succeeded"), "{news}");
    let events = of_call(&stage.events().await, &first["toolCallId"]);
    let types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types[types.len() - 2..], ["tool-output-unknown", "tool-output-available"]);
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn what_never_arrived_is_told_as_not_done_and_may_be_asked_for_again() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Error(500, "api_error", "")]);
    let view = refund_all(&stage).await;
    // It might have been on its way still.
    assert_eq!(last_part(&view)["state"], "output-unknown");
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 0));
    let view = stage.until(|view| last_part(view)["state"] == "output-error").await;
    assert_eq!(last_part(&view)["code"], "receiver-unavailable");
    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["state"], "output-available");
    let keys: Vec<String> = stripe.asked().iter().map(|asked| asked.form["metadata[key]"].clone()).collect();
    assert_eq!(keys, ["refund:DH-7K2Q4#1", "refund:DH-7K2Q4#2"]);
    let told = told_by_user(&stage.model.requests()[stage.model.requests().len() - 2]).concat();
    assert!(told.contains("nothing was refunded"), "{told}");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn what_arrives_late_is_found_and_not_sent_again() {
    let (stripe, stage) = with_stripe().await;
    stripe.ignore_keys();
    stripe.then([Post::DoneLater(Duration::from_millis(800))]);
    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["state"], "output-unknown");
    let view = stage.until(|view| last_part(view)["state"] == "output-available").await;
    assert_eq!(last_part(&view)["output"]["status"], "succeeded");
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
}

#[tokio::test]
async fn where_the_key_is_ignored_altogether_only_one_request_ever_leaves() {
    let (stripe, stage) = with_stripe().await;
    stripe.ignore_keys();
    stripe.lose_answers();
    let again = wish(ORDER, Some(TOTAL), "Twice.");
    stage.model.then([refund(ORDER, None, "Cold.").and_call("refundOrder", again), Turn::text("Done.")]);
    stage.say("My money back, now").await;
    let view = stage.answer_form(json!({ "approved": true })).await;
    let first = tool_parts(&view).next().unwrap().clone();
    assert_eq!(first["state"], "output-available");
    assert_repeated(&stage, None, &first).await;
    assert_repeated(&stage, Some(TOTAL), &first).await;
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
}

#[tokio::test]
async fn what_has_left_is_not_stopped_and_shows_what_came_of_it() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Late(Duration::from_secs(2))]);
    stage.model.then([refund(ORDER, None, "Cold.")]);
    stage.say("My money back").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    while stripe.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stage.stop().await;
    let view = stage.assert_ended("cancelled").await;
    assert_eq!(last_part(&view)["output"]["status"], "succeeded", "{view:#}");
}

const GUESTS: usize = 10;
const ORDERS: usize = 20;

/// All orders of a guest are asked for in one turn.
async fn refund_every_order(stage: &Stage, guest: usize) {
    let (own, conversation) = Guest::with_conversation(&stage.server, "").await;
    let orders: Vec<String> = (0..ORDERS).map(|order| format!("DH-{guest:02}X{order:02}")).collect();
    for order in &orders {
        give_order(stage, &conversation, order, TOTAL).await;
    }
    let first = refund(&orders[0], None, "Cold.");
    let turn = orders[1..]
        .iter()
        .fold(first, |turn, order| turn.and_call("refundOrder", wish(order, None, "Cold.")));
    stage.model.then([turn, Turn::text("Done.")]);
    let view = own.say(&conversation, "Everything back").await;
    for part in tool_parts(&view) {
        let call = part["toolCallId"].as_str().unwrap();
        own.decide(&conversation, call, json!({ "approved": true })).await.expect(200);
    }
    let view = own.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done");
    for part in tool_parts(&view) {
        assert_eq!(part["output"]["status"], "succeeded", "{part:#}");
    }
}

#[tokio::test]
async fn two_hundred_answers_that_are_lost_after_the_refund_give_two_hundred_refunds() {
    let stripe = FakeStripe::start().await;
    stripe.ignore_keys();
    stripe.lose_answers();
    let stage = Stage::with_settings(&stripe.settings(), []).await;
    for guest in 0..GUESTS {
        refund_every_order(&stage, guest).await;
    }
    let mut keys: Vec<String> =
        stripe.refunds().iter().map(|refund| refund["metadata"]["key"].to_string()).collect();
    assert_eq!(keys.len(), GUESTS * ORDERS);
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), GUESTS * ORDERS);
    assert_eq!(stripe.asked().len(), GUESTS * ORDERS);
    let counted = "SELECT COUNT(*) FROM refunds WHERE status = 'succeeded'";
    assert_eq!(stage.server.database().await.number(counted).await, (GUESTS * ORDERS) as i64);
}

#[tokio::test]
async fn two_conversations_that_agree_at_once_refund_once() {
    let (stripe, mut stage) = with_stripe().await;
    stripe.ignore_keys();
    stripe.then([Post::Late(Duration::from_millis(500))]);
    let mut forms = Vec::new();
    for _ in 0..3 {
        stage.model.then([refund(ORDER, None, "Cold.")]);
        stage.say("My money back").await;
        forms.push((stage.conversation.clone(), stage.guest.waiting_call(&stage.conversation, 0).await.0));
        stage.converse().await;
    }
    stage.model.then([Turn::text("So."), Turn::text("So."), Turn::text("So.")]);
    let guest = &stage.guest;
    let ended = stream::iter(&forms).map(|(conversation, call)| async move {
        guest.decide(conversation, call, json!({ "approved": true })).await.expect(200);
        last_part(&guest.settled(conversation).await)["state"].as_str().unwrap().to_owned()
    });
    let mut ended: Vec<String> = ended.buffer_unordered(3).collect().await;
    ended.sort();
    assert_eq!(ended, ["output-available", "output-cancelled", "output-cancelled"]);
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
}
