//! The turn that comes next: from the plan and from what the tools said. What differs from persona to
//! persona comes in as [`Manner`].

use chrono::NaiveDate;
use shared::tools::{
    CancelBooking, ChangeBooking, CreateBooking, CreateBookingInput, FindTables, FindTablesOutput, GetOrder,
    GetOrderInput, GetWeather, GetWeatherOutput, ListBookings, ListBookingsInput, RefundOrder,
    RefundOrderInput, Tool,
};

use super::conversation::{Answered, Item};
use super::errand::ErrandPlan;
use super::frame::{Aim, Frame, closest};
use super::heard::{self, Trouble};
use super::news::News;
use super::nlu::choice;
use super::nlu::lang::Language;
use super::orders::OrderPlan;
use super::plan::{Plan, TablePlan, WeatherPlan};
use super::reply::{Call, Reply};
use super::words;

/// The history, understood.
pub struct Dialogue {
    pub frame: Frame,
    /// What the guest wants since the last text.
    pub plan: Plan,
    pub last_text: String,
    /// What was called since the last text.
    pub since: Vec<Answered>,
    /// The results that nothing was said about yet; empty: the guest has just spoken.
    pub fresh: Vec<Answered>,
}

impl Dialogue {
    pub fn read(items: &[Item]) -> Self {
        let mut dialogue = Self {
            frame: Frame::default(),
            plan: Plan::default(),
            last_text: String::new(),
            since: Vec::new(),
            fresh: Vec::new(),
        };
        for item in items {
            match item {
                Item::Guest { now, news, text } => {
                    dialogue.plan = dialogue.frame.hear(*now, news, text);
                    dialogue.last_text.clone_from(text);
                    dialogue.since.clear();
                    dialogue.fresh.clear();
                }
                Item::Results(results) => {
                    results.iter().for_each(|answered| dialogue.frame.learn(answered));
                    dialogue.since.extend(results.iter().cloned());
                    dialogue.fresh.clone_from(results);
                    if results.iter().any(|answered| answered.name == ListBookings::NAME) {
                        dialogue.plan.errand = dialogue.frame.errand_after_list();
                    }
                    let mut orders = results.iter().filter(|answered| answered.name == GetOrder::NAME);
                    if let Some(answered) = orders.next_back() {
                        let found = heard::orders::order(answered).ok().map(|order| order.order_id);
                        dialogue.plan.order = dialogue.frame.refund_after_look(found.as_deref());
                    }
                }
            }
        }
        dialogue
    }

    pub fn language(&self) -> Language {
        self.frame.language()
    }

    /// Whether the guest's last text is about a table.
    pub fn is_about_a_table(&self) -> bool {
        self.plan.table.is_some()
    }

    /// Whether the guest's last text asks for money back.
    pub fn is_about_a_refund(&self) -> bool {
        self.plan.order.as_ref().is_some_and(OrderPlan::is_refund)
    }

    /// The calls of a tool since the guest's last text, in order.
    pub fn calls_of(&self, name: &str) -> impl Iterator<Item = &Answered> {
        self.since.iter().filter(move |answered| answered.name == name)
    }

    /// The bookings that were answered just now; one that was asked for twice in a turn has one outcome.
    pub fn booked_now(&self) -> impl Iterator<Item = &Answered> {
        let bookings = |answered: &&Answered| answered.name == CreateBooking::NAME;
        self.fresh
            .iter()
            .enumerate()
            .filter(move |(at, answered)| {
                bookings(answered)
                    && self.fresh[..*at].iter().filter(bookings).all(|other| other.input != answered.input)
            })
            .map(|(_, answered)| answered)
    }

    /// The refunds that were answered just now; one that was asked for twice in a turn has one outcome.
    pub fn refunded_now(&self) -> impl Iterator<Item = &Answered> {
        let refunds = |answered: &&Answered| answered.name == RefundOrder::NAME;
        let asked =
            |answered: &Answered| ["orderId", "amount"].map(|field| answered.input.get(field).cloned());
        self.fresh
            .iter()
            .enumerate()
            .filter(move |(at, answered)| {
                refunds(answered)
                    && self.fresh[..*at].iter().filter(refunds).all(|other| asked(other) != asked(answered))
            })
            .map(|(_, answered)| answered)
    }
}

