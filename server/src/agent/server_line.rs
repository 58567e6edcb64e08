//! The line at the head of each user message as the model sees it: all that changes with time is
//! here, so that the system prompt never does.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use crate::text::one_line;

/// `expired_tools`: whose questions expired since the guest's last message. `news`: what else happened
/// since then.
pub fn server_line(now: DateTime<Utc>, time_zone: Tz, expired_tools: &[String], news: &[String]) -> String {
    let local = now.with_timezone(&time_zone);
    let mut line = format!("[server: {}, {}]", local.format("%Y-%m-%d %H:%M %:z, %A"), time_zone.name());
    for tool in expired_tools {
        line.push_str(&format!(
            "\n[server: the user did not decide on {tool} in time; the question expired and nothing was done]"
        ));
    }
    for news in news {
        line.push_str(&format!("\n[server: {}]", within_one_line(news)));
    }
    line
}

/// The longest news that is told.
const MAX_NEWS_CHARS: usize = 300;

/// News names restaurants, whose names are data: nothing in it may look like a line of the server's own.
fn within_one_line(news: &str) -> String {
    one_line(news, MAX_NEWS_CHARS).replace(['[', ']'], " ")
}
