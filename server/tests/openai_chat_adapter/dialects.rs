//! What differs by whose server it is, told by its address.

use std::sync::Arc;

use serde_json::{Value, json};
use server::ids::CountedIds;
use server::model::openai_chat::ChatCompletions;
use server::model::provider::{Assembly, Progress, Protocol};
use server::model::{ModelRequest, ToolSpec};

use super::provider::*;

const OPENAI: &str = "https://api.openai.com/v1";
const MISTRAL: &str = "https://api.mistral.ai/v1";

fn with_tool(parameters: Value) -> ModelRequest {
    let tool = ToolSpec { name: "findTables".to_owned(), description: "Tables.".to_owned(), parameters };
    ModelRequest { tools: Arc::new([tool]), ..hello() }
}

fn find_tables() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["city", "partySize"],
        "properties": {
            "city": { "type": "string", "minLength": 1, "maxLength": 100, "description": "City name" },
            "partySize": { "type": "integer", "minimum": 1, "maximum": 20 },
            "cuisine": { "type": "string", "maxLength": 60 },
            "seating": { "type": "string", "enum": ["inside", "outside"], "default": "inside" },
            "at": { "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "integer" }], "description": "When" },
        },
    })
}

#[test]
fn openai_is_held_to_our_schema_by_its_strict_dialect() {
    let body = body_at(OPENAI, &with_tool(find_tables()));
    let function = &body["tools"][0]["function"];
    assert_eq!(function["strict"], true);
    assert_eq!(
        function["parameters"],
        json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["at", "city", "cuisine", "partySize", "seating"],
            "properties": {
                "city": { "type": "string", "description": "City name (maxLength: 100, minLength: 1)" },
                "partySize": { "type": "integer", "minimum": 1, "maximum": 20 },
                "cuisine": { "type": ["string", "null"], "description": "(maxLength: 60)" },
                "seating": {
                    "type": ["string", "null"],
                    "enum": ["inside", "outside", null],
                    "description": "(default: \"inside\")",
                },
                "at": {
                    "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "integer" }, { "type": "null" }],
                    "description": "When",
                },
            },
        })
    );
}

#[test]
fn the_schemas_of_our_own_tools_all_have_their_like_in_the_strict_dialect() {
    for tool in server::tools::schema::all() {
        let body = body_at(OPENAI, &with_tool(tool.parameters));
        assert_eq!(body["tools"][0]["function"]["strict"], true, "{}: {body:#}", tool.name);
    }
}

#[test]
fn other_servers_get_our_schema_as_it_is_and_so_does_one_that_has_no_strict_form() {
    for base_url in [MISTRAL, "http://127.0.0.1:11434/v1", "https://openrouter.ai/api/v1"] {
        let body = body_at(base_url, &with_tool(find_tables()));
        let function = &body["tools"][0]["function"];
        assert_eq!(function["parameters"], find_tables(), "{base_url}");
        assert!(function.get("strict").is_none(), "{base_url}");
    }
    let open = json!({ "type": "object", "properties": {}, "additionalProperties": true });
    let body = body_at(OPENAI, &with_tool(open.clone()));
    assert_eq!(body["tools"][0]["function"]["parameters"], open);
    assert!(body["tools"][0]["function"].get("strict").is_none());
}

/// The arguments that are handed on of those that the server at this address streams.
fn arguments_at(base_url: &str, arguments: &str) -> String {
    let request = with_tool(find_tables());
    let mut assembly = ChatCompletions::new(&settings(base_url)).assembly(&request);
    let ids = CountedIds::default();
    let call = json!({ "index": 0, "id": "a", "function": { "name": "findTables", "arguments": arguments } });
    let chunk = json!({ "choices": [{ "delta": { "tool_calls": [call] }, "finish_reason": "tool_calls" }] });
    assert!(matches!(assembly.add(None, &chunk.to_string(), &ids, &mut Vec::new()), Ok(Progress::Settled)));
    let turn = assembly.end().expect("a turn");
    turn.calls().next().expect("a call").arguments
}

