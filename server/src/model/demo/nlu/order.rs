//! Words about orders, and about money that shall come back.

use super::lang::{self, Language};
use super::money::{self, Amount, Sum};
use super::text::{Kind, Text};

/// What is said about orders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Numbers of orders that stand in it, as the house writes them.
    pub numbers: Vec<String>,
    /// An order is spoken of: `đơn hàng`, `my order`.
    pub order: bool,
    /// `đơn gần nhất`
    pub latest: bool,
    /// `các đơn của tôi`: more than one.
    pub several: bool,
    /// `đơn đó`, `it`
    pub that: bool,
    /// Money shall come back.
    pub refunds: bool,
    /// `hoàn tiền tới đâu rồi?`
    pub asks_how_far: bool,
    /// `có hoàn tiền không?`, of no order.
    pub asks_whether: bool,
    /// `đừng hoàn tiền nữa`
    pub keeps: bool,
    /// `huỷ đơn`, `đổi đơn`
    pub alters: bool,
    /// `thử lại`
    pub again: bool,
    /// Something was wrong with it: `giao trễ`.
    pub complains: bool,
    /// `tiền cọc`, `thanh toán`: what no tool does.
    pub of_payments: bool,
    pub amount: Option<Amount>,
    /// Of one thing of the order: `tiền món phở`.
    pub of_item: bool,
    /// The text is little but this number.
    pub lone_number: Option<u64>,
    /// Why, in the guest's own words.
    pub reason: Option<String>,
    /// The rest of the text, for whoever reads on: without the orders' numbers.
    pub rest: String,
}

