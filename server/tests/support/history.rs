use serde_json::Value;

/// One tool result as the model gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    /// The provider's id of the call.
    pub call: String,
    pub text: String,
    /// What the server adds.
    pub note: Option<String>,
    pub is_error: bool,
}

/// The results at the head of a request's last message, in order.
pub fn heard(request: &Value) -> Vec<Heard> {
    results_of(&messages(request).last().expect("a message")["content"])
}

fn results_of(content: &Value) -> Vec<Heard> {
    let blocks = content.as_array().expect("a list of blocks").iter();
    let results = blocks.filter(|block| block["type"] == "tool_result").map(|block| {
        let texts: Vec<&str> = block["content"]
            .as_array()
            .expect("blocks")
            .iter()
            .map(|text| text["text"].as_str().unwrap())
            .collect();
        assert!((1..=2).contains(&texts.len()), "a result is a content and at most a note: {block}");
        Heard {
            call: block["tool_use_id"].as_str().unwrap().to_owned(),
            text: texts[0].to_owned(),
            note: texts.get(1).map(|note| (*note).to_owned()),
            is_error: block["is_error"].as_bool().unwrap(),
        }
    });
    results.collect()
}

/// The text blocks of the request's last message that are no tool results: the server's lines and the
/// guest's words.
pub fn told_by_user(request: &Value) -> Vec<String> {
    let last = messages(request).last().expect("a message");
    let blocks = last["content"].as_array().expect("a list of blocks").iter();
    blocks
        .filter(|block| block["type"] == "text")
        .map(|block| block["text"].as_str().unwrap().to_owned())
        .collect()
}

fn messages(request: &Value) -> &Vec<Value> {
    request["messages"].as_array().expect("messages")
}

/// What Anthropic's API demands of a request, and what the design adds: roles alternate, no text is
/// blank, every call has exactly one result, all of them first in the next message and in order.
pub fn assert_valid_request(request: &Value) {
    let messages = messages(request);
    assert!(!messages.is_empty(), "no message");
    let mut ids: Vec<&str> = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    for (n, message) in messages.iter().enumerate() {
        let role = if n % 2 == 0 { "user" } else { "assistant" };
        assert_eq!(message["role"], role, "message {n} of {request:#}");
        let content = message["content"].as_array().expect("a list of blocks");
        assert!(!content.is_empty(), "message {n} is empty: {request:#}");
        for block in content {
            assert_valid_block(block, role);
        }

        let answered: Vec<String> =
            results_of(&message["content"]).into_iter().map(|result| result.call).collect();
        assert_eq!(answered, open, "the results before message {n} of {request:#}");
        let results_first = content.iter().take(open.len()).all(|block| block["type"] == "tool_result");
        assert!(results_first, "results do not come first in message {n} of {request:#}");
        open = content
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .map(|block| block["id"].as_str().unwrap())
            .collect();
        for id in &open {
            assert!(!ids.contains(id), "the id {id} came twice: {request:#}");
        }
        ids.extend(&open);
    }
    assert!(open.is_empty(), "calls without results: {request:#}");
    assert!(messages.len() % 2 == 1, "the last word is not the user's: {request:#}");
}

fn assert_valid_block(block: &Value, role: &str) {
    let text = |name: &str| block[name].as_str().unwrap_or_default();
    let is_name = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        !name.is_empty() && name.len() <= 128 && name.chars().all(fits)
    };
    match (text("type"), role) {
        ("text", _) => assert!(!text("text").trim().is_empty(), "a blank text"),
        ("tool_use", "assistant") => {
            assert!(is_name(text("id")), "{block}");
            assert!(is_name(text("name")), "{block}");
            assert!(block["input"].is_object(), "{block}");
        }
        ("tool_result", "user") => {
            let content = block["content"].as_array().expect("blocks");
            assert!(!content.is_empty(), "{block}");
            content.iter().for_each(|text| assert_valid_block(text, role));
        }
        ("thinking", "assistant") => assert!(!text("signature").is_empty(), "{block}"),
        (kind, _) => panic!("a {kind:?} of the {role}: {block}"),
    }
}

/// Each request begins with all of the one before it: system prompt, tools and messages are the same,
/// block by block.
pub fn assert_only_grows(requests: &[Value]) {
    for pair in requests.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        for fixed in ["model", "system", "tools"] {
            assert_eq!(before[fixed].to_string(), after[fixed].to_string(), "{fixed} has changed");
        }
        let (before, after) = (blocks(before), blocks(after));
        assert!(before.len() < after.len() || before == after, "the history became shorter");
        for (n, (one, other)) in before.iter().zip(&after).enumerate() {
            assert_eq!(one, other, "block {n} of the history has changed");
        }
    }
}

/// Every block with its role, as bytes.
fn blocks(request: &Value) -> Vec<String> {
    let of_message = |message: &Value| {
        let content = message["content"].as_array().expect("blocks").clone();
        let role = message["role"].clone();
        content.into_iter().map(move |block| format!("{role} {block}"))
    };
    messages(request).iter().flat_map(of_message).collect()
}
