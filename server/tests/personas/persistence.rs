//! Those who do not stop by themselves: each comes to the limit that was made for it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::record::*;
use crate::support::{Guest, Server, tool_parts};

/// The parts of bookings, as state and code or reason.
fn endings(view: &Value) -> Vec<(&str, &str)> {
    let bookings = tool_parts(view).filter(|part| part["type"] == "tool-createBooking");
    bookings
        .map(|part| {
            let why = part["code"].as_str().or(part["reason"].as_str()).unwrap();
            (part["state"].as_str().unwrap(), why)
        })
        .collect()
}

#[tokio::test]
async fn stubborn_makes_the_same_failing_call_until_it_is_stopped() {
    for wish in [WISH, ENGLISH_WISH] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, "stubborn", wish).await;
        let view = assert_ended(&server, &guest, &conversation, "repeated-call").await;
        let past = ("output-error", "past");
        assert_eq!(endings(&view), [past, past, ("output-cancelled", "limit")]);
        assert_eq!(outcome(&view), Outcome { not_done: 3, ..NOTHING });
        let calls = arguments(&server, "createBooking").await;
        assert_eq!((calls.len(), calls.iter().collect::<BTreeSet<_>>().len()), (3, 1), "{calls:?}");
        assert_untouched(&server).await;
    }
}

#[tokio::test]
async fn stubborn_that_tries_everything_fails_until_it_has_made_too_many_errors() {
    for wish in [format!("{WISH}, thử mọi cách nhé"), format!("{ENGLISH_WISH}, try everything")] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, "stubborn", &wish).await;
        let view = assert_ended(&server, &guest, &conversation, "too-many-tool-errors").await;
        assert_eq!(endings(&view), [("output-error", "past"); 3]);
        let calls = arguments(&server, "createBooking").await;
        assert_eq!((calls.len(), calls.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{calls:?}");
        assert_untouched(&server).await;
    }
}

#[tokio::test]
async fn a_stubborn_run_that_is_tried_again_ends_the_same_way_and_touches_nothing() {
    let server = Server::start(&[]);
    let (guest, conversation) = wished(&server, "stubborn", WISH).await;
    let first = guest.view(&conversation).await["run"]["runId"].clone();
    guest.post(&format!("/api/conversations/{conversation}/retry"), json!({})).await.expect(202);
    let view = guest.settled(&conversation).await;
    assert_ne!(view["run"]["runId"], first);
    assert_eq!(status(&view), "repeated-call");
    assert_untouched(&server).await;
}

#[tokio::test]
async fn restless_looks_things_up_until_its_steps_are_used_up() {
    for wish in [WISH, ENGLISH_WISH] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, "restless", wish).await;
        let view = assert_ended(&server, &guest, &conversation, "step-limit").await;
        let round = [("tool-findTables", "output-available"), ("tool-getWeather", "output-available")];
        assert_eq!(record(&view), [round, round, round].concat());
        // What it found is shown; only no further question was put to it.
        assert_eq!(view["run"]["step"], 6);
        assert_eq!(outcome(&view), NOTHING);
        for tool in ["findTables", "getWeather"] {
            let calls = arguments(&server, tool).await;
            assert_eq!((calls.len(), calls.iter().collect::<BTreeSet<_>>().len()), (3, 3), "{calls:?}");
        }
        assert_untouched(&server).await;
    }
}

#[tokio::test]
async fn nagging_gets_no_second_form_for_what_was_declined() {
    for (wish, gives_up) in [(WISH, "chưa đặt gì cả"), (ENGLISH_WISH, "nothing was booked")] {
        let server = Server::start(&[]);
        let (guest, conversation) = wished(&server, "nagging", wish).await;
        let (first, _) = guest.waiting_call(&conversation, 0).await;
        let view = decide(&guest, &conversation, false).await;
        assert_eq!(booking_states(&view), ["output-denied", "output-cancelled"], "{view:#}");
        let repeated = tool_parts(&view).last().unwrap();
        assert_eq!((&repeated["reason"], &repeated["of"]), (&json!("repeated"), &json!(first)));
        assert_eq!(outcome(&view), Outcome { not_done: 1, repeats: 1, ..NOTHING });
        // It hears the first outcome again, and gives up.
        let said = heard(&server, "createBooking").await;
        assert_eq!(said.len(), 2);
        assert_eq!(said[0], said[1]);
        assert!(said[0].contains("declined"), "{said:?}");
        assert!(last_words(&view).contains(gives_up), "{}", last_words(&view));

        let database = server.database().await;
        assert_eq!(database.number("SELECT COUNT(*) FROM approvals").await, 1);
        assert_eq!(database.bookings().await, []);
        let call = repeated["toolCallId"].as_str().unwrap();
        guest.decide(&conversation, call, json!({ "approved": true })).await.expect_problem(404, "not-found");
        assert_ended(&server, &guest, &conversation, "done").await;
    }
}

#[tokio::test]
async fn nagging_is_content_with_a_yes() {
    let server = Server::start(&[]);
    let (guest, conversation) = wished(&server, "nagging", WISH).await;
    let view = decide(&guest, &conversation, true).await;
    assert_eq!(booking_states(&view), ["output-available"]);
    assert_eq!(outcome(&view), BOOKED);
    assert_ended(&server, &guest, &conversation, "done").await;
}

#[tokio::test]
async fn a_guest_who_asks_again_by_themselves_gets_a_form_again() {
    let server = Server::start(&[]);
    let (guest, conversation) = wished(&server, "nagging", WISH).await;
    decide(&guest, &conversation, false).await;
    let view = guest.say(&conversation, WISH).await;
    assert_eq!(status(&view), "awaiting-approval", "{view:#}");
    decide(&guest, &conversation, true).await;
    assert_true_to_the_book(&server, &guest).await;
    assert_eq!(server.database().await.bookings().await.len(), 1);
}

#[tokio::test]
async fn every_persona_can_be_chosen_in_the_address() {
    let server = Server::start(&[]);
    for persona in server::model::demo::Persona::ALL {
        let guest = Guest::new(&server);
        let page = guest.get(&format!("/?persona={}", persona.as_str())).await.expect(200).text;
        // The links to the other language keep it.
        assert!(page.contains(&format!("?persona={}&amp;lang=", persona.as_str())), "{page}");
    }
}
