//! What the guest wants with a booking that was made: to see, to change or to cancel it. Nothing here
//! speaks or calls.

mod which;
mod wish;

use shared::tools::{Booking, BookingStatus, CancelBookingInput, ChangeBookingInput, CreateBookingInput};

use self::which::{Marks, Picked};
use self::wish::{Seats, Wish, hour_of};
use super::frame::{Frame, Missing, Place, Said, Topic};
use super::heard::Trouble;
use super::nlu::Understood;
use super::nlu::date::DateExpr;
use super::nlu::errand::{from_and_to, what_is_counted, without_lead};
use super::nlu::party::{self, Party};
use super::nlu::time::TimeExpr;
use super::plan::drops_idea;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    Cancel,
    Change,
}

/// What the guest wants with a booking, while it is not settled.
#[derive(Clone, Debug)]
pub struct Errand {
    pub deed: Deed,
    /// The text that asked for it.
    asked: String,
    /// The text that tells which booking is meant.
    told_by: String,
    /// The booking, once that is known.
    booking: Option<String>,
    wish: Wish,
    /// Why it was not done at the last attempt, and the turn of that.
    trouble: Option<(Trouble, usize)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ErrandPlan {
    /// To show them.
    Show,
    /// To find out which one is meant.
    LookUp,
    Cancel(CancelBookingInput),
    Change(ChangeBookingInput),
    /// A booking cannot move to another restaurant: there first, then this one is cancelled. Its reference.
    BookElsewhere(CreateBookingInput, String),
    /// What was cancelled before.
    BookAgain(CreateBookingInput),
    /// Which restaurant instead of that of this booking?
    AskElsewhere(String),
    /// Which of these? Their references.
    Which(Deed, Vec<String>),
    /// No booking is like what was said.
    NoneSuch(Deed),
    NothingToCome(Deed),
    /// What shall be different at the booking with this reference?
    WhatToChange(String),
    /// What shall become of it?
    CancelOrChange(String),
    Ask(Vec<Missing>),
    PartyOutOfRange,
    NoClock,
    /// Everything stays as it is.
    Kept,
    /// An idea is dropped, but the booking with this reference stands.
    StillBooked(String),
}

impl Frame {
    /// The plan for what is said about bookings that were made; none where it is about something else.
    pub fn hear_errand(&mut self, said: &Understood, raw: &str) -> Option<ErrandPlan> {
        let words = &said.errand;
        let planning = self.topic == Some(Topic::Table) && !self.is_booked();
        if self.errand.is_some()
            && let Some(plan) = self.go_on(said, raw)
        {
            return Some(plan);
        }
        let named = self.booked_among(&said.spoken_of);
        let named_only = !named.is_empty() && self.found_among(&said.spoken_of).is_empty();
        let clear = !said.references.is_empty()
            || words.owned
            || named_only
            || !planning && self.is_fresh() && self.place_in_list(raw).is_some();
        if words.keeps && !planning && !self.live().is_empty() && said.intents.table.is_none() {
            self.errand = None;
            return Some(ErrandPlan::Kept);
        }
        if words.cancels && (clear || !planning) {
            // `hủy rồi đặt lại lúc 8 giờ`
            let anew = words.again && !said.intents.other_restaurant && said.time.is_some();
            return Some(self.begin(if anew { Deed::Change } else { Deed::Cancel }, raw));
        }
        if self.asks_for_change(said, planning, clear) {
            return Some(self.begin(Deed::Change, raw));
        }
        let whole_wish = !said.places.is_empty() && (said.time.is_some() || said.party.is_some());
        if words.lists && !words.cancels && !words.moves && !whole_wish {
            self.errand = None;
            return Some(ErrandPlan::Show);
        }
        if words.again
            && !planning
            && said.places.is_empty()
            && said.choice.is_none()
            && let Some(plan) = self.again(said, raw)
        {
            return Some(plan);
        }
        let no_wish = said.intents.table.is_none() && said.intents.weather.is_none();
        if !said.references.is_empty() && no_wish && said.unread <= 2 {
            return Some(match self.pick(&self.marks(said, raw)) {
                Picked::One(booking) if !words.shows => {
                    self.focus = Some(booking.booking_id);
                    ErrandPlan::CancelOrChange(booking.reference)
                }
                Picked::One(_)
                | Picked::Several(_)
                | Picked::Unknown
                | Picked::NoneSuch
                | Picked::NothingToCome => ErrandPlan::Show,
            });
        }
        if named_only && no_wish && !planning && said.unread <= 2 {
            let live: Vec<&Booking> =
                self.live().into_iter().filter(|booking| named.contains(&booking.restaurant_id)).collect();
            if let [booking] = live.as_slice() {
                let (id, reference) = (booking.booking_id.clone(), booking.reference.clone());
                self.focus = Some(id);
                return Some(ErrandPlan::CancelOrChange(reference));
            }
        }
        // An idea is dropped, long after it became a booking: only a clear word cancels that.
        let cannot_come = words.cannot_come && said.intents.table.is_none() && !said.has_slots();
        if (drops_idea(said) || cannot_come) && self.is_booked() {
            let made = self.attempt.as_ref().and_then(|attempt| attempt.result.as_ref().ok());
            return made.map(|booking| ErrandPlan::StillBooked(booking.reference.clone()));
        }
        None
    }

