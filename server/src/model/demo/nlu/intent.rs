//! What the guest wants done.

use super::text::{Kind, Text};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Intents {
    /// The token where weather is spoken of.
    pub weather: Option<usize>,
    /// The token where a table or a restaurant is spoken of.
    pub table: Option<usize>,
    /// `quán khác`
    pub other_restaurant: bool,
    /// `đổi`, `make it`
    pub change: bool,
    /// A table or a booking is to be changed: `đổi bàn`.
    pub change_table: bool,
    /// Every word for booking in it is negated: `đừng đặt bàn`.
    pub declines: bool,
    pub cancel: bool,
    pub beyond: Option<Beyond>,
    pub greeting: bool,
    pub thanks: bool,
    pub help: bool,
    /// The message is nothing but a yes or a no.
    pub yes: bool,
    pub no: bool,
}

/// What no tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Refunds, deposits, paying.
    Payments,
    /// Bookings of somebody else.
    OthersBookings,
    /// Hotels, flights, deliveries, …
    Elsewhere,
    /// Menus, prices, opening hours.
    Question,
}

const WEATHER: &[&str] = &[
    "thời tiết",
    "dự báo",
    "!mưa",
    "có|trời|bị|sắp|hay|sẽ|đang|còn =mưa",
    "=mưa không|ko|k|to|nhiều|gió|nắng|hay|rào|lớn|bão",
    "!nắng",
    "trời|có =nắng",
    "=nắng không|nóng|ko|to|đẹp",
    "nhiệt độ",
    "bao nhiêu độ",
    "mấy độ",
    "độ c",
    "trời !lạnh|!nóng",
    "trời có",
    "whats it like",
    "what is it like",
    "trời thế|ra nào|sao",
    "trời đẹp|xấu|mát|âm|ở",
    "!lạnh không|ko",
    "có !lạnh|!nóng",
    "có =lạnh|=nóng không|ko",
    "gió mạnh|to|mùa",
    "có bão",
    "mang|đem =ô|dù|áo",
    "áo mưa|khoác|ấm",
    "mặc gì|đồ",
    "sương mù",
    "giông|dông",
    "độ ẩm",
    "tiết trời",
    "khí hậu",
    "weather|rain|rains|rainy|raining|forecast|temperature|temperatures|umbrella|raincoat|sunny|snow|snowing|storm|stormy|humid|windy|\
degrees|fog|foggy|cloudy|sunshine",
    "how hot|cold|warm",
    "hot|cold|warm|chilly in|there|today|tomorrow|tonight|this|next|on|at",
    "be|is it hot|cold|warm",
    "it be|is hot|cold|warm|chilly",
    "what|should i|we? wear",
    "wear",
    "need? a jacket|coat",
    "the sun",
];
const TABLE: &[&str] = &[
    "đặt|giữ|book|lấy|kiếm|tìm|xin|còn bàn|chỗ",
    "đặt|giữ trước",
    "bàn cho|trống|nào",
    "có =bàn trống|nào|không",
    "!bàn # người",
    "bàn # người|ng|khách",
    "nhà hàng",
    "quán|tiệm ăn|nào|ngon|chay|lẩu|nướng|nhật|cà|hải|ở|gần",
    "tìm|kiếm|có quán|tiệm",
    "quán",
    "ăn tối|trưa|sáng|uống",
    "đi|muốn ăn",
    "ăn ở|tại|lúc|gì|ngon",
    "chỗ|nơi|quán nào? ăn",
    "chỗ ăn",
    "bữa tối|trưa",
    "đặt|book đi|luôn|giúp|giùm|dùm|hộ|lại|cho|quán|thử",
    "tables|table|reserve|reservation|restaurant|restaurants|dine|dining|eatery|eateries",
    "dinner|lunch|brunch|breakfast|supper",
    "somewhere|place|places to eat",
    "eat out|there|at|in|tonight|tomorrow",
    "to eat",
    "book a|an|the|us|me|it|for|one|that|this|now|again|dinner|lunch",
    "reserve|reserving|booking",
];
const PAYMENTS: &[&str] = &[
    "hoàn lại? tiền",
    "refund|refunds",
    "money back",
    "thanh toán",
    "chuyển khoản",
    "trả tiền",
    "đặt|tiền cọc",
    "pay|payment|deposit",
];
/// Bookings of somebody else.
const OTHERS_BOOKINGS: &[&str] = &[
    "my|our friends|friend|wifes|husbands|colleagues|mothers|fathers|moms|dads|sisters|brothers|boss|bosss s? \
     booking|bookings|reservation|reservations|table",
    "someone|somebody|anyone|anybody else|elses s? booking|bookings|reservation|reservations|table",
    "another|other guests|guest|persons|peoples|customers|customer s? booking|bookings|reservation|reservations|table",
    "=bàn|chỗ|booking đã? đặt? của bạn|vợ|chồng|sếp|mẹ|bố|má|anh|chị|em|đồng trai|gái|nghiệp? tôi|mình|tui",
    "=bàn|chỗ|booking đã? đặt? của người|khách|ai khác|đó|kia",
];
/// Things that are booked or bought elsewhere.
const ELSEWHERE: &[&str] = &[
    "khách sạn",
    "thuê phòng",
    "đặt phòng khách|ngủ|đôi",
    "đặt|book|mua =vé|tour|hoa",
    "đặt|thuê xe",
    "vé máy|xe|tàu|xem",
    "máy bay",
    "taxi|grab|hotel|hotels|flight|flights|homestay|airbnb",
    "giao hàng|đồ",
    "đặt hàng|đồ",
    "gọi món",
    "order food",
    "delivery|takeaway|takeout",
    "karaoke|spa|museum|cinema",
];
/// Questions about a restaurant that no tool answers.
const QUESTIONS: &[&str] = &[
    "mở|đóng cửa",
    "thực đơn",
    "menu",
    "giá cả|bao|tiền|thế",
    "chi phí",
    "bao nhiêu tiền",
    "số điện thoại",
    "phone number",
    "parking|directions",
    "đỗ|đậu|giữ xe",
    "opening hours|times",
    "how much",
    "price|prices",
    "open until|late|now",
    "bao xa",
    "how far",
];
const OTHER: &[&str] = &[
    "quán|hàng|chỗ|tiệm|cái|nơi khác",
    "khác đi",
    "another|different restaurant|place|one|option",
    "other restaurants|options|places|ones",
    "somewhere|something else",
    "else",
    "not that|this one",
    "không thích quán",
    "không phải quán",
];
const CHANGE: &[&str] = &[
    "đổi|chuyển|dời|sửa",
    "thay =bằng|vì|thành|sang",
    "make it|that",
    "change|move|switch|reschedule|instead",
    "thêm|bớt # người|ng",
    "tăng|giảm|nâng|rút lên|còn|xuống|thành|thêm|bớt",
    "how|what about",
    "thì sao",
    "rather",
    "lùi|sớm|trễ|muộn hơn|lại|sang",
    "later|earlier",
];
const CHANGE_TABLE: &[&str] = &[
    "đổi|chuyển|dời|sửa|lùi lại? giờ|ngày|lịch? đặt? =bàn|chỗ",
    "change|move|switch|reschedule|postpone my|our|the|a|this dinner|lunch? table|booking|reservation",
];
/// Before what shall not be done.
const NOT_TO: &[&str] = &[
    "không|ko|k|hông|đừng|khỏi|chưa|chẳng|chả muốn|cần|phải|có|nên? đi? giúp|cho?",
    "dont|not|never|no|wont want|need|wish|have|going|you? to? make? a?",
];
const CANCEL: &[&str] = &[
    "không|khỏi|đừng|chưa|thôi|ko|k đặt|book nữa?|đâu?",
    "không muốn|cần|phải đặt",
    "=hủy",
    "thôi khỏi|không|bỏ|ko|nhé|vậy",
    "bỏ đi|qua",
    "để sau|khi",
    "khỏi cần?",
    "never mind|nevermind",
    "nevermind",
    "forget it|about|that",
    "cancel|abort",
    "dont|not book|reserve|want|need",
    "no longer",
    "quên đi|nó",
    "không lấy|chọn|thích quán|cái nào|gì",
    "none of them|these|those",
    "không cần nữa",
];
const HELP: &[&str] = &[
    "help",
    "bạn|em làm được|gì",
    "làm được gì|những",
    "giúp được? gì|được",
    "biết làm gì",
    "what can|do you do",
    "who are you",
    "bạn là ai|gì",
    "how does|do this|it|i|you work|use",
    "hướng dẫn",
    "dùng|sử thế|dụng nào?|sao?",
    "what are you",
    "hỏi được? gì",
];
const GREETING: &[&str] = &[
    "xin chào",
    "chào",
    "hello|hi|hey|alo|helo|hallo|howdy|greetings",
    "good morning|evening|afternoon|day",
];
const THANKS: &[&str] = &["cảm|cám ơn", "thanks|thank|tks|thx|ty|cheers|appreciate"];
const YES: &str = "có|ừ|ừm|uh|ok|oke|okay|okie|được|đúng|vâng|dạ|đồng|ý|yes|yeah|yep|yup|sure|please|go|ahead|correct|chốt|luôn|đi|đặt|rồi|do|it|\
that|sounds|good|great|fine|perfect|nhé|nha|ạ|đó|vậy|right|alright|absolutely|tốt|quá|chuẩn|chính|xác|book|of|course|confirm|xác|nhận|lại";
const YES_CORE: &str = "có|ừ|ừm|uh|ok|oke|okay|okie|được|đúng|vâng|dạ|yes|yeah|yep|yup|sure|ahead|correct|chốt|good|great|fine|perfect|right|alright|\
absolutely|tốt|chuẩn|đồng|book|đặt|confirm|nhận";
const NO: &str = "không|ko|k|hông|hong|no|nope|nah|not|dạ|ạ|nhé|chưa|phải|đâu|thanks|thank|you|cảm|ơn|cần|really|i|dont|think|so|nữa|thank";
const NO_CORE: &str = "không|ko|k|hông|hong|no|nope|nah|chưa|not";