const ORDER: &[&str] = &[
    "đơn đặt? hàng",
    "mã|số đơn",
    "=đơn của|gần|mới|vừa|trước|đó|này|ấy|kia|cuối|nào|tôi|mình|em|đâu|giao|hôm|tối|trưa|đồ|món|thức|bị|chưa",
    "theo|xem|coi|kiểm|tra|hoàn|vào|cho|từ|các|những|cả|nguyên dõi|tra|cứu|lại? =đơn",
    "lịch sử mua|đơn",
    "my|our|the|this|that|which latest|last|recent|newest|previous|food|delivery? order|orders",
    "latest|last|newest|recent order",
    "order|orders number|id|status|history|details|no",
    "an order",
    "track|where|whats order",
    "what did|have i|we order|ordered",
];
/// Of a table, or no order at all.
const NO_ORDER: &[&str] = &[
    "đơn đặt =bàn|chỗ",
    "đơn giản|vị|độc|xin|thuốc|phương|côi|điệu|thân",
    "hóa|thực|cô đơn",
    "in order to",
    "out of order",
    "order food|a|an|some|something",
];
const LATEST: &[&str] = &[
    "=đơn hàng? đặt? của? tôi|mình|em? gần|mới|cuối|vừa đây|nhất|cùng|rồi|xong|đặt|mua|giao",
    "latest|last|newest order",
    "most? recent order",
    "=đơn hàng? hôm nay|qua",
];
const SEVERAL: &[&str] = &[
    "các|những|mấy|mọi đơn",
    "tất cả các? đơn",
    "danh sách đơn",
    "lịch sử đơn|mua",
    "orders",
    "order history",
];
const THAT: &[&str] = &["=đơn hàng? đó|này|ấy|kia|đấy", "=nó", "it", "that|this|the order|one"];
const REFUNDS: &[&str] = &[
    "hoàn trả? lại? toàn? bộ? tiền",
    "!hoàn trả|lại|đủ|hết|cho|một|đơn|phần|toàn|giúp|giùm",
    "hoàn #",
    "hoàn trả lại? =đơn|tiền|cho",
    "hoàn =đơn|hàng",
    "trả|lấy|đòi|xin|nhận lại? tiền lại",
    "trả|lấy|đòi|xin|nhận lại #",
    "trả|lấy|đòi|xin|nhận lại hết|đủ|toàn|số? bộ? tiền",
    "tiền hoàn",
    "tiền về chưa|đâu|rồi",
    "khi|bao|lúc nào|giờ thì? tiền về",
    "refund|refunds|refunded|refunding|reimburse|reimbursement|chargeback",
    "money|cash|payment back",
    "my money",
    "pay|paid|send me|us back",
];
/// Of a refund that was asked for before.
const HOW_FAR: &[&str] = &[
    "hoàn lại? tiền|đơn? tới|đến|đi đâu",
    "hoàn lại? tiền? chưa|xong|rồi",
    "hoàn tiền thế|sao nào? rồi",
    "chưa hoàn",
    "tiền hoàn? đã? về|nhận|vào tài? khoản? chưa|đâu",
    "trạng|tình thái|hình hoàn|đơn|tiền",
    "chưa thấy|nhận|được|có nhận|được? lại? tiền",
    "tiền hoàn chưa|đâu|sao|đã",
    "refund status|progress",
    "status of the|my? refund",
    "where is my|the refund|money",
    "wheres my|the refund|money",
    "did|have|has you|they|it already? refund|refunded",
    "did|has|was|is the|my refund|money been|already|gone|come|arrived|refunded|back|through|arrive|come|go",
    "have i been refunded",
    "refunded yet",
    "havent|hasnt|not you|they? got|received|seen|refunded my|the|any|me money|refund?",
];
/// Of anything that takes time: also within the reason of a refund.
const WHEN: &[&str] = &["khi|bao|lúc nào|giờ", "bao lâu", "when will|do|does|is|can", "how long"];
const WHETHER: &[&str] = &[
    "chính|điều|quy sách|kiện|định hoàn|đổi|trả",
    "có được? hoàn lại? tiền không|ko|k",
    "hoàn tiền được? không|ko|k",
    "hoàn tiền thế nào|sao",
    "làm sao|thế để? được? hoàn",
    "refund policy|policies|rules|terms|conditions",
    "do|does|can|could you|the|it|restaurants ever? give? refund|refunds",
    "are refunds",
    "how do|can|does i|a|to get|refund|refunds",
];
/// Before a refund that is not meant.
const NOT_TO: &[&str] = &[
    "đừng|khỏi|thôi|không|ko|k|chẳng muốn|cần|phải|có? nữa|đòi|xin|yêu? cầu? gửi?",
    "hủy|bỏ|dừng|rút lại|lệnh|việc? yêu? cầu?",
    "dont|not|never|no want|need|have|longer|do? to? ask? for? get|want? a|the|any|my?",
    "cancel|stop|withdraw|drop|abort|forget the|my|that|this|it|about?",
];
const WHY_NOT: &[&str] =
    &["sao|nào vẫn? không|ko|k|chưa", "được|đc à|hả|ư|sao|chứ", "why dont|not|cant|wont|havent|doesnt"];
const KEEPS: &[&str] = &[
    "không|khỏi|thôi|đừng hoàn nữa?",
    "hoàn|tiền|refund|đơn? thôi không|khỏi hoàn",
    "keep the money",
    "no refund",
];
const ALTERS: &[&str] = &[
    "=hủy|đổi|sửa|xóa cái? =đơn",
    "đổi|sửa địa chỉ|món",
    "cancel|change|modify|amend|edit|update the|my|our|this|that? latest|last? order",
];
const AGAIN: &[&str] =
    &["thử|làm|gửi|hoàn|yêu lại|cầu lại?", "lần nữa", "try|once|do it? again|more", "again", "retry"];

