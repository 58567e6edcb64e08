//! Sums of money in đồng, in digits and in words.

use super::text::{Kind, Text};

/// How much is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Of(u64),
    /// So many per cent of the whole.
    Share(u8),
    /// All that is left.
    All,
    /// A foreign currency, `50`, two sums at once.
    Unclear,
}

/// The largest sum that is taken for one.
pub const MOST: u64 = 1_000_000_000;

/// A sum that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub amount: Amount,
    pub start: usize,
    pub end: usize,
    /// A number without a word for money.
    pub bare: Option<u64>,
}

/// In thousandths, so that `1,5` is a whole number.
type Milli = u128;
const ONE: Milli = 1000;

const THOUSAND: Milli = 1_000;
const MILLION: Milli = 1_000_000;
const BILLION: Milli = 1_000_000_000;

const DONG: &str = "đ|đồng|vnd|vnđ|₫|dongs";
const FOREIGN: &str = "$|usd|dollar|dollars|eur|euro|euros|€|£|pounds|đô|đôla";
/// What a number counts that is no money.
const COUNTED: &str = "phút|giờ|h|tiếng|ngày|tuần|tháng|năm|món|phần|suất|người|ly|cốc|tô|cái|đơn|lần|hôm|bữa|giây|độ|bàn|quán|\
minute|minutes|min|mins|hour|hours|day|days|week|weeks|month|months|times|time|item|items|dish|dishes|portions|\
people|persons|orders|am|pm|st|nd|rd|th|p|g|:|/";
const BEFORE_TIMES: &str = "lúc|ngày|hôm|tháng|năm|at|on|in|/|:|-|thứ|số|no|number";

const SHARES: &[&str] = &["# %", "# phần trăm", "# percent"];
const HALF: &[&str] = &[
    "một? nửa số? tiền|đơn|giá|thôi",
    "hoàn lại? một? nửa",
    "một nửa",
    "refund|get|give half",
    "half of",
    "half the|my|back",
];
const ALL: &[&str] = &[
    "toàn|nguyên bộ|phần",
    "tất cả",
    "hoàn trả? lại? hết|đủ|cả",
    "hoàn trả? lại? tiền? cả|nguyên|toàn đơn",
    "trả lại hết|đủ|cả",
    "phần|số|chỗ tiền? còn lại",
    "full refund|amount|price|sum",
    "refund in? full",
    "in full",
    "fully",
    "the whole|entire|full amount|order|thing|sum|price",
    "refund? everything|all",
    "the rest|remainder|remaining",
    "what is left",
    "whats left",
];

/// Every sum in the text that no slot was read from, in order.
pub fn sums(text: &Text) -> Vec<Sum> {
    let mut sums: Vec<Sum> = Vec::new();
    let of = |amount, start, end| Sum { amount, start, end, bare: None };
    for found in text.every_free(SHARES) {
        let share = found.numbers.first().and_then(|share| u8::try_from(*share).ok());
        let amount = match share {
            Some(share @ 1..=99) => Amount::Share(share),
            Some(100) => Amount::All,
            Some(_) | None => Amount::Unclear,
        };
        sums.push(of(amount, found.start, found.end));
    }
    for (patterns, amount) in [(HALF, Amount::Share(50)), (ALL, Amount::All)] {
        for found in text.every_free(patterns) {
            if !text.is(Some(found.end), "tiếng|giờ|ngày|tháng|năm|an|hour|day") {
                sums.push(of(amount, found.start, found.end));
            }
        }
    }
    let mut at = 0;
    while at < text.len() {
        let free = |from: usize, to: usize| {
            !text.is_taken(from, to) && !sums.iter().any(|sum| sum.start < to && from < sum.end)
        };
        match sum_at(text, at) {
            Some(sum) if free(sum.start, sum.end) => {
                at = sum.end;
                sums.push(sum);
            }
            Some(_) | None => at += 1,
        }
    }
    sums.sort_by_key(|sum| sum.start);
    sums
}

/// What several sums come to: the same one twice is one.
pub fn together(sums: &[&Sum]) -> Option<Amount> {
    let (first, rest) = sums.split_first()?;
    Some(if rest.iter().all(|sum| sum.amount == first.amount) { first.amount } else { Amount::Unclear })
}

/// A number that stands for a sum because a sum was asked for.
pub fn of_number(number: u64) -> Amount {
    if (1_000..=MOST).contains(&number) { Amount::Of(number) } else { Amount::Unclear }
}

