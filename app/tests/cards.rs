//! Every card in every state, rendered as the server renders it.

use app::cards::context::{CardContext, PersonContext};
use app::cards::{ToolCard, announcement, update_announcement};
use app::gallery::fixtures::{self, Fixture, HOSTILE};
use app::i18n::{Lang, provide_lang};
use leptos::prelude::*;
use shared::api::HandoverOfRun;
use shared::contact::Contact;
use shared::ids::RunId;
use shared::tool_call::{StateName, ToolCall, ToolState};
use shared::tools::{RefundFailure, RefundOrder, RefundStatus, ToolName, ToolPart};

fn render(part: &ToolPart, lang: Lang) -> String {
    render_in(part, lang, |cx| cx)
}

/// On a page that gives the card this context, made from one in which nothing can be pressed.
fn render_in(part: &ToolPart, lang: Lang, context: impl FnOnce(CardContext) -> CardContext) -> String {
    Owner::new().with(|| {
        provide_lang(RwSignal::new(lang));
        provide_context(context(CardContext::inert()));
        view! { <ToolCard part=ArcRwSignal::new(part.clone()) /> }.to_html()
    })
}

/// Markup without its tags and comments: what a reader sees.
fn text_of(html: &str) -> String {
    let mut text = String::new();
    let mut in_tag = false;
    for c in html.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c if !in_tag => text.push(c),
            _ => {}
        }
    }
    text
}

fn part(name: &str) -> ToolPart {
    let all = fixtures::all();
    let fixture = all.into_iter().find(|fixture| fixture.name == name);
    fixture.unwrap_or_else(|| panic!("no fixture {name}")).part
}

/// What a reader sees of a fixture's card.
fn text(name: &str, lang: Lang) -> String {
    text_of(&render(&part(name), lang))
}

/// The tag that begins at `start`, such as `<button`, and holds all of `wanted`.
fn tag_with<'a>(html: &'a str, start: &str, wanted: &[&str]) -> Option<&'a str> {
    let tags = html.match_indices(start).filter_map(|(at, _)| html[at..].split('>').next());
    tags.into_iter().find(|tag| wanted.iter().all(|wanted| tag.contains(wanted)))
}

fn every(mut check: impl FnMut(&Fixture, Lang, &str)) {
    for fixture in fixtures::all() {
        for lang in Lang::ALL {
            check(&fixture, lang, &render(&fixture.part, lang));
        }
    }
}

#[test]
fn there_is_a_fixture_for_every_state_of_every_tool() {
    let states = [
        StateName::InputStreaming,
        StateName::InputAvailable,
        StateName::ApprovalRequested,
        StateName::ApprovalResponded,
        StateName::OutputAvailable,
        StateName::OutputError,
        StateName::OutputDenied,
        StateName::OutputCancelled,
        StateName::OutputUnknown,
    ];
    let all = fixtures::all();
    let mut names: Vec<&str> = ToolName::ALL.iter().map(|name| name.as_str()).collect();
    names.push("orderCake");
    for name in names {
        for state in states {
            let shown =
                all.iter().any(|fixture| fixture.part.tool_name() == name && fixture.part.state() == state);
            assert!(shown, "no fixture shows {name} in {}", state.as_str());
        }
    }
}

#[test]
fn every_card_says_whose_it_is_and_how_it_stands() {
    every(|fixture, lang, html| {
        let id = fixture.part.tool_call_id();
        let state = fixture.part.state().as_str();
        assert!(html.contains(&format!("data-tool-call=\"{id}\"")), "{}", fixture.name);
        assert!(html.contains(&format!("data-state=\"{state}\"")), "{}", fixture.name);
        assert!(html.contains(&format!("id=\"call-{id}\"")), "{}", fixture.name);
        assert!(!text_of(html).trim().is_empty(), "{} in {} is empty", fixture.name, lang.tag());
    });
}

#[test]
fn a_receipt_is_shown_for_a_finished_booking_or_money_that_is_back_and_for_nothing_else() {
    every(|fixture, _, html| {
        let finished = match &fixture.part {
            ToolPart::CreateBooking(_) | ToolPart::ChangeBooking(_) | ToolPart::CancelBooking(_) => {
                fixture.part.state() == StateName::OutputAvailable
            }
            ToolPart::RefundOrder(call) => refund_status(call) == Some(RefundStatus::Succeeded),
            ToolPart::GetWeather(_)
            | ToolPart::FindTables(_)
            | ToolPart::ListBookings(_)
            | ToolPart::GetOrder(_)
            | ToolPart::Untyped { .. } => false,
        };
        let shown = html.contains("data-receipt") || html.contains("class=\"receipt\"");
        assert_eq!(shown, finished, "{}", fixture.name);
        // What is asked about an earlier booking names it.
        let names_one = match &fixture.part {
            ToolPart::CreateBooking(_) => finished,
            ToolPart::ListBookings(_) | ToolPart::ChangeBooking(_) | ToolPart::CancelBooking(_) => return,
            ToolPart::GetWeather(_)
            | ToolPart::FindTables(_)
            | ToolPart::GetOrder(_)
            | ToolPart::RefundOrder(_)
            | ToolPart::Untyped { .. } => false,
        };
        assert_eq!(html.contains("MAY-4K7Q") || html.contains("CHO-88"), names_one, "{}", fixture.name);
    });
}