    fn asks_for_change(&self, said: &Understood, planning: bool, clear: bool) -> bool {
        let (words, intents) = (&said.errand, &said.intents);
        let has_live = !self.live().is_empty();
        if words.moves && !said.references.is_empty() {
            return true;
        }
        if planning {
            return words.moves && clear && has_live;
        }
        if intents.weather.is_some() {
            return false;
        }
        // `đổi bàn`, where nothing is proposed that it could be about.
        if words.moves && (clear || intents.change_table) {
            return true;
        }
        let change = words.moves || intents.change || said.more.is_some() || said.shift.is_some();
        let only_these = said.cuisine.is_none();
        if words.other_restaurant {
            return has_live;
        }
        if change && (intents.other_restaurant || !said.spoken_of.is_empty()) && words.moves {
            return has_live;
        }
        let time = said.time.is_some()
            || said.part.is_some()
            || said.shift.is_some()
            || words.other_time
            || words.moves && words.other_day;
        let people = said.party.is_some() || said.more.is_some() || words.moves && words.people;
        let slots = time || people || !said.dates.is_empty();
        let of_weather = self.topic == Some(Topic::Weather) && !time && !people;
        change
            && slots
            && only_these
            && said.places.is_empty()
            && intents.table.is_none()
            && said.unread <= 2
            && !of_weather
            && (has_live || words.moves && self.attempt.is_none() && self.finds.is_empty())
    }

    /// The answer to what was asked about an errand that is open.
    fn go_on(&mut self, said: &Understood, raw: &str) -> Option<ErrandPlan> {
        let shorter = without_lead(raw).map(|raw| self.understand(&raw));
        let said = shorter.as_ref().unwrap_or(said);
        let open = self.errand.clone()?;
        let (words, intents) = (&said.errand, &said.intents);
        if let Some(booking) = &open.booking {
            self.focus = Some(booking.clone());
        }
        if words.cancels || words.moves || words.lists || intents.weather.is_some() {
            return None;
        }
        if words.keeps || intents.cancel || intents.no {
            self.errand = None;
            return Some(ErrandPlan::Kept);
        }
        let Some(booking) = open.booking.clone() else {
            let marks = self.marks(said, raw);
            let told =
                !marks.references.is_empty() || marks.describe() || marks.place.is_some() || marks.that;
            let elsewhere = intents.table.is_some() && marks.references.is_empty();
            return (told && !elsewhere && said.unread <= 3).then(|| {
                self.errand = Some(Errand { told_by: raw.to_owned(), ..open });
                self.settle(&marks)
            });
        };
        if intents.table.is_some() || !said.places.is_empty() {
            return None;
        }
        let again = open
            .trouble
            .is_some_and(|(trouble, turn)| turn + 1 >= self.turn && may_be_proposed_again(trouble));
        if intents.yes {
            return Some(match open.deed {
                _ if again => self.act(&booking),
                Deed::Cancel => return None,
                Deed::Change => ErrandPlan::WhatToChange(self.reference(&booking)?),
            });
        }
        let slots = !said.dates.is_empty()
            || said.time.is_some()
            || said.part.is_some()
            || said.party.is_some()
            || said.more.is_some()
            || said.shift.is_some()
            || said.lone_number.is_some();
        if open.deed != Deed::Change || !slots || said.unread > 2 {
            return None;
        }
        let later = self.wish(said, None);
        let errand = self.errand.as_mut()?;
        errand.wish.take(later);
        if let Some(number) = said.lone_number {
            match errand.wish.party {
                Some(Seats::For(Party::Unclear)) => {
                    errand.wish.party = Some(Seats::For(party::of_number(number)));
                }
                None if errand.wish.other_party => {
                    errand.wish.party = Some(Seats::For(party::of_number(number)));
                }
                Some(Seats::For(Party::Of(_) | Party::OutOfRange) | Seats::More(_)) | None => {
                    if errand.wish.needs_hour() {
                        errand.wish.time = hour_of(number);
                    }
                }
            }
        }
        Some(self.act(&booking))
    }

