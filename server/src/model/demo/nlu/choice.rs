//! Which of the restaurants that findTables returned.

use super::text::Text;
use super::word::Word;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Places in the list that was given, from 0; several: it could be any of them.
    Among(Vec<usize>),
    /// `quán thứ năm` of three.
    NotInList,
    /// `quán nào cũng được`
    Any,
    /// `quán đó`, `that one`: clear where there is but one.
    That,
}

/// Words of a restaurant's name that alone name none.
const COMMON: &str = "quán|nhà|hàng|tiệm|bếp|the|restaurant|café|cafe|cà|phê|và|and|của|ăn|bar|bistro|house|kitchen|\
garden|grill|món|lẩu|nướng|chay|hải|sản|phở|cơm|bún|phố|hồ|đà|lạt|hà|nội|sài|gòn|nẵng|ở|tại|on|in|of|by|at|number|one|two|\
mai|nay|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười|có|không|cho|là|sea|view|tối|trưa|sáng|chiều|ngày|me|my|sushi|pizza|\
seafood|vegetarian|old|new|good|little|big|first|second|third|last|đường|xưa|đi|đó|này|gần|việt|nam|hotpot";

/// Reads a choice by name; takes the tokens of a name that is said in full or in two words at least.
/// Read first of all: names may hold numbers and days.
pub fn by_name(text: &mut Text, names: &[&str]) -> Option<Choice> {
    let written: Vec<Vec<Word>> = names.iter().map(|name| words_of(name)).collect();
    // The longest piece of a name that stands in the text.
    let mut best: (usize, Vec<usize>, Option<(usize, usize)>) = (0, Vec::new(), None);
    for (index, name) in written.iter().enumerate() {
        let Some((length, start, end)) = longest_piece(text, name) else { continue };
        if length > best.0 {
            best = (length, vec![index], Some((start, end)));
        } else if length == best.0 && !best.1.contains(&index) {
            best.1.push(index);
        }
    }
    let (_, mut among, span) = best;
    let (start, end) = span?;
    // Said in full it is this one, though another name begins alike.
    if among.len() > 1
        && let Some(exact) = among.iter().find(|index| written[**index].len() == end - start)
    {
        among = vec![*exact];
    }
    // One word alone may be another slot's too.
    if end - start > 1 {
        text.take(start, end);
    }
    Some(Choice::Among(among))
}

/// The one restaurant whose whole name stands in the text.
pub fn by_full_name(raw: &str, names: &[&str]) -> Option<usize> {
    let text = Text::new(raw);
    let stands = |name: &&str| {
        let name = words_of(name);
        let at = |start: usize| {
            let said = |i: usize| text.tokens.get(start + i).and_then(|token| token.word());
            name.iter().enumerate().all(|(i, word)| said(i).is_some_and(|said| same(said, word)))
        };
        name.len() > 1 && (0..text.len()).any(at)
    };
    let mut found = names.iter().enumerate().filter(|(_, name)| stands(name)).map(|(index, _)| index);
    match (found.next(), found.next()) {
        (Some(index), None) => Some(index),
        _ => None,
    }
}

fn words_of(name: &str) -> Vec<Word> {
    Text::new(name).tokens.iter().filter_map(|token| token.word().cloned()).collect()
}

/// Words that tell no restaurant from another.
const KIND: &str = "quán|nhà|hàng|tiệm|the|restaurant|café|cafe|bistro|bar";