fn refund_status(call: &ToolCall<RefundOrder>) -> Option<RefundStatus> {
    match &call.state {
        ToolState::OutputAvailable { output, .. } => Some(output.status),
        ToolState::InputStreaming { .. }
        | ToolState::InputAvailable { .. }
        | ToolState::ApprovalRequested { .. }
        | ToolState::ApprovalResponded { .. }
        | ToolState::OutputError { .. }
        | ToolState::OutputDenied { .. }
        | ToolState::OutputCancelled { .. }
        | ToolState::OutputUnknown { .. } => None,
    }
}

#[test]
fn money_is_told_as_back_only_once_it_is() {
    for fixture in fixtures::all() {
        let ToolPart::RefundOrder(call) = &fixture.part else { continue };
        let is_back = refund_status(call) == Some(RefundStatus::Succeeded);
        for (lang, told) in [
            (Lang::Vi, ["Số tiền đã hoàn", "Đã hoàn về", "Tiền về lúc"]),
            (Lang::En, ["Refunded: ", "Returned to", "Returned at"]),
        ] {
            let text = text_of(&render(&fixture.part, lang));
            let heard =
                [announcement(&fixture.part, lang), update_announcement(&fixture.part, lang)].concat();
            let says = told.iter().any(|told| text.contains(told) || heard.contains(told));
            assert_eq!(says, is_back, "{} in {}: {text} / {heard}", fixture.name, lang.tag());
            // A repeated one points to the first, and says nothing of its own.
            let is_repeat = fixture.name.ends_with("repeated");
            let not_back = match (refund_status(call), lang) {
                (Some(RefundStatus::Succeeded), _) => continue,
                (Some(RefundStatus::Submitted), Lang::Vi) => "tiền chưa về",
                (Some(RefundStatus::Submitted), Lang::En) => "the money is not back yet",
                (Some(RefundStatus::Failed), Lang::Vi) => "tiền không về",
                (Some(RefundStatus::Failed), Lang::En) => "the money did not come back",
                (None, _) if is_repeat => continue,
                (None, _) => match (call.state.name(), lang) {
                    (StateName::InputStreaming | StateName::InputAvailable, Lang::Vi) => {
                        "Chưa có gì được hoàn."
                    }
                    (StateName::InputStreaming | StateName::InputAvailable, Lang::En) => {
                        "Nothing is refunded."
                    }
                    (StateName::ApprovalRequested, Lang::Vi) => "Tiền chỉ về khi thẻ này báo đã hoàn.",
                    (StateName::ApprovalRequested, Lang::En) => {
                        "The money is back only when this card says so."
                    }
                    (StateName::ApprovalResponded, _) => continue,
                    (StateName::OutputUnknown, Lang::Vi) => {
                        "chưa biết khoản hoàn tiền đã được thực hiện hay chưa"
                    }
                    (StateName::OutputUnknown, Lang::En) => "do not know yet whether the refund went through",
                    (
                        StateName::OutputError | StateName::OutputDenied | StateName::OutputCancelled,
                        Lang::Vi,
                    ) => "Yêu cầu này không hoàn khoản nào.",
                    (
                        StateName::OutputError | StateName::OutputDenied | StateName::OutputCancelled,
                        Lang::En,
                    ) => "Nothing was refunded by this request.",
                    (StateName::OutputAvailable, _) => unreachable!("it has a status"),
                },
            };
            assert!(text.contains(not_back), "{} in {}: {text}", fixture.name, lang.tag());
        }
    }
}

#[test]
fn a_receipt_of_a_refund_names_the_money_its_number_and_where_it_went() {
    for (lang, amount, time) in [
        (Lang::Vi, "350.000\u{a0}₫", "12:05, thứ Hai 30/11/2026"),
        (Lang::En, "₫350,000", "12:05 pm, Monday 30 November 2026"),
    ] {
        let html = render(&part("refund-output-available"), lang);
        let large = html
            .split("<strong class=\"receipt__code")
            .nth(1)
            .and_then(|rest| rest.split("</strong>").next());
        assert!(large.is_some_and(|large| large.contains(amount)), "{html}");
        assert!(html.contains("data-receipt=\"succeeded\""), "{html}");
        let text = text_of(&html);
        for part in ["R-8H3KD2ZV", "DH-7K2Q4", "Visa •••• 4242", "Bếp Mây", time] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }
    // No card shows the long id, which nobody reads out; but where there is nothing else.
    for fixture in fixtures::all().iter().filter(|fixture| fixture.name.contains("refund")) {
        let html = render(&fixture.part, Lang::Vi);
        assert!(!html.contains("0198f3c2"), "{}: {html}", fixture.name);
    }
    let ToolPart::RefundOrder(mut earlier) = part("refund-output-available") else { panic!("a refund") };
    let ToolState::OutputAvailable { output, .. } = &mut earlier.state else { panic!("an output") };
    output.reference = None;
    assert!(render(&ToolPart::RefundOrder(earlier), Lang::Vi).contains("0198f3c2"));
    // Who says so is said.
    assert!(text("refund-output-available", Lang::En).contains("our own ledger"));
    assert!(text("refund-huge", Lang::En).contains("Stripe"));
}

