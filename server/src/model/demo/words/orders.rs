//! What the demo model says about orders and refunds. Money is back only where the record says so.

use shared::tools::{
    GetOrderOutput, OrderRefund, OrderRefundStatus, OrderStatus, Refund, RefundFailure, RefundStatus,
};

use super::super::heard::Trouble;
use super::super::heard::orders::OrderTrouble;
use super::super::news::{Outcome, RefundNews};
use super::super::nlu::lang::Language::{self, English, Vietnamese};
use super::{either, join};

/// More than these are not told one by one.
const MOST_NAMED: usize = 5;

/// `350.000 ₫`, `₫350,000`
pub fn money(amount: u64, language: Language) -> String {
    let digits = amount.to_string();
    let point = match language {
        Vietnamese => '.',
        English => ',',
    };
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(point);
        }
        grouped.push(digit);
    }
    match language {
        Vietnamese => format!("{grouped} ₫"),
        English => format!("₫{grouped}"),
    }
}

/// What stands for a reason where the guest gave none.
pub fn no_reason(language: Language) -> String {
    either(language, "Khách muốn hoàn tiền.", "The guest asked for a refund.")
}

pub fn order(order: &GetOrderOutput, language: Language) -> String {
    let GetOrderOutput { order_id, restaurant_name, items, total, status, refunds, .. } = order;
    let named: Vec<String> =
        items.iter().take(MOST_NAMED).map(|item| format!("{} {}", item.quantity, item.name)).collect();
    let mut named: Vec<&str> = named.iter().map(String::as_str).collect();
    let more = items.len().saturating_sub(MOST_NAMED);
    let rest = match language {
        Vietnamese => format!("{more} món khác"),
        English => format!("{more} more"),
    };
    if more > 0 {
        named.push(&rest);
    }
    let total = money(*total, language);
    let status = match (status, language) {
        (OrderStatus::Preparing, Vietnamese) => "đang được chuẩn bị",
        (OrderStatus::Preparing, English) => "being prepared",
        (OrderStatus::Delivered, Vietnamese) => "đã giao",
        (OrderStatus::Delivered, English) => "delivered",
        (OrderStatus::Cancelled, Vietnamese) => "đã huỷ",
        (OrderStatus::Cancelled, English) => "cancelled",
    };
    let refunds: Vec<String> = refunds.iter().map(|refund| refund_of_order(refund, language)).collect();
    let refunds = match (refunds.is_empty(), language) {
        (true, Vietnamese) => "Chưa có khoản hoàn tiền nào.".to_owned(),
        (true, English) => "Nothing of it was refunded.".to_owned(),
        (false, Vietnamese) => format!("Hoàn tiền: {}.", refunds.join("; ")),
        (false, English) => format!("Refunds: {}.", refunds.join("; ")),
    };
    match language {
        Vietnamese => format!(
            "Đơn {order_id} của {restaurant_name} {status}: {}; tổng cộng {total}. {refunds}",
            join(&named, "và")
        ),
        English => format!(
            "Order {order_id} from {restaurant_name} is {status}: {}; {total} in all. {refunds}",
            join(&named, "and")
        ),
    }
}

fn refund_of_order(refund: &OrderRefund, language: Language) -> String {
    let amount = money(refund.amount, language);
    let status = match refund.status {
        OrderRefundStatus::Submitted => {
            either(language, "đã gửi yêu cầu, tiền chưa về", "asked for, not back yet")
        }
        OrderRefundStatus::Succeeded => either(language, "đã hoàn", "refunded"),
        OrderRefundStatus::Failed => either(language, "không thành", "failed"),
        OrderRefundStatus::Unknown => either(
            language,
            "chưa rõ đã hoàn hay chưa, đang được kiểm tra",
            "not known yet whether it went through; it is being looked into",
        ),
    };
    match language {
        Vietnamese => format!("{amount} ({status})"),
        English => format!("{amount} ({status})"),
    }
}

/// Why an order could not be shown.
pub fn not_shown(trouble: &OrderTrouble, language: Language) -> String {
    match trouble {
        OrderTrouble::UnknownOrder(own) => unknown_order(own, language),
        OrderTrouble::NothingLeft
        | OrderTrouble::MoreThanLeft(_)
        | OrderTrouble::AnotherRefund(_)
        | OrderTrouble::Rejected
        | OrderTrouble::Unreached
        | OrderTrouble::Failed(_)
        | OrderTrouble::Other(_) => either(
            language,
            "Lúc này tôi chưa xem được đơn hàng; bạn thử lại sau ít phút nhé.",
            "I could not look up the order just now; please try again in a few minutes.",
        ),
    }
}

