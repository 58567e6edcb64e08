//! How days are said.

use chrono::{NaiveDate, Weekday};

use super::date::DateExpr;
use super::lang::Language;
use super::text::{Kind, Match, Text};

const MONTHS: [&str; 12] = [
    "january|jan",
    "february|feb",
    "march|mar",
    "april|apr",
    "may",
    "june|jun",
    "july|jul",
    "august|aug",
    "september|sep|sept",
    "october|oct",
    "november|nov",
    "december|dec",
];

const PEOPLE_AFTER: &str = "người|ng|nguoi|khách|people|persons|guests|pax|ppl|đứa|bạn|adults|kids";

/// Reads every day out of the text and takes its tokens.
pub fn extract(text: &mut Text, language: Language) -> Vec<(DateExpr, Match)> {
    let mut found: Vec<(DateExpr, Match)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if let Some((expr, end)) = date_at(text, at, language) {
            text.take(at, end);
            found.push((expr, Match { start: at, end, numbers: Vec::new() }));
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

fn date_at(text: &Text, at: usize, language: Language) -> Option<(DateExpr, usize)> {
    if text.tokens[at].taken {
        return None;
    }
    let readers = [counted_from, lunar, holiday, written, past, relative, weekday, day_of_month, month];
    let (expr, end) = readers.iter().find_map(|read| read(text, at, language))?;
    (!text.is_taken(at, end)).then_some((expr, end))
}

/// `a week from tomorrow`, `2 days after friday`.
fn counted_from(text: &Text, at: usize, language: Language) -> Option<(DateExpr, usize)> {
    let one = text.any_at(at, &["a|the|one day|week from|after|before"]);
    let lead = one.or_else(|| {
        text.any_at(at, &["# days|day|weeks|week from|after|before", "# ngày|tuần sau|trước|kể|tính từ?"])
    })?;
    let start = text.match_at(lead.end, "next|this").map_or(lead.end, |found| found.end);
    // `the day after tomorrow` is read elsewhere.
    let (from, end) = [relative, weekday, written, day_of_month]
        .iter()
        .find_map(|read| read(text, lead.end, language).or_else(|| read(text, start, language)))
        .filter(|_| !text.is(Some(at), "the"))?;
    let unit = if text.has_in(at, lead.end, "weeks|week|tuần") { 7 } else { 1 };
    let days = unit * i64::from(lead.numbers.first().copied().unwrap_or(1).min(200));
    let expr = match from {
        _ if text.has_in(at, lead.end, "before|trước") => DateExpr::Unclear,
        DateExpr::Offset(ahead) => DateExpr::Offset(ahead + days),
        DateExpr::Weekday { day, week } => DateExpr::After { day, week, days },
        DateExpr::Full(day) => DateExpr::Full(super::date::plus_days(day, days)),
        DateExpr::After { .. }
        | DateExpr::Numeric { .. }
        | DateExpr::DayMonth { .. }
        | DateExpr::DayOfMonth { .. }
        | DateExpr::Weekend { .. }
        | DateExpr::Week { .. }
        | DateExpr::Month(_)
        | DateExpr::MonthsAhead(_)
        | DateExpr::Lunar
        | DateExpr::Unclear
        | DateExpr::Impossible => DateExpr::Unclear,
    };
    Some((expr, end))
}

/// Days of the lunar calendar, which is not worked out here.
fn lunar(text: &Text, at: usize, _: Language) -> Option<(DateExpr, usize)> {
    let found = text.any_at(
        at,
        &[
            "ngày|đêm|hôm? mùng|mồng? # !tết",
            "mùng|mồng # tet",
            "# !tết",
            "!tết nguyên? đán?",
            "ngày|mùng|mồng? # tháng? giêng|chạp",
            "đêm? giao thừa",
            "ngày|mùng|mồng? # / # âm lịch?",
            "ngày|mùng|mồng? # tháng # âm lịch?",
            "ngày? rằm tháng? #|giêng|chạp?",
            "tet nguyen dan",
            "lunar new year eve?",
        ],
    )?;
    // New Year's Day of the other calendar.
    if text.any_at(found.end, &["tây", "dương lịch?"]).is_some() {
        return None;
    }
    Some((DateExpr::Lunar, found.end))
}

/// Days that are told by a name.
fn holiday(text: &Text, at: usize, _: Language) -> Option<(DateExpr, usize)> {
    const DAYS: [(&[&str], u32, u32); 5] = [
        (&["christmas eve", "đêm noel", "đêm giáng sinh"], 24, 12),
        (&["christmas|xmas day?", "lễ? giáng sinh", "lễ? noel"], 25, 12),
        (&["new years|year eve"], 31, 12),
        (&["new years day", "!tết tây", "!tết dương lịch?", "tet tay|duong"], 1, 1),
        (&["valentines|valentine day?"], 14, 2),
    ];
    if text.follows(at, &["merry|happy"]) {
        return None;
    }
    let found = DAYS.iter().filter_map(|(said, day, month)| Some((text.any_at(at, said)?.end, *day, *month)));
    let (end, day, month) = found.max()?;
    Some((DateExpr::DayMonth { day, month }, end))
}

/// `last week`, `3 days ago`, `tháng trước`.
fn past(text: &Text, at: usize, language: Language) -> Option<(DateExpr, usize)> {
    if let Some(found) = text.any_at(at, &["# days|day ago", "# ngày trước|qua", "# hôm trước"])
        && !text.is(Some(found.end), "khi")
    {
        return Some((DateExpr::Offset(-i64::from(found.numbers[0].min(1000))), found.end));
    }
    if let Some(found) = text.any_at(at, &["# weeks|week ago", "a week ago", "# tuần trước|qua"]) {
        let weeks = found.numbers.first().copied().unwrap_or(1).min(100);
        return Some((DateExpr::Offset(-7 * i64::from(weeks)), found.end));
    }
    let fixed: [(&[&str], DateExpr); 4] = [
        (&["last|past weekend", "cuối tuần trước|rồi|qua"], DateExpr::Weekend { week: -1 }),
        (&["last|past week", "tuần trước|rồi|qua"], DateExpr::Week { week: -1 }),
        (&["last|past month", "tháng trước|rồi|qua"], DateExpr::MonthsAhead(-1)),
        (&["last|past year", "năm ngoái", "năm trước"], DateExpr::MonthsAhead(-12)),
    ];
    let found = fixed.iter().find_map(|(said, expr)| Some((*expr, text.any_at(at, said)?.end)));
    if found.is_some() {
        return found;
    }
    if text.is(Some(at), "last")
        && let Some((DateExpr::Weekday { day, .. }, end)) = weekday(text, at + 1, language)
    {
        return Some((DateExpr::Weekday { day, week: Some(-1) }, end));
    }
    None
}

/// `tháng 12`, `in december`, `next month`: a whole month.
fn month(text: &Text, at: usize, _: Language) -> Option<(DateExpr, usize)> {
    let ahead: [(&[&str], i32); 3] = [
        (&["tháng này", "this month"], 0),
        (&["tháng sau|tới", "next|coming month"], 1),
        (&["năm sau|tới", "next year"], 12),
    ];
    if let Some(found) = ahead
        .iter()
        .find_map(|(said, months)| Some((DateExpr::MonthsAhead(*months), text.any_at(at, said)?.end)))
    {
        return Some(found);
    }
    if let Some(found) = text.match_at(at, "tháng #")
        && (1..=12).contains(&found.numbers[0])
        && !text.is(Some(found.end), "nữa|trước|sau|qua|liền|người")
    {
        return Some((DateExpr::Month(found.numbers[0]), found.end));
    }
    if text.is(Some(at), "tháng") && text.is(Some(at + 1), "tư") {
        return Some((DateExpr::Month(4), at + 2));
    }
    let number = MONTHS.iter().position(|names| text.is(Some(at), names))? as u32 + 1;
    // `may` and `mar` are also words.
    let introduced = text.is(at.checked_sub(1), "in|for|during|early|late|mid|this|next|all")
        || number != 5 && text.words(at, at + 1).chars().count() > 3;
    introduced.then_some((DateExpr::Month(number), at + 1))
}

/// `2026-12-05`, `5/12`, `ngày 5 tháng 12`, `Dec 5`, `5th of December`.
fn written(text: &Text, at: usize, _: Language) -> Option<(DateExpr, usize)> {
    let start = text.match_at(at, "ngày|mùng|mồng|hôm|on mùng|mồng?").map_or(at, |m| m.end);
    let number = |at: usize| match text.tokens.get(at)?.kind {
        Kind::Number { value, digits } => Some((value, digits)),
        Kind::Word(_) | Kind::Mark(_) => None,
    };
    let separator = |at: usize| text.tokens.get(at).filter(|t| t.glued).and_then(|t| t.mark());
    if let Some((first, digits)) = number(start)
        && let Some(mark @ ('/' | '-' | '.')) = separator(start + 1)
        && let Some((second, second_digits)) = number(start + 2).filter(|_| text.tokens[start + 2].glued)
    {
        let third = (separator(start + 3) == Some(mark)).then(|| number(start + 4)).flatten();
        if let Some((third, third_digits)) = third {
            let full = if digits == 4 && (1900..2200).contains(&first) {
                calendar(first, second, third)
            } else if digits <= 2 && second_digits <= 2 && (third_digits == 4 || third_digits == 2) {
                let year = if third_digits == 2 { 2000 + third } else { third };
                // The day first; a month above 12 can only be the other way round.
                if second > 12 { calendar(year, first, second) } else { calendar(year, second, first) }
            } else {
                return None;
            };
            return Some((full.map_or(DateExpr::Impossible, DateExpr::Full), start + 5));
        }
        // `4-5 người` and `7-8h` are ranges, `19.30` is a time, `1-2` without `ngày` may be anything.
        let is_range = mark == '-'
            && (text.is(Some(start + 3), PEOPLE_AFTER)
                || text.is(Some(start + 3), "h|giờ|g|pm|am|:|ngày|days|day|tiếng"));
        let is_time = mark == '.' && start == at || second_digits > 2 || digits > 2;
        if is_range || is_time || text.is(Some(start + 3), "h|giờ") {
            return None;
        }
        if mark == '-' && start == at && text.follows(at, &["for|of|cho|party"]) {
            return None;
        }
        let exists = NaiveDate::from_ymd_opt(2028, second, first).is_some()
            || NaiveDate::from_ymd_opt(2028, first, second).is_some();
        let expr = if exists { DateExpr::Numeric { first, second } } else { DateExpr::Impossible };
        return Some((expr, start + 3));
    }
    // ngày 5 tháng 12 (năm 2026)
    if let Some(found) = text
        .match_at(start, "# tháng # năm ##")
        .or_else(|| text.match_at(start, "# tháng # , ##"))
        .or_else(|| text.match_at(start, "# tháng # / ##"))
        && found.numbers[2] > 2000
    {
        let [day, month, year] = [found.numbers[0], found.numbers[1], found.numbers[2]];
        return Some((calendar(year, month, day).map_or(DateExpr::Impossible, DateExpr::Full), found.end));
    }
    if let Some(found) = text.match_at(start, "# tháng #|tư|giêng|chạp")
        && let Some(&day) = found.numbers.first()
    {
        let month = match found.numbers.get(1) {
            Some(&month) => month,
            None if text.is(Some(found.end - 1), "tư") => 4,
            // The lunar first and last month are other days.
            None => return None,
        };
        return Some((day_month(day, month), found.end));
    }
    if let Some(found) = text.match_at(start, "tháng # ngày #") {
        return Some((day_month(found.numbers[1], found.numbers[0]), found.end));
    }
    english_month(text, start)
}

fn english_month(text: &Text, at: usize) -> Option<(DateExpr, usize)> {
    let month_at = |at: usize| MONTHS.iter().position(|names| text.is(Some(at), names)).map(|m| m as u32 + 1);
    let day_at = |at: usize| text.ordinal_at(at).or_else(|| text.number_at(at));
    let after_dot = |at: usize| if text.is(Some(at), ".") && text.tokens[at].glued { at + 1 } else { at };
    let (day, month, end) = if let Some(month) = month_at(at) {
        let day_start = text.match_at(after_dot(at + 1), "the").map_or(after_dot(at + 1), |m| m.end);
        let (day, end) = day_at(day_start)?;
        (day, month, end)
    } else {
        let start = text.match_at(at, "the").map_or(at, |m| m.end);
        let (day, day_end) = day_at(start)?;
        let end = text.match_at(day_end, "of").map_or(day_end, |m| m.end);
        let month = month_at(end)?;
        // `for 4 may we …`
        if text.is(Some(end), "may") && !text.tokens[end].capital && text.ordinal_at(start).is_none() {
            return None;
        }
        (day, month, after_dot(end + 1))
    };
    let year = text.match_at(end, "##").or_else(|| text.match_at(end, ", ##"));
    if let Some(year) = year.filter(|found| (2000..2100).contains(&found.numbers[0])) {
        let full = calendar(year.numbers[0], month, day);
        return Some((full.map_or(DateExpr::Impossible, DateExpr::Full), year.end));
    }
    Some((day_month(day, month), end))
}

fn day_month(day: u32, month: u32) -> DateExpr {
    match NaiveDate::from_ymd_opt(2028, month, day) {
        Some(_) => DateExpr::DayMonth { day, month },
        None => DateExpr::Impossible,
    }
}

fn calendar(year: u32, month: u32, day: u32) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// Words before `Mai` that make it somebody's name.
const NAME_BEFORE: &str = "chị|cô|em|anh|bà|tên|hoa|quán|tiệm|bếp|nhà|bạn|my|ms|mrs|miss|named|is|called";

fn relative(text: &Text, at: usize, language: Language) -> Option<(DateExpr, usize)> {
    // Some day; nowadays.
    if text.any_at(at, &["mai kia|mốt", "mốt mai", "ngày nay"]).is_some()
        || text.is(Some(at), "kia|!mốt") && text.follows(at, &["mai"])
    {
        return None;
    }
    let fixed: [(&[&str], i64); 6] = [
        (&["hôm kia", "day before yesterday"], -2),
        (&["hôm qua", "yesterday", "last night"], -1),
        (
            &[
                "hôm nay",
                "ngày hôm nay",
                "hnay",
                "bữa nay",
                "today|todays|tonight|tonite",
                "bây giờ",
                "hiện tại|giờ",
                "right? now",
                "lúc này",
            ],
            0,
        ),
        (&["ngày mai", "bữa mai", "tomorrow|tomorrows|tmr|tmrw|tomorow|tommorow|tommorrow"], 1),
        (&["ngày kia|mốt", "the? day after tomorrow"], 2),
        (&["ngày !kìa"], 3),
    ];
    // Without marks `bay gio toi` is now, if I do something, or seven in the evening.
    let seven = !text.marked
        && text.match_at(at, "bay gio toi").is_some()
        && !text.is(Some(at + 3), "muốn|cần|đặt|thích|ở|đang|sẽ|có|đi|nên|phải|hỏi|xin|tìm|định");
    if seven {
        return None;
    }
    let spoken = fixed.iter().filter_map(|(patterns, days)| Some((text.any_at(at, patterns)?.end, *days)));
    if let Some((end, days)) = spoken.max() {
        return Some((DateExpr::Offset(days), end));
    }
    // `mốt` without its mark is `một`: one.
    if text.is(Some(at), "!mốt") && !text.follows(at, &["mai|mươi|mười"]) {
        return Some((DateExpr::Offset(2), at + 1));
    }
    if text.is(Some(at), "mai") && is_tomorrow(text, at) {
        return Some((DateExpr::Offset(1), at + 1));
    }
    let after_daypart = at > 0 && text.is(Some(at - 1), "sáng|trưa|chiều|tối|đêm|khuya|this");
    if after_daypart && text.is(Some(at), "nay|morning|afternoon|evening|noon") {
        let english = text.is(Some(at), "morning|afternoon|evening|noon");
        return (english == text.is(Some(at - 1), "this")).then_some((DateExpr::Offset(0), at + 1));
    }
    if after_daypart && text.is(Some(at), "mốt|kia") {
        return Some((DateExpr::Offset(2), at + 1));
    }
    if after_daypart && text.is(Some(at), "=qua") {
        return Some((DateExpr::Offset(-1), at + 1));
    }
    if language == Language::Vietnamese
        && text.is(Some(at), "nay")
        && !text.follows(at, &["tuần|tháng|năm|xưa|đời|ngày|hôm|bữa"])
    {
        return Some((DateExpr::Offset(0), at + 1));
    }
    let counted = text.any_at(
        at,
        &["# ngày nữa|sau", "# hôm nữa", "in # days|day", "# days|day from now|today", "# days|day later"],
    );
    if let Some(found) = counted {
        return Some((DateExpr::Offset(i64::from(found.numbers[0].min(1000))), found.end));
    }
    let weeks = text.any_at(at, &["# tuần nữa", "in # weeks|week", "# weeks|week from now|today"]);
    if let Some(found) = weeks {
        return Some((DateExpr::Offset(7 * i64::from(found.numbers[0].min(100))), found.end));
    }
    if let Some(found) = text.any_at(at, &["in a week", "a week from now|today"]) {
        return Some((DateExpr::Offset(7), found.end));
    }
    // weekends and weeks
    if let Some(found) = text.any_at(at, &["cuối tuần sau|tới nữa", "the? weekend after next weekend?"])
    {
        return Some((DateExpr::Weekend { week: 2 }, found.end));
    }
    if let Some(found) = text.any_at(at, &["cuối tuần sau", "next weekend"]) {
        return Some((DateExpr::Weekend { week: 1 }, found.end));
    }
    // `cuối tuần tới` is the one that comes.
    if let Some(found) = text.any_at(
        at,
        &["cuối tuần này|nay|tới?", "this|the|coming coming? weekend|weekends", "weekend|weekends"],
    ) {
        return Some((DateExpr::Weekend { week: 0 }, found.end));
    }
    if let Some(found) = text.any_at(at, &["tuần sau|tới nữa on|vào?", "the? week after next week?"]) {
        if let Some((DateExpr::Weekday { day, .. }, end)) = weekday(text, found.end, language) {
            return Some((DateExpr::Weekday { day, week: Some(2) }, end));
        }
        return Some((DateExpr::Week { week: 2 }, found.end));
    }
    if let Some(found) = text.any_at(at, &["tuần sau|tới on|vào?", "next week on?"]) {
        if let Some((DateExpr::Weekday { day, .. }, end)) = weekday(text, found.end, language) {
            return Some((DateExpr::Weekday { day, week: Some(1) }, end));
        }
        return Some((DateExpr::Week { week: 1 }, found.end));
    }
    let this_week =
        ["cả|trong|nguyên tuần này|nay?", "tuần này|nay", "this week", "the? whole|rest? of? the|this? week"];
    if let Some(found) = text.any_at(at, &this_week).filter(|found| found.end > at + 1) {
        return Some((DateExpr::Week { week: 0 }, found.end));
    }
    None
}

fn is_tomorrow(text: &Text, at: usize) -> bool {
    let token = &text.tokens[at];
    // `dat ban mai 7 gio`, `đặt cho em mai lúc 7h`: it is a day that a time follows.
    let a_day = !token.capital
        && (text.follows(at, &["đặt|giữ|book|tìm|kiếm|còn =bàn"])
            || text.any_at(at + 1, &["# giờ|h|g|:", "lúc|vào #"]).is_some());
    if at > 0 && text.is(Some(at - 1), NAME_BEFORE) && !a_day {
        return false;
    }
    let named = token.capital && !token.opens && !text.shouted;
    !named || at > 0 && text.is(Some(at - 1), "sáng|trưa|chiều|tối|đêm|khuya|ngày")
}

const WEEKDAYS: [(&str, &[&str]); 7] = [
    ("monday|mondays", &["thứ hai|2", "thu hai|2"]),
    ("tuesday|tuesdays", &["thứ ba|3"]),
    ("wednesday|wednesdays", &["thứ tư|4", "thứ bốn"]),
    ("thursday|thursdays", &["thứ năm|5"]),
    ("friday|fridays", &["thứ sáu|6"]),
    ("saturday|saturdays", &["thứ bảy|7", "thứ bẩy"]),
    ("sunday|sundays", &["chủ nhật", "chúa nhật"]),
];
const SHORT: [&str; 7] = ["mon", "tue|tues", "wed|weds", "thu|thur|thurs", "fri", "sat", "sun"];
/// Before `thứ hai` it is the second of a list.
const COUNTED: &str = "lần|người|số|chọn|cái|án|option";

fn weekday(text: &Text, at: usize, language: Language) -> Option<(DateExpr, usize)> {
    text.tokens.get(at)?;
    let (index, end) = weekday_name(text, at, language)?;
    let day = Weekday::try_from(index as u8).ok()?;
    let before = |words: &'static str| at > 0 && text.is(Some(at - 1), words);
    let after = |patterns: &[&'static str]| text.any_at(end, patterns).map(|m| m.end);
    let mut week = None;
    let mut end = end;
    // Dayparts may stand between: `thứ bảy tối tuần sau` is rare, `saturday evening next week` is not.
    if let Some(next) = after(&["tuần sau|tới nữa", "week after next", "the? week after next week?"]) {
        (week, end) = (Some(2), next);
    } else if let Some(next) = after(&["tuần trước|rồi|qua", "vừa rồi|qua", "of? last week", "trước"])
    {
        (week, end) = (Some(-1), next);
    } else if let Some(next) = after(&["tuần sau|tới", "of? next week", "week after"]) {
        (week, end) = (Some(1), next);
    } else if let Some(next) = after(&["tuần này|nay", "of? this week"]) {
        (week, end) = (Some(0), next);
    } else if before("next") {
        week = Some(1);
    } else if let Some(next) = after(&["này|nay|tới"]) {
        end = next;
    } else if let Some(next) = after(&["!sau"]) {
        (week, end) = (Some(1), next);
    }
    Some((DateExpr::Weekday { day, week }, end))
}

fn weekday_name(text: &Text, at: usize, language: Language) -> Option<(usize, usize)> {
    for (index, (english, vietnamese)) in WEEKDAYS.iter().enumerate() {
        if text.is(Some(at), english) {
            return Some((index, at + 1));
        }
        if let Some(found) = text.any_at(at, vietnamese) {
            let listed = at > 0
                && text.is(Some(at - 1), COUNTED)
                && !text.is(Some(at), "chủ|chúa")
                && !text.follows(at, &["# người"]);
            return (!listed).then_some((index, found.end));
        }
    }
    if text.is(Some(at), "cn") {
        return Some((6, at + 1));
    }
    // t2 … t7
    if text.is(Some(at), "t")
        && !(text.tokens[at].glued && at > 0 && matches!(text.tokens[at - 1].kind, Kind::Number { .. }))
        && let Some(next) = text.tokens.get(at + 1).filter(|next| next.glued)
        && let Kind::Number { value: value @ 2..=7, digits: 1 } = next.kind
    {
        return Some((value as usize - 2, at + 2));
    }
    let index = SHORT.iter().position(|names| text.is(Some(at), names))?;
    if language != Language::English {
        return None;
    }
    let token = &text.tokens[at];
    let introduced = at > 0 && text.is(Some(at - 1), "on|this|next|coming|by|until|for|and|or|,");
    let continued = text.is(Some(at + 1), "night|evening|morning|noon|lunch|dinner|at|##|,|afternoon");
    // `sun` and `sat` are also words: they want a sign that a day is meant.
    let named = token.capital && !token.opens;
    let alone = text.len() <= 2;
    (introduced || continued || named || alone).then_some((index, at + 1))
}

/// `ngày 5`, `mùng 5`, `the 5th`, `on the 5th`.
fn day_of_month(text: &Text, at: usize, _: Language) -> Option<(DateExpr, usize)> {
    // `ngày 5 tháng sau`
    let month_after = |end: usize| {
        let this = text.any_at(end, &["tháng này|nay", "of? this month"]).map(|m| (0, m.end));
        this.or_else(|| text.any_at(end, &["tháng sau|tới", "of? next month"]).map(|m| (1, m.end)))
    };
    if let Some(found) = text.match_at(at, "ngày|mùng|mồng|hôm mùng|mồng? ##")
        && !text.is(Some(found.end), "ngày|người|nữa|tới|h|giờ|g|:")
        && (1..=31).contains(&found.numbers[0])
    {
        let (month, end) = month_after(found.end).unzip();
        return Some((DateExpr::DayOfMonth { day: found.numbers[0], month }, end.unwrap_or(found.end)));
    }
    let start = text.match_at(at, "the").map(|m| m.end)?;
    let Kind::Number { .. } = text.tokens.get(start)?.kind else { return None };
    let (day, end) = text.ordinal_at(start)?;
    let listed = text.is(Some(end), "one|restaurant|option|place|choice|floor");
    let (month, full_end) = month_after(end).unzip();
    (!listed && (1..=31).contains(&day) && (day > 3 || month.is_some() || text.follows(at, &["on"])))
        .then_some((DateExpr::DayOfMonth { day, month }, full_end.unwrap_or(end)))
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use chrono::NaiveDateTime;

    use super::super::date::{DateProblem, one_day};
    use super::super::lang;
    use super::*;

    /// A Monday.
    fn now() -> NaiveDateTime {
        "2026-11-30T18:20:00".parse().expect("a time")
    }

    fn read(said: &str, at: Option<&str>) -> Result<String, DateProblem> {
        let mut text = Text::new(said);
        let language = lang::of(&text).unwrap_or(Language::Vietnamese);
        let said: Vec<DateExpr> = extract(&mut text, language).into_iter().map(|(expr, _)| expr).collect();
        let at = at.map(|at| at.parse().expect("a time of day"));
        if said.is_empty() {
            return Ok("-".to_owned());
        }
        one_day(&said, now(), at, language).map(|date| date.to_string())
    }

    #[test]
    fn days_are_read() {
        assert_rows(
            [
                ("hôm nay", "2026-11-30"),
                ("hom nay troi the nao", "2026-11-30"),
                ("tối nay", "2026-11-30"),
                ("toi nay", "2026-11-30"),
                ("Nay trời có mưa không", "2026-11-30"),
                ("tonight", "2026-11-30"),
                ("this evening", "2026-11-30"),
                ("right now", "2026-11-30"),
                ("mai", "2026-12-01"),
                ("ngày mai", "2026-12-01"),
                ("NGÀY MAI", "2026-12-01"),
                ("nga\u{300}y mai", "2026-12-01"),
                ("tối mai", "2026-12-01"),
                ("sang mai", "2026-12-01"),
                ("trưa mai lúc 12h", "2026-12-01"),
                ("tomorrow evening", "2026-12-01"),
                ("what about tmr", "2026-12-01"),
                ("mốt", "2026-12-02"),
                ("ngày kia", "2026-12-02"),
                ("ngay mot", "2026-12-02"),
                ("the day after tomorrow", "2026-12-02"),
                ("3 ngày nữa", "2026-12-03"),
                ("ba ngay nua", "2026-12-03"),
                ("in 3 days", "2026-12-03"),
                ("two days from now", "2026-12-02"),
                ("một tuần nữa", "2026-12-07"),
                ("in a week", "2026-12-07"),
                ("thứ hai", "2026-11-30"),
                ("thứ bảy", "2026-12-05"),
                ("thu bay", "2026-12-05"),
                ("thứ bẩy này", "2026-12-05"),
                ("thứ 7", "2026-12-05"),
                ("t7 nha", "2026-12-05"),
                ("7 giờ tối thứ bảy", "2026-12-05"),
                ("chủ nhật", "2026-12-06"),
                ("chu nhat nay", "2026-12-06"),
                ("tối CN", "2026-12-06"),
                ("thứ tư", "2026-12-02"),
                ("thu nam", "2026-12-03"),
                ("thứ bảy tuần sau", "2026-12-12"),
                ("tuần sau thứ bảy", "2026-12-12"),
                ("thu bay tuan toi", "2026-12-12"),
                ("thứ bảy tuần này", "2026-12-05"),
                ("saturday", "2026-12-05"),
                ("on Sat", "2026-12-05"),
                ("this Saturday", "2026-12-05"),
                ("next friday", "2026-12-11"),
                ("next saturday", "2026-12-12"),
                ("Friday next week", "2026-12-11"),
                ("5/12", "2026-12-05"),
                ("ngày 5/12", "2026-12-05"),
                ("5-12", "2026-12-05"),
                ("05/12/2026", "2026-12-05"),
                ("5/12/26", "2026-12-05"),
                ("2026-12-05", "2026-12-05"),
                ("12/25/2026", "2026-12-25"),
                ("ngày 5 tháng 12", "2026-12-05"),
                ("mùng 5 tháng 12", "2026-12-05"),
                ("ngay 5 thang 12 nam 2026", "2026-12-05"),
                ("5 tháng mười hai", "2026-12-05"),
                ("tháng 12 ngày 5", "2026-12-05"),
                ("ngày 5", "2026-12-05"),
                ("ngày 24", "2026-12-24"),
                ("ngày 5 tháng sau", "2026-12-05"),
                ("ngày 3/2", "2027-02-03"),
                ("Dec 5", "2026-12-05"),
                ("Dec. 5", "2026-12-05"),
                ("December 5th", "2026-12-05"),
                ("5 December", "2026-12-05"),
                ("the 5th of December, 2026", "2026-12-05"),
                ("on the fifth of december", "2026-12-05"),
                ("on the 24th", "2026-12-24"),
                ("dinner on 5/12 please", "2026-12-05"),
                ("dinner on 12/5 please", "2026-12-05"),
                ("thứ bảy ngày 5/12", "2026-12-05"),
                ("Saturday, December 5", "2026-12-05"),
                ("hôm qua", "2026-11-29"),
                ("a week from tomorrow", "2026-12-08"),
                ("2 days after tomorrow", "2026-12-03"),
                ("two weeks from friday", "2026-12-18"),
                ("a week from next friday", "2026-12-18"),
                ("thứ 6 tuần sau nữa", "2026-12-18"),
                ("thu 6 tuan sau nua", "2026-12-18"),
                ("tuần sau nữa thứ 6", "2026-12-18"),
                ("friday the week after next", "2026-12-18"),
                ("3 days ago", "2026-11-27"),
                ("thứ bảy tuần trước", "2026-11-28"),
                ("last saturday", "2026-11-28"),
                ("on christmas", "2026-12-25"),
                ("christmas eve", "2026-12-24"),
                ("New Year's Eve", "2026-12-31"),
                ("tết tây", "2027-01-01"),
                ("dat ban mai 7 gio toi", "2026-12-01"),
            ]
            .map(|(said, date)| (said, read(said, None), Ok(date.to_owned()))),
        );
    }

    #[test]
    fn ordinary_words_are_no_days() {
        assert_rows(
            [
                "chị Mai ơi",
                "đặt cho Mai nhé",
                "mai mốt tính",
                "mot nguoi",
                "bốn người",
                "món nhật",
                "bay gio bay",
                "the sun is shining, will it last",
                "we sat there",
                "4-5 người",
                "a table for 4-5",
                "7-8h",
                "lúc 19.30",
                "may I have a table for 4 may we ask",
                "the second one",
                "the 2nd restaurant",
                "lần thứ hai",
                "24 người",
                "0903-123-456",
            ]
            .map(|said| {
                let day = read(said, None);
                let wanted = if said == "bay gio bay" { "2026-11-30" } else { "-" };
                (said, day, Ok(wanted.to_owned()))
            }),
        );
    }

    #[test]
    fn today_counts_while_the_time_is_ahead() {
        assert_eq!(read("thứ hai", Some("19:00:00")).as_deref(), Ok("2026-11-30"));
        assert_eq!(read("thứ hai", Some("18:00:00")).as_deref(), Ok("2026-12-07"));
        assert_eq!(read("monday", Some("12:00:00")).as_deref(), Ok("2026-12-07"));
    }

    #[test]
    fn what_names_no_day_says_why() {
        assert_eq!(read("31/2", None), Err(DateProblem::Impossible));
        assert_eq!(read("ngày 32/13", None), Err(DateProblem::Impossible));
        assert_eq!(read("February 30", None), Err(DateProblem::Impossible));
        assert_eq!(read("cuối tuần này", None), Err(DateProblem::Several));
        assert_eq!(read("this weekend", None), Err(DateProblem::Several));
        assert_eq!(read("tuần sau", None), Err(DateProblem::Several));
        assert_eq!(read("tháng 12", None), Err(DateProblem::Several));
        assert_eq!(read("mùng 3 tết", None), Err(DateProblem::Lunar));
        assert_eq!(read("mung 3 tet", None), Err(DateProblem::Lunar));
        assert_eq!(read("đêm giao thừa", None), Err(DateProblem::Lunar));
        assert_eq!(read("rằm tháng giêng", None), Err(DateProblem::Lunar));
        assert_eq!(read("two days before friday", None), Err(DateProblem::Unclear));
        assert_eq!(read("thứ bảy hoặc chủ nhật", None), Err(DateProblem::Conflicting));
        assert_eq!(read("thứ hai ngày 5/12", None), Err(DateProblem::Conflicting));
        assert_eq!(read("please come on 1/2 at noon", None), Err(DateProblem::DayOrMonthFirst));
    }

    #[test]
    fn weekends_and_weeks_end_on_sunday() {
        let last = |said: &str| {
            let mut text = Text::new(said);
            let found = extract(&mut text, Language::Vietnamese);
            found[0].0.span(now(), Language::Vietnamese).map(|(_, last)| last.to_string())
        };
        assert_rows(
            [
                ("cuối tuần", "2026-12-06"),
                ("cuoi tuan nay", "2026-12-06"),
                ("cuối tuần sau", "2026-12-13"),
                ("the weekend", "2026-12-06"),
                ("next weekend", "2026-12-13"),
                ("tuần này", "2026-12-06"),
                ("next week", "2026-12-13"),
                ("tuần sau nữa", "2026-12-20"),
                ("cuối tuần sau nữa", "2026-12-20"),
                ("last week", "2026-11-29"),
                ("tuần trước", "2026-11-29"),
                ("tháng 12", "2026-12-31"),
                ("in february", "2027-02-28"),
                ("tháng này", "2026-11-30"),
                ("next month", "2026-12-31"),
                ("tháng trước", "2026-10-31"),
            ]
            .map(|(said, day)| (said, last(said), Ok(day.to_owned()))),
        );
    }
}
