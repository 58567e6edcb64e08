//! The tools' list, the health checks, and addresses that are none.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Guest, Server};

#[tokio::test]
async fn the_tools_are_listed_with_what_they_do_and_take() {
    let server = Server::start(&[]);
    let body = Guest::new(&server).get("/api/tools").await.expect(200).body;
    let tools = body["tools"].as_array().unwrap();
    let told: Vec<_> = tools
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), &tool["effect"], &tool["needsApproval"]))
        .collect();
    assert_eq!(
        told,
        [
            ("getWeather", &json!("read"), &json!(false)),
            ("findTables", &json!("read"), &json!(false)),
            ("listBookings", &json!("read"), &json!(false)),
            ("getOrder", &json!("read"), &json!(false)),
            ("createBooking", &json!("write"), &json!(true)),
            ("changeBooking", &json!("write"), &json!(true)),
            ("cancelBooking", &json!("write"), &json!(true)),
            ("refundOrder", &json!("write"), &json!(true)),
        ]
    );
    for tool in tools {
        let mut members: Vec<&String> = tool.as_object().unwrap().keys().collect();
        members.sort();
        assert_eq!(members, ["description", "effect", "name", "needsApproval", "parameters"]);
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
    }
}

#[tokio::test]
async fn a_tools_parameters_are_one_flat_closed_schema_with_bounds_at_the_fields() {
    let server = Server::start(&[]);
    let body = Guest::new(&server).get("/api/tools").await.expect(200).body;
    let schemas: Vec<&Value> =
        body["tools"].as_array().unwrap().iter().map(|tool| &tool["parameters"]).collect();
    for schema in &schemas {
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("$defs") && !text.contains("\"null\""), "{text}");
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["type"].is_string(), "{name}: {property}");
            assert!(!property["description"].as_str().unwrap().is_empty(), "{name}: {property}");
        }
    }
    let [weather, tables, list, order, booking, change, cancel, refund] = schemas.as_slice() else {
        panic!("{body}")
    };
    let bounds = |schema: &Value, field: &str| {
        let field = &schema["properties"][field];
        (field["type"].clone(), field["minimum"].clone(), field["maximum"].clone())
    };
    assert_eq!(bounds(weather, "days"), (json!("integer"), json!(1), json!(7)));
    assert_eq!(bounds(tables, "partySize"), (json!("integer"), json!(1), json!(20)));
    assert_eq!(bounds(booking, "partySize"), (json!("integer"), json!(1), json!(20)));
    assert_eq!(booking["properties"]["startsAt"]["format"], "date-time");
    assert_eq!(weather["properties"]["days"]["default"], 1);
    assert_eq!(bounds(change, "partySize"), (json!("integer"), json!(1), json!(20)));
    assert_eq!(list["properties"], json!({}));
    assert_eq!(cancel["properties"].as_object().unwrap().len(), 1);
    // What may be left out is not required.
    let required = |schema: &Value| {
        let mut names: Vec<String> = serde_json::from_value(schema["required"].clone()).unwrap();
        names.sort();
        names
    };
    assert_eq!(required(weather), ["city"]);
    assert_eq!(required(tables), ["city", "partySize", "startsAt"]);
    assert_eq!(bounds(refund, "amount"), (json!("integer"), json!(1), json!(1_000_000_000)));
    assert_eq!(required(refund), ["orderId", "reason"]);
    assert_eq!(required(order), ["orderId"]);
    assert_eq!(required(booking), ["partySize", "restaurantId", "startsAt"]);
}

#[tokio::test]
async fn it_says_that_it_lives_and_that_it_is_ready() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    guest.get("/healthz").await.expect(200);
    guest.get("/readyz").await.expect(200);
}

#[tokio::test]
async fn addresses_under_api_that_are_none_are_404_problems() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    for path in [
        "/api",
        "/api/",
        "/api/nothing",
        "/api/tools/getWeather",
        "/api/conversations/",
        "/api/conversations/none",
        "/api/conversations/none/events",
        &format!("/api/conversations/{conversation}/nothing"),
        &format!("/api/conversations/{conversation}/approvals"),
        "/api/conversations/%00",
        "/api/conversations/..%2f..%2fetc",
    ] {
        guest.get(path).await.expect_problem(404, "not-found");
    }
    guest.post("/api/nothing", json!({})).await.expect_problem(404, "not-found");
    for path in ["messages", "stop", "retry", "approvals/any", "handovers"] {
        let body = json!({ "clientMessageId": "a", "text": "x", "approved": true });
        guest.post(&format!("/api/conversations/none/{path}"), body).await.expect_problem(404, "not-found");
    }
}

#[tokio::test]
async fn methods_that_an_address_does_not_take_are_405_problems() {
    let server = Server::start(&[]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let show = format!("/api/conversations/{conversation}");
    for (method, path, allowed) in [
        (Method::DELETE, "/api/conversations".to_owned(), "GET"),
        (Method::PUT, show.clone(), "GET"),
        (Method::POST, show.clone(), "GET"),
        (Method::GET, format!("{show}/messages"), "POST"),
        (Method::POST, format!("{show}/events"), "GET"),
        (Method::GET, format!("{show}/stop"), "POST"),
        (Method::GET, format!("{show}/retry"), "POST"),
        (Method::GET, format!("{show}/approvals/any"), "POST"),
        (Method::GET, format!("{show}/handovers"), "POST"),
        (Method::POST, "/api/status".to_owned(), "GET"),
        (Method::POST, "/api/tools".to_owned(), "GET"),
    ] {
        let answer = guest.raw(method.clone(), &path, None, &[]).await;
        let allow = answer.headers.get("allow").map(|value| value.to_str().unwrap().to_owned());
        answer.expect_problem(405, "method-not-allowed");
        assert!(allow.as_deref().is_some_and(|allow| allow.contains(allowed)), "{method} {path}: {allow:?}");
    }
}

#[tokio::test]
async fn an_address_that_cannot_be_read_is_a_4xx_problem() {
    let server = Server::start(&[]);
    let guest = Guest::new(&server);
    let answer = guest.get("/api/conversations/%ff").await;
    assert_eq!(answer.headers["content-type"], "application/problem+json", "{}", answer.text);
    assert!(answer.status.is_client_error(), "{}", answer.status);
}
