//! The checker of the requests that go to a model, checked itself: what is good passes, and each of its rules
//! finds the fault that was planted for it.

mod support;

mod request_rules {
    mod anthropic;
    mod chat;
    mod conversation;
    mod responses;
    mod watched;
}
