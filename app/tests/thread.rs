//! The live view shows what a page rendered from the record would show, however the events are cut.

use app::chat::announcer::sentences;
use app::chat::thread::{LiveContent, News, Thread};
use app::chat::turn::TurnLine;
use app::i18n::Lang;
use leptos::prelude::*;
use serde_json::json;
use shared::event::AgentEvent;
use shared::ids::ToolCallId;
use shared::message::{MessagePart, UiMessage};
use shared::reduce::{Conversation, Refusal};

fn events() -> Vec<(u64, AgentEvent)> {
    let booking = json!({"restaurantId": "r1", "partySize": 4, "startsAt": "2026-12-05T19:00:00+07:00"});
    let preview = json!({
        "restaurantName": "Bếp Mây", "address": "12 Trần Hưng Đạo", "city": "Đà Lạt",
        "startsAt": "2026-12-05T19:00:00+07:00", "status": "confirmed", "seatsFree": 18,
    });
    let output = json!({
        "bookingId": "b1", "reference": "MAY-4K7Q", "status": "confirmed", "restaurantId": "r1",
        "restaurantName": "Bếp Mây", "address": "12 Trần Hưng Đạo", "city": "Đà Lạt",
        "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4,
    });
    let all = [
        json!({"type": "user-message", "messageId": "m1", "clientMessageId": "c1", "text": "Đặt bàn"}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "text-delta", "text": "Mình "}),
        json!({"type": "model-retrying", "step": 1, "attempt": 1}),
        json!({"type": "step-reset", "step": 1}),
        json!({"type": "reasoning-delta", "text": "…"}),
        json!({"type": "text-delta", "text": "Để mình "}),
        json!({"type": "text-delta", "text": "đặt."}),
        json!({"type": "tool-input-start", "toolCallId": "t1", "toolName": "createBooking"}),
        json!({"type": "tool-input-delta", "toolCallId": "t1", "inputTextDelta": "{\"partySize\":4,"}),
        json!({"type": "tool-input-available", "toolCallId": "t1", "input": booking}),
        json!({"type": "tool-approval-requested", "toolCallId": "t1", "approvalId": "a1",
               "expiresAt": "2026-11-30T13:00:00Z", "preview": preview}),
        json!({"type": "run-finished", "runId": "r1", "status": "awaiting-approval"}),
        json!({"type": "tool-approval-responded", "toolCallId": "t1", "approved": true}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "tool-output-available", "toolCallId": "t1", "output": output}),
        json!({"type": "step-started", "step": 2}),
        json!({"type": "text-delta", "text": "Xong rồi."}),
        json!({"type": "run-finished", "runId": "r1", "status": "done"}),
        json!({"type": "user-message", "messageId": "m3", "clientMessageId": "c2", "text": "Cảm ơn"}),
        json!({"type": "run-started", "runId": "r2", "messageId": "m4"}),
        json!({"type": "run-finished", "runId": "r2", "status": "interrupted"}),
    ];
    let parsed = all.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
    (1..).zip(parsed).collect()
}

fn folded(events: &[(u64, AgentEvent)]) -> Conversation {
    let mut conversation = Conversation::default();
    for (id, event) in events {
        conversation.apply(*id, event).expect("folds");
    }
    conversation
}

/// What the signals hold, as messages.
fn shown(thread: Thread) -> Vec<(UiMessage, Option<TurnLine>)> {
    let messages = thread.messages.get_untracked();
    let message = |live: app::chat::thread::LiveMessage| {
        let parts = live.parts.get_untracked().into_iter().map(|part| match part.content {
            LiveContent::Text(text) => MessagePart::Text(text.get_untracked()),
            LiveContent::Reasoning(text) => MessagePart::Reasoning(text.get_untracked()),
            LiveContent::Tool(part) => MessagePart::Tool(part.get_untracked()),
        });
        (
            UiMessage {
                id: live.id,
                role: live.role,
                parts: parts.collect(),
                withdrawn_from: live.withdrawn_from.get_untracked(),
            },
            live.line.get_untracked(),
        )
    };
    messages.into_iter().map(message).collect()
}

