//! What shall be different at a booking, and what comes of it.

use chrono::{DateTime, Days, FixedOffset, NaiveTime, TimeDelta, Timelike};
use shared::tools::{Booking, ChangeBookingInput, CreateBookingInput};

use super::super::frame::{Frame, Missing, Said, lies_in};
use super::super::nlu::Understood;
use super::super::nlu::date::{self, DateExpr};
use super::super::nlu::errand::Counts;
use super::super::nlu::party::{self, Party};
use super::super::nlu::time::{DayPart, Reading, TimeExpr, read_bare};
use super::ErrandPlan;

/// What shall be different.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    pub said: Option<Said>,
    pub time: Option<TimeExpr>,
    pub part: Option<DayPart>,
    pub party: Option<Seats>,
    /// Another restaurant, by its id.
    pub elsewhere: Option<String>,
    /// Another restaurant, whichever.
    pub other_restaurant: bool,
    /// By how many minutes it moves.
    pub shift: Option<i32>,
    /// `muộn hơn`, without a time.
    pub other_time: bool,
    pub other_day: bool,
    /// `đổi số người`
    pub other_party: bool,
}

/// For how many people it shall be.
#[derive(Clone, Copy, Debug)]
pub enum Seats {
    For(Party),
    /// So many more than there are; negative: fewer.
    More(i32),
}

impl Frame {
    /// What comes of a wish for a booking: the call, or what has to be asked.
    pub fn change(&mut self, booking: &Booking, wish: &Wish) -> ErrandPlan {
        let party_size = match wish.party {
            None if wish.other_party => return ErrandPlan::Ask(vec![Missing::Party]),
            None => None,
            Some(Seats::For(Party::Of(count))) => Some(count),
            Some(Seats::For(Party::Unclear)) => return ErrandPlan::Ask(vec![Missing::OneParty]),
            Some(Seats::For(Party::OutOfRange)) => return self.party_out_of_range(),
            Some(Seats::More(more)) => {
                let count = i32::from(booking.party_size) + more;
                match u8::try_from(count) {
                    Ok(count @ 1..=20) => Some(count),
                    _ => return self.party_out_of_range(),
                }
            }
        };
        let starts_at = match self.new_time(booking, wish) {
            Ok(starts_at) => starts_at,
            Err(plan) => return plan,
        };
        let elsewhere = wish.elsewhere.as_ref().filter(|id| **id != booking.restaurant_id);
        if let Some(restaurant_id) = elsewhere {
            let input = CreateBookingInput {
                restaurant_id: restaurant_id.clone(),
                party_size: party_size.unwrap_or(booking.party_size),
                starts_at: starts_at.unwrap_or(booking.starts_at),
                note: booking.note.clone(),
            };
            self.errand = None;
            self.plan_as(&input, &booking.city);
            return ErrandPlan::BookElsewhere(input, booking.reference.clone());
        }
        if wish.other_restaurant {
            self.errand = None;
            return ErrandPlan::AskElsewhere(booking.reference.clone());
        }
        if starts_at.is_none() && party_size.is_none() {
            return ErrandPlan::WhatToChange(booking.reference.clone());
        }
        // Only what changes, unless nothing does: then the record says so.
        let new_time = starts_at.filter(|at| *at != booking.starts_at);
        let new_party = party_size.filter(|count| *count != booking.party_size);
        let (starts_at, party_size) = match (new_time, new_party) {
            (None, None) => (starts_at, party_size),
            changes => changes,
        };
        ErrandPlan::Change(ChangeBookingInput {
            booking_id: booking.booking_id.clone(),
            starts_at,
            party_size,
        })
    }

    fn party_out_of_range(&mut self) -> ErrandPlan {
        // A number is what is asked for.
        if let Some(errand) = &mut self.errand {
            errand.wish.party = Some(Seats::For(Party::Unclear));
        }
        ErrandPlan::PartyOutOfRange
    }

