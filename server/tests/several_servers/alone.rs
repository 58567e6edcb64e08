use std::time::Duration;

use crate::support::{DatabaseKind, Guest, ScriptedModel, Server, Turn, assistant_text};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_stopped_in_a_model_call_without_end_goes_on_with_it_when_it_is_started_again() {
    let model =
        ScriptedModel::start([Turn::text("One moment").then_silent(), Turn::text("Here it is.")]).await;
    let mut server = Server::start_on(DatabaseKind::Sqlite, &model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let run = guest.send(&conversation, "Hello").await;
    guest.until(&conversation, |view| assistant_text(view).starts_with("One")).await;

    let status = tokio::task::block_in_place(|| server.stop());
    assert_eq!(status.code(), Some(0));
    assert_eq!(server.database().await.texts("SELECT status FROM runs").await, ["queued"]);

    server.restart();
    let view = guest.settled(&conversation).await;
    assert_eq!((&view["run"]["runId"], &view["run"]["status"]), (&run.into(), &"done".into()));
    assert_eq!(assistant_text(&view), "Here it is.");
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_stopped_ends_the_answer_that_it_is_giving() {
    let answer = "One two three four five six seven eight nine ten.";
    let model = ScriptedModel::start([Turn::text(answer).paced(Duration::from_millis(100))]).await;
    let mut server = Server::start_on(DatabaseKind::Sqlite, &model.settings());
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    guest.send(&conversation, "Count").await;
    guest.until(&conversation, |view| assistant_text(view).starts_with("One")).await;

    let status = tokio::task::block_in_place(|| server.stop());
    assert_eq!(status.code(), Some(0));
    assert_eq!(server.database().await.texts("SELECT status FROM runs").await, ["done"]);
    server.restart();
    assert_eq!(assistant_text(&guest.view(&conversation).await), answer);
    assert_eq!(model.requests().len(), 1);
}
