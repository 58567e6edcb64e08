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
    "không|ko|k|chẳng|chả|chưa lấy|chọn|phải|thích|đi|ăn|muốn|đặt|book|giữ|cần bàn|chỗ? ở|tại? quán?",
    "không quán?",
    "đừng|khỏi lấy|chọn|đặt|book|giữ bàn|chỗ? ở|tại? quán?",
    "trừ|ngoài quán?",
    "ghét|chê|bỏ quán?",
    "not|no the?",
    "dont|not|never book|want|like|take|choose|pick|reserve|need|love to? book|take|choose|reserve? a? table? at|the?",
    "except|besides|than|without|hate|dislike|avoid|skip for? the?",
    "anything|any|anywhere|anyone|all|everything|everywhere|one but the?",
    "instead|tired|sick of the?",
];

/// A restaurant that is spoken of, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    pub choice: Choice,
    /// It is what the guest does not want.
    pub refused: bool,
    /// Others that the guest does not want, by name.
    pub without: Vec<usize>,
    start: usize,
    end: usize,
}

/// Reads a mention by name; takes the tokens of names that are said in full or in two words at least.
/// Read first of all: names may hold numbers and days.
pub fn by_name(text: &mut Text, names: &[&str]) -> Option<Mention> {
    let written: Vec<Vec<Word>> = names.iter().map(|name| words_of(name)).collect();
    // The weightiest piece of each name that stands in the text.
    let pieces: Vec<(usize, Piece)> = written
        .iter()
        .enumerate()
        .filter_map(|(index, name)| Some((index, longest_piece(text, name)?)))
        .collect();
    let (refused, rest): (Vec<_>, Vec<_>) =
        pieces.into_iter().partition(|(_, piece)| text.follows(piece.start, REFUSED));
    // What only begins like a name that is refused is not spoken of.
    let pieces: Vec<(usize, Piece)> =
        rest.into_iter().filter(|(_, piece)| refused.iter().all(|(_, other)| piece.apart(other))).collect();
    let outweighed =
        |piece: &Piece| refused.iter().any(|(_, other)| !piece.apart(other) && other.weight > piece.weight);
    let without: Vec<usize> =
        refused.iter().filter(|(_, piece)| !outweighed(piece)).map(|(index, _)| *index).collect();
    let Some((start, end, choice)) = among(text, &pieces, &written) else {
        let (start, end) = refused.first().map(|(_, piece)| (piece.start, piece.end))?;
        let long: Vec<&Piece> =
            refused.iter().map(|(_, piece)| piece).filter(|piece| piece.is_long()).collect();
        long.iter().for_each(|piece| text.take(piece.start, piece.end));
        return Some(Mention {
            choice: Choice::Among(without),
            refused: true,
            without: Vec::new(),
            start,
            end,
        });
    };
    // One word alone may be another slot's too.
    for (_, piece) in pieces.iter().chain(&refused).filter(|(_, piece)| piece.is_long()) {
        text.take(piece.start, piece.end);
    }
    Some(Mention { choice, refused: false, without, start, end })
}

fn among(text: &Text, pieces: &[(usize, Piece)], written: &[Vec<Word>]) -> Option<(usize, usize, Choice)> {
    let heaviest = pieces.iter().map(|(_, piece)| piece.weight).max()?;
    let (_, best) = pieces.iter().find(|(_, piece)| piece.weight == heaviest)?;
    let (start, end) = (best.start, best.end);
    // Two names in one text, or one beside an `or`: which of them?
    let here = |piece: &Piece| piece.weight == heaviest && !piece.apart(best);
    let mut among: Vec<usize> = pieces
        .iter()
        .filter(|(_, piece)| here(piece) || piece.apart(best))
        .map(|(index, _)| *index)
        .collect();
    let beside_or = text.is(Some(end), OR) || text.is(start.checked_sub(1), OR);
    if beside_or && among.len() == 1 {
        among = (0..written.len()).collect();
    }
    // Said in full it is this one, though another name begins alike.
    let whole = pieces.iter().find(|(index, piece)| {
        here(piece) && piece.end - piece.start == written[*index].len() && piece.is_long()
    });
    if let (Some((index, _)), false, false) =
        (whole, beside_or, pieces.iter().any(|(_, piece)| piece.apart(best)))
    {
        among = vec![*index];
    }
    Some((start, end, Choice::Among(among)))
}