fn rendered(conversation: &Conversation) -> Vec<(UiMessage, Option<TurnLine>)> {
    let run = conversation.run.as_ref();
    conversation.messages.iter().map(|message| (message.clone(), TurnLine::of(message, run))).collect()
}

#[test]
fn any_cuts_show_what_the_record_says_at_every_step() {
    let events = events();
    for size in 1..=events.len() {
        Owner::new().with(|| {
            let thread = Thread::new(Conversation::default());
            let mut seen = 0;
            for batch in events.chunks(size) {
                let folded_batch = thread.fold(batch);
                assert!(folded_batch.refused.is_empty(), "{:?}", folded_batch.refused);
                seen += batch.len();
                let expected = folded(&events[..seen]);
                assert_eq!(shown(thread), rendered(&expected), "batches of {size}, after {seen}");
                assert_eq!(thread.run.get_untracked(), expected.run);
                assert_eq!(thread.last_event_id(), expected.last_event_id);
            }
        });
    }
}

#[test]
fn following_goes_on_from_any_snapshot() {
    let events = events();
    for cut in 0..events.len() {
        Owner::new().with(|| {
            let thread = Thread::new(folded(&events[..cut]));
            // A stream that starts too early sends again what is folded already.
            let again = cut.saturating_sub(2);
            let batch = thread.fold(&events[again..]);
            assert!(batch.refused.is_empty(), "what is known already is no refusal: {:?}", batch.refused);
            assert_eq!(shown(thread), rendered(&folded(&events)), "from {cut}");
        });
    }
}

#[test]
fn a_delta_of_text_touches_its_text_and_nothing_else() {
    let events = events();
    let delta = events.iter().rposition(|(_, event)| matches!(event, AgentEvent::TextDelta { .. }));
    let delta = delta.expect("a delta");
    Owner::new().with(|| {
        let thread = Thread::new(folded(&events[..=delta]));
        let keys = |thread: Thread| -> Vec<String> {
            let messages = thread.messages.get_untracked();
            let last = messages.last().expect("a message");
            last.parts.get_untracked().iter().map(|part| part.key.clone()).collect()
        };
        let before = keys(thread);
        let next = events[delta].0 + 1;
        thread.fold(&[(next, AgentEvent::TextDelta { text: " Hẹn gặp bạn!".to_owned() })]);
        assert_eq!(keys(thread), before);
        let (last, _) = shown(thread).pop().expect("a message");
        assert_eq!(last.parts.last(), Some(&MessagePart::Text("Xong rồi. Hẹn gặp bạn!".to_owned())));
    });
}

#[test]
fn the_line_of_a_turn_is_absent_while_it_lives_and_true_afterwards() {
    let events = events();
    let line = |seen: usize, message: usize| {
        let conversation = folded(&events[..seen]);
        TurnLine::of(&conversation.messages[message], conversation.run.as_ref())
    };
    assert_eq!(line(1, 0), None, "the guest's own message has none");
    for live in 2..=13 {
        assert_eq!(line(live, 1), None, "live after {live} events");
    }
    let parked = line(14, 1).expect("parked");
    assert_eq!(parked.kind(), "waiting");
    assert_eq!(
        parked.sentences(Lang::En),
        ["Waiting for your decision.", "Nothing is booked, changed or paid yet."]
    );
    assert_eq!(line(16, 1), None, "decided and running");
    let done = line(20, 1).expect("done");
    assert_eq!(done.kind(), "done");
    assert!(done.sentences(Lang::Vi)[0].contains("MAY-4K7Q"));
    let nothing = line(23, 3).expect("ended");
    assert_eq!(
        (nothing.kind(), nothing.sentences(Lang::En)),
        ("nothing", vec!["Nothing was booked, changed or paid.".to_owned()])
    );
}

#[test]
fn reading_that_needs_agreement_waits_as_well() {
    let all = [
        json!({"type": "user-message", "messageId": "m1", "clientMessageId": "c1", "text": "Thời tiết?"}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "tool-input-start", "toolCallId": "t1", "toolName": "getWeather"}),
        json!({"type": "tool-input-available", "toolCallId": "t1", "input": {"city": "Huế"}}),
        json!({"type": "tool-approval-requested", "toolCallId": "t1", "approvalId": "a1",
               "expiresAt": "2026-11-30T13:00:00Z", "preview": {}}),
        json!({"type": "run-finished", "runId": "r1", "status": "awaiting-approval"}),
    ];
    let parsed = all.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
    let conversation = folded(&(1..).zip(parsed).collect::<Vec<_>>());
    let line = TurnLine::of(&conversation.messages[1], conversation.run.as_ref()).expect("parked");
    assert_eq!(line.kind(), "waiting");
}

