//! Places: the well-known cities of Vietnam under all their names, and others as they were said.

use super::text::{Kind, Text};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: String,
    pub kind: PlaceKind,
    /// Its first token.
    pub at: usize,
}

/// How sure it is that the guest named a city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    Known,
    /// `in London`
    In,
    /// `at Rome`, `ở Mây Núi`, or one of a list: it may be a restaurant.
    Other,
}

/// Name as the tools are told; ways to write it; ways that are also ordinary words or initials, and
/// count only where a place is spoken of.
type City = (&'static str, &'static [&'static str], &'static [&'static str]);

const CITIES: &[City] = &[
    ("Đà Lạt", &["đà lạt", "đa lạt", "dalat", "đàlạt"], &["đl", "dl"]),
    ("Hà Nội", &["hà nội", "hà nôi", "hanoi", "hn", "hnoi", "thủ đô hà nội"], &[]),
    (
        "TP. Hồ Chí Minh",
        &[
            "thành phố hồ chí minh",
            "tp .? hồ chí minh",
            "hồ chí minh city?",
            "hochiminh city?",
            "tp .? hcm",
            "tphcm|hcmc|hcm|tphochiminh",
            "sài gòn",
            "sài gon",
            "saigon|sgn|sg",
        ],
        &[],
    ),
    ("Đà Nẵng", &["đà nẵng", "đà nẳng", "đa nẵng", "danang", "dn|đn"], &[]),
    ("Huế", &["cố đô huế", "!huế", "thành phố huế"], &["huế"]),
    ("Hội An", &["=hội =an", "hoian"], &[]),
    ("Nha Trang", &["nha trang", "nhatrang"], &["nt"]),
    ("Vũng Tàu", &["vũng tàu", "vungtau"], &["vt"]),
    ("Cần Thơ", &["=cần =thơ", "cantho"], &["ct"]),
    ("Hải Phòng", &["=hải =phòng", "haiphong"], &["hp"]),
    ("Sa Pa", &["sa pa", "sapa"], &[]),
    ("Phú Quốc", &["phú quốc", "phuquoc"], &["pq"]),
    ("Quy Nhơn", &["quy|qui nhơn", "quynhon"], &[]),
    ("Hạ Long", &["hạ long", "halong"], &[]),
    ("Buôn Ma Thuột", &["buôn ma|mê thuột", "bmt", "ban mê thuột"], &[]),
    ("Vinh", &["thành phố vinh", "tp .? vinh"], &["vinh"]),
    ("Phan Thiết", &["phan thiết"], &[]),
    ("Mũi Né", &["mũi né", "muine"], &[]),
    ("Pleiku", &["pleiku", "plây cu"], &[]),
    ("Kon Tum", &["kon tum", "kontum"], &[]),
    ("Cà Mau", &["cà mau"], &[]),
    ("Biên Hòa", &["biên hòa"], &[]),
    ("Thanh Hóa", &["thanh hóa"], &[]),
    ("Ninh Bình", &["ninh bình"], &[]),
    ("Đồng Hới", &["đồng hới"], &[]),
    ("Tuy Hòa", &["tuy hòa"], &[]),
    ("Phan Rang", &["phan rang"], &[]),
    ("Quảng Ngãi", &["quảng ngãi"], &[]),
    ("Tam Kỳ", &["tam kỳ"], &[]),
    ("Côn Đảo", &["côn đảo"], &[]),
    ("Hà Giang", &["hà giang"], &[]),
    ("Lào Cai", &["lào cai"], &[]),
    ("Lạng Sơn", &["lạng sơn"], &[]),
    ("Cao Bằng", &["cao bằng"], &[]),
    ("Nam Định", &["nam định"], &[]),
    ("Hải Dương", &["hải dương"], &[]),
    ("Bắc Ninh", &["bắc ninh"], &[]),
    ("Thái Nguyên", &["thái nguyên"], &[]),
    ("Việt Trì", &["việt trì"], &[]),
    ("Điện Biên Phủ", &["điện biên phủ?"], &[]),
    ("Mộc Châu", &["mộc châu"], &[]),
    ("Bảo Lộc", &["bảo lộc"], &[]),
    ("Rạch Giá", &["rạch giá"], &[]),
    ("Châu Đốc", &["châu đốc"], &[]),
    ("Long Xuyên", &["long xuyên"], &[]),
    ("Mỹ Tho", &["mỹ tho"], &[]),
    ("Bến Tre", &["bến tre"], &[]),
    ("Tây Ninh", &["tây ninh"], &[]),
    ("Thủ Dầu Một", &["thủ dầu một"], &[]),
    ("Tam Đảo", &["tam đảo"], &[]),
    ("Cát Bà", &["cát bà"], &[]),
    ("Hà Nam", &["=hà =nam"], &[]),
    ("Hà Tĩnh", &["hà tĩnh"], &[]),
    ("Nghệ An", &["=nghệ =an"], &[]),
    ("Quảng Bình", &["quảng bình"], &[]),
    ("Quảng Trị", &["quảng trị"], &[]),
    ("Quảng Nam", &["quảng nam"], &[]),
    ("Quảng Ninh", &["quảng ninh"], &[]),
    ("Bình Định", &["=bình =định"], &[]),
    ("Bình Thuận", &["bình thuận"], &[]),
    ("Bình Phước", &["bình phước"], &[]),
    ("Bình Dương", &["bình dương"], &[]),
    ("Phú Yên", &["=phú =yên"], &[]),
    ("Phú Thọ", &["=phú =thọ"], &[]),
    ("Khánh Hòa", &["khánh hòa"], &[]),
    ("Ninh Thuận", &["ninh thuận"], &[]),
    ("Đắk Lắk", &["đắk lắk"], &[]),
    ("Đắk Nông", &["đắk nông"], &[]),
    ("Gia Lai", &["=gia =lai"], &[]),
    ("Lâm Đồng", &["lâm đồng"], &[]),
    ("Đồng Nai", &["đồng nai"], &[]),
    ("Đồng Tháp", &["đồng tháp"], &[]),
    ("Long An", &["=long =an"], &[]),
    ("Tiền Giang", &["tiền giang"], &[]),
    ("Hậu Giang", &["hậu giang"], &[]),
    ("Kiên Giang", &["kiên giang"], &[]),
    ("An Giang", &["=an =giang"], &[]),
    ("Bắc Giang", &["bắc giang"], &[]),
    ("Vĩnh Long", &["vĩnh long"], &[]),
    ("Vĩnh Phúc", &["vĩnh phúc"], &[]),
    ("Trà Vinh", &["trà vinh"], &[]),
    ("Sóc Trăng", &["sóc trăng"], &[]),
    ("Bạc Liêu", &["bạc liêu"], &[]),
    ("Hòa Bình", &["=hòa =bình"], &[]),
    ("Thái Bình", &["=thái =bình"], &[]),
    ("Sơn La", &["=sơn =la"], &[]),
    ("Lai Châu", &["=lai =châu"], &[]),
    ("Yên Bái", &["yên bái"], &[]),
    ("Tuyên Quang", &["tuyên quang"], &[]),
    ("Bắc Kạn", &["bắc kạn"], &[]),
    ("Hưng Yên", &["hưng yên"], &[]),
];

/// Before a name that is a person's, a street's or a dish's.
const NOT_A_CITY_AFTER: &str =
    "anh|chị|cô|chú|em|ông|bà|bác|tên|bạn|mr|mrs|ms|miss|bò|bún|nguyễn|lê|trần|phố|đường|món|named|called";
/// A place follows these.
const BEFORE_A_PLACE: &str =
    "ở|tại|in|at|đi|ra|vào|về|đến|tới|từ|to|for|from|tiết|weather|forecast|visit|near";

/// Takes the known cities, in the order in which they were said.
pub fn extract(text: &mut Text) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for (name, at, end) in known(text) {
        let refused = text.follows(at, REFUSED);
        text.take(at, end);
        if !refused {
            found.push(Place { name: name.to_owned(), kind: PlaceKind::Known, at });
        }
    }
    found
}

/// Before a city that is not meant. A mere `không` is also how a question ends.
const REFUSED: &[&str] = &[
    "không|ko|k|chẳng phải|ở|đi|lấy|đến ở|là|thành?",
    "trừ|ngoại ở?",
    "not|except|excluding|besides in|for|at|about?",
    "instead of",
    "rather|other than in|for?",
    "dont want|mean|need in|for?",
];

/// What is named in a list with known places: `Hanoi, London and Paris`. Takes the tokens.
pub fn listed(text: &mut Text, known: &[Place]) -> Vec<Place> {
    const JOINT: &str = ",|và|and|&|/|hay|or|với";
    let mut found: Vec<Place> = Vec::new();
    for place in known {
        let mut at = place.at;
        while at < text.len() {
            // To the end of this place, then over the joint.
            while text.tokens.get(at).is_some_and(|token| token.taken && token.word().is_some()) {
                at += 1;
            }
            let joint = at;
            while at < joint + 2 && text.is(Some(at), JOINT) {
                at += 1;
            }
            let name = |at: usize| {
                text.tokens.get(at).is_some_and(|token| {
                    token.capital && !token.taken && !text.shouted && !text.is(Some(at), NO_PLACE)
                })
            };
            let end =
                (at..text.len().min(at + 4)).find(|next| !name(*next)).unwrap_or(text.len().min(at + 4));
            if at == joint || end == at {
                break;
            }
            let name = text.words(at, end).to_owned();
            text.take(at, end);
            found.push(Place { name, kind: PlaceKind::Other, at });
        }
    }
    found
}

/// The tokens that a known city is written with.
pub fn tokens_of_known(text: &Text) -> Vec<usize> {
    known(text).into_iter().flat_map(|(_, start, end)| start..end).collect()
}

fn known(text: &Text) -> Vec<(&'static str, usize, usize)> {
    let mut found: Vec<(&'static str, usize, usize)> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let end_of_last = found.last().map(|(_, _, end)| *end);
        match city_at(text, at, end_of_last) {
            Some((name, end)) => {
                found.push((name, at, end));
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

fn city_at(text: &Text, at: usize, end_of_last: Option<usize>) -> Option<(&'static str, usize)> {
    if text.tokens[at].taken || text.tokens[at].word().is_none() {
        return None;
    }
    let before = at.checked_sub(1);
    let strong = CITIES
        .iter()
        .filter_map(|(name, written, _)| Some((*name, text.any_at(at, written)?.end)))
        .max_by_key(|(_, end)| *end);
    if let Some((name, end)) = strong {
        let one_word = end == at + 1;
        let other = one_word && text.is(before, NOT_A_CITY_AFTER) && !text.follows(at, &["thành phố"]);
        return (!other && !text.is_taken(at, end)).then_some((name, end));
    }
    let (name, end) = CITIES.iter().find_map(|(name, _, weak)| Some((*name, text.any_at(at, weak)?.end)))?;
    let token = &text.tokens[at];
    let list = end_of_last.is_some_and(|last| {
        last == at || last + 1 == at && text.is(before, "và|and|,|hay|hoặc|or|&|/|with|với")
    });
    let introduced = text.is(before, BEFORE_A_PLACE) || list;
    let named = token.capital && !token.opens && !text.shouted && !text.is(before, NOT_A_CITY_AFTER);
    // `ngay mai hue co mua khong`: after the day it stands as at the start.
    let after_the_day = text.is(before, "mai|nay|tomorrow|today|tonight|weeks|week|days|weekend|tới");
    let opening = (at == 0 || after_the_day)
        && (text.len() <= 2
            || after_the_day && end == text.len()
            || text
                .any_at(
                    end,
                    &[
                        "có|mưa|nắng|thì|ngày|mai|hôm|thế|trời|cuối|weather|thời|bao|today|tomorrow|?",
                        "và|and|,",
                    ],
                )
                .is_some());
    // `vịnh Hạ Long`, and `vinh` before any other name.
    let of_other = CITIES.iter().any(|(_, written, _)| text.any_at(end, written).is_some());
    (introduced || named || opening).then_some((name, end)).filter(|_| !of_other || list)
}

/// What cannot begin a place after `ở`, `tại`, `in`, `at`.
const NO_PLACE: &str = "đâu|đây|đó|kia|nhà|ngoài|trong|trên|gần|tầng|sao|vì|quận|phường|đường|phố|khu|trung|chỗ|nơi|đấy|\
thành|quán|bàn|cạnh|bên|dưới|lầu|sân|góc|tiệm|bếp|cơm|phở|bún|lẩu|pizza|sushi|café|cafe|the|a|an|my|your|our|his|her|this|\
that|these|those|least|most|all|once|advance|time|case|general|fact|english|vietnamese|tiếng|about|around|between|it|there|\
here|cash|total|front|some|any|one|night|noon|home|which|what|where|both|order|person|mind|need|town|city|district|nhiều|\
mấy|bất|cùng|vị|phía|lại|hai|mỗi|half|quarter|restaurant|restaurants|table|tables|nào|rồi|đang|this|next|last|morning|\
evening|afternoon|hours|days|minutes|weeks|and|or|same|vào|lúc|cho|với|for|with|có|không|case|detail|short|summer|winter|\
xa|ngay|riêng|khoảng|tầm|giữa|cuối|đầu|another|different|good|nice|cheap|quiet|local|nearby|also|là|thì|cả";
/// What ends one.
const AFTER_PLACE: &str = "có|không|ko|thế|như|thì|vào|lúc|cho|và|hay|hoặc|ngày|nhé|nha|ạ|với|đi|giúp|được|trời|mưa|nắng|nào|\
ra|sao|bao|bàn|quán|món|nhà|hàng|hôm|tuần|buổi|khoảng|tầm|thời|bị|đang|sẽ|lạnh|nóng|nhỉ|hả|vậy|luôn|giùm|dùm|đặt|tìm|còn|\
on|for|at|with|in|is|will|and|or|please|the|be|like|today|around|by|does|do|are|to|has|have|going|right|now|rain|weather|\
next|this|from|during|about|we|i|a|as|if|that|it|book|find|table|can|could|would|near|when|days|nữa|một";

/// A place that is not in the list, as the guest wrote it. Read after every other slot.
pub fn unknown(text: &mut Text) -> Option<Place> {
    let after = |at: usize| {
        let lead = text.any_at(at, &["ở|tại|in", "thời tiết", "weather", "weather|forecast for|of"]);
        let at_a_name =
            || text.match_at(at, "at").filter(|m| text.tokens.get(m.end).is_some_and(|t| t.capital));
        unknown_at(text, lead.or_else(at_a_name)?.end, at)
    };
    let (start, end) = (0..text.len()).find_map(after)?;
    let name = text.words(start, end).to_owned();
    let kind = if text.is(start.checked_sub(1), "in") { PlaceKind::In } else { PlaceKind::Other };
    text.take(start, end);
    Some(Place { name, kind, at: start })
}

fn unknown_at(text: &Text, start: usize, preposition: usize) -> Option<(usize, usize)> {
    let first = text.tokens.get(start)?;
    let after_noun = text.is(Some(preposition), "thời|weather");
    let proper = first.capital && !text.shouted;
    if text.tokens[preposition].taken
        || first.taken
        || text.is(Some(start), NO_PLACE)
        || after_noun && !proper
    {
        return None;
    }
    let part_of_name = |at: usize| {
        let token = &text.tokens[at];
        matches!(&token.kind, Kind::Word(_))
            && !token.taken
            && (at == start || token.capital || !proper && !text.is(Some(at), AFTER_PLACE))
    };
    let mut end = start;
    while end < text.len() && end < start + 4 && part_of_name(end) {
        end += 1;
    }
    let letters = text.words(start, end).chars().count();
    // Four words that do not stop are a sentence, not a name.
    (end > start && letters >= 2 && (proper || end < start + 4)).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::super::assert_rows;
    use super::*;

    fn cities(said: &str) -> Vec<String> {
        extract(&mut Text::new(said)).into_iter().map(|place| place.name).collect()
    }

    #[test]
    fn known_cities() {
        assert_rows(
            [
                ("Thời tiết Đà Lạt", "Đà Lạt"),
                ("thoi tiet da lat", "Đà Lạt"),
                ("THỜI TIẾT ĐÀ LẠT", "Đà Lạt"),
                ("weather in Dalat", "Đà Lạt"),
                ("\u{110}a\u{300} La\u{323}t", "Đà Lạt"),
                ("hà nội mai mưa không", "Hà Nội"),
                ("hn mai mưa không", "Hà Nội"),
                ("Hanoi and Dalat", "Hà Nội, Đà Lạt"),
                ("Hà Nội và Đà Lạt, cả Huế nữa", "Hà Nội, Đà Lạt, Huế"),
                ("tp hcm", "TP. Hồ Chí Minh"),
                ("TP.HCM", "TP. Hồ Chí Minh"),
                ("TPHCM", "TP. Hồ Chí Minh"),
                ("thành phố Hồ Chí Minh", "TP. Hồ Chí Minh"),
                ("Ho Chi Minh City", "TP. Hồ Chí Minh"),
                ("sai gon", "TP. Hồ Chí Minh"),
                ("sg", "TP. Hồ Chí Minh"),
                ("Sài Gòn hay Đà Nẵng", "TP. Hồ Chí Minh, Đà Nẵng"),
                ("Đà Nẳng", "Đà Nẵng"),
                ("dn mai mua khong", "Đà Nẵng"),
                ("ở Huế", "Huế"),
                ("thoi tiet hue", "Huế"),
                ("weather in hue tomorrow", "Huế"),
                ("Will it rain in Da Nang and Hue?", "Đà Nẵng, Huế"),
                ("hue co mua khong", "Huế"),
                ("ngay mai hue co mua khong", "Huế"),
                ("hôm nay vinh nắng không", "Vinh"),
                ("weather next 2 weeks hue", "Huế"),
                ("o vinh", "Vinh"),
                ("thành phố Vinh", "Vinh"),
                ("hoi an, nha trang", "Hội An, Nha Trang"),
                ("vịnh Hạ Long", "Hạ Long"),
                ("vinh ha long", "Hạ Long"),
                ("Sapa", "Sa Pa"),
                ("Buôn Mê Thuột", "Buôn Ma Thuột"),
                ("phu quoc, qui nhon", "Phú Quốc, Quy Nhơn"),
                ("cần thơ và hải phòng", "Cần Thơ, Hải Phòng"),
                ("vũng tàu", "Vũng Tàu"),
            ]
            .map(|(said, wanted)| (said, cities(said).join(", "), wanted)),
        );
    }

    #[test]
    fn cities_that_are_not_meant() {
        assert_rows(
            [
                ("thời tiết không phải hà nội mà đà nẵng", "Đà Nẵng"),
                ("thoi tiet khong phai ha noi ma da nang", "Đà Nẵng"),
                ("weather in Da Lat not Hanoi", "Đà Lạt"),
                ("weather in Da Lat, not in Hanoi", "Đà Lạt"),
                ("Huế chứ không phải Hà Nội", "Huế"),
                ("mai có mưa không Hà Nội", "Hà Nội"),
                ("thời tiết Nam Định, Hà Nam, Hà Tĩnh", "Nam Định, Hà Nam, Hà Tĩnh"),
            ]
            .map(|(said, wanted)| (said, cities(said).join(", "), wanted)),
        );
    }

    #[test]
    fn unknown_places_in_a_list_are_kept() {
        let all = |said: &str| {
            let mut text = Text::new(said);
            let known = extract(&mut text);
            listed(&mut text, &known).into_iter().map(|place| place.name).collect::<Vec<_>>().join(", ")
        };
        assert_rows(
            [
                ("weather in Hanoi, London and New York", "London, New York"),
                ("thời tiết Hà Nội và Tokyo thế nào", "Tokyo"),
                ("thời tiết Hà Nội, cảm ơn bạn", ""),
                ("weather in Hanoi. Thanks", ""),
            ]
            .map(|(said, wanted)| (said, all(said), wanted)),
        );
    }

    #[test]
    fn false_friends() {
        assert_rows(
            [
                "da vang",
                "anh Vinh đặt bàn",
                "chị Huế",
                "cho tôi bún bò Huế",
                "the hue of the sky",
                "đường Nguyễn Huệ",
                "quang vinh lam",
                "hai phòng riêng nhé, chỗ đẹp",
                "can I have a table",
            ]
            .map(|said| (said, cities(said), Vec::<String>::new())),
        );
    }

    #[test]
    fn unknown_places_are_kept_as_said() {
        assert_rows(
            [
                ("thời tiết ở Paris ngày mai", Some("Paris")),
                ("thoi tiet o paris co mua khong", Some("paris")),
                ("weather in London", Some("London")),
                ("Thời tiết Tokyo thế nào", Some("Tokyo")),
                ("tìm quán ở New York cho 2 người", Some("New York")),
                ("weather in new york please", Some("new york")),
                ("a table at Rome", Some("Rome")),
                ("đặt bàn ở đâu", None),
                ("ở gần cửa sổ", None),
                ("in the evening", None),
                ("in English", None),
                ("at least", None),
                ("tại sao lại thế", None),
                ("Thời tiết thế nào", None),
                ("weather please", None),
            ]
            .map(|(said, wanted)| {
                let mut text = Text::new(said);
                (said, unknown(&mut text).map(|place| place.name), wanted.map(str::to_owned))
            }),
        );
    }
}
