//! Whose contact concerns a message, and what of a contact can be pressed.

use serde_json::{Value, json};
use shared::contact::{self, Contact, Piece};
use shared::ids::{MessageId, ToolCallId};
use shared::message::UiMessage;

fn message(id: &str, parts: Vec<Value>) -> UiMessage {
    serde_json::from_value(json!({ "id": id, "role": "assistant", "parts": parts })).unwrap()
}

fn found(call: &str, restaurants: &[(&str, &str, Option<&str>)]) -> Value {
    let options = restaurants.iter().map(|(id, name, contact)| {
        let mut option = json!({
            "restaurantId": id, "name": name, "address": "1 Phố", "cuisine": "Món Việt", "freeTimes": [],
        });
        if let Some(contact) = contact {
            option["contact"] = json!(contact);
        }
        option
    });
    json!({
        "type": "tool-findTables", "toolCallId": call, "state": "output-available",
        "input": { "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 2 },
        "output": {
            "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 2,
            "restaurants": options.collect::<Vec<_>>(),
        },
    })
}

fn input(restaurant: &str) -> Value {
    json!({ "restaurantId": restaurant, "partySize": 2, "startsAt": "2026-12-05T19:00:00+07:00" })
}

fn failed(call: &str, restaurant: &str) -> Value {
    json!({
        "type": "tool-createBooking", "toolCallId": call, "state": "output-error", "input": input(restaurant),
        "kind": "tool", "code": "timeout", "errorText": "too slow",
    })
}

fn unknown(call: &str, restaurant: &str, contact: Option<&str>) -> Value {
    let mut preview = json!({
        "restaurantName": "Mây Núi", "address": "27 Dốc Dã Quỳ", "city": "Đà Lạt",
        "startsAt": "2026-12-05T19:00:00+07:00", "status": "confirmed", "seatsFree": 9,
    });
    if let Some(contact) = contact {
        preview["contact"] = json!(contact);
    }
    json!({
        "type": "tool-createBooking", "toolCallId": call, "state": "output-unknown", "input": input(restaurant),
        "approval": {
            "approvalId": "a1", "expiresAt": "2026-12-01T00:00:00Z", "approved": true, "preview": preview,
        },
    })
}

fn some(name: &str, contact: &str) -> Option<Contact> {
    Some(Contact { name: name.to_owned(), contact: contact.to_owned() })
}

fn of_message(messages: &[UiMessage], id: &str) -> Option<Contact> {
    contact::of_message(messages, &MessageId::from(id))
}

#[test]
fn the_preview_says_whose_contact_it_is() {
    let messages = [message("m1", vec![unknown("t1", "r1", Some(" 0263 5550 112 "))])];
    assert_eq!(of_message(&messages, "m1"), some("Mây Núi", "0263 5550 112"));
    assert_eq!(contact::of_call(&messages, &ToolCallId::from("t1")), some("Mây Núi", "0263 5550 112"));
}

#[test]
fn without_a_preview_the_newest_search_that_found_the_restaurant_says_it() {
    let messages = [
        message("m1", vec![found("t1", &[("r1", "Mây Núi", Some("old")), ("r2", "Bếp Sương", Some("2"))])]),
        message("m2", vec![found("t2", &[("r1", "Mây Núi", Some("new"))])]),
        message("m3", vec![failed("t3", "r1")]),
        message("m4", vec![failed("t4", "r2")]),
    ];
    assert_eq!(of_message(&messages, "m3"), some("Mây Núi", "new"));
    assert_eq!(of_message(&messages, "m4"), some("Bếp Sương", "2"));
    assert_eq!(contact::of_call(&messages, &ToolCallId::from("t4")), some("Bếp Sương", "2"));
}

#[test]
fn the_newest_call_of_the_message_counts() {
    let search = found("t1", &[("r1", "Mây Núi", Some("1")), ("r2", "Bếp Sương", Some("2"))]);
    let messages = [message("m1", vec![search, failed("t2", "r1"), failed("t3", "r2"), failed("t4", "r9")])];
    assert_eq!(of_message(&messages, "m1"), some("Bếp Sương", "2"));
    assert_eq!(contact::of_call(&messages, &ToolCallId::from("t2")), some("Mây Núi", "1"));
    assert_eq!(contact::of_call(&messages, &ToolCallId::from("t4")), None);
}

#[test]
fn a_message_about_no_restaurant_has_no_contact_nor_one_that_nobody_knows() {
    let messages = [
        message("m1", vec![found("t1", &[("r1", "Mây Núi", Some("1")), ("r2", "Bếp Sương", None)])]),
        message("m2", vec![json!({ "type": "text", "text": "Xin chào" })]),
        message("m3", vec![failed("t3", "r2")]),
        message("m4", vec![unknown("t4", "r7", Some("  "))]),
    ];
    for id in ["m1", "m2", "m3", "m4", "none"] {
        assert_eq!(of_message(&messages, id), None, "{id}");
    }
    assert_eq!(of_message(&[], "m1"), None);
}

#[test]
fn a_booking_that_was_edited_to_another_restaurant_is_not_about_the_one_that_was_looked_up() {
    let mut edited = unknown("t2", "r2", Some("1"));
    edited["proposedInput"] = input("r1");
    let search = found("t1", &[("r2", "Bếp Sương", Some("2"))]);
    let messages = [message("m1", vec![search, edited])];
    assert_eq!(of_message(&messages, "m1"), some("Bếp Sương", "2"));
}

fn phone(text: &str, number: &str) -> Piece {
    Piece::Phone { text: text.to_owned(), number: number.to_owned() }
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

#[test]
fn telephone_numbers_and_addresses_are_told_from_words() {
    let all =
        contact::pieces("1900 1234 · hello@example.com, (+84) hotline; +84 (0)28-3822.1234 |Quầy lễ tân");
    assert_eq!(
        all,
        [
            phone("1900 1234", "19001234"),
            text(" · "),
            Piece::Email("hello@example.com".to_owned()),
            text(", (+84) hotline; "),
            phone("+84 (0)28-3822.1234", "+8402838221234"),
            text(" |Quầy lễ tân"),
        ]
    );
}

#[test]
fn what_is_not_clearly_one_is_text() {
    for odd in [
        "113",
        "1234567890123456",
        "0909 123 456 (Lan)",
        "++84 909 123 456",
        "a@b",
        "@example.com",
        "a@@example.com",
        "a@example..com",
        "a@example.com?bcc=all@example.com",
        "a b@example.com",
        "javascript:alert(1)@example.com",
        "<a@example.com>",
        "０９０９１２３４５６",
    ] {
        assert_eq!(contact::pieces(odd), [text(odd)]);
    }
    assert_eq!(contact::pieces(""), []);
}

#[test]
fn what_a_person_can_make_something_of_reaches_somebody() {
    for line in [
        "gọi tôi; 0909 123 456",
        "0909 123 456 (Lan)",
        "(+84) 909 123 456",
        "Zalo 0909123456",
        "Lan <a@example.com>",
        "lan@exämple.com",
        "０９０９１２３４５６",
    ] {
        assert!(contact::is_reachable(line), "{line}");
    }
    for line in ["", "113", "a@b", "@example.com", "a@.com", "ở bàn cạnh cửa sổ", "Lan @ 5 giờ"] {
        assert!(!contact::is_reachable(line), "{line}");
    }
}

#[test]
fn the_pieces_put_together_are_the_line() {
    for line in ["", "  1900 1234  ·  x@y.vn  ", "·,;|•", "a,b · 0909-123-456", " 🙂 ", "1900 1234;"] {
        let whole: String = contact::pieces(line)
            .into_iter()
            .map(|piece| match piece {
                Piece::Phone { text, .. } | Piece::Email(text) | Piece::Text(text) => text,
            })
            .collect();
        assert_eq!(whole, line);
    }
}
