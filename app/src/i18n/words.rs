//! Plain words for every code, state and status.
//!
//! Parameters come from outside: they are read leniently, and a sentence without them stands in where they
//! are missing.

use chrono::{DateTime, FixedOffset, NaiveTime};
use serde::Deserialize;
use serde_json::{Map, Value};
use shared::api::Decision;
use shared::error_code::ErrorCode;
use shared::event::CancelReason;
use shared::run::RunStatus;
use shared::tool_call::StateName;
use shared::tools::{
    Booking, BookingStatus, OrderRefundStatus, OrderStatus, Refund, RefundFailure, RefundOrderPreview,
    RefundStatus, WeatherSummary,
};

use super::{Lang, format, texts, visible};

/// A card's state, as its badge says it.
pub fn state(lang: Lang, state: StateName) -> &'static str {
    match state {
        StateName::InputStreaming => texts::state_input_streaming(lang),
        StateName::InputAvailable => texts::state_input_available(lang),
        StateName::ApprovalRequested => texts::state_approval_requested(lang),
        StateName::ApprovalResponded => texts::state_approval_responded(lang),
        StateName::OutputAvailable => texts::state_done(lang),
        StateName::OutputError => texts::state_failed(lang),
        StateName::OutputDenied => texts::state_denied(lang),
        StateName::OutputCancelled => texts::state_cancelled(lang),
        StateName::OutputUnknown => texts::state_unknown(lang),
    }
}

pub fn booking_status(lang: Lang, status: BookingStatus) -> &'static str {
    match status {
        BookingStatus::Confirmed => texts::status_confirmed(lang),
        BookingStatus::Waitlisted => texts::status_waitlisted(lang),
        BookingStatus::Cancelled => texts::status_cancelled(lang),
    }
}

/// The head of a list of bookings.
pub fn bookings(lang: Lang, count: usize) -> String {
    match (lang, count) {
        (_, 0) => texts::bookings(lang).to_owned(),
        (Lang::Vi, _) => format!("Các bàn bạn đã đặt ({count})"),
        (Lang::En, _) => format!("Your bookings ({count})"),
    }
}

/// When a list of bookings was true.
pub fn bookings_as_of(lang: Lang, moment: DateTime<FixedOffset>) -> String {
    let moment = format::moment(lang, moment);
    match lang {
        Lang::Vi => format!("Theo sổ đặt bàn của các nhà hàng, lúc {moment}."),
        Lang::En => format!("From the restaurants' booking records, as of {moment}."),
    }
}

/// How many further bookings a list leaves out.
pub fn left_out(lang: Lang, count: u32) -> String {
    match (lang, count) {
        (Lang::Vi, _) => format!("Còn {count} lần đặt khác không hiện ở đây."),
        (Lang::En, 1) => "One more booking is not shown.".to_owned(),
        (Lang::En, _) => format!("{count} more bookings are not shown."),
    }
}

/// What a guest says who wants a booking cancelled.
pub fn wants_cancel(lang: Lang, reference: &str) -> String {
    match lang {
        Lang::Vi => format!("Tôi muốn huỷ bàn {reference}."),
        Lang::En => format!("Cancel my booking {reference}."),
    }
}

/// What a guest says who wants a booking changed.
pub fn wants_change(lang: Lang, reference: &str) -> String {
    match lang {
        Lang::Vi => format!("Tôi muốn đổi bàn {reference}."),
        Lang::En => format!("Change my booking {reference}."),
    }
}

/// What a guest says who wants a booking moved to this time; without the reference where it is not known.
/// The demo model and people both read it.
pub fn wants_move(
    lang: Lang,
    reference: Option<&str>,
    starts_at: DateTime<FixedOffset>,
    party_size: Option<u8>,
) -> String {
    let reference = reference.map(|reference| format!(" {reference}")).unwrap_or_default();
    let people = party_size.map(|people| format!(", {}", format::people(lang, people))).unwrap_or_default();
    let (clock, date) = (format::clock(starts_at.time()), starts_at.date_naive());
    match lang {
        Lang::Vi => format!("Đổi bàn{reference} sang {clock} ngày {}{people}.", format::vi_date(date)),
        Lang::En => format!("Move my booking{reference} to {clock} on {}{people}.", format::iso_date(date)),
    }
}

/// A press that asks for a booking to be moved to this time.
pub fn move_to(lang: Lang, starts_at: DateTime<FixedOffset>) -> String {
    let moment = format::moment(lang, starts_at);
    match lang {
        Lang::Vi => format!("Chuyển sang {moment}"),
        Lang::En => format!("Move to {moment}"),
    }
}

/// A press that writes this time into the form.
pub fn take_time(lang: Lang, starts_at: DateTime<FixedOffset>) -> String {
    let moment = format::moment(lang, starts_at);
    match lang {
        Lang::Vi => format!("Chọn {moment}"),
        Lang::En => format!("Take {moment}"),
    }
}

/// That a wanted time has no room for so many; the times that have some follow.
pub fn full_now(lang: Lang, wanted: DateTime<FixedOffset>, party_size: u8) -> String {
    let (moment, people) = (format::moment(lang, wanted), format::people(lang, party_size));
    match lang {
        Lang::Vi => format!("{moment} hiện đã hết bàn cho {people}. Giờ khác còn bàn:"),
        Lang::En => format!("{moment} is full now for {people}. Other times with room:"),
    }
}

/// The same, for those who hear the times instead of seeing them.
pub fn full_now_but(
    lang: Lang,
    wanted: DateTime<FixedOffset>,
    party_size: u8,
    times: &[DateTime<FixedOffset>],
) -> String {
    let (moment, people) = (format::moment(lang, wanted), format::people(lang, party_size));
    let times: Vec<String> = times.iter().map(|time| format::time(lang, time.time())).collect();
    let times = format::list(lang, &times);
    match lang {
        Lang::Vi => format!("{moment} hiện đã hết bàn cho {people}. Còn bàn lúc {times}."),
        Lang::En => format!("{moment} is full now for {people}. There is room at {times}."),
    }
}

