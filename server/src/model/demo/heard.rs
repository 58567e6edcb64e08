//! What a tool's result says. Outputs are read by their type; sentences by their words.

pub mod orders;

use chrono::NaiveTime;
use shared::tools::Tool;

use super::conversation::Answered;

/// Why a call gave nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Declined,
    Expired,
    Superseded,
    Cancelled,
    /// It may have been done.
    Uncertain,
    Closed,
    Past,
    TooFarAhead,
    UnknownCity,
    UnknownRestaurant,
    Conflict,
    PartyTooLarge,
    /// A changed booking would not have its seats.
    Full,
    UnknownBooking,
    BookingCancelled,
    BookingPast,
    NothingToChange,
    Unavailable,
    /// The house has paused everything that has an effect.
    Paused,
    BadInput,
    Other,
}

/// In this order: the first whose words stand in the sentence.
const SIGNS: &[(Trouble, &[&str])] = &[
    // Whole phrases first: a restaurant's name may hold any word.
    (Trouble::Full, &["the booking stays as it is"]),
    (Trouble::UnknownBooking, &["has no booking with this id"]),
    (Trouble::BookingCancelled, &["is cancelled; nothing of it can be changed"]),
    (Trouble::BookingPast, &["is past; nothing of it can be changed"]),
    (Trouble::NothingToChange, &["is for this time and this many people now"]),
    (Trouble::Declined, &["declin"]),
    (Trouble::Superseded, &["supersed", "wrote something else", "new message"]),
    (Trouble::Expired, &["expired", "did not answer in time"]),
    (
        Trouble::Uncertain,
        &[
            "may have been",
            "not known whether",
            "unknown whether",
            "unknown outcome",
            "outcome is unknown",
            "looked into",
        ],
    ),
    (Trouble::Paused, &["paused"]),
    (Trouble::Cancelled, &["cancelled", "canceled", "stopped", "interrupted", "was not run", "did not run"]),
    (Trouble::BadInput, &["expected", "json", "is required", "missing", "do not fit"]),
    (
        Trouble::Unavailable,
        &[
            "unavailable",
            "switched off",
            "timed out",
            "timeout",
            "too long",
            "try again",
            "no such tool",
            "unknown tool",
        ],
    ),
    (Trouble::TooFarAhead, &["days ahead", "too far", "in advance", "90 days"]),
    (Trouble::Past, &["past"]),
    (Trouble::Closed, &["closed", "takes no guests", "not open", "opening hours", "opens"]),
    (Trouble::Conflict, &["already", "conflict", "other details", "another request"]),
    (Trouble::PartyTooLarge, &["seats", "too large", "too many people", "at most"]),
    (Trouble::UnknownCity, &["city", "cities", "place"]),
    (Trouble::UnknownRestaurant, &["restaurant"]),
];

/// Reads a result as the tool's output, or as the reason why there is none.
pub fn read<T: Tool>(answered: &Answered) -> Result<T::Output, Trouble> {
    if !answered.is_error
        && let Ok(output) = serde_json::from_str(&answered.content)
    {
        return Ok(output);
    }
    Err(trouble(&answered.content))
}

fn trouble(sentence: &str) -> Trouble {
    let sentence = sentence.to_lowercase();
    SIGNS
        .iter()
        .find(|(_, signs)| signs.iter().any(|sign| sentence.contains(sign)))
        .map_or(Trouble::Other, |(trouble, _)| *trouble)
}

/// The free times that the answer to a change names, where the wanted one is full: by the restaurant's
/// clock.
pub fn free_instead(answered: &Answered) -> Vec<NaiveTime> {
    const LEAD: &str = "Free for them instead: ";
    let Some((_, times)) = answered.content.rsplit_once(LEAD) else { return Vec::new() };
    let times = times.split(['.', ' ']).take_while(|time| !time.is_empty());
    times.filter_map(|time| NaiveTime::parse_from_str(time.trim_end_matches(','), "%H:%M").ok()).collect()
}

