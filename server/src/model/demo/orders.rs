//! What the guest wants with an order: to see it, or its money back. Nothing here speaks or calls.

use shared::tools::{
    GetOrderInput, GetOrderOutput, OrderRefund, OrderRefundStatus, Refund, RefundOrderInput, RefundStatus,
};

use super::frame::Frame;
use super::heard::Trouble;
use super::heard::orders::OrderTrouble;
use super::news::{Outcome, RefundNews};
use super::nlu::Understood;
use super::nlu::choice;
use super::nlu::money::{self, Amount};
use super::nlu::order::Words;

/// What was heard of orders.
#[derive(Clone, Debug, Default)]
pub struct Orders {
    /// As they stand by the last word of them, and the turn of that.
    known: Vec<(GetOrderOutput, usize)>,
    /// Numbers that were heard of without more.
    others: Vec<String>,
    /// The number of the order that was spoken of last.
    focus: Option<String>,
    wish: Option<Wish>,
    /// Orders of which nobody knows whether their refund was made.
    uncertain: Vec<String>,
    /// Every refund that was proposed, the last one last.
    proposed: Vec<RefundOrderInput>,
}

/// A refund that the guest wants, while it is not settled.
#[derive(Clone, Debug, Default)]
struct Wish {
    /// None: the newest one, once that is looked up.
    order: Option<String>,
    /// The guest has said the number.
    by_number: bool,
    amount: Option<Amount>,
    /// Of the thing of the order that is named in this text.
    item: Option<String>,
    reason: Option<String>,
    /// The guest has only told what was wrong.
    offered: bool,
    trouble: Option<OrderTrouble>,
    /// The turn in which it was last spoken of.
    turn: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum OrderPlan {
    /// `only_newest`: all were asked for, and there is no way to list them.
    Show {
        orders: Vec<String>,
        only_newest: bool,
    },
    /// To go on with a refund.
    LookUp(String),
    Refund(RefundOrderInput),
    /// Something was wrong with it: does the guest want the money back?
    Offer,
    AskAmount,
    /// Which of these?
    WhichOrder(Vec<String>),
    /// It has a refund already, with this number of the order.
    Stands(String, OrderRefund),
    NothingLeft(String),
    /// More was wished for than this.
    MoreThanLeft(u64),
    /// Nobody knows yet whether it was refunded.
    StillUncertain(String),
    /// Nothing shall be refunded.
    Kept,
    /// A refund that was made stays made.
    CannotTakeBack,
    /// No tool changes or cancels an order.
    CannotAlter,
    HowRefundsWork,
}

impl OrderPlan {
    /// Whether it leads to a refund.
    pub fn is_refund(&self) -> bool {
        match self {
            Self::LookUp(_) | Self::Refund(_) => true,
            Self::Show { .. }
            | Self::Offer
            | Self::AskAmount
            | Self::WhichOrder(_)
            | Self::Stands(..)
            | Self::NothingLeft(_)
            | Self::MoreThanLeft(_)
            | Self::StillUncertain(_)
            | Self::Kept
            | Self::CannotTakeBack
            | Self::CannotAlter
            | Self::HowRefundsWork => false,
        }
    }
}

impl OrderPlan {
    /// How much shall be refunded, where that is said.
    pub fn amount(&self) -> Option<u64> {
        match self {
            Self::Refund(input) => input.amount,
            Self::Show { .. }
            | Self::LookUp(_)
            | Self::Offer
            | Self::AskAmount
            | Self::WhichOrder(_)
            | Self::Stands(..)
            | Self::NothingLeft(_)
            | Self::MoreThanLeft(_)
            | Self::StillUncertain(_)
            | Self::Kept
            | Self::CannotTakeBack
            | Self::CannotAlter
            | Self::HowRefundsWork => None,
        }
    }
}

/// More than these are not looked up at once.
const MOST_AT_ONCE: usize = 3;

impl Frame {
    /// The plan for what is said about orders and refunds; none where it is about something else.
    pub fn hear_order(&mut self, words: &Words, said: &Understood) -> Option<OrderPlan> {
        let of_a_table = said.errand.cancels_table
            || !said.references.is_empty()
            || said.intents.table.is_some() && said.has_slots();
        if words.of_payments && !words.asks_how_far || of_a_table && !words.order {
            return None;
        }
        if !words.refunds
            && let Some(plan) = self.go_on_with_refund(words, said)
        {
            return Some(plan);
        }
        if words.keeps {
            let made = self.orders.proposed_and_alive();
            self.orders.wish = None;
            return Some(if made { OrderPlan::CannotTakeBack } else { OrderPlan::Kept });
        }
        if words.asks_how_far && (words.refunds || words.order) && words.amount.is_none() {
            return Some(self.show(words));
        }
        let wished = words.amount.is_some() || words.reason.is_some();
        if words.refunds && words.asks_whether && !words.order && !wished {
            return Some(OrderPlan::HowRefundsWork);
        }
        if words.alters && !words.refunds {
            return Some(OrderPlan::CannotAlter);
        }
        if words.refunds {
            return Some(self.begin_refund(words));
        }
        // `nó bị nguội`, of what was just looked at
        let of_it = words.that && words.complains && self.has_just_seen_an_order() && !said.has_slots();
        (words.order || of_it).then(|| self.show(words))
    }

