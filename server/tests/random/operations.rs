//! What guests do, and what happens to their servers meanwhile.

use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;

/// The first two belong to one guest, the third to another.
pub const CONVERSATIONS: usize = 3;
pub const GUEST_OF: [usize; CONVERSATIONS] = [0, 0, 1];
/// Times at which the restaurant of a script can be booked.
pub const SLOTS: usize = 2;
/// More people than it has seats come now and then.
pub const SEATS: u8 = 6;
/// Each guest has one order, of so many times [`UNIT`] đồng.
pub const TOTAL: u8 = 3;
pub const UNIT: u64 = 100_000;

/// What a message makes the model propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Book {
        slot: usize,
        size: u8,
    },
    /// The guest's latest booking for that time.
    Change {
        slot: usize,
        size: u8,
    },
    Cancel {
        slot: usize,
    },
    /// The guest's order; none: all of it.
    Refund {
        amount: Option<u8>,
    },
}

/// What is said to a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Approve,
    /// For another number of people, or another amount.
    Edit(u8),
    Decline,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    Say {
        conversation: usize,
        wishes: Vec<Wish>,
        /// Milliseconds between the model's words.
        pace: u64,
    },
    /// The same request once more, as after a lost answer.
    SayAgain {
        conversation: usize,
    },
    Decide {
        conversation: usize,
        /// Which form: those that wait come first.
        form: usize,
        verdict: Verdict,
        /// The page shows the form as it was asked first.
        stale: bool,
    },
    Stop {
        conversation: usize,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    Do {
        action: Action,
        /// Whether the run is waited for.
        settle: bool,
    },
    /// Two tabs at the same time.
    Both(Action, Action),
    /// The server is killed so many milliseconds after the request was sent, and started again.
    Kill { action: Action, after: u64 },
    /// The server stands still while the request comes.
    Pause { action: Action },
    /// The time of all forms of the conversation is over.
    Expire { conversation: usize },
    /// The page is loaded anew.
    Reload { conversation: usize },
}

impl Action {
    pub fn conversation(&self) -> usize {
        match self {
            Self::Say { conversation, .. }
            | Self::SayAgain { conversation }
            | Self::Decide { conversation, .. }
            | Self::Stop { conversation } => *conversation,
        }
    }
}

fn conversation() -> impl Strategy<Value = usize> {
    0..CONVERSATIONS
}

/// Small ones first: those are what a failure shrinks to.
fn size() -> impl Strategy<Value = u8> {
    1..=SEATS + 1
}

fn wish() -> impl Strategy<Value = Wish> {
    let slot = || 0..SLOTS;
    prop_oneof![
        5 => (slot(), size()).prop_map(|(slot, size)| Wish::Book { slot, size }),
        2 => (slot(), size()).prop_map(|(slot, size)| Wish::Change { slot, size }),
        2 => slot().prop_map(|slot| Wish::Cancel { slot }),
        2 => proptest::option::of(1..=TOTAL + 1).prop_map(|amount| Wish::Refund { amount }),
    ]
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        5 => Just(Verdict::Approve),
        2 => size().prop_map(Verdict::Edit),
        1 => Just(Verdict::Decline),
    ]
}

fn action_in(conversation: impl Strategy<Value = usize>) -> impl Strategy<Value = Action> {
    let pace = weighted(0.3, 1..6_u64).prop_map(Option::unwrap_or_default);
    let form = weighted(0.2, 1..4_usize).prop_map(Option::unwrap_or_default);
    let what = prop_oneof![
        8 => (vec(wish(), 0..=2), pace).prop_map(|(wishes, pace)| What::Say(wishes, pace)),
        1 => Just(What::SayAgain),
        10 => (form, verdict(), proptest::bool::weighted(0.1)).prop_map(|(f, v, s)| What::Decide(f, v, s)),
        2 => Just(What::Stop),
    ];
    (conversation, what).prop_map(|(conversation, what)| match what {
        What::Say(wishes, pace) => Action::Say { conversation, wishes, pace },
        What::SayAgain => Action::SayAgain { conversation },
        What::Decide(form, verdict, stale) => Action::Decide { conversation, form, verdict, stale },
        What::Stop => Action::Stop { conversation },
    })
}

#[derive(Clone, Debug)]
enum What {
    Say(Vec<Wish>, u64),
    SayAgain,
    Decide(usize, Verdict, bool),
    Stop,
}

fn two_actions() -> impl Strategy<Value = (Action, Action)> {
    // Mostly in one conversation: there they are in each other's way.
    let together = conversation().prop_flat_map(|one| (action_in(Just(one)), action_in(Just(one))));
    prop_oneof![2 => together, 1 => (action_in(conversation()), action_in(conversation()))]
}

pub fn operation() -> impl Strategy<Value = Operation> {
    let action = || action_in(conversation());
    prop_oneof![
        12 => (action(), proptest::bool::weighted(0.7))
            .prop_map(|(action, settle)| Operation::Do { action, settle }),
        3 => two_actions().prop_map(|(one, other)| Operation::Both(one, other)),
        1 => (action(), 0..60_u64).prop_map(|(action, after)| Operation::Kill { action, after }),
        1 => action().prop_map(|action| Operation::Pause { action }),
        1 => conversation().prop_map(|conversation| Operation::Expire { conversation }),
        1 => conversation().prop_map(|conversation| Operation::Reload { conversation }),
    ]
}

pub fn script(at_most: usize) -> impl Strategy<Value = Vec<Operation>> {
    vec(operation(), 1..=at_most)
}

/// Tables for one guest in two tabs, at two times, and little else.
pub fn tables(at_most: usize) -> impl Strategy<Value = Vec<Operation>> {
    let book = (0..2_usize, 0..SLOTS, 1..3_u8).prop_map(|(conversation, slot, size)| Action::Say {
        conversation,
        wishes: vec![Wish::Book { slot, size }],
        pace: 0,
    });
    let agree = (0..2_usize).prop_map(|conversation| Action::Decide {
        conversation,
        form: 0,
        verdict: Verdict::Approve,
        stale: false,
    });
    let acts = prop_oneof![book, agree].prop_map(|action| Operation::Do { action, settle: true });
    vec(prop_oneof![6 => acts, 1 => operation()], 1..=at_most)
}
