//! Whole conversations with the demo model, as guests write: in Vietnamese with and without diacritics,
//! and in English.

mod support;

use chrono::{DateTime, Datelike, Days, NaiveDate, Weekday};
use serde_json::{Value, json};
use support::{Guest, Server, assistant_text, evening, local_time, tool_parts};

fn kind(part: &Value) -> &str {
    part["type"].as_str().unwrap()
}

fn last_message(view: &Value) -> &Value {
    view["messages"].as_array().unwrap().last().unwrap()
}

fn last_tools(view: &Value) -> Vec<&Value> {
    last_message(view)["parts"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|part| kind(part).starts_with("tool-"))
        .collect()
}

fn last_words(view: &Value) -> String {
    let parts = last_message(view)["parts"].as_array().unwrap().iter();
    parts.filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
}

fn today() -> NaiveDate {
    chrono::Utc::now().with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive()
}

#[tokio::test]
async fn the_weather_of_two_cities_is_two_calls_of_one_message() {
    let server = Server::start(&[]);
    for text in [
        "Thời tiết Đà Lạt và Nha Trang hôm nay thế nào?",
        "thoi tiet da lat va nha trang hom nay the nao",
        "What is the weather in Da Lat and Nha Trang today?",
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        assert_eq!(view["run"]["status"], "done", "{text}");
        let tools = last_tools(&view);
        let seen: Vec<_> = tools
            .iter()
            .map(|part| {
                (kind(part), part["state"].as_str().unwrap(), part["output"]["city"].as_str().unwrap())
            })
            .collect();
        let wanted = [
            ("tool-getWeather", "output-available", "Đà Lạt"),
            ("tool-getWeather", "output-available", "Nha Trang"),
        ];
        assert_eq!(seen, wanted, "{text}");
        assert!(tools.iter().all(|part| part["output"]["source"] == "sample"));
        // Asked for in one turn: one model call, then the answer.
        assert_eq!(view["run"]["step"], 2, "{text}");
        assert!(!last_words(&view).trim().is_empty(), "{text}");
    }
}

