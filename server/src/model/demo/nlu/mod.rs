//! What a guest's text says: tokens, then slots, then intents. Nothing is guessed: what is not
//! recognised is not read.

pub mod choice;
pub mod city;
pub mod cuisine;
pub mod date;
mod date_words;
pub mod errand;
pub mod intent;
pub mod lang;
pub mod money;
pub mod note;
mod number;
pub mod order;
pub mod party;
pub mod text;
pub mod time;
mod word;

use choice::{Choice, Verdict};
use city::Place;
use cuisine::Cuisine;
use date::DateExpr;
use intent::Intents;
use lang::Language;
use party::Party;
use text::Text;
use time::{DayPart, TimeExpr};

/// One text of a guest, understood as far as it is.
#[derive(Clone, Debug)]
pub struct Understood {
    /// None: the text could be in either.
    pub language: Option<Language>,
    pub intents: Intents,
    /// What it says of bookings that were made.
    pub errand: errand::Words,
    /// References of bookings that stand in it.
    pub references: Vec<String>,
    /// Restaurants that are named in it, chosen or not.
    pub spoken_of: Vec<usize>,
    /// Where the wish for weather and the wish for a table part.
    pub boundary: Option<usize>,
    pub choice: Option<Choice>,
    /// Restaurants that the guest does not want.
    pub without: Vec<usize>,
    /// A restaurant is spoken of, but not chosen.
    pub mentions: Option<Verdict>,
    /// It is a question.
    pub asks: bool,
    pub places: Vec<Place>,
    /// With the token where each stands.
    pub dates: Vec<(DateExpr, usize)>,
    pub time: Option<TimeExpr>,
    pub part: Option<DayPart>,
    pub party: Option<Party>,
    /// `an hour later`: by how many minutes another time than it was.
    pub shift: Option<i32>,
    /// `thêm 2 người`: so many more, or fewer, than there were.
    pub more: Option<i32>,
    /// More than one table is wanted.
    pub several_tables: bool,
    /// The text is nothing but this number: it answers whatever was asked.
    pub lone_number: Option<u32>,
    pub cuisine: Option<Cuisine>,
    pub notes: Vec<String>,
    /// `hôm đó`: the day that was spoken of.
    pub that_day: bool,
    /// `3 ngày tới`
    pub forecast_days: Option<u32>,
    /// Words that nothing was read from.
    pub unread: usize,
}

impl Understood {
    /// `names`: of the restaurants that were found, those of the list that was shown last first;
    /// `listed`: how many these are; `references`: of the bookings that were heard of; `before`: the
    /// language so far.
    pub fn new(
        raw: &str,
        names: &[&str],
        listed: usize,
        references: &[&str],
        before: Option<Language>,
    ) -> Self {
        let mut text = Text::new(raw);
        let references = errand::references(&mut text, references);
        let named = choice::by_name(&mut text, names);
        let language = lang::of(&text);
        let reading = language.or(before).unwrap_or(Language::Vietnamese);
        let notes = note::extract(&mut text);
        let mut places = city::extract(&mut text);
        let mention = named.or_else(|| if listed == 0 { None } else { choice::by_place(&mut text, listed) });
        let forecast_days = forecast_days(&mut text);
        let dates: Vec<(DateExpr, usize)> = date_words::extract(&mut text, reading)
            .into_iter()
            .map(|(expr, found)| (expr, found.start))
            .collect();
        let shift = errand::shift(&mut text);
        let (time, part) = time::extract(&mut text);
        let several_tables = party::several_tables(&mut text);
        let more = errand::more_or_fewer(&mut text);
        let mut party = party::extract(&mut text);
        let lone = party::lone_number(&text).filter(|_| dates.is_empty() && time.is_none());
        if let Some((_, start, end)) = lone {
            text.take(start, end);
            party = None;
        }
        let cuisine = cuisine::extract(&mut text);
        let mut intents = intent::extract(&text);
        let verdict = mention.as_ref().map(|mention| choice::verdict(&text, mention));
        let asks = choice::is_question(&text);
        let spoken_of = match &mention {
            Some(choice::Mention { choice: Choice::Among(named), without, .. }) => {
                named.iter().chain(without).copied().collect()
            }
            Some(choice::Mention { choice: Choice::NotInList | Choice::Any | Choice::That, .. }) | None => {
                Vec::new()
            }
        };
        let (choice, without) = match (mention, verdict) {
            (Some(mention), Some(Verdict::Chosen)) => (Some(mention.choice), mention.without),
            (Some(choice::Mention { choice: Choice::Among(refused), .. }), Some(Verdict::Refused)) => {
                (None, refused)
            }
            (Some(mention), _) => (None, mention.without),
            (None, _) => (None, Vec::new()),
        };
        // What kind of food, or everything that a table needs, and nothing else.
        let complete = !places.is_empty() && !dates.is_empty() && time.is_some() && party.is_some();
        let other_slot = !places.is_empty() || !dates.is_empty() || time.is_some() || party.is_some();
        let food = matches!(cuisine, Some(Cuisine::Of(_))) && other_slot;
        if intents.weather.is_none() && !intents.declines && (food || complete && intent::unread(&text) <= 1)
        {
            intents.table = intents.table.or(Some(0));
        }
        let boundary = intent::boundary(&text, &intents);
        if intents.weather.is_some() {
            places.extend(city::listed(&mut text, &places));
        }
        if places.is_empty() || intents.weather.is_some() {
            places.extend(city::unknown(&mut text));
        }
        places.sort_by_key(|place| place.at);
        Self {
            language,
            choice,
            without,
            mentions: verdict.filter(|verdict| *verdict != Verdict::Chosen),
            asks,
            errand: errand::extract(&text),
            references,
            spoken_of,
            more,
            shift,
            several_tables,
            places,
            dates,
            time,
            part,
            party,
            lone_number: lone.map(|(number, _, _)| number),
            cuisine,
            notes,
            that_day: text.has(&["hôm|ngày|bữa|tối đó|ấy", "that day|evening|night"]),
            forecast_days,
            unread: intent::unread(&text),
            boundary,
            intents,
        }
    }

