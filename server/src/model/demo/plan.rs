//! From what the guest says to what shall be done: nothing here speaks or calls.

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta, Timelike};
use shared::tools::{CreateBookingInput, FindTablesInput, GetWeatherInput};

use super::conversation::Now;
use super::errand::{Deed, ErrandPlan};
use super::frame::{Aim, Forecast, Frame, Missing, Place, Said, Topic};
use super::heard::Trouble;
use super::news::News;
use super::nlu::Understood;
use super::nlu::choice::{Choice, Verdict};
use super::nlu::city::PlaceKind;
use super::nlu::cuisine::Cuisine;
use super::nlu::date::{DateExpr, DateProblem};
use super::nlu::intent::Beyond;
use super::nlu::order;
use super::nlu::party::{self, Party};
use super::nlu::time::TimeExpr;
use super::orders::OrderPlan;

#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub weather: Option<WeatherPlan>,
    pub table: Option<TablePlan>,
    pub errand: Option<ErrandPlan>,
    pub order: Option<OrderPlan>,
    /// What has happened that the guest should hear of first.
    pub news: Vec<News>,
    /// What to say where nothing is to be done.
    pub say: Option<Say>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum WeatherPlan {
    /// Which city?
    Ask,
    /// Which day?
    AskDay(DateProblem),
    /// Only what lies ahead can be told.
    Past,
    NoClock,
    /// `beyond`: more was asked for than a forecast reaches. `asked`: the days that were named, each with
    /// its last.
    Call {
        inputs: Vec<GetWeatherInput>,
        beyond: bool,
        asked: Vec<(NaiveDate, NaiveDate)>,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub enum TablePlan {
    PartyOutOfRange,
    /// Several tables cannot be booked at once.
    OneTable,
    NoClock,
    Ask(Vec<Missing>),
    Find(FindTablesInput),
    /// `moved`: at the closest free time instead of the wanted one.
    Book {
        input: CreateBookingInput,
        moved: bool,
    },
    /// Which of these? Their ids and names.
    Which(Vec<(String, String)>),
    /// So many are in the list.
    NotInList(usize),
    /// The guest declined just that.
    WhatToChange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    Greeting,
    Welcome,
    Help,
    NotUnderstood,
    Beyond(Beyond),
    /// Nothing is booked, and nothing will be.
    Dropped,
    AllRight,
}

/// How far a forecast reaches.
const FORECAST_DAYS: i64 = 7;

impl Frame {
    /// Takes in what the server's line tells and what the guest says, and plans the answer.
    pub fn hear(&mut self, now: Option<Now>, news: &[News], text: &str) -> Plan {
        self.now = now.or(self.now);
        self.turn += 1;
        let news = self.take_in(news);
        Plan { news, ..self.plan(text) }
    }

    fn plan(&mut self, text: &str) -> Plan {
        let (names, ids) = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let of_orders = order::read(text, &self.orders.numbers());
        let text = of_orders.rest.as_str();
        let mut said = Understood::new(text, &names, self.shown().len(), &self.references(), self.language);
        self.language = said.language.or(self.language);
        if let Some(order) = self.hear_order(&of_orders, &said) {
            self.errand = None;
            // A forecast for somewhere may be asked for beside it; rain may be why the food was late.
            let weather = said.intents.weather.is_some() && !said.places.is_empty();
            let weather = (weather && of_orders.reason.is_none()).then(|| self.plan_weather(&said));
            return Plan { order: Some(order), weather, ..Plan::default() };
        }
        if let Some(beyond) = said.intents.beyond
            && is_out_of_reach(beyond, &said)
        {
            return Plan { say: Some(Say::Beyond(beyond)), ..Plan::default() };
        }
        if let Some(errand) = self.hear_errand(&said, text) {
            return Plan { errand: Some(errand), ..Plan::default() };
        }
        // A restaurant where something is booked is no choice among those that were found.
        let only_booked = !said.spoken_of.is_empty() && self.found_among(&said.spoken_of).is_empty();
        if only_booked && (said.intents.table.is_none() || said.choice.is_none()) {
            said.choice = None;
            said.mentions = None;
            said.without.clear();
        }
        if let Some(say) = self.refusal(&said) {
            return Plan { say: Some(say), ..Plan::default() };
        }
        if let Some(plan) = self.about_a_restaurant(&said, &ids) {
            return plan;
        }
        let (weather, table) = self.topics(&said);
        if !weather && !table {
            return Plan { say: Some(self.small_talk(&said)), ..Plan::default() };
        }
        let (weather_said, mut table_said) = shares(&said, weather, table);
        // `at Mây Núi` is no city; what answers the question for one is.
        let known = table_said.places.iter().any(|place| place.kind == PlaceKind::Known);
        table_said.places.retain(|place| match place.kind {
            PlaceKind::Known => true,
            PlaceKind::In => !known,
            PlaceKind::Other => !known && said.intents.table.is_none(),
        });
        let mut plan = Plan::default();
        self.errand = None;
        if weather {
            plan.weather = Some(self.plan_weather(&weather_said));
            self.topic = Some(Topic::Weather);
        }
        if table {
            self.topic = Some(Topic::Table);
            plan.table = self.plan_table(&table_said, &ids);
            if plan.table.is_none() {
                self.topic = None;
                plan.errand = Some(self.begin(Deed::Change, text));
            }
        }
        plan
    }

    /// A restaurant that is refused, asked about or spoken of otherwise is no choice: it is asked which one.
    fn about_a_restaurant(&mut self, said: &Understood, ids: &[String]) -> Option<Plan> {
        let unwanted: Vec<String> =
            said.without.iter().filter_map(|index| ids.get(*index).cloned()).collect();
        if self.chosen.as_ref().is_some_and(|id| unwanted.contains(id)) {
            self.chosen = None;
        }
        self.refused.extend(unwanted);
        let verdict = said.mentions?;
        // Another wish stands beside it.
        let goes_on = said.intents.weather.is_some()
            || said.intents.other_restaurant
            || said.intents.table.is_some() && (said.cuisine.is_some() || !said.places.is_empty());
        if goes_on {
            return None;
        }
        let question = Plan { say: Some(Say::Beyond(Beyond::Question)), ..Plan::default() };
        let options = self.options();
        match verdict {
            Verdict::Asked if said.intents.table.is_none() => return Some(question),
            _ if options.is_empty() || self.is_booked() => {
                return Some(Plan { say: Some(Say::NotUnderstood), ..Plan::default() });
            }
            Verdict::Asked | Verdict::Chosen | Verdict::Refused | Verdict::Unclear => {}
        }
        self.topic = Some(Topic::Table);
        Some(Plan { table: Some(TablePlan::Which(options)), ..Plan::default() })
    }

    /// What is beyond the tools, and ideas that are dropped.
    fn refusal(&mut self, said: &Understood) -> Option<Say> {
        let has_wish = said.party.is_some() || said.time.is_some() || said.choice.is_some();
        if said.intents.beyond == Some(Beyond::Question) && !has_wish && said.intents.weather.is_none() {
            return Some(Say::Beyond(Beyond::Question));
        }
        if drops_idea(said) {
            self.start_again();
            self.city = None;
            self.topic = None;
            return Some(Say::Dropped);
        }
        None
    }

    /// Whether it is about weather, about a table, or both.
    fn topics(&self, said: &Understood) -> (bool, bool) {
        let intents = &said.intents;
        let weather = intents.weather.is_some();
        let chosen = said.choice.is_some() && !weather && said.unread <= 4;
        let table = intents.table.is_some() || chosen;
        if weather || table {
            return (weather, table);
        }
        // An answer, or a change of what was said before: nearly every word of it must be one.
        let goes_on = said.has_slots() || intents.change || intents.other_restaurant;
        let follows = goes_on && said.unread <= 2;
        let single = self.shown().len() == 1 && self.topic == Some(Topic::Table);
        let waits = self.topic == Some(Topic::Table)
            && self.attempt.as_ref().is_some_and(|attempt| attempt.result.is_err());
        match self.topic {
            Some(Topic::Weather) if follows && !said.places.is_empty() => (true, false),
            Some(Topic::Weather) if follows && (!said.dates.is_empty() || said.forecast_days.is_some()) => {
                (true, false)
            }
            Some(Topic::Table) if follows || intents.yes && (single || waits) => (false, true),
            Some(Topic::Weather | Topic::Table) | None => (false, false),
        }
    }

    fn small_talk(&self, said: &Understood) -> Say {
        let intents = &said.intents;
        if intents.help {
            Say::Help
        } else if intents.thanks && said.unread <= 3 {
            Say::Welcome
        } else if intents.greeting && said.unread <= 2 {
            Say::Greeting
        } else if intents.no {
            Say::AllRight
        } else {
            Say::NotUnderstood
        }
    }

    fn plan_weather(&mut self, said: &Understood) -> WeatherPlan {
        let language = self.language();
        let fresh = said.intents.weather.is_some();
        let cities: Vec<String> = said.places.iter().map(|place| place.name.clone()).collect();
        let dates: Vec<DateExpr> = said.dates.iter().map(|(expr, _)| *expr).collect();
        let mut forecast = if fresh && !cities.is_empty() {
            Forecast::default()
        } else {
            std::mem::take(&mut self.forecast)
        };
        // A new question about the same city is about today, unless it says otherwise.
        if fresh {
            forecast.said = None;
            forecast.days = None;
        }
        if !cities.is_empty() {
            forecast.cities = cities;
        } else if forecast.cities.is_empty()
            && let Some(Place::One(city)) = &self.city
        {
            forecast.cities = vec![city.clone()];
        }
        let dates_are_none = dates.is_empty();
        if !dates_are_none {
            let Some(at) = self.now else {
                self.forecast = forecast;
                return WeatherPlan::NoClock;
            };
            forecast.said = Some(Said { dates, at, language });
            forecast.days = None;
        }
        if said.that_day && dates_are_none {
            forecast.said = self.said.clone();
        }
        forecast.days = said.forecast_days.or(forecast.days);
        // A table that is spoken of later may mean this place and this day.
        if self.city.is_none()
            && let [city] = forecast.cities.as_slice()
        {
            self.city = Some(Place::One(city.clone()));
        }
        if self.said.is_none() {
            self.said = forecast.said.clone();
        }
        self.forecast = forecast;
        self.forecast_plan()
    }

    fn forecast_plan(&self) -> WeatherPlan {
        let mut last = 0_i64;
        let mut asked_days: Vec<(NaiveDate, NaiveDate)> = Vec::new();
        if let Some(said) = &self.forecast.said {
            let Some(now) = self.now else { return WeatherPlan::NoClock };
            for expr in &said.dates {
                match expr.span(said.at.local, said.language) {
                    Ok(days) => asked_days.push(days),
                    Err(problem) => return WeatherPlan::AskDay(problem),
                }
            }
            match asked_days.iter().map(|(_, day)| (*day - now.local.date()).num_days()).max() {
                Some(days) if days < 0 => return WeatherPlan::Past,
                Some(days) => last = days,
                None => {}
            }
        }
        let asked = self.forecast.days.map_or(last + 1, i64::from).max(1);
        if self.forecast.cities.is_empty() {
            return WeatherPlan::Ask;
        }
        let days = u8::try_from(asked.min(FORECAST_DAYS)).unwrap_or(1);
        let inputs =
            self.forecast.cities.iter().map(|city| GetWeatherInput { city: city.clone(), days }).collect();
        // A number of days begins today, whatever day was named besides.
        if self.forecast.days.is_some() {
            asked_days.clear();
        }
        WeatherPlan::Call { inputs, beyond: asked > FORECAST_DAYS, asked: asked_days }
    }

    /// None: it would change a booking that was made.
    fn plan_table(&mut self, said: &Understood, ids: &[String]) -> Option<TablePlan> {
        let intents = &said.intents;
        if self.is_booked() {
            match said.choice {
                Some(_) => {
                    self.attempt = None;
                    self.chosen = None;
                }
                None if intents.change || intents.table.is_none() => return None,
                None => self.start_again(),
            }
        }
        if self.now.is_none() && (!said.dates.is_empty() || matches!(said.time, Some(TimeExpr::FromNow(_)))) {
            return Some(TablePlan::NoClock);
        }
        let before = self.clone();
        self.fill(said);
        if said.several_tables {
            self.party = None;
            return Some(TablePlan::OneTable);
        }
        if self.party == Some(Party::OutOfRange) {
            self.party = None;
            return Some(TablePlan::PartyOutOfRange);
        }
        let moved_on = self.city != before.city
            || self.cuisine != before.cuisine
            || said.choice.is_none() && before.chosen.is_some() && day_of(self) != day_of(&before);
        if intents.other_restaurant {
            self.refused.extend(self.chosen.take());
        } else if moved_on {
            self.chosen = None;
        }
        if let Some(question) = self.choose(said, ids, moved_on) {
            return Some(question);
        }
        if let Some(id) = self.chosen.clone() {
            // A time that was only wished for gives way to a free one; one that the guest now changes to
            // does not.
            let wish = self.attempt.is_none() || said.choice.is_some();
            let mut proposal = self.booking(&id, if wish { Aim::Listed } else { Aim::Wanted });
            // Where only the rest is changed, the time stays the one that was proposed.
            let other_time = said.time.is_some()
                || said.part.is_some()
                || !said.dates.is_empty()
                || said.lone_number.is_some();
            if let (Ok((input, _)), Some(attempt), false) = (&mut proposal, &self.attempt, other_time)
                && attempt.input.restaurant_id == id
                && said.choice.is_none()
            {
                input.starts_at = attempt.input.starts_at;
            }
            return Some(match proposal {
                Err(missing) => TablePlan::Ask(missing),
                Ok((input, _)) if self.was_declined(&input) && intents.table.is_none() => {
                    TablePlan::WhatToChange
                }
                Ok((input, moved)) => TablePlan::Book { input, moved },
            });
        }
        Some(match self.wanted() {
            Err(missing) => TablePlan::Ask(missing),
            Ok(input) => {
                let shown = self
                    .finds
                    .last()
                    .is_some_and(|(last, found)| *last == input && !found.restaurants.is_empty());
                let search_again = intents.other_restaurant || intents.table.is_some() && said.has_slots();
                if shown && !search_again { TablePlan::Which(self.options()) } else { TablePlan::Find(input) }
            }
        })
    }

    fn was_declined(&self, input: &CreateBookingInput) -> bool {
        self.attempt.as_ref().is_some_and(|attempt| {
            attempt.result.as_ref().err() == Some(&Trouble::Declined)
                && attempt.input.restaurant_id == input.restaurant_id
                && attempt.input.starts_at == input.starts_at
                && attempt.input.party_size == input.party_size
        })
    }

    fn options(&self) -> Vec<(String, String)> {
        let wanted = |id: &String| !self.refused.contains(id);
        self.shown()
            .iter()
            .filter(|option| wanted(&option.restaurant_id))
            .map(|option| (option.restaurant_id.clone(), option.name.clone()))
            .collect()
    }

    /// Takes the wishes in; later ones override.
    fn fill(&mut self, said: &Understood) {
        let lacks_time = matches!(
            self.starts_at(),
            Err(missing) if missing.iter().any(|m| matches!(m, Missing::Time | Missing::HalfOfDay(_) | Missing::OneTime))
        );
        let lacks_party = !matches!(self.party, Some(Party::Of(_)));
        match said.places.as_slice() {
            [] => {}
            [place] => self.city = Some(Place::One(place.name.clone())),
            _ => self.city = Some(Place::Several),
        }
        let language = self.language();
        if let (false, Some(at)) = (said.dates.is_empty(), self.now) {
            let dates = said.dates.iter().map(|(expr, _)| *expr).collect();
            self.said = Some(Said { dates, at, language });
        }
        if let Some(part) = said.part {
            self.set_part(part, said.time.is_some());
        }
        match (said.time, self.now) {
            (Some(TimeExpr::FromNow(minutes)), Some(at)) => {
                // Up to the next five minutes: nobody books a table for 20:03.
                let then = at.local + TimeDelta::minutes(i64::from(minutes));
                let odd = i64::from((5 - then.minute() % 5) % 5);
                let then = then + TimeDelta::minutes(odd);
                self.said = Some(Said { dates: vec![DateExpr::Full(then.date())], at, language });
                self.time = NaiveTime::from_hms_opt(then.hour(), then.minute(), 0).map(TimeExpr::Exact);
            }
            (Some(time), _) => self.time = Some(time),
            (None, _) => {}
        }
        self.party = said.party.or(self.party);
        if let Some(more) = said.more {
            let before = match self.party {
                Some(Party::Of(count)) => i32::from(count),
                Some(Party::OutOfRange | Party::Unclear) | None => 0,
            };
            self.party = Some(u32::try_from(before + more).map_or(Party::OutOfRange, party::of_number));
        }
        // A bare number answers the one question that is open.
        if let Some(number) = said.lone_number {
            match (lacks_party, lacks_time) {
                (true, false) => self.party = Some(party::of_number(number)),
                (false, true) if number <= 24 => {
                    self.time = Some(TimeExpr::Bare { hour: number, minute: 0 });
                    if number > 12 || number == 0 {
                        self.time = NaiveTime::from_hms_opt(number % 24, 0, 0).map(TimeExpr::Exact);
                    }
                }
                // No table is wanted at 4 without a word about the half of the day.
                (true, true) if (1..=4).contains(&number) => self.party = Some(party::of_number(number)),
                (true, true) | (false, _) => {}
            }
        }
        match said.cuisine {
            Some(Cuisine::Of(name)) => self.cuisine = Some(name),
            Some(Cuisine::Any) => self.cuisine = None,
            None => {}
        }
        for note in &said.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
    }

    /// Settles which restaurant, or tells what has to be asked.
    fn choose(&mut self, said: &Understood, ids: &[String], moved_on: bool) -> Option<TablePlan> {
        let shown = self.options();
        match &said.choice {
            Some(Choice::Among(among)) => {
                let mut among: Vec<String> =
                    among.iter().filter_map(|index| ids.get(*index).cloned()).collect();
                if among.len() == 1 {
                    self.chosen = among.pop();
                    return None;
                }
                let known = self.known().into_iter();
                let named = known.filter(|option| among.contains(&option.restaurant_id));
                Some(TablePlan::Which(named.map(|o| (o.restaurant_id.clone(), o.name.clone())).collect()))
            }
            Some(Choice::NotInList) => Some(TablePlan::NotInList(self.shown().len())),
            Some(Choice::Any) if !moved_on => {
                self.chosen = shown.first().map(|(id, _)| id.clone());
                None
            }
            Some(Choice::That) if self.chosen.is_none() && !moved_on => match shown.as_slice() {
                [] => None,
                [(id, _)] => {
                    self.chosen = Some(id.clone());
                    None
                }
                _ => Some(TablePlan::Which(shown)),
            },
            Some(Choice::Any | Choice::That) => None,
            None if said.intents.yes && self.chosen.is_none() && shown.len() == 1 => {
                self.chosen = shown.first().map(|(id, _)| id.clone());
                None
            }
            None => self.choose_by_time(said, moved_on),
        }
    }

    /// `quán lúc 19:30`, of what was shown.
    fn choose_by_time(&mut self, said: &Understood, moved_on: bool) -> Option<TablePlan> {
        let (last, _) = self.finds.last()?;
        let same_search = !moved_on
            && self.party == Some(Party::Of(last.party_size))
            && said.part.is_none_or(|_| said.time.is_some());
        if self.chosen.is_some()
            || said.time.is_none()
            || said.asks
            || !same_search
            || said.intents.other_restaurant
        {
            return None;
        }
        let at = self.starts_at().ok()?;
        if at.date_naive() != last.starts_at.date_naive() {
            return None;
        }
        let refused = &self.refused;
        let free: Vec<(String, String)> = self
            .shown()
            .iter()
            .filter(|option| option.free_times.contains(&at) && !refused.contains(&option.restaurant_id))
            .map(|option| (option.restaurant_id.clone(), option.name.clone()))
            .collect();
        match free.as_slice() {
            [] => None,
            [(id, _)] => {
                self.chosen = Some(id.clone());
                None
            }
            _ => Some(TablePlan::Which(free)),
        }
    }
}

/// Whether no tool does it, and it is what the text is about.
fn is_out_of_reach(beyond: Beyond, said: &Understood) -> bool {
    match beyond {
        // How to pay may be asked beside a wish for a table.
        Beyond::Payments => said.intents.table.is_none() || !said.has_slots(),
        Beyond::OthersBookings | Beyond::Elsewhere => true,
        Beyond::Question => false,
    }
}

/// Whether an idea is given up, and nothing else is wanted instead.
pub fn drops_idea(said: &Understood) -> bool {
    let intents = &said.intents;
    let another =
        said.choice.is_some() || said.mentions.is_some() || intents.change || intents.other_restaurant;
    let other_wish = said.has_slots() || another;
    let declines = intents.declines && said.mentions.is_none() && said.choice.is_none();
    let cancels_table = said.errand.cancels && said.errand.cancels_table && !another;
    (intents.cancel && !other_wish || declines || cancels_table) && intents.weather.is_none()
}

fn day_of(frame: &Frame) -> Option<(i32, u32)> {
    frame.starts_at().ok().map(|at| (at.year(), at.ordinal()))
}

/// Where both are spoken of in one text, each gets the places and days of its own part of it; what is
/// said once holds for both.
fn shares(said: &Understood, weather: bool, table: bool) -> (Understood, Understood) {
    let (mut for_weather, mut for_table) = (said.clone(), said.clone());
    if let (true, true, Some(boundary)) = (weather, table, said.boundary) {
        let weather_first = said.intents.weather < said.intents.table;
        let of_weather = |at: usize| (at < boundary) == weather_first;
        if said.places.len() > 1 {
            for_weather.places.retain(|place| of_weather(place.at));
            for_table.places.retain(|place| !of_weather(place.at));
        }
        if said.dates.len() > 1 {
            for_weather.dates.retain(|(_, at)| of_weather(*at));
            for_table.dates.retain(|(_, at)| !of_weather(*at));
        }
    }
    for said in [&mut for_weather, &mut for_table] {
        let mut names: Vec<String> = Vec::new();
        said.places.retain(|place| {
            let new = !names.contains(&place.name);
            names.push(place.name.clone());
            new
        });
    }
    (for_weather, for_table)
}