#[test]
fn the_words_of_a_declined_turn_are_withdrawn_while_they_are_looked_at_and_later_ones_are_not() {
    let all = [
        json!({"type": "user-message", "messageId": "m1", "clientMessageId": "c1", "text": "Đặt bàn"}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "text-delta", "text": "Mình xem nhé."}),
        json!({"type": "step-started", "step": 2}),
        json!({"type": "text-delta", "text": "Được rồi"}),
        json!({"type": "run-finished", "runId": "r1", "status": "refused"}),
        json!({"type": "user-message", "messageId": "m3", "clientMessageId": "c2", "text": "Sao vậy?"}),
        json!({"type": "run-started", "runId": "r2", "messageId": "m4"}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "text-delta", "text": "Chào bạn."}),
        json!({"type": "run-finished", "runId": "r2", "status": "done"}),
    ];
    let parsed = all.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
    let events: Vec<(u64, AgentEvent)> = (1..).zip(parsed).collect();
    Owner::new().with(|| {
        let thread = Thread::new(Conversation::default());
        thread.fold(&events[..6]);
        let live = thread.messages.get_untracked()[1].clone();
        assert_eq!(live.withdrawn_from.get_untracked(), None);
        thread.fold(&events[6..7]);
        assert_eq!(live.withdrawn_from.get_untracked(), Some(1));
        thread.fold(&events[7..]);
        assert_eq!(shown(thread), rendered(&folded(&events)));
        assert_eq!(live.withdrawn_from.get_untracked(), Some(1));
        let withdrawn = |message: &UiMessage| message.withdrawn_from;
        let all: Vec<_> = shown(thread).iter().map(|(message, _)| withdrawn(message)).collect();
        assert_eq!(all, [None, Some(1), None, None]);
    });
}

#[test]
fn the_busy_model_is_told_until_the_next_event() {
    let events = events();
    Owner::new().with(|| {
        let thread = Thread::new(Conversation::default());
        thread.fold(&events[..5]);
        assert!(thread.retrying.get_untracked());
        thread.fold(&events[5..6]);
        assert!(!thread.retrying.get_untracked());
    });
}

#[test]
fn screen_readers_hear_of_cards_and_ends_but_not_of_deltas() {
    let events = events();
    Owner::new().with(|| {
        let thread = Thread::new(Conversation::default());
        assert_eq!(thread.fold(&events[..12]).news, [], "nothing has come to rest yet");
        let asked = thread.fold(&events[12..14]).news;
        assert!(
            matches!(asked.as_slice(), [News::Card(_), News::Run { text, .. }] if text == "Để mình đặt.")
        );
        let done = thread.fold(&events[14..20]).news;
        assert!(matches!(done.last(), Some(News::Run { text, .. }) if text == "Xong rồi."), "{done:?}");
    });
}

/// The booking of `events()`, as an update tells it.
fn booked(status: &str) -> serde_json::Value {
    json!({
        "bookingId": "b1", "reference": "MAY-4K7Q", "status": status, "restaurantId": "r1",
        "restaurantName": "Bếp Mây", "address": "12 Trần Hưng Đạo", "city": "Đà Lạt",
        "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4,
    })
}

fn updated(id: u64, status: &str, revision: u64) -> (u64, AgentEvent) {
    let event = json!({
        "type": "tool-output-updated", "toolCallId": "t1", "output": booked(status), "revision": revision,
    });
    (id, serde_json::from_value(event).expect("an event"))
}

