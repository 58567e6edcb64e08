//! What the results of the tools for orders say where they give no output.

use shared::tools::{GetOrder, GetOrderOutput, Refund, RefundOrder, RefundOrderInput, Tool};

use super::super::conversation::Answered;
use super::super::nlu::money::{self, Amount};
use super::super::nlu::order;
use super::super::nlu::text::Text;
use super::{Trouble, trouble};

/// Why an order was not shown or not refunded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderTrouble {
    /// The guest has no such order, but these.
    UnknownOrder(Vec<String>),
    NothingLeft,
    /// So much is left, where that is told.
    MoreThanLeft(Option<u64>),
    /// It has a refund of another amount: this one, where that is told.
    AnotherRefund(Option<u64>),
    /// The payment's side said no.
    Rejected,
    /// The payment's side was not reached.
    Unreached,
    /// Asked for, and in the end not made: of this amount.
    Failed(u64),
    Other(Trouble),
}

impl OrderTrouble {
    /// Whether a mere yes means the same once more.
    pub fn may_be_tried_again(&self) -> bool {
        match self {
            Self::Rejected | Self::Unreached | Self::Failed(_) => true,
            Self::Other(trouble) => super::super::errand::may_be_proposed_again(*trouble),
            Self::UnknownOrder(_) | Self::NothingLeft | Self::MoreThanLeft(_) | Self::AnotherRefund(_) => {
                false
            }
        }
    }
}

/// In this order: the first whose words stand in the sentence. What is told in it is read apart.
const SIGNS: &[(OrderTrouble, &[&str])] = &[
    (
        OrderTrouble::UnknownOrder(Vec::new()),
        &[
            "has no order",
            "no such order",
            "no order with",
            "no order of",
            "unknown order",
            "unknown-order",
            "has no orders",
        ],
    ),
    (
        OrderTrouble::NothingLeft,
        &[
            "nothing left",
            "nothing is left",
            "nothing of",
            "nothing-left",
            "refunded in full",
            "fully refunded",
        ],
    ),
    (
        OrderTrouble::AnotherRefund(None),
        &[
            "is refunded once",
            "another refund",
            "another-refund",
            "already has a refund",
            "has a refund",
            "has a live refund",
            "another amount",
            "different amount",
            "with other details",
        ],
    ),
    (OrderTrouble::MoreThanLeft(None), &["more than", "more-than-left", "is left", "are left", "left of it"]),
    (
        OrderTrouble::Rejected,
        &["rejected", "refused", "said no", "turned down", "did not accept", "does not accept"],
    ),
    (
        OrderTrouble::Unreached,
        &[
            "not be reached",
            "not reached",
            "unreachable",
            "receiver-unavailable",
            "could not reach",
            "no connection",
        ],
    ),
];

/// Reads what getOrder gave.
pub fn order(answered: &Answered) -> Result<GetOrderOutput, OrderTrouble> {
    read::<GetOrder>(answered)
}

/// Reads what refundOrder gave.
pub fn refund(answered: &Answered) -> Result<Refund, OrderTrouble> {
    read::<RefundOrder>(answered)
}

fn read<T: Tool>(answered: &Answered) -> Result<T::Output, OrderTrouble> {
    super::read::<T>(answered).map_err(|_| order_trouble(answered))
}

fn order_trouble(answered: &Answered) -> OrderTrouble {
    let general = trouble(&answered.content);
    // That nobody knows it counts before why nobody knows it.
    if general == Trouble::Uncertain {
        return OrderTrouble::Other(general);
    }
    let sentence = answered.content.to_lowercase();
    // What is refused then are the arguments, by nobody who pays.
    if sentence.contains("the arguments of") {
        return OrderTrouble::Other(general);
    }
    let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| sentence.contains(sign)));
    match found.map(|(trouble, _)| trouble.clone()) {
        Some(OrderTrouble::UnknownOrder(_)) => {
            let asked = answered.input.get("orderId").and_then(|order| order.as_str()).unwrap_or_default();
            let mut own = order::read(&answered.content, &[]).numbers;
            own.retain(|number| !number.eq_ignore_ascii_case(asked));
            OrderTrouble::UnknownOrder(own)
        }
        Some(OrderTrouble::MoreThanLeft(_)) => OrderTrouble::MoreThanLeft(only_sum(answered)),
        Some(OrderTrouble::AnotherRefund(_)) => OrderTrouble::AnotherRefund(only_sum(answered)),
        Some(trouble) => trouble,
        None => OrderTrouble::Other(general),
    }
}