pub fn extract(text: &Text) -> Intents {
    let free = |patterns: &[&'static str]| {
        text.every(patterns).into_iter().map(|found| found.start).find(|start| !text.tokens[*start].taken)
    };
    let only = |words: &'static str, core: &'static str| {
        let said = (0..text.len()).filter(|at| text.tokens[*at].word().is_some());
        let numbers = text.tokens.iter().any(|token| matches!(token.kind, Kind::Number { .. }));
        let mut said = said.peekable();
        !numbers
            && said.peek().is_some()
            && said.all(|at| text.is(Some(at), words))
            && (0..text.len()).any(|at| text.is(Some(at), core))
    };
    // `đặt … bàn`, with a few words between.
    let spread = || {
        let verb = text.every(&["đặt|giữ|book|reserve|lấy|kiếm"]).first()?.start;
        let noun = text.every(&["=bàn|table"]).into_iter().find(|found| found.start > verb)?;
        (noun.start - verb <= 6).then_some(verb)
    };
    let asked = || {
        // `đặt cho 4 người`
        let verb = text.every(&["đặt|book|reserve"]).first()?.start;
        text.tokens[verb + 1..].iter().any(|token| token.taken).then_some(verb)
    };
    let beyond = if text.has(PAYMENTS) {
        Some(Beyond::Payments)
    } else if text.has(OTHERS_BOOKINGS) {
        Some(Beyond::OthersBookings)
    } else if text.has(ELSEWHERE) {
        Some(Beyond::Elsewhere)
    } else if text.has(QUESTIONS) {
        Some(Beyond::Question)
    } else {
        None
    };
    // `trời Đà Lạt`
    let sky = || {
        let found = text.every(&["trời"]).into_iter().find(|found| {
            text.tokens.get(found.end).is_some_and(|next| next.taken)
                && !text.is(found.start.checked_sub(1), "ngoài")
        })?;
        Some(found.start)
    };
    // `không đặt bàn nữa, đừng đặt bàn 4 người`
    let declines = {
        let verbs = text.every(&["đặt|book|reserve|giữ|tìm|kiếm|find|booking"]);
        let negated = |at: usize| {
            text.follows(at, NOT_TO)
                && !text.follows(at, &["why dont|not you|we?", "sao không|ko"])
                && text.any_at(at, &["đặt|tìm được|đc"]).is_none()
        };
        !verbs.is_empty() && verbs.iter().all(|found| negated(found.start))
    };
    Intents {
        declines,
        change_table: text.has(CHANGE_TABLE),
        weather: free(WEATHER).or_else(sky),
        table: free(TABLE).or_else(spread).or_else(asked).filter(|_| !declines),
        other_restaurant: text.has_free(OTHER),
        change: text.has(CHANGE),
        cancel: (text.has_free(CANCEL) || only("thôi|ạ|nhé|vậy|dạ|bạn|em|nha", "thôi"))
            && !text.has(&["thôi được|cũng", "không đặt được", "huỷ|hủy miễn"]),
        beyond,
        greeting: text.has(GREETING),
        thanks: text.has(THANKS),
        help: text.has(HELP),
        yes: only(YES, YES_CORE),
        no: only(NO, NO_CORE),
    }
}

