//! How many people.

use super::text::{Kind, Text};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    Of(u8),
    /// Fewer than 1 or more than 20.
    OutOfRange,
    /// `4-5 người`, `four or five`: not one number.
    Unclear,
}

impl Party {
    fn of(count: u32) -> Self {
        match u8::try_from(count) {
            Ok(count @ 1..=20) => Self::Of(count),
            _ => Self::OutOfRange,
        }
    }
}

const PEOPLE: &str = "người|ng|nguời|ngừoi|ngươi|khách|mạng|thành|pax|ppl|people|peoples|persons|person|guests|guest|seats|\
ghế|suất|chỗ|diners|đứa|bạn|heads|pp|peeps";
const ADULTS: &[&str] = &["người lớn", "adults|adult|grownups", "vợ chồng"];
/// Two people each.
const COUPLES: &[&str] = &["cặp vợ chồng", "cặp đôi?", "cặp tình nhân", "đôi vợ chồng", "couples|couple"];
/// How many people each of them is was not told.
const HOUSEHOLDS: &[&str] = &["gia đình", "families|family|households|household", "hộ gia đình"];
const CHILDREN: &[&str] = &[
    "trẻ em|con|nhỏ?",
    "em|đứa bé|nhỏ",
    "bé gái|trai?",
    "cháu nhỏ|bé?",
    "con nhỏ?",
    "đứa con|trẻ|nhỏ",
    "nhóc",
    "bạn nhỏ",
    "kids|kid|children|child|babies|baby|toddlers|toddler|infants|infant",
];
const FRIENDS: &[&str] = &[
    "người|đứa|thằng|cô|ông? bạn",
    "bạn thân|học|cùng|gái|trai",
    "người|đứa|bạn nữa",
    "more people|guests?",
    "friends|friend",
    "others|other",
    "đồng nghiệp",
    "colleagues|coworkers",
];
const INCLUDING: &str = "gồm|including|includes|incl|trong|có|kể|of";
/// Parties that are told without a number.
const PAIRS: &[(&[&str], u32)] = &[
    (
        &[
            "một mình",
            "just|only me",
            "by|for myself",
            "alone|solo",
            "mỗi|chỉ tôi|mình|em|anh",
            "mình tôi|em|anh",
            "just one",
            "table for me",
            "bàn cho tôi|mình thôi",
        ],
        1,
    ),
    (
        &[
            "hai|2 vợ chồng",
            "vợ chồng tôi|mình|em|anh|tui?",
            "tôi|mình|em|anh|tui và|với|cùng vợ|chồng|ny|mẹ|bố|má|sếp|bạn gái|trai|thân?",
            "tôi|mình|em|anh|tui và|với|cùng người yêu",
            "my wife|husband|girlfriend|boyfriend|partner|friend|mother|father|mom|dad|boss and me|i|myself",
            "me|i|myself and my wife|husband|girlfriend|boyfriend|partner|friend|mother|father|mom|dad|boss",
            "cặp đôi",
            "một cặp",
            "a? couple",
            "both|two of us",
            "the two of us",
            "cả hai",
            "us two",
        ],
        2,
    ),
];
/// After a party that goes on: `my wife and I and the kids`.
const MORE_PEOPLE: &[&str] = &[
    "và|cùng|with|plus",
    ", and",
    "and the|our|my|some|a|his|her",
    "với bạn|con|mẹ|bố|vợ|chồng|các|mấy",
    "bè",
];

/// Whether more than one table is wanted: `2 bàn`, `two tables`. Takes the tokens.
pub fn several_tables(text: &mut Text) -> bool {
    let found =
        text.every_free(&["# tables", "# =bàn", "several|multiple tables", "vài|mấy =bàn cho|nhé|liền"]);
    let several = found.into_iter().find(|found| {
        let in_address = text.follows(found.start, &["quận|đường|phường|tầng|lầu|số|phố|district|floor"]);
        found.numbers.first().is_none_or(|count| *count > 1) && !in_address
    });
    if let Some(found) = &several {
        text.take(found.start, found.end);
    }
    several.is_some()
}

/// Reads the party size and takes its tokens. Read after days and times.
pub fn extract(text: &mut Text) -> Option<Party> {
    households(text).or_else(|| counted(text)).or_else(|| introduced(text)).or_else(|| fixed(text))
}

#[derive(Clone, Copy, PartialEq)]
enum Group {
    People,
    Adults,
    Children,
    /// They come with the guest.
    Friends,
}

