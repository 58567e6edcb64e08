//! What holds for a guest holds on all servers together.

use std::time::Duration;

use futures::future::join_all;
use serde_json::json;
use shared::event::AgentEvent;

use crate::several_servers::crew::{book, crew, told_by_all};
use crate::support::{DatabaseKind, Guest, Home, ScriptedModel, Server, Turn, assistant_text};

#[tokio::test]
async fn thirty_messages_a_minute_are_thirty_on_all_servers_together() {
    let model = ScriptedModel::start([]).await;
    let crew = crew(3, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    for number in 0..30 {
        let there = guest.at(&crew[number % 3]);
        let view = there.say(&conversation, &format!("Message {number}")).await;
        assert_eq!(view["run"]["status"], "done", "{view:#}");
    }
    for server in &crew {
        let refused = guest.at(server).try_send(&conversation, "one more", "And another").await;
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() > 0);
        refused.expect_problem(429, "too-many-requests");
    }
    assert_eq!(model.requests().len(), 30);
    let (other, theirs) = Guest::with_conversation(&crew[1], "").await;
    other.try_send(&theirs, "the first", "Hello").await.expect(202);
}

#[tokio::test]
async fn a_guest_s_tokens_of_a_day_are_counted_over_all_servers_together() {
    // Each answer uses 120.
    let model = ScriptedModel::start([]).await;
    let crew = crew(3, &model, &[("TRUTHTABLE_DAILY_TOKENS", "360")]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    for (number, server) in crew.iter().enumerate() {
        let view = guest.at(server).say(&conversation, &format!("Message {number}")).await;
        assert_eq!(view["run"]["status"], "done", "{view:#}");
    }
    for server in &crew {
        let refused = guest.at(server).try_send(&conversation, "one more", "And another").await;
        refused.expect_problem(429, "daily-budget");
    }
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn a_guest_who_asks_everywhere_at_once_has_four_runs_at_work() {
    let model = ScriptedModel::answering(|_| Turn::text("One moment").then_silent()).await;
    let crew = crew(3, &model, &[]);
    let (mut guest, first) = Guest::with_conversation(&crew[0], "").await;
    let mut conversations = vec![first];
    for _ in 1..9 {
        conversations.push(guest.converse(json!({})).await);
    }
    let sends = conversations.iter().enumerate().map(|(number, conversation)| {
        let there = guest.at(&crew[number % 3]);
        async move { there.try_send(conversation, "the one", "Hello").await }
    });
    let mut taken = 0;
    for answer in join_all(sends).await {
        match answer.status.as_u16() {
            202 => taken += 1,
            _ => drop(answer.expect_problem(429, "too-many-runs")),
        }
    }
    assert_eq!(taken, 4);
}

#[tokio::test]
async fn a_form_expires_once_however_many_servers_look_at_it() {
    let model = ScriptedModel::start([book()]).await;
    let crew = crew(3, &model, &[("TRUTHTABLE_APPROVAL_SECONDS", "2")]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let mut reader = guest.at(&crew[2]).listen(&conversation, "", &[]).await;
    guest.say(&conversation, "Book it").await;
    let reads = (0..90).map(|number| {
        let there = guest.at(&crew[number % 3]);
        let conversation = &conversation;
        async move {
            // Across the moment at which its time is up.
            tokio::time::sleep(Duration::from_millis(number as u64 * 25)).await;
            there.view(conversation).await
        }
    });
    join_all(reads).await;
    let is_end = |event: &AgentEvent| serde_json::to_value(event).unwrap()["status"] == "cancelled";
    let mut told = reader.until(is_end).await;
    let view = told_by_all(&crew, &guest, &conversation).await;
    assert_eq!(view["run"]["status"], "cancelled", "{view:#}");
    let after = told.pop().unwrap().0;
    assert_eq!(view["lastEventId"], after, "something came after the end: {view:#}");
    let cancelled =
        told.iter().filter(|(_, event)| matches!(event, AgentEvent::ToolOutputCancelled { .. })).count();
    assert_eq!(cancelled, 1);
    assert_eq!(crew[0].database().await.texts("SELECT status FROM approvals").await, ["expired"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_start_together_on_an_empty_database_all_serve() {
    let home = Home::fresh(DatabaseKind::Postgres);
    let starting: Vec<_> = (0..3)
        .map(|_| {
            let home = home.clone();
            std::thread::spawn(move || Server::start_at(&home, &[]))
        })
        .collect();
    let crew: Vec<Server> = starting.into_iter().map(|server| server.join().unwrap()).collect();
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    for server in &crew {
        let view = guest.at(server).say(&conversation, "Xin chào").await;
        assert_eq!(view["run"]["status"], "done", "{view:#}");
    }
}

#[tokio::test]
async fn a_server_whose_clock_is_behind_begins_the_latest_run_all_the_same() {
    let model = ScriptedModel::start([Turn::text("First."), Turn::text("Second.")]).await;
    let crew = crew(2, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let before = guest.say(&conversation, "Hello").await;
    // As one whose clock is ahead would have written it.
    let database = crew[0].database().await;
    database.execute("UPDATE runs SET created_at = created_at + 20000").await;

    let there = guest.at(&crew[1]);
    let run = there.send(&conversation, "And now?").await;
    assert_ne!(before["run"]["runId"], run);
    let view = there
        .until(&conversation, |view| view["run"]["runId"] == run && view["run"]["status"] == "done")
        .await;
    assert!(assistant_text(&view).ends_with("Second."), "{view:#}");
}

#[tokio::test]
async fn a_reader_who_goes_away_in_the_middle_leaves_no_transaction_open() {
    let model = ScriptedModel::start([]).await;
    let crew = crew(1, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    guest.say(&conversation, "Hello").await;
    let readers = (0..400).map(|number: u64| {
        let (guest, conversation) = (&guest, &conversation);
        async move {
            // One after the other, so that each gets as far as another one has not come.
            tokio::time::sleep(Duration::from_millis(number * 12)).await;
            let patience = Duration::from_micros(1_000 + number * 50);
            let _ = tokio::time::timeout(patience, guest.get(&format!("/api/conversations/{conversation}")))
                .await;
        }
    });
    join_all(readers).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let open = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() \
         AND state LIKE 'idle in transaction%'";
    assert_eq!(crew[0].database().await.number(open).await, 0);
    assert_eq!(guest.say(&conversation, "Still there?").await["run"]["status"], "done");
}
