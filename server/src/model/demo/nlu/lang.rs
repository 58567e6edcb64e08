//! Which of the two languages a text is in.

use std::cmp::Ordering;

use super::text::Text;
use super::word::Word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    Vietnamese,
    English,
}

/// Frequent words that the other language does not have (Vietnamese ones without marks).
const ENGLISH: &str = "the|a|an|for|at|in|on|of|table|book|booking|reserve|reservation|weather|people|persons|\
tomorrow|today|tonight|please|want|need|i|im|id|is|it|will|what|whats|how|can|could|you|and|my|me|we|us|would|like|\
yes|yeah|yep|sure|nope|thanks|thank|hello|hi|hey|help|rain|rainy|sunny|forecast|next|this|weekend|dinner|lunch|\
monday|tuesday|wednesday|thursday|friday|saturday|sunday|evening|morning|afternoon|noon|night|restaurant|\
restaurants|one|first|second|third|last|make|change|instead|cancel|never|mind|forget|days|week|pm|am|not|no|\
choose|take|pick|another|other|good|near|with|just|find|where|there|umbrella|hot|cold|january|february|march|april|\
may|june|july|august|september|october|november|december|dec|jan|feb|guests|adults|kids|the|about|else|go|ahead|\
sounds|great|day|after|two|three|four|five|six|seven|eight|nine|ten|party|let|lets|do|that|temperature|degrees|order|orders|refund|refunds|refunded|money|\
back|latest|status|recent|late|wrong|missing|because|food|all|only|just";
const VIETNAMESE: &str = "toi|ban|nguoi|gio|ngay|mai|thoi|tiet|dat|cho|khong|ko|k|co|quan|nha|hang|tim|muon|va|hom|nay|\
thu|cam|xin|chao|duoc|huy|doi|luc|khach|chu|nhat|tuan|cuoi|mua|troi|nang|bao|nhieu|di|an|minh|tui|nhe|nhi|\
ba|bon|nam|sau|bay|tam|chin|muoi|hai|mot|gi|dau|tien|chon|lay|khac|thoi|da|vang|u|uh|nha|nghe|voi|them|bot|sang|\
trua|chieu|dem|giup|o|tai|nua|roi|dung|cai|chay|lau|san|thanh|pho|tp|em|anh|chi|h|alo|oi|nao|t7|cn|rui|ruoi|don|hoan|tien|giao|tra|lai|gan|nhat|vi";

pub fn of(text: &Text) -> Option<Language> {
    // What is taken is a restaurant's name, in whatever language that is.
    let words = || {
        let of_sum = |at: usize| text.tokens[at].glued && text.is(Some(at), "k|tr");
        let free = (0..text.len()).filter(move |at| !text.tokens[*at].taken && !of_sum(*at));
        free.filter_map(|at| text.tokens[at].word())
    };
    let listed = |list: &str| {
        let list: Vec<&str> = list.split('|').collect();
        words().filter(|word| !word.is_marked() && list.contains(&word.plain.as_str())).count()
    };
    // Names keep their marks in English too.
    let named = super::city::tokens_of_known(text);
    let is_name = |at: usize| {
        let token = &text.tokens[at];
        named.contains(&at) || token.capital && !token.opens && !text.shouted
    };
    let marked = (0..text.len())
        .filter(|at| !text.tokens[*at].taken && !is_name(*at))
        .filter(|at| text.tokens[*at].word().is_some_and(Word::is_marked))
        .count();
    let english = listed(ENGLISH);
    match english.cmp(&(listed(VIETNAMESE) + 3 * marked)) {
        Ordering::Greater => Some(Language::English),
        Ordering::Less => Some(Language::Vietnamese),
        Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    #[test]
    fn languages_are_told_apart() {
        assert_rows(
            [
                ("Thứ bảy Đà Lạt có mưa không?", Some(Language::Vietnamese)),
                ("dat ban cho 4 nguoi toi mai", Some(Language::Vietnamese)),
                ("thoi tiet ha noi ngay mai the nao", Some(Language::Vietnamese)),
                ("ok quan dau tien nhe", Some(Language::Vietnamese)),
                ("Will it rain in Đà Lạt on Saturday?", Some(Language::English)),
                ("Book a table for two in Hà Nội at 7 pm", Some(Language::English)),
                ("make it 6 people", Some(Language::English)),
                ("weather Đà Nẵng", Some(Language::English)),
                ("I choose Bếp Nhà Đậu, 19:30 on 2026-12-05, 4 people.", Some(Language::English)),
                ("Đà Lạt", None),
                ("19:30", None),
                ("4", None),
                ("🙂", None),
            ]
            .map(|(said, language)| (said, of(&Text::new(said)), language)),
        );
    }
}