#[tokio::test]
async fn a_weekend_is_asked_for_up_to_its_sunday() {
    let server = Server::start(&[]);
    for text in [
        "Cuối tuần này ở Đà Lạt có mưa không?",
        "cuoi tuan nay o da lat co mua khong",
        "Will it rain in Da Lat this weekend?",
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{text}: {view:#}");
        let days = tools[0]["output"]["days"].as_array().unwrap();
        let dates: Vec<NaiveDate> =
            days.iter().map(|day| day["date"].as_str().unwrap().parse().unwrap()).collect();
        assert_eq!(dates.first(), Some(&today()), "{text}");
        assert!(dates.iter().any(|date| date.weekday() == Weekday::Sun), "{text}: {dates:?}");
    }
}

#[tokio::test]
async fn tomorrow_is_two_days_and_the_city_is_remembered() {
    let server = Server::start(&[]);
    for (first, then) in [
        ("Ngày mai Huế có mưa không?", "Còn Đà Nẵng thì sao?"),
        ("ngay mai hue co mua khong", "con da nang thi sao"),
        ("Will it rain in Hue tomorrow?", "And in Da Nang?"),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, first).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{first}: {view:#}");
        assert_eq!(
            (&tools[0]["output"]["city"], &tools[0]["input"]["days"]),
            (&json!("Huế"), &json!(2)),
            "{first}"
        );
        let view = guest.say(&conversation, then).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{then}: {view:#}");
        assert_eq!(tools[0]["output"]["city"], "Đà Nẵng", "{then}: {view:#}");
        assert_eq!(tools[0]["input"]["days"], 2, "{then}");
    }
}

/// `19:00 ngày 05/12/2026`, as the card writes it.
fn on_the_card(name: &str, time: DateTime<chrono::FixedOffset>, people: u64) -> String {
    format!("Tôi chọn {name}, {} ngày {}, {people} người.", time.format("%H:%M"), time.format("%d/%m/%Y"))
}

#[tokio::test]
async fn a_table_is_found_chosen_on_the_card_confirmed_and_has_a_receipt() {
    let server = Server::start(&[]);
    for (text, party) in [
        ("Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai", 4),
        ("tim ban o da lat cho bon nguoi luc 7 gio toi mai", 4),
        ("Find a table in Da Lat for two tomorrow at 7 pm", 2),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{text}: {view:#}");
        let input = &tools[0]["input"];
        assert_eq!((kind(tools[0]), &input["partySize"]), ("tool-findTables", &json!(party)), "{text}");
        assert_eq!(input["startsAt"], local_time(1, 19, 0), "{text}");
        let options = tools[0]["output"]["restaurants"].as_array().unwrap();
        assert!(options.len() > 1, "{text}");

        // Not the first one and not the wanted time: what the card says counts.
        let option = &options[1];
        let times: Vec<DateTime<chrono::FixedOffset>> =
            serde_json::from_value(option["freeTimes"].clone()).unwrap();
        let time = *times.last().unwrap();
        let choice = on_the_card(option["name"].as_str().unwrap(), time, party);
        let view = guest.say(&conversation, &choice).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{choice}: {view:#}");
        let form = last_tools(&view)[0];
        assert_eq!((kind(form), &form["state"]), ("tool-createBooking", &json!("approval-requested")));
        assert_eq!(form["input"]["restaurantId"], option["restaurantId"], "{choice}");
        assert_eq!(
            form["input"]["startsAt"],
            option["freeTimes"].as_array().unwrap().last().unwrap().clone(),
            "{choice}"
        );
        assert_eq!(form["input"]["partySize"], party, "{choice}");

        let (call, approval) = guest.waiting_call(&conversation, 0).await;
        guest
            .decide(&conversation, &call, json!({ "approved": true, "approvalId": approval }))
            .await
            .expect(200);
        let view = guest.settled(&conversation).await;
        assert_eq!(view["run"]["status"], "done");
        let receipt = last_tools(&view)[0];
        assert_eq!(receipt["state"], "output-available");
        assert_eq!(receipt["output"]["status"], "confirmed");
        assert_eq!(receipt["output"]["restaurantName"], option["name"]);
        let book = server.database().await.bookings().await;
        assert!(
            book.iter().any(|booking| receipt["output"]["reference"] == booking.reference.as_str()),
            "{book:?}"
        );
    }
    assert_eq!(server.database().await.bookings().await.len(), 3);
}

#[tokio::test]
async fn a_table_is_chosen_in_words() {
    let server = Server::start(&[]);
    for (text, choice, index) in [
        ("Tìm bàn ở Hà Nội cho 2 người lúc 7 giờ tối mai", "Quán thứ hai nhé", 1),
        ("tim ban o ha noi cho 2 nguoi luc 7 gio toi mai", "lay quan dau tien", 0),
        ("Find a table in Hanoi for 2 people tomorrow at 7pm", "The second one, please", 1),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        let id = last_tools(&view)[0]["output"]["restaurants"][index]["restaurantId"].clone();
        let view = guest.say(&conversation, choice).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{choice}: {view:#}");
        assert_eq!(last_tools(&view)[0]["input"]["restaurantId"], id, "{choice}");
    }
}

#[tokio::test]
async fn what_is_missing_is_asked_for_and_nothing_is_called() {
    let server = Server::start(&[]);
    for (texts, asks) in [
        (["Tôi muốn đặt bàn", "Ở Đà Lạt", "4 người", "7 giờ tối mai"], '?'),
        (["toi muon dat ban", "o da lat", "4 nguoi", "7 gio toi mai"], '?'),
        (["I would like to book a table", "In Da Lat", "4 people", "tomorrow at 7 pm"], '?'),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let (last, first) = texts.split_last().unwrap();
        for text in first {
            let view = guest.say(&conversation, text).await;
            assert_eq!(view["run"]["status"], "done", "{text}");
            assert_eq!(tool_parts(&view).count(), 0, "{text}: {view:#}");
            assert!(last_words(&view).contains(asks), "{text}: {}", last_words(&view));
        }
        let view = guest.say(&conversation, last).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{last}: {view:#}");
        assert_eq!(tools[0]["input"]["startsAt"], local_time(1, 19, 0));
        assert_eq!(tools[0]["input"]["partySize"], 4);
        assert_eq!(tools[0]["output"]["city"], "Đà Lạt");
    }
}

#[tokio::test]
async fn weekdays_and_halves_of_the_day_are_understood() {
    let server = Server::start(&[]);
    // The next Saturday that is still to come in the evening, as everybody means it on other days.
    let saturday = (1..=7).filter_map(|ahead| today().checked_add_days(Days::new(ahead)));
    let saturday = saturday.into_iter().find(|date| date.weekday() == Weekday::Sat).unwrap();
    for text in [
        "Tìm bàn ở Đà Nẵng cho năm người 7 giờ tối thứ bảy",
        "tim ban o da nang cho nam nguoi 7 gio toi thu bay",
        "A table for five in Da Nang on Saturday at 7 pm please",
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        let tools = last_tools(&view);
        assert_eq!(tools.len(), 1, "{text}: {view:#}");
        assert_eq!(tools[0]["input"]["partySize"], 5, "{text}");
        let starts_at = tools[0]["input"]["startsAt"].as_str().unwrap();
        let on_saturday = starts_at == format!("{saturday}T19:00:00+07:00");
        // On a Saturday it is that same day.
        let is_today = today().weekday() == Weekday::Sat && starts_at == local_time(0, 19, 0);
        assert!(on_saturday || is_today, "{text}: {starts_at}");
    }
}

#[tokio::test]
async fn what_is_not_understood_is_said_with_what_can_be_done() {
    let server = Server::start(&[]);
    for (text, not_understood, able) in [
        ("Xyz qwrt blub", &["chưa hiểu", "did not understand"][..], &["thời tiết", "weather"][..]),
        ("Viết cho tôi một bài thơ về mùa thu", &["chưa"], &["thời tiết"]),
        ("viet cho toi mot bai tho ve mua thu", &["chưa"], &["thời tiết"]),
        ("Please write me a poem about dragons", &["not"], &["weather"]),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        assert_eq!(view["run"]["status"], "done", "{text}");
        assert_eq!(tool_parts(&view).count(), 0, "{text}: {view:#}");
        let said = assistant_text(&view);
        assert!(not_understood.iter().any(|words| said.contains(words)), "{text}: {said}");
        assert!(able.iter().any(|words| said.contains(words)), "{text}: {said}");
    }
}

#[tokio::test]
async fn it_answers_in_the_guests_language() {
    let server = Server::start(&[]);
    for (text, words) in [
        ("Xin chào", "Xin chào"),
        ("Hello", "Hello"),
        ("Bạn làm được gì?", "thời tiết"),
        ("What can you do?", "weather"),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        assert!(assistant_text(&view).contains(words), "{text}: {}", assistant_text(&view));
    }
}

#[tokio::test]
async fn a_city_without_restaurants_and_one_without_weather_are_told() {
    let server = Server::start(&[]);
    for text in ["Tìm bàn ở Huế cho 4 người lúc 7 giờ tối mai", "Find a table in Hue for 4 tomorrow at 7 pm"]
    {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, text).await;
        assert_eq!(view["run"]["status"], "done", "{text}");
        let tools = last_tools(&view);
        assert_eq!(
            (&tools[0]["state"], &tools[0]["code"]),
            (&json!("output-error"), &json!("unknown-city")),
            "{text}"
        );
        assert!(last_words(&view).contains("Đà Lạt"), "{text}: {}", last_words(&view));
    }
}

#[tokio::test]
async fn a_declined_proposal_is_changed_and_asked_again() {
    let server = Server::start(&[]);
    for (text, choice, change) in [
        ("Tìm bàn ở Đà Lạt cho 4 người lúc 7 giờ tối mai", "Tôi chọn Mây Núi", "Đổi thành 6 người"),
        ("tim ban o da lat cho 4 nguoi luc 7 gio toi mai", "toi chon may nui", "doi thanh 6 nguoi"),
        ("Find a table in Da Lat for 4 tomorrow at 7 pm", "I take Mây Núi", "Make it 6 people"),
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        guest.say(&conversation, text).await;
        let view = guest.say(&conversation, choice).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{choice}: {view:#}");
        let (call, approval) = guest.waiting_call(&conversation, 0).await;
        guest
            .decide(&conversation, &call, json!({ "approved": false, "approvalId": approval }))
            .await
            .expect(200);
        let view = guest.settled(&conversation).await;
        assert_eq!(last_tools(&view)[0]["state"], "output-denied");
        assert!(!last_words(&view).trim().is_empty());
        let view = guest.say(&conversation, change).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{change}: {view:#}");
        let form = last_tools(&view)[0];
        assert_eq!(
            (&form["input"]["partySize"], &form["input"]["restaurantId"]),
            (&json!(6), &json!("dl-may-nui"))
        );
    }
    assert_eq!(server.database().await.bookings().await, []);
}

#[tokio::test]
async fn the_same_words_get_the_same_answer() {
    let server = Server::start(&[]);
    let mut said = Vec::new();
    for _ in 0..2 {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        let view = guest.say(&conversation, "Thời tiết Đà Lạt ngày mai").await;
        let tools: Vec<_> =
            tool_parts(&view).map(|part| (part["input"].clone(), part["output"].clone())).collect();
        said.push((assistant_text(&view), tools));
    }
    assert_eq!(said[0], said[1]);
}

/// Finds tables at seven on an evening when all are open, books at one, and gives the receipt.
async fn book(guest: &Guest, conversation: &str, find: &str, choose: &str) -> Value {
    let view = guest.say(conversation, find).await;
    assert_eq!(kind(last_tools(&view)[0]), "tool-findTables", "{find}: {view:#}");
    let view = guest.say(conversation, choose).await;
    assert_eq!(view["run"]["status"], "awaiting-approval", "{choose}: {view:#}");
    decide(guest, conversation, true).await
}

/// Decides the form that waits, and gives the last part.
async fn decide(guest: &Guest, conversation: &str, approved: bool) -> Value {
    let (call, approval) = guest.waiting_call(conversation, 0).await;
    let body = json!({ "approved": approved, "approvalId": approval });
    guest.decide(conversation, &call, body).await.expect(200);
    let view = guest.settled(conversation).await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    last_tools(&view).last().copied().unwrap().clone()
}

/// `19:00` on an evening when all restaurants are open, and the words for that day.
fn at_seven() -> (String, String) {
    let starts_at = evening(3);
    let time: DateTime<chrono::FixedOffset> = starts_at.parse().unwrap();
    (starts_at.clone(), time.format("%d/%m/%Y").to_string())
}

fn at(starts_at: &str, time: &str) -> String {
    starts_at.replace("T19:00", &format!("T{time}"))
}

#[tokio::test]
async fn a_booking_is_listed_changed_cancelled_and_made_again() {
    let server = Server::start(&[]);
    let (starts_at, day) = at_seven();
    for [find, choose, list, change, refused, cancel, gone, again] in [
        [
            "Tìm bàn ở Đà Lạt cho 4 người lúc 19:00 ngày",
            "Tôi chọn Mây Núi",
            "Tôi đã đặt bàn nào?",
            "Đổi sang 20:00 cho 6 người",
            "giữ nguyên",
            "Huỷ bàn đó",
            "Bàn đã được huỷ",
            "Đặt lại bàn đó",
        ],
        [
            "tim ban o da lat cho 4 nguoi luc 19:00 ngay",
            "toi chon may nui",
            "toi da dat ban nao",
            "doi sang 20:00 cho 6 nguoi",
            "giữ nguyên",
            "huy ban",
            "Bàn đã được huỷ",
            "dat lai ban do",
        ],
        [
            "Find a table in Da Lat for 4 people at 19:00 on",
            "I take Mây Núi",
            "What have I booked?",
            "Make it 6 people at 8 pm",
            "stays as it is",
            "Cancel it",
            "booking is cancelled",
            "Book it again",
        ],
    ] {
        let (guest, conversation) = Guest::with_conversation(&server, "").await;
        // English reads 5/12 either way.
        let day = if find.is_ascii() && find.starts_with("Find") { &starts_at[..10] } else { &day };
        let receipt = book(&guest, &conversation, &format!("{find} {day}"), choose).await;
        assert_eq!(receipt["output"]["startsAt"], starts_at, "{find}");
        let id = &receipt["output"]["bookingId"];

        let view = guest.say(&conversation, list).await;
        let shown = last_tools(&view)[0];
        assert_eq!((kind(shown), &shown["state"]), ("tool-listBookings", &json!("output-available")));
        assert_eq!(shown["output"]["bookings"], json!([receipt["output"]]), "{list}");
        assert!(last_words(&view).contains('1'), "{list}: {}", last_words(&view));

        // A change that is declined leaves it as it is.
        let view = guest.say(&conversation, change).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{change}: {view:#}");
        let form = last_tools(&view)[0];
        assert_eq!(kind(form), "tool-changeBooking");
        let wanted = json!({ "bookingId": id, "startsAt": at(&starts_at, "20:00"), "partySize": 6 });
        assert_eq!(form["input"], wanted, "{change}");
        assert_eq!(decide(&guest, &conversation, false).await["state"], "output-denied");
        let view = guest.view(&conversation).await;
        assert!(last_words(&view).contains(refused), "{change}: {}", last_words(&view));
        guest.say(&conversation, change).await;
        let changed = decide(&guest, &conversation, true).await;
        assert_eq!(
            (
                &changed["output"]["bookingId"],
                &changed["output"]["startsAt"],
                &changed["output"]["partySize"]
            ),
            (id, &json!(at(&starts_at, "20:00")), &json!(6)),
            "{change}"
        );

        let view = guest.say(&conversation, cancel).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{cancel}: {view:#}");
        assert_eq!(last_tools(&view)[0]["input"], json!({ "bookingId": id }), "{cancel}");
        assert_eq!(decide(&guest, &conversation, true).await["output"]["status"], "cancelled");
        let view = guest.view(&conversation).await;
        assert!(last_words(&view).contains(gone), "{cancel}: {}", last_words(&view));

        // The same time once more is a new booking.
        let view = guest.say(&conversation, again).await;
        assert_eq!(view["run"]["status"], "awaiting-approval", "{again}: {view:#}");
        let anew = decide(&guest, &conversation, true).await;
        assert_eq!((kind(&anew), &anew["output"]["status"]), ("tool-createBooking", &json!("confirmed")));
        assert_eq!(anew["output"]["startsAt"], at(&starts_at, "20:00"), "{again}");
        assert_eq!(anew["output"]["partySize"], 6, "{again}");
        assert_ne!(&anew["output"]["bookingId"], id, "{again}");
        let states: Vec<Value> = tool_parts(&guest.view(&conversation).await)
            .map(|part| part["output"]["status"].clone())
            .collect();
        assert_eq!(states.first(), Some(&Value::Null), "the search");
        assert_eq!(states.get(1), Some(&json!("cancelled")), "the first receipt follows");
    }
    let book = server.database().await.bookings().await;
    let live = book.iter().filter(|booking| booking.status == "confirmed").count();
    assert_eq!((book.len(), live), (6, 3), "{book:?}");
}

#[tokio::test]
async fn what_is_cancelled_in_one_conversation_is_known_in_the_other() {
    let server = Server::start(&[]);
    let (starts_at, day) = at_seven();
    let (mut guest, first) = Guest::with_conversation(&server, "").await;
    let find = format!("Tìm bàn ở Đà Lạt cho 4 người lúc 19:00 ngày {day}");
    let receipt = book(&guest, &first, &find, "Tôi chọn Mây Núi").await;

    // The other conversation knows nothing of it: it looks first.
    let second = guest.converse(json!({})).await;
    let view = guest.say(&second, "Huỷ bàn ở Mây Núi").await;
    assert_eq!(view["run"]["status"], "awaiting-approval", "{view:#}");
    let kinds: Vec<&str> = last_tools(&view).into_iter().map(kind).collect();
    assert_eq!(kinds, ["tool-listBookings", "tool-cancelBooking"]);
    assert_eq!(last_tools(&view)[1]["input"]["bookingId"], receipt["output"]["bookingId"]);
    assert_eq!(decide(&guest, &second, true).await["output"]["status"], "cancelled");

    // There is nothing left to change, and the first conversation knows it without being told by the guest.
    let view = guest.say(&first, "Huỷ bàn đó").await;
    assert_eq!(view["run"]["status"], "done", "{view:#}");
    let kinds: Vec<&str> = last_tools(&view).into_iter().map(kind).collect();
    assert_eq!(kinds, ["tool-listBookings"]);
    assert!(last_words(&view).contains("không có bàn nào sắp tới"), "{}", last_words(&view));
    let view = guest.say(&first, "Đặt lại bàn đó").await;
    let form = last_tools(&view)[0];
    assert_eq!((kind(form), &form["state"]), ("tool-createBooking", &json!("approval-requested")));
    assert_eq!(form["input"]["startsAt"], starts_at);
    assert_eq!(decide(&guest, &first, true).await["output"]["status"], "confirmed");
}

#[tokio::test]
async fn a_card_s_buttons_speak_so_that_it_is_understood() {
    let server = Server::start(&[]);
    let (_, day) = at_seven();
    let (mut guest, first) = Guest::with_conversation(&server, "").await;
    let find = format!("Tìm bàn ở Đà Lạt cho 4 người lúc 19:00 ngày {day}");
    let one = book(&guest, &first, &find, "Tôi chọn Mây Núi").await;
    let find = format!("Tìm bàn ở Đà Nẵng cho 2 người lúc 19:00 ngày {day}");
    let other = book(&guest, &first, &find, "Tôi chọn Sóng Khuya").await;
    for (list, change, cancel) in [
        ("Xem các bàn tôi đã đặt", "Tôi muốn đổi bàn {}.", "Tôi muốn huỷ bàn {}."),
        ("Show my bookings", "Change my booking {}.", "Cancel my booking {}."),
    ] {
        let conversation = guest.converse(json!({})).await;
        let view = guest.say(&conversation, list).await;
        assert_eq!(last_tools(&view)[0]["output"]["bookings"].as_array().unwrap().len(), 2, "{list}");
        for booking in [&one, &other] {
            let output = &booking["output"];
            let reference = output["reference"].as_str().unwrap();
            let view = guest.say(&conversation, &change.replace("{}", reference)).await;
            assert_eq!((last_tools(&view).len(), &view["run"]["status"]), (0, &json!("done")), "{view:#}");
            assert!(last_words(&view).contains(reference), "{}", last_words(&view));
            let view = guest.say(&conversation, &cancel.replace("{}", reference)).await;
            assert_eq!(view["run"]["status"], "awaiting-approval", "{cancel} {reference}: {view:#}");
            assert_eq!(last_tools(&view)[0]["input"]["bookingId"], output["bookingId"]);
            assert_eq!(decide(&guest, &conversation, false).await["state"], "output-denied");
        }
    }
    let book = server.database().await.bookings().await;
    assert!(book.iter().all(|booking| booking.status == "confirmed"), "{book:?}");
}

#[tokio::test]
async fn a_full_evening_keeps_the_old_table_and_a_freed_one_is_good_news() {
    let server = Server::start(&[]);
    let (starts_at, day) = at_seven();
    let (early, early_chat) = Guest::with_conversation(&server, "").await;
    let (late, late_chat) = Guest::with_conversation(&server, "").await;
    // Eight seats in all.
    let find = |people: u8, time: &str| format!("Tìm bàn ở Đà Lạt cho {people} người lúc {time} ngày {day}");
    let view = late.say(&late_chat, &find(6, "19:00")).await;
    assert!(last_tools(&view)[0]["output"].to_string().contains("Nhà Kính Nhỏ"), "{view:#}");
    let first = book(&early, &early_chat, &find(7, "19:00"), "Tôi chọn Nhà Kính Nhỏ lúc 19:00").await;
    assert_eq!(
        (&first["output"]["status"], &first["output"]["startsAt"]),
        (&json!("confirmed"), &json!(starts_at))
    );

    let view = late.say(&late_chat, "Tôi chọn Nhà Kính Nhỏ lúc 19:00").await;
    assert_eq!(view["run"]["status"], "awaiting-approval", "{view:#}");
    assert_eq!(decide(&late, &late_chat, true).await["output"]["status"], "waitlisted");
    assert!(last_words(&late.view(&late_chat).await).contains("danh sách chờ"));

    // A change that cannot be had: the old table stays. Its own time is the only one with room.
    let other = late.say(&late_chat, &find(4, "21:00")).await;
    assert_eq!(kind(last_tools(&other)[0]), "tool-findTables");
    late.say(&late_chat, "Tôi chọn Nhà Kính Nhỏ lúc 21:00").await;
    let second = decide(&late, &late_chat, true).await;
    assert_eq!(second["output"]["status"], "confirmed");
    let reference = second["output"]["reference"].as_str().unwrap();
    let view = late.say(&late_chat, &format!("Đổi bàn {reference} sang 20:00")).await;
    assert_eq!(last_tools(&view)[0]["code"], "full", "{view:#}");
    let said = last_words(&view);
    assert!(said.contains("các giờ gần đó cũng vậy, nên tôi giữ nguyên bàn cũ"), "{said}");

    early.say(&early_chat, "Huỷ bàn đó").await;
    assert_eq!(decide(&early, &early_chat, true).await["output"]["status"], "cancelled");
    let view = late.say(&late_chat, "Xin chào").await;
    assert!(last_words(&view).contains("Tin vui"), "{}", last_words(&view));
    assert!(last_words(&view).contains("Nhà Kính Nhỏ"), "{}", last_words(&view));
    let view = late.say(&late_chat, "Cảm ơn").await;
    assert!(!last_words(&view).contains("Tin vui"), "{}", last_words(&view));
}