    /// Begins with what was asked.
    pub fn begin(&mut self, deed: Deed, raw: &str) -> ErrandPlan {
        let errand = Errand {
            deed,
            asked: raw.to_owned(),
            told_by: raw.to_owned(),
            booking: None,
            wish: Wish::default(),
            trouble: None,
        };
        self.errand = Some(errand);
        self.read_errand()
    }

    /// The list of the bookings has come: goes on with what is open.
    pub fn errand_after_list(&mut self) -> Option<ErrandPlan> {
        let errand = self.errand.as_ref()?;
        if errand.booking.is_some() {
            return None;
        }
        if errand.asked == errand.told_by {
            return Some(self.read_errand());
        }
        let said = self.understand(&errand.told_by);
        let marks = self.marks(&said, &errand.told_by);
        Some(self.settle(&marks))
    }

    /// Reads what was asked, with the names of the bookings that are known by now.
    fn read_errand(&mut self) -> ErrandPlan {
        let Some(errand) = self.errand.clone() else { return ErrandPlan::Kept };
        let parts = match errand.deed {
            Deed::Cancel => None,
            Deed::Change => from_and_to(&errand.asked),
        };
        let marks = match (&parts, errand.deed) {
            (Some((from, _)), _) => self.marks(&self.understand(from), from),
            (None, Deed::Cancel) => self.marks(&self.understand(&errand.asked), &errand.asked),
            // Days and times are what it shall be.
            (None, Deed::Change) => {
                let said = self.understand(&errand.asked);
                let marks = self.marks(&said, &errand.asked);
                Marks { days: Vec::new(), time: None, part: None, party: None, ..marks }
            }
        };
        let wish = match (&parts, errand.deed) {
            (Some((from, to)), _) => {
                let (from, to) = (self.understand(from), self.understand_among(to, self.shown().len()));
                let mut wish = self.wish(&to, what_is_counted(&errand.asked));
                // `đổi cho 6 người sang 8 giờ`: what tells no booking is wished as well.
                if wish.party.is_none() {
                    wish.party = from.more.map(Seats::More);
                }
                // One that is clearly chosen; of others it is asked.
                let (elsewhere, others) = match self.restaurants(&to.spoken_of).as_slice() {
                    [] => (None, false),
                    [one] if to.mentions.is_none() => (Some(one.clone()), false),
                    _ => (None, true),
                };
                Wish { elsewhere, other_restaurant: others || to.intents.other_restaurant, ..wish }
            }
            (None, Deed::Change) => {
                let said = self.understand(&errand.asked);
                let other_restaurant = said.intents.other_restaurant
                    || said.errand.other_restaurant && marks.restaurants.is_empty();
                Wish { other_restaurant, ..self.wish(&said, None) }
            }
            (None, Deed::Cancel) => Wish::default(),
        };
        if let Some(errand) = &mut self.errand {
            errand.wish = wish;
        }
        self.settle(&marks)
    }

