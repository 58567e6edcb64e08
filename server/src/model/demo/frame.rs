//! What the conversation has come to: the wishes that have added up, what was found and proposed. It is
//! made anew from the history for every request.

use chrono::{DateTime, Days, FixedOffset, NaiveTime, TimeDelta, Timelike};
use shared::tools::{
    Booking, BookingStatus, CancelBooking, ChangeBooking, CreateBooking, CreateBookingInput, FindTables,
    FindTablesInput, FindTablesOutput, GetOrder, GetWeather, ListBookings, RefundOrder, TableOption, Tool,
};

use super::conversation::{Answered, Now};
use super::errand::Errand;
use super::heard::{self, Trouble};
use super::news::{BookingNews, Happened, News};
use super::nlu::date::{self, DateExpr, DateProblem};
use super::nlu::lang::Language;
use super::nlu::party::Party;
use super::nlu::time::{DayPart, Reading, TimeExpr, read_bare};
use super::orders::Orders;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Weather,
    Table,
}

/// Days as they were said, and when that was.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    pub dates: Vec<DateExpr>,
    pub at: Now,
    pub language: Language,
}

/// What a table still lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    City,
    /// Several were named.
    OneCity,
    Date,
    DateIs(DateProblem),
    Time,
    /// Morning or afternoon? The hour that was said.
    HalfOfDay(u32),
    OneTime,
    Party,
    OneParty,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    One(String),
    Several,
}

/// The forecast that was asked for last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    pub cities: Vec<String>,
    pub said: Option<Said>,
    pub days: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Attempt {
    pub input: CreateBookingInput,
    pub result: Result<Booking, Trouble>,
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub language: Option<Language>,
    pub now: Option<Now>,
    pub topic: Option<Topic>,
    pub forecast: Forecast,
    pub city: Option<Place>,
    pub said: Option<Said>,
    pub time: Option<TimeExpr>,
    pub part: Option<DayPart>,
    pub party: Option<Party>,
    pub cuisine: Option<&'static str>,
    pub notes: Vec<String>,
    /// Every search that found something, the last one last.
    pub finds: Vec<(FindTablesInput, FindTablesOutput)>,
    pub chosen: Option<String>,
    /// Restaurants that the guest does not want.
    pub refused: Vec<String>,
    pub attempt: Option<Attempt>,
    /// How many texts of the guest there were.
    pub turn: usize,
    /// Every booking that was heard of, as it stands by the last word of it.
    pub bookings: Vec<Booking>,
    /// Their ids in the order of the last list of them, and the turn in which it came.
    pub listed: Option<(Vec<String>, usize)>,
    /// The id of the booking that was spoken of last.
    pub focus: Option<String>,
    /// What the guest wants with a booking, while it is not settled.
    pub errand: Option<Errand>,
    pub orders: Orders,
}

/// Free times further away than this from the wanted one belong to another search.
const WINDOW: TimeDelta = TimeDelta::hours(3);
/// Between two times of a list.
const SLOT: TimeDelta = TimeDelta::minutes(30);
const LONGEST_NOTE: usize = 300;

impl Frame {
    pub fn language(&self) -> Language {
        self.language.unwrap_or(Language::Vietnamese)
    }

