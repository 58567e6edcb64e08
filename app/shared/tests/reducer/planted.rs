//! The reducer without one of its guards: the property that watches over the guard must notice.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use shared::event::AgentEvent;
use shared::ids::ToolCallId;
use shared::message::MessagePart;
use shared::reduce::{Conversation, Refusal};
use shared::tool_call::StateName;
use shared::tools::ToolPart;

use crate::fold::{Bug, Sound, patch_part};
use crate::properties::{Property, tools_of};

/// Looks for a counterexample; the same scripts every time.
fn is_caught<B: Bug>(property: Property) -> bool {
    let config = Config {
        cases: 4000,
        failure_persistence: None,
        // The counterexample itself is of no interest here.
        max_shrink_iters: 0,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    property.check::<B>(&mut TestRunner::new_with_rng(config, rng)).is_err()
}

macro_rules! caught {
    ($($(#[$doc:meta])* $test:ident: $bug:ident by $($property:ident),+;)*) => {
        $(
            $(#[$doc])*
            struct $bug;

            #[test]
            fn $test() {
                $(
                    let property = Property::$property;
                    assert!(is_caught::<$bug>(property), "{property:?} lets it pass");
                )+
            }
        )*
    };
}

caught! {
    /// Takes every step backwards to a state that the events could have led to before.
    steps_backwards: GoesBack by never_backwards;
    /// Asks again under the approval id that was answered already.
    same_question_again: AsksAgainUnderTheSameId by never_backwards;
    /// Asks again where the person has said no.
    question_after_a_no: AsksAgainAfterANo by never_backwards;
    /// Withdraws a step although calls of it have results.
    results_withdrawn: WithdrawsResults by never_backwards, refused_changes_nothing;
    /// A second part for a call that has one.
    second_part: DoublesParts by one_part_a_call_in_order;
    /// New parts come first.
    parts_reordered: PutsPartsFirst by one_part_a_call_in_order;
    /// Forgets to look for the agreement of a call that needs one.
    approval_forgotten: ForgetsApproval by outputs_only_where_approved;
    /// Takes a question for its answer.
    output_while_waiting: TakesAskedForApproved by
        outputs_only_where_approved, no_output_while_waiting_or_denied;
    /// Takes any answer for a yes.
    output_after_denial: TakesNoForYes by
        outputs_only_where_approved, no_output_while_waiting_or_denied;
    /// Takes whatever revision comes.
    revision_unchecked: TakesAnyRevision by revision_only_rises;
    /// Folds events that it has seen already.
    ids_unchecked: TakesStale by stale_changes_nothing, replay_equals_live;
    /// Does not count a refused event as seen.
    refused_unseen: DoesNotCountRefused by stale_changes_nothing;
    /// Keeps half of what it refuses.
    half_folded: FoldsHalf by refused_changes_nothing;
    /// Does not say whether the text still takes deltas.
    open_text_lost: LosesOpenText by cuts_do_not_matter;
    /// Does not say where the step began.
    step_start_lost: LosesStepStart by cuts_do_not_matter;
    /// Reads arguments back as they look, not as they came.
    streaming_text_lost: LosesInputText by cuts_do_not_matter;
    /// The person's edit does not travel.
    edit_lost_on_the_wire: LosesEdit by replay_equals_live;
    /// A new text part for every delta.
    text_never_open: NeverContinuesText by grouping_does_not_matter;
    /// Throws away deltas without visible characters.
    blank_deltas_lost: DropsBlankDeltas by grouping_does_not_matter;
    /// Trims the arguments' deltas.
    argument_deltas_trimmed: TrimsArguments by grouping_does_not_matter;
}

fn state_of(conversation: &Conversation, id: &ToolCallId) -> Option<StateName> {
    let seen = tools_of(conversation).into_iter().find(|part| part.tool_call_id == id.as_str());
    seen.map(|part| part.state)
}

/// Writes an output into a part, whatever its state.
fn force_output(conversation: &mut Conversation, id: &ToolCallId, output: &Value) -> bool {
    patch_part(conversation, id, |part| {
        part.insert("state".to_owned(), json!("output-available"));
        part.insert("output".to_owned(), output.clone());
        part.remove("approval");
    })
}

/// Lets an output pass where the reducer refused it in one of these states.
fn output_passes_in(
    states: &[StateName],
    conversation: &mut Conversation,
    id: u64,
    event: &AgentEvent,
) -> Result<(), Refusal> {
    let refused = match conversation.apply(id, event) {
        Ok(_) => return Ok(()),
        Err(refused) => refused,
    };
    match event {
        AgentEvent::ToolOutputAvailable { tool_call_id, output }
            if refused == Refusal::NotApproved
                && state_of(conversation, tool_call_id).is_some_and(|state| states.contains(&state))
                && force_output(conversation, tool_call_id, output) =>
        {
            Ok(())
        }
        _ => Err(refused),
    }
}

/// Asks again where the reducer refused to.
fn asks_again(
    approved: bool,
    conversation: &mut Conversation,
    id: u64,
    event: &AgentEvent,
) -> Result<(), Refusal> {
    let refused = match conversation.apply(id, event) {
        Ok(_) => return Ok(()),
        Err(refused) => refused,
    };
    match event {
        AgentEvent::ToolApprovalRequested { tool_call_id, approval_id, .. }
            if refused == Refusal::NotNow(StateName::ApprovalResponded) =>
        {
            let mut done = false;
            patch_part(conversation, tool_call_id, |part| {
                if part["approval"]["approved"] == approved {
                    part.insert("state".to_owned(), json!("approval-requested"));
                    part["approval"]["approvalId"] = json!(approval_id);
                    done = true;
                }
            });
            if done { Ok(()) } else { Err(refused) }
        }
        _ => Err(refused),
    }
}

impl Bug for GoesBack {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let refused = match conversation.apply(id, event) {
            Ok(_) => return Ok(()),
            Err(refused) => refused,
        };
        match (event, &refused) {
            (AgentEvent::ToolInputAvailable { tool_call_id, input }, Refusal::NotNow(_)) => {
                patch_part(conversation, tool_call_id, |part| {
                    part.insert("state".to_owned(), json!("input-available"));
                    part.insert("input".to_owned(), input.clone());
                });
                Ok(())
            }
            _ => Err(refused),
        }
    }
}

impl Bug for AsksAgainUnderTheSameId {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        asks_again(true, conversation, id, event)
    }
}

impl Bug for AsksAgainAfterANo {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        asks_again(false, conversation, id, event)
    }
}

impl Bug for WithdrawsResults {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let answer = conversation.apply(id, event).map(drop);
        if answer == Err(Refusal::StepHasResults)
            && let Some(run) = &conversation.run
        {
            let filled = conversation.messages.iter_mut().find(|message| message.id == run.message_id);
            filled.expect("the run fills a message").parts.truncate(run.step_start);
        }
        answer
    }
}

