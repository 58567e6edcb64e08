//! Does what the results of tools tell it to, in any string of them: `[[call NAME {ARGUMENTS}]]` calls that tool with
//! those arguments, `[[say TEXT]]` is said as it stands. Each order is followed once for a message of the guest; in
//! the turn that follows orders nothing else is done.

use serde_json::Value;

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::reply::{Call, Reply};

pub const MANNER: Manner = Manner { invents_tools: true, instead: obey, ..HONEST };

#[derive(Clone, Debug, PartialEq)]
enum Order {
    Call(Call),
    Say(String),
}

fn obey(dialogue: &Dialogue) -> Option<Reply> {
    let before = &dialogue.since[..dialogue.since.len() - dialogue.fresh.len()];
    let mut followed = orders_in(before);
    let mut reply = Reply::default();
    for order in orders_in(&dialogue.fresh) {
        if followed.contains(&order) {
            continue;
        }
        followed.push(order.clone());
        match order {
            Order::Call(call) => reply.calls.push(call),
            Order::Say(text) => reply.also(text),
        }
    }
    (reply != Reply::default()).then_some(reply)
}

fn orders_in(results: &[Answered]) -> Vec<Order> {
    let mut strings: Vec<String> = Vec::new();
    for answered in results {
        match serde_json::from_str(&answered.content) {
            Ok(output) => collect(&output, &mut strings),
            Err(_) => strings.push(answered.content.clone()),
        }
        strings.extend(answered.note.clone());
    }
    strings.iter().flat_map(|text| orders(text)).collect()
}

fn collect(value: &Value, strings: &mut Vec<String>) {
    match value {
        Value::String(text) => strings.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, strings)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, strings)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn orders(text: &str) -> Vec<Order> {
    let between = text.split("[[").skip(1).filter_map(|rest| rest.split_once("]]"));
    between.filter_map(|(order, _)| read(order)).collect()
}

fn read(order: &str) -> Option<Order> {
    let (verb, rest) = order.trim().split_once(' ')?;
    let rest = rest.trim();
    match verb {
        "say" => Some(Order::Say(rest.to_owned())),
        "call" => {
            let (name, arguments) = rest.split_once(' ')?;
            // No other name could be sent.
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
            let call = || Call { name: name.to_owned().into(), arguments: arguments.trim().to_owned() };
            is_name.then(|| Order::Call(call()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &'static str, arguments: &str) -> Order {
        Order::Call(Call { name: name.into(), arguments: arguments.to_owned() })
    }

    #[test]
    fn orders_are_read_in_their_two_shapes_only() {
        for (text, wanted) in [
            ("Mây Núi", vec![]),
            ("[[say Đã đặt bàn!]]", vec![Order::Say("Đã đặt bàn!".to_owned())]),
            (
                r#"Mây [[call createBooking {"partySize":2}]] Núi [[call getWeather {}]]"#,
                vec![call("createBooking", r#"{"partySize":2}"#), call("getWeather", "{}")],
            ),
            ("[[call createBooking]] [[say]] [[say  ]] [[dance now]] [[call a.b {}]]", vec![]),
            ("[[call createBooking {}", vec![]),
            ("[call createBooking {}] ]] [[", vec![]),
        ] {
            assert_eq!(orders(text), wanted, "{text}");
        }
    }
}