#[test]
fn a_receipt_far_up_that_changes_is_told_by_its_booking_and_each_news_once() {
    let events = events();
    Owner::new().with(|| {
        let thread = Thread::new(folded(&events));
        let folded = thread.fold(&[updated(24, "waitlisted", 1), updated(25, "cancelled", 2)]);
        assert!(folded.refused.is_empty(), "{:?}", folded.refused);
        assert!(matches!(folded.news.as_slice(), [News::Updated(_), News::Updated(_)]), "{:?}", folded.news);
        let said = sentences(&folded.news, Lang::Vi);
        assert_eq!(
            said,
            [
                "Bàn ở Bếp Mây, 19:00, thứ Bảy 05/12/2026, 4 người đang trong danh sách chờ.",
                "Bàn ở Bếp Mây, 19:00, thứ Bảy 05/12/2026, 4 người đã huỷ.",
            ]
        );
        // Several cards may tell of one booking.
        let twice = [folded.news[1].clone(), folded.news[1].clone()];
        assert_eq!(sentences(&twice, Lang::Vi), said[1..]);
    });
}

#[test]
fn the_line_of_the_turn_follows_what_became_of_its_booking() {
    let mut conversation = folded(&events());
    let line = |conversation: &Conversation| {
        TurnLine::of(&conversation.messages[1], conversation.run.as_ref()).expect("a line")
    };
    assert_eq!((line(&conversation).kind(), line(&conversation).tone()), ("done", "stands"));
    let (id, event) = updated(24, "waitlisted", 1);
    conversation.apply(id, &event).expect("folds");
    assert_eq!((line(&conversation).kind(), line(&conversation).tone()), ("done", "waits"));
    let (id, event) = updated(25, "cancelled", 2);
    conversation.apply(id, &event).expect("folds");
    assert_eq!((line(&conversation).kind(), line(&conversation).tone()), ("done", "over"));
    assert!(line(&conversation).sentences(Lang::En)[0].starts_with("Booked, cancelled since: Bếp Mây"));
}

#[test]
fn several_deeds_of_a_turn_are_told_one_by_one() {
    let preview = json!({ "booking": booked("confirmed") });
    let change = json!({
        "booking": booked("confirmed"), "startsAt": "2026-12-05T20:30:00+07:00", "partySize": 4,
        "status": "confirmed", "seatsFree": 18,
    });
    let mut moved = booked("confirmed");
    moved["startsAt"] = json!("2026-12-05T20:30:00+07:00");
    let call = |id: &str, name: &str, input: serde_json::Value, preview: &serde_json::Value| {
        [
            json!({"type": "tool-input-start", "toolCallId": id, "toolName": name}),
            json!({"type": "tool-input-available", "toolCallId": id, "input": input}),
            json!({"type": "tool-approval-requested", "toolCallId": id, "approvalId": format!("a-{id}"),
                   "expiresAt": "2026-11-30T13:00:00Z", "preview": preview}),
        ]
    };
    let mut all = vec![
        json!({"type": "user-message", "messageId": "m1", "clientMessageId": "c1", "text": "Đổi rồi huỷ"}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "step-started", "step": 1}),
    ];
    all.extend(call(
        "t1",
        "changeBooking",
        json!({"bookingId": "b1", "startsAt": "2026-12-05T20:30:00+07:00"}),
        &change,
    ));
    all.extend(call("t2", "cancelBooking", json!({"bookingId": "b2"}), &preview));
    all.extend(call("t3", "cancelBooking", json!({"bookingId": "b3"}), &preview));
    let ends = all.len();
    all.push(json!({"type": "run-finished", "runId": "r1", "status": "awaiting-approval"}));
    let parse = |all: &[serde_json::Value]| {
        let parsed = all.iter().map(|event| serde_json::from_value(event.clone()).expect("an event"));
        folded(&(1..).zip(parsed).collect::<Vec<_>>())
    };
    let line = |conversation: Conversation| {
        TurnLine::of(&conversation.messages[1], conversation.run.as_ref())
            .expect("a line")
            .sentences(Lang::En)
    };
    assert_eq!(
        line(parse(&all)),
        ["3 requests wait for your decision.", "Nothing is booked, changed or paid yet."]
    );

    all.truncate(ends);
    for (id, approved) in [("t1", true), ("t2", true), ("t3", false)] {
        all.push(json!({"type": "tool-approval-responded", "toolCallId": id, "approved": approved}));
    }
    all.push(json!({"type": "tool-output-available", "toolCallId": "t1", "output": moved}));
    all.push(json!({"type": "tool-output-available", "toolCallId": "t2", "output": booked("cancelled")}));
    all.push(json!({"type": "tool-output-denied", "toolCallId": "t3"}));
    all.push(json!({"type": "run-finished", "runId": "r1", "status": "done"}));
    assert_eq!(
        line(parse(&all)),
        [
            "Changed: Bếp Mây, 8:30 pm, Saturday 5 December 2026, reference MAY-4K7Q.",
            "Cancelled: Bếp Mây, 7:00 pm, Saturday 5 December 2026, reference MAY-4K7Q.",
            "One request was not carried out.",
            "Nothing else was booked, changed or paid.",
        ]
    );
}

