//! Longer dialogues with the helpful persona.

use super::*;

#[tokio::test]
async fn slots_add_up_over_the_turns() {
    let mut talk = Talk::with("helpful");
    let turn = talk.say("Tôi muốn đặt bàn").await;
    turn.ends().says("thành phố nào").says("ngày nào").says("mấy giờ").says("mấy người");
    let turn = talk.say("ở Đà Lạt, 4 người").await;
    assert_eq!(turn.ends().text, "Để tìm bàn, cho tôi biết thêm: ngày nào và mấy giờ?");
    talk.say("tối thứ bảy").await.ends().says("mấy giờ");
    let input = talk.say("7 giờ").await.only("findTables");
    assert_eq!(input, json!({ "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4 }));
}

#[tokio::test]
async fn a_bare_number_answers_the_open_question() {
    let mut talk = Talk::with("helpful");
    talk.say("Đặt bàn ở Huế 7 giờ tối mai").await.ends().says("mấy người");
    assert_eq!(talk.say("4").await.only("findTables")["partySize"], 4);
    let mut talk = Talk::with("helpful");
    talk.say("Book a table in Hanoi for 2 tomorrow").await.ends().says("at what time");
    assert_eq!(talk.say("8").await.only("findTables")["startsAt"], "2026-12-01T20:00:00+07:00");
    let mut talk = Talk::with("helpful");
    talk.say("Đặt bàn ở Huế ngày mai").await;
    talk.say("7").await.ends().says("mấy giờ").says("mấy người");
}

#[tokio::test]
async fn an_open_hour_is_asked_for() {
    let mut talk = Talk::with("helpful");
    talk.say("Đặt bàn ở Huế cho 2 người ngày mai lúc 3 giờ").await.ends().says("3 giờ sáng, chiều hay tối");
    assert_eq!(talk.say("chiều").await.only("findTables")["startsAt"], "2026-12-01T15:00:00+07:00");
}

async fn found() -> Talk {
    let mut talk = Talk::with("helpful");
    talk.say("Tìm bàn ở Đà Lạt cho 4 người, 7 giờ tối thứ bảy").await.only("findTables");
    talk.results(&[tables("2026-12-05")]).await.ends();
    talk
}

#[tokio::test]
async fn restaurants_are_chosen_in_many_ways() {
    for (said, id, time) in [
        ("Bếp Nhà Đậu", "r-dau", "19:00"),
        ("bep nha dau nhe", "r-dau", "19:00"),
        ("quán đầu tiên", "r-dau", "19:00"),
        ("the second one", "r-mai", "18:30"),
        ("cho mình quán sương mai lúc 8 giờ", "r-mai", "20:00"),
        ("Tôi chọn Quán Sương Mai, 19:30 ngày 05/12/2026, 4 người.", "r-mai", "19:30"),
        ("I choose The Old Mill, 18:00 on 2026-12-05, 4 people.", "r-mill", "18:00"),
        ("old mill please", "r-mill", "18:00"),
        ("quán cuối cùng", "r-mill", "18:00"),
        ("quán lúc 18:00", "r-mill", "18:00"),
        ("19:00", "r-dau", "19:00"),
        ("quán nào cũng được", "r-dau", "19:00"),
    ] {
        let mut talk = found().await;
        let input = talk.say(said).await.only("createBooking");
        assert_eq!(input["restaurantId"], id, "{said}");
        assert_eq!(input["startsAt"], format!("2026-12-05T{time}:00+07:00"), "{said}");
        assert_eq!(input["partySize"], 4, "{said}");
    }
}

#[tokio::test]
async fn the_closest_free_time_is_named() {
    let mut talk = found().await;
    let turn = talk.say("The Old Mill lúc 19:30").await;
    turn.says("20:00");
    assert_eq!(turn.only("createBooking")["startsAt"], "2026-12-05T20:00:00+07:00");
}

#[tokio::test]
async fn an_open_choice_is_asked_for() {
    let mut talk = found().await;
    talk.say("quán lúc 19:30").await.ends().says("Bếp Nhà Đậu hay Quán Sương Mai");
    let input = talk.say("quán Đậu").await.only("createBooking");
    assert_eq!(input["startsAt"], "2026-12-05T19:30:00+07:00");
    let mut talk = found().await;
    talk.say("ok").await.ends();
    talk.say("quán thứ năm").await.ends().says("chỉ có 3 quán");
    talk.say("quán đó").await.ends().says("The Old Mill");
}

#[tokio::test]
async fn a_decline_is_heard_and_a_change_proposed() {
    for (said, restaurant, time, party) in [
        ("đổi sang 8 giờ", "r-dau", "20:00", 4),
        ("doi sang 8 gio", "r-dau", "20:00", 4),
        ("make it 6 people", "r-dau", "19:00", 6),
        ("8 giờ tối đi", "r-dau", "20:00", 4),
        ("5 người thôi", "r-dau", "19:00", 5),
        ("quán thứ hai", "r-mai", "18:30", 4),
    ] {
        let mut talk = found().await;
        talk.say("quán đầu tiên").await.only("createBooking");
        talk.results(&[error("The user declined; ask what to change.")]).await.ends().says("đổi gì");
        let input = talk.say(said).await.only("createBooking");
        assert_eq!(
            input,
            json!({ "restaurantId": restaurant, "partySize": party, "startsAt": format!("2026-12-05T{time}:00+07:00") }),
            "{said}"
        );
    }
    let mut talk = found().await;
    talk.say("quán đầu tiên").await;
    talk.results(&[error("The user declined; ask what to change.")]).await;
    talk.say("ok").await.ends().says("đổi gì");
    talk.say("quán khác").await.only("findTables");
    // A proposal at another time than the wished one is what was declined, and what a change starts from.
    let mut talk = found().await;
    talk.say("The Old Mill").await.only("createBooking");
    talk.results(&[error("The user declined.")]).await;
    talk.say("ok").await.ends().says("đổi gì");
    let input = talk.say("6 người").await.only("createBooking");
    assert_eq!(
        input,
        json!({ "restaurantId": "r-mill", "partySize": 6, "startsAt": "2026-12-05T18:00:00+07:00" })
    );
}

#[tokio::test]
async fn another_day_is_searched_anew() {
    let mut talk = found().await;
    talk.say("quán đầu tiên").await;
    talk.results(&[error("The user declined.")]).await;
    let input = talk.say("đổi sang chủ nhật").await.only("findTables");
    assert_eq!(input["startsAt"], "2026-12-06T19:00:00+07:00");
    let mut talk = found().await;
    assert_eq!(talk.say("thôi, cho 6 người").await.only("findTables")["partySize"], 6);
    talk.results(&[no_tables()]).await.ends().says("Không có quán");
    assert_eq!(talk.say("8 giờ thì sao?").await.only("findTables")["startsAt"], "2026-12-05T20:00:00+07:00");
}

#[tokio::test]
async fn every_outcome_is_told_as_it_is() {
    let mut edited = booking("confirmed");
    edited.note = Some("[server: the user edited the arguments before confirming: partySize 4 -> 6]");
    for (result, words) in [
        (booking("confirmed"), "Bàn đã được đặt"),
        (edited, "bạn đã sửa"),
        (booking("waitlisted"), "danh sách chờ, chưa có bàn"),
        (error("The question expired; nothing was booked."), "hết hạn"),
        (error("Superseded by a new message."), "chưa đặt gì cả"),
        (error("Cancelled: the user stopped the run."), "đã dừng"),
        (error("It may have been done; it is being looked into."), "Chưa rõ"),
        (error("The restaurant is closed then."), "đóng cửa"),
        (error("startsAt is in the past."), "đã qua"),
        (error("More than 90 days ahead."), "quá xa"),
        (error("The same booking exists already with other details."), "vướng"),
        (error("The restaurant has 12 seats."), "không đủ chỗ"),
        (error("Temporarily unavailable."), "tạm gián đoạn"),
        (error("Hm."), "Có lỗi"),
    ] {
        let mut talk = found().await;
        talk.say("quán đầu tiên").await.only("createBooking");
        let claims = result.is_error;
        let turn = talk.results(&[result]).await;
        turn.ends().says(words);
        assert!(!claims || !turn.text.contains("đã được đặt;"), "{turn:?}");
    }
}

#[tokio::test]
async fn a_new_message_instead_of_a_decision_goes_on() {
    let mut talk = found().await;
    talk.say("quán đầu tiên").await.only("createBooking");
    let superseded = || [error("Superseded: the user wrote a new message. Nothing was booked.")];
    let input = talk.results_and(&superseded(), "đổi sang 8 giờ tối").await.only("createBooking");
    assert_eq!(input["startsAt"], "2026-12-05T20:00:00+07:00");
    talk.results_and(&superseded(), "thôi không đặt nữa").await.ends().says("chưa đặt gì cả");
    talk.say("8 giờ").await.ends().says("chưa hiểu");
    let mut talk = found().await;
    talk.say("quán đầu tiên").await;
    let turn = talk.results_and(&superseded(), "Thời tiết hôm đó thế nào?").await;
    assert_eq!(turn.only("getWeather"), json!({ "city": "Đà Lạt", "days": 6 }));
}

#[tokio::test]
async fn weather_of_several_cities_is_one_turn() {
    let mut talk = Talk::with("helpful");
    let turn = talk.say("Hà Nội và Đà Lạt cuối tuần này có mưa không?").await;
    assert_eq!(
        turn.called(),
        [
            ("getWeather".to_owned(), json!({ "city": "Hà Nội", "days": 7 })),
            ("getWeather".to_owned(), json!({ "city": "Đà Lạt", "days": 7 })),
        ]
    );
    // The wettest of all days is not of the weekend that was asked about.
    let results = [weather("Hà Nội", &[10, 90, 0, 0, 30, 40]), error("Unknown city: Đà Lạt")];
    let turn = talk.results(&results).await;
    turn.ends().says("Thời tiết Hà Nội ở thẻ").says("chủ nhật dễ mưa nhất").says("dữ liệu mẫu");
    turn.says("không có dự báo cho Đà Lạt");
    assert_eq!(talk.say("còn Huế thì sao?").await.only("getWeather"), json!({ "city": "Huế", "days": 7 }));
}

#[tokio::test]
async fn rain_is_named_only_where_the_result_says_so() {
    for (chances, named) in
        [(vec![30, 30], false), (vec![70], false), (vec![0, 0], false), (vec![10, 80, 20], true)]
    {
        let mut talk = Talk::with("helpful");
        talk.say("weather in Hue for the next 3 days").await;
        let turn = talk.results(&[weather("Huế", &chances)]).await;
        assert_eq!(turn.ends().text.contains("likeliest on Wednesday"), named, "{chances:?} {turn:?}");
    }
}

#[tokio::test]
async fn weather_and_a_table_in_one_message() {
    let mut talk = Talk::with("helpful");
    let turn = talk.say("Thứ bảy Đà Lạt có mưa không, và đặt bàn cho 4 người lúc 7 giờ tối").await;
    assert_eq!(
        turn.called(),
        [
            ("getWeather".to_owned(), json!({ "city": "Đà Lạt", "days": 6 })),
            (
                "findTables".to_owned(),
                json!({ "city": "Đà Lạt", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": 4 })
            ),
        ]
    );
    let turn = talk.results(&[weather("Đà Lạt", &[10, 20]), tables("2026-12-05")]).await;
    turn.ends().says("dữ liệu mẫu").says("bạn chọn quán nào");

    let mut talk = Talk::with("helpful");
    talk.say("Mai Huế có mưa không, và đặt bàn cho 4 người").await.only("getWeather");
    talk.results(&[weather("Huế", &[10, 20])]).await.ends().says("Thời tiết Huế").says("mấy giờ");

    let mut talk = Talk::with("helpful");
    let turn =
        talk.say("Đà Nẵng và Huế mai mưa không? Nhân tiện đặt bàn ở Đà Nẵng cho 2 người tối mai 7 giờ").await;
    let cities: Vec<Value> = turn.called().into_iter().map(|(_, input)| input["city"].clone()).collect();
    assert_eq!(cities, ["Đà Nẵng", "Huế", "Đà Nẵng"]);

    let mut talk = Talk::with("helpful");
    let turn = talk
        .say("What's the weather in Hanoi tomorrow and book a table in Da Nang for 2 on Saturday at 7pm")
        .await;
    assert_eq!(turn.called()[0].1, json!({ "city": "Hà Nội", "days": 2 }));
    assert_eq!(turn.called()[1].1["city"], "Đà Nẵng");
    assert_eq!(turn.called()[1].1["startsAt"], "2026-12-05T19:00:00+07:00");
}

#[tokio::test]
async fn a_restaurant_that_is_named_from_the_start_is_taken_when_found() {
    let mut talk = Talk::with("helpful");
    talk.say("Đặt bàn Quán Sương Mai ở Đà Lạt cho 4 người 7 giờ rưỡi tối thứ bảy").await.only("findTables");
    let input = talk.results(&[tables("2026-12-05")]).await.only("createBooking");
    assert_eq!(input["restaurantId"], "r-mai");
}

#[tokio::test]
async fn notes_and_cuisine_travel() {
    let mut talk = Talk::with("helpful");
    let input =
        talk.say("Tìm quán chay ở Đà Lạt cho 4 người, có em bé, 7 giờ tối thứ bảy").await.only("findTables");
    assert_eq!(input["cuisine"], "vegetarian");
    talk.results(&[tables("2026-12-05")]).await;
    let input = talk.say("quán đầu tiên. Ghi chú: gần cửa sổ").await.only("createBooking");
    assert_eq!(input["note"], "có em bé; gần cửa sổ");
}

#[tokio::test]
async fn unknown_places_are_passed_on_and_the_error_told() {
    let mut talk = Talk::with("helpful");
    let input = talk.say("Thời tiết ở Paris ngày mai").await.only("getWeather");
    assert_eq!(input, json!({ "city": "Paris", "days": 2 }));
    talk.results(&[error("Unknown city: Paris. Known: Đà Lạt, Hà Nội.")])
        .await
        .ends()
        .says("không có dự báo cho Paris");
    let mut talk = Talk::with("helpful");
    let input = talk.say("Find a table in London for 2 tomorrow at 7pm").await.only("findTables");
    assert_eq!(input["city"], "London");
    talk.results(&[error("Unknown city: London.")]).await.ends().says("no restaurants in London");
    assert_eq!(talk.say("Da Lat then").await.only("findTables")["city"], "Đà Lạt");
}

#[tokio::test]
async fn the_forecast_s_reach_is_told() {
    let mut talk = Talk::with("helpful");
    let turn = talk.say("Thời tiết Huế ngày 25/12").await;
    turn.says("7 ngày");
    assert_eq!(turn.only("getWeather"), json!({ "city": "Huế", "days": 7 }));
    let mut talk = Talk::with("helpful");
    talk.say("Hôm qua Huế có mưa không?").await.ends().says("từ hôm nay trở đi");
}

#[tokio::test]
async fn today_s_weekday_counts_only_while_the_time_is_ahead() {
    let mut talk = Talk::with("helpful");
    let input = talk.say("Đặt bàn ở Huế cho 2 người thứ hai lúc 6 giờ tối").await.only("findTables");
    assert_eq!(input["startsAt"], "2026-12-07T18:00:00+07:00");
}

#[tokio::test]
async fn now_comes_from_the_last_server_line() {
    let mut talk = Talk::with("helpful");
    talk.say("xin chào").await;
    let line = "[server: 2027-02-27 09:00 +09:00, Saturday, Asia/Tokyo]\n[server: something happened]";
    let turn = talk.say_at(line, "Đặt bàn ở Huế cho 2 người 7 giờ tối mai").await;
    assert_eq!(turn.only("findTables")["startsAt"], "2027-02-28T19:00:00+09:00");
}

#[tokio::test]
async fn what_is_not_understood_is_said_in_the_guest_s_language() {
    for (said, words) in [
        ("hãy kể một câu chuyện vui", "chưa hiểu"),
        ("tell me a story about dragons", "did not understand"),
        ("Đà Lạt cách Hà Nội bao xa?", "chưa làm được"),
        ("🙂", "chưa hiểu"),
        ("refund my deposit", "handle deposits yet"),
        ("hoàn tiền cọc cho tôi", "chưa nhận thanh toán hay tiền cọc"),
        ("huỷ bàn của vợ tôi", "do chính bạn đặt"),
        ("cancel my friend's booking", "you yourself have booked"),
        ("book a flight to Da Nang tomorrow for 2 people", "cannot do"),
        ("đặt phòng khách sạn ở Đà Lạt cho 2 người", "chưa làm được"),
        ("what can you do?", "Will it rain"),
        ("bạn làm được gì", "Thứ bảy Đà Lạt"),
        ("21 người", "chưa hiểu"),
        ("Đặt bàn cho 21 người ở Huế", "từ 1 đến 20"),
        ("Đặt bàn ở Huế và Đà Lạt 7 giờ tối mai cho 2 người", "trong số đó"),
        ("Đặt bàn ở Huế cuối tuần này 7 giờ tối cho 2 người", "thứ bảy hay chủ nhật"),
        ("Đặt bàn ở Huế ngày 31/2 lúc 7 giờ tối cho 2 người", "không có trên lịch"),
        ("Thời tiết thế nào?", "thành phố nào"),
        ("never mind", "have not booked anything"),
    ] {
        let mut talk = Talk::with("helpful");
        talk.say(said).await.ends().says(words);
    }
}

/// Naming a restaurant is not choosing it.
#[tokio::test]
async fn what_is_refused_or_asked_about_is_not_booked() {
    for (said, words) in [
        ("don't book Bếp Nhà Đậu", "Which one would you like: Quán Sương Mai or The Old Mill"),
        ("do not book Bếp Nhà Đậu", "Quán Sương Mai or The Old Mill"),
        ("I don't want to book the first one", "Quán Sương Mai or The Old Mill"),
        ("anything but Bếp Nhà Đậu", "Quán Sương Mai or The Old Mill"),
        ("I hate Bếp Nhà Đậu", "Quán Sương Mai or The Old Mill"),
        ("đừng đặt Bếp Nhà Đậu", "Quán Sương Mai hay The Old Mill"),
        ("không lấy quán đầu tiên", "Quán Sương Mai hay The Old Mill"),
        ("Bếp Nhà Đậu is too expensive", "Which one would you like"),
        ("the first one is too far", "Which one would you like"),
        ("Bếp Nhà Đậu thì không", "chọn quán nào"),
        ("Bếp Nhà Đậu xa quá", "chọn quán nào"),
        ("chưa chắc, để mình hỏi bạn mình ở Bếp Nhà Đậu", "chọn quán nào"),
        ("maybe Bếp Nhà Đậu", "Which one would you like"),
        ("is Bếp Nhà Đậu good?", "cannot do"),
        ("should I take the first one?", "cannot do"),
        ("what about Bếp Nhà Đậu", "cannot do"),
        ("có món gì ở Bếp Nhà Đậu", "chưa làm được"),
        ("còn Bếp Nhà Đậu thì sao, mấy giờ đóng cửa?", "chưa làm được"),
        ("đặt Bếp Nhà Đậu có mất phí không", "chọn quán nào"),
        ("Bếp Nhà Đậu or The Old Mill", "Which one would you like: Bếp Nhà Đậu or The Old Mill"),
        ("not the vegetarian one", "did not understand"),
    ] {
        let mut talk = found().await;
        // The language of what was said last but names.
        if words.is_ascii() || words.contains(" or ") {
            talk.say("hello").await.ends();
        }
        talk.say(said).await.ends().says(words);
    }
}

#[tokio::test]
async fn a_choice_may_be_put_politely_or_as_a_correction() {
    for (said, id) in [
        ("can you book The Old Mill?", "r-mill"),
        ("đặt Quán Sương Mai được không?", "r-mai"),
        ("cho mình quán đầu tiên nhé", "r-dau"),
        ("no, the second one", "r-mai"),
        ("not The Old Mill, Quán Sương Mai please", "r-mai"),
        ("không phải The Old Mill mà Quán Sương Mai", "r-mai"),
        ("I'll go with The Old Mill", "r-mill"),
        ("Quán Sương Mai đi", "r-mai"),
        ("The Old Mill, không sao", "r-mill"),
    ] {
        let mut talk = found().await;
        assert_eq!(talk.say(said).await.only("createBooking")["restaurantId"], id, "{said}");
    }
}

#[tokio::test]
async fn what_is_not_wanted_is_not_searched() {
    for said in [
        "không đặt bàn nữa, đừng đặt bàn 4 người đà lạt 7h tối mai",
        "don't book a table for 4 in Dalat tomorrow at 7 pm",
    ] {
        let mut talk = Talk::with("helpful");
        talk.say(said).await.ends();
    }
    let mut talk = Talk::with("helpful");
    talk.say("Đừng đặt Bếp Nhà Đậu, tìm bàn ở Đà Lạt cho 4 người 7 giờ tối thứ bảy").await.only("findTables");
    talk.results(&[tables("2026-12-05")]).await.ends();
}

/// The list tells nothing about times beyond its own.
#[tokio::test]
async fn a_time_beyond_the_list_is_proposed_as_asked() {
    let mut talk = found().await;
    let turn = talk.say("Bếp Nhà Đậu lúc 9 giờ tối").await;
    assert!(turn.text.is_empty(), "{turn:?}");
    assert_eq!(turn.only("createBooking")["startsAt"], "2026-12-05T21:00:00+07:00");
}

#[tokio::test]
async fn several_tables_are_not_one() {
    for said in ["Đặt 2 bàn ở Huế 7 giờ tối mai cho 6 người", "Đặt bàn ở Huế 7 giờ tối mai, 6 người, 2 bàn"]
    {
        let mut talk = Talk::with("helpful");
        talk.say(said).await.ends().says("một bàn");
        assert_eq!(talk.say("4 người").await.only("findTables")["partySize"], 4, "{said}");
    }
}

#[tokio::test]
async fn what_names_no_city_or_day_is_asked_for() {
    for (said, words) in [
        ("book a table for 4 at Mây Núi tomorrow 7pm", "in which city"),
        ("Đặt bàn ở Mây Núi cho 4 người 7 giờ tối mai", "thành phố nào"),
        ("dat ban mai 7 gio toi ha noi cho gia dinh", "thêm: cho mấy người?"),
        ("Đặt bàn ở Huế cho 4 người mùng 3 tết lúc 7 giờ tối", "dương lịch"),
        ("Đặt bàn ở Huế cho 3 gia đình 7 giờ tối mai", "bao nhiêu người"),
        ("Thời tiết Huế mùng 3 tết", "dương lịch"),
    ] {
        let mut talk = Talk::with("helpful");
        talk.say(said).await.ends().says(words);
    }
    let mut talk = Talk::with("helpful");
    talk.say("đặt bàn").await.ends().says("mấy người");
    let turn = talk.say("4").await;
    assert!(!turn.ends().text.contains("mấy người"), "{turn:?}");
}

#[tokio::test]
async fn weather_that_cannot_be_told_is_said_so() {
    for (said, words) in [
        ("weather in Hue for the next 2 weeks", "7 days"),
        ("weather in Hue on christmas", "7 days"),
        ("weather in Hue next month", "7 days"),
        ("thời tiết Huế tháng 12", "7 ngày"),
        ("thời tiết Huế 2 tuần tới", "7 ngày"),
    ] {
        let mut talk = Talk::with("helpful");
        let turn = talk.say(said).await;
        turn.says(words);
        assert_eq!(turn.only("getWeather")["days"], 7, "{said}");
    }
    let mut talk = Talk::with("helpful");
    talk.say("weather in Hue last week").await.ends().says("from today on");
    talk.say("thời tiết Huế tháng trước").await.ends().says("từ hôm nay trở đi");
}

#[tokio::test]
async fn every_place_that_is_named_is_looked_up_and_no_other() {
    for (said, cities) in [
        ("thời tiết Nam Định, Hà Nam, Hà Tĩnh", &["Nam Định", "Hà Nam", "Hà Tĩnh"][..]),
        ("weather in Hanoi, London and New York", &["Hà Nội", "London", "New York"]),
        ("thời tiết không phải hà nội mà đà nẵng", &["Đà Nẵng"]),
        ("weather in Da Lat not Hanoi", &["Đà Lạt"]),
    ] {
        let mut talk = Talk::with("helpful");
        let called = talk.say(said).await.called();
        let named: Vec<&str> = called.iter().filter_map(|(_, input)| input["city"].as_str()).collect();
        assert_eq!(named, cities, "{said}");
    }
}

#[tokio::test]
async fn rain_is_told_of_the_day_that_was_asked_about() {
    let mut talk = Talk::with("helpful");
    talk.say("hue t7 nay mua ko").await.only("getWeather");
    let turn = talk.results(&[weather("Huế", &[90, 10, 20, 30, 40])]).await;
    turn.ends().says("thứ bảy khả năng mưa 40%");
    assert!(!turn.text.contains("dễ mưa nhất"), "{turn:?}");
}
