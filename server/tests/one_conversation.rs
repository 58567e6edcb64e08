//! One conversation, told by three providers in three protocols: the guest sees the same, and each provider gets
//! a history that its protocol takes.

mod one_conversation {
    mod play;
    mod same;
    mod spoken;
}
mod support;
