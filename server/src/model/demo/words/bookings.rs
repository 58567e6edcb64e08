//! What the demo model says about bookings that were made: seen, changed, cancelled.

use chrono::NaiveTime;
use shared::tools::{Booking, BookingStatus};

use super::super::errand::Deed;
use super::super::frame::Missing;
use super::super::heard::Trouble;
use super::super::news::BookingNews;
use super::super::nlu::lang::Language::{self, English, Vietnamese};
use super::{either, join, missing_part};

/// More than these are not told one by one.
const MOST_NAMED: usize = 4;

pub fn moved_up(news: &BookingNews, language: Language) -> String {
    let BookingNews { reference, restaurant, starts_at, .. } = news;
    let (time, day) = (starts_at.format("%H:%M"), starts_at.format("%d/%m"));
    match language {
        Vietnamese => format!(
            "Tin vui: bàn {reference} ở {restaurant} lúc {time} ngày {day} đã qua danh sách chờ và được xác nhận."
        ),
        English => {
            let day = starts_at.format("%-d %b");
            format!(
                "Good news: your booking {reference} at {restaurant}, {time} on {day}, moved up from the waiting \
                 list and is confirmed."
            )
        }
    }
}

/// The card shows them: only their number is told. `to_come`: that can still be changed; `all`: on the card.
pub fn listed(to_come: usize, all: usize, language: Language) -> String {
    match (to_come, all, language) {
        (0, 0, _) => either(
            language,
            "Bạn chưa đặt bàn nào. Muốn đặt, bạn cho tôi biết nơi, ngày giờ và số người.",
            "You have not booked anything. For a table tell me the city, the date and time, and how many people.",
        ),
        (0, _, _) => either(
            language,
            "Bạn không có bàn nào sắp tới; các bàn cũ ở thẻ phía trên.",
            "You have no booking to come; the earlier ones are on the card above.",
        ),
        (count, _, Vietnamese) => format!("Bạn có {count} bàn sắp tới; chi tiết ở thẻ phía trên."),
        (1, _, English) => "You have 1 booking to come; the details are on the card above.".to_owned(),
        (count, _, English) => {
            format!("You have {count} bookings to come; the details are on the card above.")
        }
    }
}

pub fn not_listed(language: Language) -> String {
    either(
        language,
        "Lúc này tôi chưa xem được các bàn bạn đã đặt; bạn thử lại sau ít phút nhé.",
        "I could not look up your bookings just now; please try again in a few minutes.",
    )
}

pub fn which(deed: Deed, references: &[String], language: Language) -> String {
    let question = match deed {
        Deed::Cancel => either(language, "Bạn muốn huỷ bàn nào", "Which booking shall I cancel"),
        Deed::Change => either(language, "Bạn muốn đổi bàn nào", "Which booking shall I change"),
    };
    if references.is_empty() || references.len() > MOST_NAMED {
        return match language {
            Vietnamese => format!("{question}? Bạn cho tôi mã, tên quán hay ngày giờ."),
            English => format!("{question}? Tell me its reference, the restaurant, or the day and time."),
        };
    }
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    match language {
        Vietnamese => format!("{question}: {}?", join(&references, "hay")),
        English => format!("{question}: {}?", join(&references, "or")),
    }
}

pub fn none_such(deed: Deed, language: Language) -> String {
    let question = which(deed, &[], language);
    match language {
        Vietnamese => format!("Tôi không thấy bàn nào như vậy trong các bàn của bạn. {question}"),
        English => format!("None of your bookings is like that. {question}"),
    }
}

pub fn nothing_to_come(deed: Deed, language: Language) -> String {
    match deed {
        Deed::Cancel => either(
            language,
            "Bạn không có bàn nào sắp tới để huỷ.",
            "You have no booking to come that could be cancelled.",
        ),
        Deed::Change => either(
            language,
            "Bạn không có bàn nào sắp tới để đổi. Muốn đặt, bạn cho tôi biết nơi, ngày giờ và số người.",
            "You have no booking to come that could be changed. For a table tell me the city, the date and time, and how \
             many people.",
        ),
    }
}

