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

const OR: &str = "hay|hoặc|or";
/// Before what is not wanted.
const REFUSED: &[&str] = &[
    "không lấy|chọn|phải|thích|đi|ăn|muốn quán?",
    "không quán?",
    "đừng lấy|chọn|đặt quán?",
    "trừ|ngoài quán?",
    "not the?",
    "dont want|like|take the?",
    "except|besides|than the?",
];

/// Reads a choice by name; takes the tokens of a name that is said in full or in two words at least.
/// Read first of all: names may hold numbers and days.
pub fn by_name(text: &mut Text, names: &[&str]) -> Option<Choice> {
    let written: Vec<Vec<Word>> = names.iter().map(|name| words_of(name)).collect();
    // The weightiest piece of each name that stands in the text.
    let pieces: Vec<(usize, Piece)> = written
        .iter()
        .enumerate()
        .filter_map(|(index, name)| Some((index, longest_piece(text, name)?)))
        .collect();
    let heaviest = pieces.iter().map(|(_, piece)| piece.weight).max()?;
    let (_, best) = pieces.iter().find(|(_, piece)| piece.weight == heaviest)?;
    let (start, end) = (best.start, best.end);
    if text.follows(start, REFUSED) {
        return None;
    }
    // Two names in one text, or one beside an `or`: which of them?
    let apart = |piece: &Piece| piece.end <= start || end <= piece.start;
    let here = |piece: &Piece| piece.weight == heaviest && !apart(piece);
    let mut among: Vec<usize> =
        pieces.iter().filter(|(_, piece)| here(piece) || apart(piece)).map(|(index, _)| *index).collect();
    let beside_or = text.is(Some(end), OR) || text.is(start.checked_sub(1), OR);
    if beside_or && among.len() == 1 {
        return Some(Choice::Among((0..names.len()).collect()));
    }
    // Said in full it is this one, though another name begins alike.
    let whole = pieces.iter().find(|(index, piece)| {
        here(piece) && piece.end - piece.start == written[*index].len() && piece.end - piece.start > 1
    });
    if let (Some((index, _)), false) = (whole, pieces.iter().any(|(_, piece)| apart(piece))) {
        among = vec![*index];
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

/// A part of a name that stands in the text.
struct Piece {
    /// How many telling words it has.
    weight: usize,
    start: usize,
    end: usize,
}

fn longest_piece(text: &Text, name: &[Word]) -> Option<Piece> {
    let mut best: Option<Piece> = None;
    for from in 0..name.len() {
        for start in 0..text.len() {
            let length = (0..name.len() - from)
                .take_while(|i| {
                    let said = text.tokens.get(start + i).filter(|token| !token.taken);
                    said.and_then(|token| token.word()).is_some_and(|said| same(said, &name[from + i]))
                })
                .count();
            let end = start + length;
            let weight = (start..end).filter(|at| !text.is(Some(*at), KIND)).count();
            if length == 0 || best.as_ref().is_some_and(|best| weight <= best.weight) {
                continue;
            }
            let telling = (start..end).filter(|at| !text.is(Some(*at), COMMON)).count();
            let letters = text.words(start, end).chars().count();
            let whole = length == name.len() && length > 1;
            // One short word, or common ones alone, name no restaurant.
            if whole || telling >= 1 && (length > 1 || letters >= 3) {
                best = Some(Piece { weight, start, end });
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
        if text.follows(at, REFUSED) {
            return None;
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
    if let Some(found) = text.any_at(at, &["number|no|option #", "no . ##"])
        && let Some(place) = found.numbers.last()
    {
        return Some((*place as usize, found.end));
    }
    if text.tokens[at].mark() == Some('#') {
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
                ("Bếp Nhà Đậu và The Old Mill", Some(Choice::Among(vec![0, 2]))),
                ("old mill hay bếp nhà đậu", Some(Choice::Among(vec![0, 2]))),
                ("not the Old Mill", None),
                ("không lấy quán đầu tiên", None),
                ("mai", None),
                ("thứ hai", None),
                ("#2", one(1)),
                ("thứ bảy 7h", None),
                ("thu bay 7h cho 4 nguoi", None),
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
