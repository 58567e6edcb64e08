//! The results, for programs and for people who have read nothing before.

use std::path::Path;

use serde::Serialize;

use super::LabError;
use super::cases::{CaseName, Fault, KeyStrategy, Restart, Seen};
use super::run::{ORDER, WISH};

/// Characters of a line of text.
const WIDTH: usize = 100;

/// A result as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    case: &'static str,
    key: &'static str,
    restart: &'static str,
    refunds: usize,
    steps: usize,
    tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_step: Option<&'a [u64]>,
}

/// One line of JSON, with its line break.
pub fn json_line(seen: &Seen) -> Result<String, LabError> {
    let line = Line {
        case: seen.case.name.as_str(),
        key: seen.key.as_str(),
        restart: seen.case.fault.restart(),
        refunds: seen.refunds.len(),
        steps: seen.tokens_per_step.len(),
        tokens: seen.tokens(),
        tokens_per_step: match seen.case.fault {
            Fault::Refusals => Some(&seen.tokens_per_step),
            Fault::Crash(_) => None,
        },
    };
    let line = serde_json::to_string(&line).map_err(|error| LabError::Output(error.into()))?;
    Ok(format!("{line}\n"))
}

pub fn introduction() -> String {
    let story = format!(
        "In every case below a guest writes to an assistant: \"{WISH}\". The model, a scripted one, only proposes the \
         refund of order {ORDER}; the guest is asked and agrees; then this server asks a payment provider for it. \
         Server and model are processes of their own, server and provider have a database each. How many refunds \
         there are is counted in the provider's database."
    );
    let key = "With each request the server may send a key. A provider that has paid under a key pays nothing more \
               under it: it gives its first answer again, also to whoever only asks whether there is such a refund. \
               What differs from case to case is what the key is made of.";
    format!(
        "How often is money paid back when something breaks half-way?\n\n{}\n{}",
        paragraph("", &story),
        paragraph("", key)
    )
}

/// What happened in a case.
pub fn story(seen: &Seen) -> String {
    const INDENT: &str = "    ";
    let mut story = format!("\n{}  {}\n", seen.case.name.as_str(), title(seen));
    match seen.case.fault {
        Fault::Refusals => {
            story.push_str(&paragraph(INDENT, &refusals(seen)));
            story.push_str(&growth(INDENT, &seen.tokens_per_step));
        }
        Fault::Crash(restart) => story.push_str(&paragraph(INDENT, &crash(seen, restart))),
    }
    story.push_str(&format!("{INDENT}At the provider: {}\n", counted(seen.refunds.len(), "refund")));
    for refund in &seen.refunds {
        story.push_str(&format!("{INDENT}  {} đồng  key {}\n", thousands(refund.amount), refund.key));
    }
    story
}

fn title(seen: &Seen) -> String {
    let key = match seen.key {
        KeyStrategy::None => "No key",
        KeyStrategy::CallId => "The key is the tool call's id",
        KeyStrategy::Business => "The key names the thing done",
    };
    match seen.case.fault {
        Fault::Refusals => "The provider always refuses, and the model never gives up".to_owned(),
        Fault::Crash(Restart::Resume) => format!("{key}; killed, and resumed"),
        Fault::Crash(Restart::FromNothing) => format!("{key}; killed, and begun again from nothing"),
    }
}

fn refusals(seen: &Seen) -> String {
    format!(
        "The model looked the order up and asked for the refund. It heard that the provider had refused and that \
         nothing was refunded, and asked for the same again and again; the guest agreed every time. All limits but \
         one were off, and that one ended it: {} for one message. Each of them sends everything that was said \
         before once more:",
        counted(seen.tokens_per_step.len(), "call") + " of the model",
    )
}

/// What each call of the model was sent, and all up to it.
fn growth(indent: &str, tokens: &[u64]) -> String {
    let row = |name: &str, numbers: &mut dyn Iterator<Item = u64>| {
        let cells: String = numbers.map(|number| format!("{:>8}", thousands(number))).collect();
        format!("{indent}  {name:<17}{cells}\n")
    };
    let mut sum = 0;
    let mut sums = tokens.iter().map(|tokens| {
        sum += tokens;
        sum
    });
    let calls = row("call of the model", &mut (1..).take(tokens.len()));
    calls + &row("tokens sent", &mut tokens.iter().copied()) + &row("in sum", &mut sums)
}