/// After these the guest says why.
const BECAUSE: &[&str] = &[
    "bởi|tại? vì",
    "lý|lí do là|vì|thì|:?",
    "nguyên nhân là|:?",
    "because of?",
    "cause",
    "coz|cuz",
    "due to",
    "as|since the|it|they|i|we|my|half|one",
    "the? reason is|was|:?",
];
/// Only where the text is in Vietnamese.
const BECAUSE_VI: &[&str] = &["do"];
/// A clause with one of these says what was wrong.
const WRONGS: &[&str] = &[
    "=trễ|!muộn|chậm",
    "lâu quá",
    "giao|đến|tới|ship trễ|muộn|chậm|lâu|nhầm|sai|thiếu|lộn",
    "nguội|thiu|hỏng|khét|!hư|!ôi|!sống|!cháy|!mặn|!dở|!bẩn|!đổ|!vỡ|!móp|!mốc",
    "thiếu|sai|nhầm|lộn món|đơn|hàng|phần|đồ|địa|số|suất",
    "có tóc|ruồi|gián|!kiến|!sâu",
    "không|chưa|ko|chẳng nhận|giao|thấy được? đồ|hàng|món|đơn",
    "không|chưa|ko giao|tới|đến",
    "không|ko ăn được",
    "không|ko đúng món|đơn|hàng",
    "tính|trừ|thu tiền? nhầm|dư|thừa|sai|lộn|lố",
    "tính|trừ tiền? hai|2 lần",
    "đặt|bấm nhầm",
    "late|cold|missing|wrong|spoiled|spilled|burnt|burned|stale|raw|damaged|broken|inedible|disgusting|awful|overcharged|undercooked|soggy|\
rotten|mistake|hair",
    "never|not|didnt|hasnt|havent arrive|arrived|come|came|delivered|received|get|got|receive",
    "charged twice|double|too",
];

/// Part of an order.
const ITEM: &[&str] = &[
    "hoàn|trả lại? tiền? cho? món|phần|suất|ly|tô|cốc|đĩa|dĩa",
    "tiền món|phần|suất|ly|tô|đĩa",
    "refund|refunded|back|for me|us? for? the dish|item|drink|dishes|items|drinks",
    "refund|refunded me|us? for? one|two|1|2|3|three",
];

/// Where an order or a sum begins to be spoken of, after a reason.
const ON_TO: &[&str] =
    &["cho|của|với|ở|từ|trong? đơn", "for|from|of|on|in my|the|our|this|that|latest? order", ",|;|.? đơn"];

