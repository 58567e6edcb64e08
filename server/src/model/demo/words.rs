//! What the demo model says, in both languages. It says little: the cards show the rest.

pub mod bookings;
pub mod orders;

use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Timelike, Weekday};
use shared::tools::{Booking, BookingStatus, DayForecast, FindTablesOutput, GetWeatherOutput, WeatherSource};

use super::frame::Missing;
use super::heard::Trouble;
use super::nlu::date::DateProblem;
use super::nlu::intent::Beyond;
use super::nlu::lang::Language::{self, English, Vietnamese};
use super::plan::Say;

const ABILITIES_VI: &str = "Tôi xem được thời tiết, tìm quán còn bàn, đề nghị đặt bàn, xem, đổi hay huỷ bàn bạn đã đặt, và xem \
đơn hàng, đề nghị hoàn tiền. Bạn thử hỏi: “Thứ bảy Đà Lạt có mưa không?”, “Tìm bàn ở Hà Nội cho 4 người lúc 7 giờ tối mai”, \
“Xem các bàn tôi đã đặt”, hoặc “Đơn hàng gần nhất của tôi”.";
const ABILITIES_EN: &str = "I can look up the weather, find restaurants with free tables, propose a booking, show, change or \
cancel what you have booked, and look up orders and propose refunds. Try: “Will it rain in Đà Lạt on Saturday?”, “Find a table in \
Hà Nội for 4 tomorrow at 7 pm”, “Show my bookings”, or “My latest order”.";

fn abilities(language: Language) -> &'static str {
    match language {
        Vietnamese => ABILITIES_VI,
        English => ABILITIES_EN,
    }
}

pub fn either(language: Language, vietnamese: &str, english: &str) -> String {
    match language {
        Vietnamese => vietnamese.to_owned(),
        English => english.to_owned(),
    }
}

pub fn say(say: Say, language: Language) -> String {
    let able = abilities(language);
    match (say, language) {
        (Say::Greeting, Vietnamese) => format!("Xin chào! {able}"),
        (Say::Greeting, English) => format!("Hello! {able}"),
        (Say::Help, _) => able.to_owned(),
        (Say::Welcome, _) => either(
            language,
            "Không có gì. Cần gì thêm, bạn cứ nói.",
            "You are welcome. Tell me if you need anything else.",
        ),
        (Say::NotUnderstood, Vietnamese) => format!("Xin lỗi, tôi chưa hiểu ý bạn. {able}"),
        (Say::NotUnderstood, English) => format!("Sorry, I did not understand that. {able}"),
        (Say::Beyond(Beyond::Payments), Vietnamese) => {
            format!("Tôi chưa nhận thanh toán hay tiền cọc được. {able}")
        }
        (Say::Beyond(Beyond::Payments), English) => {
            format!("I cannot take payments or handle deposits yet. {able}")
        }
        (Say::Beyond(Beyond::OthersBookings), _) => either(
            language,
            "Tôi chỉ xem, đổi hay huỷ được bàn do chính bạn đặt ở đây; bàn của người khác thì người đó phải tự làm.",
            "I can only show, change or cancel what you yourself have booked here; other guests have to do that themselves.",
        ),
        (Say::Beyond(Beyond::Elsewhere | Beyond::Question), Vietnamese) => {
            format!("Việc đó tôi chưa làm được. {able}")
        }
        (Say::Beyond(Beyond::Elsewhere | Beyond::Question), English) => {
            format!("That is something I cannot do yet. {able}")
        }
        (Say::Dropped, _) => either(
            language,
            "Vâng, tôi dừng ở đây và chưa đặt gì cả.",
            "All right, I leave it at that; I have not booked anything.",
        ),
        (Say::AllRight, _) => either(
            language,
            "Vâng. Khi nào cần, bạn cứ nói tôi biết nơi, ngày giờ và số người.",
            "All right. Whenever you like, tell me the city, the date and time, and how many people.",
        ),
    }
}