    /// When it shall be; none: the time stays. Otherwise what has to be asked.
    pub fn new_time(
        &self,
        booking: &Booking,
        wish: &Wish,
    ) -> Result<Option<DateTime<FixedOffset>>, ErrandPlan> {
        let ask = |missing: Missing| Err(ErrandPlan::Ask(vec![missing]));
        if wish.said.is_none() && wish.time.is_none() && wish.part.is_none() {
            return match (wish.shift, wish.other_time, wish.other_day) {
                (Some(minutes), _, _) => {
                    let moved = TimeDelta::minutes(i64::from(minutes));
                    booking
                        .starts_at
                        .checked_add_signed(moved)
                        .map_or_else(|| ask(Missing::OneTime), |at| Ok(Some(at)))
                }
                (None, true, _) => ask(Missing::Time),
                (None, false, true) => ask(Missing::Date),
                (None, false, false) => Ok(None),
            };
        }
        let standing = booking.starts_at.time();
        let (clock, next_day) = match (wish.time, wish.part) {
            (Some(TimeExpr::Exact(time)), _) => (time, false),
            (Some(TimeExpr::EndOfDay), _) => (NaiveTime::MIN, true),
            (Some(TimeExpr::Bare { hour, minute }), part) => match read_bare(hour, minute, part) {
                Reading::Clear(time) => (time, false),
                Reading::Ask => return ask(Missing::HalfOfDay(hour)),
            },
            (Some(TimeExpr::FromNow(minutes)), _) => {
                let Some(now) = self.now else { return Err(ErrandPlan::NoClock) };
                let then = now.local + TimeDelta::minutes(i64::from(minutes));
                let odd = i64::from((5 - then.minute() % 5) % 5);
                let then = then + TimeDelta::minutes(odd) - TimeDelta::seconds(i64::from(then.second()));
                return Ok(then.and_local_timezone(now.offset).single());
            }
            (Some(TimeExpr::Unclear), _) => return ask(Missing::OneTime),
            (None, Some(part)) if !lies_in(part, standing) => return ask(Missing::Time),
            (None, _) => (standing, false),
        };
        let day = match &wish.said {
            None => booking.starts_at.date_naive(),
            Some(said) => {
                let at = (!next_day).then_some(clock);
                match date::one_day(&said.dates, said.at.local, at, said.language) {
                    Ok(day) => day,
                    Err(problem) => return ask(Missing::DateIs(problem)),
                }
            }
        };
        let day = if next_day { day.checked_add_days(Days::new(1)).unwrap_or(day) } else { day };
        match day.and_time(clock).and_local_timezone(*booking.starts_at.offset()).single() {
            Some(at) => Ok(Some(at)),
            None => ask(Missing::OneTime),
        }
    }

    /// `counts`: what a lone number in it counts, where that was told besides.
    pub fn wish(&self, said: &Understood, counts: Option<Counts>) -> Wish {
        let dates: Vec<DateExpr> = said.dates.iter().map(|(expr, _)| *expr).collect();
        let language = self.language();
        let said_days = match self.now {
            Some(at) if !dates.is_empty() => Some(Said { dates, at, language }),
            Some(_) | None => None,
        };
        let mut wish = Wish {
            said: said_days,
            time: said.time,
            part: said.part,
            party: said.more.map(Seats::More).or(said.party.map(Seats::For)),
            elsewhere: None,
            other_restaurant: false,
            shift: said.shift,
            other_time: said.errand.other_time,
            other_day: said.errand.other_day,
            other_party: said.errand.moves && said.errand.people,
        };
        match (said.lone_number, counts) {
            (Some(number), Some(Counts::People)) => wish.party = Some(Seats::For(party::of_number(number))),
            (Some(number), Some(Counts::Hours)) => wish.time = hour_of(number),
            (Some(_), None) | (None, _) => {}
        }
        wish
    }
}

impl Wish {
    /// Later wishes override.
    pub fn take(&mut self, later: Self) {
        let Self {
            said,
            time,
            part,
            party,
            elsewhere: _,
            other_restaurant: _,
            shift,
            other_time,
            other_day,
            other_party,
        } = later;
        let moves_on = said.is_some() || time.is_some() || part.is_some();
        if shift.is_some() {
            (self.said, self.time, self.part) = (None, None, None);
        } else if moves_on {
            self.shift = None;
        }
        self.said = said.or(self.said.take());
        if let (None, Some(part), Some(TimeExpr::Exact(before))) = (time, part, self.time)
            && !lies_in(part, before)
        {
            self.time = None;
        }
        if time.is_some() {
            self.part = None;
        }
        self.time = time.or(self.time);
        self.part = part.or(self.part);
        self.party = party.or(self.party);
        self.shift = shift.or(self.shift);
        self.other_time |= other_time;
        self.other_day |= other_day;
        self.other_party |= other_party;
    }

    /// Whether it lacks nothing but the hour.
    pub fn needs_hour(&self) -> bool {
        let none = self.time.is_none_or(|time| time == TimeExpr::Unclear);
        none && (self.said.is_some() || self.part.is_some() || self.other_time || self.time.is_some())
    }
}

/// A bare number, as an hour.
pub fn hour_of(number: u32) -> Option<TimeExpr> {
    match number {
        1..=12 => Some(TimeExpr::Bare { hour: number, minute: 0 }),
        0 | 13..=24 => NaiveTime::from_hms_opt(number % 24, 0, 0).map(TimeExpr::Exact),
        _ => None,
    }
}