/// `known`: numbers of orders that were heard of.
pub fn read(raw: &str, known: &[&str]) -> Words {
    let mut text = Text::new(raw);
    let numbers = numbers(&mut text, known);
    let rest = without_taken(&text);
    let language = lang::of(&text);
    let reason = reason(&text, language);
    let sums = money::sums(&text);
    let inside =
        |sum: &&Sum| reason.as_ref().is_some_and(|reason| reason.start <= sum.start && sum.end <= reason.end);
    let (within, outside): (Vec<&Sum>, Vec<&Sum>) = sums.iter().partition(inside);
    // A bare small number is a sum only where money is asked back with it.
    let of_it = |sum: &&&Sum| sum.bare.is_none_or(|bare| bare >= 1000 || after_verb(&text, sum.start));
    let said: Vec<&Sum> = outside.iter().filter(of_it).copied().collect();
    let lone_number = match outside.as_slice() {
        [sum] if said.is_empty() && unread_but(&text, sum) <= 1 => sum.bare,
        _ => None,
    };
    // `vì bị tính dư 50k`: of how much it is not said.
    let in_reason = within.iter().any(|sum| sum.bare.is_none()).then_some(Amount::Unclear);
    let amount = money::together(&said).or(in_reason);
    // `sao không hoàn?`, `không hoàn được à?`
    let asks_why = text.has(WHY_NOT);
    let found = text.every(REFUNDS);
    let negated = found.iter().any(|found| text.follows(found.start, NOT_TO));
    let spared = (negated || text.has(KEEPS)) && !asks_why;
    let is_order = |found: &super::text::Match| {
        !text.every(NO_ORDER).iter().any(|other| other.start < found.end && found.start < other.end)
    };
    let has = |patterns: &[&'static str]| text.has(patterns);
    Words {
        order: !numbers.is_empty() || text.every(ORDER).iter().any(is_order),
        latest: has(LATEST),
        several: has(SEVERAL),
        that: has(THAT),
        refunds: (!found.is_empty() || said.iter().any(|sum| after_verb(&text, sum.start))) && !spared,
        of_item: has(ITEM) && amount.is_none(),
        asks_how_far: has(HOW_FAR) || has(WHEN) && reason.is_none() && amount.is_none(),
        asks_whether: has(WHETHER),
        keeps: spared,
        alters: has(ALTERS) && text.every(ALTERS).iter().any(is_order),
        again: has(AGAIN),
        complains: has(WRONGS),
        of_payments: has(&[
            "cọc",
            "thanh toán",
            "chuyển khoản",
            "trả tiền đơn|cho",
            "deposit|deposits",
            "pay for? my|the|this order",
        ]),
        amount,
        lone_number,
        reason: reason.map(|reason| reason.words),
        rest,
        numbers,
    }
}

/// `hoàn 50`, `refund me 50`
fn after_verb(text: &Text, at: usize) -> bool {
    const VERBS: &[&str] = &[
        "hoàn lại? tiền? cho? tôi|mình|em|tui? khoảng|chỉ|đúng?",
        "trả|lấy|đòi|xin|nhận lại tiền? cho? tôi|mình|em|tui? khoảng|chỉ|đúng?",
        "refund|back me|us? about|only|just|of?",
        "refund of",
    ];
    text.follows(at, VERBS)
}

/// How many words stand beside a sum that carry a meaning.
fn unread_but(text: &Text, sum: &Sum) -> usize {
    (0..text.len())
        .filter(|at| !(sum.start..sum.end).contains(at) && super::intent::is_unread(text, *at))
        .count()
}

/// The longest number that an order may have.
const LONGEST: usize = 40;
/// How many signs follow the house's prefix.
const SIGNS: usize = 5;

/// Reads the numbers of orders and takes their tokens.
fn numbers(text: &mut Text, known: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let Some((number, end)) = number_at(text, start, known) else {
            start += 1;
            continue;
        };
        text.take(start, end);
        if !found.contains(&number) {
            found.push(number);
        }
        start = end;
    }
    found
}

fn number_at(text: &Text, start: usize, known: &[&str]) -> Option<(String, usize)> {
    let is_mark = |at: usize| matches!(text.tokens[at].kind, Kind::Mark(_));
    if is_mark(start) || text.tokens[start].glued && !is_mark(start - 1) {
        return None;
    }
    let run_from = |from: usize, inner: char| {
        let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.glued);
        let mut end = from + 1;
        while glued(end) {
            let joins = text.tokens[end].mark() == Some(inner) && glued(end + 1) && !is_mark(end + 1);
            if is_mark(end) && !joins {
                break;
            }
            end += 1;
        }
        end
    };
    // `DH-7K2Q4`, also without the dash.
    if text.is(Some(start), "dh") || text.words(start, start + 1).to_ascii_lowercase().starts_with("dh") {
        let end = run_from(start, '-');
        let apart = text.words(start, end).len() == 2 && end < text.len() && text.is(Some(start), "dh");
        let end = if apart {
            let next = if is_mark(end) && end + 1 < text.len() { end + 1 } else { end };
            run_from(next, '-')
        } else {
            end
        };
        let letters: String = text
            .words(start, end)
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_uppercase();
        if let Some(signs) = letters.strip_prefix("DH").filter(|signs| signs.len() == SIGNS) {
            return Some((format!("DH-{signs}"), end));
        }
    }
    let end = run_from(start, '-');
    let said = text.words(start, end);
    if let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(said)) {
        return Some(((*known).to_owned(), end));
    }
    let has_digit = said.chars().any(|c| c.is_ascii_digit());
    // `đơn số: 1001`, `order #1001`
    let lead = if start > 0 && matches!(text.tokens[start - 1].mark(), Some('#' | ':' | '.')) {
        start - 1
    } else {
        start
    };
    let clearly = lead < start && text.follows(lead, &["đơn|order hàng?"])
        || text.follows(lead, &["đơn hàng? mã|số là?", "order number|no|id|code is?", "mã|số đơn hàng? là?"]);
    let named = clearly || text.follows(lead, &["đơn hàng?", "order"]);
    let counted = text
        .is(Some(end), "món|phần|ngày|people|days|hours|nghìn|ngàn|triệu|tr|k|đồng|đ|tháng|h|giờ|.|,|%|/")
        && text.tokens.get(end).is_some_and(|next| {
            !is_mark(end) || next.glued && end + 1 < text.len() && text.tokens[end + 1].glued
        });
    let plain = said.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let unit = said.to_ascii_lowercase();
    let sum = ["k", "tr", "m", "d"].iter().any(|unit_of| {
        unit.strip_suffix(unit_of).is_some_and(|digits| digits.chars().all(|c| c.is_ascii_digit()))
    });
    let fits = has_digit && plain && said.len() <= LONGEST && (said.len() >= 3 || clearly);
    (named && fits && !counted && !sum).then(|| (said.to_ascii_uppercase(), end))
}

