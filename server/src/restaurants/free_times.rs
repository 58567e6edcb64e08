//! Free tables around a wanted time.

use chrono::{DateTime, FixedOffset, TimeDelta, Utc};

use super::Restaurant;
use super::availability::{HOLD, Held, seats_free};
use super::bookings::check_window;

const SLOT: TimeDelta = TimeDelta::minutes(30);
/// Slots before and after the wanted time: two hours each way.
const SLOTS_EACH_WAY: i32 = 4;
const MAX_TIMES: usize = 6;

/// The moments that are tried, in order: half an hour apart, around the quarter of an hour that is
/// closest to the wanted time.
pub fn slots(wanted: DateTime<Utc>) -> Vec<DateTime<Utc>> {
    const QUARTER: i64 = 15 * 60;
    let quarter = (wanted.timestamp() + QUARTER / 2).div_euclid(QUARTER) * QUARTER;
    let Some(middle) = DateTime::from_timestamp(quarter, 0) else {
        return Vec::new();
    };
    (-SLOTS_EACH_WAY..=SLOTS_EACH_WAY).filter_map(|n| middle.checked_add_signed(SLOT * n)).collect()
}

/// The whole time that bookings at [`slots`] would touch.
pub fn span(wanted: DateTime<Utc>) -> (DateTime<Utc>, DateTime<Utc>) {
    let slots = slots(wanted);
    let first = slots.first().copied().unwrap_or(wanted);
    let last = slots.last().copied().unwrap_or(wanted);
    (first, last + HOLD)
}

/// The times around `wanted` at which the party would get its seats at once: those closest to it, in
/// order, by the restaurant's clock. `held`: what is held in [`span`].
pub fn free_times(
    restaurant: &Restaurant,
    held: &[Held],
    party_size: u8,
    wanted: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Vec<DateTime<FixedOffset>> {
    let mut times: Vec<_> = slots(wanted)
        .into_iter()
        .filter(|slot| check_window(*slot, now).is_ok())
        .filter(|slot| restaurant.takes_guests_at(*slot))
        .filter(|slot| seats_free(restaurant.seats, held, *slot) >= u32::from(party_size))
        .collect();
    // Of two that are as close the earlier one stays.
    times.sort_by_key(|slot| (distance(*slot, wanted), *slot));
    times.truncate(MAX_TIMES);
    times.sort_unstable();
    times.into_iter().map(|slot| restaurant.local(slot)).collect()
}

/// How far the closest of `times` is from the wanted one; none: there is no time.
pub fn closest(times: &[DateTime<FixedOffset>], wanted: DateTime<Utc>) -> Option<TimeDelta> {
    times.iter().map(|time| distance(time.to_utc(), wanted)).min()
}

fn distance(one: DateTime<Utc>, other: DateTime<Utc>) -> TimeDelta {
    one.signed_duration_since(other).abs()
}