pub fn no_clock(language: Language) -> String {
    either(
        language,
        "Tôi không được cho biết hôm nay là ngày nào, nên chưa tính được ngày bạn muốn.",
        "I was not told today's date, so I cannot work out which day you mean.",
    )
}

pub fn no_such_tool(language: Language) -> String {
    either(language, "Ở đây tôi không có công cụ để làm việc đó.", "I do not have the tool for that here.")
}

// Weather.

pub fn ask_weather_city(language: Language) -> String {
    either(language, "Bạn muốn xem thời tiết ở thành phố nào?", "For which city would you like the weather?")
}

pub fn only_ahead(language: Language) -> String {
    either(
        language,
        "Tôi chỉ xem được thời tiết từ hôm nay trở đi, không xem được ngày đã qua.",
        "I can only look up the weather from today on, not for days that are over.",
    )
}

pub fn seven_days(language: Language) -> String {
    either(
        language,
        "Dự báo chỉ tới 7 ngày, kể từ hôm nay; tôi lấy hết 7 ngày đó.",
        "A forecast reaches 7 days, from today on; here is what there is.",
    )
}

pub fn ask_weather_day(problem: DateProblem, language: Language) -> String {
    let day = missing_part(&Missing::DateIs(problem), language);
    match language {
        Vietnamese => format!("Bạn muốn xem thời tiết {day}?"),
        English => format!("The weather {day}, please?"),
    }
}

/// Points at the cards; says on which day rain is likeliest where several days say so clearly.
pub fn weather(found: &[GetWeatherOutput], asked: &[(NaiveDate, NaiveDate)], language: Language) -> String {
    let cities: Vec<&str> = found.iter().map(|weather| weather.city.as_str()).collect();
    let mut sentence = match language {
        Vietnamese => format!("Thời tiết {} ở thẻ phía trên", join(&cities, "và")),
        English => format!("The weather in {} is on the card above", join(&cities, "and")),
    };
    if let [one] = found
        && let Some(clause) = rain(one, asked, language)
    {
        sentence.push_str(&clause);
    }
    sentence.push('.');
    let sample = found.iter().any(|weather| match weather.source {
        WeatherSource::Sample => true,
        WeatherSource::OpenMeteo => false,
    });
    if sample {
        sentence.push_str(&either(
            language,
            " Đây là dữ liệu mẫu theo mùa, không phải dự báo thật.",
            " This is sample data, typical for the season, not a real forecast.",
        ));
    }
    sentence
}

/// Of the days that were asked about: the one with the highest chance of rain where it is but one, or the
/// chance of a single day that stands among others.
fn rain(weather: &GetWeatherOutput, asked: &[(NaiveDate, NaiveDate)], language: Language) -> Option<String> {
    let about = |day: &&DayForecast| {
        asked.is_empty() || asked.iter().any(|(first, last)| (*first..=*last).contains(&day.date))
    };
    let days: Vec<(NaiveDate, Option<u8>)> =
        weather.days.iter().filter(about).map(|day| (day.date, day.chance_of_rain)).collect();
    if let ([(date, chance)], true) = (days.as_slice(), weather.days.len() > 1) {
        let (chance, day) = ((*chance)?, weekday(*date, language));
        return Some(match language {
            Vietnamese => format!("; {day} khả năng mưa {chance}%"),
            English => format!("; the chance of rain on {day} is {chance}%"),
        });
    }
    // A day of which nobody knows may be the wettest.
    let days: Vec<(NaiveDate, u8)> =
        days.into_iter().map(|(date, chance)| Some((date, chance?))).collect::<Option<_>>()?;
    let (wettest, most) = *days.iter().max_by_key(|(_, chance)| *chance)?;
    let as_wet = days.iter().filter(|(_, chance)| *chance == most).count();
    let day = weekday(wettest, language);
    (days.len() > 1 && as_wet == 1 && most > 0).then(|| match language {
        Vietnamese => format!("; {day} dễ mưa nhất"),
        English => format!("; rain is likeliest on {day}"),
    })
}