/// `4 người`, `2 adults and 2 kids`, `hai vợ chồng và 1 bé`.
fn counted(text: &mut Text) -> Option<Party> {
    let mut total = 0_u32;
    let mut told = false;
    let mut last: Option<(Group, usize)> = None;
    let mut unclear = false;
    // The guest comes on top of who is counted.
    let mut joined_by_guest = false;
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let Some((count, group, end)) = group_at(text, at) else {
            at += 1;
            continue;
        };
        unclear |= is_open(text, at);
        let joins = last.map(|(before, after)| {
            let between = |words: &'static str| (after..at).any(|i| text.is(Some(i), words));
            let added = between("và|với|cùng|cộng|thêm|plus|and|with|+|&");
            let parts_of_it = between(INCLUDING) || before == Group::People && group == Group::Adults;
            let mixed = matches!(
                (before, group),
                (Group::Adults, Group::Children) | (Group::Children, Group::Adults)
            );
            (added, parts_of_it, mixed)
        });
        match joins {
            // What follows is a part of the number before.
            _ if told => {}
            Some((_, true, _)) => told = true,
            None => total = count,
            Some((true, false, _)) | Some((false, false, true)) => total = total.saturating_add(count),
            Some((false, false, false))
                if last.is_some_and(|(before, _)| before == group) && total == count => {}
            Some((false, false, false)) => unclear = true,
        }
        joined_by_guest |= group == Group::Friends && joins.is_none() && brings(text, at);
        spans.push((at, end));
        last = Some((group, end));
        at = end;
    }
    let (group, end) = last?;
    match guest_after(text, end) {
        Some(true) => joined_by_guest = true,
        // `4 người và tôi muốn …`: a new clause, or one more?
        Some(false) if group == Group::Friends => joined_by_guest = true,
        Some(false) => unclear = true,
        None => {}
    }
    // `vợ chồng tôi và 2 con`, `my wife, two kids and me`: they themselves are told apart.
    let free = |start: usize, end: usize| spans.iter().all(|(s, e)| *e <= start || end <= *s);
    let pair = pair_in(text, 2).filter(|(_, start, end)| free(*start, *end));
    let companions: Vec<_> =
        text.every_free(COMPANIONS).into_iter().filter(|found| free(found.start, found.end)).collect();
    joined_by_guest |= !companions.is_empty()
        && text.has(&[
            "me|myself|i ,|and|& my|our",
            "tôi|mình|em|anh|tui|tớ ,|và|với|cùng vợ|chồng|mẹ|bố|má|sếp|bạn",
        ]);
    if !told && let Some((pair, start, end)) = pair {
        total = total.saturating_add(pair);
        spans.push((start, end));
    } else if !told {
        total = total.saturating_add(u32::try_from(companions.len()).unwrap_or(u32::MAX));
        total = total.saturating_add(u32::from(joined_by_guest));
        // `my wife and two kids`: with the guest, or without?
        unclear |= !companions.is_empty() && !joined_by_guest;
        spans.extend(companions.iter().map(|found| (found.start, found.end)));
    }
    // `bố mẹ và 2 con`: some are told without a number.
    let others = text.every_free(OTHERS);
    unclear |= !told
        && group != Group::People
        && others.iter().any(|found| spans.iter().all(|(s, e)| *e <= found.start || found.end <= *s));
    // `me and 3 people`: three or four?
    let with_them = text.every(&["tôi|mình|me|i and|và|với # people|người"]);
    unclear |= with_them.iter().any(|found| !text.is(Some(found.end), "bạn|nữa"));
    for (start, end) in spans {
        text.take(start, end);
    }
    Some(if unclear { Party::Unclear } else { Party::of(total) })
}

/// One person each, besides those who are counted.
const COMPANIONS: &[&str] = &[
    "my|our wife|husband|girlfriend|boyfriend|partner|mother|father|mom|mum|dad|boss|son|daughter|sister|brother|friend",
    "vợ|chồng|mẹ|bố|má|sếp|bạn tôi|mình|em|anh",
];

/// They are several, or as good as several.
const OTHERS: &[&str] = &[
    "bố|ba|cha mẹ|má",
    "ông bà",
    "các|mấy con|bạn|cháu|em|anh|chị",
    "my|our|the parents|grandparents|family|kids|children|friends|colleagues",
    "cả nhà",
    "bạn bè",
];

