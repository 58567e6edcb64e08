//! While the house has paused all effects: nothing is asked, nothing is done, reading goes on.

use serde_json::{Value, json};

use crate::support::{Stage, Turn, booking, evening, heard, of_call, tool_parts, weather};

/// The operators' switch of a stage.
struct Switch {
    _folder: tempfile::TempDir,
    path: String,
}

impl Switch {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("FREEZE").to_str().unwrap().to_owned();
        Self { _folder: folder, path }
    }

    fn freeze(&self) {
        std::fs::write(&self.path, "stock-taking\n").unwrap();
    }

    fn release(&self) {
        std::fs::remove_file(&self.path).unwrap();
    }
}

async fn stage(turns: impl IntoIterator<Item = Turn>) -> (Switch, Stage) {
    let switch = Switch::new();
    let stage = Stage::with_settings(&[("TRUTHTABLE_FREEZE", &switch.path)], turns).await;
    (switch, stage)
}

fn assert_frozen(part: &Value) {
    assert_eq!(part["state"], "output-error", "{part:#}");
    assert_eq!((&part["kind"], &part["code"]), (&json!("unavailable"), &json!("frozen")), "{part:#}");
}

#[tokio::test]
async fn an_effect_is_refused_without_a_question_and_the_model_hears_that_nothing_was_done() {
    let wish = booking("dl-may-nui", 2, &evening(3));
    let (switch, stage) = stage([Turn::call("createBooking", wish.clone()), Turn::text("I see.")]).await;
    switch.freeze();
    let view = stage.say("Book it").await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let part = stage.only_part().await;
    assert_frozen(&part);
    assert_eq!(part["input"], wish);
    let types: Vec<Value> = of_call(&stage.events().await, &part["toolCallId"])
        .into_iter()
        .map(|event| event["type"].clone())
        .collect();
    assert_eq!(types, ["tool-input-start", "tool-input-available", "tool-output-error"]);

    let results = heard(&stage.model.requests()[1]);
    assert!(results[0].is_error);
    for words in ["switched off for now", "Nothing was done", "do not try again"] {
        assert!(results[0].text.contains(words), "{words} is not in {}", results[0].text);
    }
    let database = stage.server.database().await;
    assert_eq!(database.bookings().await, []);
    for table in ["SELECT COUNT(*) FROM approvals", "SELECT COUNT(*) FROM effects"] {
        assert_eq!(database.number(table).await, 0, "{table}");
    }
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn reading_goes_on_beside_it() {
    let calls = Turn::call("getWeather", weather("Huế"))
        .and_call("createBooking", booking("dl-may-nui", 2, &evening(3)))
        .and_call("findTables", json!({ "city": "Đà Lạt", "partySize": 2, "startsAt": evening(3) }));
    let (switch, stage) = stage([calls, Turn::text("I see.")]).await;
    switch.freeze();
    let view = stage.say("Look and book").await;
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert_eq!(states, ["output-available", "output-error", "output-available"]);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn when_it_is_over_the_same_wish_is_asked_about_without_a_restart() {
    let wish = || Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let (switch, stage) = stage([wish(), Turn::text("I see."), wish(), Turn::text("Done.")]).await;
    switch.freeze();
    stage.say("Book it").await;
    switch.release();
    let view = stage.say("And now?").await;
    assert_eq!(view["run"]["status"], "awaiting-approval", "{view:#}");
    let view = stage.answer_form(json!({ "approved": true })).await;
    assert_eq!(tool_parts(&view).last().unwrap()["state"], "output-available", "{view:#}");
    assert_eq!(stage.server.database().await.bookings().await.len(), 1);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn it_comes_before_mistakes_and_after_what_was_done_already() {
    let wish = || Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let (switch, stage) = stage([wish(), Turn::text("Booked.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;

    switch.freeze();
    stage.model.then([
        wish(),
        Turn::call("createBooking", json!({ "restaurantId": "dl-may-nui", "partySize": "many" })),
        Turn::text("I see."),
    ]);
    let view = stage.say("Once more").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["state"], "output-available");
    assert_eq!((&parts[1]["reason"], &parts[1]["of"]), (&json!("repeated"), &parts[0]["toolCallId"]));
    assert_frozen(parts[2]);
    assert_eq!(parts[2].get("input"), None, "arguments that are none are not shown as some");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_model_that_does_not_give_up_is_stopped_by_the_limits() {
    let wish = |people| Turn::call("createBooking", booking("dl-may-nui", people, &evening(3)));
    let (switch, stage) = stage([wish(2), wish(3), wish(4)]).await;
    switch.freeze();
    let view = stage.say("Book it").await;
    assert_eq!(view["run"]["status"], "too-many-tool-errors", "{view:#}");
    tool_parts(&view).for_each(assert_frozen);
    assert_eq!(stage.server.database().await.bookings().await, []);
}

#[tokio::test]
async fn a_form_that_waits_stays_until_it_is_over() {
    let wish = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let (switch, stage) = stage([wish, Turn::text("Done.")]).await;
    stage.say("Book it").await;
    let (call, approval) = stage.guest.waiting_call(&stage.conversation, 0).await;
    switch.freeze();
    let yes = json!({ "approved": true, "approvalId": approval });
    stage.decide(&call, yes.clone()).await.expect_problem(503, "frozen");
    let view = stage.view().await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "approval-requested");
    switch.release();
    stage.decide(&call, yes).await.expect(200);
    stage.settled().await;
    assert_eq!(stage.only_part().await["state"], "output-available");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn what_was_agreed_to_and_has_not_run_is_refused_as_well() {
    let wish = Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3)));
    let (switch, mut stage) = stage([wish, Turn::text("I see.")]).await;
    stage.say("Book it").await;
    let (call, _) = stage.guest.waiting_call(&stage.conversation, 0).await;

    // As a server leaves it that dies right after the decision.
    let database = stage.server.database().await;
    stage.server.kill();
    for sql in [
        "UPDATE approvals SET status = 'approved', decided_at = created_at",
        "UPDATE tool_calls SET state = 'approved'",
        "UPDATE runs SET status = 'queued'",
        "UPDATE conversations SET last_seq = last_seq + 1",
    ] {
        database.execute(sql).await;
    }
    let decided = json!({ "type": "tool-approval-responded", "toolCallId": call, "approved": true });
    let event = format!(
        "INSERT INTO events (conversation_id, seq, at, body) SELECT id, last_seq, updated_at, '{decided}' \
         FROM conversations"
    );
    database.execute_owned(event).await;
    switch.freeze();
    stage.server.restart();

    let view = stage.until(|view| view["run"]["status"] == "done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_frozen(part);
    assert!(heard(&stage.model.requests()[1])[0].text.contains("Nothing was done"));
    assert_eq!(stage.server.database().await.bookings().await, []);
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_link_that_leads_nowhere_freezes_too() {
    let (switch, stage) =
        stage([Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))), Turn::text("I see.")])
            .await;
    std::os::unix::fs::symlink("/nowhere/at/all", &switch.path).unwrap();
    stage.say("Book it").await;
    assert_frozen(&stage.only_part().await);
}
