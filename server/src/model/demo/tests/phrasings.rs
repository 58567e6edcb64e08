//! Single messages, as guests may put them, and the call that they must give.

use super::super::nlu::assert_rows;
use shared::tools::{FindTablesInput, GetWeatherInput};

use super::*;

async fn call(said: &str) -> (String, Value) {
    let mut talk = Talk::with("helpful");
    let turn = talk.say(said).await;
    turn.called().into_iter().next().unwrap_or((turn.text.clone(), Value::Null))
}

#[tokio::test]
async fn tables() {
    let mut rows = Vec::new();
    // City, day of December (0: the last of November), time, party.
    for (said, city, day, time, party) in [
        ("Đặt bàn ở Đà Lạt cho 4 người lúc 7 giờ tối thứ bảy", "Đà Lạt", 5, "19:00", 4),
        ("dat ban o da lat cho 4 nguoi luc 7 gio toi thu bay", "Đà Lạt", 5, "19:00", 4),
        ("DAT BAN O DA LAT CHO 4 NGUOI LUC 7 GIO TOI THU BAY", "Đà Lạt", 5, "19:00", 4),
        ("Toi muon dat ban toi mai 7h30 o sg cho 2 nguoi", "TP. Hồ Chí Minh", 1, "19:30", 2),
        ("tối mai 7 giờ tụi mình 5 đứa ở Sài Gòn, còn bàn không?", "TP. Hồ Chí Minh", 1, "19:00", 5),
        ("cho mình 1 bàn 6 người, 19h chủ nhật, hn nhé", "Hà Nội", 6, "19:00", 6),
        ("đặt giúp bàn cho hai vợ chồng trưa mai 12h ở Đà Nẵng", "Đà Nẵng", 1, "12:00", 2),
        ("Tìm nhà hàng hải sản ở Đà Nẵng, 2 người lớn 2 trẻ em, 18h30 ngày 5/12", "Đà Nẵng", 5, "18:30", 4),
        (
            "quán nướng nào ở tp.hcm còn chỗ cho mười người bảy rưỡi tối t7 không",
            "TP. Hồ Chí Minh",
            5,
            "19:30",
            10,
        ),
        ("tối nay 8 giờ đi ăn ở Hà Nội, ba người", "Hà Nội", 0, "20:00", 3),
        ("Mai tôi với bạn gái muốn ăn tối ở Đà Lạt lúc 7 giờ", "Đà Lạt", 1, "19:00", 2),
        ("đặt chỗ một mình, 12 giờ trưa mốt, Huế", "Huế", 2, "12:00", 1),
        ("book bàn 4ng 19h30 5/12 dalat", "Đà Lạt", 5, "19:30", 4),
        ("Book a table for two in Hanoi tomorrow at 7 pm", "Hà Nội", 1, "19:00", 2),
        (
            "I'd like a table for 4 in Da Lat on Saturday at half past seven in the evening",
            "Đà Lạt",
            5,
            "19:30",
            4,
        ),
        (
            "Can you find us a restaurant in Ho Chi Minh City for six, Dec 5, 7:30pm?",
            "TP. Hồ Chí Minh",
            5,
            "19:30",
            6,
        ),
        ("dinner for 2 adults and 2 kids in Da Nang tonight at 8", "Đà Nẵng", 0, "20:00", 4),
        ("reserve lunch tomorrow at noon in Hue, party of six", "Huế", 1, "12:00", 6),
        ("table for one, Saigon, 2026-12-05 19:00", "TP. Hồ Chí Minh", 5, "19:00", 1),
        ("we are 5, looking for seafood in danang on 5 December at 6:30 pm", "Đà Nẵng", 5, "18:30", 5),
        ("My wife and I want dinner in Dalat next friday at 7", "Đà Lạt", 11, "19:00", 2),
        ("somewhere to eat in Hanoi for 3 people in 3 days at 19:30", "Hà Nội", 3, "19:30", 3),
        ("Đặt bàn tại Nha Trang, 8 khách, 11 giờ trưa thứ 4 tuần sau", "Nha Trang", 9, "11:00", 8),
        ("cần bàn cho nhóm 8, tối t6 lúc 18h, vũng tàu", "Vũng Tàu", 4, "18:00", 8),
        ("5 giờ chiều mai có bàn nào cho 2 người ở hội an không", "Hội An", 1, "17:00", 2),
        ("bảy giờ tối ngày mai, bốn người, Đà Lạt, đặt bàn giúp em", "Đà Lạt", 1, "19:00", 4),
    ] {
        let date = if day == 0 { "2026-11-30".to_owned() } else { format!("2026-12-{day:02}") };
        let (name, mut input) = call(said).await;
        if let Some(fields) = input.as_object_mut() {
            fields.remove("cuisine");
        }
        let starts_at = format!("{date}T{time}:00+07:00");
        let wanted = json!({ "city": city, "startsAt": starts_at, "partySize": party });
        rows.push((said, (name, input), ("findTables".to_owned(), wanted)));
    }
    assert_rows(rows);
}