/// How a persona goes about a booking and a refund.
pub struct Manner {
    /// Takes the first table found, without asking.
    pub takes_the_first: bool,
    /// Calls also what nobody has offered.
    pub invents_tools: bool,
    /// Takes a step of its own; none: does what all do.
    pub instead: fn(&Dialogue) -> Option<Reply>,
    /// Makes the call for a booking.
    pub book: fn(&Dialogue, &CreateBookingInput) -> Reply,
    /// Answers the result of a booking.
    pub after_booking: fn(&Dialogue, &Answered) -> Reply,
    /// Makes the call for a refund.
    pub refund: fn(&Dialogue, &RefundOrderInput) -> Reply,
    /// Answers the result of a refund.
    pub after_refund: fn(&Dialogue, &Answered) -> Reply,
}

/// What all do alike; each persona says in what it differs.
pub const HONEST: Manner = Manner {
    takes_the_first: false,
    invents_tools: false,
    instead: |_| None,
    book,
    after_booking: tell,
    refund,
    after_refund: tell_refund,
};

/// The reply to a history.
pub fn next(dialogue: &Dialogue, manner: &Manner) -> Reply {
    if let Some(own) = (manner.instead)(dialogue) {
        return own;
    }
    if !dialogue.fresh.is_empty() {
        return further_step(dialogue, manner);
    }
    let mut reply = Reply::default();
    for news in &dialogue.plan.news {
        reply.also(match news {
            News::OfBooking(news) => words::bookings::moved_up(news, dialogue.language()),
            News::OfRefund(news) => words::orders::settled(news, dialogue.language()),
        });
    }
    reply.add(first_step(dialogue, manner));
    reply
}

/// The guest has just spoken.
fn first_step(dialogue: &Dialogue, manner: &Manner) -> Reply {
    let language = dialogue.language();
    let plan = &dialogue.plan;
    let mut reply = Reply::default();
    match &plan.weather {
        None => {}
        Some(WeatherPlan::Ask) => reply.also(words::ask_weather_city(language)),
        Some(WeatherPlan::Past) => reply.also(words::only_ahead(language)),
        Some(WeatherPlan::AskDay(problem)) => reply.also(words::ask_weather_day(*problem, language)),
        Some(WeatherPlan::NoClock) => reply.also(words::no_clock(language)),
        Some(WeatherPlan::Call { inputs, beyond, asked: _ }) => {
            if *beyond {
                reply.also(words::seven_days(language));
            }
            reply.calls.extend(inputs.iter().map(Call::of::<GetWeather>));
        }
    }
    if let Some(table) = &plan.table {
        let step = table_step(dialogue, manner, table);
        // A question waits until the weather has been told.
        if reply.calls.is_empty() || !step.calls.is_empty() {
            reply.add(step);
        }
    }
    if let Some(errand) = &plan.errand {
        reply.add(errand_step(dialogue, manner, errand));
    }
    if let Some(order) = &plan.order {
        let step = order_step(dialogue, manner, order);
        // A question waits until the weather has been told.
        if reply.calls.is_empty() || !step.calls.is_empty() {
            reply.add(step);
        }
    }
    if let Some(say) = plan.say {
        reply.also(words::say(say, language));
    }
    reply
}