    fn has_just_seen_an_order(&self) -> bool {
        self.orders.known.iter().any(|(_, turn)| turn + 1 >= self.turn)
    }

    fn show(&mut self, words: &Words) -> OrderPlan {
        let orders: Vec<String> = match (words.numbers.as_slice(), &self.orders.focus) {
            ([], Some(focus)) if !words.latest && !words.several => vec![focus.clone()],
            ([], _) => vec![GetOrderInput::LATEST.to_owned()],
            (numbers, _) => numbers.iter().take(MOST_AT_ONCE).cloned().collect(),
        };
        // What was wrong with it may become the reason of a refund.
        let complains = words.complains && !words.asks_how_far;
        self.orders.wish = words.reason.as_ref().filter(|_| complains).map(|reason| Wish {
            order: words.numbers.first().cloned(),
            reason: Some(reason.clone()),
            offered: true,
            turn: self.turn,
            ..Wish::default()
        });
        OrderPlan::Show { orders, only_newest: words.several && words.numbers.is_empty() }
    }

    fn begin_refund(&mut self, words: &Words) -> OrderPlan {
        let before = self.orders.wish.take();
        let (order, by_number) = match (words.numbers.as_slice(), &self.orders.focus) {
            ([number], _) => (Some(number.clone()), true),
            ([], Some(focus)) if !words.latest && !words.several => (Some(focus.clone()), false),
            _ => (None, false),
        };
        // What was said of it before still holds.
        let before = before.filter(|before| order.is_none() || before.order == order);
        let reason = words.reason.clone().or(before.and_then(|before| before.reason));
        let item = words.of_item.then(|| words.rest.clone());
        let (amount, turn) = (words.amount, self.turn);
        self.orders.wish = Some(Wish { order, by_number, amount, item, reason, turn, ..Wish::default() });
        if words.numbers.len() > 1 {
            return OrderPlan::WhichOrder(words.numbers.clone());
        }
        if words.several && words.numbers.is_empty() {
            return OrderPlan::WhichOrder(self.orders.numbers().into_iter().map(str::to_owned).collect());
        }
        self.settle_refund()
    }