    /// Whether it says anything that a table or a forecast needs.
    pub fn has_slots(&self) -> bool {
        !self.places.is_empty()
            || !self.dates.is_empty()
            || self.time.is_some()
            || self.part.is_some()
            || self.party.is_some()
            || self.more.is_some()
            || self.cuisine.is_some()
            || self.forecast_days.is_some()
            || self.lone_number.is_some()
            || !self.notes.is_empty()
    }
}

/// `3 ngày tới`, `next 3 days`, `5-day forecast`: how many days are asked for.
fn forecast_days(text: &mut Text) -> Option<u32> {
    let counted = text.every_free(&[
        "# ngày tới|liền|liên|sắp tiếp|tới?",
        "trong # ngày tới?",
        "for? the? next|coming|following # days",
        "# - day|days forecast|weather?",
        "# day|days forecast|weather|outlook",
        "dự báo # ngày",
    ]);
    if let Some(found) = counted.into_iter().find(|found| !text.is(Some(found.end), "nữa|sau|trước")) {
        for at in found.start..found.end {
            // These also tell that it is about weather.
            if !text.is(Some(at), "dự|báo|forecast|weather|outlook") {
                text.take(at, at + 1);
            }
        }
        return found.numbers.first().copied();
    }
    let weeks = text.every_free(&[
        "for? the? next|coming|following # weeks|week",
        "trong? # tuần tới|liền|liên",
        "# - week|weeks forecast|weather?",
        "# weeks|week forecast|weather|outlook|ahead",
        "dự báo # tuần",
    ]);
    if let Some(found) = weeks.into_iter().find(|found| !text.is(Some(found.end), "nữa|sau|trước")) {
        for at in found.start..found.end {
            if !text.is(Some(at), "dự|báo|forecast|weather|outlook") {
                text.take(at, at + 1);
            }
        }
        return found.numbers.first().map(|weeks| weeks.saturating_mul(7));
    }
    let few = text.every_free(&["vài|mấy ngày tới|sắp|nữa", "next|coming few|couple of? days"]);
    let week = text.every_free(&[
        "một|1|cả|trong tuần tới",
        "week forecast|ahead",
        "the coming|next week",
        "weekly forecast",
        "next|coming 7 days",
    ]);
    let (found, days) = match (few.first(), week.first()) {
        (Some(found), _) => (found.clone(), 3),
        (None, Some(found)) => (found.clone(), 7),
        (None, None) => return None,
    };
    text.take(found.start, found.end);
    Some(days)
}

/// For tables of phrasings: tells every row that does not hold, not only the first.
#[cfg(test)]
pub fn assert_rows<G, W>(rows: impl IntoIterator<Item = (&'static str, G, W)>)
where
    G: PartialEq<W> + std::fmt::Debug,
    W: std::fmt::Debug,
{
    let wrong: Vec<String> = rows
        .into_iter()
        .filter(|(_, got, wanted)| got != wanted)
        .map(|(said, got, wanted)| format!("{said:?}: got {got:?}, wanted {wanted:?}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}
