//! Machine-readable reasons. The page words them in the guest's language.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! error_codes {
    ($($(#[$doc:meta])* $variant:ident = $text:literal)*) => {
        /// Why something was refused or failed; the same codes at a tool part, at a field of a form
        /// and in a problem's `errors`.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorCode {
            $($(#[$doc])* $variant,)*
            /// A code that this version does not know: shown with its fallback text.
            Other(String),
        }

        impl ErrorCode {
            pub const KNOWN: &'static [ErrorCode] = &[$(ErrorCode::$variant),*];

            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $text,)*
                    Self::Other(text) => text,
                }
            }
        }

        impl From<&str> for ErrorCode {
            fn from(text: &str) -> Self {
                match text {
                    $($text => Self::$variant,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }
    };
}

error_codes! {
    // A tool call as a whole.
    /// The arguments are not JSON, or do not fit the schema.
    InvalidInput = "invalid-input"
    UnknownTool = "unknown-tool"
    /// The operators have switched the tool off.
    SwitchedOff = "switched-off"
    /// The operators have paused everything that has an effect.
    Frozen = "frozen"
    Timeout = "timeout"
    /// It broke while running; the log has the rest.
    ToolFailed = "tool-failed"
    /// The same thing is already booked, refunded, … with other details.
    ConflictsWithEarlier = "conflicts-with-earlier"

    // What the tools' domains say.
    /// `params.cities`: the places that are known, where they can be listed.
    UnknownCity = "unknown-city"
    UnknownRestaurant = "unknown-restaurant"
    /// `params.hours`: that day's opening hours, a list of `{opens, closes}`; empty: closed all day.
    /// `params.date` (YYYY-MM-DD) and maybe `params.reason`: a closed day, whatever the weekday's hours.
    Closed = "closed"
    Past = "past"
    /// `params.maxDays`
    TooFarAhead = "too-far-ahead"
    /// More people than the restaurant has seats. `params.seats`
    PartyTooLarge = "party-too-large"
    /// No such booking of this guest.
    UnknownBooking = "unknown-booking"
    BookingCancelled = "booking-cancelled"
    /// Its time has come or is over: nothing of it can be changed.
    BookingPast = "booking-past"
    /// The guest has another live booking at this restaurant for the new time.
    AnotherBooking = "another-booking"
    /// The booking is as it would be after the change.
    NothingToChange = "nothing-to-change"
    /// The new place cannot be had. `params.times`: RFC 3339, times around it that can
    Full = "full"
    /// No such order of this guest. `params.orders`: up to five of their own, the newest first
    UnknownOrder = "unknown-order"
    NothingLeftToRefund = "nothing-left-to-refund"
    /// `params.left`, in whole đồng
    MoreThanLeft = "more-than-left"
    /// The order has a live refund with another amount. `params.amount`, in whole đồng, `params.status`
    AnotherRefund = "another-refund"
    /// Who moves the money said no; nothing was refunded. `params.reason` where it gave one
    RefundRejected = "refund-rejected"
    /// Who moves the money was not reached; nothing was refunded.
    ReceiverUnavailable = "receiver-unavailable"

    // One field.
    Required = "required"
    UnknownField = "unknown-field"
    /// `params.expected`
    WrongType = "wrong-type"
    /// `params.min`, `params.max` where there are such bounds
    OutOfRange = "out-of-range"
    /// `params.max`, in characters
    TooLong = "too-long"
    Empty = "empty"
    /// `params.expected`
    BadFormat = "bad-format"
    /// Text with NUL or other characters that cannot be kept.
    BadCharacters = "bad-characters"
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(String::deserialize(deserializer)?.as_str()))
    }
}
