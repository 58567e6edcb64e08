//! Times of day, as the guest names them.

use chrono::{NaiveTime, Timelike};

use super::text::{Kind, Text};

/// A part of the day that was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayPart {
    Morning,
    Noon,
    Afternoon,
    Evening,
    Night,
}

/// A time as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeExpr {
    /// No doubt about it.
    Exact(NaiveTime),
    /// `7 giờ`, `at 7`: which half of the day is open.
    Bare { hour: u32, minute: u32 },
    /// `in 2 hours`: minutes from now.
    FromNow(u32),
    /// Midnight at the day's end: the day after begins.
    EndOfDay,
    /// Two times, a range, or none that a clock has.
    Unclear,
}

/// What became of a bare hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    Clear(NaiveTime),
    /// Morning or afternoon?
    Ask,
}

/// The time that a guest of a restaurant means: the evening, at 11 and 12 noon.
pub fn read_bare(hour: u32, minute: u32, part: Option<DayPart>) -> Reading {
    let by_part = part.and_then(|part| in_part(hour, part));
    let hour = match (by_part, hour) {
        (Some(hour), _) => Some(hour),
        (None, 5..=9) => Some(hour + 12),
        (None, 11 | 12) => Some(hour),
        (None, _) => None,
    };
    hour.and_then(|hour| NaiveTime::from_hms_opt(hour, minute, 0)).map_or(Reading::Ask, Reading::Clear)
}

/// The hour of a 24-hour clock, where it lies in that part of the day.
fn in_part(hour: u32, part: DayPart) -> Option<u32> {
    match part {
        DayPart::Morning => (1..=11).contains(&hour).then_some(hour),
        DayPart::Noon => match hour {
            10..=12 => Some(hour),
            1..=2 => Some(hour + 12),
            _ => None,
        },
        DayPart::Afternoon => match hour {
            12 => Some(12),
            1..=7 => Some(hour + 12),
            _ => None,
        },
        DayPart::Evening => (4..=11).contains(&hour).then_some(hour + 12),
        DayPart::Night => (6..=11).contains(&hour).then_some(hour + 12),
    }
}

const PARTS: [(DayPart, &str); 5] = [
    (DayPart::Morning, "sáng"),
    (DayPart::Noon, "trưa"),
    (DayPart::Afternoon, "chiều"),
    (DayPart::Evening, "tối"),
    (DayPart::Night, "đêm|khuya"),
];
const ENGLISH_PARTS: [(DayPart, &str); 5] = [
    (DayPart::Morning, "morning|breakfast"),
    (DayPart::Noon, "lunch|lunchtime"),
    (DayPart::Afternoon, "afternoon"),
    (DayPart::Evening, "evening|tonight|tonite|dinner"),
    (DayPart::Night, "night"),
];
const MEALS: &str = "breakfast|lunch|lunchtime|dinner";
/// `toi` and `sang` are a part of the day only before these or right after a time: without marks they
/// are also `tôi` and `sang`.
const AFTER_PART: &str = "mai|nay|mốt|kia|thứ|chủ|cn|hôm|qua|t|ngày";

