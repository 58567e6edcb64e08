//! Words about bookings that were made: to see, to change, to cancel them, and which one is meant.

use super::text::{Kind, Text};

/// What is said about bookings that were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// `what have I booked?`
    pub lists: bool,
    /// `hủy`, `cancel`
    pub cancels: bool,
    /// `hủy bàn`: not merely `hủy`.
    pub cancels_table: bool,
    /// `đổi`, `move`: a weaker `make it` is not among them.
    pub moves: bool,
    /// `đổi giờ`, `later`: another time, but not which.
    pub other_time: bool,
    /// `đổi ngày`
    pub other_day: bool,
    /// `đổi quán`
    pub other_restaurant: bool,
    /// `số người`
    pub people: bool,
    /// `đừng hủy`, `giữ nguyên`
    pub keeps: bool,
    /// `my booking`, `bàn đã đặt`: no mere idea.
    pub owned: bool,
    /// `it`, `bàn đó`
    pub that: bool,
    /// `both`, `hết`: more than one is meant.
    pub all: bool,
    /// `xem`, `show`
    pub shows: bool,
    /// `I can't make it`
    pub cannot_come: bool,
    /// `đặt lại`: what was cancelled.
    pub again: bool,
}

const LISTS: &[&str] = &[
    "xem|coi|kiểm|tra|liệt lại|tra|cứu|kê|tôi|mình|em? các|những|mấy|hết|tất? cả|các? =bàn|chỗ tôi|mình|em|anh|chị|tui? đã|đang|vừa|mới? đặt",
    "xem|coi|tra|kiểm|liệt lại|tra|cứu|kê? các|những|mấy? đặt bàn|chỗ",
    "danh sách các|những? đặt|bàn",
    "=bàn|chỗ tôi|mình|em|anh|chị|tui? đã|đang đặt",
    "đã đặt =bàn|chỗ? nào|gì|đâu|những|chưa|rồi|mấy|ở",
    "đặt =bàn|chỗ nào|gì rồi|chưa|vậy|thế",
    "đang|còn có =bàn|chỗ nào? đặt",
    "đặt bàn|chỗ? chưa",
    "đặt được|xong chưa",
    "lịch đặt",
    "đơn đặt",
    "mã đặt bàn|chỗ",
    "các|những đặt bàn",
    "trạng|tình|lịch|chi thái|hình|sử|tiết đặt|=bàn|chỗ",
    "tôi|tui có|còn =bàn nào|chưa|không|ko",
    "tôi|tui có|còn mấy =bàn",
    "=bàn tôi|mình|em|anh|chị|tui đặt lúc|ngày|hôm|mấy|ở|là",
    "còn|đang|vẫn trong danh sách chờ",
    "am|are i|we still? on|off the waiting|wait list",
    "booking|bookings|reservation|reservations status|history|details",
    "see|show|when|where is? my|our table",
    "my|our upcoming|current|existing|own? booking|bookings|reservation|reservations|tables",
    "list|show|see|view me? the|all|any? bookings|reservations",
    "what|which tables|restaurants|bookings? have|did i|we book|booked|reserve|reserved",
    "what have|did i|we book|booked|reserve|reserved",
    "do|have i|we have|got|booked a|any bookings|booking|reservation|reservations|tables|table booked?",
    "did you|we|i book|reserve",
    "is it|that booked",
    "have you booked|reserved",
    "booked yet|already",
];
const OWNED: &[&str] = &[
    "my|our dinner|lunch|upcoming|existing|current? booking|bookings|reservation|reservations",
    "the|this|that|existing booking|reservation",
    "todays|tonights|tomorrows|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays booking|reservation|table",
    "=bàn|chỗ|lịch tôi|mình|em|anh|chị|tui? đã|vừa|mới đặt",
    "đặt bàn|chỗ của tôi|mình|em|anh|chị|tui",
    "=bàn|chỗ của tôi|mình|em|anh|chị|tui|tụi|chúng|bọn",
    "đơn|lịch đặt",
    "booking|reservation của tôi|mình|em",
];
const THAT: &[&str] = &[
    "=bàn|cái|chỗ|quán|booking đó|này|ấy|kia|vừa|mới|đấy",
    "=nó",
    "it",
    "that|this one|booking|reservation|table?",
];
/// A bare `huy` in a text with marks is a name.
const CANCELS: &[&str] = &[
    "=hủy",
    "cancel|cancelling|canceling",
    "=bỏ|=trả|xóa lại? cái? =bàn|=chỗ",
    "bỏ|xóa đặt|lịch",
    "call off my|the|our|it",
    "drop|remove|delete my|our|the|this|that dinner|lunch? booking|reservation|table",
];
const MOVES: &[&str] = &[
    "đổi|chuyển|dời|hoãn|sửa",
    "lùi lại|sang|bàn|giờ|ngày|lịch|đến|tới",
    "change|move|switch|reschedule|postpone|shift|amend|modify|push",
];
const CANCELS_TABLE: &[&str] = &[
    "=hủy|bỏ|trả lại? đặt|cái? =bàn|chỗ|lịch|đặt",
    "cancel|cancelling|canceling my|our|the|this|that dinner|lunch? table|booking|reservation",
];
const OTHER_TIME: &[&str] = &[
    "đổi|dời|chuyển|sửa lại? giờ",
    "lùi|sớm|trễ|muộn hơn|lại|giờ",
    "change|move|switch the time|hour",
    "later|earlier",
];
const OTHER_DAY: &[&str] = &[
    "đổi|dời|chuyển|sửa lại? ngày|hôm|bữa",
    "change|move|switch the date|day",
    "another|different day|date",
];
const ALL: &[&str] =
    &["cả # =bàn|chỗ?", "hết|toàn", "tất cả", "mọi =bàn|chỗ", "hai =bàn", "both|all|everything|every"];