/// A turn in which a refund was agreed to; `end`: the event that ends its call.
fn refunded(end: serde_json::Value) -> Conversation {
    let preview = json!({
        "orderId": "DH-7K2Q4", "restaurantName": "Bếp Mây", "payee": "Visa •••• 4242",
        "total": 350_000, "refunded": 0, "left": 350_000, "amount": 350_000,
    });
    let all = [
        json!({"type": "user-message", "messageId": "m1", "clientMessageId": "c1", "text": "Hoàn tiền"}),
        json!({"type": "run-started", "runId": "r1", "messageId": "m2"}),
        json!({"type": "step-started", "step": 1}),
        json!({"type": "tool-input-start", "toolCallId": "t1", "toolName": "refundOrder"}),
        json!({"type": "tool-input-available", "toolCallId": "t1",
               "input": {"orderId": "dh-7k2q4", "reason": "Món nguội"}}),
        json!({"type": "tool-approval-requested", "toolCallId": "t1", "approvalId": "a1",
               "expiresAt": "2026-11-30T13:00:00Z", "preview": preview}),
        json!({"type": "tool-approval-responded", "toolCallId": "t1", "approved": true}),
        end,
        json!({"type": "run-finished", "runId": "r1", "status": "done"}),
    ];
    let parsed = all.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
    folded(&(1..).zip(parsed).collect::<Vec<_>>())
}

fn refund(status: &str) -> serde_json::Value {
    json!({
        "refundId": "0198f3c2-6a51-7cc3-98c4-dc0c0c07398f", "reference": "R-8H3KD2ZV", "orderId": "DH-7K2Q4", "restaurantName": "Bếp Mây",
        "payee": "Visa •••• 4242", "amount": 350_000, "status": status,
        "createdAt": "2026-11-30T12:05:00Z", "receiver": "stripe",
    })
}

#[test]
fn the_line_of_the_turn_follows_the_money() {
    let end = json!({"type": "tool-output-available", "toolCallId": "t1", "output": refund("submitted")});
    let mut conversation = refunded(end);
    let line = |conversation: &Conversation| {
        TurnLine::of(&conversation.messages[1], conversation.run.as_ref()).expect("a line")
    };
    let submitted = line(&conversation);
    assert_eq!((submitted.kind(), submitted.tone()), ("done", "waits"));
    assert_eq!(
        submitted.sentences(Lang::Vi),
        [
            "Đã gửi yêu cầu hoàn tiền, tiền chưa về: 350.000\u{a0}₫ cho đơn DH-7K2Q4, về Visa •••• 4242, mã R-8H3KD2ZV.",
            "Ngoài ra không có gì được đặt, thay đổi hay thanh toán.",
        ]
    );
    for (id, status, tone, said) in [
        (
            10,
            "succeeded",
            "stands",
            "Refunded: ₫350,000 for order DH-7K2Q4, to Visa •••• 4242, refund R-8H3KD2ZV.",
        ),
        (11, "failed", "over", "The refund failed: ₫350,000 for order DH-7K2Q4, refund R-8H3KD2ZV."),
    ] {
        let event = json!({
            "type": "tool-output-updated", "toolCallId": "t1", "output": refund(status), "revision": id,
        });
        conversation.apply(id, &serde_json::from_value(event).expect("an event")).expect("folds");
        let line = line(&conversation);
        assert_eq!((line.kind(), line.tone()), ("done", tone));
        assert_eq!(line.sentences(Lang::En)[0], said);
    }
}

