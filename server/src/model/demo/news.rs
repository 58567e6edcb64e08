//! What the server's line tells of a booking: what happened since the guest's last message.

use chrono::NaiveDateTime;

/// What happened to a booking outside the model's sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happened {
    /// From the waiting list: it has its seats now.
    MovedUp,
    /// By the guest, in another conversation.
    Cancelled,
    /// By the guest, in another conversation: to what the news says.
    Changed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    pub reference: String,
    pub restaurant: String,
    /// By the restaurant's clock.
    pub starts_at: NaiveDateTime,
    pub party_size: u8,
    pub happened: Happened,
}

/// How the server ends each kind of news.
const ENDS: [(Happened, &str); 3] = [
    (Happened::MovedUp, "): it moved up from the waiting list and is confirmed now"),
    (Happened::Cancelled, "): the user has cancelled it"),
    (Happened::Changed, "): the user has changed it to this"),
];

impl News {
    /// `[server: booking MAY4K7 (Mây Núi, 2026-12-05 19:00, 4 people): the user has cancelled it]`. It is
    /// read from its ends: the restaurant's name in the middle is anything.
    pub fn read(line: &str) -> Option<Self> {
        let said = line.trim().strip_prefix("[server:")?.strip_suffix(']')?.trim();
        let (happened, said) =
            ENDS.iter().find_map(|(happened, end)| Some((*happened, said.strip_suffix(end)?)))?;
        let (reference, said) = said.strip_prefix("booking ")?.split_once(" (")?;
        let mut parts = said.rsplitn(3, ", ");
        let party_size = parts.next()?.strip_suffix(" people")?.parse().ok()?;
        let starts_at = NaiveDateTime::parse_from_str(parts.next()?, "%Y-%m-%d %H:%M").ok()?;
        let restaurant = parts.next()?.to_owned();
        Some(Self { reference: reference.to_owned(), restaurant, starts_at, party_size, happened })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_are_read_whatever_the_restaurant_is_called() {
        for (happened, end) in ENDS {
            for name in ["Mây Núi", "A, B (C), 4 people): the user has cancelled it", "x, 2026-01-01 10:00"]
            {
                let line = format!("[server: booking MAY4K7 ({name}, 2026-12-05 19:00, 4 people{end}]");
                let news = News::read(&line).expect(&line);
                assert_eq!((news.happened, news.restaurant.as_str(), news.party_size), (happened, name, 4));
                assert_eq!(news.starts_at.to_string(), "2026-12-05 19:00:00");
                assert_eq!(news.reference, "MAY4K7");
            }
        }
    }

    #[test]
    fn other_lines_are_no_news() {
        for line in [
            "[server: 2026-11-30 18:20 +07:00, Monday, Asia/Ho_Chi_Minh]",
            "[server: the user did not decide on createBooking in time; the question expired and nothing was done]",
            "[server: booking MAY4K7 (Mây Núi): the user has cancelled it]",
            "booking MAY4K7 (Mây Núi, 2026-12-05 19:00, 4 people): the user has cancelled it",
            "[server: booking MAY4K7 (Mây Núi, 2026-12-05 19:00, 4 people): it burned down]",
        ] {
            assert_eq!(News::read(line), None, "{line}");
        }
    }
}