/// The text without the tokens that were read.
fn without_taken(text: &Text) -> String {
    let mut rest = String::new();
    let mut from = 0;
    for token in text.tokens.iter().filter(|token| token.taken) {
        rest.push_str(&text.source[from..token.start]);
        from = token.end;
    }
    rest.push_str(&text.source[from..]);
    rest
}

struct Reason {
    words: String,
    start: usize,
    end: usize,
}

/// The longest reason, in characters.
const LONGEST_REASON: usize = 300;

fn reason(text: &Text, language: Option<Language>) -> Option<Reason> {
    let vietnamese = language == Some(Language::Vietnamese);
    let whys = if vietnamese { text.every_free(BECAUSE_VI) } else { Vec::new() };
    let because = text.every_free(BECAUSE).into_iter().chain(whys).min_by_key(|found| found.start);
    let after = because.and_then(|found| reason_from(text, found.end));
    after.or_else(|| wrong_clause(text))
}

/// Up to where the order or the sum is spoken of, or to the end.
fn reason_from(text: &Text, start: usize) -> Option<Reason> {
    let ends = |at: &usize| {
        text.tokens[*at].taken
            || *at > start
                && (text.any_at(*at, ON_TO).is_some()
                    || text.tokens[*at].mark().is_some() && begins_other(text, at + 1)
                    || matches!(text.tokens[*at].mark(), Some('\n')))
    };
    let end = (start..text.len()).find(ends).unwrap_or(text.len());
    worded(text, start, end)
}

/// Whether after a mark something else is said than why.
fn begins_other(text: &Text, at: usize) -> bool {
    text.any_at(
        at,
        &[
            "hoàn|refund|cho|trả|giúp|please|so|nên|i|tôi|mình tôi|mình|em|want|would|hoàn|muốn|lại|tiền|me",
            "chỉ|only|just #",
            "thử mọi|hết cách",
            "try everything",
            "##",
            "đơn|order",
            "hoàn",
        ],
    )
    .is_some()
}

/// The clause that says what was wrong, where nothing announces it.
fn wrong_clause(text: &Text) -> Option<Reason> {
    let wrong = text.every_free(WRONGS).into_iter().next()?;
    let parts = |at: &usize| {
        matches!(text.tokens[*at].mark(), Some(',' | '.' | ';' | '!' | '?'))
            || text.is(Some(*at), "và|nên|so|and|but|nhưng")
            || text.tokens[*at].taken
    };
    let start = (0..wrong.start).rev().find(parts).map_or(0, |at| at + 1);
    let end = (wrong.end..text.len())
        .find(|at| parts(at) || text.any_at(*at, ON_TO).is_some())
        .unwrap_or(text.len());
    worded(text, start, end)
}

