//! What goes wrong before the first byte of an answer.

use serde_json::json;

use super::protocol::for_each;
use super::scene::{Scene, assert_answered, reply};

const ANSWER: &str = "It rains in Huế.";

#[tokio::test]
async fn a_provider_that_asks_for_a_second_gets_it_and_answers_then() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "limited").await;
        scene.mock.script([json!({ "type": "fail", "status": 429, "retry_after": 1 }), reply(ANSWER)]).await;
        assert_answered(&scene.say("The weather in Huế?").await, ANSWER);
        scene.assert_served(&[429, 200]).await;
        scene.assert_no_findings().await;
        let retries: Vec<_> =
            scene.events().await.into_iter().filter(|event| event["type"] == "model-retrying").collect();
        assert_eq!(retries, [json!({ "type": "model-retrying", "step": 1, "attempt": 1 })]);
    })
    .await;
}

#[tokio::test]
async fn an_overloaded_provider_is_asked_again_after_longer_and_longer_pauses() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "overloaded").await;
        scene.mock.script([json!({ "type": "fail", "status": 529, "times": 2 }), reply(ANSWER)]).await;
        assert_answered(&scene.say("The weather in Huế?").await, ANSWER);
        scene.assert_served(&[529, 529, 200]).await;
        scene.assert_no_findings().await;
    })
    .await;
}

#[tokio::test]
async fn a_provider_that_stays_overloaded_is_left_alone_after_three_attempts() {
    for_each(async |protocol| {
        let scene = Scene::new(protocol, "down").await;
        scene.mock.script([json!({ "type": "fail", "status": 529, "times": null })]).await;
        let view = scene.say("The weather in Huế?").await;
        scene.assert_nothing_ran(&view, "failed").await;
        scene.assert_served(&[529, 529, 529]).await;
        scene.assert_no_findings().await;
    })
    .await;
}

#[tokio::test]
async fn what_no_repetition_can_heal_is_not_repeated() {
    for_each(async |protocol| {
        for status in [400, 401, 403, 404] {
            let scene = Scene::new(protocol, &format!("refused-{status}")).await;
            scene.mock.script([json!({ "type": "fail", "status": status, "times": null })]).await;
            let view = scene.say("The weather in Huế?").await;
            scene.assert_nothing_ran(&view, "failed").await;
            scene.assert_served(&[status]).await;
            scene.assert_no_findings().await;
        }
    })
    .await;
}