/// Small words that carry no wish of their own.
const SMALL: &str = "ăn|tôi|mình|tui|em|anh|chị|bạn|ơi|ạ|nhé|nha|nhỉ|với|và|ở|tại|cho|vào|lúc|là|thì|được|không|ko|k|có|nào|thế|sao|giúp|giùm|dùm|hộ|muốn|\
cần|đi|đến|tới|ra|về|nữa|luôn|khoảng|tầm|tối|sáng|trưa|chiều|đêm|buổi|còn|như|ok|oke|dạ|vâng|ừ|ờ|à|ừm|hả|vậy|đó|này|thôi|xin|từ|sang|thành|đổi|chuyển|dời|hoặc|\
hay|cả|cũng|lại|mấy|người|bàn|đặt|quán|chọn|lấy|hàng|nhà|ngày|giờ|sẽ|nghe|nghen|nhen|hen|rồi|hơn|i|id|im|we|us|me|my|our|you|the|a|an|for|at|in|on|of|to|and|or|please|is|\
it|its|will|be|would|like|want|need|can|could|lets|let|make|that|this|with|by|around|about|what|how|next|then|so|okay|yes|yeah|sure|no|just|\
change|move|instead|from|one|there|do|have|are|table|book|take|choose|pick|think|maybe|better|are|party|people|hmm|um|oh|and|same|also|too|place|hello|hi|chào|say|said";