/// The guest's words without what merely leads in and out.
fn worded(text: &Text, mut start: usize, mut end: usize) -> Option<Reason> {
    let leads: &[&str] = &[
        "là|rằng|that|:|-|,|thì|bị",
        "hoàn|trả lại? tiền cho? tôi|mình|em?",
        "=đơn hàng? của? tôi|mình|em|này|đó|số?",
        "tôi|mình|em|i muốn|want|cần|need hoàn|a|xin|lại tiền|refund",
        "my|the latest|last? order is|was|came|arrived?",
        "for",
    ];
    while let Some(found) = text.any_at(start, leads).filter(|found| found.end < end) {
        // `bị thiếu món`, but `giao trễ` needs no more.
        start = found.end;
    }
    let trails =
        "nhé|nha|ạ|please|giúp|tôi|mình|với|thanks|nhen|pls|.|,|!|;|?|nên|so|cho|và|and|của|for|from|:";
    let order = "đơn|order|số|hàng|my|the|#";
    // `… cho đơn DH-7K2Q4`
    let before_number = text.tokens.get(end).is_some_and(|next| next.taken);
    while end > start
        && (text.is(Some(end - 1), trails)
            || text.tokens[end - 1].taken
            || before_number && text.is(Some(end - 1), order))
    {
        end -= 1;
    }
    let words: String =
        text.words(start, end).trim_matches(['"', ' ', '\'']).chars().take(LONGEST_REASON).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(Reason { words, start, end })
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    #[test]
    fn numbers_of_orders_are_told_from_sums_and_times() {
        let read = |said: &str| read(said, &["HOADON7"]).numbers.join(" ");
        assert_rows(
            [
                ("đơn DH-7K2Q4", "DH-7K2Q4"),
                ("don dh-7k2q4 dau roi", "DH-7K2Q4"),
                ("where is order DH7K2Q4?", "DH-7K2Q4"),
                ("order DH 7K2Q4", "DH-7K2Q4"),
                ("#DH-ABCDE", "DH-ABCDE"),
                ("hoàn tiền DH-22222 và DH-33333", "DH-22222 DH-33333"),
                ("đơn 1001 tới đâu rồi", "1001"),
                ("refund order #A-17x", "A-17X"),
                ("order number 42", "42"),
                ("mã đơn: 9", "9"),
                ("hoadon7 đâu", "HOADON7"),
                ("đơn 350.000đ", ""),
                ("đơn 100k", ""),
                ("đơn 2 triệu", ""),
                ("đơn 100 nghìn", ""),
                ("my order 2 days ago", ""),
                ("đơn hôm 5/12", ""),
                ("DH-7K2Q4X", ""),
                ("DH", ""),
                ("dhabi", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn what_is_wanted_with_orders() {
        let read = |said: &str| {
            let words = read(said, &[]);
            let named = [
                (words.order, "order"),
                (words.latest, "latest"),
                (words.several, "several"),
                (words.refunds, "refunds"),
                (words.asks_how_far, "how-far"),
                (words.asks_whether, "whether"),
                (words.keeps, "keeps"),
                (words.alters, "alters"),
            ];
            named.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
        };
        assert_rows(
            [
                ("đơn hàng gần nhất của tôi", "order latest"),
                ("don hang gan nhat cua toi", "order latest"),
                ("my latest order", "order latest"),
                ("xem đơn mới nhất", "order latest"),
                ("where is my last order?", "order latest"),
                ("các đơn hàng của tôi", "order several"),
                ("my orders", "order several"),
                ("đơn DH-7K2Q4", "order"),
                ("đơn của tôi đâu rồi", "order"),
                ("hoàn tiền", "refunds"),
                ("hoan tien cho toi", "refunds"),
                ("hoàn tiền đơn DH-7K2Q4", "order refunds"),
                ("trả lại tiền cho tôi", "refunds"),
                ("I want a refund", "refunds"),
                ("refund order DH-7K2Q4", "order refunds"),
                ("I want my money back", "refunds"),
                ("hoàn 100.000đ cho đơn DH-7K2Q4", "order refunds"),
                ("hoàn tiền tới đâu rồi", "refunds how-far"),
                ("đã hoàn tiền chưa?", "refunds how-far"),
                ("where is my refund?", "refunds how-far"),
                ("refund status", "refunds how-far"),
                ("chính sách hoàn tiền thế nào", "refunds whether"),
                ("do you give refunds?", "refunds whether"),
                ("đừng hoàn tiền", "keeps"),
                ("thôi không hoàn tiền nữa", "keeps"),
                ("don't refund it", "keeps"),
                ("cancel the refund", "keeps"),
                ("sao không hoàn tiền cho tôi", "refunds"),
                ("huỷ đơn DH-7K2Q4", "order alters"),
                ("cancel my order", "order alters"),
                ("đổi đơn hàng", "order alters"),
                ("danh sách đơn đặt bàn", "several"),
                ("đơn giản thôi", ""),
                ("in order to eat", ""),
                ("đặt bàn cho 4 người", ""),
                ("Đặt bàn ở Huế cho 2 người 7 giờ tối mai, thanh toán thẻ nhé", ""),
                ("hoãn lại 1 tiếng", ""),
                ("hoan lai 1 tieng", ""),
                ("huỷ bàn MAY4K7", ""),
                ("cancel my booking", ""),
                ("thời tiết Huế", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn reasons_are_the_guest_s_own_words() {
        let read = |said: &str| read(said, &[]).reason.unwrap_or_default();
        assert_rows(
            [
                ("hoàn tiền đơn DH-7K2Q4 vì giao trễ 30 phút", "giao trễ 30 phút"),
                ("hoàn 100.000đ cho đơn DH-7K2Q4 vì giao trễ nhé", "giao trễ"),
                ("hoan tien don DH-7K2Q4 vi giao tre", "giao tre"),
                ("Hoàn tiền do món nguội, thiếu nước chấm", "món nguội, thiếu nước chấm"),
                ("hoàn tiền vì giao trễ cho đơn DH-7K2Q4", "giao trễ"),
                ("hoàn tiền vì giao trễ, 100k thôi", "giao trễ"),
                ("đơn DH-7K2Q4 giao trễ quá, hoàn tiền giúp mình", "giao trễ quá"),
                ("Refund order DH-7K2Q4 because it arrived late", "it arrived late"),
                ("refund 100k for order DH-7K2Q4, reason: cold food", "cold food"),
                ("The food was cold. I want a refund for my latest order.", "The food was cold"),
                ("please refund my order, it never arrived", "it never arrived"),
                ("hoàn tiền đơn DH-7K2Q4", ""),
                ("refund my latest order", ""),
                ("do you give refunds?", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn a_sum_within_the_reason_is_not_yet_what_shall_come_back() {
        let read = |said: &str| read(said, &[]).amount;
        assert_rows(
            [
                ("hoàn 100k đơn DH-7K2Q4 vì giao trễ", Some(Amount::Of(100_000))),
                ("hoàn tiền vì giao trễ, 100k thôi", Some(Amount::Of(100_000))),
                ("hoàn tiền đơn DH-7K2Q4 vì bị tính dư 50k", Some(Amount::Unclear)),
                ("hoàn tiền đơn DH-7K2Q4 vì giao trễ 30 phút", None),
                ("hoàn tiền đơn DH-7K2Q4", None),
                ("hoàn 50 cho đơn DH-7K2Q4", Some(Amount::Unclear)),
                ("refund order 1001", None),
                ("refund $5 of order 1001", Some(Amount::Unclear)),
                ("refund 2 items", None),
            ]
            .map(|(said, wanted)| (said, read(said), wanted)),
        );
    }
}
