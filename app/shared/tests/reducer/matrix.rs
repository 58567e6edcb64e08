//! Every event against every state, as tables to read.

use serde_json::json;
use shared::event::{AgentEvent, CancelReason, ToolErrorKind};
use shared::reduce::{Conversation, Refusal};
use shared::run::RunStatus;
use shared::tool_call::StateName;

use crate::events::{approval_requested, input_of, output_error, output_of};
use crate::properties::tools_of;

const CALL: &str = "call-1";

fn started(run: &str, message: &str) -> AgentEvent {
    AgentEvent::RunStarted { run_id: run.into(), message_id: message.into() }
}

fn finished(run: &str, status: RunStatus) -> AgentEvent {
    AgentEvent::RunFinished { run_id: run.into(), status, usage: None }
}

fn text(text: &str) -> AgentEvent {
    AgentEvent::TextDelta { text: text.to_owned() }
}

fn responded(approved: bool, edited: Option<serde_json::Value>) -> AgentEvent {
    AgentEvent::ToolApprovalResponded { tool_call_id: CALL.into(), approved, input: edited }
}

fn updated(tool: &str, revision: u64) -> AgentEvent {
    AgentEvent::ToolOutputUpdated { tool_call_id: CALL.into(), output: output_of(tool, 9), revision }
}

/// The tool events by what they are called in the tables.
fn tool_events(tool: &str) -> Vec<(&'static str, AgentEvent)> {
    let tool_call_id = || CALL.into();
    vec![
        (
            "input-start",
            AgentEvent::ToolInputStart { tool_call_id: tool_call_id(), tool_name: tool.to_owned() },
        ),
        (
            "input-delta",
            AgentEvent::ToolInputDelta { tool_call_id: tool_call_id(), input_text_delta: "{".to_owned() },
        ),
        (
            "input-available",
            AgentEvent::ToolInputAvailable { tool_call_id: tool_call_id(), input: input_of(tool, 1) },
        ),
        (
            "input-available ill-typed",
            AgentEvent::ToolInputAvailable { tool_call_id: tool_call_id(), input: json!({"city": 1}) },
        ),
        ("approval-requested again", approval_requested(CALL, tool, "ask-1")),
        ("approval-requested new", approval_requested(CALL, tool, "ask-2")),
        ("approval-responded yes", responded(true, None)),
        ("approval-responded yes edited", responded(true, Some(input_of(tool, 2)))),
        ("approval-responded yes ill-typed", responded(true, Some(json!([])))),
        ("approval-responded no", responded(false, None)),
        (
            "output-available",
            AgentEvent::ToolOutputAvailable { tool_call_id: tool_call_id(), output: output_of(tool, 1) },
        ),
        (
            "output-available ill-typed",
            AgentEvent::ToolOutputAvailable { tool_call_id: tool_call_id(), output: json!("done!") },
        ),
        ("output-updated 0", updated(tool, 0)),
        ("output-updated 2", updated(tool, 2)),
        ("output-updated 3", updated(tool, 3)),
        ("output-error input", output_error(CALL, ToolErrorKind::Input)),
        ("output-error tool", output_error(CALL, ToolErrorKind::Tool)),
        ("output-error unavailable", output_error(CALL, ToolErrorKind::Unavailable)),
        ("output-denied", AgentEvent::ToolOutputDenied { tool_call_id: tool_call_id() }),
        (
            "output-cancelled",
            AgentEvent::ToolOutputCancelled {
                tool_call_id: tool_call_id(),
                reason: CancelReason::Stopped,
                of: None,
            },
        ),
        ("output-unknown", AgentEvent::ToolOutputUnknown { tool_call_id: tool_call_id() }),
    ]
}

fn named(tool: &str, name: &str) -> AgentEvent {
    let found = tool_events(tool).into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("no event {name}")).1
}

/// The columns, and how a call gets there.
const AGREED: [&str; 4] =
    ["input-delta", "input-available", "approval-requested again", "approval-responded yes"];

