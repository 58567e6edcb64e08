//! Whatever it has to say about a table or an order, it says at great length: numbered paragraphs, and what everybody would say at
//! the end.

use shared::tools::{GetOrder, RefundOrder, Tool};

use super::super::dialogue::{Dialogue, HONEST, Manner, next};
use super::super::nlu::lang::Language;
use super::super::reply::Reply;

pub const MANNER: Manner = Manner { instead: at_length, ..HONEST };

/// In characters: some thousand words, and still within the output limit that is the default.
const LENGTH: usize = 14_000;

const VIETNAMESE: [&str; 9] = [
    "Một bữa tối ngon bắt đầu từ lúc mình còn chưa ra khỏi nhà, khi mới chỉ nghĩ xem hôm nay thèm món gì.",
    "Có người thích ngồi cạnh cửa sổ để ngắm phố, có người lại thích một góc yên để dễ nói chuyện với nhau.",
    "Đi sớm thì bếp còn thong thả, đi muộn thì quán vắng dần, giờ nào cũng có cái hay của giờ ấy.",
    "Món nước ăn lúc trời mưa bao giờ cũng ấm bụng hơn, còn trời nắng thì rau sống với nước chấm là đủ vui.",
    "Đi đông thì nên gọi nhiều đĩa nhỏ để ai cũng được nếm, đi ít thì một món chính cho đàng hoàng là vừa.",
    "Nếu trong nhóm có người ăn chay hay kiêng món gì, cứ ghi vào lời nhắn thì quán sẽ biết mà chuẩn bị.",
    "Người ta hay quên rằng giờ đến cũng là một phần của món ăn, vì cái gì vừa dọn ra cũng ngon nhất.",
    "Một bàn cạnh bếp thì thơm mà hơi nóng, một bàn ngoài hiên thì mát mà hơi ồn, chọn bên nào cũng phải.",
    "Cuối bữa mà còn chỗ cho một chén chè thì bữa ấy xem như trọn vẹn, không còn gì để tiếc nữa.",
];

const ENGLISH: [&str; 9] = [
    "A good dinner begins before anybody has left the house, with the question what one would like to eat today.",
    "Some people like a seat at the window to look at the street, others a quiet corner where talking is easy.",
    "Those who come early find a kitchen that has time, those who come late find a room that is calm again.",
    "On a rainy evening a bowl of soup does more good than anything else, on a hot one it is herbs and a dip.",
    "With many at the table it is best to order small plates and share, with few a proper main dish will do.",
    "Where somebody eats no meat, or cannot have this or that, a note to the restaurant helps the kitchen plan.",
    "It is easily forgotten that the hour is a part of the meal, since everything is best when it is just done.",
    "A table near the kitchen smells wonderful and is a little warm, one on the terrace is cool and a bit loud.",
    "Where there is room for something sweet in the end, nothing is missing from an evening, and none regret it.",
];

fn at_length(dialogue: &Dialogue) -> Option<Reply> {
    if !dialogue.is_about_a_table() && dialogue.plan.order.is_none() && !told_of_an_order(dialogue) {
        return None;
    }
    let reply = next(dialogue, &HONEST);
    // It calls in silence.
    let in_short = reply.text.clone()?;
    let text = format!("{}{in_short}", paragraphs(dialogue.language()));
    Some(Reply { text: Some(text), ..reply })
}

fn told_of_an_order(dialogue: &Dialogue) -> bool {
    [GetOrder::NAME, RefundOrder::NAME].iter().any(|name| dialogue.calls_of(name).next().is_some())
}

fn paragraphs(language: Language) -> String {
    let sentences = match language {
        Language::Vietnamese => VIETNAMESE,
        Language::English => ENGLISH,
    };
    let mut text = String::new();
    let mut length = 0;
    for number in 1.. {
        // Seven and nine have no common divisor: all come in turn, and neighbours differ.
        let paragraph =
            format!("{number}. {} {}\n\n", sentences[number * 7 % 9], sentences[(number * 7 + 4) % 9]);
        length += paragraph.chars().count();
        if length > LENGTH {
            break;
        }
        text.push_str(&paragraph);
    }
    text
}