/// What a confirmation gives who has taken one of the offered times.
pub fn will_book_at(lang: Lang, starts_at: DateTime<FixedOffset>) -> String {
    let time = format::time(lang, starts_at.time());
    match lang {
        Lang::Vi => format!("Còn bàn lúc {time}. Xác nhận sẽ đặt bàn này cho bạn ngay."),
        Lang::En => format!("There is a table at {time}. Confirming books it for you right away."),
    }
}

/// The same for a booking that is moved.
pub fn will_move_to(lang: Lang, starts_at: DateTime<FixedOffset>) -> String {
    let time = format::time(lang, starts_at.time());
    match lang {
        Lang::Vi => {
            format!("Còn bàn lúc {time}. Xác nhận sẽ đổi ngay; bàn cũ được giữ cho đến khi có bàn mới.")
        }
        Lang::En => format!(
            "There is a table at {time}. Confirming changes it right away; the old place is kept until then."
        ),
    }
}

/// That a booking which was made earlier stands otherwise than it did, for those who do not see it.
pub fn booking_news(lang: Lang, booking: &Booking) -> String {
    let restaurant = visible(&booking.restaurant_name);
    let when = format::moment(lang, booking.starts_at);
    let people = format::people(lang, booking.party_size);
    match (lang, booking.status) {
        (Lang::Vi, BookingStatus::Confirmed) => {
            format!("Bàn ở {restaurant}, {when}, {people} đã được xác nhận.")
        }
        (Lang::Vi, BookingStatus::Waitlisted) => {
            format!("Bàn ở {restaurant}, {when}, {people} đang trong danh sách chờ.")
        }
        (Lang::Vi, BookingStatus::Cancelled) => format!("Bàn ở {restaurant}, {when}, {people} đã huỷ."),
        (Lang::En, BookingStatus::Confirmed) => {
            format!("Your table at {restaurant}, {when}, {people}, is confirmed.")
        }
        (Lang::En, BookingStatus::Waitlisted) => {
            format!("Your booking at {restaurant}, {when}, {people}, is on the waiting list.")
        }
        (Lang::En, BookingStatus::Cancelled) => {
            format!("Your booking at {restaurant}, {when}, {people}, is cancelled.")
        }
    }
}

pub fn order_status(lang: Lang, status: OrderStatus) -> &'static str {
    match status {
        OrderStatus::Preparing => texts::order_preparing(lang),
        OrderStatus::Delivered => texts::order_delivered(lang),
        OrderStatus::Cancelled => texts::status_cancelled(lang),
    }
}

pub fn refund_status(lang: Lang, status: RefundStatus) -> &'static str {
    match status {
        RefundStatus::Submitted => texts::refund_status_submitted(lang),
        RefundStatus::Succeeded => texts::refund_status_succeeded(lang),
        RefundStatus::Failed => texts::refund_status_failed(lang),
    }
}

/// As an order lists it.
pub fn listed_refund_status(lang: Lang, status: OrderRefundStatus) -> &'static str {
    status.told().map_or_else(|| texts::refund_status_unknown(lang), |status| refund_status(lang, status))
}

/// Why a refund failed.
pub fn refund_failure(lang: Lang, failure: RefundFailure) -> &'static str {
    match (lang, failure) {
        (Lang::Vi, RefundFailure::CardLost) => "Thẻ đã được báo mất hoặc bị đánh cắp.",
        (Lang::Vi, RefundFailure::CardExpired) => "Thẻ đã hết hạn hoặc đã bị huỷ.",
        (Lang::Vi, RefundFailure::InsufficientFunds) => "Tài khoản của nhà hàng lúc đó không đủ tiền.",
        (Lang::Vi, RefundFailure::Declined) => "Ngân hàng của bạn không nhận khoản hoàn này.",
        (Lang::Vi, RefundFailure::Disputed) => {
            "Khoản thanh toán này đang được khiếu nại ở ngân hàng; kết quả sẽ do ngân hàng quyết định."
        }
        (Lang::Vi, RefundFailure::Other) => "Đơn vị thanh toán không cho biết lý do.",
        (Lang::En, RefundFailure::CardLost) => "The card was reported lost or stolen.",
        (Lang::En, RefundFailure::CardExpired) => "The card has expired or was cancelled.",
        (Lang::En, RefundFailure::InsufficientFunds) => "The house's account did not hold enough money.",
        (Lang::En, RefundFailure::Declined) => "Your bank did not take the refund.",
        (Lang::En, RefundFailure::Disputed) => {
            "The payment is disputed at the bank, which decides what becomes of it."
        }
        (Lang::En, RefundFailure::Other) => "The payment provider gave no reason.",
    }
}

/// An order by its number.
pub fn order(lang: Lang, order: &str) -> String {
    match lang {
        Lang::Vi => format!("Đơn hàng {order}"),
        Lang::En => format!("Order {order}"),
    }
}

/// A press that asks to see an order.
pub fn show_order(lang: Lang, order: &str) -> String {
    match lang {
        Lang::Vi => format!("Xem đơn {order}"),
        Lang::En => format!("Show order {order}"),
    }
}

/// What a guest says who wants to see an order. The demo model and people both read it.
pub fn wants_order(lang: Lang, order: &str) -> String {
    match lang {
        Lang::Vi => format!("Xem đơn hàng {order}."),
        Lang::En => format!("Show my order {order}."),
    }
}

/// A press that asks for an order to be refunded.
pub fn refund_order(lang: Lang, order: &str) -> String {
    match lang {
        Lang::Vi => format!("Hoàn tiền đơn {order}"),
        Lang::En => format!("Refund order {order}"),
    }
}

/// What a guest says who wants an order refunded. The demo model and people both read it.
pub fn wants_refund(lang: Lang, order: &str) -> String {
    match lang {
        Lang::Vi => format!("Tôi muốn hoàn tiền đơn hàng {order}."),
        Lang::En => format!("Refund my order {order}."),
    }
}

/// `2 × 180.000 ₫`
pub fn times_price(lang: Lang, quantity: u32, unit_price: u64) -> String {
    format!("{} × {}", format::count(lang, quantity.into()), format::dong(lang, unit_price))
}