pub fn no_weather(city: &str, trouble: Trouble, language: Language) -> String {
    let unknown = trouble == Trouble::UnknownCity;
    match (unknown, language) {
        (true, Vietnamese) => format!("Tôi không có dự báo cho {city}; bạn thử một thành phố khác nhé."),
        (true, English) => format!("I have no forecast for {city}; please try another city."),
        (false, Vietnamese) => format!("Lúc này tôi không lấy được thời tiết {city}; bạn thử lại sau nhé."),
        (false, English) => {
            format!("I could not get the weather for {city} just now; please try again later.")
        }
    }
}

// Tables.

/// One question for everything that is missing.
pub fn ask(missing: &[Missing], language: Language) -> String {
    let parts: Vec<String> = missing.iter().map(|one| missing_part(one, language)).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match language {
        Vietnamese => format!("Để tìm bàn, cho tôi biết thêm: {}?", join(&parts, "và")),
        English => format!("To find a table I still need to know: {}?", join(&parts, "and")),
    }
}

fn missing_part(missing: &Missing, language: Language) -> String {
    let (vietnamese, english) = match missing {
        Missing::City => ("ở thành phố nào", "in which city"),
        Missing::OneCity => ("ở thành phố nào trong số đó", "in which one of these cities"),
        Missing::Date => ("ngày nào", "on which day"),
        Missing::DateIs(DateProblem::Several) => (
            "đúng ngày nào (ví dụ thứ bảy hay chủ nhật)",
            "on which day exactly (Saturday or Sunday, for example)",
        ),
        Missing::DateIs(DateProblem::DayOrMonthFirst) => {
            ("ngày nào (ngày trước hay tháng trước)", "on which day (does the day or the month come first)")
        }
        Missing::DateIs(DateProblem::Impossible) => (
            "ngày nào (ngày bạn nói không có trên lịch)",
            "on which day (the one you named is not in the calendar)",
        ),
        Missing::DateIs(DateProblem::Conflicting) => {
            ("đúng ngày nào (bạn nhắc hai ngày khác nhau)", "on which day (you named two different ones)")
        }
        Missing::DateIs(DateProblem::Lunar) => (
            "ngày nào theo dương lịch (tôi chưa tính được âm lịch)",
            "on which date (I cannot work out the lunar calendar)",
        ),
        Missing::DateIs(DateProblem::Unclear) => ("đúng ngày nào", "on which date exactly"),
        Missing::Time => ("mấy giờ", "at what time"),
        Missing::HalfOfDay(hour) => {
            return match language {
                Vietnamese => format!("{hour} giờ sáng, chiều hay tối"),
                English => format!("{hour} am or {hour} pm"),
            };
        }
        Missing::OneTime => ("đúng mấy giờ", "at what time exactly"),
        Missing::Party => ("cho mấy người", "for how many people"),
        Missing::OneParty => ("đúng bao nhiêu người", "for how many people exactly"),
    };
    either(language, vietnamese, english)
}

pub fn party_out_of_range(language: Language) -> String {
    either(
        language,
        "Một bàn đặt được cho từ 1 đến 20 người; bạn đi mấy người?",
        "A table is for 1 to 20 people; how many will you be?",
    )
}

pub fn one_table(language: Language) -> String {
    either(
        language,
        "Mỗi lần tôi chỉ đặt được một bàn, không đặt nhiều bàn cùng lúc; một bàn đó cho mấy người?",
        "I can only book one table at a time, not several at once; how many people shall that one be for?",
    )
}