    /// The answer to what was asked about a refund that is open.
    fn go_on_with_refund(&mut self, words: &Words, said: &Understood) -> Option<OrderPlan> {
        let open = self.orders.wish.clone().filter(|open| open.turn + 1 >= self.turn)?;
        let other = said.intents.weather.is_some()
            || said.intents.table.is_some()
            || said.errand.cancels_table
            || words.alters
            || words.asks_how_far;
        if other && words.numbers.is_empty() && words.amount.is_none() {
            return None;
        }
        if words.keeps || said.intents.no || said.intents.cancel {
            self.orders.wish = None;
            return Some(OrderPlan::Kept);
        }
        let mut wish = Wish { turn: self.turn, ..open.clone() };
        let mut said_more = false;
        if let [number] = words.numbers.as_slice() {
            (wish.order, wish.by_number, said_more) = (Some(number.clone()), true, true);
        } else if words.latest {
            (wish.order, wish.by_number, said_more) = (None, false, true);
        }
        if let Some(amount) = words.amount.or(words.lone_number.map(money::of_number)) {
            (wish.amount, said_more) = (Some(amount), true);
        }
        if let Some(reason) = &words.reason {
            (wish.reason, said_more) = (Some(reason.clone()), true);
        }
        let agrees = said.intents.yes || words.again;
        // One of which nobody knows is looked at, not asked for.
        let may = open.offered
            || open.trouble.as_ref().is_some_and(|trouble| {
                *trouble == OrderTrouble::Other(Trouble::Uncertain) || trouble.may_be_tried_again()
            });
        if !(said_more || agrees && may) {
            return None;
        }
        // An order that is only named is looked at, unless a refund of it was wanted.
        if open.offered && !agrees && words.amount.is_none() {
            return None;
        }
        (wish.offered, wish.trouble) = (false, None);
        self.orders.wish = Some(wish);
        Some(self.settle_refund())
    }

    /// What comes of the wish, as far as the order is known.
    fn settle_refund(&mut self) -> OrderPlan {
        let Some(wish) = self.orders.wish.clone() else { return OrderPlan::Kept };
        if wish.amount == Some(Amount::Unclear) {
            return OrderPlan::AskAmount;
        }
        let Some(number) = wish.order else { return OrderPlan::LookUp(GetOrderInput::LATEST.to_owned()) };
        self.orders.focus = Some(number.clone());
        let known = self.orders.known.iter().find(|(order, _)| order.order_id == number).cloned();
        let just_seen = known.as_ref().is_some_and(|(_, turn)| *turn == self.turn);
        let order = known.map(|(order, _)| order);
        if self.orders.uncertain.contains(&number) {
            return if just_seen { OrderPlan::StillUncertain(number) } else { OrderPlan::LookUp(number) };
        }
        // Of an order that was named the record has the last word, not memory.
        let told = order.as_ref().filter(|_| just_seen || !wish.by_number);
        if let Some(live) = told.and_then(live_refund) {
            self.orders.wish = None;
            return OrderPlan::Stands(number, live.clone());
        }
        if told.is_some_and(|order| order.left == 0) {
            self.orders.wish = None;
            return OrderPlan::NothingLeft(number);
        }
        let amount = match wish.amount {
            None => match (&wish.item, &order) {
                (None, _) => None,
                (Some(_), None) => return OrderPlan::LookUp(number),
                (Some(said), Some(order)) => match price_of(said, order) {
                    Some(price) => Some(price),
                    None => return OrderPlan::AskAmount,
                },
            },
            Some(Amount::All | Amount::Unclear) => None,
            Some(Amount::Of(amount)) => Some(amount),
            Some(Amount::Share(share)) => match &order {
                Some(order) => Some(order.total.saturating_mul(u64::from(share)) / 100),
                None => return OrderPlan::LookUp(number),
            },
        };
        if let (Some(amount), Some(order)) = (amount, told)
            && amount > order.left
        {
            return OrderPlan::MoreThanLeft(order.left);
        }
        // A share of little, a thing that costs nothing.
        if amount.is_some_and(|amount| !(1..=money::MOST).contains(&amount)) {
            return OrderPlan::AskAmount;
        }
        let reason = wish.reason.unwrap_or_else(|| super::words::orders::no_reason(self.language()));
        OrderPlan::Refund(RefundOrderInput { order_id: number, amount, reason })
    }