/// The most that a field for money takes.
pub fn at_most(lang: Lang, most: u64) -> String {
    let most = format::dong(lang, most);
    match lang {
        Lang::Vi => format!("Tối đa {most}, không có số lẻ."),
        Lang::En => format!("At most {most}, without decimals."),
    }
}

/// What a yes would ask for, as the form stands.
pub fn would_go_back(lang: Lang, amount: u64, payee: &str) -> String {
    let amount = format::dong(lang, amount);
    match lang {
        Lang::Vi => format!("Hoàn {amount} về {payee}"),
        Lang::En => format!("{amount} back to {payee}"),
    }
}

/// What could still be refunded after that.
pub fn left_after(lang: Lang, amount: u64, left: u64) -> String {
    match (lang, left.checked_sub(amount).map(|after| format::dong(lang, after))) {
        (Lang::Vi, Some(after)) => format!("Sau đó còn có thể hoàn {after}."),
        (Lang::Vi, None) => "Số tiền này nhiều hơn phần còn có thể hoàn.".to_owned(),
        (Lang::En, Some(after)) => format!("After that {after} can still be refunded."),
        (Lang::En, None) => "This is more than can still be refunded.".to_owned(),
    }
}

/// Where a refund went.
pub fn back_to(lang: Lang, payee: &str) -> String {
    match lang {
        Lang::Vi => format!("Đã hoàn về {payee}"),
        Lang::En => format!("Returned to {payee}"),
    }
}

/// What is asked about, for those who do not see the form.
pub fn refund_asked(lang: Lang, preview: &RefundOrderPreview) -> String {
    let amount = format::dong(lang, preview.amount);
    let (order, payee) = (visible(&preview.order_id), visible(&preview.payee));
    match lang {
        Lang::Vi => format!("Hoàn {amount} cho đơn hàng {order}, về {payee}?"),
        Lang::En => format!("Refund {amount} for order {order}, to {payee}?"),
    }
}

/// That a refund which was asked for earlier stands otherwise than it did, for those who do not see it.
pub fn refund_news(lang: Lang, refund: &Refund) -> String {
    let amount = format::dong(lang, refund.amount);
    let (order, payee) = (visible(&refund.order_id), visible(&refund.payee));
    match (lang, refund.status) {
        (Lang::Vi, RefundStatus::Submitted) => {
            format!("Khoản hoàn {amount} cho đơn hàng {order} đã được gửi yêu cầu, tiền chưa về.")
        }
        (Lang::Vi, RefundStatus::Succeeded) => {
            format!("Khoản hoàn {amount} cho đơn hàng {order} đã về {payee}.")
        }
        (Lang::Vi, RefundStatus::Failed) => {
            format!("Khoản hoàn {amount} cho đơn hàng {order} không thành công, tiền không về.")
        }
        (Lang::En, RefundStatus::Submitted) => {
            format!("The refund of {amount} for order {order} was asked for; the money is not back yet.")
        }
        (Lang::En, RefundStatus::Succeeded) => {
            format!("The refund of {amount} for order {order} was returned to {payee}.")
        }
        (Lang::En, RefundStatus::Failed) => {
            format!("The refund of {amount} for order {order} failed; the money did not come back.")
        }
    }
}

pub fn weather_summary(lang: Lang, summary: WeatherSummary) -> &'static str {
    match (lang, summary) {
        (Lang::Vi, WeatherSummary::Clear) => "Trời quang",
        (Lang::Vi, WeatherSummary::PartlyCloudy) => "Ít mây",
        (Lang::Vi, WeatherSummary::Cloudy) => "Nhiều mây",
        (Lang::Vi, WeatherSummary::Fog) => "Sương mù",
        (Lang::Vi, WeatherSummary::Drizzle) => "Mưa phùn",
        (Lang::Vi, WeatherSummary::Rain) => "Mưa",
        (Lang::Vi, WeatherSummary::Showers) => "Mưa rào",
        (Lang::Vi, WeatherSummary::FreezingRain) => "Mưa băng",
        (Lang::Vi, WeatherSummary::Snow) => "Tuyết",
        (Lang::Vi, WeatherSummary::SnowShowers) => "Tuyết từng cơn",
        (Lang::Vi, WeatherSummary::Thunderstorm) => "Mưa dông",
        (Lang::Vi, WeatherSummary::Hailstorm) => "Dông kèm mưa đá",
        (Lang::Vi, WeatherSummary::Unknown) => "Không rõ",
        (Lang::En, WeatherSummary::Clear) => "Clear",
        (Lang::En, WeatherSummary::PartlyCloudy) => "Partly cloudy",
        (Lang::En, WeatherSummary::Cloudy) => "Cloudy",
        (Lang::En, WeatherSummary::Fog) => "Fog",
        (Lang::En, WeatherSummary::Drizzle) => "Drizzle",
        (Lang::En, WeatherSummary::Rain) => "Rain",
        (Lang::En, WeatherSummary::Showers) => "Showers",
        (Lang::En, WeatherSummary::FreezingRain) => "Freezing rain",
        (Lang::En, WeatherSummary::Snow) => "Snow",
        (Lang::En, WeatherSummary::SnowShowers) => "Snow showers",
        (Lang::En, WeatherSummary::Thunderstorm) => "Thunderstorms",
        (Lang::En, WeatherSummary::Hailstorm) => "Thunderstorms with hail",
        (Lang::En, WeatherSummary::Unknown) => "Not known",
    }
}

/// Who made a forecast, and when it was fetched: by the clock that `at` carries.
pub fn weather_from_open_meteo(lang: Lang, at: Option<DateTime<FixedOffset>>) -> String {
    let Some(at) = at else {
        return match lang {
            Lang::Vi => "Dự báo: Open-Meteo.".to_owned(),
            Lang::En => "Forecast: Open-Meteo.".to_owned(),
        };
    };
    let (time, date) = (format::time(lang, at.time()), format::short_date(lang, at.date_naive()));
    match lang {
        Lang::Vi => format!("Dự báo: Open-Meteo, {time} ngày {date} (giờ địa phương)."),
        Lang::En => format!("Forecast: Open-Meteo, {time} on {date} (local time)."),
    }
}