/// How many telling words of the name stand together in the text, and where.
fn longest_piece(text: &Text, name: &[Word]) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for from in 0..name.len() {
        for start in 0..text.len() {
            let length = (0..name.len() - from)
                .take_while(|i| {
                    let said = text.tokens.get(start + i).filter(|token| !token.taken);
                    said.and_then(|token| token.word()).is_some_and(|said| same(said, &name[from + i]))
                })
                .count();
            let weight = (start..start + length).filter(|at| !text.is(Some(*at), KIND)).count();
            if length == 0 || best.is_some_and(|(heaviest, ..)| weight <= heaviest) {
                continue;
            }
            let telling = (start..start + length).filter(|at| !text.is(Some(*at), COMMON)).count();
            let letters = text.words(start, start + length).chars().count();
            let whole = length == name.len() && length > 1;
            // One short word, or common ones alone, name no restaurant.
            if whole || telling >= 1 && (length > 1 || letters >= 3) {
                best = Some((weight, start, start + length));
            }
        }
    }
    best
}

fn same(said: &Word, wanted: &Word) -> bool {
    said == wanted || !said.is_marked() && said.plain == wanted.plain
}

const NOUN: &str = "quán|hàng|tiệm|cái|chỗ|option|restaurant|place|one|choice|án|chọn|lựa";

/// Reads `quán đầu tiên`, `the second one`, `số 2`, `quán nào cũng được`, of a list of so many.
pub fn by_place(text: &mut Text, listed: usize) -> Option<Choice> {
    for at in 0..text.len() {
        let Some((place, end)) = place_at(text, at, listed) else { continue };
        if text.is_taken(at, end)
            || text.any_at(end, &["tuần|này|tháng", "of", "of? january|december"]).is_some()
        {
            continue;
        }
        text.take(at, end);
        return Some(match place {
            place if (1..=listed).contains(&place) => Choice::Among(vec![place - 1]),
            _ => Choice::NotInList,
        });
    }
    let any = text.every_free(&[
        "quán|chỗ|cái|hàng nào cũng được|ok",
        "any|either of? them?",
        "any|whichever restaurant|place|one",
        "whichever|surprise me?",
        "tùy bạn|em|anh|shop?",
        "tuỳ bạn|em|anh?",
        "you choose|pick|decide",
        "bạn chọn giúp|giùm|đi|hộ",
        "nào cũng được",
    ]);
    if let Some(found) = any.first() {
        text.take(found.start, found.end);
        return Some(Choice::Any);
    }
    let that = text.every_free(&[
        "quán|chỗ|cái|hàng đó|này|ấy|kia",
        "that|this one|restaurant|place",
        "the|this restaurant",
        "lấy|chọn|chốt nó|luôn|đi",
    ]);
    let found = that.first()?;
    text.take(found.start, found.end);
    Some(Choice::That)
}

