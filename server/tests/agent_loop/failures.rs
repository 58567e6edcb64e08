//! The kinds of failure: what the card says, what the model hears, and that neither hears too much.

use crate::support::{
    Stage, Turn, booking, evening, heard, json_of, local_time, of_call, tool_parts, weather,
};
use serde_json::{Value, json};

fn types(events: &[Value]) -> Vec<&str> {
    events.iter().map(|event| event["type"].as_str().unwrap()).collect()
}

/// Says one thing upon which the model makes this one call; gives the card and its events.
async fn failing_call(call: Turn) -> (Stage, Value, Vec<Value>) {
    let stage = Stage::with([call, Turn::text("That did not work.")]).await;
    let view = stage.say("Do it").await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    stage.assert_sound().await;
    let part = stage.only_part().await;
    assert_eq!(part["state"], "output-error", "{part:#}");
    let events = of_call(&stage.events().await, &part["toolCallId"]);
    (stage, part, events)
}

#[tokio::test]
async fn an_unknown_tool_is_unavailable_and_the_model_hears_which_tools_there_are() {
    let (stage, part, events) = failing_call(Turn::call("orderPizza", json!({ "size": "large" }))).await;
    assert_eq!(part["type"], "tool-orderPizza");
    assert_eq!((&part["kind"], &part["code"]), (&json!("unavailable"), &json!("unknown-tool")));
    assert!(!part["errorText"].as_str().unwrap().is_empty());
    assert_eq!(types(&events), ["tool-input-start", "tool-output-error"]);

    let results = heard(&stage.model.requests()[1]);
    assert_eq!(results.len(), 1);
    assert!(results[0].is_error);
    for name in ["orderPizza", "getWeather", "findTables", "createBooking"] {
        assert!(results[0].text.contains(name), "{name} is not in {}", results[0].text);
    }
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn a_name_that_no_tool_can_have_does_not_break_the_conversation() {
    let long = "x".repeat(300);
    for names in [["", "order pizza"], ["getWeather\n", "ünï/cödé"], [long.as_str(), "getweather"]] {
        let stage = Stage::with([
            Turn::call(names[0], json!({})).and_call(names[1], json!({})),
            Turn::text("No such thing."),
        ])
        .await;
        stage.say("Do it").await;
        let view = stage.assert_ended("done").await;
        let parts: Vec<&Value> = tool_parts(&view).collect();
        assert_eq!(parts.len(), 2);
        for (part, name) in parts.iter().zip(names) {
            assert_eq!(part["type"], format!("tool-{name}"));
            assert_eq!((&part["state"], &part["code"]), (&json!("output-error"), &json!("unknown-tool")));
        }
        let heard = heard(&stage.model.requests()[1]);
        assert!(heard.iter().all(|result| result.text.chars().count() < 300), "{heard:?}");
    }
}

#[tokio::test]
async fn arguments_that_are_no_json_are_refused_before_they_count_as_available() {
    for broken in [
        r#"{"city": "Huế""#,
        r#"{"city": "Huế",}"#,
        r#"{"city": "Huế", "city": "Hà Nội"}"#,
        "Huế",
        r#"["Huế"]"#,
    ] {
        let call = Turn::text("").and_call_text("getWeather", broken).stopping_with("tool_use");
        let (stage, part, events) = failing_call(call).await;
        assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!("invalid-input")), "{broken}");
        assert_eq!(types(&events), ["tool-input-start", "tool-output-error"], "{broken}");
        assert_eq!(part.get("input"), None);
        let results = heard(&stage.model.requests()[1]);
        assert!(results[0].is_error);
        assert!(results[0].text.contains("getWeather"), "{}", results[0].text);
        assert!(results[0].text.chars().count() < 600, "not short: {}", results[0].text);
    }
}

#[tokio::test]
async fn a_wrong_type_and_a_missing_field_are_told_at_once_each_with_its_path() {
    let arguments = json!({ "restaurantId": "dl-may-nui", "partySize": "bốn" });
    let (stage, part, events) = failing_call(Turn::call("createBooking", arguments)).await;
    assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!("invalid-input")));
    assert_eq!(types(&events), ["tool-input-start", "tool-output-error"]);
    let results = heard(&stage.model.requests()[1]);
    assert!(results[0].is_error);
    let text = &results[0].text;
    assert!(
        text.contains("`/partySize`: expected an integer from 1 to 20, got the string \"bốn\""),
        "{text}"
    );
    assert!(text.contains("`/startsAt`: missing"), "{text}");
    stage.assert_ended("done").await;
}