/// Why a call was not carried out.
pub fn cancel_reason(lang: Lang, reason: CancelReason) -> &'static str {
    match (lang, reason) {
        (Lang::Vi, CancelReason::Stopped) => "Bạn đã dừng trợ lý trước khi việc này được thực hiện.",
        (Lang::Vi, CancelReason::Superseded) => "Bạn đã gửi tin nhắn mới nên yêu cầu này không còn hiệu lực.",
        (Lang::Vi, CancelReason::Expired) => "Đã quá hạn trả lời nên yêu cầu này không còn hiệu lực.",
        // Cut, refused, failed: the line of the run says which.
        (Lang::Vi, CancelReason::Interrupted) => {
            "Lượt của trợ lý kết thúc giữa chừng nên việc này không được thực hiện."
        }
        (Lang::Vi, CancelReason::Limit) => {
            "Lượt trả lời này đã chạm giới hạn nên việc này không được thực hiện."
        }
        (Lang::Vi, CancelReason::Repeated) => texts::repeated_line(lang),
        (Lang::En, CancelReason::Stopped) => "You stopped the assistant before this was carried out.",
        (Lang::En, CancelReason::Superseded) => "You sent a new message, so this request no longer stands.",
        (Lang::En, CancelReason::Expired) => "The time to answer ran out, so this request no longer stands.",
        (Lang::En, CancelReason::Interrupted) => {
            "The assistant's turn ended half way, so this was not carried out."
        }
        (Lang::En, CancelReason::Limit) => "This turn reached its limit, so this was not carried out.",
        (Lang::En, CancelReason::Repeated) => texts::repeated_line(lang),
    }
}

/// What a decision that another press or the clock took means for the guest.
pub fn standing_decision(lang: Lang, decision: Decision) -> &'static str {
    match (lang, decision) {
        (Lang::Vi, Decision::Approved) => "Yêu cầu này đã được xác nhận trước đó.",
        (Lang::Vi, Decision::Declined) => {
            "Yêu cầu này đã bị từ chối trước đó; không có gì được đặt hay thay đổi."
        }
        (Lang::Vi, Decision::Expired) => "Đã quá hạn trả lời; không có gì được đặt hay thay đổi.",
        (Lang::Vi, Decision::Superseded) => {
            "Một tin nhắn mới đã thay yêu cầu này; không có gì được đặt hay thay đổi."
        }
        (Lang::Vi, Decision::Stopped) => "Yêu cầu này đã bị dừng; không có gì được đặt hay thay đổi.",
        (Lang::En, Decision::Approved) => "This request was confirmed earlier.",
        (Lang::En, Decision::Declined) => "This request was declined earlier; nothing was booked or changed.",
        (Lang::En, Decision::Expired) => "The time to answer is over; nothing was booked or changed.",
        (Lang::En, Decision::Superseded) => {
            "A newer message replaced this request; nothing was booked or changed."
        }
        (Lang::En, Decision::Stopped) => "This request was stopped; nothing was booked or changed.",
    }
}

/// How a run ended or stands, where the page says it; none where the page has nothing to say.
pub fn run_status(lang: Lang, status: RunStatus) -> Option<&'static str> {
    let words = match (lang, status) {
        (_, RunStatus::Queued | RunStatus::Running | RunStatus::AwaitingApproval | RunStatus::Done) => {
            return None;
        }
        (Lang::Vi, RunStatus::StepLimit) => {
            "Trợ lý đã dùng hết số bước cho một câu hỏi nên dừng lại mà chưa trả lời xong."
        }
        (Lang::Vi, RunStatus::TooManyToolErrors) => {
            "Trợ lý gặp lỗi quá nhiều lần nên dừng lại mà chưa trả lời xong."
        }
        (Lang::Vi, RunStatus::RepeatedCall) => "Trợ lý cứ lặp lại cùng một yêu cầu nên đã bị dừng.",
        (Lang::Vi, RunStatus::TokenBudget) => {
            "Đã dùng hết phần xử lý cho phép của câu hỏi này hoặc của hôm nay nên trợ lý dừng lại."
        }
        (Lang::Vi, RunStatus::TimeLimit) => "Trợ lý trả lời quá lâu nên đã bị dừng.",
        (Lang::Vi, RunStatus::ContextFull) => {
            "Cuộc trò chuyện này đã quá dài. Hãy bắt đầu một cuộc trò chuyện mới."
        }
        (Lang::Vi, RunStatus::Truncated) => {
            "Câu trả lời quá dài và bị cắt giữa chừng. Hãy hỏi lại, hoặc hỏi ít hơn trong một lần."
        }
        (Lang::Vi, RunStatus::Refused) => "Trợ lý từ chối trả lời câu này. Hãy thử hỏi cách khác.",
        (Lang::Vi, RunStatus::Cancelled) => "Lượt này đã dừng.",
        (Lang::Vi, RunStatus::Interrupted) => "Kết nối với trợ lý bị ngắt giữa chừng.",
        (Lang::Vi, RunStatus::Failed) => "Trợ lý gặp sự cố nên chưa trả lời được.",
        (Lang::En, RunStatus::StepLimit) => {
            "The assistant used up its steps for one question and stopped before it was done."
        }
        (Lang::En, RunStatus::TooManyToolErrors) => {
            "The assistant ran into too many errors and stopped before it was done."
        }
        (Lang::En, RunStatus::RepeatedCall) => {
            "The assistant kept asking for the same thing and was stopped."
        }
        (Lang::En, RunStatus::TokenBudget) => {
            "The processing allowed for this question, or for today, is used up, so the assistant stopped."
        }
        (Lang::En, RunStatus::TimeLimit) => "The assistant took too long and was stopped.",
        (Lang::En, RunStatus::ContextFull) => {
            "This conversation has become too long. Please start a new one."
        }
        (Lang::En, RunStatus::Truncated) => {
            "The answer was too long and was cut off. Ask again, or for less at a time."
        }
        (Lang::En, RunStatus::Refused) => {
            "The assistant declined to answer this. Please try asking in another way."
        }
        (Lang::En, RunStatus::Cancelled) => "This turn was stopped.",
        (Lang::En, RunStatus::Interrupted) => "The connection to the assistant broke half way.",
        (Lang::En, RunStatus::Failed) => "The assistant had a problem and could not answer.",
    };
    Some(words)
}