#[test]
fn the_nulls_that_the_strict_dialect_makes_of_absent_fields_are_taken_out_again() {
    for (came, goes_on) in [
        (r#"{"city":"Huế","cuisine":null,"partySize":4,"at":null}"#, r#"{"city":"Huế","partySize":4}"#),
        // What our schema requires is refused by it, with its own words.
        (r#"{"city":null,"partySize": 4}"#, r#"{"city":null,"partySize": 4}"#),
        // Nothing else changes by a byte, and a key that comes twice comes twice.
        (r#"{ "city": "Huế", "partySize": 4.0 }"#, r#"{ "city": "Huế", "partySize": 4.0 }"#),
        (r#"{"city":"a","city":"b","at":null}"#, r#"{"city":"a","city":"b","at":null}"#),
        ("[null]", "[null]"),
    ] {
        assert_eq!(arguments_at(OPENAI, came), goes_on);
        assert_eq!(arguments_at("http://127.0.0.1:1/v1", came), came);
    }
}

#[test]
fn openai_gets_the_newer_limit_a_key_for_its_cache_and_the_servers_line_as_a_part_of_its_own() {
    let first = body_at(OPENAI, &hello());
    assert_eq!(first["max_completion_tokens"], 1024);
    assert!(first.get("max_tokens").is_none());
    assert_eq!(
        first["messages"][1]["content"],
        json!([
            { "type": "text", "text": "2026-11-30 19:00, Asia/Ho_Chi_Minh" },
            { "type": "text", "text": "Xin chào" },
        ])
    );
    let longer = body_at(OPENAI, &request(vec![user("Xin chào"), assistant(vec![said("Chào.")]), user("2")]));
    assert_eq!(first["prompt_cache_key"], longer["prompt_cache_key"]);
    assert_ne!(first["prompt_cache_key"], body_at(OPENAI, &request(vec![user("Chào")]))["prompt_cache_key"]);
    assert_eq!(first["prompt_cache_key"].as_str().map(str::len), Some(32));

    let azure = body_at("https://house.openai.azure.com/openai/v1", &hello());
    assert_eq!(azure["max_completion_tokens"], 1024);
    assert!(azure.get("prompt_cache_key").is_none());
    // A name that only looks like it.
    let other = body_at("https://api.openai.com.example.com/v1", &hello());
    assert_eq!(other["max_tokens"], 1024);
}

#[test]
fn mistral_gets_neither_options_of_the_stream_nor_ids_that_it_refuses() {
    let history = vec![
        user("1"),
        assistant(vec![
            tool_call("id-1", "Xy3Bc9dE2", "getWeather", "{}"),
            tool_call("id-2", "call_of_another_server", "getWeather", "{}"),
            tool_call("id-3", "Xy3Bc9dE2", "getWeather", "{}"),
        ]),
        results(vec![result("id-1", "1"), result("id-2", "2"), result("id-3", "3")]),
    ];
    let body = body_at(MISTRAL, &request(history.clone()));
    assert!(body.get("stream_options").is_none());
    assert_eq!(body["max_tokens"], 1024);
    let ids: Vec<&str> = (0..3).filter_map(|n| body["messages"][2]["tool_calls"][n]["id"].as_str()).collect();
    assert_eq!(ids[0], "Xy3Bc9dE2");
    for id in &ids {
        assert!(id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
    }
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "{ids:?}");
    let answered: Vec<&str> = (3..6).filter_map(|n| body["messages"][n]["tool_call_id"].as_str()).collect();
    assert_eq!(answered, ids);
    assert_eq!(body_at(MISTRAL, &request(history)), body);
}

#[test]
fn a_model_of_mistrals_has_its_rules_elsewhere_too() {
    let history = || {
        vec![
            user("1"),
            assistant(vec![tool_call("id-1", "call_A", "getWeather", "{}")]),
            results(vec![result("id-1", "r")]),
            user("2"),
        ]
    };
    let of = |model: &str| {
        let request = ModelRequest { model: model.to_owned(), ..request(history()) };
        body_at("http://127.0.0.1:8000/v1", &request)["messages"].take()
    };
    let ministral = of("mistralai/Ministral-3-8B");
    assert_eq!(ministral[2]["tool_calls"][0]["id"].as_str().map(str::len), Some(9));
    // It takes no user's message directly behind a result.
    assert_eq!(ministral[4], json!({ "role": "assistant", "content": "(no answer)" }));
    assert_eq!(ministral[5]["role"], "user");

    let other = of("qwen3");
    assert_eq!(other[2]["tool_calls"][0]["id"], "call_A");
    assert_eq!(other[4]["role"], "user");
}