fn columns(asks: bool) -> Vec<(&'static str, Vec<&'static str>)> {
    let run: &[&str] = if asks { &AGREED } else { &AGREED[..2] };
    let then = |more: &[&'static str]| [run, more].concat();
    vec![
        ("stream", vec!["input-delta"]),
        ("avail", AGREED[..2].to_vec()),
        ("asked", AGREED[..3].to_vec()),
        ("yes", AGREED.to_vec()),
        ("no", [&AGREED[..3], &["approval-responded no"]].concat()),
        ("done", then(&["output-available"])),
        ("upd", then(&["output-available", "output-updated 2"])),
        ("error", then(&["output-error tool"])),
        ("denied", [&AGREED[..3], &["approval-responded no", "output-denied"]].concat()),
        ("cancel", then(&["output-cancelled"])),
        ("unkn", then(&["output-unknown"])),
    ]
}

/// The state of the one part, in a table's words.
fn word(conversation: &Conversation) -> &'static str {
    let part = &tools_of(conversation)[0];
    match part.state {
        StateName::InputStreaming => "stream",
        StateName::InputAvailable => "avail",
        StateName::ApprovalRequested => "asked",
        StateName::ApprovalResponded if part.json["approval"]["approved"] == true => "yes",
        StateName::ApprovalResponded => "no",
        StateName::OutputAvailable if part.json.get("revision").is_some() => "upd",
        StateName::OutputAvailable => "done",
        StateName::OutputError => "error",
        StateName::OutputDenied => "denied",
        StateName::OutputCancelled => "cancel",
        StateName::OutputUnknown => "unkn",
    }
}

/// `-` may not follow, `!` not approved, `x` ill-typed, `=2` there is such a call.
fn sign(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::NotNow(_) => "-",
        Refusal::NotApproved => "!",
        Refusal::Malformed(_) => "x",
        Refusal::DuplicateToolCall(_) => "=2",
        Refusal::Stale
        | Refusal::UnknownToolCall(_)
        | Refusal::DuplicateMessage(_)
        | Refusal::WrongRun
        | Refusal::WrongStep
        | Refusal::StepHasResults => "?",
    }
}

fn fold(events: &[AgentEvent]) -> Conversation {
    let mut conversation = Conversation::default();
    for event in events {
        let id = conversation.last_event_id + 1;
        conversation.apply(id, event).expect("the way to a column");
    }
    conversation
}

fn table(tool: &str, asks: bool) -> String {
    let columns = columns(asks);
    let mut lines = vec![format!("{:33}", "")];
    for (name, _) in &columns {
        lines[0].push_str(&format!("{name:>7}"));
    }
    for (event_name, event) in tool_events(tool) {
        let mut line = format!("{event_name:33}");
        for (name, way) in &columns {
            let mut events = vec![started("run-1", "m-1"), named(tool, "input-start")];
            events.extend(way.iter().map(|step| named(tool, step)));
            let mut conversation = fold(&events);
            assert_eq!(word(&conversation), *name);

            let before = conversation.messages.clone();
            let id = conversation.last_event_id + 1;
            let cell = match conversation.apply(id, &event) {
                Ok(_) => word(&conversation),
                Err(refusal) => {
                    assert_eq!(conversation.messages, before, "{event_name} at {name} was refused");
                    sign(&refusal)
                }
            };
            line.push_str(&format!("{cell:>7}"));
        }
        lines.push(line);
    }
    lines.join("\n")
}

#[test]
fn a_tool_that_needs_approval() {
    assert_eq!(table("createBooking", true), NEEDS_APPROVAL.trim_matches('\n'));
}

#[test]
fn a_tool_that_needs_none() {
    assert_eq!(table("getWeather", false), NEEDS_NONE.trim_matches('\n'));
}

#[test]
fn a_tool_that_needs_none_but_was_asked_about() {
    let asked = table("getWeather", true);
    assert_eq!(asked, NEEDS_NONE.trim_matches('\n'), "the same rules");
}

const NEEDS_APPROVAL: &str = "
                                  stream  avail  asked    yes     no   done    upd  error denied cancel   unkn