/// Why something was refused or failed: one or two sentences in the guest's language. `fallback` is what
/// came with a code that this version does not know.
pub fn error(lang: Lang, code: &ErrorCode, params: Option<&Map<String, Value>>, fallback: &str) -> String {
    let number = |name: &str| params.and_then(|params| params.get(name)).and_then(Value::as_i64);
    let fixed = match (lang, code) {
        (Lang::Vi, ErrorCode::InvalidInput) => "Trợ lý đưa thông tin chưa hợp lệ.",
        (Lang::En, ErrorCode::InvalidInput) => "The assistant gave details that are not valid.",
        (Lang::Vi, ErrorCode::UnknownTool) => "Trợ lý gọi một công cụ không có.",
        (Lang::En, ErrorCode::UnknownTool) => "The assistant asked for a tool that does not exist.",
        (Lang::Vi, ErrorCode::SwitchedOff) => "Chức năng này đang tạm tắt.",
        (Lang::En, ErrorCode::SwitchedOff) => "This is switched off at the moment.",
        (Lang::Vi, ErrorCode::Frozen) => "Việc đặt, đổi và huỷ bàn đang tạm ngưng.",
        (Lang::En, ErrorCode::Frozen) => "Bookings, changes and cancellations are paused.",
        (Lang::Vi, ErrorCode::Timeout) => "Hệ thống trả lời quá lâu.",
        (Lang::En, ErrorCode::Timeout) => "The system took too long to answer.",
        (Lang::Vi, ErrorCode::ToolFailed) => "Hệ thống đang gặp sự cố.",
        (Lang::En, ErrorCode::ToolFailed) => "The system has a problem at the moment.",
        (Lang::Vi, ErrorCode::ConflictsWithEarlier) => {
            "Bạn đã có một yêu cầu cho đúng nhà hàng và giờ này với thông tin khác."
        }
        (Lang::En, ErrorCode::ConflictsWithEarlier) => {
            "You already have a request for this very restaurant and time with other details."
        }
        (Lang::Vi, ErrorCode::UnknownRestaurant) => "Không tìm thấy nhà hàng này.",
        (Lang::En, ErrorCode::UnknownRestaurant) => "We do not know this restaurant.",
        (Lang::Vi, ErrorCode::UnknownBooking) => "Không tìm thấy lần đặt bàn này của bạn.",
        (Lang::En, ErrorCode::UnknownBooking) => "You have no such booking.",
        (Lang::Vi, ErrorCode::BookingCancelled) => "Bàn này đã được huỷ trước đó.",
        (Lang::En, ErrorCode::BookingCancelled) => "This booking was cancelled before.",
        (Lang::Vi, ErrorCode::BookingPast) => "Đã đến hoặc qua giờ của bàn này nên không đổi được nữa.",
        (Lang::En, ErrorCode::BookingPast) => {
            "The time of this booking has come, so nothing of it can be changed."
        }
        (Lang::Vi, ErrorCode::AnotherBooking) => "Bạn đã có bàn khác ở nhà hàng này vào giờ đó.",
        (Lang::En, ErrorCode::AnotherBooking) => "You have another booking at this restaurant for that time.",
        (Lang::Vi, ErrorCode::NothingToChange) => "Bàn này đã đúng như vậy, không có gì để đổi.",
        (Lang::En, ErrorCode::NothingToChange) => {
            "The booking is just like that; there is nothing to change."
        }
        (Lang::Vi, ErrorCode::Past) => "Thời điểm này đã qua.",
        (Lang::En, ErrorCode::Past) => "This time is in the past.",
        (Lang::Vi, ErrorCode::Required) => "Chưa điền ô này.",
        (Lang::En, ErrorCode::Required) => "Please fill this in.",
        (Lang::Vi, ErrorCode::UnknownField) => "Có thông tin không được chấp nhận.",
        (Lang::En, ErrorCode::UnknownField) => "There is something here that is not accepted.",
        (Lang::Vi, ErrorCode::WrongType) => "Giá trị này không đúng loại.",
        (Lang::En, ErrorCode::WrongType) => "This is not the right kind of value.",
        (Lang::Vi, ErrorCode::Empty) => "Ô này không được để trống.",
        (Lang::En, ErrorCode::Empty) => "This must not be empty.",
        (Lang::Vi, ErrorCode::BadFormat) => "Giá trị này không đúng định dạng.",
        (Lang::En, ErrorCode::BadFormat) => "This does not have the right format.",
        (Lang::Vi, ErrorCode::BadCharacters) => "Có ký tự không dùng được.",
        (Lang::En, ErrorCode::BadCharacters) => "There are characters that cannot be used.",

        (Lang::Vi, ErrorCode::NothingLeftToRefund) => "Đơn này không còn khoản nào có thể hoàn.",
        (Lang::En, ErrorCode::NothingLeftToRefund) => "Nothing of this order is left to refund.",
        (Lang::Vi, ErrorCode::ReceiverUnavailable) => "Hiện không liên hệ được với đơn vị thanh toán.",
        (Lang::En, ErrorCode::ReceiverUnavailable) => "The payment provider cannot be reached at the moment.",

        (_, ErrorCode::UnknownOrder) => return unknown_order(lang, params),
        (_, ErrorCode::MoreThanLeft) => return more_than_left(lang, params),
        (_, ErrorCode::AnotherRefund) => return another_refund(lang, params),
        (_, ErrorCode::RefundRejected) => return refund_rejected(lang, params),
        (_, ErrorCode::Full) => return full(lang, params),
        (_, ErrorCode::UnknownCity) => return unknown_city(lang, params),
        (_, ErrorCode::Closed) => return closed(lang, params),
        (_, ErrorCode::OutOfRange) => return out_of_range(lang, number("min"), number("max")),
        (_, ErrorCode::TooFarAhead) => {
            return match (lang, number("maxDays")) {
                (Lang::Vi, Some(days)) => format!("Chỉ nhận đặt trước tối đa {days} ngày."),
                (Lang::Vi, None) => "Ngày này còn quá xa.".to_owned(),
                (Lang::En, Some(days)) => format!("Bookings open at most {days} days ahead."),
                (Lang::En, None) => "This date is too far ahead.".to_owned(),
            };
        }
        (_, ErrorCode::PartyTooLarge) => {
            return match (lang, number("seats")) {
                (Lang::Vi, Some(seats)) => format!("Nhà hàng chỉ có {seats} chỗ."),
                (Lang::Vi, None) => "Nhà hàng không đủ chỗ cho số người này.".to_owned(),
                (Lang::En, Some(seats)) => format!("The restaurant has only {seats} seats."),
                (Lang::En, None) => "The restaurant is too small for this party.".to_owned(),
            };
        }
        (_, ErrorCode::TooLong) => {
            return match (lang, number("max")) {
                (Lang::Vi, Some(max)) => format!("Tối đa {max} ký tự."),
                (Lang::Vi, None) => "Nội dung quá dài.".to_owned(),
                (Lang::En, Some(max)) => format!("At most {max} characters."),
                (Lang::En, None) => "This is too long.".to_owned(),
            };
        }
        (_, ErrorCode::Other(_)) => return visible(fallback),
    };
    fixed.to_owned()
}

