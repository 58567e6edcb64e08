//! What the demo model's characters do, and that none of them makes the record say something that did
//! not happen.

mod personas {
    mod bookings;
    mod endings;
    mod obedience;
    mod persistence;
    mod record;
    mod several;
    mod talk;
}
mod support;