    fn settle(&mut self, marks: &Marks) -> ErrandPlan {
        let Some(deed) = self.errand.as_ref().map(|errand| errand.deed) else { return ErrandPlan::Kept };
        match self.pick(marks) {
            Picked::One(booking) => {
                if let Some(errand) = &mut self.errand {
                    errand.booking = Some(booking.booking_id.clone());
                }
                self.act(&booking.booking_id)
            }
            Picked::Several(references) => ErrandPlan::Which(deed, references),
            Picked::Unknown => ErrandPlan::LookUp,
            Picked::NoneSuch => ErrandPlan::NoneSuch(deed),
            Picked::NothingToCome => {
                self.errand = None;
                ErrandPlan::NothingToCome(deed)
            }
        }
    }

    fn act(&mut self, booking_id: &str) -> ErrandPlan {
        self.focus = Some(booking_id.to_owned());
        let known = self.bookings.iter().find(|booking| booking.booking_id == booking_id).cloned();
        let (Some(errand), Some(booking)) = (self.errand.clone(), known) else { return ErrandPlan::LookUp };
        match errand.deed {
            Deed::Cancel => ErrandPlan::Cancel(CancelBookingInput { booking_id: booking_id.to_owned() }),
            Deed::Change => self.change(&booking, &errand.wish),
        }
    }

    /// The booking that was cancelled last, once more, with what is said to be different.
    fn again(&mut self, said: &Understood, raw: &str) -> Option<ErrandPlan> {
        if !self.live().is_empty() && said.references.is_empty() {
            return None;
        }
        let marks = self.marks(said, raw);
        let gone = |booking: &&Booking| {
            booking.status == BookingStatus::Cancelled
                && (marks.references.is_empty() || marks.references.contains(&booking.reference))
                && (marks.restaurants.is_empty() || marks.restaurants.contains(&booking.restaurant_id))
        };
        let booking = self.bookings.iter().rev().find(gone)?.clone();
        let wish = self.wish(said, None);
        let starts_at = match self.new_time(&booking, &wish) {
            Ok(starts_at) => starts_at.unwrap_or(booking.starts_at),
            Err(plan) => return Some(plan),
        };
        let party_size = match wish.party {
            Some(Seats::For(Party::Of(count))) => count,
            Some(Seats::For(Party::Unclear)) => return Some(ErrandPlan::Ask(vec![Missing::OneParty])),
            Some(Seats::For(Party::OutOfRange)) => return Some(ErrandPlan::PartyOutOfRange),
            Some(Seats::More(_)) | None => booking.party_size,
        };
        let input = CreateBookingInput {
            restaurant_id: booking.restaurant_id.clone(),
            party_size,
            starts_at,
            note: booking.note.clone(),
        };
        self.plan_as(&input, &booking.city);
        Some(ErrandPlan::BookAgain(input))
    }

    /// A proposal that was not planned step by step: a change of it starts from what it says.
    fn plan_as(&mut self, input: &CreateBookingInput, city: &str) {
        self.start_again();
        self.topic = Some(Topic::Table);
        self.city = Some(Place::One(city.to_owned()));
        let language = self.language();
        self.said = self.now.map(|at| {
            let dates = vec![DateExpr::Full(input.starts_at.date_naive())];
            Said { dates, at, language }
        });
        self.time = Some(TimeExpr::Exact(input.starts_at.time()));
        self.party = Some(Party::Of(input.party_size));
        self.notes = input.note.clone().into_iter().collect();
    }