pub fn what_to_change(reference: &str, language: Language) -> String {
    match language {
        Vietnamese => format!("Bạn muốn đổi gì ở bàn {reference}: giờ, ngày hay số người?"),
        English => {
            format!(
                "What shall I change at your booking {reference}: the time, the day or the number of people?"
            )
        }
    }
}

pub fn cancel_or_change(reference: &str, language: Language) -> String {
    match language {
        Vietnamese => format!("Bạn muốn đổi hay huỷ bàn {reference}?"),
        English => format!("Shall I change or cancel your booking {reference}?"),
    }
}

/// One question for what a change still lacks.
pub fn ask(missing: &[Missing], language: Language) -> String {
    let parts: Vec<String> = missing.iter().map(|one| missing_part(one, language)).collect();
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    match language {
        Vietnamese => format!("Bạn muốn đổi sang: {}?", join(&parts, "và")),
        English => format!("To change it I still need to know: {}?", join(&parts, "and")),
    }
}

pub fn ask_elsewhere(reference: &str, language: Language) -> String {
    match language {
        Vietnamese => format!(
            "Bàn đã đặt không chuyển sang quán khác được: mình đặt quán mới trước, xong rồi huỷ bàn {reference}. \
             Bạn muốn tìm ở đâu, lúc nào, cho mấy người?"
        ),
        English => format!(
            "A booking cannot move to another restaurant: book there first, then cancel {reference}. Where, when \
             and for how many people shall I search?"
        ),
    }
}

pub fn there_first(reference: &str, language: Language) -> String {
    match language {
        Vietnamese => format!(
            "Tôi đề nghị đặt quán mới trước; có bàn rồi, bạn nói “huỷ bàn {reference}” để trả bàn cũ."
        ),
        English => format!(
            "I propose the new restaurant first; once you have that table, say “cancel booking {reference}” to give \
             the old one back."
        ),
    }
}

pub fn kept(language: Language) -> String {
    either(
        language,
        "Vâng, tôi giữ nguyên, không đổi hay huỷ gì cả.",
        "All right, everything stays as it is.",
    )
}

pub fn still_booked(reference: &str, language: Language) -> String {
    match language {
        Vietnamese => {
            format!("Bàn {reference} đã đặt rồi và vẫn còn đó; muốn trả bàn, bạn nói “huỷ bàn {reference}”.")
        }
        English => format!(
            "The booking {reference} has been made and still stands; to give it back, say “cancel booking {reference}”."
        ),
    }
}

/// After a cancellation that the record confirms.
pub fn cancelled(booking: &Booking, language: Language) -> String {
    match booking.status {
        BookingStatus::Cancelled => either(
            language,
            "Bàn đã được huỷ; chi tiết ở thẻ phía trên.",
            "Your booking is cancelled; the details are on the card above.",
        ),
        BookingStatus::Confirmed | BookingStatus::Waitlisted => either(
            language,
            "Bàn chưa được huỷ; chi tiết ở thẻ phía trên.",
            "The booking is not cancelled; the details are on the card above.",
        ),
    }
}