#[test]
fn a_refund_is_asked_about_with_what_the_server_looked_up_and_fields_for_amount_and_reason() {
    for (lang, filled, amount, left, after) in [
        (Lang::Vi, "120.000", "120.000\u{a0}₫", "350.000\u{a0}₫", "Sau đó còn có thể hoàn 230.000\u{a0}₫."),
        (Lang::En, "120,000", "₫120,000", "₫350,000", "After that ₫230,000 can still be refunded."),
    ] {
        let part = part("refund-approval-requested-part");
        let html = render(&part, lang);
        let value = format!("value=\"{filled}\"");
        let field = tag_with(&html, "<input", &["name=\"amount\"", &value]).expect("the amount to edit");
        assert!(field.contains("inputmode=\"numeric\"") && field.contains("required"), "{field}");
        let id = field.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id");
        assert!(html.contains(&format!("for=\"{id}\"")), "{html}");
        assert!(tag_with(&html, "<textarea", &["name=\"reason\"", "required"]).is_some(), "{html}");
        let text = text_of(&html);
        for part in ["DH-7K2Q4", "Visa •••• 4242", "Bếp Mây", amount, left, after] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        // Heard without looking.
        let heard = announcement(&part, lang);
        assert!(["DH-7K2Q4", "Visa •••• 4242", amount].iter().all(|part| heard.contains(part)), "{heard}");
    }
}

#[test]
fn a_refund_that_failed_says_why_and_offers_another_try_and_a_person() {
    let mut reasons = std::collections::BTreeSet::new();
    for failure in RefundFailure::ALL {
        let word = serde_json::to_value(failure).expect("a word");
        let name = format!("refund-failed-{}", word.as_str().expect("a word"));
        for (lang, again) in
            [(Lang::Vi, "Yêu cầu lại: DH-7K2Q4"), (Lang::En, "Ask again for the refund: DH-7K2Q4")]
        {
            let html =
                render_in(&part(&name), lang, |cx| CardContext { person: Some(person(None, None)), ..cx });
            assert!(html.contains("data-tone=\"failed\"") && !html.contains("data-receipt"), "{html}");
            assert!(tag_with(&html, "<button", &[again]).is_some(), "{again} is no button: {html}");
            assert!(html.contains("data-person"), "{html}");
            reasons.insert(text_of(&html));
        }
    }
    assert_eq!(reasons.len(), 2 * RefundFailure::ALL.len(), "each reason in words of its own");
}