/// Reads the time and the part of the day, and takes their tokens. Read after the days.
pub fn extract(text: &mut Text) -> (Option<TimeExpr>, Option<DayPart>) {
    let mut times: Vec<(TimeExpr, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match time_at(text, at) {
            Some((time, start, end)) => {
                text.take(start, end);
                times.push((time, start, end));
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    let mut parts: Vec<DayPart> = Vec::new();
    for at in 0..text.len() {
        let after_time = times.iter().any(|(_, _, end)| *end == at);
        if let Some(part) = part_at(text, at, after_time) {
            // A meal also tells that a table is wanted.
            if !text.is(Some(at), MEALS) {
                text.take(at, at + 1);
            }
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    // Two parts (`sáng hoặc tối`) say nothing certain.
    let part = if parts.len() == 1 { parts.first().copied() } else { None };
    (choose(text, &times, part), part)
}

fn choose(text: &Text, times: &[(TimeExpr, usize, usize)], part: Option<DayPart>) -> Option<TimeExpr> {
    let settle = |time: TimeExpr| match (time, part) {
        (TimeExpr::Bare { hour, minute }, Some(part)) => in_this_part(hour, minute, part),
        // `0h đêm nay` is the midnight that comes.
        (TimeExpr::Exact(time), Some(DayPart::Evening | DayPart::Night)) if time.hour() == 0 => {
            if time == NaiveTime::MIN { TimeExpr::EndOfDay } else { TimeExpr::Unclear }
        }
        (
            TimeExpr::Bare { .. }
            | TimeExpr::Exact(_)
            | TimeExpr::FromNow(_)
            | TimeExpr::EndOfDay
            | TimeExpr::Unclear,
            _,
        ) => time,
    };
    let (first, rest) = times.split_first()?;
    let (last, _) = rest.last().map_or((first, ()), |last| (last, ()));
    if rest.iter().all(|time| settle(time.0) == settle(first.0)) {
        return Some(settle(first.0));
    }
    // `đổi từ 7 giờ sang 8 giờ`, `8 instead of 7`
    let between = |words: &'static str| (first.2..last.1).any(|at| text.is(Some(at), words));
    if rest.len() == 1 && (text.has_in(first.2, last.1, "instead of") || between("thay")) {
        return Some(settle(first.0));
    }
    let moved = text.has(&["đổi|dời|chuyển|change|move|switch|reschedule"]);
    if rest.len() == 1 && moved && between("sang|thành|qua|to|into") {
        return Some(settle(last.0));
    }
    Some(TimeExpr::Unclear)
}

fn exact(hour: u32, minute: u32) -> TimeExpr {
    NaiveTime::from_hms_opt(hour, minute, 0).map_or(TimeExpr::Unclear, TimeExpr::Exact)
}

fn part_at(text: &Text, at: usize, after_time: bool) -> Option<DayPart> {
    let word = text.tokens[at].word()?;
    if let Some((part, _)) = ENGLISH_PARTS.iter().find(|(_, words)| text.is(Some(at), words)) {
        return (!text.is(at.checked_sub(1), "last|good")).then_some(*part);
    }
    let (part, _) = PARTS.iter().find(|(_, words)| text.is(Some(at), words))?;
    let introduced = text.is(at.checked_sub(1), "buổi|bữa|ăn");
    let followed =
        text.is(Some(at + 1), AFTER_PART) && !text.is(at.checked_sub(1), "đổi|chuyển|dời|qua|ngày|tuần");
    if leads_on(text, at) {
        return None;
    }
    // `sáng sủa`, `sáng tạo`, `tối thiểu`, `tối đa` are other words.
    if text.is(Some(at + 1), "sủa|tạo|thiểu|đa|ưu") {
        return None;
    }
    let distinct = matches!(part, DayPart::Noon | DayPart::Afternoon) && !text.is(Some(at + 1), "theo|lòng");
    (word.is_marked() || introduced || followed || after_time || distinct).then_some(*part)
}

/// Before an hour that has no unit.
const BEFORE_BARE: &[&str] = &[
    "lúc",
    "at",
    "@",
    "tầm",
    "khoảng",
    "around",
    "about",
    "by",
    "lúc tầm|khoảng",
    "at around|about",
    "vào lúc",
];
/// After a number that is not an hour.
const OTHER_UNITS: &str = "người|ng|khách|đứa|mạng|bạn|ngày|days|day|people|persons|person|guests|guest|tháng|adults|\
adult|kids|of|st|nd|rd|th|%|k|usd|đồng|vnd|tuần|weeks|week|trẻ|pax|ppl|chỗ|suất|ghế|seats|street|tiếng|phút|minutes|\
hours|am|pm|friends|year|years|tuổi|vợ|con|em|bé|cháu|m|km|phần|món|lần|nights|bàn|tables|table";

fn time_at(text: &Text, at: usize) -> Option<(TimeExpr, usize, usize)> {
    if text.tokens[at].taken {
        return None;
    }
    // noon, midnight
    if let Some(found) = text.any_at(at, &["noon|midday|noontime", "giữa trưa", "chính ngọ", "đúng ngọ"])
    {
        let counted = at > 0 && text.number_at(at - 1).is_some() || text.is(at.checked_sub(1), "after");
        return (!counted).then(|| (exact(12, 0), at, found.end));
    }
    if let Some(found) = text.any_at(at, &["midnight", "nửa đêm"]) {
        return Some((TimeExpr::EndOfDay, at, found.end));
    }
    // from now
    if let Some(found) = text.any_at(at, &["# tiếng|giờ nữa", "in # hours|hour", "# hours|hour from now"])
    {
        return Some((TimeExpr::FromNow(found.numbers[0].min(48) * 60), at, found.end));
    }
    if let Some(found) = text.any_at(at, &["nửa tiếng|giờ nữa", "in half an hour", "in 30 minutes"]) {
        return Some((TimeExpr::FromNow(30), at, found.end));
    }
    if let Some(found) = text.any_at(at, &["in an hour"]) {
        return Some((TimeExpr::FromNow(60), at, found.end));
    }
    if let Some(found) = text.any_at(at, &["# phút nữa", "in # minutes|mins"]) {
        return Some((TimeExpr::FromNow(found.numbers[0].min(2880)), at, found.end));
    }
    // half past seven, quarter to eight
    if let Some(found) =
        text.any_at(at, &["half past #", "quarter past #", "quarter to #", "# past #", "# to #"])
        && !text.is(at.checked_sub(1), "from|for")
    {
        let past = text.has_in(at, found.end, "past");
        let minutes = match found.numbers.as_slice() {
            [_] if text.is(Some(at), "half") => Some(30),
            [_] => Some(15),
            [minutes, _] if matches!(minutes, 5 | 10 | 15 | 20 | 25) => Some(*minutes),
            _ => None,
        };
        let hour = found.numbers.last().copied().filter(|hour| (1..=12).contains(hour));
        if let (Some(minutes), Some(hour)) = (minutes, hour) {
            let (hour, minute) = if past { (hour, minutes) } else { ((hour + 10) % 12 + 1, 60 - minutes) };
            let (time, end) = with_meridiem(text, found.end, hour, minute, 0);
            return Some((time, at, end));
        }
    }
    let (hour, after) = text.number_at(at)?;
    let digits = match text.tokens[at].kind {
        Kind::Number { digits, .. } => digits,
        Kind::Word(_) | Kind::Mark(_) => 0,
    };
    if digits > 2 {
        return four_digits(text, at, hour, digits);
    }
    let introduced = text.follows(at, BEFORE_BARE);
    let (minute, end) = clock(text, at, after, introduced)?;
    let range = range_before(text, at);
    let (time, end) = with_meridiem(text, end, hour, minute, digits);
    let (time, start) = match range {
        Some(start) => (TimeExpr::Unclear, start),
        None => (time, at),
    };
    Some((time, start, end))
}

/// `1900`, `lúc 1930`: only where a time is announced.
fn four_digits(text: &Text, at: usize, value: u32, digits: usize) -> Option<(TimeExpr, usize, usize)> {
    let announced = digits == 4
        && (text.is(Some(at + 1), "hrs|hours|pm|am") || text.follows(at, &["lúc", "at"]))
        && value < 2400
        && value % 100 < 60;
    let end = if text.is(Some(at + 1), "hrs|hours|pm|am") { at + 2 } else { at + 1 };
    announced.then(|| match text.is(Some(at + 1), "pm|am") {
        true => (with_meridiem(text, at + 1, value / 100, value % 100, 2).0, at, end),
        false => (exact(value / 100, value % 100), at, end),
    })
}

/// The minutes after an hour, and the token after the time; none where it is no time.
fn clock(text: &Text, at: usize, after: usize, introduced: bool) -> Option<(u32, usize)> {
    let two_digits = |at: usize| match text.tokens.get(at)?.kind {
        Kind::Number { value, digits } => (digits == 2 && value < 60).then_some(value),
        Kind::Word(_) | Kind::Mark(_) => None,
    };
    let glued = |at: usize| text.tokens.get(at).is_some_and(|token| token.glued);
    // 19:30, 19:30:00
    if text.is(Some(after), ":") && glued(after) && glued(after + 1) {
        let minute = two_digits(after + 1)?;
        let seconds = text.is(Some(after + 2), ":") && glued(after + 2) && two_digits(after + 3).is_some();
        return Some((minute, if seconds { after + 4 } else { after + 2 }));
    }
    // lúc 19.30, 7.30pm
    if text.is(Some(after), ".") && glued(after) && glued(after + 1) && two_digits(after + 1).is_some() {
        let told = introduced || text.is(Some(after + 2), "h|am|pm|p|a");
        return told.then(|| two_digits(after + 1).map(|minute| (minute, after + 2))).flatten();
    }
    let unit = text.is(Some(after), "giờ|h|oclock|g|giò")
        && (!text.is(Some(after), "g") || glued(after))
        && (!text.is(Some(after), "h") || glued(after) || !text.is(Some(after + 1), "."));
    if unit {
        let next = after + 1;
        if text.is(Some(next), "rưỡi|rưởi") {
            return Some((30, next + 1));
        }
        if text.is(Some(next), "đúng") {
            return Some((0, next + 1));
        }
        if text.is(Some(next), ":") && two_digits(next + 1).is_some() {
            return two_digits(next + 1).map(|minute| (minute, next + 2));
        }
        if let Some(minutes) = two_digits(next).filter(|_| glued(next) && !text.tokens[next].taken) {
            let end = if text.is(Some(next + 1), "phút|p|'") { next + 2 } else { next + 1 };
            return Some((minutes, end));
        }
        if let Some((minutes, end)) = text.number_at(next).filter(|(minutes, _)| *minutes < 60) {
            let spelled = text.is(Some(end), "phút|p|'");
            let counts = text.is(Some(end), OTHER_UNITS) && !spelled || text.tokens[next].taken;
            let plausible = two_digits(next).is_some() || spelled || minutes % 5 == 0 && minutes >= 10;
            if !counts && plausible && !text.is(Some(end), "/|-|:|h|giờ|g") {
                return Some((minutes, if spelled { end + 1 } else { end }));
            }
        }
        return Some((0, next));
    }
    if text.is(Some(after), "rưỡi|rưởi") {
        return Some((30, after + 1));
    }
    // 8ish
    if text.is(Some(after), "ish") && glued(after) {
        return Some((0, after + 1));
    }
    // 7 pm, seven thirty pm
    if meridiem(text, after).is_some() {
        return Some((0, after));
    }
    if let Some((minutes, end)) = text.number_at(after).filter(|(minutes, _)| (10..60).contains(minutes))
        && matches!(text.tokens[after].kind, Kind::Word(_))
        && !text.tokens[after].taken
        && (introduced || meridiem(text, end).is_some())
        && (meridiem(text, end).is_some() || !text.is(Some(end), OTHER_UNITS))
    {
        return Some((minutes, end));
    }
    // 7 tối, 7 in the evening
    let part_follows = PARTS.iter().chain(&ENGLISH_PARTS[..1]).any(|(_, words)| text.is(Some(after), words));
    if part_follows
        && !text.is(Some(after), "đêm|khuya|sang")
        && !text.is(at.checked_sub(1), "bảy|tháng|ngày")
    {
        return Some((0, after));
    }
    if text.any_at(after, &["in the morning|afternoon|evening", "at night"]).is_some() {
        return Some((0, after));
    }
    // lúc 7, at 7
    let other = text.is(Some(after), OTHER_UNITS)
        || text.is(Some(after), "/|-|:|.")
            && text.tokens.get(after + 1).is_some_and(|t| t.glued && matches!(t.kind, Kind::Number { .. }));
    (introduced && !other).then_some((0, after))
}

/// `am`, `p.m.`: whether it is the afternoon, and the token after it.
fn meridiem(text: &Text, at: usize) -> Option<(bool, usize)> {
    let found = text.any_at(at, &["am|pm", "a|p . m .", "a|p . m"])?;
    Some((text.is(Some(at), "pm|p"), found.end))
}

fn with_meridiem(text: &Text, at: usize, hour: u32, minute: u32, digits: usize) -> (TimeExpr, usize) {
    if hour > 24 || minute > 59 {
        return (TimeExpr::Unclear, at);
    }
    if let Some((afternoon, end)) = meridiem(text, at) {
        let time = match (hour, afternoon) {
            (12, true) => exact(12, minute),
            (12, false) => TimeExpr::EndOfDay,
            (1..=11, true) => exact(hour + 12, minute),
            (1..=11, false) | (13..=23, true) => exact(hour, minute),
            _ => TimeExpr::Unclear,
        };
        return (time, end);
    }
    // kém: the quarter before
    if let Some(found) = text.match_at(at, "kém #")
        && minute == 0
        && (1..60).contains(&found.numbers[0])
        && (1..=24).contains(&hour)
    {
        let time = with_part(text, found.end, hour, 0);
        let earlier = |hour: u32| if hour == 0 { 23 } else { hour - 1 };
        let minute = 60 - found.numbers[0];
        return match time {
            TimeExpr::Exact(time) => (exact(earlier(chrono::Timelike::hour(&time)), minute), found.end),
            TimeExpr::Bare { hour, .. } => (TimeExpr::Bare { hour: earlier(hour), minute }, found.end),
            TimeExpr::FromNow(_) | TimeExpr::EndOfDay | TimeExpr::Unclear => (time, found.end),
        };
    }
    if hour == 24 {
        return (if minute == 0 { TimeExpr::EndOfDay } else { TimeExpr::Unclear }, at);
    }
    // `07:30` is a 24-hour clock's.
    let padded = digits == 2 && hour < 10;
    if hour == 0 || hour > 12 || padded {
        return (exact(hour, minute), at);
    }
    (with_part(text, at, hour, minute), at)
}

/// A part of the day that stands right after belongs to this time and no other.
fn with_part(text: &Text, at: usize, hour: u32, minute: u32) -> TimeExpr {
    let at = text.any_at(at, &["vào? buổi", "in the", "at"]).map_or(at, |m| m.end);
    let parts = PARTS.iter().chain(&ENGLISH_PARTS);
    let part = parts.into_iter().find(|(_, words)| text.is(Some(at), words)).map(|(part, _)| *part);
    let part = part.filter(|_| !leads_on(text, at));
    part.map_or(TimeExpr::Bare { hour, minute }, |part| in_this_part(hour, minute, part))
}

/// An hour of a 12-hour clock in that part of the day; it stays open where it does not lie in it.
fn in_this_part(hour: u32, minute: u32, part: DayPart) -> TimeExpr {
    let night = matches!(part, DayPart::Evening | DayPart::Night);
    match (in_part(hour, part), hour, minute) {
        (Some(hour), _, _) => exact(hour, minute),
        (None, 12, 0) if night => TimeExpr::EndOfDay,
        (None, 12, _) => TimeExpr::Unclear,
        (None, _, _) => TimeExpr::Bare { hour, minute },
    }
}

/// `sang 8 giờ`: a `sáng` without its mark would not stand before a number.
fn leads_on(text: &Text, at: usize) -> bool {
    text.is(Some(at), "sang") && text.number_at(at + 1).is_some()
}

/// `7-8h`, `từ 7 đến 8 giờ`, `7 or 8 pm`: where the other end of the range begins.
fn range_before(text: &Text, at: usize) -> Option<usize> {
    let joint = at.checked_sub(1)?;
    let between = text.has_in(0, at, "between") || text.has_in(0, at, "giữa");
    let joined = text.is(Some(joint), "-|đến|tới|to|hay|hoặc|or|until|till")
        || between && text.is(Some(joint), "and|và");
    let start = (joint.saturating_sub(2)..joint)
        .find(|start| text.number_at(*start).is_some_and(|(_, end)| end == joint))?;
    (joined && !text.is_taken(start, joint)).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::super::date_words;
    use super::super::lang::{self, Language};
    use super::*;

    /// As a table's time is read in the end.
    fn read(said: &str) -> String {
        let mut text = Text::new(said);
        let language = lang::of(&text).unwrap_or(Language::Vietnamese);
        date_words::extract(&mut text, language);
        let (time, part) = extract(&mut text);
        match time {
            None => format!("{part:?}"),
            Some(TimeExpr::Exact(time)) => time.format("%H:%M").to_string(),
            Some(TimeExpr::Bare { hour, minute }) => match read_bare(hour, minute, part) {
                Reading::Clear(time) => time.format("%H:%M").to_string(),
                Reading::Ask => "ask".to_owned(),
            },
            Some(TimeExpr::FromNow(minutes)) => format!("+{minutes}"),
            Some(TimeExpr::EndOfDay) => "24:00".to_owned(),
            Some(TimeExpr::Unclear) => "unclear".to_owned(),
        }
    }

    #[test]
    fn times_are_read() {
        assert_rows(
            [
                ("7 giờ tối", "19:00"),
                ("7 gio toi", "19:00"),
                ("7h tối", "19:00"),
                ("7h toi mai", "19:00"),
                ("19h", "19:00"),
                ("19h30", "19:30"),
                ("19:30", "19:30"),
                ("lúc 19.30", "19:30"),
                ("7g30", "19:30"),
                ("7 rưỡi tối", "19:30"),
                ("7 giờ rưỡi tối", "19:30"),
                ("bảy giờ tối", "19:00"),
                ("bay gio toi", "19:00"),
                ("bảy rưỡi", "19:30"),
                ("tối mai 7 giờ", "19:00"),
                ("tối mai lúc 8 giờ", "20:00"),
                ("toi mai luc 8h", "20:00"),
                ("8 giờ kém 15 tối", "19:45"),
                ("12 giờ trưa", "12:00"),
                ("12h trua", "12:00"),
                ("1 giờ trưa", "13:00"),
                ("11 giờ trưa mai", "11:00"),
                ("3 giờ chiều", "15:00"),
                ("5 giờ rưỡi chiều", "17:30"),
                ("8 giờ sáng", "08:00"),
                ("sáng mai 9 giờ", "09:00"),
                ("10 giờ đêm", "22:00"),
                ("12 giờ đêm", "24:00"),
                ("12 rưỡi đêm", "unclear"),
                ("7 giờ", "19:00"),
                ("lúc 7", "19:00"),
                ("7:30", "19:30"),
                ("07:30", "07:30"),
                ("11 giờ", "11:00"),
                ("12 giờ", "12:00"),
                ("3 giờ", "ask"),
                ("10 giờ", "ask"),
                ("lúc 2h", "ask"),
                ("7 giờ 15 phút tối", "19:15"),
                ("bảy giờ ba mươi tối", "19:30"),
                ("7 giờ tối 4 người", "19:00"),
                ("7 giờ 4 người", "19:00"),
                ("lúc 7 giờ tối thứ bảy", "19:00"),
                ("thứ bảy 7 giờ tối", "19:00"),
                ("2 tiếng nữa", "+120"),
                ("at 7", "19:00"),
                ("at 7 pm", "19:00"),
                ("7pm", "19:00"),
                ("7:30pm", "19:30"),
                ("7.30 p.m.", "19:30"),
                ("7 a.m.", "07:00"),
                ("half past seven in the evening", "19:30"),
                ("half past seven", "19:30"),
                ("quarter to eight", "19:45"),
                ("seven o'clock", "19:00"),
                ("at seven thirty", "19:30"),
                ("seven thirty pm", "19:30"),
                ("seven in the evening", "19:00"),
                ("tomorrow evening at 8", "20:00"),
                ("tonight at 9", "21:00"),
                ("at noon", "12:00"),
                ("tmrw night 8ish", "20:00"),
                ("0h đêm nay", "24:00"),
                ("00:00 tonight", "24:00"),
                ("0h30 đêm nay", "unclear"),
                ("0h ngày mai", "00:00"),
                ("midnight tonight", "24:00"),
                ("12 pm", "12:00"),
                ("lunch at 1", "13:00"),
                ("at 3", "ask"),
                ("at 3 in the afternoon", "15:00"),
                ("in 2 hours", "+120"),
                ("at 1930", "19:30"),
                ("19:00 ngày 05/12/2026", "19:00"),
                ("19:30 on 2026-12-05", "19:30"),
                ("đổi từ 7 giờ sang 8 giờ", "20:00"),
                ("change it from 7 pm to 8 pm", "20:00"),
                ("8 pm instead of 7 pm", "20:00"),
                ("7-8h tối", "unclear"),
                ("từ 7 đến 9 giờ tối", "unclear"),
                ("7 giờ hoặc 8 giờ", "unclear"),
                ("7 or 8 pm", "unclear"),
                ("25 giờ", "unclear"),
                ("tối mai", "Some(Evening)"),
                ("toi mai", "Some(Evening)"),
                ("trưa chủ nhật", "Some(Noon)"),
                ("tomorrow night", "Some(Night)"),
            ]
            .map(|(said, time)| (said, read(said), time)),
        );
    }

    #[test]
    fn other_numbers_are_no_times() {
        assert_rows(
            [
                "4 người",
                "toi muon dat ban cho 4 nguoi",
                "tôi muốn đổi sang 6 người",
                "doi sang 6 nguoi",
                "khoảng 7 người",
                "about 6 people",
                "5/12",
                "3 ngày tới",
                "tối đa 4 người",
                "thứ bảy",
                "for four",
                "quán thứ 2",
            ]
            .map(|said| (said, read(said), "None")),
        );
    }
}
