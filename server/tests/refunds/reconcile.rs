//! `truthtable reconcile`.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::counter::{ORDER, TOTAL, last_part, refund_all, with_order, with_stripe};
use crate::support::{FakeStripe, Post, Stage};

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
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
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
    let settings = stripe.settings();
    let looks = stripe.looked().len();
    let output = reconcile(&stage, &settings, &["--list"]).await;
    let text = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for told in ["refund:DH-7K2Q4#1", ORDER, &TOTAL.to_string(), &stage.conversation, "1 unknown"] {
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
    assert_eq!(effect["conversationId"], stage.conversation.as_str());
    let view = stage.until(|view| last_part(view)["state"] == "output-available").await;
    assert_eq!(last_part(&view)["output"]["amount"], TOTAL);

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
async fn it_says_when_it_is_not_possible() {
    let stage = with_order(&[]).await;
    let output = reconcile(&stage, &[("DATABASE_URL", "sqlite:///nowhere/at/all.db")], &[]).await;
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("DATABASE_URL"));
    let output = reconcile(&stage, &[("TRUTHTABLE_REFUNDS", "stripe")], &[]).await;
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("STRIPE_SECRET_KEY"));
}