const CANNOT_COME: &[&str] = &[
    "không|ko|k đến|tới|đi|ăn được|đc|nữa",
    "cant|cannot make it",
    "cant|cannot|not able? to? come",
    "bận rồi|mất",
];
/// On a condition that has not come yet.
const IFS: &[&str] = &["nếu|lỡ|trừ|miễn", "if it|the|there|its|we|i", "unless|in case"];
/// Before a verb that is not meant.
const NOT_TO: &[&str] = &[
    "không|ko|k|hông|đừng|khỏi|chưa|chẳng|chả|khoan muốn|cần|phải|có|nên|vội? đi? giúp|cho?",
    "dont|not|never|no|wont want|need|wish|have|going|you? to?",
];
const KEEPS: &[&str] =
    &["giữ nguyên|lại", "để nguyên|vậy|yên|đó", "keep it|my|the|that|this|them", "leave it|as"];
const AGAIN: &[&str] = &[
    "đặt|giữ|book =bàn|chỗ? đó|này|cũ? lại",
    "lấy|xin lại =bàn|chỗ",
    "đặt|giữ|book =bàn|chỗ cũ|đó",
    "book|reserve it|that|this|them|the? same? table|one|time? again",
    "book|reserve the same",
    "rebook",
];
/// Said of a name.
const PERSON: &[&str] = &["anh|chị|bạn|em|ông|bà|cô|chú|tên|thằng"];
const FEES: &[&str] = &["hủy miễn|phí", "phí|chính|sách|điều|kiện hủy", "cancellation", "free to cancel"];

pub fn extract(text: &Text) -> Words {
    let verbs = |patterns: &[&'static str]| -> Vec<usize> {
        let found = text.every(patterns).into_iter().map(|found| found.start);
        found.filter(|at| !text.follows(*at, PERSON) || text.is(Some(*at), "đổi|dời|chuyển|sửa")).collect()
    };
    let negated = |at: &usize| {
        text.follows(*at, NOT_TO) && !text.follows(*at, &["why dont|not|you|we? not?", "sao không|ko"])
    };
    let (cancels, moves) = (verbs(CANCELS), verbs(MOVES));
    let meant = |verbs: &[usize]| verbs.iter().any(|at| !negated(at));
    let said = !cancels.is_empty() || !moves.is_empty();
    let spared = said && !meant(&cancels) && !meant(&moves);
    Words {
        lists: text.has(LISTS) || text.len() <= 2 && text.has(&["bookings|reservations"]),
        cancels: meant(&cancels) && !text.has(FEES) && !text.has(IFS),
        cancels_table: text.has(CANCELS_TABLE),
        moves: meant(&moves),
        other_time: text.has(OTHER_TIME),
        other_day: text.has(OTHER_DAY),
        other_restaurant: text
            .has(&["đổi|chuyển quán|tiệm", "change|move|switch the? restaurant|restaurants"]),
        all: text.has(ALL),
        shows: text.has(&["xem|coi|kiểm|tra|chi|show|see|view|check|details|status"]),
        cannot_come: text.has(CANNOT_COME),
        people: text.has(&["số người|khách|lượng", "number|count of? people|guests", "party size"]),
        keeps: spared || text.has(KEEPS) && !meant(&cancels) && !meant(&moves),
        owned: text.has(OWNED),
        that: text.has(THAT),
        again: text.has(AGAIN),
    }
}

