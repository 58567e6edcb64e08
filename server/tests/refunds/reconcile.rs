//! `truthtable reconcile`.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::counter::{ORDER, TOTAL, last_part, refund_all, with_order, with_stripe};
use crate::support::{FakeStripe, Post, Stage, Turn, tool_parts};

async fn reconcile(stage: &Stage, settings: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_truthtable"));
    command
        .env_clear()
        .env("DATABASE_URL", stage.server.database_url())
        .envs(settings.iter().copied())
        .current_dir(folder.path())
        .arg("reconcile")
        .args(arguments);
    // Whoever is asked answers on this very thread's runtime.
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The server itself looks again in an hour.
async fn postpone(stage: &Stage) {
    // Twice: a look that was about to begin has begun by then.
    for _ in 0..2 {
        let later = chrono::Utc::now().timestamp_millis() + 3_600_000;
        stage.server.database().await.execute_owned(format!("UPDATE effects SET look_at = {later}")).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// A refund of which nobody knows; the server itself looks again in an hour.
async fn unknown() -> (FakeStripe, Stage) {
    let (stripe, stage) = with_stripe().await;
    stripe.then([Post::DoneAndCut]);
    stripe.fail_looks(true);
    assert_eq!(last_part(&refund_all(&stage).await)["state"], "output-unknown");
    postpone(&stage).await;
    (stripe, stage)
}

#[tokio::test]
async fn it_lists_what_is_unknown_looks_again_and_settles_it() {
    let (stripe, stage) = unknown().await;
    // As the guest reads it on the order's card.
    stage.model.then([Turn::call("getOrder", json!({ "orderId": ORDER })), Turn::text("So.")]);
    let order = last_part(&stage.say("My order?").await);
    let reference = order["output"]["refunds"][0]["reference"].as_str().unwrap();
    assert!(reference.starts_with("R-"), "{reference}");
    let settings = stripe.settings();
    let looks = stripe.looked().len();
    let output = reconcile(&stage, &settings, &["--list"]).await;
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for told in ["refund:DH-7K2Q4#1", ORDER, &TOTAL.to_string(), &stage.conversation, reference, "1 unknown"]
    {
        assert!(text.contains(told), "{told} in {text}");
    }
    assert_eq!(stripe.looked().len(), looks, "--list asks nobody");

    let output = reconcile(&stage, &settings, &["--json"]).await;
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&told["left"], &told["effects"][0]["outcome"]), (&json!(1), &json!("unknown")));
    assert!(stripe.looked().len() > looks);

    postpone(&stage).await;
    stripe.fail_looks(false);
    let output = reconcile(&stage, &settings, &["--json"]).await;
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{told:#}");
    let effect = &told["effects"][0];
    assert_eq!((&effect["outcome"], &effect["output"]["status"]), (&json!("done"), &json!("succeeded")));
    assert_eq!(
        (&effect["reference"], &effect["output"]["reference"]),
        (&json!(reference), &json!(reference))
    );
    assert_eq!(effect["conversationId"], stage.conversation.as_str());
    let first = |view: &Value| tool_parts(view).next().unwrap().clone();
    let view = stage.until(|view| first(view)["state"] == "output-available").await;
    assert_eq!(first(&view)["output"]["amount"], TOTAL);

    let output = reconcile(&stage, &settings, &[]).await;
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "Nothing is unknown.\n"));
    assert_eq!((stripe.asked().len(), stripe.refunds().len()), (1, 1));
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_refund_is_asked_about_only_where_it_was_asked_for() {
    let (_stripe, stage) = unknown().await;
    // With the ledger alone nobody can tell, which is not the same as that there is none.
    let output = reconcile(&stage, &[("TRUTHTABLE_LOOK_AGAIN_SECONDS", "0.01")], &[]).await;
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert_eq!(last_part(&stage.view().await)["state"], "output-unknown");
}

#[tokio::test]
async fn several_at_once_all_tell_what_one_of_them_has_found() {
    let (stripe, stage) = unknown().await;
    stripe.fail_looks(false);
    stripe.slow_looks(Duration::from_secs(3));
    let settings = stripe.settings();
    let told = futures::future::join_all((0..5).map(|_| reconcile(&stage, &settings, &[]))).await;
    for output in &told {
        let text = printed(output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        // One that came late finds nothing on the list.
        assert!(text.contains("done: succeeded") || text == "Nothing is unknown.\n", "{text}");
    }
    stage.until(|view| last_part(view)["state"] == "output-available").await;
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn several_at_once_do_not_wait_for_a_look_that_has_found_nothing() {
    let (stripe, stage) = unknown().await;
    stripe.slow_looks(Duration::from_millis(500));
    let settings = stripe.settings();
    let begun = Instant::now();
    let told = futures::future::join_all((0..3).map(|_| reconcile(&stage, &settings, &[]))).await;
    assert!(begun.elapsed() < Duration::from_secs(15), "{told:?}");
    for output in &told {
        assert_eq!(output.status.code(), Some(1));
        assert!(printed(output).contains("0 settled, 1 still unknown"), "{output:?}");
    }
}

#[tokio::test]
async fn an_operators_looks_leave_those_of_the_servers_as_they_were_planned() {
    let (stripe, stage) = unknown().await;
    let database = stage.server.database().await;
    let planned = database.number("SELECT look_at FROM effects").await;
    let looks = database.number("SELECT looks FROM effects").await;
    for _ in 0..8 {
        assert_eq!(reconcile(&stage, &stripe.settings(), &[]).await.status.code(), Some(1));
    }
    assert_eq!(database.number("SELECT look_at FROM effects").await, planned);
    assert_eq!(database.number("SELECT looks FROM effects").await, looks + 8);
    // Nor is the interval after the next one of theirs any longer: with eight more it would be 256 times.
    database.execute("UPDATE effects SET server_looks = 0, look_at = 0").await;
    while database.number("SELECT server_looks FROM effects").await == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stripe.fail_looks(false);
    let begun = Instant::now();
    stage.until(|view| last_part(view)["state"] == "output-available").await;
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_wrong_command_line_is_not_told_as_something_that_is_left() {
    let stage = with_order(&[]).await;
    for arguments in [&["--nonsense"][..], &["DH-7K2Q4"], &["--list=maybe"], &["--list", "--list"]] {
        let output = reconcile(&stage, &[], arguments).await;
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
        assert_eq!(
            (output.stdout.len(), output.stderr.iter().filter(|byte| **byte == b'\n').count()),
            (0, 1)
        );
    }
    let output = reconcile(&stage, &[("DATABASE_URL", "nonsense")], &[]).await;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[tokio::test]
async fn it_says_when_it_is_not_possible() {
    let stage = with_order(&[]).await;
    let output = reconcile(&stage, &[("DATABASE_URL", "sqlite:///nowhere/at/all.db")], &[]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("DATABASE_URL"));
    let output = reconcile(&stage, &[("TRUTHTABLE_REFUNDS", "stripe")], &[]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("STRIPE_SECRET_KEY"));
}