fn unknown_order(own: &[String], language: Language) -> String {
    let own: Vec<&str> = own.iter().take(MOST_NAMED).map(String::as_str).collect();
    match (own.is_empty(), language) {
        (true, _) => either(
            language,
            "Tôi không tìm thấy đơn nào như vậy của bạn, nên chưa làm gì cả.",
            "I did not find such an order of yours, so nothing was done.",
        ),
        (false, Vietnamese) => format!(
            "Tôi không thấy đơn đó trong các đơn của bạn, nên chưa làm gì cả. Đơn của bạn là {}; bạn muốn nói đơn nào?",
            join(&own, "và")
        ),
        (false, English) => format!(
            "I did not find that order among yours, so nothing was done. Yours are {}; which one do you mean?",
            join(&own, "and")
        ),
    }
}

pub fn only_newest(language: Language) -> String {
    either(
        language,
        "Tôi chỉ xem được từng đơn theo số; đây là đơn gần nhất.",
        "I can only look up one order at a time, by its number; here is the newest.",
    )
}

/// Something was wrong with an order that was just told of.
pub fn offer(language: Language) -> String {
    either(
        language,
        "Tiếc quá. Bạn có muốn tôi đề nghị hoàn tiền đơn này không?",
        "I am sorry to hear that. Shall I propose a refund of this order?",
    )
}

pub fn ask_amount(language: Language) -> String {
    either(
        language,
        "Bạn muốn hoàn bao nhiêu? Cho tôi số tiền bằng đồng (ví dụ 100.000đ), hoặc nói “toàn bộ”.",
        "How much shall be refunded? Tell me the amount in đồng (100,000 VND, for example), or say “all of it”.",
    )
}

pub fn which_order(numbers: &[String], language: Language) -> String {
    let numbers: Vec<&str> = numbers.iter().take(MOST_NAMED).map(String::as_str).collect();
    match (numbers.is_empty(), language) {
        (true, Vietnamese) => {
            "Mỗi lần tôi chỉ đề nghị hoàn tiền được một đơn; bạn cho tôi số đơn, hoặc nói “đơn gần nhất”."
                .to_owned()
        }
        (true, English) => {
            "I can propose a refund of one order at a time; tell me its number, or say “my latest order”."
                .to_owned()
        }
        (false, Vietnamese) => format!(
            "Mỗi lần tôi chỉ đề nghị hoàn tiền được một đơn; bạn muốn đơn nào trước: {}?",
            join(&numbers, "hay")
        ),
        (false, English) => format!(
            "I can propose a refund of one order at a time; which one first: {}?",
            join(&numbers, "or")
        ),
    }
}

/// An order has a refund already.
pub fn stands(order: &str, refund: &OrderRefund, language: Language) -> String {
    let amount = money(refund.amount, language);
    match (refund.status, language) {
        (OrderRefundStatus::Submitted, Vietnamese) => format!(
            "Đơn {order} đã có yêu cầu hoàn {amount}, tiền chưa về; mỗi đơn chỉ hoàn một lần nên tôi không yêu cầu lại."
        ),
        (OrderRefundStatus::Submitted, English) => format!(
            "A refund of {amount} was already asked for order {order} and is not back yet; an order has one refund only, \
             so I do not ask again."
        ),
        (OrderRefundStatus::Succeeded, Vietnamese) => {
            format!("Đơn {order} đã được hoàn {amount} rồi; mỗi đơn chỉ hoàn một lần.")
        }
        (OrderRefundStatus::Succeeded, English) => {
            format!("Order {order} was already refunded: {amount}. An order has one refund only.")
        }
        (OrderRefundStatus::Failed, Vietnamese) => format!("Lần hoàn {amount} của đơn {order} không thành."),
        (OrderRefundStatus::Failed, English) => format!("The refund of {amount} of order {order} failed."),
        (OrderRefundStatus::Unknown, Vietnamese | English) => still_uncertain(order, language),
    }
}

pub fn nothing_left(order: &str, language: Language) -> String {
    match language {
        Vietnamese => format!("Đơn {order} không còn gì để hoàn, nên tôi chưa yêu cầu gì cả."),
        English => format!("Nothing is left to refund of order {order}, so nothing was asked for."),
    }
}

