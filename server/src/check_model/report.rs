//! The result, for people and for programs.

use serde::Serialize;

use super::check::{Check, Outcome};
use crate::text::{for_terminal, json_for_terminal};

/// What was checked, and what came of it.
pub struct Report {
    /// The protocol, as TRUTHTABLE_MODEL names it.
    pub protocol: String,
    pub model: String,
    pub seconds: f64,
    pub found: Vec<(Check, Outcome)>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct AsJson<'a> {
    protocol: &'a str,
    model: &'a str,
    works: bool,
    seconds: f64,
    checks: Vec<CheckAsJson<'a>>,
}

#[derive(Serialize)]
struct CheckAsJson<'a> {
    check: Check,
    outcome: &'static str,
    note: &'a str,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    advice: Option<&'a str>,
}

impl Report {
    pub fn works(&self) -> bool {
        self.found.iter().all(|(_, outcome)| outcome.is_good_enough())
    }

    /// # Errors
    /// None that this data can bring about; serde's own.
    pub fn as_json(&self) -> Result<String, serde_json::Error> {
        let checks = self.found.iter().map(|(check, outcome)| CheckAsJson {
            check: *check,
            outcome: outcome.as_str(),
            note: outcome.note(),
            advice: outcome.advice(),
        });
        let report = AsJson {
            protocol: &self.protocol,
            model: &self.model,
            works: self.works(),
            seconds: (self.seconds * 10.0).round() / 10.0,
            checks: checks.collect(),
        };
        Ok(json_for_terminal(&format!("{}\n", serde_json::to_string_pretty(&report)?)))
    }

    pub fn as_text(&self) -> String {
        let mut text = format!("{}, model {}\n\n", self.protocol, self.model);
        let width = Check::ALL.iter().map(|check| check.title().len()).max().unwrap_or_default();
        for (check, outcome) in &self.found {
            let word = match outcome {
                Outcome::Passed { .. } => "ok",
                Outcome::Limited { .. } => "limited",
                Outcome::Failed { .. } => "FAILED",
                Outcome::NotAsked { .. } => "-",
            };
            text.push_str(&format!("{word:<8} {:<width$}  {}\n", check.title(), outcome.note()));
            if let Some(advice) = outcome.advice() {
                text.push_str(&format!("{:9}try: {advice}\n", ""));
            }
        }
        let good = self.found.iter().filter(|(_, outcome)| outcome.is_good_enough()).count();
        let verdict = if self.works() { "the model works here" } else { "the model does not work here" };
        text.push_str(&format!("\n{good} of {} in {:.0} s: {verdict}\n", self.found.len(), self.seconds));
        for_terminal(&text)
    }
}
