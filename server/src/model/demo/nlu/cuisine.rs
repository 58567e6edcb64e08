//! What kind of food, only where it is said.

use super::text::Text;

/// English name, as findTables wants it; ways to say it.
const CUISINES: &[(&str, &[&str])] = &[
    (
        "vegetarian",
        &[
            "=chay",
            "ăn|quán|món|đồ|tiệm|hàng|cơm chay",
            "thuần chay",
            "vegetarian|vegan|veggie",
            "plant based",
        ],
    ),
    ("seafood", &["hải sản", "đồ biển", "seafood", "sea food"]),
    ("hotpot", &["!lẩu", "ăn|quán|món|đồ|tiệm|hàng|nồi lẩu", "hotpot|hotpots", "hot pot"]),
    ("grill", &["đồ|món|quán|ăn|thịt|tiệm nướng", "!nướng", "bbq|barbecue|grill|grilled|barbeque"]),
    (
        "Japanese",
        &["món|đồ|quán|hàng|kiểu|tiệm nhật bản?", "=nhật =bản", "japanese", "sushi|sashimi|ramen|izakaya"],
    ),
    ("French", &["món|đồ|quán|hàng|kiểu|tiệm pháp", "ẩm thực pháp", "french"]),
    ("Italian", &["món|đồ|quán|hàng|kiểu|tiệm =ý", "ẩm thực ý", "italian", "pizza|pasta|spaghetti"]),
    (
        "Vietnamese",
        &[
            "món|đồ|quán|hàng|kiểu|tiệm việt nam?",
            "ẩm thực việt nam?",
            "vietnamese",
            "vietnamese food",
            "cơm nhà",
        ],
    ),
    ("Korean", &["món|đồ|quán|hàng|kiểu|tiệm hàn quốc?", "=hàn =quốc", "korean"]),
    (
        "Chinese",
        &["món|đồ|quán|hàng|kiểu|tiệm =hoa|trung|tàu quốc?", "=trung =quốc", "chinese", "dim sum", "dimsum"],
    ),
    ("Thai", &["món|đồ|quán|hàng|kiểu|tiệm thái lan?", "=thái =lan", "thai food|cuisine|restaurant|place?"]),
    ("Indian", &["món|đồ|quán|hàng|kiểu|tiệm ấn độ?", "=ấn =độ", "indian"]),
    ("European", &["món|đồ|quán|hàng|kiểu =âu|tây", "european|western"]),
    ("steak", &["bít tết", "beefsteak|steak|steakhouse"]),
    ("coffee", &["cà phê", "cafe|café|coffee"]),
    ("buffet", &["buffet"]),
    ("pho", &["!phở", "ăn|quán|món|tiệm phở"]),
    ("Mexican", &["mexican", "tacos"]),
    ("Spanish", &["spanish", "tapas"]),
    ("American", &["american", "burger|burgers"]),
];

/// What was said about the food.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cuisine {
    Of(&'static str),
    /// `món gì cũng được`: a former wish is dropped.
    Any,
}

/// Reads the cuisine and takes its tokens.
pub fn extract(text: &mut Text) -> Option<Cuisine> {
    let any = text.every(&[
        "món gì|nào cũng được",
        "ăn gì cũng được",
        "bất kỳ món nào?",
        "any|whatever cuisine|food|kind",
        "any kind of? food?",
        "không kén món?",
    ]);
    if let Some(found) = any.first() {
        text.take(found.start, found.end);
        return Some(Cuisine::Any);
    }
    let mut wanted: Option<&'static str> = None;
    for (name, written) in CUISINES {
        for found in text.every_free(written) {
            let refused = text.follows(
                found.start,
                &[
                    "không",
                    "không|ko|đừng ăn|thích|phải|muốn|lấy|chọn|đi? quán|món|đồ?",
                    "đừng",
                    "not|no|without the|a|an|any?",
                    "dont|not|never want|like|eat|take|book|need the|a|an|any|to? eat?",
                    "anything|anywhere|all but the|a|an?",
                    "except|besides|than|hate|avoid the|a|an?",
                    "trừ|ngoài|ghét món|đồ|quán?",
                    "ko ăn|thích?",
                ],
            );
            // `sinh nhật`, and the language that is spoken.
            let other =
                text.follows(found.start, &["tiếng", "in|speak", "chạy"]) && found.end == found.start + 1;
            if !refused && !other {
                wanted = wanted.or(Some(name));
            }
            text.take(found.start, found.end);
        }
    }
    wanted.map(Cuisine::Of)
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    #[test]
    fn cuisines() {
        assert_rows(
            [
                ("tìm quán chay", Some("vegetarian")),
                ("an chay", Some("vegetarian")),
                ("vegetarian please", Some("vegetarian")),
                ("hải sản", Some("seafood")),
                ("hai san tuoi", Some("seafood")),
                ("a seafood restaurant", Some("seafood")),
                ("quan lau", Some("hotpot")),
                ("ăn lẩu", Some("hotpot")),
                ("hot pot", Some("hotpot")),
                ("đồ nướng", Some("grill")),
                ("món Nhật", Some("Japanese")),
                ("nhà hàng Nhật", Some("Japanese")),
                ("món Pháp", Some("French")),
                ("món Ý", Some("Italian")),
                ("an mon viet", Some("Vietnamese")),
                ("cà phê", Some("coffee")),
                ("Vietnamese food", Some("Vietnamese")),
                ("chủ nhật", None),
                ("sinh nhật", None),
                ("tùy ý bạn", None),
                ("cho lau qua", None),
                ("chạy nhanh", None),
                ("không ăn chay", None),
                ("not vegetarian", None),
                ("not the vegetarian one", None),
                ("anything but sushi", None),
                ("don't want a vegan place", None),
                ("không lấy quán chay", None),
                ("trừ món nhật", None),
                ("tiếng Pháp", None),
            ]
            .map(|(said, wanted)| (said, extract(&mut Text::new(said)), wanted.map(Cuisine::Of))),
        );
        assert_eq!(extract(&mut Text::new("món gì cũng được")), Some(Cuisine::Any));
    }
}