#[tokio::test]
async fn blank_arguments_count_as_an_object_without_fields() {
    for blank in ["", "  \n"] {
        let call = Turn::text("").and_call_text("getWeather", blank).stopping_with("tool_use");
        let (stage, _, events) = failing_call(call).await;
        assert_eq!(types(&events), ["tool-input-start", "tool-output-error"]);
        let requests = stage.model.requests();
        // What is wrong is the field, not the JSON.
        assert!(heard(&requests[1])[0].text.contains("`/city`: missing"), "{}", heard(&requests[1])[0].text);
        assert_eq!(requests[1]["messages"][1]["content"][0]["input"], json!({}));
    }
}

#[tokio::test]
async fn what_the_domain_refuses_is_told_once_the_arguments_are_available() {
    let refusals = [
        ("createBooking", booking("dl-may-nui", 2, &local_time(3, 5, 0)), "closed"),
        ("createBooking", booking("dl-may-nui", 2, &local_time(-1, 19, 0)), "past"),
        ("createBooking", booking("dl-may-nui", 2, &local_time(95, 19, 0)), "too-far-ahead"),
        ("createBooking", booking("no-such-place", 2, &evening(3)), "unknown-restaurant"),
        ("createBooking", booking("hcm-tam-ghe", 9, &evening(3)), "party-too-large"),
        ("getWeather", weather("Atlantis"), "unknown-city"),
        ("findTables", json!({ "city": "Atlantis", "startsAt": evening(3), "partySize": 2 }), "unknown-city"),
        (
            "findTables",
            json!({ "city": "Đà Lạt", "startsAt": local_time(-1, 19, 0), "partySize": 2 }),
            "past",
        ),
    ];
    for (tool, arguments, code) in refusals {
        let (stage, part, events) = failing_call(Turn::call(tool, arguments.clone())).await;
        assert_eq!((&part["kind"], &part["code"]), (&json!("input"), &json!(code)), "{part:#}");
        assert_eq!(types(&events), ["tool-input-start", "tool-input-available", "tool-output-error"]);
        for (field, value) in arguments.as_object().unwrap() {
            assert_eq!(part["input"][field], *value, "{part:#}");
        }
        let results = heard(&stage.model.requests()[1]);
        assert!(results[0].is_error, "{code}");
        assert!(results[0].text.contains(part["errorText"].as_str().unwrap()), "{}", results[0].text);
        assert_eq!(part.get("approval"), None);
        let params = &part["params"];
        match code {
            "closed" => assert_eq!(params["hours"], json!([{ "opens": "10:00", "closes": "22:00" }])),
            "too-far-ahead" => assert_eq!(params["maxDays"], 90),
            "party-too-large" => assert_eq!(params["seats"], 8),
            "unknown-city" => assert!(!params["cities"].as_array().unwrap().is_empty()),
            _ => assert_eq!(part.get("params"), None),
        }
    }
}

#[tokio::test]
async fn a_tool_that_breaks_while_it_runs_is_told_in_one_sentence_and_whether_to_try_again() {
    let tables = json!({ "city": "Đà Lạt", "startsAt": evening(3), "partySize": 2 });
    let stage = Stage::with([
        Turn::call("findTables", tables).and_call("getWeather", weather("Đà Lạt")),
        Turn::text("It does not work."),
    ])
    .await;
    stage.server.database().await.execute("ALTER TABLE bookings RENAME TO bookings_gone").await;
    stage.say("A table, please").await;
    let view = stage.assert_ended("done").await;
    let parts: Vec<&Value> = tool_parts(&view).collect();
    assert_eq!(parts[0]["state"], "output-error");
    assert_eq!((&parts[0]["kind"], &parts[0]["code"]), (&json!("tool"), &json!("tool-failed")));
    // What broke took nothing else with it.
    assert_eq!(parts[1]["state"], "output-available");
    let results = heard(&stage.model.requests()[1]);
    assert_eq!(results.iter().map(|result| result.is_error).collect::<Vec<_>>(), [true, false]);
    assert!(results[0].text.contains("findTables"), "{}", results[0].text);
    assert!(results[0].text.contains("do not try again"), "{}", results[0].text);
}