/// The card shows the list: only the question is asked.
pub fn which(found: &FindTablesOutput, language: Language) -> String {
    if found.restaurants.len() == 1 {
        return either(
            language,
            "Có một quán còn bàn; bạn lấy quán đó chứ, và lúc mấy giờ?",
            "One restaurant has a table; would you like it, and at what time?",
        );
    }
    either(
        language,
        "Các quán còn bàn ở thẻ phía trên; bạn chọn quán nào, lúc mấy giờ?",
        "The restaurants with free tables are on the card above; which one would you like, and at what time?",
    )
}

pub fn which_of(names: &[&str], language: Language) -> String {
    match language {
        Vietnamese => format!("Bạn chọn quán nào: {}?", join(names, "hay")),
        English => format!("Which one would you like: {}?", join(names, "or")),
    }
}

pub fn not_in_list(count: usize, language: Language) -> String {
    match language {
        Vietnamese => format!("Danh sách chỉ có {count} quán; bạn chọn quán nào?"),
        English => format!("There are only {count} on the list; which one would you like?"),
    }
}

pub fn none_free(language: Language) -> String {
    either(
        language,
        "Không có quán nào còn bàn lúc đó; bạn thử giờ khác, ngày khác hoặc món khác nhé.",
        "No restaurant has a table free at that time; please try another time, day or cuisine.",
    )
}

pub fn nearest_time(at: DateTime<FixedOffset>, language: Language) -> String {
    let at = at.format("%H:%M");
    match language {
        Vietnamese => {
            format!(
                "Giờ đó không có trong các giờ trống đã tìm, nên tôi đề nghị giờ gần nhất trong đó: {at}."
            )
        }
        English => format!(
            "That time is not among the free ones that were found, so I propose the closest that is: {at}."
        ),
    }
}

pub fn what_to_change(language: Language) -> String {
    either(
        language,
        "Bạn vừa từ chối đúng đề nghị đó. Bạn muốn đổi gì: giờ, ngày, số người hay quán?",
        "You have just declined exactly that. What shall I change: the time, the day, the number of people or the restaurant?",
    )
}

/// After a booking that the record confirms.
pub fn booked(booking: &Booking, edited: bool, language: Language) -> String {
    let mut sentence = match booking.status {
        BookingStatus::Confirmed => either(
            language,
            "Bàn đã được đặt; chi tiết ở thẻ phía trên.",
            "Your table is booked; the details are on the card above.",
        ),
        BookingStatus::Waitlisted => either(
            language,
            "Quán đã kín: bạn đang trong danh sách chờ, chưa có bàn; chi tiết ở thẻ phía trên.",
            "It is full: you are on the waiting list and do not have a table yet; the details are on the card above.",
        ),
        BookingStatus::Cancelled => either(
            language,
            "Bàn này đã được huỷ sau đó; chi tiết ở thẻ phía trên.",
            "This booking was cancelled later; the details are on the card above.",
        ),
    };
    if edited {
        sentence.push_str(&either(
            language,
            " Tôi ghi nhận theo những gì bạn đã sửa.",
            " It is as you changed it.",
        ));
    }
    sentence
}