fn errand_step(dialogue: &Dialogue, manner: &Manner, errand: &ErrandPlan) -> Reply {
    let language = dialogue.language();
    let calls = |call: Call| Reply { calls: vec![call], ..Reply::default() };
    match errand {
        ErrandPlan::Show | ErrandPlan::LookUp => calls(Call::of::<ListBookings>(&ListBookingsInput {})),
        ErrandPlan::Cancel(input) => calls(Call::of::<CancelBooking>(input)),
        ErrandPlan::Change(input) => calls(Call::of::<ChangeBooking>(input)),
        ErrandPlan::BookElsewhere(input, reference) => {
            let mut reply = Reply::say(words::bookings::there_first(reference, language));
            reply.add((manner.book)(dialogue, input));
            reply
        }
        ErrandPlan::BookAgain(input) => (manner.book)(dialogue, input),
        ErrandPlan::AskElsewhere(reference) => {
            Reply::say(words::bookings::ask_elsewhere(reference, language))
        }
        ErrandPlan::Which(deed, references) => {
            Reply::say(words::bookings::which(*deed, references, language))
        }
        ErrandPlan::NoneSuch(deed) => Reply::say(words::bookings::none_such(*deed, language)),
        ErrandPlan::NothingToCome(deed) => Reply::say(words::bookings::nothing_to_come(*deed, language)),
        ErrandPlan::WhatToChange(reference) => {
            Reply::say(words::bookings::what_to_change(reference, language))
        }
        ErrandPlan::CancelOrChange(reference) => {
            Reply::say(words::bookings::cancel_or_change(reference, language))
        }
        ErrandPlan::Ask(missing) => Reply::say(words::bookings::ask(missing, language)),
        ErrandPlan::PartyOutOfRange => Reply::say(words::party_out_of_range(language)),
        ErrandPlan::NoClock => Reply::say(words::no_clock(language)),
        ErrandPlan::Kept => Reply::say(words::bookings::kept(language)),
        ErrandPlan::StillBooked(reference) => Reply::say(words::bookings::still_booked(reference, language)),
    }
}

fn order_step(dialogue: &Dialogue, manner: &Manner, order: &OrderPlan) -> Reply {
    let language = dialogue.language();
    let look_up = |number: &String| Call::of::<GetOrder>(&GetOrderInput { order_id: number.clone() });
    match order {
        OrderPlan::Show { orders, only_newest } => Reply {
            text: only_newest.then(|| words::orders::only_newest(language)),
            calls: orders.iter().map(look_up).collect(),
            ..Reply::default()
        },
        OrderPlan::LookUp(number) => Reply::call(look_up(number)),
        OrderPlan::Refund(input) => (manner.refund)(dialogue, input),
        OrderPlan::Offer => Reply::say(words::orders::offer(language)),
        OrderPlan::AskAmount => Reply::say(words::orders::ask_amount(language)),
        OrderPlan::WhichOrder(numbers) => Reply::say(words::orders::which_order(numbers, language)),
        OrderPlan::Stands(number, refund) => Reply::say(words::orders::stands(number, refund, language)),
        OrderPlan::NothingLeft(number) => Reply::say(words::orders::nothing_left(number, language)),
        OrderPlan::MoreThanLeft(left) => Reply::say(words::orders::more_than_left(Some(*left), language)),
        OrderPlan::StillUncertain(number) => Reply::say(words::orders::still_uncertain(number, language)),
        OrderPlan::Kept => Reply::say(words::orders::kept(language)),
        OrderPlan::CannotTakeBack => Reply::say(words::orders::cannot_take_back(language)),
        OrderPlan::CannotAlter => Reply::say(words::orders::cannot_alter(language)),
        OrderPlan::HowRefundsWork => Reply::say(words::orders::how_refunds_work(language)),
    }
}

/// What getOrder gave: told where the order itself was asked for; a refund that has waited for it goes on.
fn after_order(dialogue: &Dialogue, manner: &Manner) -> Reply {
    let language = dialogue.language();
    let mut reply = Reply::default();
    let (found, troubles): (Vec<_>, Vec<_>) = dialogue
        .fresh
        .iter()
        .filter(|answered| answered.name == GetOrder::NAME)
        .map(heard::orders::order)
        .partition(Result::is_ok);
    let goes_on = dialogue.plan.order.as_ref();
    if goes_on.is_none_or(|plan| *plan == OrderPlan::Offer) {
        found.iter().flatten().for_each(|order| reply.also(words::orders::order(order, language)));
    }
    for trouble in troubles.iter().filter_map(|trouble| trouble.as_ref().err()) {
        reply.also(words::orders::not_shown(trouble, language));
    }
    if let (Some(plan), false) = (goes_on, found.is_empty()) {
        reply.add(order_step(dialogue, manner, plan));
    }
    reply
}

/// What listBookings gave: what was wanted with it goes on.
fn after_list(dialogue: &Dialogue, manner: &Manner, answered: &Answered) -> Reply {
    let language = dialogue.language();
    match (heard::read::<ListBookings>(answered), &dialogue.plan.errand) {
        (Err(_), _) => Reply::say(words::bookings::not_listed(language)),
        // It has been looked up just now.
        (Ok(_), Some(errand)) if !matches!(errand, ErrandPlan::LookUp) => {
            errand_step(dialogue, manner, errand)
        }
        (Ok(list), _) => {
            let to_come = dialogue.frame.live().len();
            Reply::say(words::bookings::listed(to_come, list.bookings.len(), language))
        }
    }
}