/// `thêm 2 người`, `one fewer person`: how many more or fewer; takes the tokens.
pub fn more_or_fewer(text: &mut Text) -> Option<i32> {
    const MORE: &[&str] = &[
        "thêm|cộng # người|ng|khách|bạn|đứa nữa?",
        "add # more|extra? people|persons|person|guests|guest|seats|seat",
        "make it # more people|persons|person|guests|guest",
    ];
    const FEWER: &[&str] = &[
        "bớt|giảm|trừ đi? # người|ng|khách|bạn|đứa",
        "make? it? # fewer|less people|persons|person|guests|guest",
        "remove # people|persons|person|guests|guest",
    ];
    let found = |patterns: &[&'static str]| text.every_free(patterns).into_iter().next();
    let (found, sign) = match (found(MORE), found(FEWER)) {
        (Some(found), None) => (found, 1),
        (None, Some(found)) => (found, -1),
        (Some(_), Some(_)) | (None, None) => return None,
    };
    let count = i32::try_from(*found.numbers.first()?).ok().filter(|count| (1..=100).contains(count))?;
    text.take(found.start, found.end);
    Some(sign * count)
}

/// `muộn hơn 30 phút`, `an hour earlier`: by how many minutes; takes the tokens. Read before times.
pub fn shift(text: &mut Text) -> Option<i32> {
    const LATER: &[&str] = &[
        "lùi|dời|đẩy|trễ|muộn|chậm lại|trễ|muộn|chậm|xuống|thêm? hơn|đi|lại|thêm? # tiếng|giờ|phút nữa?",
        "# tiếng|giờ|phút muộn|trễ",
        "# hours|hour|minutes|mins later",
        "back by? # hours|hour|minutes|mins",
    ];
    const EARLIER: &[&str] = &[
        "sớm hơn|lên? # tiếng|giờ|phút",
        "# hours|hour|minutes|mins earlier",
        "forward|up by? # hours|hour|minutes|mins",
    ];
    const HALF_LATER: &[&str] = &["half an hour later", "muộn|trễ|lùi lại|hơn? nửa tiếng|giờ"];
    const HALF_EARLIER: &[&str] = &["half an hour earlier", "sớm hơn|lên? nửa tiếng|giờ"];
    const HOUR_LATER: &[&str] = &["an hour later", "back by? an hour"];
    const HOUR_EARLIER: &[&str] = &["an hour earlier", "up|forward by? an hour"];
    let fixed = [(HALF_LATER, 30), (HALF_EARLIER, -30), (HOUR_LATER, 60), (HOUR_EARLIER, -60)];
    for (patterns, minutes) in fixed {
        if let Some(found) = text.every_free(patterns).into_iter().next() {
            text.take(found.start, found.end);
            return Some(minutes);
        }
    }
    for (patterns, sign) in [(LATER, 1), (EARLIER, -1)] {
        let Some(found) = text.every_free(patterns).into_iter().next() else { continue };
        // `lùi 20 giờ` and the like are times.
        let count = i32::try_from(*found.numbers.first()?).ok().filter(|count| (1..=300).contains(count))?;
        let in_hours = !text.has_in(found.start, found.end, "phút|minutes|mins");
        if in_hours && count > 4 {
            return None;
        }
        text.take(found.start, found.end);
        return Some(sign * count * if in_hours { 60 } else { 1 });
    }
    None
}

/// How long a reference is.
const REFERENCE_CHARS: usize = 6;

/// Reads the references of bookings and takes their tokens. Read first of all: they may hold numbers, and
/// words that are something else. `known`: those that were heard of.
pub fn references(text: &mut Text, known: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let mut end = start + 1;
        while end < text.len() && text.tokens[end].glued && !is_mark(text, end) && !is_mark(text, start) {
            end += 1;
        }
        let said = text.words(start, end);
        if is_reference(text, start, said, known) {
            let reference = said.to_ascii_uppercase();
            text.take(start, end);
            if !found.contains(&reference) {
                found.push(reference);
            }
        }
        start = end;
    }
    found
}

fn is_mark(text: &Text, at: usize) -> bool {
    matches!(text.tokens[at].kind, Kind::Mark(_))
}