input-start                           =2     =2     =2     =2     =2     =2     =2     =2     =2     =2     =2
input-delta                       stream      -      -      -      -      -      -      -      -      -      -
input-available                    avail      -      -      -      -      -      -      -      -      -      -
input-available ill-typed              x      -      -      -      -      -      -      -      -      -      -
approval-requested again               -  asked      -      -      -      -      -      -      -      -      -
approval-requested new                 -  asked      -  asked      -      -      -      -      -      -      -
approval-responded yes                 -      -    yes      -      -      -      -      -      -      -      -
approval-responded yes edited          -      -    yes      -      -      -      -      -      -      -      -
approval-responded yes ill-typed       -      -      x      -      -      -      -      -      -      -      -
approval-responded no                  -      -     no      -      -      -      -      -      -      -      -
output-available                       -      !      !   done      !      -      -      -      -      -   done
output-available ill-typed             -      !      !      x      !      -      -      -      -      -      x
output-updated 0                       -      -      -      -      -      -      -      -      -      -      -
output-updated 2                       -      -      -      -      -    upd      -      -      -      -      -
output-updated 3                       -      -      -      -      -    upd    upd      -      -      -      -
output-error input                 error  error  error  error      -      -      -      -      -      -  error
output-error tool                      -      !      !  error      !      -      -      -      -      -  error
output-error unavailable           error  error  error  error      -      -      -      -      -      -  error
output-denied                          -      -      -      - denied      -      -      -      -      -      -
output-cancelled                  cancel cancel cancel cancel cancel      -      -      -      -      -      -
output-unknown                         -      !      !   unkn      !      -      -      -      -      -      -
";

const NEEDS_NONE: &str = "
                                  stream  avail  asked    yes     no   done    upd  error denied cancel   unkn
input-start                           =2     =2     =2     =2     =2     =2     =2     =2     =2     =2     =2
input-delta                       stream      -      -      -      -      -      -      -      -      -      -
input-available                    avail      -      -      -      -      -      -      -      -      -      -
input-available ill-typed              x      -      -      -      -      -      -      -      -      -      -
approval-requested again               -  asked      -      -      -      -      -      -      -      -      -
approval-requested new                 -  asked      -  asked      -      -      -      -      -      -      -
approval-responded yes                 -      -    yes      -      -      -      -      -      -      -      -
approval-responded yes edited          -      -    yes      -      -      -      -      -      -      -      -
approval-responded yes ill-typed       -      -      x      -      -      -      -      -      -      -      -
approval-responded no                  -      -     no      -      -      -      -      -      -      -      -
output-available                       -   done      !   done      !      -      -      -      -      -   done
output-available ill-typed             -      x      !      x      !      -      -      -      -      -      x
output-updated 0                       -      -      -      -      -      -      -      -      -      -      -
output-updated 2                       -      -      -      -      -    upd      -      -      -      -      -
output-updated 3                       -      -      -      -      -    upd    upd      -      -      -      -
output-error input                 error  error  error  error      -      -      -      -      -      -  error
output-error tool                      -  error      !  error      !      -      -      -      -      -  error
output-error unavailable           error  error  error  error      -      -      -      -      -      -  error
output-denied                          -      -      -      - denied      -      -      -      -      -      -
output-cancelled                  cancel cancel cancel cancel cancel      -      -      -      -      -      -
output-unknown                         -   unkn      !   unkn      !      -      -      -      -      -      -
";