/// Whether the server says that the guest changed the proposal.
pub fn was_edited(answered: &Answered) -> bool {
    let note = answered.note.as_deref().unwrap_or_default().to_lowercase();
    note.contains("edited")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_recognised() {
        for (sentence, wanted) in [
            ("The user declined; ask what to change.", Trouble::Declined),
            ("The user's question expired before it was answered. Nothing was booked.", Trouble::Expired),
            ("Superseded: the user wrote a new message instead. Nothing was booked.", Trouble::Superseded),
            ("Cancelled by the user. Nothing was booked.", Trouble::Cancelled),
            ("It may have been done; it is being looked into.", Trouble::Uncertain),
            ("The restaurant is closed at that time; it is open 10:00-14:00.", Trouble::Closed),
            ("Mây Núi is closed on 24 December 2026 (Giáng sinh); take another day.", Trouble::Closed),
            ("startsAt is in the past.", Trouble::Past),
            ("startsAt lies more than 90 days ahead.", Trouble::TooFarAhead),
            ("Unknown city: Paris. Known cities: Đà Lạt, Hà Nội.", Trouble::UnknownCity),
            (
                "Not done: No place of this name was found; the spelling may differ, or the country may have to be \
                 named too. Tell the user, or call the tool again with other arguments; not with the same ones.",
                Trouble::UnknownCity,
            ),
            ("getWeather took too long to answer. Nothing was done.", Trouble::Unavailable),
            ("There is no restaurant with this restaurantId.", Trouble::UnknownRestaurant),
            ("The same table is already booked with other details.", Trouble::Conflict),
            ("The restaurant has only 12 seats.", Trouble::PartyTooLarge),
            (
                "Not done: The Declining Past is full for 6 people on 2026-12-05 19:00; the booking stays as it is. \
                 Free for them instead: 18:30, 20:00. Tell the user, or call the tool again with other arguments; not \
                 with the same ones.",
                Trouble::Full,
            ),
            (
                "The user has no booking with this id; take a bookingId that listBookings gave.",
                Trouble::UnknownBooking,
            ),
            ("The booking MAY4K7 is cancelled; nothing of it can be changed.", Trouble::BookingCancelled),
            ("The time of the booking MAY4K7 is past; nothing of it can be changed.", Trouble::BookingPast),
            (
                "The booking MAY4K7 is for this time and this many people now; say what is to be different.",
                Trouble::NothingToChange,
            ),
            (
                "The user already has another booking at this restaurant for this time; take another time.",
                Trouble::Conflict,
            ),
            ("The tool is temporarily unavailable; try again later.", Trouble::Unavailable),
            ("createBooking is switched off for now: the house has paused all bookings.", Trouble::Paused),
            ("`/partySize`: expected an integer from 1 to 20, got the string \"bốn\"", Trouble::BadInput),
            ("Something odd.", Trouble::Other),
        ] {
            assert_eq!(trouble(sentence), wanted, "{sentence}");
        }
    }

    #[test]
    fn the_free_times_instead_of_a_full_one_are_read() {
        let read = |content: &str| {
            let content = content.to_owned();
            let answered = Answered {
                name: String::new(),
                input: serde_json::Map::new(),
                content,
                note: None,
                is_error: true,
            };
            free_instead(&answered).iter().map(|time| time.format("%H:%M").to_string()).collect::<Vec<_>>()
        };
        let full = "X is full for 6 people on 2026-12-05 19:00; the booking stays as it is.";
        assert_eq!(
            read(&format!("Not done: {full} Free for them instead: 18:30, 20:00. Tell the user.")),
            ["18:30", "20:00"]
        );
        assert_eq!(
            read(&format!("Free for them instead: 01:00 {full} Free for them instead: 18:30.")),
            ["18:30"]
        );
        assert!(read(&format!("{full} No time around it has room either.")).is_empty());
    }
}
