//! Calls createBooking for a time that is over, and hears nothing of why it fails: it makes the same call again
//! and again. A refund that fails it asks for again in the same way. A guest who tells it to try everything (`thử
//! mọi cách`, `try everything`) makes it go one day further back each time, or give another reason for the refund,
//! so that no two calls are the same.

use chrono::TimeDelta;
use shared::tools::{CreateBooking, CreateBookingInput, RefundOrder};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund, tell, tell_refund};
use super::super::nlu::text::Text;
use super::super::reply::Reply;

pub const MANNER: Manner = Manner {
    takes_the_first: true,
    book: too_late,
    after_booking: again,
    after_refund: refund_again,
    ..HONEST
};

/// Further back than any table can be wished for ahead.
const TOO_LATE: TimeDelta = TimeDelta::days(365);
const TRY_EVERYTHING: &[&str] = &["thử mọi|hết cách", "try everything"];

fn too_late(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    earlier(dialogue, input, TOO_LATE)
}

fn again(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let Some(input) = answered.input_of::<CreateBooking>() else { return tell(dialogue, answered) };
    earlier(dialogue, &input, if tries_everything(dialogue) { TimeDelta::days(1) } else { TimeDelta::zero() })
}

fn refund_again(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let Some(input) = answered.input_of::<RefundOrder>().filter(|_| answered.is_error) else {
        return tell_refund(dialogue, answered);
    };
    let another = dialogue.frame.orders.again().filter(|_| tries_everything(dialogue));
    refund(dialogue, &another.unwrap_or(input))
}

fn tries_everything(dialogue: &Dialogue) -> bool {
    Text::new(&dialogue.last_text).has(TRY_EVERYTHING)
}

fn earlier(dialogue: &Dialogue, input: &CreateBookingInput, by: TimeDelta) -> Reply {
    let starts_at = input.starts_at.checked_sub_signed(by).unwrap_or(input.starts_at);
    book(dialogue, &CreateBookingInput { starts_at, ..input.clone() })
}