fn full(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let times: Vec<String> = strings(params, "times")
        .iter()
        .filter_map(|text| DateTime::parse_from_rfc3339(text).ok())
        .map(|time| format::time(lang, time.time()))
        .collect();
    match (lang, times.is_empty()) {
        (Lang::Vi, true) => "Giờ này không còn đủ chỗ.".to_owned(),
        (Lang::Vi, false) => format!("Giờ này không còn đủ chỗ. Còn bàn lúc {}.", format::list(lang, &times)),
        (Lang::En, true) => "There is not enough room at this time.".to_owned(),
        (Lang::En, false) => {
            format!("There is not enough room at this time. There is at {}.", format::list(lang, &times))
        }
    }
}

fn unknown_order(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let orders = strings(params, "orders");
    let has_none = orders.is_empty() && params.is_some_and(|params| params.contains_key("orders"));
    match (lang, orders.is_empty()) {
        (Lang::Vi, true) if has_none => "Bạn chưa có đơn hàng nào.".to_owned(),
        (Lang::En, true) if has_none => "You have no orders yet.".to_owned(),
        (Lang::Vi, true) => "Bạn không có đơn hàng nào mang số này.".to_owned(),
        (Lang::Vi, false) => {
            format!("Bạn không có đơn hàng nào mang số này. Đơn của bạn: {}.", format::list(lang, &orders))
        }
        (Lang::En, true) => "You have no order with this number.".to_owned(),
        (Lang::En, false) => {
            format!("You have no order with this number. Your orders: {}.", format::list(lang, &orders))
        }
    }
}

fn more_than_left(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    match (lang, money(lang, params, "left")) {
        (Lang::Vi, Some(left)) => format!("Đơn này chỉ còn có thể hoàn {left}."),
        (Lang::Vi, None) => "Nhiều hơn số tiền còn có thể hoàn của đơn này.".to_owned(),
        (Lang::En, Some(left)) => format!("Only {left} of this order can still be refunded."),
        (Lang::En, None) => "This is more than can still be refunded of this order.".to_owned(),
    }
}

fn another_refund(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let status = params.and_then(|params| params.get("status"));
    let status = status.map(|status| match RefundStatus::deserialize(status) {
        Ok(status) => refund_status(lang, status),
        // Of its outcome nobody knows.
        Err(_) => texts::state_unknown(lang),
    });
    let status = status.map(str::to_lowercase);
    let told: Vec<String> = money(lang, params, "amount").into_iter().chain(status).collect();
    match (lang, told.is_empty()) {
        (Lang::Vi, true) => "Đơn này đã có một khoản hoàn khác.".to_owned(),
        (Lang::Vi, false) => format!("Đơn này đã có một khoản hoàn khác: {}.", told.join(", ")),
        (Lang::En, true) => "This order has another refund.".to_owned(),
        (Lang::En, false) => format!("This order has another refund: {}.", told.join(", ")),
    }
}

/// The reason is one that a refund can fail for, or the provider's own code.
fn refund_rejected(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let rejected = match lang {
        Lang::Vi => "Đơn vị thanh toán từ chối khoản hoàn này.",
        Lang::En => "The payment provider rejected this refund.",
    };
    let Some(reason) = params.and_then(|params| params.get("reason")).and_then(Value::as_str) else {
        return rejected.to_owned();
    };
    let failure = match reason {
        "charge_disputed" => Some(RefundFailure::Disputed),
        "balance_insufficient" | "insufficient_funds" => Some(RefundFailure::InsufficientFunds),
        other => serde_json::from_value(Value::from(other)).ok(),
    };
    match (lang, failure, reason) {
        (_, Some(failure), _) => format!("{rejected} {}", refund_failure(lang, failure)),
        (Lang::Vi, None, "charge_already_refunded") => {
            format!("{rejected} Khoản thanh toán này đã được hoàn từ trước.")
        }
        (Lang::En, None, "charge_already_refunded") => {
            format!("{rejected} This payment was refunded before.")
        }
        (Lang::Vi, None, code) => format!("{rejected} Mã lỗi: {}.", visible(code)),
        (Lang::En, None, code) => format!("{rejected} Their code: {}.", visible(code)),
    }
}

fn money(lang: Lang, params: Option<&Map<String, Value>>, name: &str) -> Option<String> {
    params?.get(name)?.as_u64().map(|amount| format::dong(lang, amount))
}

