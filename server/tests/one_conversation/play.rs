//! The conversation, with a model behind one protocol.

use serde_json::{Value, json};
use server::model::provider::Protocol;

use super::spoken::{End, Said};
use crate::support::provider::{Asked, Provider, Reply};
use crate::support::{Guest, Server, booking, evening, weather};

/// What the guest saw, and what the provider was asked.
pub struct Played {
    /// After each message of the guest, how its run ended.
    pub statuses: Vec<String>,
    pub messages: Value,
    pub asked: Vec<Asked>,
}

fn text(text: &'static str) -> Said {
    Said { text, ..Said::default() }
}

fn call(name: &'static str, arguments: Value) -> Said {
    Said { calls: vec![(name, arguments.to_string())], ..Said::default() }
}

/// What the model says, answer by answer.
fn turns() -> Vec<Said> {
    let table = |days| booking("dl-may-nui", 2, &evening(days));
    vec![
        Said {
            reasoning: "Một bàn, và thời tiết 🌦.",
            text: "Để tôi xem.",
            calls: vec![
                ("getWeather", weather("Đà Lạt").to_string()),
                ("createBooking", table(3).to_string()),
            ],
            ..Said::default()
        },
        text("Đã đặt bàn."),
        Said { calls: vec![("getWeather", "{\"city\":7}".to_owned())], ..Said::default() },
        text("Tôi không xem được."),
        call("createBooking", table(5)),
        text("Vâng, không đặt."),
        // It is asked for once more.
        Said { text: "Chờ chút.", end: End::Cut, ..call("createBooking", table(6)) },
        Said { text: "Chờ chút.", end: End::Cut, ..call("createBooking", table(6)) },
        Said { end: End::Limit, ..call("createBooking", table(7)) },
        Said { end: End::Filtered, ..Said::default() },
        text("Chào bạn."),
    ]
}

/// Plays it: a booking that is confirmed, one that is declined, three that come to nothing.
pub async fn play<P: Protocol>(in_its_words: fn(&Said, usize) -> String) -> Played {
    let turns = turns();
    let provider = Provider::<P>::scripted(move |number, _| {
        let said = turns.get(number)?;
        Some(Reply::stream(in_its_words(said, number)))
    })
    .await;
    let server = Server::start(&[
        ("TRUTHTABLE_MODEL", P::NAME),
        ("TRUTHTABLE_MODEL_URL", &provider.base_url),
        ("TRUTHTABLE_MODEL_NAME", "scripted"),
        ("ANTHROPIC_API_KEY", "sk-test-key"),
        ("OPENAI_API_KEY", "sk-test-key"),
    ]);
    let (guest, conversation) = Guest::with_conversation(&server, "").await;
    let mut statuses = Vec::new();
    for words in ["Một bàn cho hai người.", "Thời tiết?", "Một bàn nữa.", "Thôi.", "Rồi sao?", "Hả?", "Chào."]
    {
        let mut view = guest.say(&conversation, words).await;
        if view["run"]["status"] == "awaiting-approval" {
            let (call, approval) = guest.waiting_call(&conversation, 0).await;
            let decision = json!({ "approved": statuses.is_empty(), "approvalId": approval });
            guest.decide(&conversation, &call, decision).await.expect(200);
            view = guest.settled(&conversation).await;
        }
        statuses.push(view["run"]["status"].as_str().expect("a status").to_owned());
    }
    let mut messages = guest.view(&conversation).await["messages"].take();
    without_ids(&mut messages);
    Played { statuses, messages, asked: provider.asked() }
}

/// Members that differ from one conversation to the next by themselves.
const OWN: [&str; 6] = ["id", "toolCallId", "approvalId", "expiresAt", "bookingId", "reference"];

fn without_ids(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if OWN.contains(&name.as_str()) {
                    *value = format!("<{name}>").into();
                } else {
                    without_ids(value);
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(without_ids),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