#[test]
fn whether_an_order_has_a_refund_is_heard_as_it_changes() {
    let end = json!({"type": "tool-output-available", "toolCallId": "t1", "output": refund("submitted")});
    let owner = Owner::new();
    owner.with(|| {
        let thread = Thread::new(refunded(end));
        let held = Memo::new(move |_| thread.holds_refund_of(" dh-7k2q4"));
        assert!(held.get_untracked());
        assert!(!thread.holds_refund_of("DH-9XW3M"), "another order");
        let updated = json!({
            "type": "tool-output-updated", "toolCallId": "t1", "output": refund("failed"), "revision": 1,
        });
        thread.fold(&[(10, serde_json::from_value(updated).expect("an event"))]);
        assert!(!held.get_untracked(), "it failed");
        let again = [
            json!({"type": "user-message", "messageId": "m3", "clientMessageId": "c2", "text": "Lần nữa"}),
            json!({"type": "run-started", "runId": "r2", "messageId": "m4"}),
            json!({"type": "step-started", "step": 1}),
            json!({"type": "tool-input-start", "toolCallId": "t2", "toolName": "refundOrder"}),
            json!({"type": "tool-input-available", "toolCallId": "t2",
                   "input": {"orderId": "DH-7K2Q4", "reason": "Món nguội"}}),
        ];
        let parsed = again.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
        thread.fold(&(11..).zip(parsed).collect::<Vec<_>>());
        assert!(held.get_untracked(), "it is asked for again");
    });
}

#[test]
fn the_line_of_the_turn_has_no_long_number_where_there_is_no_short_one() {
    let mut earlier = refund("succeeded");
    earlier.as_object_mut().expect("a refund").remove("reference");
    let end = json!({"type": "tool-output-available", "toolCallId": "t1", "output": earlier});
    let conversation = refunded(end);
    let line = TurnLine::of(&conversation.messages[1], conversation.run.as_ref()).expect("a line");
    assert_eq!(line.sentences(Lang::En)[0], "Refunded: ₫350,000 for order DH-7K2Q4, to Visa •••• 4242.");
    assert_eq!(
        line.sentences(Lang::Vi)[0],
        "Đã hoàn tiền: 350.000\u{a0}₫ cho đơn DH-7K2Q4, về Visa •••• 4242."
    );
}

#[test]
fn a_refund_of_unknown_outcome_is_told_by_its_order_and_asks_not_to_try_again() {
    let conversation = refunded(json!({"type": "tool-output-unknown", "toolCallId": "t1"}));
    let line = TurnLine::of(&conversation.messages[1], conversation.run.as_ref()).expect("a line");
    assert_eq!(line.kind(), "unknown");
    assert_eq!(
        line.sentences(Lang::Vi),
        [
            "Chưa rõ khoản hoàn tiền cho đơn DH-7K2Q4 đã được thực hiện hay chưa; chúng tôi đang kiểm tra, xin đừng yêu cầu lại."
        ]
    );
    assert_eq!(
        line.sentences(Lang::En),
        [
            "We do not know yet whether the refund for order DH-7K2Q4 went through; we are checking, do not try again."
        ]
    );
}

#[test]
fn a_conversation_knows_its_calls_and_the_references_of_its_bookings() {
    Owner::new().with(|| {
        let thread = Thread::new(folded(&events()));
        assert!(thread.has_call(&ToolCallId("t1".to_owned())));
        assert!(!thread.has_call(&ToolCallId("t2".to_owned())), "of another conversation");
        assert_eq!(thread.reference_of("b1").as_deref(), Some("MAY-4K7Q"));
        assert_eq!(thread.reference_of("b2"), None);
    });
}

#[test]
fn a_refused_event_is_reported_and_changes_nothing() {
    let events = events();
    Owner::new().with(|| {
        let thread = Thread::new(folded(&events));
        let before = shown(thread);
        let forged = json!({"type": "tool-output-denied", "toolCallId": "t1"});
        let forged = serde_json::from_value(forged).expect("an event");
        let batch = thread.fold(&[(1000, forged)]);
        assert!(matches!(batch.refused.as_slice(), [(1000, Refusal::NotNow(_))]));
        assert_eq!(shown(thread), before);
    });
}
