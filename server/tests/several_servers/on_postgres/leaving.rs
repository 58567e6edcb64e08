//! A server that is told to stop.

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::several_servers::crew::{SHORT_LEASE, crew, told_by_all};
use crate::support::{Guest, ScriptedModel, Server, Turn, assistant_text};

/// Longer than a server takes that leaves, whatever it is at.
const LEAVES_WITHIN: Duration = Duration::from_secs(30);

/// SIGTERM from here on; returns when it has sent it.
fn begin_to_stop(server: &Server) {
    let sent = std::process::Command::new("kill").args(["-TERM", &server.pid().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_call_without_end_is_handed_back_and_readers_go_elsewhere() {
    let model =
        ScriptedModel::start([Turn::text("One moment").then_silent(), Turn::text("Here it is.")]).await;
    let mut crew = crew(2, &model, &[]);
    let (guest, conversation) = Guest::with_conversation(&crew[0], "").await;
    let mut reader = guest.listen(&conversation, "", &[]).await;
    guest.send(&conversation, "Hello").await;
    guest.until(&conversation, |view| assistant_text(view).starts_with("One")).await;

    let asked = Instant::now();
    begin_to_stop(&crew[0]);
    let mut last = 0;
    while let Some((id, _)) = reader.next().await {
        last = id;
    }
    assert!(asked.elapsed() < Duration::from_secs(5), "the stream was not ended for its reader");
    let leaving = &mut crew[0];
    let status = tokio::task::block_in_place(|| leaving.stop());
    assert_eq!(status.code(), Some(0));
    assert!(asked.elapsed() < LEAVES_WITHIN);

    let elsewhere = guest.at(&crew[1]);
    let view = elsewhere.settled(&conversation).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    assert_eq!(assistant_text(&view), "Here it is.");
    assert!(view["lastEventId"].as_u64().unwrap() > last);
    assert_eq!(model.requests().len(), 2);
    let database = crew[1].database().await;
    assert_eq!(database.numbers("SELECT epoch FROM runs").await, [2]);
    told_by_all(&crew[1..], &elsewhere, &conversation).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_leaves_takes_no_further_run() {
    let silent = || Turn::text("One moment").then_silent();
    let model = ScriptedModel::start([silent(), silent()]).await;
    let mut crew = crew(2, &model, &[SHORT_LEASE]);
    let (mut guest, first) = Guest::with_conversation(&crew[0], "").await;
    let second = guest.converse(serde_json::json!({})).await;
    for (server, conversation) in crew.iter().zip([&first, &second]) {
        let there = guest.at(server);
        there.send(conversation, "Hello").await;
        there.until(conversation, |view| assistant_text(view).starts_with("One")).await;
    }

    // A guest who is slow to say what they want keeps it from ending at once.
    let mut slow = TcpStream::connect(crew[0].url.strip_prefix("http://").unwrap()).unwrap();
    let begun = "POST /api/conversations HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\n\
         content-length: 9\r\n\r\n{";
    slow.write_all(begun.as_bytes()).unwrap();
    begin_to_stop(&crew[0]);
    // From here on it has heard the signal.
    while reqwest::get(format!("{}/healthz", crew[0].url)).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    crew[1].kill();
    // Longer than the lease, and than servers take to find a run by themselves.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let leaving = &mut crew[0];
    assert_eq!(tokio::task::block_in_place(|| leaving.stop()).code(), Some(0));
    let database = crew[0].database().await;
    let left = database.texts_owned(format!(
        "SELECT status FROM runs WHERE conversation_id = '{first}' UNION ALL \
         SELECT status FROM runs WHERE conversation_id = '{second}' AND epoch = 1"
    ));
    assert_eq!(left.await, ["queued", "running"], "both are for others");

    let another = Server::start_beside(&crew[0], &model.settings());
    for conversation in [&first, &second] {
        let view = guest.at(&another).settled(conversation).await;
        assert_eq!(view["run"]["status"], "done", "{view:#}");
    }
}
