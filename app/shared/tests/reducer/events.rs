//! Scripts of events: believable stories, and what may become of them on the way.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use shared::error_code::ErrorCode;
use shared::event::{AgentEvent, CancelReason, ToolErrorKind};
use shared::ids::ToolCallId;
use shared::run::{RunStatus, Usage};

/// Events with their ids, in the order of their arrival.
pub type Script = Vec<(u64, AgentEvent)>;

/// A call of these stories: its id and its tool. The last tool is not in the registry.
pub const CALLS: [(&str, &str); 4] = [
    ("call-book", "createBooking"),
    ("call-weather", "getWeather"),
    ("call-find", "findTables"),
    ("call-flowers", "sendFlowers"),
];

/// An id that no story uses.
const STRAY: &str = "call-stray";

pub fn input_of(tool: &str, variant: u8) -> Value {
    let people = 1 + variant % 20;
    match tool {
        "createBooking" => json!({
            "restaurantId": "r-1", "partySize": people, "startsAt": "2026-12-05T19:00:00+07:00",
        }),
        "findTables" => {
            json!({"city": "Hà Nội", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": people})
        }
        "getWeather" => json!({"city": "Đà Lạt", "days": 1 + variant % 7}),
        _ => json!({"flowers": people, "to": "Lan"}),
    }
}

pub fn preview_of(tool: &str, variant: u8) -> Value {
    match tool {
        "createBooking" => json!({
            "restaurantName": "Sương", "address": "1 Hồ Xuân Hương", "city": "Đà Lạt",
            "startsAt": "2026-12-05T19:00:00+07:00", "status": "confirmed", "seatsFree": variant,
        }),
        _ => json!({}),
    }
}

pub fn output_of(tool: &str, variant: u8) -> Value {
    match tool {
        "createBooking" => json!({
            "bookingId": "b-1", "reference": "AB12", "status": "waitlisted", "restaurantId": "r-1",
            "restaurantName": "Sương", "address": "1 Hồ Xuân Hương", "city": "Đà Lạt",
            "startsAt": "2026-12-05T19:00:00+07:00", "partySize": variant,
        }),
        "findTables" => json!({
            "city": "Hà Nội", "startsAt": "2026-12-05T19:00:00+07:00", "partySize": variant,
            "restaurants": [],
        }),
        "getWeather" => json!({"city": "Đà Lạt", "source": "sample", "days": [{
            "date": "2026-12-01", "minC": 12, "maxC": 22, "summary": "clear", "chanceOfRain": variant,
        }]}),
        _ => json!({"sent": variant}),
    }
}

pub fn approval_requested(call: &str, tool: &str, approval: &str) -> AgentEvent {
    AgentEvent::ToolApprovalRequested {
        tool_call_id: call.into(),
        approval_id: approval.into(),
        expires_at: "2026-12-01T10:00:00Z".parse().expect("a time"),
        preview: preview_of(tool, 8),
    }
}

pub fn output_error(call: &str, kind: ToolErrorKind) -> AgentEvent {
    AgentEvent::ToolOutputError {
        tool_call_id: call.into(),
        kind,
        code: ErrorCode::Timeout,
        params: None,
        error_text: "It took too long.".to_owned(),
    }
}

fn error_kind() -> impl Strategy<Value = ToolErrorKind> {
    prop::sample::select(vec![ToolErrorKind::Input, ToolErrorKind::Tool, ToolErrorKind::Unavailable])
}

pub const CANCEL_REASONS: [CancelReason; 6] = [
    CancelReason::Stopped,
    CancelReason::Superseded,
    CancelReason::Expired,
    CancelReason::Interrupted,
    CancelReason::Limit,
    CancelReason::Repeated,
];

fn some_text() -> impl Strategy<Value = String> {
    let bits = ["", " ", "\n", "Xin ", "chào", "a\u{301}", "👍🏽", "\"", "\\", "{\"city\":\"Hà"];
    prop::collection::vec(prop::sample::select(bits.to_vec()), 0..4).prop_map(|bits| bits.concat())
}

/// Any tool event, about any call, at any time.
fn any_tool_event() -> impl Strategy<Value = AgentEvent> {
    let call = prop_oneof![12 => prop::sample::select(CALLS.to_vec()), 1 => Just((STRAY, "getWeather"))];
    (call, 0..13u8, any::<u8>(), error_kind(), some_text()).prop_map(
        |((call, tool), which, variant, kind, text)| {
            let tool_call_id = ToolCallId::from(call);
            match which {
                0 => AgentEvent::ToolInputStart { tool_call_id, tool_name: tool.to_owned() },
                1 => AgentEvent::ToolInputDelta { tool_call_id, input_text_delta: text },
                2 => AgentEvent::ToolInputAvailable { tool_call_id, input: input_of(tool, variant) },
                3 => approval_requested(call, tool, ["ask-1", "ask-2", "ask-3"][usize::from(variant % 3)]),
                4 => AgentEvent::ToolApprovalResponded { tool_call_id, approved: true, input: None },
                5 => {
                    let input = Some(input_of(tool, variant));
                    AgentEvent::ToolApprovalResponded { tool_call_id, approved: true, input }
                }
                6 => AgentEvent::ToolApprovalResponded { tool_call_id, approved: false, input: None },
                7 => AgentEvent::ToolOutputAvailable { tool_call_id, output: output_of(tool, variant) },
                8 => AgentEvent::ToolOutputUpdated {
                    tool_call_id,
                    output: output_of(tool, variant),
                    revision: u64::from(variant % 5),
                },
                9 => output_error(call, kind),
                10 => AgentEvent::ToolOutputDenied { tool_call_id },
                11 => AgentEvent::ToolOutputCancelled {
                    tool_call_id,
                    reason: CANCEL_REASONS[usize::from(variant % 6)],
                    of: None,
                },
                _ => AgentEvent::ToolOutputUnknown { tool_call_id },
            }
        },
    )
}

/// Any event at all.
fn any_event() -> impl Strategy<Value = AgentEvent> {
    let run = prop::sample::select(vec!["run-1", "run-2", "run-3"]);
    let message = prop::sample::select(vec!["m-1", "m-2", "m-3"]);
    let status = prop::sample::select(RunStatus::ALL.to_vec());
    let other = (run, message, status, 0..8u8, 0..3u32, some_text()).prop_map(
        |(run_id, message_id, status, which, step, text)| {
            let (run_id, message_id) = (run_id.into(), message_id.into());
            match which {
                0 => AgentEvent::UserMessage { message_id, client_message_id: "c-9".into(), text },
                1 => AgentEvent::RunStarted { run_id, message_id },
                2 => AgentEvent::RunFinished { run_id, status, usage: Some(Usage::default()) },
                3 => AgentEvent::StepStarted { step },
                4 => AgentEvent::StepReset { step },
                5 => AgentEvent::TextDelta { text },
                6 => AgentEvent::ReasoningDelta { text },
                _ => AgentEvent::ModelRetrying { step, attempt: 1 },
            }
        },
    );
    prop_oneof![2 => any_tool_event(), 1 => other]
}

/// The choices in the life of one call.
#[derive(Clone, Debug)]
struct Life {
    variant: u8,
    pieces: Vec<Index>,
    /// How far it comes before it ends: 0 still streaming, 1 validated, more: all the way.
    reach: u8,
    asks: u8,
    approved: bool,
    edited: bool,
    ending: u8,
    updates: u8,
}

fn life() -> impl Strategy<Value = Life> {
    let pieces = prop::collection::vec(any::<Index>(), 0..4);
    (any::<u8>(), pieces, 0..8u8, 0..4u8, any::<bool>(), any::<bool>(), 0..8u8, 0..4u8).prop_map(
        |(variant, pieces, reach, asks, approved, edited, ending, updates)| Life {
            variant,
            pieces,
            reach,
            asks,
            approved,
            edited,
            ending,
            updates,
        },
    )
}

impl Life {
    /// The events of a call that lives as it should.
    fn events(&self, call: &str, tool: &str) -> Vec<AgentEvent> {
        let id = || ToolCallId::from(call);
        let input = input_of(tool, self.variant);
        let mut events = vec![AgentEvent::ToolInputStart { tool_call_id: id(), tool_name: tool.to_owned() }];
        for piece in cut(&input.to_string(), &self.pieces) {
            events.push(AgentEvent::ToolInputDelta { tool_call_id: id(), input_text_delta: piece });
        }
        let cancelled = |reason| AgentEvent::ToolOutputCancelled { tool_call_id: id(), reason, of: None };
        if self.reach == 0 {
            events.push(match self.ending % 2 {
                0 => output_error(call, ToolErrorKind::Input),
                _ => cancelled(CancelReason::Interrupted),
            });
            return events;
        }
        events.push(AgentEvent::ToolInputAvailable { tool_call_id: id(), input });
        if self.reach == 1 {
            events.push(cancelled(CancelReason::Limit));
            return events;
        }

        let asks = if tool == "createBooking" { self.asks.max(1) } else { self.asks.saturating_sub(2) };
        for ask in 0..asks {
            events.push(approval_requested(call, tool, &format!("ask-{ask}")));
            let edited = (self.edited && ask == 0).then(|| input_of(tool, self.variant.wrapping_add(1)));
            let approved = self.approved || ask + 1 < asks;
            events.push(AgentEvent::ToolApprovalResponded { tool_call_id: id(), approved, input: edited });
        }
        if asks > 0 && !self.approved {
            events.push(AgentEvent::ToolOutputDenied { tool_call_id: id() });
            return events;
        }

        let output = |n: u8| output_of(tool, self.variant.wrapping_add(n));
        match self.ending {
            0 => events.push(output_error(call, ToolErrorKind::Tool)),
            1 => events.push(cancelled(CancelReason::Stopped)),
            2 => events.push(AgentEvent::ToolOutputUnknown { tool_call_id: id() }),
            3 => {
                events.push(AgentEvent::ToolOutputUnknown { tool_call_id: id() });
                events.push(output_error(call, ToolErrorKind::Tool));
            }
            4 => {
                events.push(AgentEvent::ToolOutputUnknown { tool_call_id: id() });
                events.push(AgentEvent::ToolOutputAvailable { tool_call_id: id(), output: output(0) });
            }
            _ => {
                events.push(AgentEvent::ToolOutputAvailable { tool_call_id: id(), output: output(0) });
                events.extend((1..=self.updates).map(|n| AgentEvent::ToolOutputUpdated {
                    tool_call_id: id(),
                    output: output(n),
                    revision: u64::from(n),
                }));
            }
        }
        events
    }
}

/// Cuts a text between characters; the pieces may be empty.
pub fn cut(text: &str, at: &[Index]) -> Vec<String> {
    let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut cuts: Vec<usize> = at.iter().map(|index| *index.get(&borders)).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|ends| text[ends[0]..ends[1]].to_owned()).collect()
}

/// A conversation as the server would write it: the calls of one run side by side, with text, a
/// parking and a second run.
fn story() -> impl Strategy<Value = Vec<AgentEvent>> {
    let lives = prop::array::uniform4(life());
    let texts = prop::collection::vec((any::<bool>(), some_text()), 0..6);
    let turns = prop::collection::vec(any::<Index>(), 60);
    (lives, texts, turns, any::<bool>()).prop_map(|(lives, texts, turns, parks)| {
        let mut queues: Vec<Vec<AgentEvent>> =
            lives.iter().zip(CALLS).map(|(life, (call, tool))| life.events(call, tool)).collect();
        queues.push(
            texts
                .into_iter()
                .map(|(reasoning, text)| match reasoning {
                    true => AgentEvent::ReasoningDelta { text },
                    false => AgentEvent::TextDelta { text },
                })
                .collect(),
        );

        let user_message = |n: u8| AgentEvent::UserMessage {
            message_id: format!("u-{n}").as_str().into(),
            client_message_id: format!("c-{n}").as_str().into(),
            text: "Xin chào".to_owned(),
        };
        let started = |run: &str, message: &str| AgentEvent::RunStarted {
            run_id: run.into(),
            message_id: message.into(),
        };
        let finished =
            |run: &str, status| AgentEvent::RunFinished { run_id: run.into(), status, usage: None };

        let mut story = vec![user_message(1), started("run-1", "m-1"), AgentEvent::StepStarted { step: 1 }];
        story.push(AgentEvent::TextDelta { text: "withdrawn".to_owned() });
        story.push(AgentEvent::StepReset { step: 1 });
        for turn in &turns {
            queues.retain(|queue| !queue.is_empty());
            if queues.is_empty() {
                break;
            }
            let queue = turn.index(queues.len());
            story.push(queues[queue].remove(0));
        }
        if parks {
            story.push(finished("run-1", RunStatus::AwaitingApproval));
            story.push(started("run-1", "m-1"));
        }
        story.push(AgentEvent::StepStarted { step: 2 });
        story.extend(queues.into_iter().flatten());
        story.push(AgentEvent::TextDelta { text: "Xong.".to_owned() });
        story.push(finished("run-1", RunStatus::Done));
        story.push(user_message(2));
        story.push(started("run-2", "m-2"));
        story.push(AgentEvent::TextDelta { text: "Vâng".to_owned() });
        story
    })
}

/// What may happen to a story on its way.
#[derive(Clone, Debug)]
enum Accident {
    Lost(Index),
    Twice(Index),
    Swapped(Index, Index),
    Moved(Index, Index),
    Cut(Index),
    Inserted(Index, AgentEvent),
    WrongCall(Index, Index),
}

fn accident() -> impl Strategy<Value = Accident> {
    let at = any::<Index>;
    prop_oneof![
        3 => at().prop_map(Accident::Lost),
        3 => at().prop_map(Accident::Twice),
        3 => (at(), at()).prop_map(|(a, b)| Accident::Swapped(a, b)),
        3 => (at(), at()).prop_map(|(a, b)| Accident::Moved(a, b)),
        1 => at().prop_map(Accident::Cut),
        12 => (at(), any_event()).prop_map(|(a, event)| Accident::Inserted(a, event)),
        3 => (at(), at()).prop_map(|(a, b)| Accident::WrongCall(a, b)),
    ]
}

impl Accident {
    fn happen(self, events: &mut Vec<AgentEvent>) {
        let len = events.len();
        if len == 0 {
            return;
        }
        match self {
            Self::Lost(at) => drop(events.remove(at.index(len))),
            Self::Twice(at) => {
                let at = at.index(len);
                events.insert(at, events[at].clone());
            }
            Self::Swapped(a, b) => events.swap(a.index(len), b.index(len)),
            Self::Moved(from, to) => {
                let event = events.remove(from.index(len));
                events.insert(to.index(len), event);
            }
            Self::Cut(at) => events.truncate(at.index(len)),
            Self::Inserted(at, event) => events.insert(at.index(len), event),
            Self::WrongCall(at, call) => {
                let mut json = serde_json::to_value(&events[at.index(len)]).expect("an event is JSON");
                if json.get("toolCallId").is_some() {
                    json["toolCallId"] = CALLS[call.index(CALLS.len())].0.into();
                    events[at.index(len)] = serde_json::from_value(json).expect("still an event");
                }
            }
        }
    }
}

/// Stories with accidents, and now and then plain noise.
fn events() -> impl Strategy<Value = Vec<AgentEvent>> {
    let told = (story(), prop::collection::vec(accident(), 0..10)).prop_map(|(mut story, accidents)| {
        for accident in accidents {
            accident.happen(&mut story);
        }
        story
    });
    let noise = prop::collection::vec(any_event(), 0..60);
    prop_oneof![8 => told, 1 => noise]
}

/// Events under rising ids, with gaps.
pub fn orderly_script() -> impl Strategy<Value = Script> {
    events().prop_map(number)
}

/// Events some of which come again later, or under ids that have passed.
pub fn script() -> impl Strategy<Value = Script> {
    let again = prop::collection::vec((any::<Index>(), any::<Index>(), any::<bool>()), 0..4);
    (orderly_script(), again).prop_map(|(mut script, again)| {
        for (from, to, other) in again {
            if script.is_empty() {
                break;
            }
            let (mut stale, at) = (script[from.index(script.len())].clone(), to.index(script.len()));
            if other {
                // Another event under that id.
                stale.1 = script[at].1.clone();
            }
            script.insert(at, stale);
        }
        script
    })
}

pub fn number(events: Vec<AgentEvent>) -> Script {
    (0..).map(|n: u64| n * 2 + 1).zip(events).collect()
}
