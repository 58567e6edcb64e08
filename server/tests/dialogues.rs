//! Whole conversations with the demo model, as guests write: in Vietnamese with and without diacritics,
//! and in English.

mod support;

use chrono::{DateTime, Datelike, Days, NaiveDate, Weekday};
use serde_json::{Value, json};
use support::{Guest, Server, assistant_text, local_time, tool_parts};

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