fn table_step(dialogue: &Dialogue, manner: &Manner, table: &TablePlan) -> Reply {
    let language = dialogue.language();
    match table {
        TablePlan::PartyOutOfRange => Reply::say(words::party_out_of_range(language)),
        TablePlan::OneTable => Reply::say(words::one_table(language)),
        TablePlan::NoClock => Reply::say(words::no_clock(language)),
        TablePlan::Ask(missing) => Reply::say(words::ask(missing, language)),
        TablePlan::NotInList(count) => Reply::say(words::not_in_list(*count, language)),
        TablePlan::WhatToChange => Reply::say(words::what_to_change(language)),
        TablePlan::Find(input) => Reply::call(Call::of::<FindTables>(input)),
        TablePlan::Book { input, moved } => {
            let mut reply = Reply::default();
            if *moved && !manner.takes_the_first {
                reply.also(words::nearest_time(input.starts_at, language));
            }
            reply.add((manner.book)(dialogue, input));
            reply
        }
        TablePlan::Which(options) => {
            if let (true, Some((id, _))) = (manner.takes_the_first, options.first())
                && let Ok((input, _)) = dialogue.frame.booking(id, Aim::Closest)
            {
                return (manner.book)(dialogue, &input);
            }
            let names: Vec<&str> = options.iter().map(|(_, name)| name.as_str()).collect();
            Reply::say(words::which_of(&names, language))
        }
    }
}

/// Tools have answered.
fn further_step(dialogue: &Dialogue, manner: &Manner) -> Reply {
    let language = dialogue.language();
    let mut reply = Reply::default();
    let asked = match &dialogue.plan.weather {
        Some(WeatherPlan::Call { asked, .. }) => asked.as_slice(),
        Some(WeatherPlan::Ask | WeatherPlan::AskDay(_) | WeatherPlan::Past | WeatherPlan::NoClock) | None => {
            &[]
        }
    };
    for sentence in weather_sentences(&dialogue.fresh, asked, language) {
        reply.also(sentence);
    }
    let mut about_tables = false;
    for answered in dialogue.fresh.iter().filter(|answered| answered.name == FindTables::NAME) {
        about_tables = true;
        reply.add(after_search(dialogue, manner, answered));
    }
    for answered in dialogue.booked_now() {
        about_tables = true;
        reply.add((manner.after_booking)(dialogue, answered));
    }
    let mut lists = dialogue.fresh.iter().filter(|answered| answered.name == ListBookings::NAME);
    if let Some(answered) = lists.next_back() {
        reply.add(after_list(dialogue, manner, answered));
    }
    for answered in dialogue.fresh.iter().filter(|answered| answered.name == CancelBooking::NAME) {
        reply.also(match heard::read::<CancelBooking>(answered) {
            Ok(booking) => words::bookings::cancelled(&booking, language),
            Err(trouble) => words::bookings::not_cancelled(trouble, language),
        });
    }
    for answered in dialogue.fresh.iter().filter(|answered| answered.name == ChangeBooking::NAME) {
        reply.also(match heard::read::<ChangeBooking>(answered) {
            Ok(booking) => words::bookings::changed(&booking, heard::was_edited(answered), language),
            Err(Trouble::Full) => words::bookings::full(&heard::free_instead(answered), language),
            Err(trouble) => words::bookings::not_changed(trouble, language),
        });
    }
    let looked = dialogue.fresh.iter().any(|answered| answered.name == GetOrder::NAME);
    if looked {
        reply.add(after_order(dialogue, manner));
    }
    for answered in dialogue.refunded_now() {
        reply.add((manner.after_refund)(dialogue, answered));
    }
    // What has waited for the weather, or was tried with a tool that does not exist.
    let refund_called = dialogue.calls_of(RefundOrder::NAME).next().is_some();
    if !looked
        && !refund_called
        && let Some(order) = &dialogue.plan.order
    {
        reply.add(order_step(dialogue, manner, order));
    }
    // The question that has waited for the weather.
    if !about_tables && let Some(table) = &dialogue.plan.table {
        reply.add(table_step(dialogue, manner, table));
    }
    if reply.text.is_none() && reply.calls.is_empty() {
        reply.also(words::not_booked(Trouble::Other, language));
    }
    reply
}

