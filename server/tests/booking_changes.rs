//! Changing one's mind, from outside: bookings are listed, changed and cancelled, receipts follow, and
//! whoever waits moves up.

mod booking_changes {
    mod cancel;
    mod change;
    mod crowd;
    mod list;
    mod party;
    mod waiting_list;
}
mod support;