/// Where weather and a table are both spoken of: the token where the second of them begins.
pub fn boundary(text: &Text, intents: &Intents) -> Option<usize> {
    let (weather, table) = (intents.weather?, intents.table?);
    let (first, second) = (weather.min(table), weather.max(table));
    let parts = |at: &usize| text.is(Some(*at), ",|;|.|?|!|và|and|rồi|then|còn|also");
    Some((first..second).rev().find(parts).unwrap_or(second))
}

/// How many words nothing has been read from.
pub fn unread(text: &Text) -> usize {
    (0..text.len()).filter(|at| is_unread(text, *at)).count()
}

/// Whether nothing has been read from a word that carries a meaning.
pub fn is_unread(text: &Text, at: usize) -> bool {
    let token = &text.tokens[at];
    let telling = match &token.kind {
        Kind::Word(_) => !text.is(Some(at), SMALL),
        Kind::Number { .. } => true,
        Kind::Mark(_) => false,
    };
    telling && !token.taken
}

#[cfg(test)]
mod tests {
    use super::super::{assert_rows, city};
    use super::*;

    fn read(said: &str) -> String {
        let mut text = Text::new(said);
        city::extract(&mut text);
        let intents = extract(&text);
        let mut names: Vec<&str> = Vec::new();
        let mut add = |is: bool, name| {
            if is {
                names.push(name);
            }
        };
        add(intents.weather.is_some(), "weather");
        add(intents.table.is_some(), "table");
        add(intents.other_restaurant, "other");
        add(intents.cancel, "cancel");
        add(intents.beyond == Some(Beyond::Payments), "payments");
        add(intents.beyond == Some(Beyond::OthersBookings), "others");
        add(matches!(intents.beyond, Some(Beyond::Elsewhere | Beyond::Question)), "beyond");
        add(intents.greeting, "greeting");
        add(intents.thanks, "thanks");
        add(intents.help, "help");
        add(intents.yes, "yes");
        add(intents.no, "no");
        names.join(" ")
    }

