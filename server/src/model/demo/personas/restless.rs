//! Asked for a table, it looks things up and never stops: tables for a later and later time, and between them the
//! weather. No two calls running are the same.

use chrono::TimeDelta;
use shared::tools::{FindTables, FindTablesInput, GetWeather, GetWeatherInput};

use super::super::dialogue::{Dialogue, HONEST, Manner};
use super::super::reply::{Call, Reply};

pub const MANNER: Manner = Manner { instead: look_on, ..HONEST };

const MINUTES_LATER: usize = 15;
const FORECAST_DAYS: usize = 7;

fn look_on(dialogue: &Dialogue) -> Option<Reply> {
    if !dialogue.is_about_a_table() {
        return None;
    }
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
