//! Wishes to the restaurant, in the guest's own words.

use super::text::Text;

/// Everything after these is the note.
const HEADS: &[&str] = &[
    "ghi chú",
    "lưu ý",
    "note",
    "with a note",
    "ghi note",
    "special request|requests",
    "yêu cầu đặc biệt",
    "ghi chu them?",
];
/// Wishes that are known; `…` ones go on to the end of their clause.
const WISHES: &[&str] = &[
    "có em bé",
    "có trẻ em|con|nhỏ",
    "có bé nhỏ?",
    "có con nhỏ",
    "có người già|lớn tuổi?",
    "gần cửa sổ",
    "cạnh|bên|sát cửa sổ",
    "ghế em bé",
    "ghế trẻ em",
    "ghế cho em? bé",
    "ghế ăn dặm",
    "ngoài trời",
    "sân vườn",
    "ngoài ban công",
    "yên tĩnh",
    "xe lăn",
    "tầng trệt",
    "phòng riêng",
    "view đẹp|hồ|biển|núi|sông?",
    "chỗ yên tĩnh",
    "góc yên tĩnh",
    "không hút thuốc",
    "kỷ niệm ngày? cưới?",
    "sinh nhật",
    "chúc mừng sinh nhật",
    "bánh sinh nhật",
    "by|near|next the? window",
    "window seat|table",
    "high chair|chairs",
    "highchair|highchairs",
    "baby seat|chair",
    "with a baby",
    "have a baby",
    "outdoors|outdoor|outside",
    "on the terrace|balcony",
    "quiet table|corner|place?",
    "wheelchair access?",
    "private room",
    "birthday party|cake?",
    "anniversary",
    "nice view",
    "non smoking",
    "ground floor",
];
const OPEN_WISHES: &[&str] =
    &["dị ứng", "allergic to", "allergy|allergies", "không ăn được", "cant eat", "do not eat"];

/// Reads the notes and takes their tokens. Read before every other slot but names.
pub fn extract(text: &mut Text) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    if let Some(head) = text.every_free(HEADS).into_iter().find(|found| {
        // `ghi chú:` or, without the colon, at a clause's beginning.
        text.is(Some(found.end), ":|-|là|rằng|giúp|that|of")
            || found.start == 0
            || text.tokens[found.start - 1].mark().is_some()
    }) {
        let start = text
            .any_at(head.end, &[":|-|là|rằng|that", "giúp tôi|mình? :?", "of :?"])
            .map_or(head.end, |m| m.end);
        let note = text.words(start, text.len()).trim_matches(['.', ' ', '"']).trim().to_owned();
        let end = text.len();
        text.take(head.start, end);
        if !note.is_empty() {
            notes.push(note);
        }
    }
    for (wishes, open) in [(OPEN_WISHES, true), (WISHES, false)] {
        for found in text.every_free(wishes) {
            if text.is_taken(found.start, found.end)
                || text.follows(found.start, &["không|no|not|ko", "không cần|phải"])
            {
                continue;
            }
            let end = if open { clause_end(text, found.end) } else { found.end };
            notes.push(text.words(found.start, end).to_owned());
            text.take(found.start, end);
        }
    }
    notes
}

fn clause_end(text: &Text, start: usize) -> usize {
    (start..text.len())
        .find(|at| {
            text.tokens[*at].taken
                || text.is(Some(*at), ",|.|;|!|và|and|lúc|at|for|cho|nên|so|please|nhé|nha|ạ")
        })
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    #[test]
    fn notes() {
        assert_rows(
            [
                ("đặt bàn cho 4 người, có em bé", "có em bé"),
                ("gần cửa sổ nhé", "gần cửa sổ"),
                ("gan cua so va co em be", "gan cua so; co em be"),
                ("4 người. Ghi chú: mang theo bánh, đến trễ 10 phút.", "mang theo bánh, đến trễ 10 phút"),
                ("note: we will be late", "we will be late"),
                ("tôi bị dị ứng tôm, cho 2 người", "dị ứng tôm"),
                ("I'm allergic to peanuts and we are 4", "allergic to peanuts"),
                ("a table by the window for two", "by the window"),
                ("it is a birthday", "birthday"),
                ("không có em bé", ""),
                ("đặt bàn cho 4 người", ""),
                ("please note the time", ""),
            ]
            .map(|(said, wanted)| (said, extract(&mut Text::new(said)).join("; "), wanted)),
        );
    }
}