fn unknown_city(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let cities: Vec<String> = strings(params, "cities");
    match (lang, cities.is_empty()) {
        (Lang::Vi, true) => "Chưa có dữ liệu cho nơi này.".to_owned(),
        (Lang::Vi, false) => {
            format!("Chưa có dữ liệu cho nơi này. Hiện có: {}.", format::list(lang, &cities))
        }
        (Lang::En, true) => "We have nothing for this place.".to_owned(),
        (Lang::En, false) => {
            format!("We have nothing for this place. Places we know: {}.", format::list(lang, &cities))
        }
    }
}

fn closed(lang: Lang, params: Option<&Map<String, Value>>) -> String {
    let text = |name: &str| params?.get(name)?.as_str();
    if let Some(date) = text("date").and_then(|date| date.parse().ok()) {
        let date = format::date(lang, date);
        let why = text("reason").map(|reason| format!(" ({})", visible(reason))).unwrap_or_default();
        return match lang {
            Lang::Vi => format!("Nhà hàng đóng cửa {date}{why}."),
            Lang::En => format!("The restaurant is closed on {date}{why}."),
        };
    }
    let hours = params.and_then(|params| params.get("hours")).and_then(Value::as_array);
    let Some(hours) = hours else {
        return match lang {
            Lang::Vi => "Nhà hàng đóng cửa vào giờ này.".to_owned(),
            Lang::En => "The restaurant is closed at this time.".to_owned(),
        };
    };
    let spans: Vec<String> = hours.iter().filter_map(|span| opening(lang, span)).collect();
    match (lang, spans.is_empty()) {
        (Lang::Vi, true) => "Nhà hàng đóng cửa cả ngày hôm đó.".to_owned(),
        (Lang::En, true) => "The restaurant is closed all day.".to_owned(),
        (Lang::Vi, false) => {
            format!("Nhà hàng đóng cửa vào giờ này. Hôm đó mở cửa {}.", format::list(lang, &spans))
        }
        (Lang::En, false) => {
            format!(
                "The restaurant is closed at this time. That day it is open {}.",
                format::list(lang, &spans)
            )
        }
    }
}

/// One span of opening hours, `{opens, closes}`; times that are none are shown as they came.
fn opening(lang: Lang, span: &Value) -> Option<String> {
    let time = |name: &str| {
        let text = span.get(name)?.as_str()?;
        let time = ["%H:%M", "%H:%M:%S"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok());
        Some(time.map_or_else(|| visible(text), |time| format::time(lang, time)))
    };
    Some(format!("{}–{}", time("opens")?, time("closes")?))
}

fn out_of_range(lang: Lang, min: Option<i64>, max: Option<i64>) -> String {
    let grouped = |bound: i64| {
        let sign = if bound < 0 { "-" } else { "" };
        format!("{sign}{}", format::count(lang, bound.unsigned_abs()))
    };
    match (lang, min.map(grouped), max.map(grouped)) {
        (Lang::Vi, Some(min), Some(max)) => format!("Phải từ {min} đến {max}."),
        (Lang::Vi, Some(min), None) => format!("Ít nhất là {min}."),
        (Lang::Vi, None, Some(max)) => format!("Nhiều nhất là {max}."),
        (Lang::Vi, None, None) => "Giá trị nằm ngoài giới hạn.".to_owned(),
        (Lang::En, Some(min), Some(max)) => format!("Must be from {min} to {max}."),
        (Lang::En, Some(min), None) => format!("Must be at least {min}."),
        (Lang::En, None, Some(max)) => format!("Must be at most {max}."),
        (Lang::En, None, None) => "This is outside the limits.".to_owned(),
    }
}

fn strings(params: Option<&Map<String, Value>>, name: &str) -> Vec<String> {
    let values = params.and_then(|params| params.get(name)).and_then(Value::as_array);
    values.into_iter().flatten().filter_map(Value::as_str).map(visible).collect()
}

/// The message that a press on a free time sends. The demo model and people both read it.
pub fn choice(lang: Lang, restaurant: &str, starts_at: DateTime<FixedOffset>, people: u8) -> String {
    let clock = format::clock(starts_at.time());
    let date = starts_at.date_naive();
    match lang {
        Lang::Vi => format!("Tôi chọn {restaurant}, {clock} ngày {}, {people} người.", format::vi_date(date)),
        Lang::En => format!("I choose {restaurant}, {clock} on {}, {people} people.", format::iso_date(date)),
    }
}

/// When a question must be answered.
pub fn answer_by(lang: Lang, deadline: &str, left: &str) -> String {
    match lang {
        Lang::Vi => format!("Trả lời trước {deadline} (còn {left})."),
        Lang::En => format!("Answer by {deadline} ({left} left)."),
    }
}

/// How many seats a confirmation would take from.
pub fn seats_free(lang: Lang, seats: u32) -> String {
    match (lang, seats) {
        (Lang::Vi, seats) => format!("Còn {seats} chỗ vào giờ này."),
        (Lang::En, 1) => "1 seat is free at this time.".to_owned(),
        (Lang::En, seats) => format!("{seats} seats are free at this time."),
    }
}