    /// An order has been looked up: goes on with the refund that waits for it. `found`: its number; none: it
    /// was not found.
    pub fn refund_after_look(&mut self, found: Option<&str>) -> Option<OrderPlan> {
        let (found, wish) = (found?, self.orders.wish.as_mut()?);
        match &wish.order {
            None => wish.order = Some(found.to_owned()),
            Some(number) if number.eq_ignore_ascii_case(found) => {}
            // Somebody looked at another one.
            Some(_) => return None,
        }
        if wish.offered {
            let number = wish.order.clone()?;
            let (order, _) = self.orders.known.iter().find(|(order, _)| order.order_id == number)?;
            if order.left == 0 || live_refund(order).is_some() || is_uncertain(order) {
                self.orders.wish = None;
                return None;
            }
            return Some(OrderPlan::Offer);
        }
        Some(self.settle_refund())
    }

    /// What getOrder gave.
    pub fn learn_order(&mut self, result: Result<GetOrderOutput, OrderTrouble>) {
        match result {
            Ok(order) => {
                self.orders.focus = Some(order.order_id.clone());
                self.orders.uncertain.retain(|number| *number != order.order_id);
                if is_uncertain(&order) {
                    self.orders.uncertain.push(order.order_id.clone());
                }
                self.orders.known.retain(|(known, _)| known.order_id != order.order_id);
                self.orders.known.push((order, self.turn));
            }
            Err(trouble) => self.orders.hear_trouble(trouble, self.turn),
        }
    }

    /// What refundOrder gave.
    pub fn learn_refund(&mut self, input: RefundOrderInput, result: Result<Refund, OrderTrouble>) {
        let number = input.order_id.clone();
        self.orders.focus = Some(number.clone());
        // Also one that nobody had planned can be tried again.
        if self.orders.wish.is_none() {
            let amount = input.amount.map(Amount::Of);
            let (order, reason) = (Some(number.clone()), Some(input.reason.clone()));
            self.orders.wish = Some(Wish { order, amount, reason, ..Wish::default() });
        }
        self.orders.proposed.push(input);
        match result {
            Ok(refund) => {
                self.orders.uncertain.retain(|uncertain| *uncertain != number);
                self.orders.record(&refund);
                match refund.status {
                    RefundStatus::Submitted | RefundStatus::Succeeded => self.orders.wish = None,
                    RefundStatus::Failed => {
                        let trouble = OrderTrouble::Failed(refund.amount);
                        self.orders.hear_trouble(trouble, self.turn);
                    }
                }
            }
            Err(trouble) => {
                if trouble == OrderTrouble::Other(Trouble::Uncertain)
                    && !self.orders.uncertain.contains(&number)
                {
                    self.orders.uncertain.push(number);
                }
                self.orders.hear_trouble(trouble, self.turn);
            }
        }
    }

    /// Takes in what became of a refund.
    pub fn hear_of_refund(&mut self, news: &RefundNews) {
        self.orders.uncertain.retain(|number| *number != news.order);
        self.orders.focus.get_or_insert_with(|| news.order.clone());
        let status = match news.outcome {
            Outcome::Submitted => Some(OrderRefundStatus::Submitted),
            Outcome::Succeeded => Some(OrderRefundStatus::Succeeded),
            Outcome::Failed => Some(OrderRefundStatus::Failed),
            Outcome::NotDone => None,
        };
        let known = self.orders.known.iter_mut().find(|(order, _)| order.order_id == news.order);
        let Some((order, _)) = known else { return };
        let open = order.refunds.iter().rposition(|refund| match refund.status {
            OrderRefundStatus::Submitted | OrderRefundStatus::Unknown => true,
            OrderRefundStatus::Succeeded | OrderRefundStatus::Failed => false,
        });
        match (open, status) {
            (Some(at), Some(status)) => {
                order.refunds[at].status = status;
                recount(order);
            }
            // It was none.
            (Some(at), None) => {
                order.refunds.remove(at);
                recount(order);
            }
            (None, None) => {}
            // One that was never seen: the order is looked up anew.
            (None, Some(_)) => self.orders.known.retain(|(order, _)| order.order_id != news.order),
        }
    }
}

impl Orders {
    /// The numbers of all orders that were heard of.
    pub fn numbers(&self) -> Vec<&str> {
        let looked_up = self.known.iter().map(|(order, _)| order.order_id.as_str());
        let mut numbers: Vec<&str> = Vec::new();
        for number in looked_up.chain(self.others.iter().map(String::as_str)).chain(self.focus.as_deref()) {
            if !numbers.contains(&number) {
                numbers.push(number);
            }
        }
        numbers
    }