/// Messages, text and runs, by how the run stands.
#[test]
fn runs() {
    let columns: [(&str, Vec<AgentEvent>); 5] = [
        ("none", vec![]),
        ("running", vec![started("run-1", "m-1")]),
        ("in step 2", vec![started("run-1", "m-1"), AgentEvent::StepStarted { step: 2 }, text("Xin ")]),
        ("parked", vec![started("run-1", "m-1"), finished("run-1", RunStatus::AwaitingApproval)]),
        ("ended", vec![started("run-1", "m-1"), finished("run-1", RunStatus::Failed)]),
    ];
    let message = |id: &str| AgentEvent::UserMessage {
        message_id: id.into(),
        client_message_id: "c-1".into(),
        text: "Xin chào".to_owned(),
    };
    let events = [
        ("user-message", message("u-1")),
        ("user-message, id taken", message("m-1")),
        ("run-started, another", started("run-2", "m-2")),
        ("run-started, another in m-1", started("run-2", "m-1")),
        ("run-started, the same", started("run-1", "m-1")),
        ("run-started, the same in m-2", started("run-1", "m-2")),
        ("run-finished done", finished("run-1", RunStatus::Done)),
        ("run-finished awaiting-approval", finished("run-1", RunStatus::AwaitingApproval)),
        ("run-finished running", finished("run-1", RunStatus::Running)),
        ("run-finished of another", finished("run-2", RunStatus::Done)),
        ("step-started 3", AgentEvent::StepStarted { step: 3 }),
        ("step-reset 2", AgentEvent::StepReset { step: 2 }),
        ("step-reset 3", AgentEvent::StepReset { step: 3 }),
        ("text-delta", text("chào")),
        ("reasoning-delta", AgentEvent::ReasoningDelta { text: "hm".to_owned() }),
        ("model-retrying", AgentEvent::ModelRetrying { step: 2, attempt: 1 }),
        ("tool-input-start", named("getWeather", "input-start")),
        ("tool-output-denied", named("getWeather", "output-denied")),
    ];

    let mut lines = vec![format!("{:31}", "")];
    for (name, _) in &columns {
        lines[0].push_str(&format!("{name:>18}"));
    }
    for (event_name, event) in events {
        let mut line = format!("{event_name:31}");
        for (_, way) in &columns {
            let mut conversation = fold(way);
            let before = conversation.clone();
            let id = conversation.last_event_id + 1;
            let cell = match conversation.apply(id, &event) {
                Ok(_) => difference(&before, &conversation),
                Err(refusal) => {
                    assert_eq!(conversation.messages, before.messages);
                    refused(&refusal).to_owned()
                }
            };
            line.push_str(&format!("{cell:>18}"));
        }
        lines.push(line);
    }
    assert_eq!(lines.join("\n"), RUNS.trim_matches('\n'));
}

/// What became more or less: messages, parts, and the run's status.
fn difference(before: &Conversation, after: &Conversation) -> String {
    let parts = |conversation: &Conversation| -> usize {
        conversation.messages.iter().map(|message| message.parts.len()).sum()
    };
    let status = |conversation: &Conversation| conversation.run.as_ref().map(|run| run.status);
    let mut words = Vec::new();
    let messages = after.messages.len() - before.messages.len();
    if messages > 0 {
        words.push(format!("+{messages}m"));
    }
    match (parts(before), parts(after)) {
        (was, is) if is > was => words.push(format!("+{}p", is - was)),
        (was, is) if is < was => words.push(format!("-{}p", was - is)),
        _ => {}
    }
    match (status(before), status(after)) {
        (was, Some(is)) if was != Some(is) => words.push(is.as_str().to_owned()),
        _ => {}
    }
    if words.is_empty() { "ok".to_owned() } else { words.join(" ") }
}

fn refused(refusal: &Refusal) -> &'static str {
    match refusal {
        Refusal::DuplicateMessage(_) => "(message)",
        Refusal::WrongRun => "(run)",
        Refusal::WrongStep => "(step)",
        Refusal::UnknownToolCall(_) => "(call)",
        Refusal::Malformed(_) => "(malformed)",
        Refusal::Stale
        | Refusal::NotNow(_)
        | Refusal::NotApproved
        | Refusal::DuplicateToolCall(_)
        | Refusal::StepHasResults => "?",
    }
}

const RUNS: &str = "
                                             none           running         in step 2            parked             ended