fn place_at(text: &Text, at: usize, listed: usize) -> Option<(usize, usize)> {
    let noun = text.is(Some(at), NOUN);
    let start = if noun { at + 1 } else { at };
    let fixed = [
        ("đầu tiên", 1),
        ("thứ nhất|1", 1),
        ("thứ hai|2", 2),
        ("thứ ba|3", 3),
        ("thứ tư|4", 4),
        ("thứ năm|5", 5),
        ("thứ sáu|6", 6),
        ("số một|1", 1),
        ("số hai|2", 2),
        ("số ba|3", 3),
        ("số bốn|4", 4),
        ("số năm|5", 5),
        ("cuối cùng?", listed),
        ("đầu", 1),
    ];
    let found =
        fixed.iter().filter_map(|(words, place)| Some((text.match_at(start, words)?.end, *place))).max();
    if let Some((end, place)) = found {
        // `thứ hai` without a noun is a day, `đầu` and `cuối` alone are anything.
        let alone_is_clear = text.any_at(start, &["đầu tiên", "thứ nhất|1", "cuối cùng"]).is_some();
        let numbered = text.is(Some(start), "số") && text.tokens.len() <= end - start + 4;
        return (noun || alone_is_clear || numbered).then_some((place, end));
    }
    if noun
        && !text.is(Some(at), "one|chọn|lựa|án|chỗ|place")
        && let Some(found) = text.match_at(start, "##")
        && !text.is(Some(found.end), "giờ|h|:|người|/|-|g")
    {
        return Some((found.numbers[0] as usize, found.end));
    }
    if let Some(found) = text.any_at(at, &["# ##", "number|no|option #", "no . ##"])
        && text.is(Some(at), "#|number|no|option")
        && let Some(place) = found.numbers.last()
    {
        return Some((*place as usize, found.end));
    }
    if text.is(Some(at), "#") && text.tokens[at].mark() == Some('#') {
        let found = text.match_at(at + 1, "##")?;
        return Some((found.numbers[0] as usize, found.end));
    }
    let start = text.match_at(at, "the").map_or(at, |m| m.end);
    let with_article = start > at;
    let (place, end) = match text.match_at(start, "last") {
        Some(found) => (listed, found.end),
        None => text.ordinal_at(start).map(|(place, end)| (place as usize, end))?,
    };
    let noun_end = text.match_at(end, "one|restaurant|option|place|choice").map(|m| m.end);
    let month = text.is(
        Some(noun_end.unwrap_or(end)),
        "of|january|february|march|april|june|july|august|december|night|time|day",
    );
    let ends =
        end == text.len() || text.tokens[end].mark().is_some() || text.is(Some(end), "please|at|then|for");
    (!month && (noun_end.is_some() || with_article && ends && place <= 5))
        .then_some((place, noun_end.unwrap_or(end)))
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    const NAMES: [&str; 4] = ["Bếp Nhà Đậu", "Quán Sương Mai", "The Old Mill", "Sương Đêm Bistro"];

    fn read(said: &str) -> Option<Choice> {
        let mut text = Text::new(said);
        by_name(&mut text, &NAMES).or_else(|| by_place(&mut text, NAMES.len()))
    }

    #[test]
    fn choices() {
        let one = |index: usize| Some(Choice::Among(vec![index]));
        assert_rows(
            [
                ("Bếp Nhà Đậu nhé", one(0)),
                ("bep nha dau", one(0)),
                ("quán Đậu đi", one(0)),
                ("Tôi chọn Quán Sương Mai, 19:30 ngày 05/12/2026, 4 người.", one(1)),
                ("I choose The Old Mill, 19:30 on 2026-12-05, 4 people.", one(2)),
                ("old mill please", one(2)),
                ("suong mai lúc 8 giờ", one(1)),
                ("quán Sương", Some(Choice::Among(vec![1, 3]))),
                ("suong", Some(Choice::Among(vec![1, 3]))),
                ("quán đầu tiên", one(0)),
                ("quan dau tien", one(0)),
                ("quán thứ hai nhé", one(1)),
                ("quan thu 2", one(1)),
                ("nhà hàng thứ ba", one(2)),
                ("quán số 2", one(1)),
                ("quán cuối cùng", one(3)),
                ("the first one", one(0)),
                ("the second", one(1)),
                ("second restaurant please", one(1)),
                ("the 2nd one at 8", one(1)),
                ("the last one", one(3)),
                ("number two", one(1)),
                ("option 3", one(2)),
                ("quán thứ năm", Some(Choice::NotInList)),
                ("quán nào cũng được", Some(Choice::Any)),
                ("any of them", Some(Choice::Any)),
                ("quán đó đi", Some(Choice::That)),
                ("that one", Some(Choice::That)),
                ("mai", None),
                ("thứ hai", None),
                ("thứ hai tuần sau lúc 7 giờ", None),
                ("tôi muốn quán khác", None),
                ("the 5th of December", None),
                ("the first of december", None),
                ("tối mai nhé", None),
                ("nhà hàng", None),
            ]
            .map(|(said, wanted)| (said, read(said), wanted)),
        );
    }

    #[test]
    fn a_name_is_read_before_days_and_numbers() {
        let mut text = Text::new("Quán Sương Mai ngày mai");
        by_name(&mut text, &NAMES);
        let taken: Vec<bool> = text.tokens.iter().map(|token| token.taken).collect();
        assert_eq!(taken, [true, true, true, false, false]);
    }
}
