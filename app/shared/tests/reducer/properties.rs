//! What holds of every script, as functions over any reducer. `planted.rs` shows that each of them
//! can fail.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRunner};
use serde_json::Value;
use shared::event::AgentEvent;
use shared::message::{MessagePart, UiMessage};
use shared::reduce::{Conversation, Refusal};
use shared::tool_call::StateName;
use shared::tools::ToolName;

use crate::events::{Script, cut, orderly_script, script};
use crate::fold::{Bug, Fold, Reducer, Sound};

/// One tool part as a reader of the JSON sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub tool_call_id: String,
    pub needs_approval: bool,
    pub state: StateName,
    pub json: Value,
}

impl Seen {
    fn approval_id(&self) -> Option<&str> {
        self.json["approval"]["approvalId"].as_str()
    }

    fn approved(&self) -> bool {
        self.json["approval"]["approved"] == true
    }

    fn revision(&self) -> u64 {
        self.json["revision"].as_u64().unwrap_or(0)
    }
}

pub fn tools_of(conversation: &Conversation) -> Vec<Seen> {
    let parts = conversation.messages.iter().flat_map(|message| &message.parts);
    let tools = parts.filter_map(|part| match part {
        MessagePart::Tool(tool) => Some(tool),
        MessagePart::Text(_) | MessagePart::Reasoning(_) => None,
    });
    tools
        .map(|tool| Seen {
            tool_call_id: tool.tool_call_id().to_string(),
            needs_approval: ToolName::parse(tool.tool_name()).is_some_and(ToolName::needs_approval),
            state: tool.state(),
            json: serde_json::to_value(tool).expect("a part is JSON"),
        })
        .collect()
}

/// How far a state is on the way. An unknown outcome comes before the known ones.
fn rank(state: StateName) -> u8 {
    match state {
        StateName::InputStreaming => 0,
        StateName::InputAvailable => 1,
        StateName::ApprovalRequested => 2,
        StateName::ApprovalResponded => 3,
        StateName::OutputUnknown => 4,
        StateName::OutputAvailable
        | StateName::OutputError
        | StateName::OutputDenied
        | StateName::OutputCancelled => 5,
    }
}

/// One event and the tool parts around it.
struct Change<'a> {
    event: &'a AgentEvent,
    before: &'a [Seen],
    after: &'a [Seen],
}

impl<'a> Change<'a> {
    /// Each part that was there before, and what became of it.
    fn pairs(&self) -> impl Iterator<Item = (&'a Seen, Option<&'a Seen>)> {
        let after = self.after;
        self.before.iter().map(move |was| {
            let is = after.iter().find(|part| part.tool_call_id == was.tool_call_id);
            (was, is)
        })
    }
}

fn each_change<F: Fold>(
    script: &Script,
    mut holds: impl FnMut(Change<'_>) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut fold = F::default();
    let mut before = Vec::new();
    for (id, event) in script {
        // A refusal is an answer; what it must not change is looked at below.
        let _ = fold.apply(*id, event);
        let after = tools_of(fold.conversation());
        holds(Change { event, before: &before, after: &after })?;
        before = after;
    }
    Ok(())
}

/// No part steps backwards, changes in a state that is final, or goes; but for one loop: an approved
/// call may be asked about again, under another approval id, before any output.
pub fn never_backwards<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    each_change::<F>(script, |change| {
        for (was, is) in change.pairs() {
            let Some(is) = is else {
                let withdrawn = matches!(change.event, AgentEvent::StepReset { .. });
                prop_assert!(withdrawn && was.state == StateName::InputStreaming, "gone: {was:?}");
                continue;
            };
            if is == was {
                continue;
            }
            let asks_again = was.state == StateName::ApprovalResponded
                && is.state == StateName::ApprovalRequested
                && was.approved()
                && is.approval_id() != was.approval_id();
            let grows = is.state == was.state
                && matches!(is.state, StateName::InputStreaming | StateName::OutputAvailable);
            let forward = rank(is.state) > rank(was.state);
            prop_assert!(forward || asks_again || grows, "{was:?} became {is:?}");
        }
        Ok(())
    })
}