fn sum_at(text: &Text, at: usize) -> Option<Sum> {
    let sum = |amount, end, bare| Some(Sum { amount, start: at, end, bare });
    if text.is(Some(at), FOREIGN) {
        let (_, end) = number_at(text, at + 1)?;
        return sum(Amount::Unclear, end, None);
    }
    let announced = text.is(Some(at), "₫|vnd|vnđ");
    let first = if announced { at + 1 } else { at };
    let (mut total, mut end) = number_at(text, first)?;
    let mut in_units = false;
    if let Some((scale, after)) = scale_at(text, end) {
        in_units = true;
        (total, end) = (total * scale, after);
        if text.is(Some(end), "rưỡi") {
            (total, end) = (total + scale * ONE / 2, end + 1);
        } else if let Some((more, after)) = rest_at(text, end, scale) {
            (total, end) = (total + more, after);
        }
    }
    let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.glued);
    let currency = text.is(Some(end), DONG) && !text.is(Some(end + 1), "ý|hồ")
        || text.is(Some(end), "d") && glued(end)
        || text.is(Some(end), "dong");
    if currency {
        end += 1;
    }
    if text.is(Some(end), FOREIGN) {
        return sum(Amount::Unclear, end + 1, None);
    }
    let whole = u64::try_from(total / ONE).ok().filter(|_| total.is_multiple_of(ONE));
    if announced || in_units || currency {
        let amount = whole.filter(|whole| (1..=MOST).contains(whole)).map_or(Amount::Unclear, Amount::Of);
        return sum(amount, end, None);
    }
    let digits = matches!(text.tokens.get(at).map(|token| &token.kind), Some(Kind::Number { .. }));
    let counts = text.is(Some(end), COUNTED) || text.is(at.checked_sub(1), BEFORE_TIMES);
    (digits && !counts).then(|| {
        let bare = whole.unwrap_or(0);
        Sum { amount: of_number(bare), start: at, end, bare: Some(bare) }
    })
}

/// `100`, `100.000`, `1,5`, `hai trăm năm mươi`
fn number_at(text: &Text, at: usize) -> Option<(Milli, usize)> {
    let (mut value, mut end) = match text.tokens.get(at)?.kind {
        Kind::Number { .. } => digits_at(text, at)?,
        Kind::Word(_) => {
            let (value, end) = text.number_at(at)?;
            (Milli::from(value) * ONE, end)
        }
        Kind::Mark(_) => return None,
    };
    if text.is(Some(end), "trăm|hundred") && !text.is(end.checked_sub(1), "phần") {
        (value, end) = (value * 100, end + 1);
        let next = if text.is(Some(end), "and|lẻ|linh") { end + 1 } else { end };
        if text.is(Some(end), "rưỡi") {
            (value, end) = (value + 50 * ONE, end + 1);
        } else if let Some((more, after)) = text.number_at(next).filter(|(more, _)| *more < 100)
            && scale_at(text, after).is_some()
        {
            (value, end) = (value + Milli::from(more) * ONE, after);
        }
    } else if text.is(Some(end), "chục") {
        (value, end) = (value * 10, end + 1);
    }
    Some((value, end))
}

fn digits_at(text: &Text, at: usize) -> Option<(Milli, usize)> {
    let number = |at: usize| match text.tokens.get(at)?.kind {
        Kind::Number { value, digits } => Some((Milli::from(value), digits)),
        Kind::Word(_) | Kind::Mark(_) => None,
    };
    let point = |at: usize| {
        let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.glued);
        text.is(Some(at), ".|,") && glued(at) && glued(at + 1)
    };
    let (mut value, digits) = number(at)?;
    let mut end = at + 1;
    let mut grouped = false;
    while digits <= 3
        && point(end)
        && let Some((group, 3)) = number(end + 1)
    {
        grouped = true;
        (value, end) = (value.saturating_mul(1000).saturating_add(group), end + 2);
    }
    // `100 000`
    while digits <= 3
        && !grouped
        && let Some((group, 3)) = number(end)
    {
        (value, end) = (value.saturating_mul(1000).saturating_add(group), end + 1);
    }
    value = value.saturating_mul(ONE);
    if !grouped
        && point(end)
        && let Some((part, digits @ 1..=2)) = number(end + 1)
    {
        (value, end) = (value + part * if digits == 1 { 100 } else { 10 }, end + 2);
    }
    Some((value, end))
}