impl Bug for DoublesParts {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        match (conversation.apply(id, event), event) {
            (Err(Refusal::DuplicateToolCall(_)), AgentEvent::ToolInputStart { tool_call_id, tool_name }) => {
                let part = MessagePart::Tool(ToolPart::start(tool_name, tool_call_id.clone()));
                conversation.messages.last_mut().expect("the first part is in one").parts.push(part);
                Ok(())
            }
            (answer, _) => answer.map(drop),
        }
    }
}

impl Bug for PutsPartsFirst {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        conversation.apply(id, event)?;
        if let AgentEvent::ToolInputStart { .. } = event {
            let filled = conversation.run.as_ref().expect("a part was added to a run");
            let filled = conversation.messages.iter_mut().find(|message| message.id == filled.message_id);
            filled.expect("the run fills a message").parts.rotate_right(1);
        }
        Ok(())
    }
}

impl Bug for ForgetsApproval {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        output_passes_in(&[StateName::InputAvailable], conversation, id, event)
    }
}

impl Bug for TakesAskedForApproved {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        output_passes_in(&[StateName::ApprovalRequested], conversation, id, event)
    }
}

impl Bug for TakesNoForYes {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        output_passes_in(&[StateName::ApprovalResponded], conversation, id, event)
    }
}

impl Bug for TakesAnyRevision {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        match (conversation.apply(id, event), event) {
            (
                Err(Refusal::NotNow(StateName::OutputAvailable)),
                AgentEvent::ToolOutputUpdated { tool_call_id, output, revision },
            ) => {
                patch_part(conversation, tool_call_id, |part| {
                    part.insert("output".to_owned(), output.clone());
                    part.insert("revision".to_owned(), json!(revision));
                });
                Ok(())
            }
            (answer, _) => answer.map(drop),
        }
    }
}