    pub fn is_booked(&self) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| attempt.result.is_ok())
    }

    /// A new booking is planned: only the city stays.
    pub fn start_again(&mut self) {
        *self = Self {
            language: self.language,
            now: self.now,
            topic: self.topic,
            forecast: std::mem::take(&mut self.forecast),
            city: self.city.take(),
            turn: self.turn,
            bookings: std::mem::take(&mut self.bookings),
            listed: self.listed.take(),
            focus: self.focus.take(),
            errand: self.errand.take(),
            orders: std::mem::take(&mut self.orders),
            ..Self::default()
        };
    }

    /// The bookings that can still be changed, in order of time.
    pub fn live(&self) -> Vec<&Booking> {
        let mut live: Vec<&Booking> = self.bookings.iter().filter(|booking| self.is_live(booking)).collect();
        live.sort_by_key(|booking| booking.starts_at);
        live
    }

    fn is_live(&self, booking: &Booking) -> bool {
        let stands = match booking.status {
            BookingStatus::Confirmed | BookingStatus::Waitlisted => true,
            BookingStatus::Cancelled => false,
        };
        let ahead = |now: Now| booking.starts_at.with_timezone(&now.offset).naive_local() > now.local;
        stands && self.now.is_none_or(ahead)
    }

    /// Keeps how a booking stands.
    pub fn record(&mut self, booking: &Booking) {
        match self.bookings.iter_mut().find(|known| known.booking_id == booking.booking_id) {
            Some(known) => known.clone_from(booking),
            None => self.bookings.push(booking.clone()),
        }
        let made_here = self.attempt.as_mut().and_then(|attempt| attempt.result.as_mut().ok());
        let cancelled = booking.status == BookingStatus::Cancelled;
        if cancelled && self.focus.as_ref() == Some(&booking.booking_id) {
            self.focus = None;
        }
        if let Some(made) = made_here.filter(|made| made.booking_id == booking.booking_id) {
            made.clone_from(booking);
            // Nothing is booked any more: what comes next is planned anew.
            if cancelled {
                self.start_again();
            }
        }
    }

    /// Takes in what the server's line tells, and gives what the guest should hear of it.
    pub fn take_in(&mut self, news: &[News]) -> Vec<News> {
        for news in news {
            match news {
                News::OfBooking(news) => self.hear_of_booking(news),
                News::OfRefund(news) => self.hear_of_refund(news),
            }
        }
        let to_tell = |(at, one): &(usize, &News)| match one {
            News::OfRefund(_) => true,
            News::OfBooking(one) => {
                let cancelled_later = news[at + 1..].iter().any(|later| match later {
                    News::OfBooking(later) => {
                        later.reference == one.reference && later.happened == Happened::Cancelled
                    }
                    News::OfRefund(_) => false,
                });
                one.happened == Happened::MovedUp && !cancelled_later
            }
        };
        news.iter().enumerate().filter(to_tell).map(|(_, news)| news.clone()).collect()
    }

    fn hear_of_booking(&mut self, news: &BookingNews) {
        let known = self.bookings.iter().find(|booking| booking.reference == news.reference);
        let Some(mut booking) = known.cloned() else { return };
        match news.happened {
            Happened::MovedUp => booking.status = BookingStatus::Confirmed,
            Happened::Cancelled => booking.status = BookingStatus::Cancelled,
            Happened::Changed => {}
        }
        booking.party_size = news.party_size;
        let offset = *booking.starts_at.offset();
        if let Some(starts_at) = news.starts_at.and_local_timezone(offset).single() {
            booking.starts_at = starts_at;
        }
        self.record(&booking);
    }

    pub fn shown(&self) -> &[TableOption] {
        self.finds.last().map_or(&[], |(_, found)| &found.restaurants)
    }

    /// Every restaurant that was found, those of the last list first.
    pub fn known(&self) -> Vec<&TableOption> {
        let mut known: Vec<&TableOption> = Vec::new();
        for option in self.finds.iter().rev().flat_map(|(_, found)| &found.restaurants) {
            if known.iter().all(|other| other.restaurant_id != option.restaurant_id) {
                known.push(option);
            }
        }
        known
    }

    /// The clock time that is wanted, and whether it is the day after (midnight).
    fn clock(&self) -> Result<(NaiveTime, bool), Missing> {
        match self.time {
            None => Err(Missing::Time),
            Some(TimeExpr::Exact(time)) => Ok((time, false)),
            Some(TimeExpr::EndOfDay) => Ok((NaiveTime::MIN, true)),
            Some(TimeExpr::Bare { hour, minute }) => match read_bare(hour, minute, self.part) {
                Reading::Clear(time) => Ok((time, false)),
                Reading::Ask => Err(Missing::HalfOfDay(hour)),
            },
            Some(TimeExpr::FromNow(_) | TimeExpr::Unclear) => Err(Missing::OneTime),
        }
    }

    /// When the table is wanted, or what is missing for that.
    pub fn starts_at(&self) -> Result<DateTime<FixedOffset>, Vec<Missing>> {
        let clock = self.clock();
        let day = match &self.said {
            None => Err(Missing::Date),
            Some(said) => {
                let at = clock.as_ref().ok().filter(|(_, next_day)| !next_day).map(|(time, _)| *time);
                date::one_day(&said.dates, said.at.local, at, said.language)
                    .map(|day| (day, said.at.offset))
                    .map_err(Missing::DateIs)
            }
        };
        match (day, clock) {
            (Ok((day, offset)), Ok((time, next_day))) => {
                let day = if next_day { day.checked_add_days(Days::new(1)).unwrap_or(day) } else { day };
                day.and_time(time).and_local_timezone(offset).single().ok_or(vec![Missing::OneTime])
            }
            (day, clock) => Err(day.err().into_iter().chain(clock.err()).collect()),
        }
    }

    /// What findTables needs, or what is missing for it.
    pub fn wanted(&self) -> Result<FindTablesInput, Vec<Missing>> {
        let mut missing: Vec<Missing> = Vec::new();
        let city = match &self.city {
            Some(Place::One(city)) => Some(city.clone()),
            Some(Place::Several) => {
                missing.push(Missing::OneCity);
                None
            }
            None => {
                missing.push(Missing::City);
                None
            }
        };
        let starts_at = self.starts_at().map_err(|lacking| missing.extend(lacking)).ok();
        let party_size = match self.party {
            Some(Party::Of(count)) => Some(count),
            Some(Party::Unclear) => {
                missing.push(Missing::OneParty);
                None
            }
            Some(Party::OutOfRange) | None => {
                missing.push(Missing::Party);
                None
            }
        };
        match (city, starts_at, party_size) {
            (Some(city), Some(starts_at), Some(party_size)) => {
                let cuisine = self.cuisine.map(str::to_owned);
                Ok(FindTablesInput { city, starts_at, party_size, cuisine })
            }
            _ => Err(missing),
        }
    }

    pub fn note(&self) -> Option<String> {
        let note: String = self.notes.join("; ").chars().take(LONGEST_NOTE).collect();
        (!note.is_empty()).then_some(note)
    }

    /// The proposal for a restaurant. True: it is at another time than the wanted one.
    pub fn booking(&self, restaurant_id: &str, aim: Aim) -> Result<(CreateBookingInput, bool), Vec<Missing>> {
        let starts_at = self.starts_at();
        let (starts_at, party_size) = match (starts_at, self.party) {
            (Ok(starts_at), Some(Party::Of(count))) => (starts_at, count),
            (starts_at, party) => {
                let mut missing = starts_at.err().unwrap_or_default();
                if !matches!(party, Some(Party::Of(_))) {
                    missing.push(Missing::Party);
                }
                return Err(missing);
            }
        };
        // Free times hold for the party that was searched for.
        let same_party = |(input, _): &&(FindTablesInput, FindTablesOutput)| input.party_size == party_size;
        let at = self
            .finds
            .iter()
            .rev()
            .filter(same_party)
            .flat_map(|(_, found)| &found.restaurants)
            .filter(|option| option.restaurant_id == restaurant_id)
            .find_map(|option| aim.among(&option.free_times, starts_at))
            .unwrap_or(starts_at);
        let input = CreateBookingInput {
            restaurant_id: restaurant_id.to_owned(),
            party_size,
            starts_at: at,
            note: self.note(),
        };
        Ok((input, at != starts_at))
    }

    /// Takes in what a tool said.
    pub fn learn(&mut self, answered: &Answered) {
        let input = serde_json::Value::Object(answered.input.clone());
        if answered.name == FindTables::NAME {
            if let (Ok(input), Ok(found)) =
                (serde_json::from_value(input), heard::read::<FindTables>(answered))
            {
                self.finds.push((input, found));
            }
        } else if answered.name == CreateBooking::NAME {
            let Ok(input) = serde_json::from_value::<CreateBookingInput>(input) else { return };
            let result = heard::read::<CreateBooking>(answered);
            self.chosen = Some(input.restaurant_id.clone());
            let made = result.as_ref().ok().cloned();
            self.attempt = Some(Attempt { input, result });
            if let Some(booking) = made {
                self.topic = None;
                self.focus = Some(booking.booking_id.clone());
                self.record(&booking);
            }
        } else if answered.name == ListBookings::NAME {
            match heard::read::<ListBookings>(answered) {
                Ok(output) => {
                    output.bookings.iter().for_each(|booking| self.record(booking));
                    let ids = output.bookings.into_iter().map(|booking| booking.booking_id).collect();
                    self.listed = Some((ids, self.turn));
                }
                Err(_) => self.errand = None,
            }
        } else if answered.name == CancelBooking::NAME {
            self.settle_errand(heard::read::<CancelBooking>(answered));
        } else if answered.name == ChangeBooking::NAME {
            self.settle_errand(heard::read::<ChangeBooking>(answered));
        } else if answered.name == GetOrder::NAME {
            self.learn_order(heard::orders::order(answered));
        } else if answered.name == RefundOrder::NAME {
            let Ok(input) = serde_json::from_value(input) else { return };
            self.learn_refund(input, heard::orders::refund(answered));
        } else if answered.name == GetWeather::NAME && self.topic.is_none() {
            self.topic = Some(Topic::Weather);
        }
    }

    /// Sets the part of the day; a time that was named before and lies in another one is dropped.
    pub fn set_part(&mut self, part: DayPart, with_time: bool) {
        self.part = Some(part);
        if with_time {
            return;
        }
        if let Some(TimeExpr::Exact(time)) = self.time
            && !lies_in(part, time)
        {
            self.time = None;
        }
    }
}