user-message                              +1m +1p           +1m +1p           +1m +1p           +1m +1p           +1m +1p
user-message, id taken                    +1m +1p         (message)         (message)         (message)         (message)
run-started, another                  +1m running             (run)             (run)             (run)       +1m running
run-started, another in m-1           +1m running             (run)             (run)             (run)         (message)
run-started, the same                 +1m running                ok                ok           running             (run)
run-started, the same in m-2          +1m running             (run)             (run)             (run)       +1m running
run-finished done                           (run)              done              done              done             (run)
run-finished awaiting-approval              (run) awaiting-approval awaiting-approval                ok             (run)
run-finished running                        (run)       (malformed)       (malformed)       (malformed)             (run)
run-finished of another                     (run)             (run)             (run)             (run)             (run)
step-started 3                              (run)                ok                ok             (run)             (run)
step-reset 2                                (run)            (step)               -1p             (run)             (run)
step-reset 3                                (run)            (step)            (step)             (run)             (run)
text-delta                                  (run)               +1p                ok             (run)             (run)
reasoning-delta                             (run)               +1p               +1p             (run)             (run)
model-retrying                                 ok                ok                ok                ok                ok
tool-input-start                            (run)               +1p               +1p             (run)             (run)
tool-output-denied                         (call)            (call)            (call)            (call)            (call)
";

#[test]
fn a_step_is_not_withdrawn_once_a_call_of_it_has_left_streaming() {
    let way = [
        started("run-1", "m-1"),
        AgentEvent::StepStarted { step: 1 },
        text("Tôi xem thời tiết."),
        named("getWeather", "input-start"),
    ];
    let mut streaming = fold(&way);
    streaming.apply(9, &AgentEvent::StepReset { step: 1 }).expect("only streaming parts");
    assert_eq!(streaming.messages[0].parts, []);

    let mut validated = fold(&[&way[..], &[named("getWeather", "input-available")]].concat());
    let answer = validated.apply(9, &AgentEvent::StepReset { step: 1 });
    assert_eq!(answer, Err(Refusal::StepHasResults));
    assert_eq!(validated.messages[0].parts.len(), 2);

    // The next step's reset leaves this one alone.
    validated.apply(10, &AgentEvent::StepStarted { step: 2 }).expect("the next step");
    validated.apply(11, &text("Trời ")).expect("a delta");
    validated.apply(12, &AgentEvent::StepReset { step: 2 }).expect("nothing but text");
    assert_eq!(validated.messages[0].parts.len(), 2);
}

/// "Any other event closes it": also one that adds nothing.
#[test]
fn any_other_event_closes_the_open_text() {
    let between = [
        AgentEvent::ModelRetrying { step: 1, attempt: 1 },
        AgentEvent::ReasoningDelta { text: "hm".to_owned() },
        AgentEvent::StepStarted { step: 1 },
        named("getWeather", "input-start"),
        named("getWeather", "input-delta"),
        finished("run-2", RunStatus::Done),
    ];
    for between in between {
        let mut conversation = fold(&[started("run-1", "m-1"), text("một "), text("phần")]);
        let _ = conversation.apply(9, &between);
        conversation.apply(10, &text("khác")).expect("a delta");
        let texts: Vec<&str> = conversation.messages[0]
            .parts
            .iter()
            .filter_map(|part| match part {
                shared::message::MessagePart::Text(text) => Some(text.as_str()),
                shared::message::MessagePart::Reasoning(_) | shared::message::MessagePart::Tool(_) => None,
            })
            .collect();
        assert_eq!(texts, ["một phần", "khác"], "after {between:?}");
    }
}

/// Asked again, an answer counts for the newest question, and what was edited before stays.
#[test]
fn an_edit_survives_a_second_question() {
    let tool = "createBooking";
    let conversation = fold(&[
        started("run-1", "m-1"),
        named(tool, "input-start"),
        named(tool, "input-available"),
        named(tool, "approval-requested again"),
        named(tool, "approval-responded yes edited"),
        named(tool, "approval-requested new"),
        named(tool, "approval-responded yes"),
        named(tool, "output-available"),
    ]);
    let part = &tools_of(&conversation)[0].json;
    assert_eq!(part["input"], input_of(tool, 2));
    assert_eq!(part["proposedInput"], input_of(tool, 1));
    assert_eq!(part["approval"]["approvalId"], "ask-2");
    assert_eq!(part["approval"]["approved"], true);
}