/// Words that take back, or put off.
const NEGATION: &str = "không|ko|k|hông|chẳng|chả|đừng|chưa|khỏi|not|dont|doesnt|isnt|arent|wasnt|cant|cannot|wont|didnt|never|no|\
without|hate|dislike|avoid|nope|neither|none|ghét|chê|trừ|ngoài|except|against";
const HEDGE: &str = "should|if|maybe|perhaps|whether|nên|nếu|liệu|hỏi|ask|asking|unsure|wonder|wondering|but|nhưng|too|quá|lắm|chắc|\
xem|compare|know|biết|lẽ|tell";
const QUESTION: &str =
    "gì|sao|đâu|nhỉ|hả|what|whats|how|hows|which|when|where|why|who|whose|mấy|bao|nào|anyone|anybody";
/// Questions by their first word.
const OPENING: &str = "should|is|are|does|do|did|was|were|has|any";
const CHOOSING: &[&str] = &[
    "chọn|lấy|đặt|chốt|book|take|choose|pick|want|please|pls|reserve|prefer|muốn",
    "go|going|ill|well|lets with|for|have|do|try",
    "id|would like|love|prefer",
    "cho|give|get tôi|mình|em|anh|chị|tui|bọn|tụi|me|us",
    "can|could|may|let i|we|us have|get|do|try",
];
const CHOOSING_AFTER: &[&str] = &[
    "đi|nhé|nha|nghen|luôn|hen|thôi|cơ|ạ",
    "is|sounds|looks|will fine|good|great|ok|okay|perfect|do",
    "được|ok|oke đó|đi|nhé|rồi|đấy|nha",
    "thì? tốt|ổn|được đó|đấy|nhé|rồi",
    "it is",
];
/// Words besides that leave no doubt.
const BESIDES: &str = "dinner|lunch|breakfast|restaurant|reservation|bữa|uống|thanks|thank|cảm|ơn|cám|great|good|fine|perfect|\
alright|đúng|hợp|oke|sounds|looks|prefer|luôn|cơ|giữ|chốt|ill|well|go|going|get|give|reserve|pls|option|tên|hơn|đầu|tiên|mà|phải";

/// What a mention of a restaurant comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Chosen,
    Refused,
    /// It is asked about.
    Asked,
    /// It is spoken of in words that were not read.
    Unclear,
}

/// Read last of all: what no slot was read from counts as doubt.
pub fn verdict(text: &Text, mention: &Mention) -> Verdict {
    let span = (mention.start, mention.end);
    let clause = clause_of(text, span);
    let settled = match &mention.choice {
        _ if mention.refused => return Verdict::Refused,
        // It is asked which one, whatever else was said.
        Choice::NotInList => true,
        Choice::Among(several) => several.len() != 1,
        Choice::Any | Choice::That => false,
    };
    if settled {
        return Verdict::Chosen;
    }
    let whole = (0, text.len());
    let chosen_word = chooses(text, clause, span);
    if asks_in_words(text, whole, span) || asks(text, whole, span) && !chosen_word {
        return Verdict::Asked;
    }
    let doubt = negated(text, whole, span, !mention.without.is_empty()) || hedged(text, whole, span);
    let unread = |at: &usize| {
        !(span.0..span.1).contains(at) && !text.is(Some(*at), BESIDES) && super::intent::is_unread(text, *at)
    };
    if doubt || !chosen_word && (0..text.len()).any(|at| unread(&at)) {
        return Verdict::Unclear;
    }
    Verdict::Chosen
}

/// Whether the text asks something, apart from a mention.
pub fn is_question(text: &Text) -> bool {
    asks(text, (0, text.len()), (0, 0))
}

type Span = (usize, usize);

fn clause_of(text: &Text, (start, end): Span) -> Span {
    let parts = |at: &usize| matches!(text.tokens[*at].mark(), Some(',' | '.' | ';' | '!' | '?' | '\n'));
    let from = (0..start).rev().find(parts).map_or(0, |at| at + 1);
    (from, (end..text.len()).find(parts).unwrap_or(text.len()))
}

fn outside(text: &Text, (from, to): Span, span: Span) -> impl Iterator<Item = usize> {
    (from..to).filter(move |at| !(span.0..span.1).contains(at) && !text.tokens[*at].taken)
}

fn chooses(text: &Text, clause: Span, span: Span) -> bool {
    let within = |found: &super::text::Match| clause.0 <= found.start && found.end <= clause.1;
    text.every(CHOOSING).iter().any(|found| within(found) && (found.end <= span.0 || span.1 <= found.start))
        || text.any_at(span.1, CHOOSING_AFTER).is_some()
}

fn ends_clause(text: &Text, at: usize) -> bool {
    text.tokens.get(at).is_none_or(|token| token.mark().is_some())
        || text.is(Some(at), "ạ|vậy|em|bạn|ơi|shop|ta|nhỉ|ad|nhé|hả|anh|chị")
}

