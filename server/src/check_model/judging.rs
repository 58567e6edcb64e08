//! What can be judged of an answer without reading it.

use std::time::Duration;

use shared::tools::{GetWeather, GetWeatherInput, Tool};

use super::asking::Heard;
use super::check::Outcome;
use crate::model::{ProposedCall, StopReason};
use crate::restaurants::fold;
use crate::text::one_line;
use crate::tools::arguments::Arguments;

/// Characters of the model's words that are shown.
const SHOWN: usize = 80;

const OTHER_MODEL: &str = "take another model (TRUTHTABLE_MODEL_NAME)";

fn failed(note: impl Into<String>, advice: impl Into<String>) -> Outcome {
    Outcome::Failed { note: note.into(), advice: advice.into() }
}

/// Words, no call, and the end of the turn.
pub fn answer(heard: &Heard) -> Outcome {
    if let Some(stopped) = unfinished(heard.turn.stop) {
        return stopped;
    }
    let text = heard.text();
    if let Some(call) = heard.calls().first() {
        let note = format!("it was asked to answer in words, and called {}", one_line(&call.name, SHOWN));
        return failed(note, format!("{OTHER_MODEL}: this one calls tools when it should not"));
    }
    if text.trim().is_empty() {
        return failed("it said nothing", OTHER_MODEL);
    }
    Outcome::Passed {
        note: format!("“{}” in {:.1} s", one_line(&text, SHOWN), heard.whole.as_secs_f64())
    }
}

/// Why a turn that stopped so is none that can be gone on with.
fn unfinished(stop: StopReason) -> Option<Outcome> {
    let (note, advice) = match stop {
        StopReason::EndTurn | StopReason::ToolUse | StopReason::Pause => return None,
        StopReason::MaxTokens => (
            "the answer was cut off at its limit",
            "raise TRUTHTABLE_MAX_TOKENS; a model that thinks needs some thousands",
        ),
        StopReason::Refusal => ("the model declined to answer", OTHER_MODEL),
        StopReason::ContextFull => ("the answer did not fit the context window", LARGER_CONTEXT),
        StopReason::Unknown => (
            "it stopped for a reason that the protocol does not have",
            "check that TRUTHTABLE_MODEL is the protocol that is spoken at TRUTHTABLE_MODEL_URL",
        ),
    };
    Some(failed(note, advice))
}

pub const LARGER_CONTEXT: &str = "give the model a larger context window: system prompt and tools take some 3,000 tokens \
     before the guest has said a word, a long conversation several times as many (Ollama: OLLAMA_CONTEXT_LENGTH=16384); or take another model";

/// An answer that is there so soon need not come in pieces: nobody waits for it.
const AT_ONCE: Duration = Duration::from_millis(300);

/// More than one piece, at different times.
pub fn stream(heard: &Heard) -> Outcome {
    let first = heard.first.unwrap_or(heard.whole).as_secs_f64();
    match heard.pieces {
        0 | 1 if heard.whole >= AT_ONCE => failed(
            format!("the whole text came in one piece, after {first:.1} s"),
            "check that nothing between here and the model gathers its answers (a proxy that buffers), and that the \
             service streams together with tools",
        ),
        0 | 1 => Outcome::Passed { note: format!("all of it was there after {first:.1} s") },
        pieces => Outcome::Passed {
            note: format!(
                "{pieces} pieces, the first after {first:.1} s, the last after {:.1} s",
                heard.whole.as_secs_f64()
            ),
        },
    }
}

pub fn usage(heard: &Heard) -> Outcome {
    let usage = heard.turn.usage;
    if usage.input_tokens > 0 && usage.output_tokens > 0 {
        let note = format!("{} tokens in, {} out", usage.total() - usage.output_tokens, usage.output_tokens);
        return Outcome::Passed { note };
    }
    Outcome::Limited {
        note: "it does not say how many tokens it used".to_owned(),
        advice: "nothing: it works, but TRUTHTABLE_TOKEN_BUDGET and TRUTHTABLE_DAILY_TOKENS cannot count"
            .to_owned(),
    }
}

/// One call for the weather of this city.
pub fn one_call(heard: &Heard, city: &str) -> Outcome {
    match weather_calls(heard) {
        Err(failed) => failed,
        Ok(inputs) => match inputs.as_slice() {
            [input] if is_city(input, city) => Outcome::Passed { note: told(&inputs) },
            [input] => failed(
                format!("it was asked about {city}, and called for {:?}", one_line(&input.city, SHOWN)),
                OTHER_MODEL,
            ),
            _ => failed(format!("it was asked about one city, and made {} calls", inputs.len()), OTHER_MODEL),
        },
    }
}