/// Whether a time may be meant by a part of the day.
pub fn lies_in(part: DayPart, time: NaiveTime) -> bool {
    let hours = match part {
        DayPart::Morning => 5..12,
        DayPart::Noon => 10..15,
        DayPart::Afternoon => 12..19,
        DayPart::Evening | DayPart::Night => 17..24,
    };
    hours.contains(&time.hour())
}

/// At which time a booking is proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The wanted one, whatever was listed.
    Wanted,
    /// The listed one that is closest, where the list reaches as far as the wanted one: what lies beyond
    /// it may be free as well.
    Listed,
    /// The listed one that is closest.
    Closest,
}

impl Aim {
    /// None: the list says nothing about the wanted time.
    pub fn among(
        self,
        free: &[DateTime<FixedOffset>],
        wanted: DateTime<FixedOffset>,
    ) -> Option<DateTime<FixedOffset>> {
        let near = closest(free, wanted)?;
        let (first, last) = (free.iter().min()?, free.iter().max()?);
        let tells = match self {
            Self::Wanted => false,
            Self::Listed => *first - SLOT <= wanted && wanted <= *last + SLOT,
            Self::Closest => (near - wanted).abs() <= WINDOW,
        };
        tells.then_some(near)
    }
}

/// The time that lies closest to another; of two, the earlier.
pub fn closest(
    times: &[DateTime<FixedOffset>],
    wanted: DateTime<FixedOffset>,
) -> Option<DateTime<FixedOffset>> {
    times.iter().copied().min_by_key(|time| ((*time - wanted).abs(), *time))
}
