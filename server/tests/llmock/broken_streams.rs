//! What goes wrong in the middle of an answer: nothing of it runs, the run says so, and the same question, asked
//! again in the same bytes, is answered.

use serde_json::{Value, json};

use super::protocol::{Protocol, for_each};
use super::scene::{Scene, assert_answered, calls, reply, stream_fault};
use crate::support::{booking, evening};

const ANSWER: &str = "There is a table.";

/// A read whose call is complete early, and a booking whose call is long.
fn two_calls() -> Value {
    calls(&[
        ("getWeather", json!({ "city": "Huế" })),
        ("createBooking", booking("dl-may-nui", 2, &evening(3))),
    ])
}

/// How the run may end that hears a stream break.
#[derive(Clone, Copy, PartialEq)]
enum Break {
    /// Anywhere in it.
    Somewhere,
    /// Before anything had come: it was asked again at once.
    AtOnce,
}

/// Breaks a stream after so many events, and looks at what became of it; then asks again. None where the stream was
/// over before that.
async fn break_one(scene: &Scene, kind: &str, after_chunks: u32) -> Option<Break> {
    let before = scene.mock.served().await.len();
    scene.mock.script([two_calls(), stream_fault(kind, after_chunks), reply(ANSWER)]).await;
    let view = scene.say("A table in Huế, please.").await;
    let served = scene.mock.served().await;
    let Some(fault) = &served[before].fault else { return None };
    assert_eq!(*fault, format!("stream:{kind}@{after_chunks}"), "{:?}", scene.protocol);
    let ended = match served.len() - before {
        1 => {
            scene.assert_nothing_ran(&view, "interrupted").await;
            assert_answered(&scene.retry().await, ANSWER);
            assert_eq!(scene.mock.served().await.len(), before + 2);
            Break::Somewhere
        }
        2 => {
            assert_answered(&view, ANSWER);
            Break::AtOnce
        }
        many => panic!("{:?}: asked {many} times after {fault}", scene.protocol),
    };
    // The repetition was the same request, or llmock would say that nobody had cared.
    let mut findings = scene.mock.findings().await;
    // It has sent the rest long before anybody can have hung up, and cannot see that nobody reads it.
    findings.retain(|finding| kind != "malformed" || finding != "malformed_chunk_ignored");
    assert_eq!(findings, Vec::<String>::new(), "{:?}", scene.protocol);
    Some(ended)
}

/// Breaks it after every number of events that leaves something out.
async fn break_everywhere(protocol: Protocol, kind: &str) {
    let mut scene = Scene::new(protocol, kind).await;
    let mut ends = Vec::new();
    for after_chunks in 0..16 {
        let Some(end) = break_one(&scene, kind, after_chunks).await else { break };
        ends.push(end);
        scene.welcome_another().await;
    }
    let interrupted = ends.iter().filter(|end| **end == Break::Somewhere).count();
    assert!(interrupted >= 12, "{protocol:?}: only {interrupted} of {} were broken", ends.len());
    assert!(ends[1..].iter().all(|end| *end == Break::Somewhere), "{protocol:?}: asked again too late");
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