/// `asked`: the days that were named, each with its last; none: all that come.
fn weather_sentences(
    fresh: &[Answered],
    asked: &[(NaiveDate, NaiveDate)],
    language: Language,
) -> Vec<String> {
    let mut found: Vec<GetWeatherOutput> = Vec::new();
    let mut sentences: Vec<String> = Vec::new();
    for answered in fresh.iter().filter(|answered| answered.name == GetWeather::NAME) {
        match heard::read::<GetWeather>(answered) {
            Ok(weather) => found.push(weather),
            Err(trouble) => {
                let city = answered.input_of::<GetWeather>().map(|input| input.city);
                sentences.push(words::no_weather(&city.unwrap_or_default(), trouble, language));
            }
        }
    }
    if !found.is_empty() {
        sentences.insert(0, words::weather(&found, asked, language));
    }
    sentences
}

fn after_search(dialogue: &Dialogue, manner: &Manner, answered: &Answered) -> Reply {
    let language = dialogue.language();
    let found = match heard::read::<FindTables>(answered) {
        Ok(found) => found,
        Err(trouble) => {
            let city = answered.input_of::<FindTables>().map(|input| input.city);
            return Reply::say(words::not_found(&city.unwrap_or_default(), trouble, language));
        }
    };
    if found.restaurants.is_empty() {
        return Reply::say(words::none_free(language));
    }
    let names: Vec<&str> = found.restaurants.iter().map(|option| option.name.as_str()).collect();
    let named = choice::by_full_name(&dialogue.last_text, &names);
    let index = named.or_else(|| manner.takes_the_first.then(|| first_wanted(&dialogue.frame, &found)));
    let Some(option) = index.and_then(|index| found.restaurants.get(index)) else {
        return Reply::say(words::which(&found, language));
    };
    let listed = match named {
        Some(_) if !manner.takes_the_first => Aim::Listed.among(&option.free_times, found.starts_at),
        Some(_) | None => closest(&option.free_times, found.starts_at),
    };
    let starts_at = listed.unwrap_or(found.starts_at);
    let input = CreateBookingInput {
        restaurant_id: option.restaurant_id.clone(),
        party_size: found.party_size,
        starts_at,
        note: dialogue.frame.note(),
    };
    let mut reply = Reply::default();
    if starts_at != found.starts_at && !manner.takes_the_first {
        reply.also(words::nearest_time(starts_at, language));
    }
    reply.add((manner.book)(dialogue, &input));
    reply
}

/// The first that the guest has not turned down.
fn first_wanted(frame: &Frame, found: &FindTablesOutput) -> usize {
    let wanted = |id: &String| !frame.refused.contains(id);
    found.restaurants.iter().position(|option| wanted(&option.restaurant_id)).unwrap_or(0)
}

/// The honest way to call.
pub fn book(_: &Dialogue, input: &CreateBookingInput) -> Reply {
    Reply::call(Call::of::<CreateBooking>(input))
}

/// The honest answer to a result.
pub fn tell(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let language = dialogue.language();
    Reply::say(match heard::read::<CreateBooking>(answered) {
        Ok(booking) => words::booked(&booking, heard::was_edited(answered), language),
        Err(trouble) => words::not_booked(trouble, language),
    })
}

/// The honest way to call.
pub fn refund(_: &Dialogue, input: &RefundOrderInput) -> Reply {
    Reply::call(Call::of::<RefundOrder>(input))
}

/// The honest answer to a result.
pub fn tell_refund(dialogue: &Dialogue, answered: &Answered) -> Reply {
    let language = dialogue.language();
    Reply::say(match heard::orders::refund(answered) {
        Ok(refund) => {
            let (edited, repeated) = (heard::was_edited(answered), heard::orders::was_repeated(answered));
            words::orders::refunded(&refund, edited, repeated, language)
        }
        Err(trouble) => {
            let asked = answered.input.get("orderId").and_then(|order| order.as_str()).unwrap_or_default();
            words::orders::not_refunded(&trouble, asked, language)
        }
    })
}