/// A call for each of two cities.
pub fn two_calls(heard: &Heard, cities: [&str; 2]) -> Outcome {
    let inputs = match weather_calls(heard) {
        Err(failed) => return failed,
        Ok(inputs) => inputs,
    };
    let has = |city: &str| inputs.iter().any(|input| is_city(input, city));
    match inputs.len() {
        2 if has(cities[0]) && has(cities[1]) => Outcome::Passed { note: told(&inputs) },
        1 if has(cities[0]) || has(cities[1]) => Outcome::Limited {
            note: "it calls one tool at a time".to_owned(),
            advice: "nothing: it works, but answers take more steps (TRUTHTABLE_MAX_STEPS)".to_owned(),
        },
        _ => failed(
            format!("it was asked about {} and {}, and called {}", cities[0], cities[1], told(&inputs)),
            OTHER_MODEL,
        ),
    }
}

/// The arguments of all calls, where the turn asks for the weather and for nothing else.
fn weather_calls(heard: &Heard) -> Result<Vec<GetWeatherInput>, Outcome> {
    if let Some(stopped) = unfinished(heard.turn.stop) {
        return Err(stopped);
    }
    let calls = heard.calls();
    if calls.is_empty() {
        let note = format!("it called no tool, and said “{}”", one_line(&heard.text(), SHOWN));
        let advice = "take a model that can call tools; where this one can, its server may have to be told so \
             (llama.cpp: --jinja, vLLM: --enable-auto-tool-choice and --tool-call-parser)";
        return Err(failed(note, advice));
    }
    if heard.turn.stop != StopReason::ToolUse {
        return Err(failed(
            "it wrote a call, and did not end its turn by asking for it: nothing of such a turn is run",
            "update the model's server, or take another one: what it says of its own end contradicts itself",
        ));
    }
    calls.iter().map(weather_call).collect()
}

fn weather_call(call: &ProposedCall) -> Result<GetWeatherInput, Outcome> {
    if call.name != GetWeather::NAME {
        let note = format!("it was asked about the weather, and called {}", one_line(&call.name, SHOWN));
        return Err(failed(note, OTHER_MODEL));
    }
    Arguments::get().parse::<GetWeather>(&call.arguments).map_err(|invalid| {
        let reasons: Vec<&str> = invalid.errors.iter().map(|error| error.message.as_str()).collect();
        failed(
            format!("its arguments do not fit the tool: {}", one_line(&reasons.join("; "), 200)),
            OTHER_MODEL,
        )
    })
}

fn is_city(input: &GetWeatherInput, city: &str) -> bool {
    let squashed = |name: &str| fold(name).replace(' ', "");
    squashed(&input.city).contains(&squashed(city))
}

fn told(inputs: &[GetWeatherInput]) -> String {
    let calls = inputs.iter().map(|input| format!("{}({})", GetWeather::NAME, one_line(&input.city, SHOWN)));
    calls.collect::<Vec<_>>().join(", ")
}

/// Words after the news that the tool failed: without another try, and without a temperature that it cannot know.
pub fn answer_after_error(heard: &Heard) -> Outcome {
    if let Some(call) = heard.calls().first() {
        let note = format!("it was told not to try again, and called {}", one_line(&call.name, SHOWN));
        return failed(note, OTHER_MODEL);
    }
    match answer(heard) {
        Outcome::Passed { .. } if names_degrees(&heard.text()) => failed(
            format!("nobody gave it a temperature, and it names one: “{}”", one_line(&heard.text(), SHOWN)),
            format!("{OTHER_MODEL}: this one makes things up; cards stay true, but its words do not"),
        ),
        Outcome::Passed { note } => Outcome::Passed { note },
        other @ (Outcome::Limited { .. } | Outcome::Failed { .. } | Outcome::NotAsked { .. }) => other,
    }
}

/// A number with a degree behind it.
fn names_degrees(text: &str) -> bool {
    let words = text.to_lowercase();
    ["°", "độ c", "degrees"].iter().any(|unit| {
        words
            .match_indices(unit)
            .any(|(at, _)| words[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temperature_is_a_number_with_its_unit() {
        for text in ["It is 24°C.", "Khoảng 24 độ C nhé", "around 24 degrees", "24 °"] {
            assert!(names_degrees(text), "{text}");
        }
        for text in ["I cannot tell the degrees.", "Mức độ của tôi", "Try again in 5 minutes", "°"] {
            assert!(!names_degrees(text), "{text}");
        }
    }
}