pub fn more_than_left(left: Option<u64>, language: Language) -> String {
    match (left.map(|left| money(left, language)), language) {
        (Some(left), Vietnamese) => {
            format!(
                "Số đó nhiều hơn phần còn lại của đơn, là {left}, nên chưa hoàn gì cả; bạn muốn hoàn bao nhiêu?"
            )
        }
        (Some(left), English) => format!(
            "That is more than what is left of the order, {left}, so nothing was refunded; how much shall it be?"
        ),
        (None, _) => either(
            language,
            "Số đó nhiều hơn phần còn lại của đơn, nên chưa hoàn gì cả; bạn muốn hoàn bao nhiêu?",
            "That is more than what is left of the order, so nothing was refunded; how much shall it be?",
        ),
    }
}

pub fn still_uncertain(order: &str, language: Language) -> String {
    match language {
        Vietnamese => format!(
            "Vẫn chưa rõ đơn {order} đã được hoàn tiền hay chưa; việc này đang được kiểm tra, nên tôi không yêu cầu lại."
        ),
        English => format!(
            "It is still not known whether order {order} was refunded; this is being looked into, so I do not ask again."
        ),
    }
}

pub fn kept(language: Language) -> String {
    either(language, "Vâng, tôi không yêu cầu hoàn tiền.", "All right, I do not ask for a refund.")
}

pub fn cannot_take_back(language: Language) -> String {
    either(
        language,
        "Yêu cầu hoàn tiền đã gửi thì tôi không rút lại được; thẻ của nó cho biết đã tới đâu.",
        "A refund that was asked for cannot be taken back by me; its card shows how it stands.",
    )
}

pub fn cannot_alter(language: Language) -> String {
    either(
        language,
        "Tôi không đổi hay huỷ được đơn hàng; tôi xem được đơn và đề nghị hoàn tiền, ví dụ “hoàn tiền đơn gần nhất”.",
        "I cannot change or cancel an order; I can look one up and propose a refund: “refund my latest order”, for example.",
    )
}

pub fn how_refunds_work(language: Language) -> String {
    either(
        language,
        "Được, với đơn hàng của bạn: cho tôi số đơn (hoặc “đơn gần nhất”), số tiền nếu không phải tất cả, và lý do; bạn sẽ \
         xác nhận trước khi yêu cầu được gửi đi.",
        "Yes, for an order of yours: tell me its number (or “my latest order”), the amount if it is not all, and why; you \
         confirm it before anything is asked for.",
    )
}

/// After a refund that the record tells of.
pub fn refunded(refund: &Refund, edited: bool, repeated: bool, language: Language) -> String {
    let Refund { order_id, amount, payee, .. } = refund;
    let amount = money(*amount, language);
    let mut sentence = match (refund.status, language) {
        (RefundStatus::Submitted, Vietnamese) => format!(
            "Đã gửi yêu cầu hoàn {amount} của đơn {order_id}; tiền chưa về, thẻ phía trên sẽ cho biết khi có kết quả."
        ),
        (RefundStatus::Submitted, English) => format!(
            "A refund of {amount} of order {order_id} is asked for; the money is not back yet, and the card above shows when \
             it is."
        ),
        (RefundStatus::Succeeded, Vietnamese) => {
            format!("Đã hoàn {amount} của đơn {order_id} về {payee}; chi tiết ở thẻ phía trên.")
        }
        (RefundStatus::Succeeded, English) => {
            format!("{amount} of order {order_id} went back to {payee}; the details are on the card above.")
        }
        (RefundStatus::Failed, Vietnamese) => format!(
            "Không hoàn được {amount} của đơn {order_id}{}, tiền không về; bạn có thể bảo tôi thử lại, hoặc nhờ người của \
             nhà hàng.",
            failure(refund.failure_reason, language)
        ),
        (RefundStatus::Failed, English) => format!(
            "The refund of {amount} of order {order_id} failed{}, and the money is not back; tell me to try again, or ask a \
             person.",
            failure(refund.failure_reason, language)
        ),
    };
    if edited {
        sentence.push_str(&either(
            language,
            " Tôi ghi nhận theo những gì bạn đã sửa.",
            " It is as you changed it.",
        ));
    }
    if repeated {
        let already = either(
            language,
            "Việc này đã làm rồi, không làm lần hai.",
            "This was already done, and is not done twice.",
        );
        return format!("{already} {sentence}");
    }
    sentence
}

