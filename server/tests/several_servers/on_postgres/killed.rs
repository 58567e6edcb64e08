//! Servers that are killed: nothing special happens.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;

use crate::several_servers::crew::{
    Roamer, SAFE_LEASE, SHORT_LEASE, crew, states, table_model, told_by_all, until_row,
};
use crate::support::{Guest, ScriptedModel, Turn, assistant_text, tool_parts};

const RUNS: usize = 30;

#[tokio::test(flavor = "multi_thread")]
async fn thirty_runs_end_and_none_twice_while_one_server_after_the_other_is_killed() {
    let model = table_model(Duration::from_millis(50)).await;
    let mut crew = crew(3, &model, &[SAFE_LEASE]);
    let mut guests = Vec::new();
    for number in 0..RUNS {
        guests.push(Roamer::arrive(&crew, number).await);
    }
    let runs = guests.into_iter().enumerate().map(|(number, mut guest)| {
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(150) * number as u32).await;
            let view = guest.book(number).await;
            (guest.conversation, view)
        })
    });
    let runs: Vec<_> = runs.collect();
    for killed in [0, 1, 2, 0] {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        tokio::task::block_in_place(|| crew[killed].restart());
    }
    let database = crew[0].database().await;
    for ended in join_all(runs).await {
        let (conversation, view) = ended.unwrap();
        assert_eq!(view["run"]["status"], "done", "{view:#}");
        assert_eq!(states(&view), ["output-available"], "{view:#}");
        let told = "SELECT COUNT(*) FROM events WHERE body LIKE '%tool-output-available%'";
        let receipts = database
            .texts_owned(format!("SELECT CAST(({told} AND conversation_id = '{conversation}') AS TEXT)"))
            .await;
        assert_eq!(receipts, ["1"]);
    }
    assert_eq!(database.bookings().await.len(), RUNS);
    assert_eq!(database.number("SELECT COUNT(DISTINCT user_id) FROM bookings").await, RUNS as i64);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, RUNS as i64);
    // Taken once for the message and once for the decision, where nobody is killed.
    let taken_over = database.number("SELECT COUNT(*) FROM runs WHERE epoch > 2").await;
    assert!(taken_over > 0, "no run was struck");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_taken_three_times_without_coming_further_has_failed() {
    let turns = [1, 2, 3].map(|n| Turn::text(&format!("Try {n}")).then_silent());
    let model = ScriptedModel::start(turns).await;
    let mut crew = crew(1, &model, &[SHORT_LEASE]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    guest.send(&conversation, "Hello").await;
    for n in 1..=3 {
        guest.until(&conversation, |view| assistant_text(view).starts_with(&format!("Try {n}"))).await;
        assert_eq!(model.requests().len(), n);
        tokio::task::block_in_place(|| crew[0].restart());
    }
    let view = guest.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "failed", "{view:#}");
    assert_eq!(model.requests().len(), 3);
    told_by_all(&crew, &guest, &conversation).await;

    model.then([Turn::text("Here I am again.")]);
    let after = guest.say(&conversation, "And now?").await;
    assert_eq!(after["run"]["status"], "done", "{after:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_whose_server_dies_behind_the_commit_is_the_same_message_on_the_next_one() {
    let model = ScriptedModel::start([]).await;
    let mut crew = crew(2, &model, &[SHORT_LEASE]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let url = format!("{}/api/conversations/{conversation}/messages", crew[0].url);
    let cookie = guest.cookie().to_owned();
    let lost = tokio::spawn(async move {
        let body = json!({ "clientMessageId": "the one", "text": "Hello" });
        reqwest::Client::new().post(url).header("cookie", cookie).json(&body).send().await
    });
    until_row(&crew[1], "SELECT COUNT(*) FROM user_messages", 1).await;
    crew[0].kill();
    // Whether it was still answered is the same to the guest, who sends it again.
    let _ = lost.await.unwrap();

    let elsewhere = guest.at(&crew[1]);
    let again = elsewhere.try_send(&conversation, "the one", "Hello").await.expect(202).body;
    let run = crew[1].database().await.texts("SELECT id FROM runs").await;
    assert_eq!(run, [again["runId"].as_str().unwrap()]);
    let view = elsewhere.settled(&conversation).await;
    assert_eq!((&view["run"]["runId"], &view["run"]["status"]), (&again["runId"], &json!("done")));
    let messages = view["messages"].as_array().unwrap();
    assert_eq!(messages.iter().filter(|message| message["role"] == "user").count(), 1, "{view:#}");
    assert_eq!(tool_parts(&view).count(), 0);
}
