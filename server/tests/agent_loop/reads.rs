//! Calls that only read: side by side, and told in the order in which they were asked for.

use crate::support::{Stage, Turn, assistant_text, booking, evening, heard, json_of, tool_parts, weather};
use serde_json::{Value, json};

#[tokio::test]
async fn two_cities_of_one_turn_are_read_side_by_side_and_told_in_order() {
    let cities = ["Hà Nội", "TP. Hồ Chí Minh"];
    let stage = Stage::with([
        Turn::call("getWeather", weather(cities[0]))
            .saying("I look.")
            .and_call("getWeather", weather(cities[1])),
        Turn::text("Warm in both."),
    ])
    .await;
    stage.say("Hà Nội and Saigon?").await;
    let view = stage.assert_ended("done").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts.iter().map(|part| &part["output"]["city"]).collect::<Vec<_>>(), cities);
    assert_eq!(assistant_text(&view), "I look.\nWarm in both.");

    let results = heard(&stage.model.requests()[1]);
    assert_eq!(
        results.iter().map(|result| result.call.as_str()).collect::<Vec<_>>(),
        ["toolu_1_0", "toolu_1_1"]
    );
    for (result, part) in results.iter().zip(&parts) {
        assert!(!result.is_error);
        assert_eq!(result.note, None);
        assert_eq!(serde_json::from_str::<Value>(&result.text).unwrap(), part["output"]);
    }
    // Neither waits for the other's output before it begins.
    let types: Vec<String> = stage
        .events()
        .await
        .iter()
        .map(|(_, event)| json_of(event)["type"].as_str().unwrap().to_owned())
        .filter(|kind| kind == "tool-input-available" || kind == "tool-output-available")
        .collect();
    assert_eq!(
        types,
        ["tool-input-available", "tool-input-available", "tool-output-available", "tool-output-available"]
    );
}

#[tokio::test]
async fn results_keep_the_order_of_the_calls_whatever_becomes_of_each() {
    let tables = json!({ "city": "Đà Lạt", "startsAt": evening(3), "partySize": 2 });
    let stage = Stage::with([
        Turn::call("orderPizza", json!({}))
            .and_call("findTables", tables)
            .and_call("getWeather", json!({ "days": 9 }))
            .and_call("getWeather", weather("Huế")),
        Turn::text("Some of it."),
    ])
    .await;
    stage.say("Everything").await;
    let view = stage.assert_ended("done").await;
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert_eq!(states, ["output-error", "output-available", "output-error", "output-available"]);
    let results = heard(&stage.model.requests()[1]);
    let calls: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
    assert_eq!(calls, ["toolu_1_0", "toolu_1_1", "toolu_1_2", "toolu_1_3"]);
    assert_eq!(results.iter().map(|result| result.is_error).collect::<Vec<_>>(), [true, false, true, false]);
}

#[tokio::test]
async fn a_read_beside_a_form_is_shown_at_once_and_told_with_the_decision() {
    let book = booking("dl-may-nui", 2, &evening(3));
    let stage = Stage::with([
        Turn::call("createBooking", book).and_call("getWeather", weather("Đà Lạt")),
        Turn::text("As you see."),
    ])
    .await;
    let view = stage.say("Book it, and the weather").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let states: Vec<&Value> = tool_parts(&view).map(|part| &part["state"]).collect();
    assert_eq!(states, ["approval-requested", "output-available"]);
    assert_eq!(stage.model.requests().len(), 1, "the model is asked before the person has decided");
    stage.assert_sound().await;

    stage.answer_form(json!({ "approved": true })).await;
    stage.assert_ended("done").await;
    let results = heard(&stage.model.requests()[1]);
    let calls: Vec<&str> = results.iter().map(|result| result.call.as_str()).collect();
    assert_eq!(calls, ["toolu_1_0", "toolu_1_1"]);
}

#[tokio::test]
async fn a_read_that_shall_ask_waits_with_an_empty_preview() {
    let settings = [("TRUTHTABLE_ASK_ALSO", "getWeather")];
    let stage =
        Stage::with_settings(&settings, [Turn::call("getWeather", weather("Huế")), Turn::text("Warm.")])
            .await;
    let view = stage.say("Huế?").await;
    assert_eq!(view["run"]["status"], "awaiting-approval");
    let part = stage.only_part().await;
    assert_eq!(part["state"], "approval-requested");
    assert_eq!(part["approval"]["preview"], json!({}));
    assert_eq!(part.get("output"), None);

    let call = part["toolCallId"].as_str().unwrap();
    let refused =
        stage.decide(call, json!({ "approved": true, "editedInput": { "city": "Huế", "days": 8 } })).await;
    let problem = refused.expect_problem(422, "invalid-input");
    assert_eq!(problem["errors"][0]["path"], "/days");

    stage.answer_form(json!({ "approved": true, "editedInput": { "city": "Đà Lạt", "days": 2 } })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-available");
    assert_eq!(part["input"], json!({ "city": "Đà Lạt", "days": 2 }));
    assert_eq!(part["proposedInput"], json!({ "city": "Huế", "days": 1 }));
    assert_eq!(part["output"]["city"], "Đà Lạt");
    let result = &heard(&stage.model.requests()[1])[0];
    assert!(result.note.as_ref().unwrap().contains("Đà Lạt"), "{result:?}");
}

#[tokio::test]
async fn a_read_that_was_asked_about_and_declined_does_not_run() {
    let settings = [("TRUTHTABLE_ASK_ALSO", "getWeather,findTables")];
    let stage = Stage::with_settings(
        &settings,
        [Turn::call("getWeather", weather("Huế")), Turn::text("As you like.")],
    )
    .await;
    stage.say("Huế?").await;
    stage.answer_form(json!({ "approved": false })).await;
    let view = stage.assert_ended("done").await;
    assert_eq!(tool_parts(&view).next().unwrap()["state"], "output-denied");
    assert!(heard(&stage.model.requests()[1])[0].text.contains("declined"));
}