/// Parts keep their order, and there is one for each call.
pub fn one_part_a_call_in_order<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    each_change::<F>(script, |change| {
        let ids = |parts: &[Seen]| parts.iter().map(|part| part.tool_call_id.clone()).collect::<Vec<_>>();
        let (before, after) = (ids(change.before), ids(change.after));
        let unique: BTreeSet<_> = after.iter().collect();
        prop_assert_eq!(unique.len(), after.len(), "two parts for one call: {:?}", after);
        let kept: Vec<_> = before.into_iter().filter(|id| after.contains(id)).collect();
        prop_assert!(after.starts_with(&kept), "order changed: {:?} to {:?}", kept, after);
        Ok(())
    })
}

/// Whether the part now shows that something ran, and did not before.
fn ran(was: &Seen, is: &Seen) -> bool {
    let shows = matches!(is.state, StateName::OutputAvailable | StateName::OutputUnknown)
        || (is.state == StateName::OutputError && is.json["kind"] == "tool");
    shows && is.state != was.state
}

/// A tool that needs a person's agreement shows an outcome of running only after the agreement.
pub fn outputs_only_where_approved<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    each_change::<F>(script, |change| {
        for (was, is) in change.pairs() {
            let Some(is) = is.filter(|is| is.needs_approval && ran(was, is)) else { continue };
            let agreed = was.state == StateName::ApprovalResponded && was.approved();
            prop_assert!(agreed || was.state == StateName::OutputUnknown, "{was:?} became {is:?}");
        }
        Ok(())
    })
}

/// No tool shows an outcome of running while a question about it waits, or after a no.
pub fn no_output_while_waiting_or_denied<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    each_change::<F>(script, |change| {
        for (was, is) in change.pairs() {
            let Some(is) = is.filter(|is| ran(was, is)) else { continue };
            let waits = was.state == StateName::ApprovalRequested;
            let declined = was.json["approval"]["approved"] == false;
            prop_assert!(!waits && !declined, "{was:?} became {is:?}");
        }
        Ok(())
    })
}

/// An output that is there changes only under a higher revision.
pub fn revision_only_rises<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    each_change::<F>(script, |change| {
        for (was, is) in change.pairs() {
            let Some(is) = is.filter(|is| is.state == StateName::OutputAvailable && is.state == was.state)
            else {
                continue;
            };
            prop_assert!(is == was || is.revision() > was.revision(), "{was:?} became {is:?}");
        }
        Ok(())
    })
}

/// An event whose id is not above the last one changes nothing.
pub fn stale_changes_nothing<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    let mut fold = F::default();
    let mut highest = 0;
    for (id, event) in script {
        let before = fold.conversation().clone();
        let answer = fold.apply(*id, event);
        if *id <= highest {
            prop_assert_eq!(answer, Err(Refusal::Stale));
            prop_assert_eq!(fold.conversation(), &before);
        }
        highest = highest.max(*id);
        prop_assert_eq!(fold.conversation().last_event_id, highest);
    }
    Ok(())
}

/// Where an event is refused, the last true state of every message stays, and of the run.
pub fn refused_changes_nothing<F: Fold>(script: &Script) -> Result<(), TestCaseError> {
    let facts = |conversation: &Conversation| {
        let run = conversation.run.clone().map(|run| (run.run_id, run.status, run.step, run.step_start));
        (conversation.messages.clone(), run)
    };
    let mut fold = F::default();
    for (id, event) in script {
        let before = facts(fold.conversation());
        if fold.apply(*id, event).is_err() {
            prop_assert_eq!(facts(fold.conversation()), before);
        }
    }
    Ok(())
}