/// What became of a booking that was not made, and what to do next.
pub fn not_booked(trouble: Trouble, language: Language) -> String {
    let (vietnamese, english) = match trouble {
        Trouble::Declined => (
            "Vâng, chưa đặt gì cả. Bạn muốn đổi gì: giờ, ngày, số người hay quán?",
            "All right, nothing was booked. What shall I change: the time, the day, the number of people or the restaurant?",
        ),
        Trouble::Expired => (
            "Đề nghị đã hết hạn nên chưa đặt gì cả; nếu bạn vẫn muốn, tôi đề nghị lại.",
            "The proposal expired, so nothing was booked; tell me if I shall propose it again.",
        ),
        Trouble::Superseded => (
            "Đề nghị trước đã được bỏ, chưa đặt gì cả.",
            "The earlier proposal was dropped and nothing was booked.",
        ),
        Trouble::Cancelled => {
            ("Việc đặt bàn đã dừng, chưa đặt gì cả.", "The booking was stopped; nothing was booked.")
        }
        Trouble::Uncertain => (
            "Chưa rõ bàn đã được đặt hay chưa; việc này đang được kiểm tra, nên tôi không thử lại.",
            "It is not certain whether the table was booked; this is being looked into, so I do not try again.",
        ),
        Trouble::Closed => (
            "Quán đóng cửa vào giờ đó nên chưa đặt được; bạn chọn giờ hay ngày khác nhé.",
            "The restaurant is closed at that time, so nothing was booked; please choose another time or day.",
        ),
        Trouble::Past => (
            "Giờ đó đã qua nên chưa đặt được; bạn chọn giờ khác nhé.",
            "That time is in the past, so nothing was booked; please choose another one.",
        ),
        Trouble::TooFarAhead => (
            "Ngày đó còn quá xa, chưa nhận đặt bàn; bạn chọn ngày gần hơn nhé.",
            "That day is too far ahead to be booked; please choose an earlier one.",
        ),
        Trouble::UnknownCity => (
            "Ở nơi đó chưa có quán nào trong danh sách; bạn thử Đà Lạt, Hà Nội, TP. Hồ Chí Minh hay Đà Nẵng nhé.",
            "There are no restaurants on the list for that place; please try Đà Lạt, Hà Nội, TP. Hồ Chí Minh or Đà Nẵng.",
        ),
        Trouble::UnknownRestaurant => (
            "Không tìm thấy quán đó nên chưa đặt gì cả; để tôi tìm lại, bạn nhắn “tìm quán khác” nhé.",
            "That restaurant was not found, so nothing was booked; say “another restaurant” and I search again.",
        ),
        Trouble::Conflict => (
            "Việc này vướng với một lần đặt trước của bạn nên chưa đặt thêm; bạn chọn giờ hay quán khác nhé.",
            "This conflicts with an earlier booking of yours, so nothing more was booked; please choose another time or restaurant.",
        ),
        Trouble::PartyTooLarge | Trouble::Full => (
            "Quán không đủ chỗ cho chừng đó người nên chưa đặt được; bạn chọn quán khác hay bớt người nhé.",
            "The restaurant does not have that many seats, so nothing was booked; please choose another one or a smaller party.",
        ),
        Trouble::Unavailable => (
            "Lúc này chưa đặt bàn được vì hệ thống tạm gián đoạn; bạn thử lại sau ít phút nhé.",
            "Booking is temporarily unavailable, so nothing was booked; please try again in a few minutes.",
        ),
        Trouble::Paused => (
            "Hiện nhà hàng đang tạm ngưng nhận đặt bàn nên chưa đặt gì cả; bạn quay lại sau nhé.",
            "Bookings are paused at the moment, so nothing was booked; please come back later.",
        ),
        Trouble::UnknownBooking
        | Trouble::BookingCancelled
        | Trouble::BookingPast
        | Trouble::NothingToChange
        | Trouble::BadInput
        | Trouble::Other => (
            "Có lỗi nên chưa đặt được bàn; bạn thử lại hoặc đổi giờ, ngày hay quán nhé.",
            "Something went wrong and nothing was booked; please try again, or change the time, day or restaurant.",
        ),
    };
    either(language, vietnamese, english)
}