/// `… với mình`, `… and me`: true where nothing but a slot or the end follows.
fn guest_after(text: &Text, end: usize) -> Option<bool> {
    let found = text.any_at(end, &["và|với|cùng|cùng|and|plus|with với? mình|tôi|em|tui|tớ|me|myself|i"])?;
    let next = found.end;
    // `… with my wife`, `và mình em`
    if text.is(Some(next), "need|want|would|will|have|am|like|prefer|can|could|think|m|d|ll") {
        return None;
    }
    let ends = text.tokens.get(next).is_none_or(|token| token.taken || token.word().is_none())
        || text.is(
            Some(next),
            "ở|lúc|tại|vào|at|in|on|for|tomorrow|tonight|nhé|nha|ạ|đi|ăn|là|please|tối|trưa|sáng|chiều|đà|hà|thôi|nữa|da|ha",
        );
    Some(ends)
}

/// `3 gia đình`, where no number of people is told besides.
fn households(text: &mut Text) -> Option<Party> {
    let found = text.every_free(&["#"]).into_iter().find(|found| {
        text.any_at(found.end, HOUSEHOLDS).is_some_and(|kind| !text.is(Some(kind.end), "of"))
    })?;
    let end = text.any_at(found.end, HOUSEHOLDS)?.end;
    text.take(found.start, end);
    Some(match counted(text) {
        Some(party) => party,
        None => Party::Unclear,
    })
}