/// The one sum in the sentence, besides that which was asked for.
fn only_sum(answered: &Answered) -> Option<u64> {
    let asked = answered.input_of::<RefundOrder>().and_then(|input: RefundOrderInput| input.amount);
    let sums = money::sums(&Text::new(&order::read(&answered.content, &[]).rest));
    let mut told: Vec<u64> = sums
        .iter()
        .filter_map(|sum| match sum.amount {
            Amount::Of(amount) => Some(amount),
            Amount::Share(_) | Amount::All | Amount::Unclear => None,
        })
        .filter(|amount| Some(*amount) != asked)
        .collect();
    told.dedup();
    match told.as_slice() {
        [sum] => Some(*sum),
        _ => None,
    }
}

/// Whether the server says that an earlier call has done it already.
pub fn was_repeated(answered: &Answered) -> bool {
    let note = answered.note.as_deref().unwrap_or_default().to_lowercase();
    note.contains("same request")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_recognised() {
        let input = serde_json::json!({ "orderId": "DH-7K2Q4", "amount": 500_000, "reason": "late" });
        let read = |content: &str| {
            let answered = Answered {
                name: RefundOrder::NAME.to_owned(),
                input: input.as_object().cloned().unwrap_or_default(),
                content: content.to_owned(),
                note: None,
                is_error: true,
            };
            order_trouble(&answered)
        };
        for (sentence, wanted) in [
            (
                "Not done: The user has no order with this number. The newest of their own: DH-22222, DH-33333. If it is not \
                 certain which one is meant, ask the user. Tell the user, or call the tool again with other arguments; not \
                 with the same ones.",
                OrderTrouble::UnknownOrder(vec!["DH-22222".to_owned(), "DH-33333".to_owned()]),
            ),
            ("Not done: The user has no orders. Tell the user.", OrderTrouble::UnknownOrder(Vec::new())),
            (
                "Not done: Of order DH-7K2Q4 nothing is left to refund. Tell the user.",
                OrderTrouble::NothingLeft,
            ),
            (
                "Not done: Of order DH-7K2Q4 only 350000 đồng are left to refund. Tell the user.",
                OrderTrouble::MoreThanLeft(Some(350_000)),
            ),
            (
                "Not done: A refund of 100000 đồng for order DH-7K2Q4 was submitted. An order is refunded once. Do not \
                 repeat it; tell the user.",
                OrderTrouble::AnotherRefund(Some(100_000)),
            ),
            (
                "Not done: A refund of some đồng for order DH-7K2Q4 was asked for, and it is not known yet what came of it. \
                 An order is refunded once. Do not repeat it; tell the user.",
                OrderTrouble::AnotherRefund(None),
            ),
            (
                "Not done: the same thing is already booked or waiting for the user's decision, with other details. Do not \
                 repeat it; tell the user.",
                OrderTrouble::AnotherRefund(None),
            ),
            (
                "Not done: The payment provider refused the refund; nothing was refunded. Tell the user and do not try again \
                 now.",
                OrderTrouble::Rejected,
            ),
            (
                "Not done: The payment provider was not reached; nothing was refunded. Tell the user and do not try again now.",
                OrderTrouble::Unreached,
            ),
            (
                "It is not known yet whether this was done; it is being looked into. Do not try again. Tell the user that it \
                 is not known yet, and that they will see here what came of it.",
                OrderTrouble::Other(Trouble::Uncertain),
            ),
            (
                "An earlier call asks for the same. It is not known yet whether this was done; it is being looked into. \
                 Nothing was done by this call.",
                OrderTrouble::Other(Trouble::Uncertain),
            ),
            ("The user declined. Nothing was done.", OrderTrouble::Other(Trouble::Declined)),
            (
                "Cancelled: the user did not decide in time and the question expired. Nothing was done.",
                OrderTrouble::Other(Trouble::Expired),
            ),
            ("`/amount`: expected an integer from 1 to 1000000000", OrderTrouble::Other(Trouble::BadInput)),
            (
                "refundOrder took too long to answer. Nothing was done.",
                OrderTrouble::Other(Trouble::Unavailable),
            ),
            (
                "refundOrder is switched off for now: the house has paused all bookings, changes and refunds.",
                OrderTrouble::Other(Trouble::Paused),
            ),
            ("Hm.", OrderTrouble::Other(Trouble::Other)),
        ] {
            assert_eq!(read(sentence), wanted, "{sentence}");
        }
    }
}
