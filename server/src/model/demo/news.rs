//! What the server's line tells: what happened since the guest's last message.

use chrono::NaiveDateTime;

use super::nlu::money::{self, Amount};
use super::nlu::order;
use super::nlu::text::Text;

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

/// How a refund ended that was asked for, or of which nobody knew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    Failed,
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

/// Words for how a refund ended; a failure may also be told in words of success (`not refunded`).
const OUTCOMES: [(Outcome, &[&str]); 2] = [
    (
        Outcome::Failed,
        &[
            "fail",
            "rejected",
            "not refunded",
            "not made",
            "not go through",
            "did not succeed",
            "is not back",
            "was not done",
        ],
    ),
    (
        Outcome::Succeeded,
        &[
            "succeeded",
            "settled",
            "went through",
            "has been refunded",
            "was refunded",
            "is refunded",
            "is back",
            "was made",
            "was done",
        ],
    ),
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
    /// `the refund of order DH-7K2Q4 (Mây Núi, 350000 đồng): it succeeded`. The number is read from the
    /// beginning, the outcome behind the bracket: the restaurant's name in it is anything.
    fn read(said: &str) -> Option<Self> {
        let (head, tail) = said.rsplit_once("): ").unwrap_or((said, said));
        let about = head.split(" (").next().unwrap_or(head);
        if !about.to_lowercase().contains("refund") {
            return None;
        }
        let order = order::read(about, &[]).numbers.into_iter().next()?;
        let tail = tail.to_lowercase();
        let (outcome, _) = OUTCOMES.iter().find(|(_, words)| words.iter().any(|word| tail.contains(word)))?;
        let sums = money::sums(&Text::new(&order::read(head, &[]).rest));
        let amount = sums.iter().rev().find_map(|sum| match sum.amount {
            Amount::Of(amount) => Some(amount),
            Amount::Share(_) | Amount::All | Amount::Unclear => None,
        });
        Some(Self { order, amount, outcome: *outcome })
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
    fn news_of_refunds_are_read_whatever_the_restaurant_is_called() {
        for (end, outcome) in
            [("it succeeded", Outcome::Succeeded), ("it failed (card-expired)", Outcome::Failed)]
        {
            for name in ["Mây Núi", "A (B): it failed", "x, 900000 đồng): it succeeded", "DH-ZZZZZ"] {
                let line = format!("[server: the refund of order DH-7K2Q4 ({name}, 350000 đồng): {end}]");
                let wanted = RefundNews { order: "DH-7K2Q4".to_owned(), amount: Some(350_000), outcome };
                assert_eq!(News::read(&line), Some(News::OfRefund(wanted)), "{line}");
            }
        }
        let bare = "[server: the refund of 120000 đồng for order DH-7K2Q4 has been refunded]";
        let wanted =
            RefundNews { order: "DH-7K2Q4".to_owned(), amount: Some(120_000), outcome: Outcome::Succeeded };
        assert_eq!(News::read(bare), Some(News::OfRefund(wanted)));
        for line in [
            "[server: the user did not decide on refundOrder in time; the question expired and nothing was done]",
            "[server: the refund of order DH-7K2Q4 (Mây Núi, 350000 đồng): hm]",
            "[server: the refund (it succeeded)]",
            "the refund of order DH-7K2Q4 (Mây Núi, 350000 đồng): it succeeded",
        ] {
            assert_eq!(News::read(line), None, "{line}");
        }
    }
}