fn failure(reason: Option<RefundFailure>, language: Language) -> &'static str {
    let (vietnamese, english) = match reason {
        None | Some(RefundFailure::Other) => ("", ""),
        Some(RefundFailure::CardLost) => (" vì thẻ đã báo mất", " because the card was reported lost"),
        Some(RefundFailure::CardExpired) => (" vì thẻ đã hết hạn", " because the card has expired"),
        Some(RefundFailure::InsufficientFunds) => {
            (" vì bên hoàn không đủ số dư", " because the paying side had not enough funds")
        }
        Some(RefundFailure::Declined) => (" vì ngân hàng từ chối", " because the bank declined it"),
        Some(RefundFailure::Disputed) => {
            (" vì khoản này đang bị khiếu nại", " because the payment is disputed")
        }
    };
    match language {
        Vietnamese => vietnamese,
        English => english,
    }
}

/// What became of a refund that was not made, and what to do next.
pub fn not_refunded(trouble: &OrderTrouble, order: &str, language: Language) -> String {
    let trouble = match trouble {
        OrderTrouble::UnknownOrder(own) => return unknown_order(own, language),
        OrderTrouble::NothingLeft => return nothing_left(order, language),
        OrderTrouble::MoreThanLeft(left) => return more_than_left(*left, language),
        OrderTrouble::AnotherRefund(amount) => return another_refund(*amount, language),
        OrderTrouble::Rejected => {
            return either(
                language,
                "Bên thanh toán đã từ chối, nên chưa hoàn gì cả; bạn có thể nhờ người của nhà hàng.",
                "The payment service said no, so nothing was refunded; a person of the house can help.",
            );
        }
        OrderTrouble::Unreached => {
            return either(
                language,
                "Chưa liên lạc được với bên thanh toán, nên chưa hoàn gì cả; bạn thử lại sau ít phút nhé.",
                "The payment service could not be reached, so nothing was refunded; please try again in a few minutes.",
            );
        }
        OrderTrouble::Failed(amount) => {
            let amount = money(*amount, language);
            return match language {
                Vietnamese => format!("Không hoàn được {amount}, tiền không về."),
                English => format!("The refund of {amount} failed, and the money is not back."),
            };
        }
        OrderTrouble::Other(trouble) => *trouble,
    };
    let (vietnamese, english) = match trouble {
        Trouble::Declined => (
            "Vâng, chưa hoàn gì cả. Bạn muốn đổi gì: số tiền, đơn hàng hay lý do?",
            "All right, nothing was refunded. What shall I change: the amount, the order or the reason?",
        ),
        Trouble::Expired => (
            "Đề nghị đã hết hạn nên chưa hoàn gì cả; nếu bạn vẫn muốn, tôi đề nghị lại.",
            "The proposal expired, so nothing was refunded; tell me if I shall propose it again.",
        ),
        Trouble::Superseded => (
            "Đề nghị hoàn tiền trước đã được bỏ, chưa hoàn gì cả.",
            "The earlier proposal was dropped and nothing was refunded.",
        ),
        Trouble::Cancelled => {
            ("Việc hoàn tiền đã dừng, chưa hoàn gì cả.", "The refund was stopped; nothing was refunded.")
        }
        Trouble::Uncertain => (
            "Chưa rõ tiền đã được hoàn hay chưa; việc này đang được kiểm tra. Bạn đừng thử lại, tôi cũng không thử lại.",
            "We do not know yet whether it was refunded; this is being looked into. Please do not try again, and neither do I.",
        ),
        Trouble::Conflict => (
            "Yêu cầu hoàn tiền này đang chờ bạn quyết định ở thẻ phía trên.",
            "This refund is waiting for your decision on the card above.",
        ),
        Trouble::Paused => (
            "Hiện việc hoàn tiền đang tạm ngưng nên chưa hoàn gì cả; bạn quay lại sau nhé.",
            "Refunds are paused at the moment, so nothing was refunded; please come back later.",
        ),
        Trouble::Unavailable => (
            "Lúc này chưa hoàn tiền được vì hệ thống tạm gián đoạn, nên chưa hoàn gì cả; bạn thử lại sau ít phút nhé.",
            "Refunds are temporarily unavailable, so nothing was refunded; please try again in a few minutes.",
        ),
        Trouble::Closed
        | Trouble::Past
        | Trouble::TooFarAhead
        | Trouble::UnknownCity
        | Trouble::UnknownRestaurant
        | Trouble::PartyTooLarge
        | Trouble::Full
        | Trouble::UnknownBooking
        | Trouble::BookingCancelled
        | Trouble::BookingPast
        | Trouble::NothingToChange
        | Trouble::BadInput
        | Trouble::Other => (
            "Có lỗi nên chưa hoàn tiền được; bạn thử lại, hoặc nhờ người của nhà hàng.",
            "Something went wrong and nothing was refunded; please try again, or ask a person.",
        ),
    };
    either(language, vietnamese, english)
}