/// `không`, `chưa` at the end of a question.
fn is_particle(text: &Text, at: usize) -> bool {
    at > 0
        && text.is(Some(at), "không|ko|k|hông|chưa")
        && ends_clause(text, at + 1)
        && !text.follows(at, &["thì"])
}

fn asks(text: &Text, range: Span, span: Span) -> bool {
    outside(text, range, span).any(|at| text.tokens[at].mark() == Some('?') || is_particle(text, at))
        || asks_in_words(text, range, span)
}

/// Not merely `…?` and `… được không`, which are also polite requests.
fn asks_in_words(text: &Text, range: Span, span: Span) -> bool {
    outside(text, range, span).any(|at| {
        let harmless = text.follows(at + 1, &["không|ko|k sao", "nào cũng", "lúc|giờ nào"])
            || text.any_at(at, &["nào cũng", "gì cũng", "bao giờ cũng"]).is_some();
        let opens = at == 0 || text.tokens[at - 1].mark().is_some();
        text.is(Some(at), QUESTION) && !harmless
            || opens && text.is(Some(at), OPENING)
            || is_particle(text, at) && !text.follows(at, &["được|dc|đc"])
    })
}

fn hedged(text: &Text, range: Span, span: Span) -> bool {
    outside(text, range, span).any(|at| text.is(Some(at), HEDGE))
}

/// `others`: some of the words may refuse other restaurants.
fn negated(text: &Text, range: Span, span: Span, others: bool) -> bool {
    outside(text, range, span).any(|at| {
        // `no, the first one`
        let interjection = at == 0 && text.is(Some(1), ",|.|!");
        let harmless = text.any_at(at, &["không|ko sao", "no problem|worries|rush"]).is_some();
        // `not the Old Mill, …`: what follows is a name that was read, and not this one.
        let of_another = others
            && (at + 1..text.len().min(at + 6))
                .find(|next| text.tokens[*next].taken || text.tokens[*next].mark().is_some())
                .is_some_and(|next| text.tokens[next].taken && !(span.0..span.1).contains(&next));
        text.is(Some(at), NEGATION) && !interjection && !harmless && !of_another && !is_particle(text, at)
    })
}

/// The one restaurant whose whole name stands in the text, and that is not refused there.
pub fn by_full_name(raw: &str, names: &[&str]) -> Option<usize> {
    let text = Text::new(raw);
    let stands = |name: &&str| {
        let name = words_of(name);
        let at = |start: usize| {
            let said = |i: usize| text.tokens.get(start + i).and_then(|token| token.word());
            name.iter().enumerate().all(|(i, word)| said(i).is_some_and(|said| same(said, word)))
        };
        // Not what is refused, or only asked about.
        let wanted = |start: usize| {
            let span = (start, start + name.len());
            let clause = clause_of(&text, span);
            let asked = text.is(Some(clause.1), "?") || asks_in_words(&text, clause, span);
            !text.follows(start, REFUSED)
                && !negated(&text, clause, span, false)
                && !hedged(&text, clause, span)
                && (!asked || chooses(&text, clause, span) && !asks_in_words(&text, clause, span))
        };
        name.len() > 1 && (0..text.len()).any(|start| at(start) && wanted(start))
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

impl Piece {
    fn apart(&self, other: &Piece) -> bool {
        self.end <= other.start || other.end <= self.start
    }

    /// More than one word.
    fn is_long(&self) -> bool {
        self.end - self.start > 1
    }
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
pub fn by_place(text: &mut Text, listed: usize) -> Option<Mention> {
    let (choice, start, end) = place_in(text, listed)?;
    let refused = text.follows(start, REFUSED);
    text.take(start, end);
    Some(Mention { choice, refused, without: Vec::new(), start, end })
}

fn place_in(text: &Text, listed: usize) -> Option<(Choice, usize, usize)> {
    for at in 0..text.len() {
        let Some((place, end)) = place_at(text, at, listed) else { continue };
        if text.is_taken(at, end)
            || text.any_at(end, &["tuần|này|tháng", "of", "of? january|december"]).is_some()
        {
            continue;
        }
        let choice = match place {
            place if (1..=listed).contains(&place) => Choice::Among(vec![place - 1]),
            _ => Choice::NotInList,
        };
        return Some((choice, at, end));
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
        return Some((Choice::Any, found.start, found.end));
    }
    let that = text.every_free(&[
        "quán|chỗ|cái|hàng đó|này|ấy|kia",
        "that|this one|restaurant|place",
        "the|this restaurant",
        "lấy|chọn|chốt nó|luôn|đi",
    ]);
    let found = that.first()?;
    Some((Choice::That, found.start, found.end))
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
        let mention = by_name(&mut text, &NAMES).or_else(|| by_place(&mut text, NAMES.len()))?;
        (!mention.refused).then_some(mention.choice)
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
