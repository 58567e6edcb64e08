//! What goes wrong in the middle of an answer: nothing of it runs, and the same question is asked once more, in the
//! same bytes. Where it goes wrong again, the run ends and says so.

use std::time::Duration;

use serde_json::{Value, json};

use super::protocol::{Protocol, for_each};
use super::scene::{Scene, assert_answered, calls, reply, stream_fault};
use crate::support::{booking, evening, tool_parts};

const ANSWER: &str = "There is a table.";

/// A read whose call is complete early, and a booking whose call is long.
fn two_calls() -> Value {
    calls(&[
        ("getWeather", json!({ "city": "Huế" })),
        ("createBooking", booking("dl-may-nui", 2, &evening(3))),
    ])
}

/// Breaks a stream after so many events: it is asked for again, and answered. Whether there was something to break.
async fn break_once(scene: &Scene, kind: &str, after_chunks: u32) -> bool {
    let before = scene.mock.served().await.len();
    scene.mock.script([two_calls(), stream_fault(kind, after_chunks), reply(ANSWER)]).await;
    let view = scene.say("A table in Huế, please.").await;
    let served = &scene.mock.served().await[before..];
    let Some(fault) = &served[0].fault else { return false };
    assert_eq!(*fault, format!("stream:{kind}@{after_chunks}"), "{:?}", scene.protocol);
    assert_eq!(served.len(), 2, "{:?}: after {fault}", scene.protocol);
    assert_answered(&view, ANSWER);
    // What was shown of it has been withdrawn.
    assert_eq!(tool_parts(&view).count(), 0, "{view:#}");
    scene.assert_nothing_has_run().await;
    true
}

/// Breaks it twice after so many events: the run ends, and its guest asks again.
async fn break_for_good(scene: &Scene, kind: &str, after_chunks: u32) {
    let before = scene.mock.served().await.len();
    let twice = |mut behaviour: Value| {
        behaviour["times"] = json!(2);
        behaviour
    };
    let broken = [twice(two_calls()), twice(stream_fault(kind, after_chunks))];
    scene.mock.script(broken.into_iter().chain([reply(ANSWER)])).await;
    let view = scene.say("A table in Huế, please.").await;
    scene.assert_nothing_ran(&view, "interrupted").await;
    let served = &scene.mock.served().await[before..];
    assert_eq!(served.len(), 2, "{:?}: {served:?}", scene.protocol);
    assert!(served.iter().all(|request| request.fault.is_some()), "{:?}: {served:?}", scene.protocol);
    // A person takes their time.
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_answered(&scene.retry().await, ANSWER);
    assert_eq!(scene.mock.served().await.len(), before + 3);
}

/// Breaks it after every number of events that leaves something out.
async fn break_everywhere(protocol: Protocol, kind: &str) {
    let mut scene = Scene::new(protocol, kind).await;
    let mut broken = 0;
    while broken < 16 && break_once(&scene, kind, broken).await {
        broken += 1;
        scene.welcome_another().await;
    }
    assert!(broken >= 12, "{protocol:?}: only {broken} were broken");
    for after_chunks in [4, 11] {
        scene.welcome_another().await;
        break_for_good(&scene, kind, after_chunks).await;
    }
    // The repetitions were the same requests, or llmock would say that nobody had cared.
    let mut findings = scene.mock.findings().await;
    // It has sent the rest long before anybody can have hung up, and cannot see that nobody reads it.
    findings.retain(|finding| kind != "malformed" || finding != "malformed_chunk_ignored");
    // Guests who say the same one after the other are one client for it, which seems to repeat in equal intervals.
    findings.retain(|finding| finding != "no_backoff");
    assert_eq!(findings, Vec::<String>::new(), "{protocol:?}");
}

#[tokio::test]
async fn nothing_runs_of_a_stream_whose_connection_breaks() {
    for_each(async |protocol| {
        break_everywhere(protocol, "disconnect").await;
    })
    .await;
}

#[tokio::test]
async fn nothing_runs_of_a_stream_that_just_ends() {
    for_each(async |protocol| {
        break_everywhere(protocol, "truncate").await;
    })
    .await;
}

#[tokio::test]
async fn nothing_runs_of_a_stream_with_an_event_that_is_no_json() {
    for_each(async |protocol| {
        break_everywhere(protocol, "malformed").await;
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_goes_on_after_a_pause_is_heard_out() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "hesitant").await;
        let stall =
            json!({ "type": "stream_fault", "kind": "stall", "after_chunks": 3, "stall_seconds": 0.7 });
        scene.mock.script([reply(ANSWER), stall]).await;
        assert_answered(&scene.say("A table in Huế, please.").await, ANSWER);
        scene.assert_served(&[200]).await;
        scene.assert_no_findings().await;
    })
    .await;
}

#[tokio::test]
async fn a_stream_that_stands_still_ends_with_the_runs_time_and_nothing_of_it_runs() {
    for_each(async |protocol| {
        let scene = Scene::with_settings(protocol, "stalled", &[("TRUTHTABLE_RUN_SECONDS", "3")]).await;
        let stall =
            json!({ "type": "stream_fault", "kind": "stall", "after_chunks": 12, "stall_seconds": 600 });
        scene.mock.script([two_calls(), stall, reply(ANSWER)]).await;
        let view = scene.say("A table in Huế, please.").await;
        scene.assert_nothing_ran(&view, "time-limit").await;
        assert_answered(&scene.retry().await, ANSWER);
        let served = scene.assert_served(&[200, 200]).await;
        assert_eq!(served[0].fault.as_deref(), Some("stream:stall@12"));
        scene.assert_no_findings().await;
    })
    .await;
}