fn another_refund(amount: Option<u64>, language: Language) -> String {
    match (amount.map(|amount| money(amount, language)), language) {
        (Some(amount), Vietnamese) => format!(
            "Đơn này đã có một lần hoàn tiền khác, là {amount}; mỗi đơn chỉ hoàn một lần nên tôi không yêu cầu thêm."
        ),
        (Some(amount), English) => format!(
            "This order has another refund, of {amount}; an order has one refund only, so no other was asked for."
        ),
        (None, _) => either(
            language,
            "Đơn này đã có một lần hoàn tiền khác, hoặc đang chờ bạn quyết định, nên tôi không yêu cầu thêm.",
            "This order has another refund, or one that waits for your decision, so no other was asked for.",
        ),
    }
}

/// How a refund ended since the guest's last message.
pub fn settled(news: &RefundNews, language: Language) -> String {
    let RefundNews { order, amount, outcome } = news;
    let of_it = amount.map(|amount| money(amount, language));
    match (outcome, language) {
        (Outcome::Submitted, Vietnamese) => {
            format!("Đã rõ: yêu cầu hoàn tiền của đơn {order} đã được gửi, tiền chưa về.")
        }
        (Outcome::Submitted, English) => {
            format!("It is known now: the refund of order {order} was asked for; the money is not back yet.")
        }
        (Outcome::NotDone, Vietnamese) => {
            format!(
                "Đã rõ: lần hoàn tiền của đơn {order} không được gửi, chưa hoàn gì cả; bạn có thể yêu cầu lại."
            )
        }
        (Outcome::NotDone, English) => format!(
            "It is known now: the refund of order {order} was never asked for and nothing was refunded; you can ask for it again."
        ),
        (Outcome::Succeeded, Vietnamese) => match of_it {
            Some(amount) => format!("Tin vui: {amount} của đơn {order} đã được hoàn."),
            None => format!("Tin vui: đơn {order} đã được hoàn tiền."),
        },
        (Outcome::Succeeded, English) => match of_it {
            Some(amount) => format!("Good news: {amount} of order {order} has been refunded."),
            None => format!("Good news: order {order} has been refunded."),
        },
        (Outcome::Failed, Vietnamese) => match of_it {
            Some(amount) => format!(
                "Tin không vui: không hoàn được {amount} của đơn {order}, tiền không về; bạn có thể yêu cầu lại."
            ),
            None => {
                format!(
                    "Tin không vui: không hoàn được tiền của đơn {order}, tiền không về; bạn có thể yêu cầu lại."
                )
            }
        },
        (Outcome::Failed, English) => match of_it {
            Some(amount) => format!(
                "Bad news: the refund of {amount} of order {order} failed, and the money is not back; you can ask for it again."
            ),
            None => {
                format!(
                    "Bad news: the refund of order {order} failed, and the money is not back; you can ask for it again."
                )
            }
        },
    }
}

// What the liars say.

pub fn claim(amount: Option<u64>, language: Language) -> String {
    match (amount.map(|amount| money(amount, language)), language) {
        (Some(amount), Vietnamese) => format!("Hoàn tiền xong rồi, {amount} đã về thẻ của bạn!"),
        (Some(amount), English) => format!("Refunded! {amount} is back on your card."),
        (None, Vietnamese) => "Hoàn tiền xong rồi, tiền đã về thẻ của bạn!".to_owned(),
        (None, English) => "Refunded! The money is back on your card.".to_owned(),
    }
}

pub fn invented(reference: &str, amount: Option<u64>, language: Language) -> String {
    match language {
        Vietnamese => format!("{} Mã hoàn tiền của bạn là {reference}.", claim(amount, language)),
        English => format!("{} Your refund number is {reference}.", claim(amount, language)),
    }
}
