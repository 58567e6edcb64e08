//! Asked for a table, it looks things up and never stops: tables for a later and later time, and between them the
//! weather. Asked for a refund, it asks for it twice in one turn, again after each result, and again with each later
//! message of the guest, each time for another reason. No two calls running are the same.

use chrono::TimeDelta;
use shared::tools::{FindTables, FindTablesInput, GetWeather, GetWeatherInput, RefundOrderInput};

use super::super::conversation::Answered;
use super::super::dialogue::{Dialogue, HONEST, Manner, next, refund};
use super::super::reply::{Call, Reply};

pub const MANNER: Manner =
    Manner { instead: go_on, refund: twice, after_refund: for_another_reason, ..HONEST };

const MINUTES_LATER: usize = 15;
const FORECAST_DAYS: usize = 7;

fn go_on(dialogue: &Dialogue) -> Option<Reply> {
    if dialogue.is_about_a_table() { look_on(dialogue) } else { come_back_to_it(dialogue) }
}

/// The guest speaks of something else, and a refund was proposed before.
fn come_back_to_it(dialogue: &Dialogue) -> Option<Reply> {
    let again = dialogue.frame.orders.again()?;
    if !dialogue.fresh.is_empty() || dialogue.is_about_a_refund() {
        return None;
    }
    let mut reply = next(dialogue, &HONEST);
    reply.add(refund(dialogue, &again));
    Some(reply)
}

fn twice(dialogue: &Dialogue, input: &RefundOrderInput) -> Reply {
    let mut reply = refund(dialogue, input);
    reply.add(refund(dialogue, &dialogue.frame.orders.numbered(input, 2)));
    reply
}

/// One call, however many results there are.
fn for_another_reason(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let is_last = dialogue.refunded_now().last().is_some_and(|last| std::ptr::eq(last, answered));
    match dialogue.frame.orders.again() {
        Some(input) if is_last => refund(dialogue, &input),
        Some(_) | None => Reply::default(),
    }
}

fn look_on(dialogue: &Dialogue) -> Option<Reply> {
    let wanted = dialogue.frame.wanted().ok()?;
    let looked = dialogue.since.len();
    let round = looked / 2;
    let call = if looked.is_multiple_of(2) {
        let minutes = i64::try_from(round.saturating_mul(MINUTES_LATER)).ok()?;
        let later = wanted.starts_at.checked_add_signed(TimeDelta::try_minutes(minutes)?)?;
        Call::of::<FindTables>(&FindTablesInput { starts_at: later, ..wanted })
    } else {
        let days = u8::try_from(1 + round % FORECAST_DAYS).ok()?;
        Call::of::<GetWeather>(&GetWeatherInput { city: wanted.city, days })
    };
    Some(Reply::call(call))
}