fn is_reference(text: &Text, start: usize, said: &str, known: &[&str]) -> bool {
    let capitals = !said.chars().any(|c| c.is_ascii_lowercase());
    let has = |wanted: fn(&char) -> bool| said.chars().any(|c| wanted(&c));
    let mixed = has(char::is_ascii_alphabetic) && has(char::is_ascii_digit);
    if known.iter().any(|known| known.eq_ignore_ascii_case(said)) {
        return capitals || mixed;
    }
    // `19h30p`
    let digits = said.chars().take_while(char::is_ascii_digit).count();
    let unit = said.chars().nth(digits).map(|c| c.to_ascii_lowercase());
    let time = (1..=2).contains(&digits) && matches!(unit, Some('h' | 'g' | 'a' | 'p'));
    let alone =
        || (0..text.len()).all(|at| is_mark(text, at) || at >= start && text.tokens[at].glued || at == start);
    let announced = || {
        text.is(start.checked_sub(1), "#") || text.follows(
            start,
            &[
                "=bàn|chỗ|mã|số|booking|bookings|reservation|table|reference|ref|code|number|đặt is|là|:|#?",
                "and|và|,",
            ],
        )
    };
    said.len() == REFERENCE_CHARS
        && said.chars().all(|c| c.is_ascii_alphanumeric())
        && mixed
        && !time
        && (capitals && (!text.shouted || alone()) || announced())
}

/// Where a change names what it leads to: what stands before, and what comes after.
pub fn from_and_to(raw: &str) -> Option<(String, String)> {
    let text = Text::new(raw);
    let verb = text.every(MOVES).first()?.end;
    let target = (verb..text.len()).find(|at| {
        let before = at.checked_sub(1);
        text.is(Some(*at), "sang|to|into")
            || text.is(Some(*at), "thành") && !text.is(Some(at + 1), "phố|viên|phần")
            || text.is(Some(*at), "qua") && !text.is(before, "hôm|tuần|tháng|ngày|bữa|tối|đêm|vừa")
            || text.is(Some(*at), "đến|tới") && !text.is(before, "tuần|tháng|ngày|lần|sắp|hôm")
    })?;
    let (from, to) = (text.tokens[target].start, text.tokens[target].end);
    Some((text.source[..from].to_owned(), text.source[to..].to_owned()))
}

/// An answer without the `sang` that it begins with: it would also read as `sáng`.
pub fn without_lead(raw: &str) -> Option<String> {
    let text = Text::new(raw);
    let lead = text.any_at(0, &["thì? là? sang|thành|qua|đến|tới|to"])?;
    (lead.end < text.len()).then(|| text.source[text.tokens[lead.end].start..].to_owned())
}

/// What a lone number after `sang` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    People,
    Hours,
}