/// What became of a cancellation that was not made.
pub fn not_cancelled(trouble: Trouble, language: Language) -> String {
    let (vietnamese, english) = match trouble {
        Trouble::Declined => ("Vâng, tôi giữ nguyên bàn đó.", "All right, your booking stays as it is."),
        Trouble::Expired => (
            "Câu hỏi đã hết hạn nên chưa huỷ gì cả; nếu bạn vẫn muốn huỷ, tôi đề nghị lại.",
            "The question expired, so nothing was cancelled; tell me if I shall propose it again.",
        ),
        Trouble::Superseded => (
            "Đề nghị huỷ trước đó đã được bỏ, bàn vẫn còn.",
            "The cancellation was dropped; your booking stands.",
        ),
        Trouble::Cancelled => {
            ("Việc huỷ đã dừng, bàn vẫn còn.", "The cancellation was stopped; your booking stands.")
        }
        Trouble::Uncertain => (
            "Chưa rõ bàn đã được huỷ hay chưa; việc này đang được kiểm tra, nên tôi không thử lại.",
            "It is not certain whether it was cancelled; this is being looked into, so I do not try again.",
        ),
        Trouble::Paused => (
            "Hiện mọi việc đặt, đổi và huỷ đang tạm ngưng nên chưa huỷ gì cả; bạn quay lại sau nhé.",
            "Bookings and cancellations are paused at the moment, so nothing was cancelled; please come back later.",
        ),
        Trouble::UnknownBooking => (
            "Tôi không tìm thấy bàn đó trong các bàn của bạn, nên chưa huỷ gì cả.",
            "I did not find this booking among yours, so nothing was cancelled.",
        ),
        Trouble::BookingCancelled => {
            ("Bàn đó đã được huỷ từ trước.", "This booking had been cancelled before.")
        }
        Trouble::BookingPast => (
            "Bàn đó đã tới giờ hoặc đã qua, nên không huỷ được nữa.",
            "Its time has come or is over, so it can no longer be cancelled.",
        ),
        Trouble::Conflict => (
            "Việc huỷ này đang chờ bạn quyết định ở thẻ phía trên.",
            "This cancellation is waiting for your decision on the card above.",
        ),
        Trouble::Unavailable => (
            "Lúc này chưa huỷ được vì hệ thống tạm gián đoạn, bàn vẫn còn; bạn thử lại sau ít phút nhé.",
            "Cancelling is temporarily unavailable and your booking stands; please try again in a few minutes.",
        ),
        Trouble::Closed
        | Trouble::Past
        | Trouble::TooFarAhead
        | Trouble::UnknownCity
        | Trouble::UnknownRestaurant
        | Trouble::PartyTooLarge
        | Trouble::Full
        | Trouble::NothingToChange
        | Trouble::BadInput
        | Trouble::Other => (
            "Có lỗi nên chưa huỷ được, bàn vẫn còn; bạn thử lại nhé.",
            "Something went wrong and nothing was cancelled; please try again.",
        ),
    };
    either(language, vietnamese, english)
}

