//! What may go wrong between the page and the server, as far as the guest needs to know.

use crate::i18n::{Lang, texts};

/// Why the server has not taken something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No answer: the network, or the server is not there.
    Unreachable,
    /// A run is alive; a message must wait.
    RunActive,
    TooMany,
    /// What a guest may ask in a day is used up.
    DayUsedUp,
    /// The session does not know this conversation.
    Gone,
    /// The text or the decision was not accepted as it is.
    NotAccepted,
    /// Nothing can be booked, changed or cancelled at the moment.
    Paused,
    /// Everything else, with the number to give to a person.
    Failed {
        request_id: Option<String>,
    },
}

impl Trouble {
    /// One sentence for the guest, and what to do.
    pub fn words(&self, lang: Lang) -> String {
        let fixed = match (lang, self) {
            (Lang::Vi, Self::Unreachable) => {
                "Không kết nối được với máy chủ. Chưa có gì bị mất; hãy thử lại."
            }
            (Lang::En, Self::Unreachable) => {
                "The server cannot be reached. Nothing is lost; please try again."
            }
            (Lang::Vi, Self::RunActive) => "Trợ lý còn đang trả lời. Hãy đợi xong hoặc dừng rồi gửi lại.",
            (Lang::En, Self::RunActive) => {
                "The assistant is still answering. Wait or stop it, then send again."
            }
            (Lang::Vi, Self::TooMany) => "Bạn gửi hơi nhanh. Hãy đợi một chút rồi thử lại.",
            (Lang::En, Self::TooMany) => "That was a little fast. Please wait a moment and try again.",
            (Lang::Vi, Self::DayUsedUp) => {
                "Hôm nay bạn đã dùng hết lượt hỏi trợ lý. Nội dung bạn gõ vẫn còn đây; hãy gửi lại vào ngày mai."
            }
            (Lang::En, Self::DayUsedUp) => {
                "You have used up what you can ask the assistant today. What you typed stays here; please send it again tomorrow."
            }
            (Lang::Vi, Self::Gone) => {
                "Không còn tìm thấy cuộc trò chuyện này. Hãy bắt đầu cuộc trò chuyện mới."
            }
            (Lang::En, Self::Gone) => "This conversation cannot be found any more. Please start a new one.",
            (Lang::Vi, Self::NotAccepted) => "Máy chủ không nhận nội dung này. Hãy sửa rồi gửi lại.",
            (Lang::En, Self::NotAccepted) => {
                "The server does not accept this text. Please change it and send again."
            }
            (_, Self::Paused) => texts::confirm_paused(lang),
            (Lang::Vi, Self::Failed { .. }) => "Máy chủ gặp sự cố. Hãy thử lại sau.",
            (Lang::En, Self::Failed { .. }) => "The server has a problem. Please try again later.",
        };
        match self {
            Self::Failed { request_id: Some(id) } => match lang {
                Lang::Vi => format!("{fixed} Mã yêu cầu: {id}."),
                Lang::En => format!("{fixed} Request: {id}."),
            },
            Self::Failed { request_id: None }
            | Self::Unreachable
            | Self::RunActive
            | Self::TooMany
            | Self::DayUsedUp
            | Self::Gone
            | Self::NotAccepted
            | Self::Paused => fixed.to_owned(),
        }
    }
}