#[tokio::test]
async fn weather() {
    let mut rows = Vec::new();
    for (said, city, days) in [
        ("Thời tiết Đà Lạt hôm nay thế nào?", "Đà Lạt", 1),
        ("thoi tiet da lat", "Đà Lạt", 1),
        ("thoi tiet ha noi ngay mai the nao", "Hà Nội", 2),
        ("Mai Sài Gòn có mưa không?", "TP. Hồ Chí Minh", 2),
        ("sg mai mua ko", "TP. Hồ Chí Minh", 2),
        ("hn t7 mua khong", "Hà Nội", 6),
        ("cuối tuần này Đà Nẵng nắng không", "Đà Nẵng", 7),
        ("cuoi tuan da nang co mua ko", "Đà Nẵng", 7),
        ("Huế 3 ngày tới thời tiết ra sao", "Huế", 3),
        ("dự báo 5 ngày cho Nha Trang", "Nha Trang", 5),
        ("tối mai ở Vũng Tàu trời có lạnh không", "Vũng Tàu", 2),
        ("thứ năm Sa Pa bao nhiêu độ", "Sa Pa", 4),
        ("đi Đà Lạt chủ nhật có cần mang áo khoác không, trời lạnh không", "Đà Lạt", 7),
        ("ngày 3/12 Hải Phòng có bão không", "Hải Phòng", 4),
        ("What's the weather in Hanoi?", "Hà Nội", 1),
        ("will it rain in Da Lat tomorrow", "Đà Lạt", 2),
        ("is it going to rain this weekend in Hoi An?", "Hội An", 7),
        ("Hue weather on Saturday", "Huế", 6),
        ("forecast for Can Tho for the next 3 days", "Cần Thơ", 3),
        ("do I need an umbrella in Saigon tonight", "TP. Hồ Chí Minh", 1),
        ("how hot will it be in Nha Trang on Dec 4", "Nha Trang", 5),
        ("5-day forecast for Ha Long please", "Hạ Long", 5),
        ("temperature in Phu Quoc in 2 days", "Phú Quốc", 3),
        ("what should I wear in Sapa on friday", "Sa Pa", 5),
        ("Vinh có mưa không", "Vinh", 1),
    ] {
        rows.push((said, call(said).await, ("getWeather".to_owned(), json!({ "city": city, "days": days }))));
    }
    assert_rows(rows);
}

/// Words in any order, with numbers and marks anywhere: no order of them breaks it, and whatever it
/// calls has a full time, a city and a party that a table has.
#[tokio::test]
async fn any_order_of_words_gives_a_reply() {
    const WORDS: [&str; 72] = [
        "đặt",
        "bàn",
        "ở",
        "Đà Lạt",
        "hue",
        "tối",
        "mai",
        "thứ",
        "bảy",
        "7",
        "giờ",
        "h",
        "30",
        ":",
        "/",
        "-",
        "12",
        "2026",
        ".",
        ",",
        "người",
        "4",
        "hai",
        "for",
        "at",
        "pm",
        "the",
        "first",
        "one",
        "5th",
        "of",
        "december",
        "tuần",
        "sau",
        "sang",
        "đổi",
        "không",
        "mưa",
        "weather",
        "in",
        "3",
        "days",
        "ngày",
        "nữa",
        "half",
        "past",
        "kém",
        "15",
        "rưỡi",
        "và",
        "my",
        "wife",
        "and",
        "i",
        "quán",
        "số",
        "#",
        "hay",
        "ghi chú:",
        "dị ứng",
        "noon",
        "next",
        "t7",
        "may",
        "trong đó",
        "99999999999",
        "0",
        "🙂",
        "\u{301}",
        "đến",
        "from",
        "to",
    ];
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..400 {
        let length = 1 + next(14);
        let mut said = String::new();
        for _ in 0..length {
            said.push_str(WORDS[next(WORDS.len())]);
            said.push_str(if next(4) == 0 { "" } else { " " });
        }
        if said.trim().is_empty() {
            continue;
        }
        let mut talk = Talk::with("helpful");
        talk.say(&said).await;
        for (name, input) in &talk.last.called() {
            if name == "findTables" {
                serde_json::from_value::<FindTablesInput>(input.clone()).expect("a valid input");
                assert!((1..=20).contains(&input["partySize"].as_u64().unwrap_or(0)), "{said}: {input}");
            } else if name == "listBookings" {
                assert_eq!(input, &json!({}), "{said}");
            } else {
                serde_json::from_value::<GetWeatherInput>(input.clone()).expect("a valid input");
                assert!((1..=7).contains(&input["days"].as_u64().unwrap_or(0)), "{said}: {input}");
            }
        }
        assert!(!talk.last.text.is_empty() || !talk.last.calls.is_empty(), "{said}");
    }
}
