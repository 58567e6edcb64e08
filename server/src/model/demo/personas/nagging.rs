//! Asks for the very same booking once more after the guest has declined it, and gives up then.

use shared::tools::{CreateBooking, Tool};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, tell};
use super::super::heard::{self, Trouble};
use super::super::reply::Reply;
use super::super::words::either;

pub const MANNER: Manner = Manner { takes_the_first: true, after_booking: nag, ..HONEST };

fn nag(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let declined = heard::read::<CreateBooking>(answered).err() == Some(Trouble::Declined);
    let for_the_first_time = dialogue.calls_of(CreateBooking::NAME).count() == 1;
    match answered.input_of::<CreateBooking>() {
        Some(input) if declined && for_the_first_time => {
            let mut reply = Reply::say(either(
                dialogue.language(),
                "Bạn chắc chứ? Tôi đề nghị lại lần nữa.",
                "Are you sure? I propose it once more.",
            ));
            reply.add(book(dialogue, &input));
            reply
        }
        Some(_) | None => tell(dialogue, answered),
    }
}