/// After a change that the record confirms.
pub fn changed(booking: &Booking, edited: bool, language: Language) -> String {
    let mut sentence = match booking.status {
        BookingStatus::Confirmed => either(
            language,
            "Bàn đã được đổi; chi tiết ở thẻ phía trên.",
            "Your booking is changed; the details are on the card above.",
        ),
        BookingStatus::Waitlisted => either(
            language,
            "Đã đổi, nhưng lúc đó quán đã kín: bạn đang trong danh sách chờ, chưa có bàn; chi tiết ở thẻ phía trên.",
            "It is changed, but the restaurant is full then: you are on the waiting list and do not have a table yet; the \
             details are on the card above.",
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

/// The new place cannot be had.
pub fn full(free: &[NaiveTime], language: Language) -> String {
    let times: Vec<String> = free.iter().map(|time| time.format("%H:%M").to_string()).collect();
    match (times.as_slice(), language) {
        ([], Vietnamese) => {
            "Lúc đó quán đã kín, các giờ gần đó cũng vậy, nên tôi giữ nguyên bàn cũ; bạn chọn ngày khác nhé."
                .to_owned()
        }
        ([], English) => {
            "The restaurant is full then, and around that time too, so your booking stays as it is; please \
                          choose another day."
                .to_owned()
        }
        (times, Vietnamese) => format!(
            "Lúc đó quán đã kín, nên tôi giữ nguyên bàn cũ; còn {}. Bạn lấy giờ nào?",
            times.join(", ")
        ),
        (times, English) => format!(
            "The restaurant is full then, so your booking stays as it is; free are {}. Which one would you like?",
            times.join(", ")
        ),
    }
}

/// What became of a change that was not made, and what to do next.
pub fn not_changed(trouble: Trouble, language: Language) -> String {
    let (vietnamese, english) = match trouble {
        Trouble::Declined => (
            "Vâng, tôi giữ nguyên bàn đó. Muốn đổi khác đi, bạn cho tôi biết giờ, ngày hay số người.",
            "All right, your booking stays as it is. For another change tell me the time, the day or the number of people.",
        ),
        Trouble::Expired => (
            "Câu hỏi đã hết hạn nên bàn vẫn như cũ; nếu bạn vẫn muốn đổi, tôi đề nghị lại.",
            "The question expired, so your booking is as it was; tell me if I shall propose it again.",
        ),
        Trouble::Superseded => (
            "Đề nghị đổi trước đó đã được bỏ, bàn vẫn như cũ.",
            "The change was dropped; your booking is as it was.",
        ),
        Trouble::Cancelled => {
            ("Việc đổi đã dừng, bàn vẫn như cũ.", "The change was stopped; your booking is as it was.")
        }
        Trouble::Uncertain => (
            "Chưa rõ bàn đã được đổi hay chưa; việc này đang được kiểm tra, nên tôi không thử lại.",
            "It is not certain whether it was changed; this is being looked into, so I do not try again.",
        ),
        Trouble::Full => return full(&[], language),
        Trouble::Paused => (
            "Hiện mọi việc đặt, đổi và huỷ đang tạm ngưng nên bàn vẫn như cũ; bạn quay lại sau nhé.",
            "Bookings and changes are paused at the moment, so your booking is as it was; please come back later.",
        ),
        Trouble::UnknownBooking => (
            "Tôi không tìm thấy bàn đó trong các bàn của bạn, nên chưa đổi gì cả.",
            "I did not find this booking among yours, so nothing was changed.",
        ),
        Trouble::BookingCancelled => (
            "Bàn đó đã được huỷ nên không đổi được nữa; bạn muốn thì tôi đặt bàn mới.",
            "This booking has been cancelled and can no longer be changed; tell me if you would like a new one.",
        ),
        Trouble::BookingPast => (
            "Bàn đó đã tới giờ hoặc đã qua, nên không đổi được nữa.",
            "Its time has come or is over, so it can no longer be changed.",
        ),
        Trouble::NothingToChange => (
            "Bàn đó đang đúng như vậy rồi; bạn muốn đổi gì khác: giờ, ngày hay số người?",
            "Your booking is like that already; what else shall I change: the time, the day or the number of people?",
        ),
        Trouble::Closed => (
            "Quán đóng cửa vào giờ đó nên bàn vẫn như cũ; bạn chọn giờ hay ngày khác nhé.",
            "The restaurant is closed at that time, so your booking is as it was; please choose another time or day.",
        ),
        Trouble::Past => (
            "Giờ đó đã qua nên bàn vẫn như cũ; bạn chọn giờ khác nhé.",
            "That time is in the past, so your booking is as it was; please choose another one.",
        ),
        Trouble::TooFarAhead => (
            "Ngày đó còn quá xa nên bàn vẫn như cũ; bạn chọn ngày gần hơn nhé.",
            "That day is too far ahead, so your booking is as it was; please choose an earlier one.",
        ),
        Trouble::Conflict => (
            "Lúc đó bạn đã có một bàn khác ở quán này, hoặc đang chờ bạn quyết định, nên tôi chưa đổi; bạn chọn giờ khác nhé.",
            "You already have another booking there for that time, or one that waits for your decision, so nothing was \
             changed; please choose another time.",
        ),
        Trouble::PartyTooLarge => (
            "Quán không đủ chỗ cho chừng đó người nên bàn vẫn như cũ; bạn bớt người hay chọn quán khác nhé.",
            "The restaurant does not have that many seats, so your booking is as it was; please take a smaller party or \
             another restaurant.",
        ),
        Trouble::Unavailable => (
            "Lúc này chưa đổi được vì hệ thống tạm gián đoạn, bàn vẫn như cũ; bạn thử lại sau ít phút nhé.",
            "Changing is temporarily unavailable and your booking is as it was; please try again in a few minutes.",
        ),
        Trouble::UnknownCity | Trouble::UnknownRestaurant | Trouble::BadInput | Trouble::Other => (
            "Có lỗi nên chưa đổi được, bàn vẫn như cũ; bạn thử lại hoặc chọn giờ, ngày khác nhé.",
            "Something went wrong and your booking is as it was; please try again, or choose another time or day.",
        ),
    };
    either(language, vietnamese, english)
}