fn group_at(text: &Text, at: usize) -> Option<(u32, Group, usize)> {
    if text.tokens[at].taken {
        return None;
    }
    let (count, after) = text.number_at(at)?;
    let end_of = |patterns: &[&'static str]| text.any_at(after, patterns).map(|found| found.end);
    if let Some(end) = end_of(COUPLES).filter(|end| !text.is(Some(*end), "of") && !text.is_taken(at, *end)) {
        return Some((count.saturating_mul(2), Group::Adults, end));
    }
    let groups = [
        (Group::Adults, end_of(ADULTS)),
        (Group::Children, end_of(CHILDREN)),
        (Group::Friends, end_of(FRIENDS).filter(|end| brings(text, at) || guest_after(text, *end).is_some())),
        (
            Group::Friends,
            end_of(&["bạn"]).filter(|end| brings(text, at) || guest_after(text, *end).is_some()),
        ),
    ];
    let special =
        groups.into_iter().filter_map(|(group, end)| Some((group, end?))).max_by_key(|(_, end)| *end);
    let (group, end) = match special {
        Some(found) => found,
        None => (
            Group::People,
            text.any_at(
                after,
                &[
                    PEOPLE,
                    "of us|them",
                    "thành viên",
                    "mẹ|bố|cha|ba|bà|ông con|cháu",
                    "anh|chị em",
                    "cô|chú cháu",
                ],
            )?
            .end,
        ),
    };
    if text.is_taken(at, end) || text.is(Some(after), "thành") && !text.is(Some(after + 1), "viên") {
        return None;
    }
    Some((count, group, end))
}

/// `me and 3 friends`, `with 3 friends`: one more than they are.
fn brings(text: &Text, at: usize) -> bool {
    text.follows(at, &["me|i|tôi|mình|em|anh|tui and|và|với|plus|cùng", "with", "với", "cùng", "cùng với"])
}

/// A range, a choice, a fraction or a negative number stands there.
fn is_open(text: &Text, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let number_ends = |end: usize| {
        (end.saturating_sub(3)..end).any(|start| text.number_at(start).is_some_and(|(_, e)| e == end))
    };
    let joined = text.is(Some(before), "-|đến|tới|to|hay|hoặc|or|~|.|,|/");
    let negative = text.is(Some(before), "-") && text.tokens[at].glued;
    negative
        || joined && number_ends(before) && (!text.is(Some(before), ",|.") || text.tokens[at].glued)
        || !text.tokens[before].taken && number_ends(at)
        || text.follows(
            at,
            &["hơn", "trên", "over", "more than", "at least", "ít nhất", "dưới", "less than", "up to"],
        )
}

/// `for four`, `party of six`, `cho 4`, `nhóm 6`, `tụi mình 5`.
fn introduced(text: &mut Text) -> Option<Party> {
    const LEADS: &[&str] = &[
        "for",
        "party|group|table|reservation|family of",
        "cho",
        "nhóm",
        "đoàn",
        "bàn cho",
        "we are|re",
        "were|there are|there be",
        "tụi|bọn|chúng|nhà|hội mình|tôi|em|tao|nó có|đi?",
        "mình đi",
        "đi",
        "people :",
        "số người :?",
        "party size :?",
        "make it a table for",
        "số khách :?",
        "table for about?",
    ];
    const NOT_PEOPLE: &str = "giờ|h|g|:|/|ngày|days|day|tháng|hours|hour|am|pm|phút|minutes|tiếng|tuần|weeks|week|rưỡi|nights|\
bàn|tables|table|món|%|k|st|nd|rd|th|oclock|buổi|lần|reservations|bookings|quán|restaurants|tối|sáng|trưa|chiều|tiệm";
    let mut found: Vec<(u32, usize, usize)> = Vec::new();
    for at in 1..text.len() {
        if text.tokens[at].taken || !text.follows(at, LEADS) {
            continue;
        }
        let Some((count, end)) = text.number_at(at) else { continue };
        let decimal = text.is(Some(end), ".") && text.tokens.get(end + 1).is_some_and(|token| token.glued);
        let other = decimal || text.is(Some(end), NOT_PEOPLE);
        if !other && !text.is_taken(at, end) {
            found.push((count, at, end));
        }
    }
    let (count, start, end) = found.first().copied()?;
    let joined = |at: usize| {
        text.is(Some(at), "-|or|to|hay|hoặc|đến|tới|and|,")
            && text.number_at(at + 1).is_some_and(|_| !text.tokens[at + 1].taken)
    };
    let unclear = found.iter().any(|(other, _, _)| *other != count)
        || joined(end)
        || text.number_at(end).is_some_and(|_| !text.tokens[end].taken);
    text.take(start, end);
    Some(if unclear { Party::Unclear } else { Party::of(count) })
}

fn fixed(text: &mut Text) -> Option<Party> {
    if text.has(&["couple of"]) {
        return None;
    }
    PAIRS.iter().find_map(|(_, count)| {
        let (count, start, end) = pair_in(text, *count)?;
        if text.any_at(end, MORE_PEOPLE).is_some() {
            return None;
        }
        text.take(start, end);
        Some(Party::of(count))
    })
}

fn pair_in(text: &Text, count: u32) -> Option<(u32, usize, usize)> {
    let (patterns, _) = PAIRS.iter().find(|(_, n)| *n == count)?;
    let found = text.every_free(patterns).into_iter().next()?;
    Some((count, found.start, found.end))
}

/// A message that is nothing but a number and small words: an answer to a question.
pub fn lone_number(text: &Text) -> Option<(u32, usize, usize)> {
    const SMALL: &str = "dạ|vâng|ạ|nhé|nha|thôi|có|là|for|just|only|it|is|its|we|are|were|please|ok|oke|yes|cho|bàn|table|.|!|,";
    let mut found: Option<(u32, usize, usize)> = None;
    let mut at = 0;
    while at < text.len() {
        if let Some((count, end)) = text.number_at(at)
            && !text.tokens[at].taken
        {
            if found.is_some() {
                return None;
            }
            found = Some((count, at, end));
            at = end;
        } else if text.is(Some(at), SMALL) || matches!(text.tokens[at].kind, Kind::Mark('.' | '!' | ',')) {
            at += 1;
        } else {
            return None;
        }
    }
    found
}

/// The party of an answer that is only a number.
pub fn of_number(count: u32) -> Party {
    Party::of(count)
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::super::lang::{self, Language};
    use super::super::{date_words, time};
    use super::*;

    fn read(said: &str) -> Option<Party> {
        let mut text = Text::new(said);
        let language = lang::of(&text).unwrap_or(Language::Vietnamese);
        date_words::extract(&mut text, language);
        time::extract(&mut text);
        extract(&mut text)
    }

    #[test]
    fn parties_are_counted() {
        assert_rows(
            [
                ("4 người", 4),
                ("4 nguoi", 4),
                ("bốn người", 4),
                ("bon nguoi", 4),
                ("năm người", 5),
                ("mười hai người", 12),
                ("hai mươi người", 20),
                ("4ng", 4),
                ("cho 4", 4),
                ("bàn cho 6 lúc 7 giờ tối", 6),
                ("đặt bàn bốn người 7 giờ tối mai", 4),
                ("cho hai vợ chồng", 2),
                ("hai vợ chồng tôi", 2),
                ("vợ chồng mình", 2),
                ("vợ chồng tôi và 2 con", 4),
                ("hai vợ chồng và 1 bé", 3),
                ("tụi mình 5 đứa", 5),
                ("tui minh 5 dua", 5),
                ("hai đứa", 2),
                ("nhóm 8 người", 8),
                ("nhóm 8", 8),
                ("2 người lớn 2 trẻ em", 4),
                ("2 nguoi lon va 2 tre em", 4),
                ("hai người lớn, một em bé", 3),
                ("6 người gồm 4 người lớn và 2 trẻ em", 6),
                ("4 người, trong đó có 1 em bé", 4),
                ("4 người và 1 em bé", 5),
                ("một mình", 1),
                ("mot minh", 1),
                ("tôi với bạn gái", 2),
                ("tôi và 3 người bạn", 4),
                ("hai mẹ con", 2),
                ("4 khách", 4),
                ("5 bạn", 5),
                ("for four", 4),
                ("for 4 people at 7 pm", 4),
                ("a table for two", 2),
                ("party of six", 6),
                ("a group of 8", 8),
                ("2 adults and 2 kids", 4),
                ("two adults, one child", 3),
                ("4 people including 2 kids", 4),
                ("there are 5 of us", 5),
                ("we are 5", 5),
                ("my wife and I", 2),
                ("a table for my wife and me", 2),
                ("just me", 1),
                ("with 3 friends", 4),
                ("6 người (4 người lớn, 2 bé)", 6),
                ("for myself and my husband", 2),
                ("tôi và mẹ", 2),
                ("make it 6 people", 6),
                ("for 4 tomorrow at 7", 4),
                ("twelve guests", 12),
                ("mình và 3 đứa bạn muốn ăn lẩu", 4),
                ("3 đứa bạn với mình", 4),
                ("3 dua ban voi minh", 4),
                ("mình và 3 bạn", 4),
                ("nhóm 5 bạn và mình", 6),
                ("4 người và tôi", 5),
                ("table for my wife, two kids and me", 4),
                ("my wife and I and 2 friends", 4),
                ("me, my wife and two kids", 4),
                ("couple with 3 kids", 5),
                ("a couple and one child", 3),
                ("table for two couples", 4),
                ("bàn cho 2 cặp vợ chồng", 4),
                ("hai cặp đôi và 1 bé", 5),
                ("cho 2 gia đình, 9 người", 9),
                ("a family of 5", 5),
            ]
            .map(|(said, count)| (said, read(said), Some(Party::Of(count)))),
        );
    }

    #[test]
    fn several_tables_are_told_from_one() {
        assert_rows(
            [
                ("2 tables for 4", true),
                ("6 người, 2 bàn", true),
                ("dat hai ban cho 8 nguoi", true),
                ("1 bàn 6 người", false),
                ("a table for 4", false),
                ("quận 3 bàn cho 4 người", false),
                ("2 bạn", false),
            ]
            .map(|(said, wanted)| (said, several_tables(&mut Text::new(said)), wanted)),
        );
    }

    #[test]
    fn what_is_no_table_or_no_number() {
        assert_rows(
            [
                ("21 người", Some(Party::OutOfRange)),
                ("0 người", Some(Party::OutOfRange)),
                ("for 50", Some(Party::OutOfRange)),
                ("4-5 người", Some(Party::Unclear)),
                ("4 hoặc 5 người", Some(Party::Unclear)),
                ("hai ba người", Some(Party::Unclear)),
                ("four or five people", Some(Party::Unclear)),
                ("for 4 or 5", Some(Party::Unclear)),
                ("4.5 people", Some(Party::Unclear)),
                ("-3 người", Some(Party::Unclear)),
                ("hơn 10 người", Some(Party::Unclear)),
                ("cho 3 gia đình", Some(Party::Unclear)),
                ("for two families", Some(Party::Unclear)),
                ("my wife and two kids", Some(Party::Unclear)),
                ("bàn cho bố mẹ và 2 con", Some(Party::Unclear)),
                ("2 adults and my parents", Some(Party::Unclear)),
                ("4 người và tôi muốn ngồi ngoài trời", Some(Party::Unclear)),
                ("couple of days", None),
                ("cho gia đình", None),
                ("7 giờ tối", None),
                ("for 3 days", None),
                ("for 7 pm", None),
                ("cho ngày 5/12", None),
                ("5/12", None),
                ("a couple of days", None),
                ("my wife and I and the kids", None),
                ("vợ chồng tôi và các con", None),
                ("tôi và bạn bè", None),
                ("đặt bàn", None),
                ("2 bàn", None),
                ("một quán", None),
                ("đi Đà Lạt", None),
            ]
            .map(|(said, wanted)| (said, read(said), wanted)),
        );
    }
}
