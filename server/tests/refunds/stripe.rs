//! Stripe: what it is asked, and what its answers become.

use serde_json::json;

use super::counter::{ORDER, TOTAL, assert_repeated, give_order, last_part, refund, refund_all, with_stripe};
use crate::support::{
    FakeStripe, Guest, Post, ScriptedModel, Server, Stage, Turn, heard, of_call, told_by_user,
};

/// What the model was told at the head of the guest's next message.
async fn news(stage: &Stage) -> String {
    stage.model.then([Turn::text("I see.")]);
    stage.say("Anything new?").await;
    told_by_user(stage.model.requests().last().unwrap()).concat()
}

#[tokio::test]
async fn a_refund_is_asked_for_as_the_api_wants_it() {
    let (stripe, stage) = with_stripe().await;
    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["output"]["status"], "succeeded", "{view:#}");
    assert_eq!(last_part(&view)["output"]["receiver"], "stripe");
    let asked = &stripe.asked()[0];
    let header = |name: &str| asked.headers[name].to_str().unwrap();
    assert_eq!(header("authorization"), "Bearer sk_test_secret");
    assert_eq!(header("stripe-version"), "2026-10-28.endive");
    assert_eq!(header("idempotency-key"), "refund:DH-7K2Q4#1");
    assert_eq!(header("content-type"), "application/x-www-form-urlencoded");
    let field = |name: &str| asked.form[name].as_str();
    // Đồng have no smaller unit.
    assert_eq!(field("amount"), TOTAL.to_string());
    assert_eq!(field("payment_intent"), "pi_DH-7K2Q4");
    assert_eq!((field("metadata[key]"), field("metadata[order]")), ("refund:DH-7K2Q4#1", ORDER));
    assert_eq!(asked.form.len(), 5);
    stage.assert_ended("done").await;
    assert_eq!((stripe.asked().len(), stripe.looked().len()), (1, 0));
}

#[tokio::test]
async fn a_submitted_refund_becomes_a_receipt_when_it_has_succeeded() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Done("pending")]);
    let view = refund_all(&stage).await;
    let part = last_part(&view);
    assert_eq!(
        (&part["state"], &part["output"]["status"]),
        (&json!("output-available"), &json!("submitted"))
    );
    assert_eq!(part["output"].get("settledAt"), None);
    assert_repeated(&stage, None, &part).await;

    stripe.settle("succeeded", None);
    let view = stage.until(|view| view.to_string().contains("\"succeeded\"")).await;
    let first = crate::support::tool_parts(&view).next().unwrap().clone();
    assert_eq!((&first["output"]["status"], &first["revision"]), (&json!("succeeded"), &json!(1)));
    assert!(first["output"]["settledAt"].is_string());
    let told = news(&stage).await;
    assert!(told.contains(ORDER) && told.contains("succeeded"), "{told}");
    // What the model heard at first stays as it was.
    let before = &heard(&stage.model.requests()[1])[0];
    assert!(before.text.contains("submitted"), "{before:?}");
    stage.assert_ended("done").await;
    let looks = stripe.looked().len();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    assert_eq!(stripe.looked().len(), looks, "what is settled is asked for no more");
    assert_eq!(stripe.asked().len(), 1);
}

#[tokio::test]
async fn a_submitted_refund_that_fails_for_good_says_so_and_may_be_asked_for_again() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Done("requires_action")]);
    refund_all(&stage).await;
    stripe.settle("failed", Some("lost_or_stolen_card"));
    let view = stage.until(|view| view.to_string().contains("card-lost")).await;
    let first = last_part(&view);
    assert_eq!((&first["state"], &first["output"]["status"]), (&json!("output-available"), &json!("failed")));
    assert!(news(&stage).await.contains("failed for good"));

    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["output"]["status"], "succeeded", "{view:#}");
    let keys: Vec<String> = stripe.asked().iter().map(|asked| asked.form["metadata[key]"].clone()).collect();
    assert_eq!(keys, ["refund:DH-7K2Q4#1", "refund:DH-7K2Q4#2"]);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_refusal_is_told_as_one_and_holds_no_key() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([
        Post::Error(400, "invalid_request_error", "charge_disputed"),
        Post::Error(429, "rate_limit_error", "rate_limit"),
    ]);
    let view = refund_all(&stage).await;
    let part = last_part(&view);
    assert_eq!(
        (&part["state"], &part["kind"], &part["code"], &part["params"]),
        (
            &json!("output-error"),
            &json!("tool"),
            &json!("refund-rejected"),
            &json!({ "reason": "charge_disputed" })
        )
    );
    let told = &heard(stage.model.requests().last().unwrap())[0];
    assert!(told.is_error && told.text.contains("nothing was refunded"), "{told:?}");
    assert!(!view.to_string().contains("scripted trouble"));

    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["code"], "receiver-unavailable");
    let view = refund_all(&stage).await;
    assert_eq!(last_part(&view)["state"], "output-available");
    stage.assert_ended("done").await;
    assert_eq!((stripe.refunds().len(), stripe.looked().len()), (1, 0));
}

#[tokio::test]
async fn where_nobody_listens_nothing_was_refunded() {
    let mut settings = super::counter::settings_of("http://127.0.0.1:9");
    settings.push(("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.02"));
    let stage = super::counter::with_order(&settings).await;
    let view = refund_all(&stage).await;
    let part = last_part(&view);
    assert_eq!((&part["state"], &part["code"]), (&json!("output-error"), &json!("receiver-unavailable")));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn the_events_of_a_refund_that_settles_late_fold_to_its_card() {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::Done("pending")]);
    let view = refund_all(&stage).await;
    stripe.settle("succeeded", None);
    stage.until(|view| view.to_string().contains("\"succeeded\"")).await;
    let events = of_call(&stage.events().await, &last_part(&view)["toolCallId"]);
    let types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types[types.len() - 2..], ["tool-output-available", "tool-output-updated"]);
    stage.assert_sound().await;
}

#[tokio::test]
async fn the_key_is_nowhere_and_what_stripe_says_is_in_the_log_alone() {
    let stripe = FakeStripe::start().await;
    let model = ScriptedModel::start([refund(ORDER, None, "Cold."), Turn::text("So.")]).await;
    let mut settings = [model.settings(), stripe.settings()].concat();
    settings.push(("RUST_LOG", "debug"));
    let server = Server::start_logged(&settings);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let stage = Stage { model, server, guest, conversation };
    give_order(&stage, &stage.conversation, ORDER, TOTAL).await;
    stripe.then([Post::Error(400, "invalid_request_error", "charge_disputed")]);
    stage.say("My money back").await;
    stage.answer_form(json!({ "approved": true })).await;
    let database = stage.server.database().await;
    let events = database.texts("SELECT body FROM events").await.join("\n");
    let history = database.texts("SELECT body FROM model_messages").await.join("\n");
    let log = stage.server.log();
    assert!(log.contains("DEBUG") && log.contains("scripted trouble"), "{log}");
    for text in [&log, &events, &history] {
        assert!(!text.contains("sk_test_secret"));
    }
    assert!(!events.contains("scripted trouble") && !history.contains("scripted trouble"));
}
