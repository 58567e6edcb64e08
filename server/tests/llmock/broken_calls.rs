//! Answers that are complete, with calls that are none.

use serde_json::{Value, json};

use super::protocol::for_each;
use super::scene::{Scene, assert_answered, calls, reply};
use crate::support::{Booking, booking, evening, tool_parts};

const ANSWER: &str = "That did not work.";

/// Asks for a table; the call is broken in this way. The one part that there is then.
async fn broken_call(scene: &Scene, kind: &str) -> Value {
    let call = calls(&[("createBooking", booking("dl-may-nui", 2, &evening(3)))]);
    scene.mock.script([call, json!({ "type": "tool_fault", "kind": kind }), reply(ANSWER)]).await;
    let view = scene.say("A table in Huế, please.").await;
    assert_answered(&view, ANSWER);
    // Told of it once, the model answered.
    scene.assert_served(&[200, 200]).await;
    scene.assert_no_findings().await;
    assert_eq!(scene.server.database().await.bookings().await, Vec::<Booking>::new());
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts.len(), 1, "{view:#}");
    parts[0].clone()
}

#[tokio::test]
async fn a_call_whose_arguments_are_no_json_is_refused_and_the_model_told_why() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "malformed-arguments").await;
        let part = broken_call(&scene, "malformed_arguments").await;
        assert_eq!((&part["state"], &part["kind"]), (&json!("output-error"), &json!("input")), "{part:#}");
        assert_eq!(part["type"], "tool-createBooking");
    })
    .await;
}

#[tokio::test]
async fn a_call_of_a_tool_that_was_never_offered_is_refused_and_the_model_told_why() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "unknown-tool").await;
        let part = broken_call(&scene, "unknown_tool").await;
        assert_eq!(
            (&part["state"], &part["kind"]),
            (&json!("output-error"), &json!("unavailable")),
            "{part:#}"
        );
        assert_eq!(part["type"], "tool-llmock_unknown_tool");
    })
    .await;
}