fn crash(seen: &Seen, restart: Restart) -> String {
    let pid = seen.killed.map_or_else(String::new, |pid| format!(" (process {pid})"));
    let went_on = match restart {
        Restart::Resume => {
            "Started again on the same database, it found the refund begun and its end unknown, and asked the \
             provider whether there is such a refund."
        }
        Restart::FromNothing => {
            "Its database was deleted as well, as when a job is retried from its beginning or an old backup is \
             restored. Started again, it knew nothing: the guest asked once more, the model planned the refund once \
             more, and the server asked for it."
        }
    };
    let key = match (seen.key, restart) {
        (KeyStrategy::None, Restart::Resume) => {
            "Without a key there is nothing to look for: it heard that there is none, and asked for it again."
        }
        (KeyStrategy::None, Restart::FromNothing) => "Without a key the provider could not know it again.",
        (KeyStrategy::CallId, Restart::Resume) => "The call with its id was in the database: the same key.",
        (KeyStrategy::CallId, Restart::FromNothing) => {
            "A new plan is a new call, and a new call has a new id: another key."
        }
        (KeyStrategy::Business, Restart::Resume | Restart::FromNothing) => {
            "The key is made of the order, not of the attempt: the same key."
        }
    };
    let paid =
        if seen.refunds.len() > 1 { "The provider paid again." } else { "The provider did not pay again." };
    format!(
        "The provider paid. Before the server{pid} heard so it was killed with SIGKILL: all that it had noted was \
         that it was about to ask. {went_on} {key} {paid}"
    )
}

/// The table of all cases, and what is to be learnt. `kept`: the folder where everything was left.
pub fn conclusion(all: &[Seen], kept: Option<&Path>) -> String {
    let mut text = "\ncase  key       after the crash  refunds  model calls  tokens sent\n".to_owned();
    for seen in all {
        text.push_str(&format!(
            "{:<4}  {:<8}  {:<15}  {:>7}  {:>11}  {:>11}\n",
            seen.case.name.as_str(),
            seen.key.as_str(),
            match seen.case.fault {
                Fault::Refusals => "no crash",
                Fault::Crash(Restart::Resume) => "resumed",
                Fault::Crash(Restart::FromNothing) => "from nothing",
            },
            seen.refunds.len(),
            seen.tokens_per_step.len(),
            thousands(seen.tokens()),
        ));
    }
    text.push_str("\nWhat to learn\n");
    for seen in all {
        let lesson = paragraph("    ", lesson(seen.case.name));
        text.push_str(&format!("{:<4}{}", seen.case.name.as_str(), lesson.trim_start()));
    }
    if let Some(folder) = kept {
        let folder = folder.display();
        text.push_str(&format!("\nLeft in {folder}: of each case product.db, provider.db and server.log.\n"));
    }
    text
}

fn lesson(case: CaseName) -> &'static str {
    match case {
        CaseName::B => {
            "Whether it ends is up to the model, unless the server sets limits. Each call is larger than the one \
             before by about the same, so that the sum grows with the square of the calls. (As shipped, three \
             failed calls end it earlier.)"
        }
        CaseName::C1 => {
            "Between the payment and its record there is always a moment to die in. Resuming alone does not help: \
             it is what asks again."
        }
        CaseName::C2 => "An id that was stored before anything left makes asking again harmless.",
        CaseName::C3 => "But only for as long as it is remembered: the id belongs to the attempt.",
        CaseName::C4 => {
            "A key that names the thing done needs no memory. This server sends such a one: the order's, with a \
             number that rises only when the last refund has finally failed."
        }
    }
}

/// Text in lines of at most [`WIDTH`] characters.
fn paragraph(indent: &str, text: &str) -> String {
    let mut lines = vec![indent.to_owned()];
    for word in text.split_whitespace() {
        let used = lines.last().map_or(0, |line| line.chars().count());
        if used > indent.len() && used + 1 + word.chars().count() > WIDTH {
            lines.push(indent.to_owned());
        }
        if let Some(line) = lines.last_mut() {
            if line.len() > indent.len() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