fn scale_at(text: &Text, at: usize) -> Option<(Milli, usize)> {
    let glued = text.tokens.get(at)?.glued;
    let scales = [
        ("nghìn|ngàn|thousand|grand", THOUSAND, false),
        ("k", THOUSAND, true),
        ("triệu|tr|million|millions", MILLION, false),
        ("m", MILLION, true),
        ("tỷ|tỉ|billion", BILLION, false),
    ];
    let here = |(words, _, must_be_glued): &(&'static str, Milli, bool)| {
        text.is(Some(at), words) && (glued || !must_be_glued)
    };
    scales.into_iter().find(here).map(|(_, scale, _)| (scale, at + 1))
}

/// What comes after a scale: `1 triệu 200 nghìn`, `1tr5`.
fn rest_at(text: &Text, at: usize, scale: Milli) -> Option<(Milli, usize)> {
    let (more, end) = number_at(text, at)?;
    if let Some((smaller, after)) = scale_at(text, end).filter(|(smaller, _)| *smaller < scale) {
        return Some((more * smaller, after));
    }
    let token = text.tokens.get(at)?;
    let Kind::Number { value, digits: digits @ 1..=3 } = token.kind else { return None };
    let closes = text.tokens.get(at + 1).is_none_or(|next| matches!(next.kind, Kind::Mark(_)));
    let tenths = Milli::from(10_u32.pow(u32::try_from(digits).ok()?));
    (token.glued || closes).then(|| (Milli::from(value) * scale * ONE / tenths, at + 1))
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    fn read(said: &str) -> Option<Amount> {
        let sums = sums(&Text::new(said));
        together(&sums.iter().collect::<Vec<_>>())
    }

    #[test]
    fn sums_are_read_as_guests_write_them() {
        let of = |amount: u64| Some(Amount::Of(amount));
        assert_rows(
            [
                ("hoàn 100.000đ cho đơn này", of(100_000)),
                ("hoan 100.000d", of(100_000)),
                ("100,000 VND", of(100_000)),
                ("₫100,000 please", of(100_000)),
                ("VND 250.000", of(250_000)),
                ("100k", of(100_000)),
                ("100K thôi", of(100_000)),
                ("refund 100000", of(100_000)),
                ("100 000 đồng", of(100_000)),
                ("100 nghìn", of(100_000)),
                ("100 ngan dong", of(100_000)),
                ("một trăm nghìn đồng", of(100_000)),
                ("mot tram nghin", of(100_000)),
                ("hai trăm năm mươi nghìn", of(250_000)),
                ("năm mươi nghìn", of(50_000)),
                ("5 chục nghìn", of(50_000)),
                ("hai trăm rưỡi nghìn", of(250_000)),
                ("1,5 triệu", of(1_500_000)),
                ("1.5tr", of(1_500_000)),
                ("1tr5", of(1_500_000)),
                ("1tr250", of(1_250_000)),
                ("1 triệu rưỡi", of(1_500_000)),
                ("1 triệu 2", of(1_200_000)),
                ("2 triệu 500 nghìn", of(2_500_000)),
                ("1.500.000", of(1_500_000)),
                ("two hundred and fifty thousand dong", of(250_000)),
                ("1.5 million", of(1_500_000)),
                ("100k, đúng 100.000đ", of(100_000)),
                ("900 đồng", of(900)),
                ("50%", Some(Amount::Share(50))),
                ("30 phần trăm", Some(Amount::Share(30))),
                ("hoàn một nửa", Some(Amount::Share(50))),
                ("refund half of it", Some(Amount::Share(50))),
                ("hoàn toàn bộ", Some(Amount::All)),
                ("hoàn lại hết đi", Some(Amount::All)),
                ("a full refund", Some(Amount::All)),
                ("phần còn lại", Some(Amount::All)),
                ("100%", Some(Amount::All)),
                ("$5", Some(Amount::Unclear)),
                ("5 dollars", Some(Amount::Unclear)),
                ("20 euro", Some(Amount::Unclear)),
                ("100k hoặc 200k", Some(Amount::Unclear)),
                ("50", Some(Amount::Unclear)),
                ("0đ", Some(Amount::Unclear)),
                ("99 tỷ", Some(Amount::Unclear)),
                ("99999999999999999999", Some(Amount::Unclear)),
                ("giao trễ 30 phút", None),
                ("giao trễ nửa tiếng", None),
                ("half an hour late", None),
                ("lúc 19:30 ngày 5/12/2026", None),
                ("2 món bị nguội", None),
                ("hai người", None),
                ("đồng ý", None),
            ]
            .map(|(said, wanted)| (said, read(said), wanted)),
        );
    }
}