    /// What cancelBooking or changeBooking gave.
    pub fn settle_errand(&mut self, result: Result<Booking, Trouble>) {
        match result {
            Ok(booking) => {
                self.errand = None;
                self.focus = Some(booking.booking_id.clone());
                self.record(&booking);
            }
            Err(trouble) => {
                let Some(errand) = &mut self.errand else { return };
                let over = match trouble {
                    Trouble::UnknownBooking | Trouble::BookingCancelled | Trouble::BookingPast => true,
                    Trouble::Declined => errand.deed == Deed::Cancel,
                    Trouble::Expired
                    | Trouble::Superseded
                    | Trouble::Cancelled
                    | Trouble::Uncertain
                    | Trouble::Closed
                    | Trouble::Past
                    | Trouble::TooFarAhead
                    | Trouble::UnknownCity
                    | Trouble::UnknownRestaurant
                    | Trouble::Conflict
                    | Trouble::PartyTooLarge
                    | Trouble::Full
                    | Trouble::NothingToChange
                    | Trouble::Unavailable
                    | Trouble::Paused
                    | Trouble::BadInput
                    | Trouble::Other => false,
                };
                errand.trouble = Some((trouble, self.turn));
                if over {
                    self.errand = None;
                }
            }
        }
    }

    /// Whether the list came in answer to this text or to the one before.
    fn is_fresh(&self) -> bool {
        self.listed.as_ref().is_some_and(|(_, turn)| *turn + 1 >= self.turn)
    }

    fn understand(&self, raw: &str) -> Understood {
        self.understand_among(raw, 0)
    }

    /// `listed`: how many restaurants `the second one` counts among.
    fn understand_among(&self, raw: &str, listed: usize) -> Understood {
        let (names, _) = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // `tomorrow's booking`
        let raw = raw.replace("'s ", " ").replace("’s ", " ");
        Understood::new(&raw, &names, listed, &self.references(), self.language)
    }

    /// The names that a text may speak of, and the ids of these restaurants: those that were found first,
    /// then those where something is booked.
    pub fn names(&self) -> (Vec<String>, Vec<String>) {
        let known = self.known();
        let mut names: Vec<String> = known.iter().map(|option| option.name.clone()).collect();
        let mut ids: Vec<String> = known.iter().map(|option| option.restaurant_id.clone()).collect();
        for booking in &self.bookings {
            if !ids.contains(&booking.restaurant_id) {
                ids.push(booking.restaurant_id.clone());
                names.push(booking.restaurant_name.clone());
            }
        }
        (names, ids)
    }

    pub fn references(&self) -> Vec<&str> {
        self.bookings.iter().map(|booking| booking.reference.as_str()).collect()
    }

    fn reference(&self, booking_id: &str) -> Option<String> {
        let known = self.bookings.iter().find(|booking| booking.booking_id == booking_id);
        known.map(|booking| booking.reference.clone())
    }

    fn restaurants(&self, spoken_of: &[usize]) -> Vec<String> {
        let (_, ids) = self.names();
        spoken_of.iter().filter_map(|index| ids.get(*index).cloned()).collect()
    }

    /// Restaurants where something is booked.
    pub fn booked_among(&self, spoken_of: &[usize]) -> Vec<String> {
        let live = self.live();
        let booked = |id: &String| live.iter().any(|booking| booking.restaurant_id == *id);
        self.restaurants(spoken_of).into_iter().filter(booked).collect()
    }

    /// Restaurants that a search has found.
    pub fn found_among(&self, spoken_of: &[usize]) -> Vec<String> {
        let known = self.known();
        let found = |id: &String| known.iter().any(|option| option.restaurant_id == *id);
        self.restaurants(spoken_of).into_iter().filter(found).collect()
    }
}

/// Whether a mere yes means the same once more.
pub fn may_be_proposed_again(trouble: Trouble) -> bool {
    match trouble {
        Trouble::Expired
        | Trouble::Superseded
        | Trouble::Cancelled
        | Trouble::Unavailable
        | Trouble::Paused
        | Trouble::BadInput
        | Trouble::Other => true,
        Trouble::Declined
        | Trouble::Uncertain
        | Trouble::Closed
        | Trouble::Past
        | Trouble::TooFarAhead
        | Trouble::UnknownCity
        | Trouble::UnknownRestaurant
        | Trouble::Conflict
        | Trouble::PartyTooLarge
        | Trouble::Full
        | Trouble::UnknownBooking
        | Trouble::BookingCancelled
        | Trouble::BookingPast
        | Trouble::NothingToChange => false,
    }
}
