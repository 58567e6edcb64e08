//! What the server's line tells: what happened since the guest's last message.

use chrono::NaiveDateTime;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    OfBooking(BookingNews),
    OfRefund(RefundNews),
}

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
pub struct BookingNews {
    pub reference: String,
    pub restaurant: String,
    /// By the restaurant's clock.
    pub starts_at: NaiveDateTime,
    pub party_size: u8,
    pub happened: Happened,
}

/// What came of a refund that was asked for, or of which nobody knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is known to have been asked for; the money is not back.
    Submitted,
    Succeeded,
    Failed,
    /// It is known never to have been asked for.
    NotDone,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefundNews {
    /// The order's number.
    pub order: String,
    /// In đồng, where that is told.
    pub amount: Option<u64>,
    pub outcome: Outcome,
}

/// How the server ends each kind of news of a booking.
const ENDS: [(Happened, &str); 3] = [
    (Happened::MovedUp, "): it moved up from the waiting list and is confirmed now"),
    (Happened::Cancelled, "): the user has cancelled it"),
    (Happened::Changed, "): the user has changed it to this"),
];

/// The words for each kind of news of a refund.
const OUTCOMES: [(Outcome, &str); 4] = [
    (Outcome::Submitted, "submitted"),
    (Outcome::Succeeded, "succeeded"),
    (Outcome::Failed, "failed"),
    (Outcome::NotDone, "not done"),
];

impl News {
    pub fn read(line: &str) -> Option<Self> {
        let said = line.trim().strip_prefix("[server:")?.strip_suffix(']')?.trim();
        let of_booking = BookingNews::read(said).map(Self::OfBooking);
        of_booking.or_else(|| RefundNews::read(said).map(Self::OfRefund))
    }
}

impl BookingNews {
    /// `booking MAY4K7 (Mây Núi, 2026-12-05 19:00, 4 people): the user has cancelled it`. It is read from its
    /// ends: the restaurant's name in the middle is anything.
    fn read(said: &str) -> Option<Self> {
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

impl RefundNews {
    /// `refund of 350000 đồng for order DH-7K2Q4: it has succeeded; the money is back`, `the refund for order
    /// DH-7K2Q4 was not done: nothing was refunded`
    fn read(said: &str) -> Option<Self> {
        let (head, rest) = said.split_once(" for order ")?;
        let of = head.strip_prefix("the ").unwrap_or(head).strip_prefix("refund")?;
        let amount = of.split(' ').find_map(|word| word.parse().ok());
        let (order, how) = rest.split_at(rest.find([':', ' '])?);
        let (outcome, _) = OUTCOMES.iter().find(|(_, word)| how.contains(word))?;
        Some(Self { order: order.to_owned(), amount, outcome: *outcome })
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
                let Some(News::OfBooking(news)) = News::read(&line) else { panic!("{line}") };
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

    #[test]
    fn news_of_refunds_are_read() {
        let submitted = "it was submitted; the money is not back yet";
        let failed = "it has failed for good; the money is not back. It may be asked for again";
        let rows = [
            (submitted, Outcome::Submitted),
            ("it has succeeded; the money is back", Outcome::Succeeded),
            (failed, Outcome::Failed),
        ];
        for (how, outcome) in rows {
            let line = format!("[server: refund of 350000 đồng for order DH-7K2Q4: {how}]");
            let wanted = RefundNews { order: "DH-7K2Q4".to_owned(), amount: Some(350_000), outcome };
            assert_eq!(News::read(&line), Some(News::OfRefund(wanted)), "{line}");
        }
        let never = "[server: the refund for order A-77 was not done: nothing was refunded. It may be asked for again]";
        let wanted = RefundNews { order: "A-77".to_owned(), amount: None, outcome: Outcome::NotDone };
        assert_eq!(News::read(never), Some(News::OfRefund(wanted)));
        for line in [
            "[server: the user did not decide on refundOrder in time; the question expired and nothing was done]",
            "[server: refund of 350000 đồng for order DH-7K2Q4: hm]",
            "[server: refund of 350000 đồng for order DH-7K2Q4]",
            "[server: booking MAY4K7 (a refund for order DH-7K2Q4: it has succeeded): the user has burned it]",
            "refund of 350000 đồng for order DH-7K2Q4: it has succeeded; the money is back",
        ] {
            assert_eq!(News::read(line), None, "{line}");
        }
    }
}