pub fn what_is_counted(raw: &str) -> Option<Counts> {
    let text = Text::new(raw);
    let people = text.has(&["số? người|khách", "people|guests|party|persons"]);
    let hours = text.has(&["giờ", "time|hour"]);
    match (people, hours) {
        (true, false) => Some(Counts::People),
        (false, true) => Some(Counts::Hours),
        (true, true) | (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    fn read(said: &str) -> String {
        let words = extract(&Text::new(said));
        let named = [
            (words.lists, "lists"),
            (words.cancels, "cancels"),
            (words.moves, "moves"),
            (words.keeps, "keeps"),
            (words.again, "again"),
        ];
        named.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_wanted_with_bookings() {
        assert_rows(
            [
                ("tôi đã đặt bàn nào?", "lists"),
                ("toi da dat ban nao", "lists"),
                ("xem các bàn đã đặt", "lists"),
                ("xem cac ban da dat", "lists"),
                ("Xem các bàn tôi đã đặt", "lists"),
                ("cho mình xem lại các bàn đã đặt với", "lists"),
                ("mình đặt bàn nào rồi?", "lists"),
                ("danh sách đặt bàn", "lists"),
                ("đặt bàn chưa?", "lists"),
                ("what have I booked?", "lists"),
                ("Show my bookings", "lists"),
                ("my bookings", "lists"),
                ("do I have any reservations?", "lists"),
                ("which tables did I book", "lists"),
                ("hủy bàn MAY4K7", "cancels"),
                ("huỷ bàn MAY4K7", "cancels"),
                ("huy ban tuoi mai", "cancels"),
                ("bỏ bàn tối mai", "cancels"),
                ("cancel it", "cancels"),
                ("please cancel booking ABC234", "cancels"),
                ("đặt bàn cho anh Huy", ""),
                ("Huy đặt bàn cho 4 người", ""),
                ("huỷ có mất phí hủy không", ""),
                ("nếu mưa thì huỷ bàn", ""),
                ("xoá đặt bàn", "cancels"),
                ("drop my booking", "lists cancels"),
                ("tôi còn bàn nào không", "lists"),
                ("booking status", "lists"),
                ("am I still on the waiting list?", "lists"),
                ("cancellation policy?", ""),
                ("đổi bàn ABC234 sang 20:00", "moves"),
                ("doi ban ABC234 sang 20:00", "moves"),
                ("dời sang thứ Bảy 19h", "moves"),
                ("move my booking to 8 pm", "lists moves"),
                ("reschedule to Sunday", "moves"),
                ("đừng huỷ", "keeps"),
                ("dung huy nua", "keeps"),
                ("không đổi nữa", "keeps"),
                ("don't cancel it", "keeps"),
                ("giữ nguyên đi", "keeps"),
                ("keep it", "keeps"),
                ("đừng huỷ, đổi sang 8 giờ", "moves"),
                ("không đổi nữa, huỷ đi", "cancels"),
                ("sao không huỷ được", "cancels"),
                ("đặt lại bàn đó", "again"),
                ("dat lai ban do", "again"),
                ("book it again", "again"),
                ("book the same table again", "again"),
                ("đặt bàn cho 4 người", ""),
                ("cho tôi đặt bàn", ""),
                ("cho mình đặt chỗ ở Huế", ""),
                ("bên mình còn bàn không", ""),
                ("em có bàn nào không", ""),
                ("xem bàn trống", ""),
                ("đặt bàn nào cũng được", ""),
                ("tôi muốn đặt bàn", ""),
                ("book a table for two", ""),
                ("make it 6 people", ""),
                ("thời tiết thay đổi không", "moves"),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn references_are_told_from_times_and_words() {
        let read = |said: &str| references(&mut Text::new(said), &["QWERTZ", "K7M2PA"]).join(" ");
        assert_rows(
            [
                ("Tôi muốn huỷ bàn MAY4K7.", "MAY4K7"),
                ("Change my booking ABC234.", "ABC234"),
                ("huy ban may4k7", "MAY4K7"),
                ("#MAY4K7", "MAY4K7"),
                ("cancel MAY4K7 and ABC234", "MAY4K7 ABC234"),
                ("hủy QWERTZ", "QWERTZ"),
                ("hủy qwertz", ""),
                ("k7m2pa", "K7M2PA"),
                ("bàn 7h45pm", ""),
                ("đặt bàn 19h30p", ""),
                ("BOOK A TABLE FOR 4", ""),
                ("please", ""),
                ("cancel ABCDEF", ""),
                ("05/12/2026", ""),
                ("MAY4K7X", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn a_change_says_from_what_to_what() {
        let read = |said: &str| {
            from_and_to(said).map(|(from, to)| format!("{} > {}", from.trim(), to.trim())).unwrap_or_default()
        };
        assert_rows(
            [
                ("đổi bàn tối mai sang 20:00", "đổi bàn tối mai > 20:00"),
                ("dời sang thứ Bảy 19h", "dời > thứ Bảy 19h"),
                ("I want to move my booking to 8 pm", "I want to move my booking > 8 pm"),
                ("đổi từ 7 giờ thành 8 giờ", "đổi từ 7 giờ > 8 giờ"),
                ("dời bàn hôm qua tới chủ nhật", "dời bàn hôm qua > chủ nhật"),
                ("đổi bàn ở thành phố Đà Lạt", ""),
                ("Change my booking ABC234.", ""),
                ("make it 6 people", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted.to_owned())),
        );
    }

    #[test]
    fn shifts_are_told_from_times() {
        assert_rows(
            [
                ("lùi lại 1 tiếng", Some(60)),
                ("lui lai 1 tieng", Some(60)),
                ("dời trễ hơn 30 phút", Some(30)),
                ("muộn hơn nửa tiếng", Some(30)),
                ("sớm hơn 1 tiếng", Some(-60)),
                ("an hour later", Some(60)),
                ("push it back by 30 minutes", Some(30)),
                ("2 hours earlier please", Some(-120)),
                ("dời sang 8 giờ", None),
                ("dời lại 8 giờ", None),
                ("push it back to 9 pm", None),
                ("in 2 hours", None),
                ("sớm hơn được không", None),
            ]
            .map(|(said, wanted)| (said, shift(&mut Text::new(said)), wanted)),
        );
    }

    #[test]
    fn more_and_fewer_people_are_counted() {
        assert_rows(
            [
                ("thêm 2 người", Some(2)),
                ("them mot nguoi nua", Some(1)),
                ("add one more person", Some(1)),
                ("bớt 1 người", Some(-1)),
                ("2 fewer people", Some(-2)),
                ("6 người", None),
                ("me and 2 more people", None),
                ("giảm còn 3 người", None),
            ]
            .map(|(said, wanted)| (said, more_or_fewer(&mut Text::new(said)), wanted)),
        );
    }
}
