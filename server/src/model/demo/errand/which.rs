//! Which booking is meant.

use chrono::{NaiveDate, Timelike};
use shared::tools::Booking;

use super::super::frame::{Frame, lies_in};
use super::super::nlu::Understood;
use super::super::nlu::choice::{self, Choice};
use super::super::nlu::city::PlaceKind;
use super::super::nlu::party::Party;
use super::super::nlu::text::Text;
use super::super::nlu::time::{DayPart, TimeExpr};

/// What tells one booking from another.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    pub references: Vec<String>,
    pub restaurants: Vec<String>,
    pub cities: Vec<String>,
    pub days: Vec<(NaiveDate, NaiveDate)>,
    pub time: Option<TimeExpr>,
    pub part: Option<DayPart>,
    pub party: Option<u8>,
    /// Its place in the list that was shown last.
    pub place: Option<Choice>,
    pub that: bool,
    pub all: bool,
}

impl Marks {
    /// Whether they say what the booking is like.
    pub fn describe(&self) -> bool {
        !self.restaurants.is_empty()
            || !self.cities.is_empty()
            || !self.days.is_empty()
            || self.time.is_some()
            || self.part.is_some()
            || self.party.is_some()
    }

    fn fit(&self, booking: &Booking) -> bool {
        let (day, time) = (booking.starts_at.date_naive(), booking.starts_at.time());
        let at_that_time = match self.time {
            None | Some(TimeExpr::FromNow(_) | TimeExpr::EndOfDay | TimeExpr::Unclear) => true,
            Some(TimeExpr::Exact(wanted)) => time == wanted,
            Some(TimeExpr::Bare { hour, minute }) => time.hour() % 12 == hour % 12 && time.minute() == minute,
        };
        at_that_time
            && (self.restaurants.is_empty() || self.restaurants.contains(&booking.restaurant_id))
            && (self.cities.is_empty() || self.cities.contains(&booking.city))
            && (self.days.is_empty() || self.days.iter().any(|(first, last)| (*first..=*last).contains(&day)))
            && self.part.is_none_or(|part| lies_in(part, time))
            && self.party.is_none_or(|party| party == booking.party_size)
    }
}

/// What the marks come to.
pub enum Picked {
    One(Booking),
    /// Their references.
    Several(Vec<String>),
    /// The list has to be looked at.
    Unknown,
    NoneSuch,
    NothingToCome,
}

impl Frame {
    /// The booking that is meant, as far as the ones are known that were heard of.
    pub fn pick(&self, marks: &Marks) -> Picked {
        let fresh = self.is_fresh();
        let live = self.live();
        let references =
            |of: &[&Booking]| of.iter().map(|booking| booking.reference.clone()).collect::<Vec<_>>();
        let known = |reference: &String| {
            self.bookings.iter().find(|known| known.reference.eq_ignore_ascii_case(reference))
        };
        match marks.references.as_slice() {
            [] => {}
            [reference] => {
                return match known(reference) {
                    Some(booking) => Picked::One(booking.clone()),
                    None if fresh => Picked::NoneSuch,
                    None => Picked::Unknown,
                };
            }
            several => return Picked::Several(several.to_vec()),
        }
        if let (Some(place), Some((ids, _))) = (&marks.place, &self.listed) {
            let at = |index: usize| {
                self.bookings.iter().find(|booking| Some(&booking.booking_id) == ids.get(index))
            };
            match place {
                Choice::Among(among) => {
                    if let [index] = among.as_slice()
                        && let Some(booking) = at(*index)
                    {
                        return Picked::One(booking.clone());
                    }
                }
                Choice::NotInList => return Picked::NoneSuch,
                Choice::Any | Choice::That => {}
            }
        }
        let fitting: Vec<&Booking> = live.iter().copied().filter(|booking| marks.fit(booking)).collect();
        if marks.all && live.len() > 1 {
            return Picked::Several(references(&live));
        }
        let focus = live.iter().find(|booking| Some(&booking.booking_id) == self.focus.as_ref());
        let pointed_at = marks.that && marks.restaurants.is_empty();
        match (fitting.as_slice(), focus) {
            ([booking], _) => Picked::One((*booking).clone()),
            // `ban nay` is `bàn này`, and also today's.
            ([], Some(booking)) if pointed_at => Picked::One((*booking).clone()),
            (_, Some(booking)) if pointed_at && !marks.describe() => Picked::One((*booking).clone()),
            (_, _) if !fresh => Picked::Unknown,
            ([], _) if live.is_empty() => Picked::NothingToCome,
            ([], _) => Picked::NoneSuch,
            (several, _) => Picked::Several(references(several)),
        }
    }

    /// `cái đầu tiên`, of the list of bookings that was shown last.
    pub fn place_in_list(&self, raw: &str) -> Option<Choice> {
        let (ids, _) = self.listed.as_ref()?;
        let mention = choice::by_place(&mut Text::new(raw), ids.len())?;
        match mention.choice {
            Choice::Among(_) | Choice::NotInList => (!mention.refused).then_some(mention.choice),
            Choice::Any | Choice::That => None,
        }
    }

    /// What a text says of the booking that it means.
    pub fn marks(&self, said: &Understood, raw: &str) -> Marks {
        let days = self.now.map(|now| {
            let spans = said.dates.iter().map(|(expr, _)| expr.span(now.local, self.language()));
            spans.filter_map(Result::ok).collect()
        });
        Marks {
            references: said.references.clone(),
            restaurants: self.booked_among(&said.spoken_of),
            cities: said
                .places
                .iter()
                .filter(|place| place.kind == PlaceKind::Known)
                .map(|place| place.name.clone())
                .collect(),
            days: days.unwrap_or_default(),
            time: said.time,
            part: said.part,
            party: match said.party {
                // `cả hai`
                Some(Party::Of(count)) if !said.errand.all => Some(count),
                Some(Party::Of(_) | Party::OutOfRange | Party::Unclear) | None => None,
            },
            place: self.place_in_list(raw),
            that: said.errand.that,
            all: said.errand.all,
        }
    }
}
