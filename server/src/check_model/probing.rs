//! The calls, one after the other, and what comes of them.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use shared::tools::{DayForecast, GetWeather, GetWeatherOutput, WeatherSource, WeatherSummary};
use tokio::time::{Instant, timeout_at};

use super::advice;
use super::asking::{Asker, Heard, answered};
use super::check::{Check, Outcome};
use super::judging;
use crate::model::transcript::Recorder;
use crate::model::{ModelMessage, ProposedCall};
use crate::settings::Settings;
use crate::tools::arguments::Arguments;

/// Put to the model.
const IN_WORDS: &str = "Hello! What can you help me with? Please just tell me.";
const ONE: &str = "What is the weather like in Đà Lạt today?";
const TWO: &str = "What is the weather like in Hà Nội and in Huế today?";

/// What it hears of a tool that failed, in the words of the server.
const BROKEN: &str =
    "getWeather is temporarily unavailable. Nothing was done. Tell the user and do not try again now.";

pub struct Prober<'a> {
    pub asker: Asker,
    pub settings: &'a Settings,
    pub recorder: &'a Recorder,
    /// When there is no more time.
    pub deadline: Instant,
    /// As it was set, to be told.
    pub seconds: u64,
    pub found: Vec<(Check, Outcome)>,
}

impl Prober<'_> {
    /// Asks for everything; afterwards each check has an outcome.
    pub async fn probe(&mut self) {
        if self.ask_for_words().await {
            let one = self.ask_for_one_call().await;
            let two = self.ask_for_two_calls().await;
            if let Some((said, heard)) = two.or(one.clone()) {
                self.give_results(said, heard).await;
            }
            if let Some((said, heard)) = one {
                self.give_error(said, heard).await;
            }
        }
        for check in Check::ALL {
            if self.found.iter().all(|(found, _)| *found != check) {
                let note = "not asked, because of what failed before".to_owned();
                self.found.push((check, Outcome::NotAsked { note }));
            }
        }
        self.found.sort_by_key(|(check, _)| Check::ALL.iter().position(|known| known == check));
    }

    async fn ask_for_words(&mut self) -> bool {
        let said = self.asker.said(IN_WORDS);
        let Some(heard) = self.ask(Check::Answers, vec![said]).await else { return false };
        self.note(Check::Answers, judging::answer(&heard));
        self.note(Check::Streams, judging::stream(&heard));
        self.note(Check::CountsTokens, judging::usage(&heard));
        true
    }

    async fn ask_for_one_call(&mut self) -> Option<(ModelMessage, Arc<Heard>)> {
        let said = self.asker.said(ONE);
        let heard = self.ask(Check::CallsATool, vec![said.clone()]).await?;
        let outcome = judging::one_call(&heard, "Đà Lạt");
        let goes_on = outcome.is_good_enough();
        self.note(Check::CallsATool, outcome);
        goes_on.then(|| (said, heard.into()))
    }

    async fn ask_for_two_calls(&mut self) -> Option<(ModelMessage, Arc<Heard>)> {
        let said = self.asker.said(TWO);
        let heard = self.ask(Check::CallsTwoAtOnce, vec![said.clone()]).await?;
        let outcome = judging::two_calls(&heard, ["Hà Nội", "Huế"]);
        let is_whole = heard.calls().len() == 2 && outcome.is_good_enough();
        self.note(Check::CallsTwoAtOnce, outcome);
        // With one call only the model would rightly ask for the other one.
        is_whole.then(|| (said, heard.into()))
    }

    async fn give_results(&mut self, said: ModelMessage, before: Arc<Heard>) {
        let now = self.asker.now;
        let [turn, results] = answered(&before.turn, |call| (made_up_weather(call, now), false));
        if let Some(heard) = self.ask(Check::HearsResults, vec![said, turn, results]).await {
            self.note(Check::HearsResults, judging::answer(&heard));
        }
    }

    async fn give_error(&mut self, said: ModelMessage, before: Arc<Heard>) {
        let [turn, results] = answered(&before.turn, |_| (BROKEN.to_owned(), true));
        if let Some(heard) = self.ask(Check::HearsAnError, vec![said, turn, results]).await {
            self.note(Check::HearsAnError, judging::answer_after_error(&heard));
        }
    }

    /// What the model answers; where it does not, that is the check's outcome.
    async fn ask(&mut self, check: Check, messages: Vec<ModelMessage>) -> Option<Heard> {
        let outcome = match timeout_at(self.deadline, self.asker.ask(messages)).await {
            Ok(Ok(heard)) => return Some(heard),
            Ok(Err(error)) => advice::no_turn(&error, self.recorder.exchanges().last(), self.settings),
            Err(_) => Outcome::Failed {
                note: format!("it was not done within {} s", self.seconds),
                advice: "give it more time (--seconds), or take a faster model: guests wait as long"
                    .to_owned(),
            },
        };
        self.note(check, outcome);
        None
    }

    fn note(&mut self, check: Check, outcome: Outcome) {
        self.found.push((check, outcome));
    }
}

/// A forecast as the tool gives it, of a weather that nobody has measured.
fn made_up_weather(call: &ProposedCall, now: DateTime<Utc>) -> String {
    let input = Arguments::get().parse::<GetWeather>(&call.arguments);
    let (city, days) = input.map_or_else(|_| (String::new(), 1), |input| (input.city, input.days));
    let today = now.with_timezone(&chrono_tz::Asia::Ho_Chi_Minh).date_naive();
    let day = |ahead: u8| DayForecast {
        date: today + TimeDelta::days(i64::from(ahead)),
        min_c: 19,
        max_c: 27,
        summary: WeatherSummary::PartlyCloudy,
        chance_of_rain: Some(20),
    };
    let output = GetWeatherOutput {
        city,
        region: None,
        country: None,
        source: WeatherSource::Sample,
        fetched_at: None,
        days: (0..days).map(day).collect(),
    };
    serde_json::to_string(&output).unwrap_or_default()
}