/// Characters left, or over the limit.
pub fn characters_left(lang: Lang, left: i64) -> String {
    match (lang, left) {
        (Lang::Vi, 0..) => format!("Còn {left} ký tự"),
        (Lang::Vi, _) => format!("Thừa {} ký tự", left.unsigned_abs()),
        (Lang::En, 0..) => format!("{left} characters left"),
        (Lang::En, _) => format!("{} characters too many", left.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn params(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn every_known_code_has_words_of_its_own_in_both_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for code in ErrorCode::KNOWN {
            for lang in Lang::ALL {
                let words = error(lang, code, None, "fallback");
                assert!(!words.is_empty() && words != "fallback", "{} in {}", code.as_str(), lang.tag());
                assert!(seen.insert(words), "{} in {} reads like another code", code.as_str(), lang.tag());
            }
        }
    }

    #[test]
    fn a_code_from_a_newer_version_shows_its_fallback() {
        let code = ErrorCode::from("kitchen-on-strike");
        assert_eq!(
            error(Lang::Vi, &code, None, "The kitchen\u{202e} is closed."),
            "The kitchen\u{fffd} is closed."
        );
    }

    #[test]
    fn parameters_are_used_where_they_are_there() {
        let said = |code, value| error(Lang::En, &code, Some(&params(value)), "");
        assert_eq!(said(ErrorCode::OutOfRange, json!({"min": 1, "max": 20})), "Must be from 1 to 20.");
        assert_eq!(
            said(ErrorCode::OutOfRange, json!({"min": -2, "max": 1_000_000_000})),
            "Must be from -2 to 1,000,000,000."
        );
        assert_eq!(
            said(ErrorCode::TooFarAhead, json!({"maxDays": 90})),
            "Bookings open at most 90 days ahead."
        );
        let hours =
            json!({"hours": [{"opens": "10:00", "closes": "14:00"}, {"opens": "17:00", "closes": "22:30"}]});
        assert_eq!(
            said(ErrorCode::Closed, hours),
            "The restaurant is closed at this time. That day it is open 10:00 am–2:00 pm and 5:00 pm–10:30 pm."
        );
        assert_eq!(said(ErrorCode::Closed, json!({"hours": []})), "The restaurant is closed all day.");
        let that_day = json!({"hours": [], "date": "2026-12-24", "reason": "Giáng sinh\u{202e}"});
        assert_eq!(
            said(ErrorCode::Closed, that_day.clone()),
            "The restaurant is closed on Thursday 24 December 2026 (Giáng sinh\u{fffd})."
        );
        assert_eq!(
            error(Lang::Vi, &ErrorCode::Closed, Some(&params(that_day)), ""),
            "Nhà hàng đóng cửa thứ Năm 24/12/2026 (Giáng sinh\u{fffd})."
        );
        assert_eq!(
            said(ErrorCode::Closed, json!({"hours": [], "date": "2026-12-24"})),
            "The restaurant is closed on Thursday 24 December 2026."
        );
    }

    #[test]
    fn parameters_of_a_wrong_shape_do_no_harm() {
        for code in ErrorCode::KNOWN {
            for odd in [
                json!({"hours": 7, "cities": {}, "seats": "x", "max": [], "maxDays": null, "date": "x",
                       "reason": 1, "orders": "x", "left": -1, "amount": 1.5, "status": "lost"}),
                json!({}),
            ] {
                for lang in Lang::ALL {
                    assert!(!error(lang, code, Some(&params(odd.clone())), "").is_empty());
                }
            }
        }
    }

    #[test]
    fn every_failure_of_a_refund_has_words_of_its_own_in_both_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for failure in RefundFailure::ALL {
            for lang in Lang::ALL {
                assert!(seen.insert(refund_failure(lang, failure)), "{failure:?} in {}", lang.tag());
            }
        }
    }

    #[test]
    fn what_a_press_says_about_an_order_is_said_in_the_words_that_the_assistant_knows() {
        assert_eq!(wants_order(Lang::Vi, "DH-7K2Q4"), "Xem đơn hàng DH-7K2Q4.");
        assert_eq!(wants_order(Lang::En, "DH-7K2Q4"), "Show my order DH-7K2Q4.");
        assert_eq!(wants_refund(Lang::Vi, "DH-7K2Q4"), "Tôi muốn hoàn tiền đơn hàng DH-7K2Q4.");
        assert_eq!(wants_refund(Lang::En, "DH-7K2Q4"), "Refund my order DH-7K2Q4.");
    }

    #[test]
    fn every_sky_has_words_of_its_own_in_both_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for summary in WeatherSummary::ALL {
            for lang in Lang::ALL {
                assert!(seen.insert(weather_summary(lang, summary)), "{summary:?} in {}", lang.tag());
            }
        }
    }

    #[test]
    fn the_page_speaks_up_for_every_end_but_a_good_one() {
        for status in RunStatus::ALL {
            let silent = match status {
                RunStatus::Queued | RunStatus::Running | RunStatus::AwaitingApproval | RunStatus::Done => {
                    true
                }
                RunStatus::StepLimit
                | RunStatus::TooManyToolErrors
                | RunStatus::RepeatedCall
                | RunStatus::TokenBudget
                | RunStatus::TimeLimit
                | RunStatus::ContextFull
                | RunStatus::Truncated
                | RunStatus::Refused
                | RunStatus::Cancelled
                | RunStatus::Interrupted
                | RunStatus::Failed => false,
            };
            for lang in Lang::ALL {
                assert_eq!(
                    run_status(lang, status).is_none(),
                    silent,
                    "{} in {}",
                    status.as_str(),
                    lang.tag()
                );
            }
        }
    }

    #[test]
    fn a_choice_is_said_in_the_words_that_the_assistant_knows() {
        let starts_at = "2026-12-05T19:00:00+07:00".parse().unwrap();
        assert_eq!(
            choice(Lang::Vi, "Bếp Mây", starts_at, 4),
            "Tôi chọn Bếp Mây, 19:00 ngày 05/12/2026, 4 người."
        );
        assert_eq!(
            choice(Lang::En, "Bếp Mây", starts_at, 4),
            "I choose Bếp Mây, 19:00 on 2026-12-05, 4 people."
        );
    }

    #[test]
    fn a_move_is_said_in_the_words_that_the_assistant_knows() {
        let starts_at = "2026-12-05T20:00:00+07:00".parse().unwrap();
        let said = |lang, reference, party| wants_move(lang, reference, starts_at, party);
        assert_eq!(said(Lang::Vi, Some("MAY-4K7Q"), None), "Đổi bàn MAY-4K7Q sang 20:00 ngày 05/12/2026.");
        assert_eq!(
            said(Lang::En, Some("MAY-4K7Q"), None),
            "Move my booking MAY-4K7Q to 20:00 on 2026-12-05."
        );
        assert_eq!(said(Lang::Vi, None, None), "Đổi bàn sang 20:00 ngày 05/12/2026.");
        assert_eq!(said(Lang::En, None, Some(6)), "Move my booking to 20:00 on 2026-12-05, 6 people.");
    }
}