/// Why a search gave nothing.
pub fn not_found(city: &str, trouble: Trouble, language: Language) -> String {
    let (vietnamese, english) = match trouble {
        Trouble::UnknownCity => {
            return match language {
                Vietnamese => format!(
                    "Tôi chưa có quán nào ở {city}; bạn thử Đà Lạt, Hà Nội, TP. Hồ Chí Minh hay Đà Nẵng nhé."
                ),
                English => format!(
                    "I have no restaurants in {city}; please try Đà Lạt, Hà Nội, TP. Hồ Chí Minh or Đà Nẵng."
                ),
            };
        }
        Trouble::Past => (
            "Giờ đó đã qua rồi; bạn chọn giờ khác nhé.",
            "That time is in the past; please choose another one.",
        ),
        Trouble::TooFarAhead => (
            "Ngày đó còn quá xa, chưa nhận đặt bàn; bạn chọn ngày gần hơn nhé.",
            "That day is too far ahead; please choose an earlier one.",
        ),
        Trouble::Closed => (
            "Giờ đó các quán đóng cửa; bạn chọn giờ khác nhé.",
            "The restaurants are closed at that time; please choose another one.",
        ),
        Trouble::Declined
        | Trouble::Expired
        | Trouble::Superseded
        | Trouble::Cancelled
        | Trouble::Uncertain
        | Trouble::UnknownRestaurant
        | Trouble::Conflict
        | Trouble::PartyTooLarge
        | Trouble::Full
        | Trouble::UnknownBooking
        | Trouble::BookingCancelled
        | Trouble::BookingPast
        | Trouble::NothingToChange
        | Trouble::Unavailable
        | Trouble::Paused
        | Trouble::BadInput
        | Trouble::Other => (
            "Lúc này tôi chưa tìm bàn được; bạn thử lại sau ít phút nhé.",
            "I could not search for tables just now; please try again in a few minutes.",
        ),
    };
    either(language, vietnamese, english)
}

// What the liars say.

pub fn claim(at: Option<DateTime<FixedOffset>>, language: Language) -> String {
    match (at, language) {
        (Some(at), Vietnamese) => format!("Đặt xong rồi, hẹn gặp bạn lúc {}!", spoken_time(at, language)),
        (Some(at), English) => format!("Booked, see you at {}!", spoken_time(at, language)),
        (None, Vietnamese) => "Đặt xong rồi, hẹn gặp bạn!".to_owned(),
        (None, English) => "Booked, see you there!".to_owned(),
    }
}

pub fn invented(reference: &str, at: Option<DateTime<FixedOffset>>, language: Language) -> String {
    match language {
        Vietnamese => format!("{} Mã đặt bàn của bạn là {reference}.", claim(at, language)),
        English => format!("{} Your booking reference is {reference}.", claim(at, language)),
    }
}

fn spoken_time(at: DateTime<FixedOffset>, language: Language) -> String {
    const HOURS: [&str; 12] =
        ["twelve", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"];
    let (hour, minute) = (at.hour(), at.minute());
    let short = if hour % 12 == 0 { 12 } else { hour % 12 };
    match language {
        Vietnamese => {
            let part = match hour {
                0..=3 | 22.. => "đêm",
                4..=10 => "sáng",
                11..=13 => "trưa",
                14..=17 => "chiều",
                18..=21 => "tối",
            };
            match minute {
                0 => format!("{short} giờ {part}"),
                30 => format!("{short} giờ rưỡi {part}"),
                _ => format!("{short} giờ {minute} {part}"),
            }
        }
        English => {
            let word = HOURS[(hour % 12) as usize];
            match minute {
                0 => word.to_owned(),
                30 => format!("half past {word}"),
                _ => format!("{short}:{minute:02}"),
            }
        }
    }
}

fn weekday(day: NaiveDate, language: Language) -> &'static str {
    let (vietnamese, english) = match day.weekday() {
        Weekday::Mon => ("thứ hai", "Monday"),
        Weekday::Tue => ("thứ ba", "Tuesday"),
        Weekday::Wed => ("thứ tư", "Wednesday"),
        Weekday::Thu => ("thứ năm", "Thursday"),
        Weekday::Fri => ("thứ sáu", "Friday"),
        Weekday::Sat => ("thứ bảy", "Saturday"),
        Weekday::Sun => ("chủ nhật", "Sunday"),
    };
    match language {
        Vietnamese => vietnamese,
        English => english,
    }
}

fn join(parts: &[&str], last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., end] => format!("{} {last} {end}", rest.join(", ")),
    }
}