/// Written out and read back at any points, folding goes on as if nothing had been.
pub fn cuts_do_not_matter<F: Fold>((script, cuts): &(Script, Vec<Index>)) -> Result<(), TestCaseError> {
    let cuts: BTreeSet<usize> = cuts.iter().map(|cut| cut.index(script.len().max(1))).collect();
    let (mut whole, mut pieces) = (F::default(), F::default());
    for (at, (id, event)) in script.iter().enumerate() {
        if cuts.contains(&at) {
            pieces = F::load(&pieces.save());
        }
        prop_assert_eq!(whole.apply(*id, event), pieces.apply(*id, event));
    }
    prop_assert_eq!(whole.conversation(), pieces.conversation());
    Ok(())
}

/// The log read from the start gives what the live view got: over the wire, with connections that
/// broke and came back some events too early.
pub fn replay_equals_live<F: Fold>((script, breaks): &(Script, Vec<Index>)) -> Result<(), TestCaseError> {
    let mut server = F::default();
    for (id, event) in script {
        let _ = server.apply(*id, event);
    }

    let mut live = F::default();
    let mut breaks: Vec<usize> = breaks.iter().map(|at| at.index(script.len().max(1))).collect();
    let mut at = 0;
    while let Some((id, event)) = script.get(at) {
        let _ = live.apply(*id, &F::through_the_wire(event));
        match breaks.iter().position(|broken| *broken == at) {
            Some(broken) => {
                breaks.swap_remove(broken);
                at = at.saturating_sub(3);
            }
            None => at += 1,
        }
    }
    prop_assert_eq!(server.conversation(), live.conversation());
    Ok(())
}

/// However text and arguments are cut into deltas, the parts are the same.
pub fn grouping_does_not_matter<F: Fold>((script, cuts): &(Script, Vec<Index>)) -> Result<(), TestCaseError> {
    let fold = |script: &mut dyn Iterator<Item = AgentEvent>| {
        let mut fold = F::default();
        for (id, event) in (1..).zip(script) {
            let _ = fold.apply(id, &event);
        }
        fold.conversation().messages.clone()
    };
    let one: Vec<UiMessage> = fold(&mut script.iter().map(|(_, event)| event.clone()));
    let other = fold(&mut regrouped(script, cuts).into_iter());
    prop_assert_eq!(one, other);
    Ok(())
}

/// Neighbouring deltas of one thing joined, then cut elsewhere.
fn regrouped(script: &Script, cuts: &[Index]) -> Vec<AgentEvent> {
    let mut joined: Vec<AgentEvent> = Vec::new();
    for (_, event) in script {
        match (joined.last_mut(), event) {
            (Some(AgentEvent::TextDelta { text }), AgentEvent::TextDelta { text: more })
            | (Some(AgentEvent::ReasoningDelta { text }), AgentEvent::ReasoningDelta { text: more }) => {
                text.push_str(more);
            }
            (
                Some(AgentEvent::ToolInputDelta { tool_call_id, input_text_delta }),
                AgentEvent::ToolInputDelta { tool_call_id: other, input_text_delta: more },
            ) if tool_call_id == other => input_text_delta.push_str(more),
            _ => joined.push(event.clone()),
        }
    }
    let cut_again = |event: AgentEvent| -> Vec<AgentEvent> {
        match event {
            AgentEvent::TextDelta { text } => {
                cut(&text, cuts).into_iter().map(|text| AgentEvent::TextDelta { text }).collect()
            }
            AgentEvent::ReasoningDelta { text } => {
                cut(&text, cuts).into_iter().map(|text| AgentEvent::ReasoningDelta { text }).collect()
            }
            AgentEvent::ToolInputDelta { tool_call_id, input_text_delta } => cut(&input_text_delta, cuts)
                .into_iter()
                .map(|input_text_delta| AgentEvent::ToolInputDelta {
                    tool_call_id: tool_call_id.clone(),
                    input_text_delta,
                })
                .collect(),
            other => vec![other],
        }
    };
    joined.into_iter().flat_map(cut_again).collect()
}