impl Bug for TakesStale {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let last = conversation.last_event_id;
        let answer = conversation.apply(id.max(last + 1), event).map(drop);
        conversation.last_event_id = id.max(last);
        answer
    }
}

impl Bug for DoesNotCountRefused {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let last = conversation.last_event_id;
        let answer = conversation.apply(id, event).map(drop);
        if answer.is_err() {
            conversation.last_event_id = last;
        }
        answer
    }
}

impl Bug for FoldsHalf {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let answer = conversation.apply(id, event).map(drop);
        if let (Err(Refusal::NotApproved), AgentEvent::ToolOutputAvailable { tool_call_id, output }) =
            (&answer, event)
        {
            force_output(conversation, tool_call_id, output);
        }
        answer
    }
}

impl Bug for LosesOpenText {
    fn save(conversation: &Conversation) -> Value {
        let mut saved = Sound::save(conversation);
        if let Some(run) = saved.get_mut("run") {
            run["textOpen"] = json!(false);
        }
        saved
    }
}

impl Bug for LosesStepStart {
    fn load(mut saved: Value) -> Conversation {
        if let Some(run) = saved.get_mut("run") {
            run["stepStart"] = json!(0);
        }
        Sound::load(saved)
    }
}

impl Bug for LosesInputText {
    fn load(mut saved: Value) -> Conversation {
        for message in saved["messages"].as_array_mut().expect("messages are a list") {
            for part in message["parts"].as_array_mut().expect("parts are a list") {
                if let Some(partial) = part.get("partialInput") {
                    part["inputText"] = json!(partial.to_string());
                }
            }
        }
        Sound::load(saved)
    }
}

impl Bug for LosesEdit {
    fn encode(event: &AgentEvent) -> Value {
        let mut json = Sound::encode(event);
        if json["type"] == "tool-approval-responded" {
            json.as_object_mut().expect("an event is an object").remove("input");
        }
        json
    }
}

impl Bug for NeverContinuesText {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        let answer = conversation.apply(id, event).map(drop);
        if let Some(run) = &mut conversation.run {
            run.text_open = false;
        }
        answer
    }
}

impl Bug for DropsBlankDeltas {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        match event {
            AgentEvent::TextDelta { text } if text.trim().is_empty() => Ok(()),
            _ => conversation.apply(id, event).map(drop),
        }
    }
}

impl Bug for TrimsArguments {
    fn apply(conversation: &mut Conversation, id: u64, event: &AgentEvent) -> Result<(), Refusal> {
        match event {
            AgentEvent::ToolInputDelta { tool_call_id, input_text_delta } => {
                let (tool_call_id, trimmed) = (tool_call_id.clone(), input_text_delta.trim().to_owned());
                let trimmed = AgentEvent::ToolInputDelta { tool_call_id, input_text_delta: trimmed };
                conversation.apply(id, &trimmed).map(drop)
            }
            _ => conversation.apply(id, event).map(drop),
        }
    }
}