#[tokio::test]
async fn a_booking_that_cannot_even_be_looked_up_asks_nobody() {
    let stage = Stage::with([
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))),
        Turn::text("It does not work."),
    ])
    .await;
    stage.server.database().await.execute("ALTER TABLE bookings RENAME TO bookings_gone").await;
    stage.say("Book it").await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!((&part["state"], &part["code"]), (&json!("output-error"), &json!("tool-failed")), "{part:#}");
    assert!(heard(&stage.model.requests()[1])[0].is_error);
}

#[tokio::test]
async fn a_booking_that_breaks_after_the_confirmation_books_nothing() {
    let stage = Stage::with([
        Turn::call("createBooking", booking("dl-may-nui", 2, &evening(3))),
        Turn::text("It does not work."),
    ])
    .await;
    stage.say("Book it").await;
    let database = stage.server.database().await;
    database.execute("ALTER TABLE bookings RENAME COLUMN reference TO reference_gone").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["state"], "output-error", "{part:#}");
    assert_eq!((&part["kind"], &part["code"]), (&json!("tool"), &json!("tool-failed")));
    assert_eq!(part.get("output"), None);
    assert!(heard(&stage.model.requests()[1])[0].text.contains("Nothing was done"));
    assert_eq!(database.number("SELECT COUNT(*) FROM bookings").await, 0);
    assert_eq!(database.number("SELECT COUNT(*) FROM effects").await, 0);
}

#[tokio::test]
async fn who_the_user_is_is_no_argument() {
    let mut arguments = booking("dl-may-nui", 2, &evening(3));
    arguments["userId"] = json!("somebody-else");
    let (stage, part, _) = failing_call(Turn::call("createBooking", arguments)).await;
    assert_eq!(part["code"], "invalid-input");
    assert!(heard(&stage.model.requests()[1])[0].text.contains("`/userId`: unknown field"));
}

#[tokio::test]
async fn what_the_model_gets_back_has_no_control_or_bidirectional_characters() {
    let mut arguments = booking("dl-may-nui", 2, &evening(3));
    arguments["note"] = json!("  by the\u{202e} window\u{2066}\u{200f}\n please ");
    let stage = Stage::with([Turn::call("createBooking", arguments), Turn::text("As you see.")]).await;
    stage.say("Book it").await;
    stage.answer_form(json!({ "approved": true })).await;
    let view = stage.assert_ended("done").await;
    let part = tool_parts(&view).next().unwrap();
    assert_eq!(part["output"]["note"], "by the window please");
    // The form showed what is stored.
    assert_eq!(part["input"]["note"], "  by the window\n please ");
    let output: Value = serde_json::from_str(&heard(&stage.model.requests()[1])[0].text).unwrap();
    // Its typed output and nothing else.
    assert_eq!(output, part["output"]);
}

#[tokio::test]
async fn a_provider_that_refuses_the_request_ends_the_run_as_failed() {
    let stage = Stage::with([Turn::refused_with(401)]).await;
    stage.say("Hello").await;
    let view = stage.assert_ended("failed").await;
    assert_eq!(view["messages"][1]["parts"], json!([]));
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_and_the_page_hears_of_it() {
    let stage = Stage::with([Turn::refused_with(529), Turn::refused_with(529), Turn::text("At last.")]).await;
    stage.say("Hello").await;
    let view = stage.assert_ended("done").await;
    assert_eq!(view["messages"][1]["parts"], json!([{ "type": "text", "text": "At last." }]));
    let events = stage.events().await;
    let retries: Vec<Value> = events
        .iter()
        .map(|(_, event)| json_of(event))
        .filter(|event| event["type"] == "model-retrying")
        .collect();
    let retrying = |attempt| json!({ "type": "model-retrying", "step": 1, "attempt": attempt });
    assert_eq!(retries, [retrying(1), retrying(2)]);
}