    #[test]
    fn intents() {
        assert_rows(
            [
                ("Thời tiết Đà Lạt hôm nay thế nào?", "weather"),
                ("thoi tiet da nang", "weather"),
                ("Thứ bảy Đà Lạt có mưa không?", "weather"),
                ("thu bay da lat co mua khong", "weather"),
                ("mai trời nắng không", "weather"),
                ("Huế mấy độ", "weather"),
                ("có cần mang ô không", "weather"),
                ("Will it rain tomorrow?", "weather"),
                ("do I need an umbrella", "weather"),
                ("how hot is it in Saigon", "weather"),
                ("đặt bàn cho 4 người", "table"),
                ("dat ban cho 4 nguoi", "table"),
                ("Đặt giúp mình một bàn nhé", "table"),
                ("tìm quán ăn ở Đà Nẵng", "table"),
                ("còn bàn trống không", "table"),
                ("tối nay đi ăn ở đâu", "table"),
                ("I'd like to book a table", "table"),
                ("any restaurants in Hanoi?", "table"),
                ("reserve dinner", "table"),
                ("mai có mưa không, và đặt bàn cho 2 người", "weather table"),
                ("ngồi ở Đà Nẵng", ""),
                ("tôi muốn mua sách", ""),
                ("quán khác đi", "table other"),
                ("another place", "other"),
                ("thôi không đặt nữa", "cancel"),
                ("never mind", "cancel"),
                ("hủy đi", "cancel"),
                ("cancel my booking", "table cancel"),
                ("cho tôi xem các bàn đã đặt", ""),
                ("hoàn tiền cho tôi", "payments"),
                ("I want a refund", "payments"),
                ("cancel my friend's booking", "table cancel others"),
                ("huỷ bàn của vợ tôi", "cancel others"),
                ("xem bàn của khách khác", "others"),
                ("huỷ bàn của tôi", "cancel"),
                ("đặt khách sạn", "beyond"),
                ("book a flight", "table beyond"),
                ("xin chào", "greeting"),
                ("hello", "greeting"),
                ("cảm ơn bạn", "thanks"),
                ("cam on", "thanks"),
                ("thanks!", "thanks"),
                ("ok", "yes"),
                ("ừ đặt đi", "table yes"),
                ("yes please", "yes"),
                ("không", "no"),
                ("no thanks", "thanks no"),
                ("bạn làm được gì", "help"),
                ("what can you do?", "help"),
                ("E = mc²", ""),
                ("hãy kể một câu chuyện", ""),
                ("what is the capital of France", ""),
            ]
            .map(|(said, wanted)| (said, read(said), wanted)),
        );
    }
}
