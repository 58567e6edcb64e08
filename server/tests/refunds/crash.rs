//! The server is killed while a refund is under way.

use std::time::Duration;

use serde_json::{Value, json};

use super::counter::{ORDER, TOTAL, last_part, refund, with_stripe};
use crate::support::{FakeStripe, Post, Stage, Turn};

/// A refund has left, and the server is killed before it has heard of it.
async fn killed_under_way(post: Post) -> (FakeStripe, Stage) {
    let (stripe, mut stage) = with_stripe().await;
    stripe.ignore_keys();
    stripe.then([post]);
    stage.model.then([refund(ORDER, None, "Cold."), Turn::text("So.")]);
    stage.say("My money back").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;
    stage.decide(&call, json!({ "approved": true })).await.expect(200);
    while stripe.asked().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stage.server.kill();
    (stripe, stage)
}

async fn restarted(stage: &mut Stage) -> Value {
    stage.server.restart();
    stage.settled().await
}

#[tokio::test]
async fn a_refund_that_was_done_is_found_by_whoever_goes_on_and_not_sent_again() {
    let (stripe, mut stage) = killed_under_way(Post::DoneAndSilent).await;
    let view = restarted(&mut stage).await;
    let part = last_part(&view);
    assert_eq!((&part["state"], &part["output"]["amount"]), (&json!("output-available"), &json!(TOTAL)));
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_refund_that_never_arrived_is_sent_once_more_under_the_same_key() {
    let (stripe, mut stage) = killed_under_way(Post::Silent).await;
    let view = restarted(&mut stage).await;
    assert_eq!(last_part(&view)["output"]["status"], "succeeded", "{view:#}");
    let keys: Vec<String> = stripe.asked().iter().map(|asked| asked.form["metadata[key]"].clone()).collect();
    assert_eq!(keys, ["refund:DH-7K2Q4#1", "refund:DH-7K2Q4#1"]);
    assert_eq!(stripe.refunds().len(), 1);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_refund_that_is_sent_once_more_goes_where_the_guest_agreed_to_whatever_the_order_says_now() {
    let (stripe, mut stage) = killed_under_way(Post::Silent).await;
    let database = stage.server.database().await;
    database.execute("UPDATE orders SET payee = 'Visa •••• 9999', payment_reference = 'pi_other'").await;
    let view = restarted(&mut stage).await;
    assert_eq!(last_part(&view)["output"]["payee"], "Visa •••• 4242", "{view:#}");
    let payments = stripe.asked().into_iter().map(|asked| asked.form["payment_intent"].clone());
    assert_eq!(payments.collect::<Vec<_>>(), ["pi_DH-7K2Q4", "pi_DH-7K2Q4"]);
    assert!(stripe.looked().iter().all(|query| query["payment_intent"] == "pi_DH-7K2Q4"));
}

#[tokio::test]
async fn where_nobody_can_tell_it_is_unknown_and_the_run_goes_on() {
    let (stripe, mut stage) = killed_under_way(Post::DoneAndSilent).await;
    stripe.fail_looks(true);
    let view = restarted(&mut stage).await;
    assert_eq!(last_part(&view)["state"], "output-unknown");
    assert_eq!(view["run"]["status"], "done");
    stripe.fail_looks(false);
    stage.until(|view| last_part(view)["state"] == "output-available").await;
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
}

#[tokio::test]
async fn a_stop_that_comes_after_the_crash_does_not_hide_what_was_done() {
    let (_stripe, mut stage) = killed_under_way(Post::DoneAndSilent).await;
    let database = stage.server.database().await;
    database.execute("UPDATE runs SET stop_requested = 1").await;
    let view = restarted(&mut stage).await;
    assert_eq!(view["run"]["status"], "cancelled");
    assert_eq!(last_part(&view)["output"]["status"], "succeeded", "{view:#}");
    stage.assert_ended("cancelled").await;
}

#[tokio::test]
async fn a_run_that_fails_for_good_leaves_its_refund_to_be_looked_into() {
    let (stripe, mut stage) = killed_under_way(Post::DoneAndSilent).await;
    stripe.fail_looks(true);
    let database = stage.server.database().await;
    // It was taken up too often without coming further.
    database.execute("UPDATE runs SET pickups = 99").await;
    let view = restarted(&mut stage).await;
    assert_eq!(view["run"]["status"], "failed");
    assert_eq!(last_part(&view)["state"], "output-unknown");
    stripe.fail_looks(false);
    stage.until(|view| last_part(view)["state"] == "output-available").await;
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
}
