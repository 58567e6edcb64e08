//! The protocol: what is refused, and how a stream looks.

use super::*;

fn request(headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::post("/v1/messages");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_owned())).expect("a request")
}

#[tokio::test]
async fn wrong_requests_get_anthropic_s_errors() {
    let key = ("x-api-key", "k");
    let version = ("anthropic-version", "2023-06-01");
    let good = r#"{"model":"demo/helpful","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}"#;
    let with = |from: &str, to: &str| good.replace(from, to);
    for (headers, body, status, kind) in [
        (vec![version], good.to_owned(), 401, "authentication_error"),
        (vec![key], good.to_owned(), 400, "invalid_request_error"),
        (vec![key, ("anthropic-version", "1999-01-01")], good.to_owned(), 400, "invalid_request_error"),
        (vec![key, version], "{".to_owned(), 400, "invalid_request_error"),
        (vec![key, version], "[]".to_owned(), 400, "invalid_request_error"),
        (vec![key, version], with("demo/helpful", "demo/nobody"), 404, "not_found_error"),
        (vec![key, version], with("demo/helpful", "gpt"), 404, "not_found_error"),
        (vec![key, version], with("\"max_tokens\":9,", ""), 400, "invalid_request_error"),
        (vec![key, version], with("9", "0"), 400, "invalid_request_error"),
        (vec![key, version], with("\"hi\"", "\"\""), 400, "invalid_request_error"),
        (
            vec![key, version],
            with("\"max_tokens\"", "\"invented\":1,\"max_tokens\""),
            400,
            "invalid_request_error",
        ),
        (
            vec![key, ("anthropic-version", "2026-10-21")],
            with("\"max_tokens\"", "\"temperature\":1,\"max_tokens\""),
            400,
            "invalid_request_error",
        ),
        (
            vec![key, version],
            with("\"max_tokens\"", "\"tool_choice\":{\"type\":\"any\"},\"max_tokens\""),
            400,
            "invalid_request_error",
        ),
    ] {
        let (got, answer) = send(request(&headers, &body)).await;
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(
            (got.as_u16(), answer["error"]["type"].as_str()),
            (status, Some(kind)),
            "{body}: {answer}"
        );
        assert_eq!(answer["type"], "error");
        assert!(answer["error"]["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
    let elsewhere = Request::post("/v1/complete").body(Body::empty()).expect("a request");
    assert_eq!(send(elsewhere).await.0, StatusCode::NOT_FOUND);
    let read = Request::get("/v1/messages").body(Body::empty()).expect("a request");
    assert_eq!(send(read).await.0, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn a_stream_has_the_api_s_events_in_order() {
    let mut talk = Talk::with("helpful");
    let turn = talk.say("Thời tiết Đà Lạt và Huế cuối tuần sau").await;
    let mut order: Vec<&str> = turn.events.iter().map(String::as_str).collect();
    order.dedup();
    assert_eq!(
        order,
        [
            "message_start",
            "content_block_start",
            "ping",
            "content_block_delta",
            "content_block_stop",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "content_block_start",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop"
        ]
    );
    assert_ne!(turn.calls[0].id, turn.calls[1].id);
}

#[tokio::test]
async fn the_first_delta_of_arguments_is_empty() {
    let mut talk = Talk::with("helpful");
    talk.say("Thời tiết Huế").await;
    let (_, body) = post(&talk.body()).await;
    let first = body.lines().find(|line| line.contains("input_json_delta")).expect("a delta");
    assert!(first.contains(r#""partial_json":"""#), "{first}");
}

#[tokio::test]
async fn the_same_request_gets_the_same_answer_streamed_or_not() {
    let mut talk = Talk::with("helpful");
    talk.say("Đặt bàn ở Đà Lạt cho 4 người 7 giờ tối thứ bảy").await;
    let body = talk.body();
    assert_eq!(post(&body).await, post(&body).await);
    let mut whole = body.clone();
    whole["stream"] = Value::from(false);
    let (status, message) = post(&whole).await;
    let message: Value = serde_json::from_str(&message).expect("JSON");
    assert_eq!(status, StatusCode::OK);
    assert_eq!(message["stop_reason"], "tool_use");
    assert_eq!(message["content"][0]["input"], read_stream(&post(&body).await.1).calls[0].input());
    assert!(message["usage"]["input_tokens"].as_u64().is_some_and(|tokens| tokens > 50));
}

#[tokio::test]
async fn the_output_limit_ends_a_turn_as_truncated() {
    let mut talk = Talk::with("helpful");
    talk.say("Thời tiết Huế").await;
    let mut body = talk.body();
    body["max_tokens"] = Value::from(2);
    let turn = read_stream(&post(&body).await.1);
    assert_eq!(turn.stop_reason.as_deref(), Some("max_tokens"));
    assert!(turn.complete && turn.calls[0].input().is_null());
}

#[tokio::test]
async fn a_tool_that_is_not_offered_is_not_called() {
    let mut talk = Talk::with("helpful");
    talk.say("Thời tiết Huế").await;
    let mut body = talk.body();
    body["tools"] = json!([]);
    read_stream(&post(&body).await.1).ends().says("không có công cụ");
}

#[tokio::test]
async fn it_serves_on_a_port() {
    use std::io::{Read, Write};

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let server = tokio::spawn(super::super::serve(listener, 0.0));
    let body = r#"{"model":"demo/helpful","max_tokens":99,"messages":[{"role":"user","content":"hello"}]}"#;
    let answer = tokio::task::spawn_blocking(move || {
        let mut connection = std::net::TcpStream::connect(address).expect("a connection");
        write!(
            connection,
            "POST /v1/messages HTTP/1.1\r\nhost: demo\r\nx-api-key: k\r\nanthropic-version: 2026-10-21\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("sent");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).expect("read");
        answer
    })
    .await
    .expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("Hello!"), "{answer}");
    server.abort();
}
