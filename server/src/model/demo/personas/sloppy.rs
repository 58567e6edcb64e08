//! Needs three attempts at a booking or a refund: broken JSON, then a wrong type and a missing field at once, then
//! right.

use serde_json::json;
use shared::tools::{CreateBooking, CreateBookingInput, RefundOrder, RefundOrderInput, Tool};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, book, refund, tell, tell_refund};
use super::super::frame::Aim;
use super::super::heard::orders::OrderTrouble;
use super::super::heard::{self, Trouble};
use super::super::orders::OrderPlan;
use super::super::reply::{Call, Reply, to_json};

pub const MANNER: Manner = Manner {
    takes_the_first: true,
    book: attempt,
    after_booking: again,
    refund: attempt_refund,
    after_refund: refund_again,
    ..HONEST
};

/// Attempts since the guest's last text.
fn attempts(dialogue: &Dialogue) -> usize {
    dialogue.calls_of(CreateBooking::NAME).count()
}

fn attempt(dialogue: &Dialogue, input: &CreateBookingInput) -> Reply {
    let arguments = match attempts(dialogue) {
        0 => {
            // Cut in the middle of an object inside the object.
            let whole = to_json(&json!({
                "restaurantId": input.restaurant_id,
                "partySize": input.party_size,
                "startsAt": { "date": input.starts_at.format("%Y-%m-%d").to_string(), "time": "" },
            }));
            whole.split(",\"time\"").next().unwrap_or_default().to_owned()
        }
        1 => to_json(&json!({ "restaurantId": input.restaurant_id, "partySize": "bốn" })),
        _ => return book(dialogue, input),
    };
    Reply::call(Call { name: CreateBooking::NAME.into(), arguments })
}

fn again(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let refused = heard::read::<CreateBooking>(answered).err();
    // A person's or the restaurant's no is not mended by writing better JSON.
    let mendable = answered.is_error && matches!(refused, Some(Trouble::BadInput | Trouble::Other));
    if mendable
        && attempts(dialogue) < 3
        && let Some(input) = wanted(dialogue)
    {
        return attempt(dialogue, &input);
    }
    tell(dialogue, answered)
}

fn attempt_refund(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    let arguments = match dialogue.calls_of(RefundOrder::NAME).count() {
        0 => {
            let whole = to_json(input);
            whole.split(",\"reason\"").next().unwrap_or_default().to_owned()
        }
        1 => to_json(&json!({ "orderId": input.order_id, "amount": "một trăm nghìn" })),
        _ => return refund(dialogue, input),
    };
    Reply::call(Call { name: RefundOrder::NAME.into(), arguments })
}

fn refund_again(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let mendable = match heard::orders::refund(answered).err() {
        Some(OrderTrouble::Other(Trouble::BadInput | Trouble::Other)) => answered.is_error,
        Some(_) | None => false,
    };
    match &dialogue.plan.order {
        Some(OrderPlan::Refund(input)) if mendable && dialogue.calls_of(RefundOrder::NAME).count() < 3 => {
            attempt_refund(dialogue, input)
        }
        Some(_) | None => tell_refund(dialogue, answered),
    }
}

/// What it would have written, had it been careful.
fn wanted(dialogue: &Dialogue) -> Option<CreateBookingInput> {
    let frame = &dialogue.frame;
    let options = frame.shown();
    let named = frame.chosen.clone();
    let first = options.iter().map(|option| &option.restaurant_id).find(|id| !frame.refused.contains(id));
    let id = named.or_else(|| first.cloned())?;
    frame.booking(&id, Aim::Closest).ok().map(|(input, _)| input)
}