pub fn with_cuts(script: impl Strategy<Value = Script>) -> impl Strategy<Value = (Script, Vec<Index>)> {
    (script, prop::collection::vec(any::<Index>(), 0..6))
}

/// A property and the scripts that it speaks of, for any reducer.
pub type Verdict = Result<(), String>;

pub fn run<S: Strategy>(
    runner: &mut TestRunner,
    scripts: S,
    property: fn(&S::Value) -> Result<(), TestCaseError>,
) -> Verdict
where
    S::Value: Clone,
{
    match runner.run(&scripts, |script| property(&script)) {
        Ok(()) => Ok(()),
        Err(TestError::Fail(why, script)) => Err(format!("{why}\n{script:#?}")),
        Err(TestError::Abort(why)) => panic!("no verdict: {why}"),
    }
}

/// The properties by name, each over one reducer.
macro_rules! properties {
    ($($name:ident: $scripts:expr;)*) => {
        #[derive(Clone, Copy, Debug)]
        #[allow(non_camel_case_types, reason = "named like the functions above")]
        pub enum Property {
            $($name,)*
        }

        impl Property {
            pub fn check<B: Bug>(self, runner: &mut TestRunner) -> Verdict {
                match self {
                    $(Self::$name => run(runner, $scripts, $name::<Reducer<B>>),)*
                }
            }
        }

        mod of_the_reducer {
            use super::*;

            $(#[test]
            fn $name() {
                let config = Config { cases: 512, failure_persistence: None, ..Config::default() };
                if let Err(counterexample) = Property::$name.check::<Sound>(&mut TestRunner::new(config)) {
                    panic!("{counterexample}");
                }
            })*
        }
    };
}

properties! {
    never_backwards: script();
    one_part_a_call_in_order: script();
    outputs_only_where_approved: script();
    no_output_while_waiting_or_denied: script();
    revision_only_rises: script();
    stale_changes_nothing: script();
    refused_changes_nothing: script();
    cuts_do_not_matter: with_cuts(script());
    replay_equals_live: with_cuts(script());
    grouping_does_not_matter: with_cuts(orderly_script());
}

/// The scripts reach every state and every refusal: the properties above speak of something.
#[test]
fn scripts_go_everywhere() {
    let mut runner = TestRunner::deterministic();
    let mut states: BTreeMap<StateName, u32> = BTreeMap::new();
    let mut refusals: BTreeMap<String, u32> = BTreeMap::new();
    let mut asked_again = 0;
    for _ in 0..400 {
        let script = script().new_tree(&mut runner).expect("a script").current();
        let mut conversation = Conversation::default();
        for (id, event) in &script {
            let before = tools_of(&conversation);
            match conversation.apply(*id, event) {
                Ok(_) => {
                    for (was, is) in before.iter().zip(tools_of(&conversation)) {
                        *states.entry(is.state).or_default() += 1;
                        asked_again += u32::from(rank(is.state) < rank(was.state));
                    }
                }
                Err(refusal) => {
                    let name = format!("{refusal:?}");
                    let name = name.split(['(', ' ']).next().unwrap_or_default().to_owned();
                    *refusals.entry(name).or_default() += 1;
                }
            }
        }
    }
    assert_eq!(states.len(), 9, "{states:?}");
    let expected = [
        "DuplicateMessage",
        "DuplicateToolCall",
        "Malformed",
        "NotApproved",
        "NotNow",
        "Stale",
        "StepHasResults",
        "UnknownToolCall",
        "WrongRun",
        "WrongStep",
    ];
    assert_eq!(refusals.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    assert!(states.values().all(|times| *times > 20), "{states:?}");
    assert!(asked_again > 20, "{asked_again}");
}