    /// As it was last heard of.
    pub fn known(&self, number: &str) -> Option<&GetOrderOutput> {
        self.known.iter().find(|(order, _)| order.order_id == number).map(|(order, _)| order)
    }

    /// The refund that was proposed last, for another reason: the first one, and which attempt it is.
    pub fn again(&self) -> Option<RefundOrderInput> {
        self.proposed.last().map(|last| self.numbered(last, 1))
    }

    /// The same refund for another reason, as the attempt that comes so many after those that were made.
    pub fn numbered(&self, input: &RefundOrderInput, later: usize) -> RefundOrderInput {
        let first = self.proposed.iter().find(|first| first.order_id == input.order_id).unwrap_or(input);
        let reason = format!("{} ({})", first.reason, self.proposed.len() + later);
        RefundOrderInput { reason, ..input.clone() }
    }

    /// Whether a refund that was proposed here was, or may have been, made.
    fn proposed_and_alive(&self) -> bool {
        self.proposed.iter().any(|input| {
            self.uncertain.contains(&input.order_id)
                || self.known(&input.order_id).is_some_and(|order| live_refund(order).is_some())
        })
    }

    fn hear_trouble(&mut self, trouble: OrderTrouble, turn: usize) {
        if let OrderTrouble::UnknownOrder(own) = &trouble {
            self.others = own.clone();
            // Another number answers the question for it.
            self.focus = None;
        }
        let Some(wish) = &mut self.wish else { return };
        wish.turn = turn;
        wish.trouble = Some(trouble);
    }

    /// Keeps a refund with its order.
    fn record(&mut self, refund: &Refund) {
        let row = OrderRefund {
            refund_id: refund.refund_id.clone(),
            reference: refund.reference.clone(),
            amount: refund.amount,
            status: refund.status.into(),
            created_at: refund.created_at,
        };
        if let Some((order, _)) = self.known.iter_mut().find(|(order, _)| order.order_id == refund.order_id) {
            order.refunds.retain(|known| known.refund_id != row.refund_id);
            order.refunds.push(row);
            recount(order);
        }
    }
}

/// Of the one thing of the order whose name stands in the text: all of them.
fn price_of(said: &str, order: &GetOrderOutput) -> Option<u64> {
    let names: Vec<&str> = order.items.iter().map(|item| item.name.as_str()).collect();
    let item = order.items.get(choice::by_full_name(said, &names)?)?;
    item.unit_price.checked_mul(u64::from(item.quantity))
}

/// The refund that was asked for or made; an order has one at most.
fn live_refund(order: &GetOrderOutput) -> Option<&OrderRefund> {
    order.refunds.iter().find(|refund| match refund.status {
        OrderRefundStatus::Submitted | OrderRefundStatus::Succeeded => true,
        OrderRefundStatus::Failed | OrderRefundStatus::Unknown => false,
    })
}

/// Whether it has a refund of which nobody knows what came; earlier servers only held its amount back.
fn is_uncertain(order: &GetOrderOutput) -> bool {
    let is_unknown = |refund: &OrderRefund| refund.status == OrderRefundStatus::Unknown;
    order.refunds.iter().any(is_unknown) || order.refunded.saturating_add(order.left) < order.total
}

fn recount(order: &mut GetOrderOutput) {
    let sum = |wanted: fn(OrderRefundStatus) -> bool| -> u64 {
        order.refunds.iter().filter(|refund| wanted(refund.status)).map(|refund| refund.amount).sum()
    };
    let refunded = sum(|status| match status {
        OrderRefundStatus::Submitted | OrderRefundStatus::Succeeded => true,
        OrderRefundStatus::Failed | OrderRefundStatus::Unknown => false,
    });
    let unknown = sum(|status| status == OrderRefundStatus::Unknown);
    order.refunded = refunded;
    order.left = order.total.saturating_sub(refunded).saturating_sub(unknown);
}