#[test]
fn an_edited_refund_says_how_it_differs_from_the_proposal() {
    let text = text("refund-edited", Lang::En);
    for part in ["What you changed", "All that is left", "₫120,000", "Món giao đến đã nguội", "Lẩu nguội"]
    {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(!render(&part("refund-output-available"), Lang::En).contains("<del"));
}

#[test]
fn what_kept_a_refund_from_being_made_is_told_with_its_figures() {
    for (name, vi, en) in [
        ("nothing-left-to-refund", "không còn khoản nào có thể hoàn", "Nothing of this order is left"),
        ("more-than-left", "chỉ còn có thể hoàn 350.000\u{a0}₫", "Only ₫350,000 of this order"),
        (
            "another-refund",
            "đã có một khoản hoàn khác: 120.000\u{a0}₫, đã gửi, tiền chưa về",
            "another refund: ₫120,000, submitted, not back yet",
        ),
        ("refund-rejected", "đang được khiếu nại ở ngân hàng", "disputed at the bank"),
        ("refund-rejected-before", "đã được hoàn từ trước", "This payment was refunded before."),
        (
            "refund-rejected-other",
            "Mã lỗi: charge_expired_for_capture.",
            "Their code: charge_expired_for_capture.",
        ),
        (
            "another-refund-unknown",
            "đã có một khoản hoàn khác: 120.000\u{a0}₫, chưa rõ kết quả",
            "another refund: ₫120,000, outcome unknown",
        ),
        ("receiver-unavailable", "không liên hệ được với đơn vị thanh toán", "cannot be reached"),
    ] {
        let name = format!("refund-output-error-{name}");
        assert!(text(&name, Lang::Vi).contains(vi), "{name}: {}", text(&name, Lang::Vi));
        assert!(text(&name, Lang::En).contains(en), "{name}: {}", text(&name, Lang::En));
    }
}

#[test]
fn an_order_that_is_not_the_guests_offers_their_own_to_ask_for() {
    for (name, labels) in [
        (
            "order-output-error-unknown-order",
            [["Xem đơn DH-7K2Q4", "Xem đơn DH-9XW3M"], ["Show order DH-7K2Q4", "Show order DH-9XW3M"]],
        ),
        (
            "refund-output-error-unknown-order",
            [
                ["Hoàn tiền đơn DH-7K2Q4", "Hoàn tiền đơn DH-9XW3M"],
                ["Refund order DH-7K2Q4", "Refund order DH-9XW3M"],
            ],
        ),
    ] {
        for (lang, labels) in Lang::ALL.into_iter().zip(labels) {
            let html = render(&part(name), lang);
            for label in labels {
                assert!(tag_with(&html, "<button", &["type=\"button\"", label]).is_some(), "{label}: {html}");
            }
            assert!(!html.contains("<form"), "{html}");
            let heard = announcement(&part(name), lang);
            assert!(heard.contains("DH-7K2Q4") && heard.contains("DH-9XW3M"), "{heard}");
        }
    }
    let none = render(&part("order-output-error-no-orders"), Lang::En);
    assert!(!none.contains("<button") && text_of(&none).contains("You have no orders yet."), "{none}");
}

#[test]
fn an_order_lists_what_was_eaten_what_it_cost_and_what_came_back() {
    let vi = text("order-output-available", Lang::Vi);
    for part in [
        "DH-7K2Q4",
        "Lẩu gà lá é",
        "2 × 45.000\u{a0}₫",
        "90.000\u{a0}₫",
        "350.000\u{a0}₫",
        "Đã giao",
        "Visa •••• 4242",
    ] {
        assert!(vi.contains(part), "{part} is missing in {vi}");
    }
    assert!(!vi.contains("Các lần hoàn tiền"), "{vi}");
    let submitted = text("order-refund-submitted", Lang::En);
    for part in ["₫120,000", "Submitted, not back yet", "R-7D2MKX4Q", "₫230,000"] {
        assert!(submitted.contains(part), "{part} is missing in {submitted}");
    }
    let checked = text("order-refund-unknown", Lang::En);
    assert!(checked.contains("Being checked whether it was refunded₫120,000"), "{checked}");
    for (lang, amount, said) in [
        (Lang::Vi, "120.000\u{a0}₫", "Chưa rõ, đang kiểm tra"),
        (Lang::En, "₫120,000", "Not known yet, being checked"),
    ] {
        let checked = render(&part("order-refund-unknown"), lang);
        let row =
            checked.split("<li ").find(|item| item.contains("\"order__refund\"")).expect("a row of its own");
        for part in ["data-status=\"unknown\"", amount, said, "R-7D2MKX4Q"] {
            assert!(row.contains(part), "{part} is missing in {row}");
        }
    }
    // One live refund an order: asking for another one would come to nothing.
    for (name, offers) in [
        ("output-available", true),
        ("preparing", true),
        ("cancelled", true),
        ("refund-failed", true),
        ("refund-submitted", false),
        ("refunded", false),
        ("refund-unknown", false),
    ] {
        let html = render(&part(&format!("order-{name}")), Lang::En);
        assert_eq!(html.contains("Ask for a refund: DH-7K2Q4"), offers, "{name}");
    }
}

#[test]
fn a_refund_that_settles_is_told_by_the_refund_and_not_by_the_card() {
    let heard = |name: &str, lang| update_announcement(&part(name), lang);
    assert_eq!(
        heard("refund-output-updated", Lang::Vi),
        "Khoản hoàn 350.000\u{a0}₫ cho đơn hàng DH-7K2Q4 đã về Visa •••• 4242."
    );
    assert_eq!(
        heard("refund-failed-declined", Lang::En),
        "The refund of ₫350,000 for order DH-7K2Q4 failed; the money did not come back."
    );
}

#[test]
fn a_waiting_list_is_not_told_as_a_table() {
    let all = fixtures::all();
    let waitlisted = all.iter().find(|fixture| fixture.name == "booking-waitlisted").expect("a fixture");
    let html = render(&waitlisted.part, Lang::En);
    assert!(html.contains("data-receipt=\"waitlisted\""));
    let text = text_of(&html);
    assert!(text.contains("There is no table for you yet."), "{text}");
    assert!(!text.contains("Table booked") && !text.contains("Confirmed"), "{text}");
}

#[test]
fn a_receipt_that_was_cancelled_since_promises_no_table() {
    let all = fixtures::all();
    let cancelled = all.iter().find(|fixture| fixture.name == "booking-cancelled-since").expect("a fixture");
    let html = render(&cancelled.part, Lang::En);
    assert!(html.contains("data-receipt=\"cancelled\""));
    let text = text_of(&html);
    assert!(text.contains("This booking was cancelled") && text.contains("Changed since"), "{text}");
    assert!(!text.contains("Table booked") && !text.contains("Confirmed"), "{text}");
}

#[test]
fn a_form_is_shown_where_a_person_is_asked_and_nowhere_else() {
    every(|fixture, _, html| {
        let asks = match &fixture.part {
            ToolPart::GetWeather(_)
            | ToolPart::FindTables(_)
            | ToolPart::ListBookings(_)
            | ToolPart::CreateBooking(_)
            | ToolPart::ChangeBooking(_)
            | ToolPart::CancelBooking(_)
            | ToolPart::GetOrder(_)
            | ToolPart::RefundOrder(_) => fixture.part.state() == StateName::ApprovalRequested,
            ToolPart::Untyped { .. } => false,
        };
        assert_eq!(html.contains("<form"), asks, "{}", fixture.name);
    });
}

#[test]
fn unfinished_arguments_enable_nothing() {
    every(|fixture, _, html| {
        if fixture.part.state() == StateName::InputStreaming {
            assert!(!html.contains("<button") && !html.contains("<input"), "{}", fixture.name);
        }
    });
}

#[test]
fn unfinished_arguments_show_what_is_finished_of_them() {
    let all = fixtures::all();
    let find = |name: &str| all.iter().find(|fixture| fixture.name == name).expect("a fixture");
    let weather = text_of(&render(&find("weather-input-streaming").part, Lang::Vi));
    assert!(weather.contains("Thời tiết · Đà L"), "{weather}");
    let booking = text_of(&render(&find("booking-input-streaming").part, Lang::Vi));
    assert!(booking.contains("4 người"), "{booking}");
    assert!(!booking.contains("19:0"), "an unfinished time is no time: {booking}");
}

#[test]
fn a_card_that_is_not_done_says_that_nothing_is_booked() {
    every(|fixture, lang, html| {
        let ToolPart::CreateBooking(call) = &fixture.part else { return };
        let says_so = match lang {
            Lang::Vi => "Chưa có gì được đặt.",
            Lang::En => "Nothing is booked.",
        };
        let not_done = match &call.state {
            ToolState::OutputError { .. } | ToolState::OutputDenied { .. } => true,
            ToolState::OutputCancelled { reason, .. } => *reason != shared::event::CancelReason::Repeated,
            ToolState::InputStreaming { .. } | ToolState::InputAvailable { .. } => true,
            ToolState::ApprovalRequested { .. }
            | ToolState::ApprovalResponded { .. }
            | ToolState::OutputAvailable { .. }
            | ToolState::OutputUnknown { .. } => false,
        };
        assert_eq!(text_of(html).contains(says_so), not_done, "{}", fixture.name);
    });
}

#[test]
fn a_repeated_call_points_to_the_first_and_shows_neither_form_nor_receipt() {
    every(|fixture, lang, _| {
        if fixture.name.ends_with("output-cancelled-repeated") {
            let on_page = |cx| CardContext { is_on_page: Callback::new(|_| true), ..cx };
            let html = render_in(&fixture.part, lang, on_page);
            assert!(html.contains("href=\"#call-"), "{}", fixture.name);
            assert!(!html.contains("<form") && !html.contains("data-receipt"), "{}", fixture.name);
        }
    });
}

#[test]
fn a_repeated_call_whose_first_is_in_another_conversation_says_so_and_links_nowhere() {
    every(|fixture, lang, _| {
        if fixture.name.ends_with("output-cancelled-repeated") {
            let elsewhere = |cx| CardContext { is_on_page: Callback::new(|_| false), ..cx };
            let html = render_in(&fixture.part, lang, elsewhere);
            assert!(!html.contains("<a ") && !html.contains("href"), "{}: {html}", fixture.name);
            let says = match lang {
                Lang::Vi => "Kết quả trước vẫn giữ nguyên; bạn xem lại ở một cuộc trò chuyện khác của bạn.",
                Lang::En => "The earlier result stands; you find it in another of your conversations.",
            };
            assert!(text_of(&html).contains(says), "{}", fixture.name);
        }
    });
}

#[test]
fn a_full_time_is_told_with_the_times_that_have_room() {
    for (lang, full, times) in [
        (Lang::Vi, "19:00, thứ Bảy 05/12/2026 hiện đã hết bàn cho 4 người.", ["17:30", "21:00"]),
        (Lang::En, "7:00 pm, Saturday 5 December 2026 is full now for 4 people.", ["5:30 pm", "9:00 pm"]),
    ] {
        let part = part("booking-approval-requested-full");
        let html = render(&part, lang);
        assert!(text_of(&html).contains(full), "{}", text_of(&html));
        for time in times {
            let button = tag_with(&html, "<button", &["type=\"button\"", "aria-pressed=\"false\"", time]);
            assert!(button.is_some(), "{time} is no button: {html}");
        }
        // Heard without looking.
        let heard = announcement(&part, lang);
        assert!(heard.contains(full.trim_end_matches('.')), "{heard}");
        assert!(times.iter().all(|time| heard.contains(time)), "{heard}");
    }
    let with_room = render(&part("booking-approval-requested"), Lang::En);
    assert!(!with_room.contains("aria-pressed") && !text_of(&with_room).contains("is full"));
    assert!(
        !text("booking-approval-requested-full", Lang::En).contains("right away"),
        "no table is promised"
    );
}

#[test]
fn a_change_is_asked_about_with_fields_and_with_what_would_be_otherwise() {
    let html = render(&part("change-approval-requested"), Lang::En);
    for field in ["type=\"date\"", "type=\"time\"", "type=\"number\""] {
        assert!(tag_with(&html, "<input", &[field]).is_some(), "{field}");
    }
    for value in ["value=\"2026-12-05\"", "value=\"20:30\"", "value=\"6\""] {
        assert!(tag_with(&html, "<input", &[value]).is_some(), "{value}: what shall be is filled in");
    }
    assert!(!html.contains("<textarea") && !html.contains("button--danger"));
    let text = text_of(&html);
    for part in
        ["MAY-4K7Q", "What will change", "7:00 pm, Saturday", "8:30 pm, Saturday", "4 people", "6 people"]
    {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
}

#[test]
fn a_change_promises_a_table_to_nobody_who_would_wait() {
    let waits = text("change-approval-requested-waits", Lang::En);
    assert!(waits.contains("The new time is full.") && waits.contains("waiting list"), "{waits}");
    assert!(!waits.contains("gives you that table"), "{waits}");
    let table = text("change-approval-requested-table", Lang::En);
    assert!(table.contains("gives you that table right away"), "{table}");
    // Who waits has no table that could be kept.
    assert!(!table.contains("old place") && !waits.contains("old place"));
}

#[test]
fn a_change_that_is_refused_for_want_of_room_offers_times_to_ask_for() {
    let part = part("change-output-error-full");
    for (lang, labels) in [
        (Lang::Vi, ["Chuyển sang 20:00, thứ Bảy 05/12/2026", "Chuyển sang 21:00, thứ Bảy 05/12/2026"]),
        (
            Lang::En,
            ["Move to 8:00 pm, Saturday 5 December 2026", "Move to 9:00 pm, Saturday 5 December 2026"],
        ),
    ] {
        let html = render(&part, lang);
        for label in labels {
            let button = tag_with(&html, "<button", &["type=\"button\"", label]);
            assert!(button.is_some_and(|button| !button.contains("aria-pressed")), "{label}: {html}");
        }
        assert!(!html.contains("<form") && !html.contains("data-receipt"));
    }
    assert!(announcement(&part, Lang::En).contains("There is at 8:00 pm and 9:00 pm."));
    // Another reason offers none.
    assert!(!render(&self::part("change-output-error-unknown-booking"), Lang::En).contains("<button"));
}

#[test]
fn what_is_given_up_is_asked_about_in_the_tone_of_danger_with_the_booking_in_view() {
    for (name, yes, no) in [
        ("cancel-approval-requested", "Cancel the booking", "Keep the booking"),
        ("cancel-approval-requested-waits", "Leave the waiting list", "Keep waiting"),
    ] {
        let html = render(&part(name), Lang::En);
        let confirm = tag_with(&html, "<button", &["button--danger"]).expect("a button of danger");
        assert!(confirm.contains("type=\"submit\"") && !confirm.contains("button--primary"));
        assert_eq!(html.matches("<button").count(), 2);
        assert!(!html.contains("autofocus") && !html.contains("<input"));
        let text = text_of(&html);
        for part in [yes, no, "Bếp Mây", "7:00 pm, Saturday 5 December 2026", "4 people", "MAY-4K7Q"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }
}

#[test]
fn what_was_not_changed_or_cancelled_says_so_and_speaks_of_no_table_that_it_does_not_know() {
    every(|fixture, lang, html| {
        let says = match (&fixture.part, lang) {
            (ToolPart::ChangeBooking(_), Lang::Vi) => "Không có gì thay đổi.",
            (ToolPart::ChangeBooking(_), Lang::En) => "Nothing was changed.",
            (ToolPart::CancelBooking(_), Lang::Vi) => "Không có gì bị huỷ.",
            (ToolPart::CancelBooking(_), Lang::En) => "Nothing was cancelled.",
            _ => return,
        };
        let not_done = match fixture.part.state() {
            StateName::OutputDenied => true,
            // What was cancelled before is told as that.
            StateName::OutputError => !fixture.name.ends_with("booking-cancelled"),
            StateName::OutputCancelled => !fixture.name.ends_with("repeated"),
            StateName::InputStreaming
            | StateName::InputAvailable
            | StateName::ApprovalRequested
            | StateName::ApprovalResponded
            | StateName::OutputAvailable
            | StateName::OutputUnknown => false,
        };
        assert_eq!(text_of(html).contains(says), not_done, "{} in {}", fixture.name, lang.tag());
    });
    let before = text("cancel-output-error-booking-cancelled", Lang::En);
    assert!(before.contains("Cancelled before") && !before.contains("Not cancelled"), "{before}");
}

#[test]
fn a_table_that_came_free_is_told_at_a_glance() {
    let html = render(&part("booking-moved-up"), Lang::En);
    assert!(html.contains("data-receipt=\"confirmed\"") && html.contains("data-revision=\"1\""));
    let text = text_of(&html);
    for part in ["You have a table now", "Changed since", "This table is now held for you.", "MAY-4K7Q"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert!(!text.contains("waiting list") && !text.contains("Waiting"), "{text}");
    // A table from the start is no news.
    let plain = render(&self::part("booking-output-available"), Lang::En);
    assert!(!plain.contains("data-revision") && !text_of(&plain).contains("now held"));
}

#[test]
fn a_cancelled_receipt_crosses_its_reference_out_and_keeps_it_readable() {
    for name in ["booking-cancelled-since", "cancel-output-available"] {
        let html = render(&part(name), Lang::En);
        let crossed_out = html.split("<s>").nth(1).and_then(|rest| rest.split("</s>").next()).map(text_of);
        assert_eq!(crossed_out.as_deref(), Some("MAY-4K7Q"), "{name}");
        assert!(text_of(&html).contains("Cancelled, no table is held"), "{name}");
    }
    for name in ["booking-output-available", "booking-moved-up", "booking-waitlisted"] {
        assert!(!render(&part(name), Lang::En).contains("<s>"), "{name}");
    }
}

#[test]
fn a_receipt_tells_apart_what_was_proposed_what_ran_and_what_came_later() {
    let later = text("booking-changed-later", Lang::En);
    assert!(later.contains("Changed later") && later.contains("8:30 pm"), "{later}");
    assert!(!text("booking-output-available", Lang::En).contains("Changed later"));

    let edited = text("change-edited", Lang::En);
    assert!(edited.contains("What has changed"), "{edited}");
    assert!(edited.contains("What you changed from the assistant's proposal"), "{edited}");
    assert!(!edited.contains("Changed later"), "{edited}");

    let again = text("change-changed-later", Lang::En);
    assert!(again.contains("Changed later") && again.contains("6:00 pm, Sunday 6 December 2026"), "{again}");
    assert!(again.contains("8:30 pm, Saturday"), "what the change itself made stays told: {again}");
}

#[test]
fn a_list_offers_what_may_be_done_with_each_booking_and_nothing_else() {
    let buttons = |name: &str| {
        let html = render(&part(name), Lang::En);
        let labels = html.split("<button").skip(1).filter_map(|rest| rest.split("aria-label=\"").nth(1));
        labels.filter_map(|label| label.split('"').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(buttons("list-one"), ["Change: Bếp Mây, MAY-4K7Q", "Cancel: Bếp Mây, MAY-4K7Q"]);
    // Neither the past one nor, in the other, the cancelled one.
    assert_eq!(buttons("list-past"), buttons("list-one"));
    assert_eq!(buttons("list-output-available").len(), 4);
    let many = buttons("list-many");
    assert_eq!(many.len(), 32, "twenty bookings, four of them cancelled");
    let different: std::collections::BTreeSet<_> = many.iter().collect();
    assert_eq!(different.len(), many.len(), "each button says which booking it is about");

    let none = text("list-none", Lang::En);
    assert!(none.contains("You have no bookings.") && !none.contains("To come"), "{none}");
    let past = text("list-past", Lang::En);
    assert!(past.find("To come") < past.find("Past") && past.contains("Past"), "{past}");
    assert!(text("list-many", Lang::En).contains("7 more bookings are not shown."));
}

#[test]
fn an_update_is_told_by_the_booking_and_not_by_the_card() {
    let heard = |name: &str, lang| update_announcement(&part(name), lang);
    assert_eq!(
        heard("booking-moved-up", Lang::Vi),
        "Bàn ở Bếp Mây, 19:00, thứ Bảy 05/12/2026, 4 người đã được xác nhận."
    );
    assert_eq!(
        heard("booking-cancelled-since", Lang::Vi),
        "Bàn ở Bếp Mây, 19:00, thứ Bảy 05/12/2026, 4 người đã huỷ."
    );
    assert_eq!(
        heard("booking-cancelled-since", Lang::En),
        "Your booking at Bếp Mây, 7:00 pm, Saturday 5 December 2026, 4 people, is cancelled."
    );
}

#[test]
fn an_edited_booking_says_how_it_differs() {
    let all = fixtures::all();
    let edited = all.iter().find(|fixture| fixture.name == "booking-edited").expect("a fixture");
    let text = text_of(&render(&edited.part, Lang::En));
    for part in ["6:30 pm, Saturday 5 December 2026", "2 people", "4 people"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    let plain = all.iter().find(|fixture| fixture.name == "booking-output-available").expect("a fixture");
    assert!(!render(&plain.part, Lang::En).contains("<del"));
}

#[test]
fn hostile_text_is_shown_as_text() {
    let hostile = fixtures::hostile();
    for fixture in &hostile {
        for lang in Lang::ALL {
            let html = render(&fixture.part, lang);
            for forbidden in ["<script", "</script", "<b>", "\u{202e}", "\u{200f}"] {
                assert!(!html.contains(forbidden), "{forbidden:?} in {}: {html}", fixture.name);
            }
            // A form has one closing tag of its own.
            let ends = html.matches("</textarea").count();
            assert_eq!(ends, html.matches("<textarea").count(), "{}", fixture.name);
            let shown = html.contains("&lt;/textarea&gt;&lt;script&gt;alert(1)");
            let must_be_shown = match fixture.part.state() {
                StateName::OutputAvailable => true,
                // What a person is asked about is named.
                StateName::ApprovalRequested | StateName::OutputDenied => !matches!(
                    fixture.part,
                    ToolPart::ListBookings(_)
                        | ToolPart::GetWeather(_)
                        | ToolPart::FindTables(_)
                        | ToolPart::GetOrder(_)
                ),
                StateName::InputStreaming
                | StateName::InputAvailable
                | StateName::ApprovalResponded
                | StateName::OutputError
                | StateName::OutputCancelled
                | StateName::OutputUnknown => false,
            };
            assert!(shown || !must_be_shown, "the text must be there, escaped: {}", fixture.name);
        }
    }
    assert!(HOSTILE.contains('\u{202e}') && HOSTILE.contains('\u{200f}'));
}

fn weather(name: &str, lang: Lang) -> String {
    let all = fixtures::all();
    let found = all.iter().find(|fixture| fixture.name == format!("weather-{name}")).expect("a fixture");
    render(&found.part, lang)
}

#[test]
fn a_forecast_names_its_place_its_source_its_time_and_its_licence() {
    for (lang, mark, source, attribution) in [
        (
            Lang::Vi,
            "Dự báo",
            "Dự báo: Open-Meteo, 14:05 ngày 01/12 (giờ địa phương).",
            "Dữ liệu thời tiết của Open-Meteo.com",
        ),
        (
            Lang::En,
            "Forecast",
            "Forecast: Open-Meteo, 2:05 pm on 1 Dec (local time).",
            "Weather data by Open-Meteo.com",
        ),
    ] {
        let html = weather("open-meteo", lang);
        let text = text_of(&html);
        for part in [mark, source, attribution, "(CC BY 4.0)", "Đà Lạt, Lâm Đồng, Vietnam"] {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
        for part in ["mẫu", "Sample", "sample"] {
            assert!(!text.contains(part), "{part} in {text}");
        }
        let link = html.split("<a ").nth(1).expect("a link").split('>').next().expect("its end");
        assert!(link.contains("href=\"https://open-meteo.com/\""), "{link}");
        assert!(link.contains("rel=\"noreferrer noopener\""), "{link}");
    }
}

#[test]
fn sample_weather_claims_neither_a_forecast_nor_a_source() {
    for lang in Lang::ALL {
        let html = weather("output-available", lang);
        assert!(!html.contains("Open-Meteo") && !html.contains("<a "), "{html}");
        assert!(!html.contains("weather__place"), "{html}");
    }
}

#[test]
fn figures_that_are_not_known_are_not_shown_as_figures() {
    for (lang, none, sky, cold) in [
        (
            Lang::Vi,
            "không có số liệu",
            ["Tuyết", "Tuyết từng cơn", "Mưa băng", "Dông kèm mưa đá", "Không rõ"],
            "-20°",
        ),
        (
            Lang::En,
            "no figure",
            ["Snow", "Snow showers", "Freezing rain", "Thunderstorms with hail", "Not known"],
            "-20°",
        ),
    ] {
        let text = text_of(&weather("open-meteo-abroad", lang));
        assert_eq!(text.matches(none).count(), 2, "{text}");
        assert_eq!(text.matches('%').count(), 3, "{text}");
        for part in sky.into_iter().chain([cold, "Tromsø, Troms, Norway"]) {
            assert!(text.contains(part), "{part} is missing in {text}");
        }
    }
}

#[test]
fn nothing_needs_a_style_attribute_or_an_inline_handler() {
    every(|fixture, _, html| {
        assert!(!html.contains(" style="), "{}", fixture.name);
        for handler in [" onclick=", " onsubmit=", " oninput="] {
            assert!(!html.contains(handler), "{handler} in {}", fixture.name);
        }
    });
}

#[test]
fn both_languages_word_every_card_in_their_own_way() {
    for fixture in fixtures::all() {
        let [vietnamese, english] = Lang::ALL.map(|lang| text_of(&render(&fixture.part, lang)));
        assert_ne!(vietnamese, english, "{}", fixture.name);
    }
}

/// The opening tags of the buttons.
fn buttons(html: &str) -> Vec<&str> {
    html.split("<button").skip(1).filter_map(|rest| rest.split('>').next()).collect()
}

#[test]
fn while_bookings_are_paused_a_form_can_be_declined_and_not_confirmed() {
    for (name, has_effect) in [
        ("booking-approval-requested", true),
        ("change-approval-requested", true),
        ("cancel-approval-requested", true),
        ("refund-approval-requested", true),
        ("tables-approval-requested", false),
    ] {
        for (lang, sentence) in [(Lang::Vi, "nên chưa thể xác nhận"), (Lang::En, "you cannot confirm now")]
        {
            for is_paused in [false, true] {
                let html = render_in(&part(name), lang, |cx| CardContext {
                    ready: Signal::stored(true),
                    paused: Signal::stored(is_paused),
                    ..cx
                });
                let disabled: Vec<bool> =
                    buttons(&html).iter().map(|button| button.contains(" disabled")).collect();
                assert_eq!(disabled, [is_paused && has_effect, false], "confirm and decline in {html}");
                assert_eq!(text_of(&html).contains(sentence), is_paused && has_effect, "{html}");
            }
        }
    }
}

fn person(contact: Option<Contact>, sent: Option<HandoverOfRun>) -> PersonContext {
    PersonContext {
        contact_of_call: Callback::new(move |_| contact.clone()),
        demo_model: true,
        sent: Signal::stored(sent),
        hand_over: Callback::new(|_| ()),
    }
}

#[test]
fn an_unknown_outcome_offers_the_restaurant_or_the_house_and_a_person_with_a_reference() {
    let restaurant = || Contact { name: "Bếp Mây".to_owned(), contact: "0263 5550 112".to_owned() };
    let house = || Some("+84 28 3822 1234, <b>hỏi</b> Lan\u{202e}".to_owned());
    for name in [
        "booking-output-unknown",
        "change-output-unknown",
        "cancel-output-unknown",
        "refund-output-unknown",
        "untyped-output-unknown",
    ] {
        let card = part(name);
        for lang in Lang::ALL {
            let with = |contact: Option<Contact>| {
                render_in(&card, lang, |cx| CardContext {
                    house_contact: Signal::stored(house()),
                    person: Some(person(contact, None)),
                    ..cx
                })
            };
            let html = with(Some(restaurant()));
            assert!(html.contains("href=\"tel:02635550112\""), "{html}");
            assert!(!html.contains("tel:+842838221234"), "{html}");
            let html = with(None);
            assert!(html.contains("href=\"tel:+842838221234\""), "{html}");
            assert!(html.contains("&lt;b&gt;hỏi&lt;/b&gt;") && !html.contains('\u{202e}'), "{html}");
            assert!(html.contains(&format!("class=\"code\">{}<", card.tool_call_id())), "{html}");
            // The form is there, closed, each field with its label.
            assert!(html.contains("aria-expanded=\"false\"") && html.contains(" hidden"), "{html}");
            for field in ["<input", "<textarea"] {
                let tag = html.split(field).nth(1).and_then(|rest| rest.split('>').next()).unwrap();
                let id = tag.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
                assert!(html.contains(&format!("for=\"{id}\"")), "{id} in {html}");
            }
        }
    }
}

#[test]
fn what_was_sent_to_a_person_says_so_instead_of_the_form() {
    let sent = HandoverOfRun {
        reference: "ABC234".to_owned(),
        sent_at: fixtures::now(),
        run_id: RunId("r1".to_owned()),
    };
    let html = render_in(&part("booking-output-unknown"), Lang::En, |cx| CardContext {
        person: Some(person(None, Some(sent))),
        ..cx
    });
    assert!(html.contains("data-handover=\"ABC234\"") && !html.contains("<form"), "{html}");
    assert!(text_of(&html).contains("It is on the list for the house"), "{html}");
}

#[test]
fn only_an_unknown_outcome_and_a_failed_refund_call_for_a_person_by_themselves() {
    for fixture in fixtures::all() {
        let html =
            render_in(&fixture.part, Lang::Vi, |cx| CardContext { person: Some(person(None, None)), ..cx });
        let effect = match &fixture.part {
            ToolPart::CreateBooking(_)
            | ToolPart::ChangeBooking(_)
            | ToolPart::CancelBooking(_)
            | ToolPart::RefundOrder(_)
            | ToolPart::Untyped { .. } => true,
            ToolPart::GetWeather(_)
            | ToolPart::FindTables(_)
            | ToolPart::ListBookings(_)
            | ToolPart::GetOrder(_) => false,
        };
        let failed = fixture.name.starts_with("refund-failed-");
        let wanted = failed || (effect && fixture.part.state() == StateName::OutputUnknown);
        assert_eq!(html.contains("data-person"), wanted, "{}", fixture.name);
    }
}
