//! Refunds, from outside: what guests see, what receivers are asked, and what comes of lost answers, of
//! crashes, and of models that ask twice.

mod refunds {
    mod counter;
    mod crash;
    mod give_up;
    mod ledger;
    mod lost;
    mod reconcile;
    mod stripe;
}
mod support;
